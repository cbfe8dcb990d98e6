/* torch_storage.h - what a pickle of torch says about a storage: its type, key and length. */
#ifndef SCORER_CHECKPOINT_TORCH_STORAGE_H
#define SCORER_CHECKPOINT_TORCH_STORAGE_H

#include "scorer/checkpoint/checkpoint.h"
#include "scorer/checkpoint/pickle.h"

/* ('storage', type, key, location, count[, view]) as a persistent id. */
typedef struct torch_storage_id {
    tensor_type type;   /* 0: elements that no scorer has (complex, quantised) */
    size_t size;        /* of an element in bytes; 0: unknown                   */
    bool untyped;       /* count is in bytes, whoever uses it says what they are */
    const char *key;
    size_t key_length;
    uint64_t count;     /* elements of the whole storage                        */
    uint64_t view_from, view_count; /* of the part that is meant; else 0, count */
} torch_storage_id;

/* NULL, or why `n` is no storage: an end of a sentence. All but the view stands in *out as soon as
 * its key does. */
const char *torch_storage_id_read(torch_storage_id *out, const pickle_node *n);

/* A global of torch.dtype, "torch float16". False: not one of ours. */
bool torch_dtype_read(tensor_type *out, const pickle_node *n);

/* Where the bytes of a storage lie. */
typedef struct torch_storage {
    const unsigned char *data;
    uint64_t bytes, offset; /* offset: of data in the first file */
} torch_storage;

/* How a container finds them: NULL, or why there are none for this id. */
typedef struct torch_source {
    const char *(*find)(torch_storage *out, const void *user, const torch_storage_id *id);
    const void *user;
} torch_source;

#endif
