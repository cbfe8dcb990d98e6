/* fuzz_checkpoint.h - a reader of checkpoints over bytes in memory, and what must hold of what it
 * gives. */
#ifndef TESTS_FUZZ_CHECKPOINT_H
#define TESTS_FUZZ_CHECKPOINT_H

#include <string.h>

#include "fuzz.h"
#include "scorer/checkpoint/checkpoint.h"

/* Every element lies in the file, and can be read. */
static inline void fuzz_check_tensor(const checkpoint *c, const checkpoint_tensor *t)
{
    uint64_t last = 0;
    REQUIRE(t->rank <= MODEL_RANK_MOST && tensor_type_size(t->type) > 0);
    REQUIRE(utf8_valid(t->name, strlen(t->name)));
    for (size_t i = 0; i < t->rank; i++) {
        REQUIRE(t->dim[i] >= 0 && t->stride[i] >= 0);
        if (t->elements > 0) last += (uint64_t)(t->dim[i] - 1) * (uint64_t)t->stride[i];
    }
    if (t->elements == 0) return;
    uint64_t end = (last + 1) * tensor_type_size(t->type);
    REQUIRE(t->data == c->file[0].bytes + t->offset && t->file == 0);
    REQUIRE(t->offset <= c->file[0].length && end <= c->file[0].length - t->offset);
    if (t->elements <= 4096) {
        static double value[4096];
        tare_error err;
        tare_status status = checkpoint_doubles(value, c, t, &err);
        REQUIRE(status == TARE_OK || status == TARE_E_DATA);
    }
}

static inline void fuzz_checkpoint(const uint8_t *data, size_t size,
                                   tare_status (*read)(checkpoint *c, tare_error *err))
{
    mem m = mem_system();
    static tare_context context;
    model_file file = {.path = "f", .descriptor = -1, .bytes = data, .length = size};
    checkpoint c = {.context = &context, .path = "f", .file = &file, .file_count = 1};
    tare_error err = {TARE_OK, "", "", ""};
    context.mem = m;
    arena_init(&c.a, &context.mem);
    tare_status status = read(&c, &err);
    if (status == TARE_OK) status = checkpoint_finish(&c, &err);
    REQUIRE(status == TARE_OK
            || ((status == TARE_E_DATA || status == TARE_E_LIMIT) && *err.message && *err.code));
    if (status == TARE_OK)
        for (size_t i = 0; i < c.tensor_count; i++) fuzz_check_tensor(&c, &c.tensor[i]);
    arena_free(&c.a);
}

#endif
