/* library.h - find and open a library at run time, so that tare starts without it. */
#ifndef BASE_LIBRARY_H
#define BASE_LIBRARY_H

#include <limits.h>
#include <stdbool.h>

#include "tare.h"

/* Where to look, in this order; the first place that has a file decides, usable or not.
 *
 *   given     the file that somebody names in an option
 *   variable  the file that this environment variable names
 *   files     beside the library or the program that holds this code, or in the folders deps,
 *             ../deps, ../libexec/tare from there; a file that another user may have put there is
 *             passed over: it would be run
 *   sonames   what the loader finds
 *
 * Lists end with NULL. `get` ends the error where there is none: what to install or run. */
typedef struct library_wanted {
    const char *name;         /* for messages: "DuckDB, which reads SQL and Parquet," */
    const char *code;         /* of errors: "duckdb" gives "duckdb.missing"           */
    const char *given;        /* NULL or "": none */
    const char *given_by;     /* for messages: "--ort"; NULL if `given` is */
    const char *variable;
    const char *const *files;
    const char *const *sonames;
    const char *get;
} library_wanted;

typedef struct library {
    void *handle;
    bool first;          /* it was not in this process before             */
    char path[PATH_MAX]; /* the file, or the SONAME that the loader found */
} library;

/* The library stays in the process for good: its threads and destructors may outlive the last use.
 * On failure handle is NULL. Errors: DATA ("CODE.missing": how to get it; "CODE.library": what the
 * loader says about the file). */
tare_status library_open(library *out, const library_wanted *wanted, tare_error *err);
void library_close(library *l); /* closed or failed: nothing */
/* NULL if there is none of this name. Once found, `path` of a library that the loader found becomes
 * its file. */
void *library_symbol(library *l, const char *name);

#endif
