/* Any bytes as a safetensors file: it is refused, or every tensor lies in it and no two share a
 * byte. */
#include <math.h>
#include <string.h>

#include "fuzz.h"
#include "scorer/checkpoint/checkpoint.h"

enum { VALUES_MOST = 4096 };

static void check_values(const checkpoint *c, const checkpoint_tensor *t)
{
    double values[VALUES_MOST];
    tare_error err = {TARE_OK, "", "", ""};
    if (t->elements > VALUES_MOST) return;
    tare_status status = checkpoint_doubles(values, c, t, &err);
    REQUIRE(status == err.status && (status == TARE_OK || status == TARE_E_DATA));
    for (size_t i = 0; status == TARE_OK && i < t->elements; i++) REQUIRE(isfinite(values[i]));
}

static void check(const checkpoint *c, size_t size)
{
    for (size_t i = 0; i < c->tensor_count; i++) {
        const checkpoint_tensor *t = &c->tensor[i];
        uint64_t bytes = t->elements * tensor_type_size(t->type);
        char text[TENSOR_TEXT];
        REQUIRE(t->contiguous && t->rank <= MODEL_RANK_MOST);
        REQUIRE(t->offset >= 9 && t->offset <= size && bytes <= size - t->offset);
        REQUIRE(t->data == c->file[0].bytes + t->offset);
        REQUIRE(checkpoint_find(c, t->name) == t);
        REQUIRE(i == 0 || strcmp(t[-1].name, t->name) < 0);
        checkpoint_tensor_text(text, t);
        REQUIRE(text[strlen(text) - 1] == ']');
        check_values(c, t);
        for (size_t k = 0; k < i && bytes > 0 && i < 64; k++) {
            const checkpoint_tensor *s = &c->tensor[k];
            uint64_t other = s->elements * tensor_type_size(s->type);
            REQUIRE(other == 0 || s->offset + other <= t->offset || t->offset + bytes <= s->offset);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    tare_context context = {.mem = mem_system()};
    model_file file = {.path = "f", .descriptor = -1, .bytes = data, .length = size};
    checkpoint c = {.context = &context, .path = "f", .file = &file, .file_count = 1};
    tare_error err = {TARE_OK, "", "", ""};
    arena_init(&c.a, &context.mem);
    tare_status status = safetensors_read(&c, &err);
    if (status == TARE_OK) status = checkpoint_finish(&c, &err);
    REQUIRE(status == err.status);
    REQUIRE(status == TARE_OK
            || ((status == TARE_E_DATA || status == TARE_E_LIMIT) && *err.message && *err.where));
    if (status == TARE_OK) check(&c, size);
    arena_free(&c.a);
    return 0;
}
