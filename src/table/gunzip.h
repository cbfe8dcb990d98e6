/* gunzip.h - the bytes of a gzip file that is no table. */
#ifndef TABLE_GUNZIP_H
#define TABLE_GUNZIP_H

#include <stddef.h>

#include "base/mem.h"
#include "tare.h"

typedef struct gunzip_input {
    const char *name;  /* for messages                */
    const char *bytes; /* of all members              */
    size_t length;
    size_t limit;      /* what it may become, at most */
} gunzip_input;

/* *out is released with mem_free; some zeros stand behind its *out_length bytes, so that it is a
 * string. Errors: DATA ("table.gzip": damaged, or too short), LIMIT ("table.inflated"), MEMORY. */
tare_status gunzip(char **out, size_t *out_length, const mem *m, const gunzip_input *in,
                   tare_error *err);

#endif
