#include "scorer/onnx/model_externals.h"

#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "scorer/onnx/model_proto.h"

/* Field numbers of onnx.proto. */
enum {
    MODEL_GRAPH = 7, MODEL_FUNCTION = 25, FUNCTION_NODE = 7,
    GRAPH_NODE = 1, GRAPH_TENSOR = 5, GRAPH_SPARSE = 15, NODE_ATTRIBUTE = 5,
    ATTRIBUTE_TENSOR = 5, ATTRIBUTE_GRAPH = 6, ATTRIBUTE_TENSORS = 10, ATTRIBUTE_GRAPHS = 11,
    ATTRIBUTE_SPARSE = 22, ATTRIBUTE_SPARSES = 23, SPARSE_VALUES = 1, SPARSE_INDICES = 2,
    TENSOR_DIM = 1, TENSOR_TYPE = 2, TENSOR_NAME = 8, TENSOR_EXTERNAL = 13, TENSOR_LOCATION = 14,
    ENTRY_KEY = 1, ENTRY_VALUE = 2
};
enum { DEPTH_MOST = 64, EXTERNALS_MOST = 1000000, NAME_MOST = 4096 };

/* What stands in place of a large file where only Git has been there. */
#define LFS_HEAD "version https://git-lfs.github.com/spec/"

typedef struct reader {
    const char *path;
    const unsigned char *start;
    arena *a;
    model_externals *out;
    size_t room;
    tare_error *err;
} reader;

static tare_status wrong(const reader *r, const char *message)
{
    return error_set(r->err, TARE_E_DATA, "onnx.model", r->path, "%s", message);
}

/* Next field of a message: *more false at its end. */
static tare_status next(bool *more, proto_field *f, proto *p, const reader *r)
{
    proto_step step = proto_next(f, p);
    *more = step == PROTO_FIELD;
    if (step != PROTO_DAMAGED) return TARE_OK;
    return error_set(r->err, TARE_E_DATA, "onnx.model", r->path,
                     "this is no ONNX model, or a damaged one: at byte %zu is nothing that can be "
                     "read. Was it copied or downloaded whole?",
                     (size_t)(p->at - r->start));
}

/* ---- A tensor outside ------------------------------------------------------ */

/* Bytes of one element; 0: not a type that the library takes from outside one by one. */
static size_t element_bytes(int type)
{
    static const unsigned char BYTES[] = {[1] = 4,  [2] = 1,  [3] = 1,  [4] = 2,  [5] = 2,
                                          [6] = 4,  [7] = 8,  [9] = 1,  [10] = 2, [11] = 8,
                                          [12] = 4, [13] = 8, [14] = 8, [15] = 16, [16] = 2,
                                          [17] = 1, [18] = 1, [19] = 1, [20] = 1};
    return type > 0 && (size_t)type < sizeof BYTES ? BYTES[type] : 0;
}

/* Does the message say that its data are elsewhere? A last value overrides those before it. */
static tare_status is_outside(bool *outside, proto tensor, const reader *r)
{
    tare_status status = TARE_OK;
    proto_field f;
    bool more;
    *outside = false;
    for (;;) {
        TRY(next(&more, &f, &tensor, r));
        if (!more) break;
        if (f.number == TENSOR_LOCATION && f.wire == PROTO_VARINT) *outside = f.value == 1;
    }
done:
    return status;
}

static tare_status keep_text(const char **out, proto bytes, const reader *r)
{
    size_t length = proto_left(&bytes);
    if (length > NAME_MOST || memchr(bytes.at, '\0', length) != NULL) {
        return wrong(r, "the name or place of a weight outside is no name");
    }
    *out = arena_text(r->a, (const char *)bytes.at, length);
    return *out != NULL ? TARE_OK : error_memory(r->err);
}

static tare_status keep_dim(model_external *x, uint64_t dim, const reader *r)
{
    if (x->rank == MODEL_RANK_MOST) {
        return error_set(r->err, TARE_E_LIMIT, "onnx.model", r->path,
                         "a weight has more than %d dimensions", MODEL_RANK_MOST);
    }
    if (dim > INT64_MAX) return wrong(r, "a weight outside has a negative dimension");
    x->dim[x->rank++] = (int64_t)dim;
    return TARE_OK;
}

static tare_status keep_dims(model_external *x, const proto_field *f, const reader *r)
{
    tare_status status = TARE_OK;
    uint64_t dim;
    proto packed = f->bytes;
    if (f->wire == PROTO_VARINT) return keep_dim(x, f->value, r);
    while (f->wire == PROTO_BYTES && proto_left(&packed) > 0) {
        if (!proto_varint(&dim, &packed)) return wrong(r, "the dimensions of a weight are damaged");
        TRY(keep_dim(x, dim, r));
    }
done:
    return status;
}

