/* os_out.h - a file written in pieces, all or nothing: into PATH.tmp, flushed, renamed over. */
#ifndef BASE_OS_OUT_H
#define BASE_OS_OUT_H

#include <stddef.h>

#include "tare.h"

typedef struct os_out {
    int fd;            /* -1: not open */
    unsigned number;   /* 0: PATH.tmp; k: PATH.tmp.k, for another process writes to the first */
    const char *path;  /* the caller's */
} os_out;
#define OS_OUT_NONE ((os_out){-1, 0, NULL})

/* The temporary file is locked while it is written to: one without a lock was left by a killed
 * process and is taken away. Errors of all: IO. */
tare_status os_out_open(os_out *o, const char *path, tare_error *err);
tare_status os_out_add(os_out *o, const void *bytes, size_t length, tare_error *err);
/* Now it is there. */
tare_status os_out_done(os_out *o, tare_error *err);
void os_out_drop(os_out *o); /* unless done: as if nothing had been written */

#endif
