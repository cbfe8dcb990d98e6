/* torch_fixture.h - pickles and archives of torch written byte by byte, also wrong ones. */
#ifndef TESTS_TORCH_FIXTURE_H
#define TESTS_TORCH_FIXTURE_H

#include "base/context.h"
#include "base/text.h"
#include "scorer/checkpoint/checkpoint.h"

/* Opcodes as a literal, NULs too. */
#define PK(t, literal) text_add_bytes((t), literal, sizeof(literal) - 1)
void pk_text(text *t, const char *value);
void pk_int(text *t, int64_t value);
void pk_ints(text *t, const int64_t *value, size_t count); /* a tuple */

/* _rebuild_tensor_v2 of a float32 view of storage "0", unless said otherwise. */
typedef struct pk_tensor {
    const char *storage, *key; /* NULL: FloatStorage, "0" */
    int64_t count, offset;     /* of the storage; of the view */
    size_t rank, stride_rank;  /* stride_rank 0: as rank */
    int64_t dim[20], stride[20];
} pk_tensor;
void pk_tensor_call(text *t, const pk_tensor *v);
void pk_storage(text *t, const char *module, const char *type, const char *key, int64_t count);

/* A dict of one tensor "w" and STOP. */
void pk_one_tensor(text *t, const pk_tensor *v);

typedef struct zip_part {
    const char *name;
    const void *bytes;
    size_t length;
    int method; /* ZIP_LOCKED more: encrypted */
} zip_part;
#define ZIP_LOCKED 65536
void zip_make(text *out, const zip_part *part, size_t count);
/* archive/data.pkl, and archive/data/0 of eight float32: 0 .. 7. */
void torch_archive_make(text *out, const text *pickle);
/* The four pickles around `object`, and storage "0" of eight float32 after them. */
void torch_legacy_make(text *out, const text *object);

/* What a reader says to bytes in memory, finished as checkpoint_open does. `tensors` may be NULL;
 * else their names and shapes, "w f32 [2]|". */
tare_status torch_read_bytes(const mem *m, const text *bytes,
                             tare_status (*read)(checkpoint *c, tare_error *err), text *tensors,
                             size_t *opaque, tare_error *err);

#endif