static tare_status whole_number(uint64_t *out, const char *key, const char *value, const reader *r)
{
    int64_t n;
    if (!integer_parse(value, strlen(value), &n) || n < 0) {
        return error_set(r->err, TARE_E_DATA, "onnx.model", r->path,
                         "the %s of a weight outside is no number of bytes: '%.*s'", key,
                         model_name_shown(value), value);
    }
    *out = (uint64_t)n;
    return TARE_OK;
}

/* location, offset, length; other keys (a checksum) say nothing that is needed. */
static tare_status keep_entry(model_external *x, uint64_t *length, proto entry, const reader *r)
{
    tare_status status = TARE_OK;
    proto_field f;
    bool more;
    const char *key = "", *value = "";
    for (;;) {
        TRY(next(&more, &f, &entry, r));
        if (!more) break;
        if (f.wire != PROTO_BYTES) continue;
        if (f.number == ENTRY_KEY) TRY(keep_text(&key, f.bytes, r));
        if (f.number == ENTRY_VALUE) TRY(keep_text(&value, f.bytes, r));
    }
    if (strcmp(key, "location") == 0) x->location = value;
    if (strcmp(key, "offset") == 0) TRY(whole_number(&x->offset, key, value, r));
    if (strcmp(key, "length") == 0) TRY(whole_number(length, key, value, r));
done:
    return status;
}

/* Newer libraries refuse the same places: a model may not name files outside its folder. */
static bool place_is_allowed(const char *location)
{
    if (*location == '\0' || *location == '/') return false;
    for (const char *part = location; *part != '\0';) {
        size_t length = strcspn(part, "/");
        if (length == 2 && memcmp(part, "..", 2) == 0) return false;
        part += length + (part[length] == '/');
    }
    return true;
}

static tare_status check_external(model_external *x, uint64_t length, const reader *r)
{
    int shown = model_name_shown(x->name);
    if (!place_is_allowed(x->location)) {
        return error_set(r->err, TARE_E_DATA, "onnx.model", r->path,
                         "the weight %.*s stands in a file that is not named relative to the "
                         "model's folder: '%.*s'. Save the model with its weights beside it",
                         shown, x->name, model_name_shown(x->location), x->location);
    }
    uint64_t bytes = element_bytes(x->type);
    if (bytes == 0) {
        return error_set(r->err, TARE_E_DATA, "onnx.model", r->path,
                         "the weight %.*s outside has element type %d, which cannot be given to "
                         "the library from there. Save the model with its weights inside",
                         shown, x->name, x->type);
    }
    for (size_t i = 0; i < x->rank; i++) {
        if (__builtin_mul_overflow(bytes, (uint64_t)x->dim[i], &bytes) || bytes > INT64_MAX) {
            return wrong(r, "the dimensions of a weight outside are too large");
        }
    }
    if (length != UINT64_MAX && length != bytes) {
        return error_set(r->err, TARE_E_DATA, "onnx.model", r->path,
                         "the weight %.*s outside has %llu bytes, but its type and dimensions "
                         "need %llu", shown, x->name, (unsigned long long)length,
                         (unsigned long long)bytes);
    }
    x->bytes = bytes;
    return TARE_OK;
}

static tare_status keep_external(proto tensor, reader *r)
{
    tare_status status = TARE_OK;
    proto_field f;
    bool more;
    uint64_t length = UINT64_MAX;
    model_external x = {.name = "", .location = ""};
    for (;;) {
        TRY(next(&more, &f, &tensor, r));
        if (!more) break;
        if (f.number == TENSOR_DIM) TRY(keep_dims(&x, &f, r));
        if (f.number == TENSOR_TYPE && f.wire == PROTO_VARINT) {
            x.type = f.value <= 1000 ? (int)f.value : 0;
        }
        if (f.number == TENSOR_NAME && f.wire == PROTO_BYTES) TRY(keep_text(&x.name, f.bytes, r));
        if (f.number == TENSOR_EXTERNAL && f.wire == PROTO_BYTES) {
            TRY(keep_entry(&x, &length, f.bytes, r));
        }
    }
    TRY(check_external(&x, length, r));
    if (r->out->count == EXTERNALS_MOST) {
        FAIL(r->err, TARE_E_LIMIT, "onnx.model", r->path, "more than %d weights stand outside",
             EXTERNALS_MOST);
    }
    if (!mem_reserve(r->a->m, &r->out->item, &r->room, r->out->count + 1, sizeof x)) {
        status = error_memory(r->err);
        goto done;
    }
    r->out->item[r->out->count++] = x;
done:
    return status;
}

/* ---- The model ------------------------------------------------------------- */

static tare_status refuse_outside(proto tensor, const reader *r)
{
    bool outside;
    tare_status status = is_outside(&outside, tensor, r);
    if (status != TARE_OK || !outside) return status;
    return wrong(r, "weights of a sub-graph, attribute or sparse tensor stand in another file, "
                    "where tare cannot give them to the library. Save the model with its weights "
                    "inside");
}

