#include "scorer/checkpoint/torch_storage.h"

#include <string.h>

typedef struct storage_type {
    const char *name;
    tensor_type type;
    size_t size;
} storage_type;

/* "FloatStorage" of torch, torch.cuda or torch.storage. The last ones are known by size only: a
 * legacy file is read over them. */
static const storage_type storage_types[] = {
    {"Float", TENSOR_F32, 4}, {"Half", TENSOR_F16, 2}, {"BFloat16", TENSOR_BF16, 2},
    {"Double", TENSOR_F64, 8}, {"Long", TENSOR_I64, 8}, {"Int", TENSOR_I32, 4},
    {"Short", TENSOR_I16, 2}, {"Char", TENSOR_I8, 1}, {"Byte", TENSOR_U8, 1},
    {"Bool", TENSOR_BOOL, 1}, {"Untyped", TENSOR_U8, 1}, {"_Untyped", TENSOR_U8, 1},
    {"ComplexFloat", 0, 8}, {"ComplexDouble", 0, 16}, {"QInt8", 0, 1}, {"QUInt8", 0, 1},
    {"QInt32", 0, 4},
};

static const storage_type dtypes[] = {
    {"float32", TENSOR_F32, 4}, {"float16", TENSOR_F16, 2}, {"bfloat16", TENSOR_BF16, 2},
    {"float64", TENSOR_F64, 8}, {"int64", TENSOR_I64, 8}, {"int32", TENSOR_I32, 4},
    {"int16", TENSOR_I16, 2}, {"int8", TENSOR_I8, 1}, {"uint8", TENSOR_U8, 1},
    {"bool", TENSOR_BOOL, 1}, {"uint16", TENSOR_U16, 2}, {"uint32", TENSOR_U32, 4},
    {"uint64", TENSOR_U64, 8},
};

static bool is_module(const pickle_node *n, const char *module)
{
    return n->kind == PICKLE_GLOBAL && n->count == strlen(module)
        && memcmp(n->bytes, module, n->count) == 0;
}

static const storage_type *find_type(const pickle_node *n)
{
    static const char ending[] = "Storage";
    size_t tail = sizeof ending - 1;
    if (!is_module(n, "torch") && !is_module(n, "torch.cuda") && !is_module(n, "torch.storage"))
        return NULL;
    if (n->room <= tail || memcmp(n->name + n->room - tail, ending, tail) != 0) return NULL;
    for (size_t i = 0; i < sizeof storage_types / sizeof *storage_types; i++) {
        size_t length = strlen(storage_types[i].name);
        if (length == n->room - tail && memcmp(storage_types[i].name, n->name, length) == 0)
            return &storage_types[i];
    }
    return NULL;
}

static bool count_of(uint64_t *out, const pickle_node *n)
{
    if (n->kind != PICKLE_INT || n->integer < 0) return false;
    *out = (uint64_t)n->integer;
    return true;
}

/* Of legacy files: None, or (key, offset, count). */
static const char *read_view(torch_storage_id *out, const pickle_node *n)
{
    if (n->kind == PICKLE_NONE) return NULL;
    if (n->kind != PICKLE_TUPLE || n->count != 3 || !count_of(&out->view_from, n->item[1])
        || !count_of(&out->view_count, n->item[2]))
        return "its storage is a view without place and length";
    if (out->view_from > out->count || out->view_count > out->count - out->view_from)
        return "its storage is a view past another's end";
    return NULL;
}

const char *torch_storage_id_read(torch_storage_id *out, const pickle_node *n)
{
    *out = (torch_storage_id){0};
    if (n->kind != PICKLE_PERSISTENT) return "its storage is none";
    const pickle_node *t = n->id;
    if (t->kind != PICKLE_TUPLE || t->count < 5 || t->count > 6
        || !pickle_is_text(t->item[0], "storage"))
        return "its storage is not described as torch does";
    if (t->item[1]->kind != PICKLE_GLOBAL) return "its storage has no type";
    if (t->item[2]->kind != PICKLE_TEXT) return "its storage has no key";
    if (!count_of(&out->count, t->item[4])) return "its storage has no length";
    const storage_type *type = find_type(t->item[1]);
    if (type != NULL) {
        out->type = type->type;
        out->size = type->size;
        out->untyped = strstr(type->name, "Untyped") != NULL;
    }
    out->key = t->item[2]->bytes;
    out->key_length = t->item[2]->count;
    out->view_count = out->count;
    return t->count == 6 ? read_view(out, t->item[5]) : NULL;
}

bool torch_dtype_read(tensor_type *out, const pickle_node *n)
{
    for (size_t i = 0; i < sizeof dtypes / sizeof *dtypes; i++)
        if (pickle_is_global(n, "torch", dtypes[i].name)) {
            *out = dtypes[i].type;
            return true;
        }
    return false;
}
