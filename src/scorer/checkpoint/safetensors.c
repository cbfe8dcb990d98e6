/* safetensors.c - a length (u64), a JSON object of that length, and the bytes of all tensors, to
 * which its offsets refer. Scorers 4.1. */
#include "scorer/checkpoint/safetensors.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"

enum { LENGTH_BYTES = 8, HEADER_VALUES = 100000000 };

/* One file while it is read. */
typedef struct header {
    checkpoint *c;
    size_t file;
    const char *path;
    json_reader json;
    const unsigned char *data; /* what offset 0 means */
    uint64_t data_bytes;
    checkpoint_tensor tensor;  /* the one being read  */
    char shown[CHECKPOINT_SHOWN];
    uint64_t begin, end;
    bool has_type, has_shape, has_offsets;
} header;

static const struct {
    const char *name;
    tensor_type type;
} dtypes[] = {
    {"F32", TENSOR_F32}, {"F16", TENSOR_F16}, {"BF16", TENSOR_BF16}, {"F64", TENSOR_F64},
    {"U8", TENSOR_U8}, {"I8", TENSOR_I8}, {"U16", TENSOR_U16}, {"I16", TENSOR_I16},
    {"U32", TENSOR_U32}, {"I32", TENSOR_I32}, {"U64", TENSOR_U64}, {"I64", TENSOR_I64},
    {"BOOL", TENSOR_BOOL}, {"C64", TENSOR_C64}, {"F8_E4M3", TENSOR_F8_E4M3},
    {"F8_E5M2", TENSOR_F8_E5M2}, {"F8_E8M0", TENSOR_F8_E8M0},
};

static tare_status bad_entry(const header *h, const char *what, tare_error *err)
{
    return error_set(err, TARE_E_DATA, "safetensors.entry", h->path,
                     "the entry of tensor %s in the header %s: the file is damaged or no "
                     "safetensors file", h->shown, what);
}

/* Once its first event has been read: up to the end of it. */
static tare_status skip_value(header *h, json_event event, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t depth = h->json.depth;
    if (event != JSON_OBJECT && event != JSON_ARRAY) goto done;
    while (h->json.depth >= depth) TRY(json_next(&event, &h->json, err));
done:
    return status;
}

static tare_status read_type(header *h, tare_error *err)
{
    tare_status status = TARE_OK;
    json_event event;
    TRY(json_next(&event, &h->json, err));
    if (event != JSON_TEXT || h->has_type) TRY(bad_entry(h, "has no single \"dtype\"", err));
    for (size_t i = 0; i < sizeof dtypes / sizeof *dtypes; i++) {
        if (strcmp(h->json.string, dtypes[i].name) == 0) {
            h->tensor.type = dtypes[i].type;
            h->has_type = true;
            goto done;
        }
    }
    char shown[CHECKPOINT_SHOWN];
    FAIL(err, TARE_E_DATA, "safetensors.type", h->path,
         "tensor %s has elements of type %s, which tare does not know: save it as F32, F16 or BF16",
         h->shown, checkpoint_shown(shown, h->json.string));
done:
    return status;
}

/* The next number of an array; *more false: the array ends. */
static tare_status next_whole(uint64_t *out, bool *more, header *h, tare_error *err)
{
    tare_status status = TARE_OK;
    json_event event;
    TRY(json_next(&event, &h->json, err));
    *more = event != JSON_ARRAY_END;
    if (!*more) goto done;
    if (event != JSON_NUMBER || !h->json.number_is_integer || h->json.number < 0)
        TRY(bad_entry(h, "has something else than whole numbers from 0 on in \"shape\" or "
                      "\"data_offsets\"", err));
    *out = (uint64_t)h->json.number;
done:
    return status;
}

static tare_status open_array(header *h, tare_error *err)
{
    tare_status status = TARE_OK;
    json_event event;
    TRY(json_next(&event, &h->json, err));
    if (event != JSON_ARRAY) TRY(bad_entry(h, "has no list as \"shape\" or \"data_offsets\"", err));
done:
    return status;
}

static tare_status read_shape(header *h, tare_error *err)
{
    tare_status status = TARE_OK;
    bool more = true;
    if (h->has_shape) TRY(bad_entry(h, "has \"shape\" twice", err));
    TRY(open_array(h, err));
    for (;;) {
        uint64_t n = 0;
        TRY(next_whole(&n, &more, h, err));
        if (!more) break;
        if (h->tensor.rank == MODEL_RANK_MOST)
            FAIL(err, TARE_E_LIMIT, "safetensors.shape", h->path,
                 "tensor %s has more than %d dimensions", h->shown, (int)MODEL_RANK_MOST);
        h->tensor.dim[h->tensor.rank++] = (int64_t)n;
    }
    h->has_shape = true;
done:
    return status;
}

