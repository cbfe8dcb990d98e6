/* tensor_type.c - names and sizes of element types, and a tensor's type and dimensions as text. */
#include <inttypes.h>
#include <stdio.h>

#include "scorer/checkpoint/checkpoint.h"

static const struct {
    tensor_type type;
    size_t size;
    const char *name;
} types[] = {
    {TENSOR_F32, 4, "f32"}, {TENSOR_F16, 2, "f16"}, {TENSOR_BF16, 2, "bf16"},
    {TENSOR_F64, 8, "f64"}, {TENSOR_U8, 1, "u8"}, {TENSOR_I8, 1, "i8"},
    {TENSOR_U16, 2, "u16"}, {TENSOR_I16, 2, "i16"}, {TENSOR_U32, 4, "u32"},
    {TENSOR_I32, 4, "i32"}, {TENSOR_U64, 8, "u64"}, {TENSOR_I64, 8, "i64"},
    {TENSOR_BOOL, 1, "bool"}, {TENSOR_C64, 8, "c64"}, {TENSOR_F8_E4M3, 1, "f8_e4m3"},
    {TENSOR_F8_E5M2, 1, "f8_e5m2"}, {TENSOR_F8_E8M0, 1, "f8_e8m0"},
};
enum { TYPES = sizeof types / sizeof *types };

size_t tensor_type_size(tensor_type type)
{
    for (size_t i = 0; i < TYPES; i++)
        if (types[i].type == type) return types[i].size;
    return 0;
}

const char *tensor_type_name(tensor_type type)
{
    for (size_t i = 0; i < TYPES; i++)
        if (types[i].type == type) return types[i].name;
    return "?";
}

void checkpoint_tensor_text(char out[TENSOR_TEXT], const checkpoint_tensor *t)
{
    int n = snprintf(out, TENSOR_TEXT, "%s [", tensor_type_name(t->type));
    for (size_t i = 0; i < t->rank; i++) {
        char one[24];
        int m = snprintf(one, sizeof one, "%s%" PRId64, i > 0 ? "," : "", t->dim[i]);
        if (n + m + 6 > TENSOR_TEXT) { /* room for this one, ",...]" and the NUL */
            n += snprintf(out + n, (size_t)(TENSOR_TEXT - n), ",...");
            break;
        }
        n += snprintf(out + n, (size_t)(TENSOR_TEXT - n), "%s", one);
    }
    snprintf(out + n, (size_t)(TENSOR_TEXT - n), "]");
}
