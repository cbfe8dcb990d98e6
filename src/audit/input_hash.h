/* input_hash.h - which bytes the numbers came from, for the log: another order of rows gives the
 * same numbers from other bytes, so this is no fact of the result. */
#ifndef AUDIT_INPUT_HASH_H
#define AUDIT_INPUT_HASH_H

#include "audit/result.h"
#include "base/context.h"

/* A line "PATH: SHA-256" in the log's section "Input". Nothing for "-" and pipes (gone when they
 * have been read) and for "duckdb:..." (no file). Errors: IO, MEMORY. */
tare_status input_hash_log(audit_result *r, const char *path, tare_error *err);

/* The same in two steps, beside other work: hashing is one thread's work, however many there are.
 * Between them nothing may be asked of `h`. `path` must live as long. */
typedef struct input_hash input_hash;
tare_status input_hash_start(input_hash **h, const tare_context *c, const char *path,
                             tare_error *err);
tare_status input_hash_finish(input_hash *h, audit_result *r, tare_error *err); /* logs, frees */
void input_hash_drop(input_hash *h); /* NULL ok */

#endif
