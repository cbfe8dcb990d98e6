/* embedding_file.h - the file below an embedding cache: a header and records of one length.
 *
 * Whoever adds or cuts holds a lock of the file, so a tail that is no whole record, seen by the
 * holder, was left by one that was killed. What is read is checked every time: another process may
 * have cut and written since. */
#ifndef SCORER_ONNX_EMBEDDING_FILE_H
#define SCORER_ONNX_EMBEDDING_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include "scorer/onnx/embedding_cache.h"

typedef struct embedding_file {
    const mem *m;
    char *path;
    int fd;               /* -1: none                                     */
    bool writable;
    size_t length;        /* floats                                       */
    size_t record_bytes;
    uint64_t records;     /* of which the keys were told to the visitor   */
    unsigned char *block; /* for one pass over the keys, and for a record */
    size_t block_bytes;
} embedding_file;

/* Called once for each record not told yet, in order. */
typedef tare_status (*embedding_visit)(void *arg, const unsigned char *key, uint64_t record,
                                       tare_error *err);

/* Opens or makes the file, cuts a damaged tail. Errors as of embedding_cache_open. */
tare_status embedding_file_open(embedding_file *f, const mem *m,
                                const embedding_cache_options *options, tare_error *err);
void embedding_file_close(embedding_file *f);

/* Tell the records that are new since. */
tare_status embedding_file_refresh(embedding_file *f, embedding_visit visit, void *arg,
                                   tare_error *err);
/* Begin to add to a file that is `writable`: takes the lock, tells new records, cuts what a killed
 * writer left. After an error the lock is not held. */
tare_status embedding_file_enter(embedding_file *f, embedding_visit visit, void *arg,
                                 tare_error *err);
/* With the lock. After an error the file is as before. */
tare_status embedding_file_append(embedding_file *f, const unsigned char *key, const float *vector,
                                  tare_error *err);
void embedding_file_leave(embedding_file *f);

/* *good false: not there, damaged, or another key's. */
tare_status embedding_file_read(float *vector, bool *good, embedding_file *f, uint64_t record,
                                const unsigned char *key, tare_error *err);

#endif