static tare_status refuse_sparse(proto sparse, const reader *r)
{
    tare_status status = TARE_OK;
    proto_field f;
    bool more;
    for (;;) {
        TRY(next(&more, &f, &sparse, r));
        if (!more) break;
        if (f.wire == PROTO_BYTES && (f.number == SPARSE_VALUES || f.number == SPARSE_INDICES)) {
            TRY(refuse_outside(f.bytes, r));
        }
    }
done:
    return status;
}

static tare_status walk_graph(proto graph, int depth, reader *r);

static tare_status walk_attribute(proto attribute, int depth, reader *r)
{
    tare_status status = TARE_OK;
    proto_field f;
    bool more;
    for (;;) {
        TRY(next(&more, &f, &attribute, r));
        if (!more) break;
        if (f.wire != PROTO_BYTES) continue;
        switch (f.number) {
        case ATTRIBUTE_TENSOR:
        case ATTRIBUTE_TENSORS: TRY(refuse_outside(f.bytes, r)); break;
        case ATTRIBUTE_SPARSE:
        case ATTRIBUTE_SPARSES: TRY(refuse_sparse(f.bytes, r)); break;
        case ATTRIBUTE_GRAPH:
        case ATTRIBUTE_GRAPHS: TRY(walk_graph(f.bytes, depth + 1, r)); break;
        default: break;
        }
    }
done:
    return status;
}

static tare_status walk_node(proto node, int depth, reader *r)
{
    tare_status status = TARE_OK;
    proto_field f;
    bool more;
    for (;;) {
        TRY(next(&more, &f, &node, r));
        if (!more) break;
        if (f.number == NODE_ATTRIBUTE && f.wire == PROTO_BYTES) {
            TRY(walk_attribute(f.bytes, depth, r));
        }
    }
done:
    return status;
}

static tare_status walk_tensor(proto tensor, int depth, reader *r)
{
    bool outside;
    tare_status status = is_outside(&outside, tensor, r);
    if (status != TARE_OK || !outside) return status;
    return depth == 0 ? keep_external(tensor, r) : refuse_outside(tensor, r);
}

static tare_status walk_graph(proto graph, int depth, reader *r)
{
    tare_status status = TARE_OK;
    proto_field f;
    bool more;
    if (depth > DEPTH_MOST) {
        FAIL(r->err, TARE_E_LIMIT, "onnx.model", r->path, "graphs are nested more than %d deep",
             DEPTH_MOST);
    }
    for (;;) {
        TRY(next(&more, &f, &graph, r));
        if (!more) break;
        if (f.wire != PROTO_BYTES) continue;
        if (f.number == GRAPH_NODE) TRY(walk_node(f.bytes, depth, r));
        if (f.number == GRAPH_TENSOR) TRY(walk_tensor(f.bytes, depth, r));
        if (f.number == GRAPH_SPARSE) TRY(refuse_sparse(f.bytes, r));
    }
done:
    return status;
}

static tare_status walk_function(proto function, reader *r)
{
    tare_status status = TARE_OK;
    proto_field f;
    bool more;
    for (;;) {
        TRY(next(&more, &f, &function, r));
        if (!more) break;
        if (f.number == FUNCTION_NODE && f.wire == PROTO_BYTES) TRY(walk_node(f.bytes, 1, r));
    }
done:
    return status;
}

tare_status model_externals_read(model_externals *out, arena *a, const char *path,
                                 const void *bytes, size_t length, tare_error *err)
{
    tare_status status = TARE_OK;
    proto_field f;
    bool more, graph = false;
    model_externals found = {NULL, 0};
    reader r = {path, bytes, a, &found, 0, err};
    proto model = {r.start, r.start + length};
    *out = (model_externals){NULL, 0};
    if (length > strlen(LFS_HEAD) && memcmp(bytes, LFS_HEAD, strlen(LFS_HEAD)) == 0) {
        TRY(wrong(&r, "this is no ONNX model but a pointer of Git LFS to one: `git lfs pull` in "
                      "its folder fetches it"));
    }
    for (;;) {
        TRY(next(&more, &f, &model, &r));
        if (!more) break;
        if (f.wire != PROTO_BYTES) continue;
        if (f.number == MODEL_GRAPH) {
            graph = true;
            TRY(walk_graph(f.bytes, 0, &r));
        }
        if (f.number == MODEL_FUNCTION) TRY(walk_function(f.bytes, &r));
    }
    if (!graph) TRY(wrong(&r, "this is no ONNX model: there is no graph in it"));
    TRY_NEW(out->item = arena_raw(a, found.count, sizeof *found.item));
    if (found.count > 0) memcpy(out->item, found.item, found.count * sizeof *found.item);
    out->count = found.count;
done:
    mem_free(a->m, found.item);
    return status;
}
