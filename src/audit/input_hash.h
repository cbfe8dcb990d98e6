/* input_hash.h - which bytes the numbers came from, for the log: another order of rows gives the
 * same numbers from other bytes, so this is no fact of the result. */
#ifndef AUDIT_INPUT_HASH_H
#define AUDIT_INPUT_HASH_H

#include "audit/result.h"

/* A line "PATH: SHA-256" in the log's section "Input". Nothing for "-" (gone when it has been read)
 * and for "duckdb:..." (no file). Errors: IO, MEMORY. */
tare_status input_hash_log(audit_result *r, const char *path, tare_error *err);

#endif