static tare_status read_offsets(header *h, tare_error *err)
{
    tare_status status = TARE_OK;
    uint64_t value[2] = {0, 0}, extra = 0;
    size_t count = 0;
    bool more = true;
    if (h->has_offsets) TRY(bad_entry(h, "has \"data_offsets\" twice", err));
    TRY(open_array(h, err));
    for (;;) {
        TRY(next_whole(count < 2 ? &value[count] : &extra, &more, h, err));
        if (!more) break;
        count++;
    }
    if (count != 2) TRY(bad_entry(h, "has no two numbers as \"data_offsets\"", err));
    h->begin = value[0];
    h->end = value[1];
    h->has_offsets = true;
done:
    return status;
}

/* Strides, and that the bytes are there and as many as type and dimensions need. */
static tare_status place_tensor(header *h, tare_error *err)
{
    tare_status status = TARE_OK;
    checkpoint_tensor *t = &h->tensor;
    char kind[TENSOR_TEXT];
    int64_t step = 1;
    bool none = false, huge = false;
    for (size_t i = t->rank; i-- > 0;) {
        t->stride[i] = step;
        none |= t->dim[i] == 0;
        huge |= __builtin_mul_overflow(step, t->dim[i] > 0 ? t->dim[i] : 1, &step);
    }
    uint64_t need = none ? 0 : (uint64_t)step;
    huge |= __builtin_mul_overflow(need, (uint64_t)tensor_type_size(t->type), &need);
    checkpoint_tensor_text(kind, t);
    if (huge)
        FAIL(err, TARE_E_DATA, "safetensors.shape", h->path,
             "tensor %s (%s) is too large to be true: the header is damaged", h->shown, kind);
    if (h->begin > h->end || h->end - h->begin != need)
        FAIL(err, TARE_E_DATA, "safetensors.offsets", h->path,
             "tensor %s (%s) needs %" PRIu64 " bytes, and the header gives it those from %" PRIu64
             " to %" PRIu64 ": the file is damaged or was written by a faulty program", h->shown,
             kind, need, h->begin, h->end);
    if (h->end > h->data_bytes)
        FAIL(err, TARE_E_DATA, "safetensors.truncated", h->path,
             "the file is too short: tensor %s (%s) ends at byte %" PRIu64 " of the data, which "
             "has only %" PRIu64 ". Was it copied or downloaded whole?", h->shown, kind, h->end,
             h->data_bytes);
    t->contiguous = true;
    t->elements = none ? 0 : (uint64_t)step;
    t->file = h->file;
    t->data = h->data + h->begin;
    t->offset = (uint64_t)(t->data - h->c->file[h->file].bytes);
done:
    return status;
}

/* The value of one key of the outermost object. */
static tare_status read_tensor(tensor_list *list, header *h, tare_error *err)
{
    tare_status status = TARE_OK;
    json_event event;
    TRY(json_next(&event, &h->json, err));
    if (event != JSON_OBJECT) TRY(bad_entry(h, "is no object", err));
    for (;;) {
        TRY(json_next(&event, &h->json, err));
        if (event == JSON_OBJECT_END) break;
        const char *key = h->json.string;
        if (strcmp(key, "dtype") == 0) TRY(read_type(h, err));
        else if (strcmp(key, "shape") == 0) TRY(read_shape(h, err));
        else if (strcmp(key, "data_offsets") == 0) TRY(read_offsets(h, err));
        else TRY(bad_entry(h, "has a key beside dtype, shape and data_offsets", err));
    }
    if (!h->has_type || !h->has_shape || !h->has_offsets)
        TRY(bad_entry(h, "lacks dtype, shape or data_offsets", err));
    TRY(place_tensor(h, err));
    if (list->count == SAFETENSORS_TENSORS_MOST)
        FAIL(err, TARE_E_LIMIT, "safetensors.count", h->path, "more than %d tensors",
             (int)SAFETENSORS_TENSORS_MOST);
    if (!mem_reserve(h->c->a.m, &list->item, &list->capacity, list->count + 1, sizeof *list->item))
        FAIL_MEMORY(err);
    list->item[list->count++] = h->tensor;
done:
    return status;
}

