/* embedding_cache.h - vectors that a model gave for pixels, kept in memory and in a file, so that
 * another head on the same tower costs nothing. Scorers 1.1 `embed`.
 *
 * The file is FOLDER/IDENTITY-RUNTIME.vec (16 hex digits each): a header, then records of key
 * (SHA-256 of the pixels with mode and size), vector of float32, check sum. A damaged or half-written
 * tail is cut off, a file of another kind is refused. Several processes may append to one file.
 * Thread-safe. */
#ifndef SCORER_ONNX_EMBEDDING_CACHE_H
#define SCORER_ONNX_EMBEDDING_CACHE_H

#include "base/mem.h"
#include "tare.h"

typedef struct embedding_cache embedding_cache;

typedef struct embedding_cache_options {
    const char *folder;       /* NULL: memory only            */
    const char *identity, *runtime; /* hashes of the tower    */
    size_t length;            /* floats in a vector           */
    size_t memory_bytes;      /* kept at most in memory       */
} embedding_cache_options;

tare_status embedding_cache_open(embedding_cache **out, const mem *m,
                                 const embedding_cache_options *options, tare_error *err);
void embedding_cache_close(embedding_cache *c); /* NULL ok */
/* vector[length]; *found false: it is not there. Errors: IO. */
tare_status embedding_cache_get(float *vector, bool *found, embedding_cache *c,
                                const unsigned char key[32], tare_error *err);
/* The same vector twice is kept once. Errors: IO, MEMORY. */
tare_status embedding_cache_put(embedding_cache *c, const unsigned char key[32],
                                const float *vector, tare_error *err);

#endif
