/* embedding_cache.h - vectors that a model gave for pixels, kept in memory and in a file, so that
 * another head on the same tower costs nothing. Scorers 1.1 `embed`.
 *
 * The file is FOLDER/IDENTITY-RUNTIME.vec (16 hex digits each): a header, then records of one
 * length: key (SHA-256 of the pixels with mode and size), vector of float32, check sum. A damaged
 * or half-written tail is cut off, a damaged record before it is as good as absent, a file of
 * another kind is refused. Several processes may append to one file. Thread-safe. */
#ifndef SCORER_ONNX_EMBEDDING_CACHE_H
#define SCORER_ONNX_EMBEDDING_CACHE_H

#include <stdbool.h>

#include "base/mem.h"
#include "tare.h"

#define EMBEDDING_KEY_BYTES 32
#define EMBEDDING_LENGTH_MOST (1 << 20) /* floats in a vector */

typedef struct embedding_cache embedding_cache;

typedef struct embedding_cache_options {
    const char *folder;       /* NULL: memory only; made if it is not there      */
    const char *identity, *runtime; /* hashes of the tower: 64 hex digits each   */
    size_t length;            /* floats in a vector                              */
    size_t memory_bytes;      /* vectors kept in memory; the index of a file takes at most as much
                                 again, and what does not fit is not found       */
} embedding_cache_options;

/* A file that can only be read is used and not added to. Errors: DATA (another kind of file), IO
 * (no file, and none can be made; the disk is full), MEMORY, USAGE (a length of 0 or too large). */
tare_status embedding_cache_open(embedding_cache **out, const mem *m,
                                 const embedding_cache_options *options, tare_error *err);
void embedding_cache_close(embedding_cache *c); /* NULL ok */
/* vector[length]; *found false: it is not there. Errors: IO. */
tare_status embedding_cache_get(float *vector, bool *found, embedding_cache *c,
                                const unsigned char key[EMBEDDING_KEY_BYTES], tare_error *err);
/* The same vector twice is kept once. A file that cannot be written to is said once, as an error of
 * IO; the vector is in memory all the same, and from then on the file is only read. Errors: IO,
 * MEMORY. */
tare_status embedding_cache_put(embedding_cache *c,
                                const unsigned char key[EMBEDDING_KEY_BYTES], const float *vector,
                                tare_error *err);

#endif