static tare_status read_entries(tensor_list *list, header *h, tare_error *err)
{
    tare_status status = TARE_OK;
    json_event event;
    TRY(json_next(&event, &h->json, err)); /* the brace by which it was recognised */
    for (;;) {
        TRY(json_next(&event, &h->json, err));
        if (event != JSON_KEY) break;
        const char *name = h->json.string;
        size_t length = h->json.string_length;
        if (strcmp(name, "__metadata__") == 0) {
            TRY(json_next(&event, &h->json, err));
            TRY(skip_value(h, event, err));
            continue;
        }
        if (strlen(name) != length)
            FAIL(err, TARE_E_DATA, "safetensors.name", h->path, "a tensor's name has a NUL in it");
        h->tensor = (checkpoint_tensor){.contiguous = true};
        h->has_type = h->has_shape = h->has_offsets = false;
        TRY_NEW(h->tensor.name = arena_text(&h->c->a, name, length));
        checkpoint_shown(h->shown, name);
        TRY(read_tensor(list, h, err));
    }
    TRY(json_next(&event, &h->json, err)); /* nothing but blanks after it */
done:
    return status;
}

static int by_place(const void *x, const void *y)
{
    const checkpoint_tensor *s = *(const checkpoint_tensor *const *)x;
    const checkpoint_tensor *t = *(const checkpoint_tensor *const *)y;
    return s->offset < t->offset ? -1 : s->offset > t->offset;
}

static tare_status check_overlaps(const header *h, const tensor_list *list, size_t from,
                                  tare_error *err)
{
    tare_status status = TARE_OK;
    const checkpoint_tensor **order = NULL;
    size_t count = 0;
    TRY_NEW(order = mem_new(h->c->a.m, list->count - from, sizeof *order));
    for (size_t i = from; i < list->count; i++)
        if (list->item[i].elements > 0) order[count++] = &list->item[i];
    qsort(order, count, sizeof *order, by_place);
    for (size_t i = 1; i < count; i++) {
        const checkpoint_tensor *s = order[i - 1], *t = order[i];
        char first[CHECKPOINT_SHOWN], second[CHECKPOINT_SHOWN];
        if (s->offset + s->elements * tensor_type_size(s->type) <= t->offset) continue;
        FAIL(err, TARE_E_DATA, "safetensors.overlap", h->path, "tensors %s and %s share bytes of "
             "the file: the header is damaged, or was made to deceive",
             checkpoint_shown(first, s->name), checkpoint_shown(second, t->name));
    }
done:
    mem_free(h->c->a.m, order);
    return status;
}

tare_status safetensors_append(tensor_list *list, checkpoint *c, size_t file, tare_error *err)
{
    tare_status status = TARE_OK;
    const model_file *f = &c->file[file];
    header h = {.c = c, .file = file, .path = f->path};
    json_limits limits = JSON_LIMITS_DEFAULT;
    uint64_t length = 0;
    size_t from = list->count;
    bool open = false;
    for (size_t k = LENGTH_BYTES; k-- > 0;)
        length = length << 8 | (k < f->length ? f->bytes[k] : 0);
    if (f->length <= LENGTH_BYTES || f->bytes[LENGTH_BYTES] != '{')
        FAIL(err, TARE_E_DATA, "safetensors.header", f->path, "no safetensors file: it does not "
             "begin with the length of a header and the header");
    if (length > SAFETENSORS_HEADER_MOST)
        FAIL(err, TARE_E_LIMIT, "safetensors.header", f->path,
             "a header of %" PRIu64 " bytes; at most %" PRIu64, length, SAFETENSORS_HEADER_MOST);
    if (length > f->length - LENGTH_BYTES)
        FAIL(err, TARE_E_DATA, "safetensors.truncated", f->path,
             "the file ends within its header of %" PRIu64 " bytes: it has only %zu. Was it copied "
             "or downloaded whole?", length, f->length);
    h.data = f->bytes + LENGTH_BYTES + length;
    h.data_bytes = f->length - LENGTH_BYTES - length;
    limits.values = HEADER_VALUES;
    json_open(&h.json, c->a.m, f->path, (const char *)f->bytes + LENGTH_BYTES, (size_t)length,
              &limits);
    open = true;
    TRY(read_entries(list, &h, err));
    TRY(check_overlaps(&h, list, from, err));
done:
    if (open) json_close(&h.json);
    return status;
}

tare_status safetensors_keep(checkpoint *c, tensor_list *list, tare_error *err)
{
    tare_status status = TARE_OK;
    TRY_NEW(c->tensor = arena_raw(&c->a, list->count, sizeof *c->tensor));
    if (list->count > 0) memcpy(c->tensor, list->item, list->count * sizeof *c->tensor);
    c->tensor_count = list->count;
done:
    mem_free(c->a.m, list->item);
    *list = (tensor_list){NULL, 0, 0};
    return status;
}

tare_status safetensors_read(checkpoint *c, tare_error *err)
{
    tare_status status = TARE_OK;
    tensor_list list = {NULL, 0, 0};
    c->kind = CHECKPOINT_SAFETENSORS;
    TRY(safetensors_append(&list, c, 0, err));
    TRY(safetensors_keep(c, &list, err));
done:
    mem_free(c->a.m, list.item);
    return status;
}
