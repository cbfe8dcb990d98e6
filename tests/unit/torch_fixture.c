#include "torch_fixture.h"

#include <stdlib.h>
#include <string.h>

static void add_number(text *t, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; i++) text_add_char(t, (char)(i < 8 ? value >> 8 * i & 0xff : 0));
}

void pk_text(text *t, const char *value)
{
    PK(t, "X");
    add_number(t, strlen(value), 4);
    text_add(t, value);
}

void pk_int(text *t, int64_t value)
{
    PK(t, "\x8a\x08");
    add_number(t, (uint64_t)value, 8);
}

void pk_ints(text *t, const int64_t *value, size_t count)
{
    PK(t, "(");
    for (size_t i = 0; i < count; i++) pk_int(t, value[i]);
    PK(t, "t");
}

void pk_storage(text *t, const char *module, const char *type, const char *key, int64_t count)
{
    PK(t, "(");
    pk_text(t, "storage");
    text_add_format(t, "c%s\n%s\n", module, type);
    pk_text(t, key);
    pk_text(t, "cpu");
    pk_int(t, count);
    PK(t, "tQ");
}

void pk_tensor_call(text *t, const pk_tensor *v)
{
    PK(t, "ctorch._utils\n_rebuild_tensor_v2\n(");
    pk_storage(t, "torch", v->storage != NULL ? v->storage : "FloatStorage",
               v->key != NULL ? v->key : "0", v->count);
    pk_int(t, v->offset);
    pk_ints(t, v->dim, v->rank);
    pk_ints(t, v->stride, v->stride_rank > 0 ? v->stride_rank : v->rank);
    PK(t, "\x89" "ccollections\nOrderedDict\n)RtR");
}

void pk_one_tensor(text *t, const pk_tensor *v)
{
    PK(t, "\x80\x02}");
    pk_text(t, "w");
    pk_tensor_call(t, v);
    PK(t, "s.");
}

void zip_make(text *out, const zip_part *part, size_t count)
{
    size_t place[16], list;
    for (size_t i = 0; i < count; i++) {
        place[i] = out->length;
        PK(out, "PK\3\4\0\0");
        add_number(out, (uint64_t)part[i].method / ZIP_LOCKED, 2);
        add_number(out, (uint64_t)part[i].method % ZIP_LOCKED, 2);
        add_number(out, 0, 8); /* time, date, checksum */
        add_number(out, part[i].length, 4);
        add_number(out, part[i].length, 4);
        add_number(out, strlen(part[i].name), 2);
        add_number(out, 0, 2);
        text_add(out, part[i].name);
        text_add_bytes(out, part[i].bytes, part[i].length);
    }
    list = out->length;
    for (size_t i = 0; i < count; i++) {
        PK(out, "PK\1\2\0\0\0\0");
        add_number(out, (uint64_t)part[i].method / ZIP_LOCKED, 2);
        add_number(out, (uint64_t)part[i].method % ZIP_LOCKED, 2);
        add_number(out, 0, 8);
        add_number(out, part[i].length, 4);
        add_number(out, part[i].length, 4);
        add_number(out, strlen(part[i].name), 2);
        add_number(out, 0, 12); /* extra, comment, disk, attributes */
        add_number(out, place[i], 4);
        text_add(out, part[i].name);
    }
    size_t bytes = out->length - list;
    PK(out, "PK\5\6\0\0\0\0");
    add_number(out, count, 2);
    add_number(out, count, 2);
    add_number(out, bytes, 4);
    add_number(out, list, 4);
    add_number(out, 0, 2);
}

static const float eight[8] = {0, 1, 2, 3, 4, 5, 6, 7};

void torch_archive_make(text *out, const text *pickle)
{
    const zip_part part[] = {{"archive/data.pkl", pickle->data, pickle->length, 0},
                             {"archive/data/0", eight, sizeof eight, 0}};
    zip_make(out, part, 2);
}

void torch_legacy_make(text *out, const text *object)
{
    PK(out, "\x80\x02\x8a\x0al\xfc\x9c" "F\xf9 j\xa8P\x19.\x80\x02M\xe9\x03.\x80\x02}");
    pk_text(out, "little_endian");
    PK(out, "\x88s.");
    text_add_bytes(out, object->data, object->length);
    PK(out, "\x80\x02]");
    pk_text(out, "0");
    PK(out, "a.");
    add_number(out, 8, 8);
    text_add_bytes(out, eight, sizeof eight);
}

tare_status torch_read_bytes(const mem *m, const text *bytes,
                             tare_status (*read)(checkpoint *c, tare_error *err), text *tensors,
                             size_t *opaque, tare_error *err)
{
    static tare_context context;
    /* A copy of just this size, so that a sanitiser sees a read past the end. */
    unsigned char *copy = malloc(bytes->length > 0 ? bytes->length : 1);
    if (bytes->length > 0) memcpy(copy, bytes->data, bytes->length);
    model_file file = {.path = "f", .descriptor = -1, .bytes = copy, .length = bytes->length};
    checkpoint c = {.context = &context, .path = "f", .file = &file, .file_count = 1};
    context.mem = *m;
    arena_init(&c.a, &context.mem);
    tare_status status = read(&c, err);
    if (status == TARE_OK) status = checkpoint_finish(&c, err);
    for (size_t i = 0; status == TARE_OK && tensors != NULL && i < c.tensor_count; i++) {
        char shown[TENSOR_TEXT];
        checkpoint_tensor_text(shown, &c.tensor[i]);
        text_add_format(tensors, "%s %s|", c.tensor[i].name, shown);
    }
    if (opaque != NULL) *opaque = c.opaque;
    arena_free(&c.a);
    free(copy);
    return status;
}
