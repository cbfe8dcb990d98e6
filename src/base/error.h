/* error.h - how failures travel.
 *
 * One exit per function: `tare_status status = TARE_OK; ... TRY(call); ... done: free; return
 * status;`. The function that detects a failure describes it; those above add nothing. */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include "tare.h"

#define TRY(expression)                    \
    do {                                   \
        status = (expression);             \
        if (status != TARE_OK) goto done;  \
    } while (0)

/* FAIL(err, TARE_E_DATA, "csv.column", "scores.csv:1", "no column %s", name); */
#define FAIL(...)                          \
    do {                                   \
        status = error_set(__VA_ARGS__);   \
        goto done;                         \
    } while (0)

/* TRY_NEW(buffer = mem_new(...)): out of memory is the only way the expression is NULL. */
#define TRY_NEW(assignment)                                    \
    do {                                                       \
        if ((assignment) == NULL) FAIL_MEMORY(err);            \
    } while (0)
#define FAIL_MEMORY(err)                                       \
    do {                                                       \
        status = error_memory(err);                            \
        goto done;                                             \
    } while (0)

/* Fill `err` (may be NULL; text is cut at a UTF-8 boundary if too long, and made plain as by
 * text_make_plain) and return `status`.
 * `where` may be NULL. */
tare_status error_set(tare_error *err, tare_status status, const char *code, const char *where,
                      const char *format, ...) __attribute__((format(printf, 5, 6)));
tare_status error_memory(tare_error *err);
/* errno `number` while doing `verb` ("read") to `path`: status TARE_E_IO, code "io.<verb>". */
tare_status error_system(tare_error *err, int number, const char *verb, const char *path);

#endif
