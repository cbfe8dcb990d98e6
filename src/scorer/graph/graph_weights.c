/* Weights of a graph: views of the file where the bytes can be used as they lie, else copies. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "scorer/graph/graph_build.h"

/* Where copies stand, if the graph is written to a folder. */
#define CONVERTED "converted"

typedef struct placed {
    int type;
    const void *data;
    uint64_t offset;
    bool converted;
} placed;

/* Of the file that a link leads to: the library refuses links that leave their folder. */
static const char *base_name(arena *a, const char *path)
{
    char real[PATH_MAX];
    if (realpath(path, real) != NULL) path = real;
    const char *slash = strrchr(path, '/');
    return arena_copy(a, slash != NULL ? slash + 1 : path);
}

static bool grow(graph_build *b)
{
    const mem *m = b->a->m;
    const size_t need = b->model.externals.count + 1;
    size_t room[3] = {b->room, b->room, b->room};
    if (need <= b->room) return true;
    if (mem_reserve(m, &b->model.externals.item, &room[0], need,
                    sizeof *b->model.externals.item)
        && mem_reserve(m, &b->model.data, &room[1], need, sizeof *b->model.data)
        && mem_reserve(m, &b->model.converted, &room[2], need, sizeof *b->model.converted)) {
        b->room = room[0];
        for (int i = 1; i < 3; i++) b->room = room[i] < b->room ? room[i] : b->room;
        return true;
    }
    graph_fail_memory(b);
    return false;
}

/* Enters an initialiser whose bytes stand outside. */
static void add_external(graph_build *b, const char *name, const graph_view *v, const placed *p)
{
    model_external x = {.name = name, .type = p->type, .rank = v->rank, .offset = p->offset};
    model_tensor t = {.name = name, .type = p->type, .rank = v->rank, .dim = v->dim,
                      .offset = p->offset};
    if (!grow(b)) return;
    x.location = CONVERTED;
    if (!p->converted) x.location = base_name(b->a, b->c->file[v->tensor->file].path);
    if (x.location == NULL) {
        graph_fail_memory(b);
        return;
    }
    x.bytes = tensor_type_size((tensor_type)p->type);
    for (size_t i = 0; i < v->rank; i++) x.bytes *= (uint64_t)v->dim[i];
    memcpy(x.dim, v->dim, sizeof x.dim);
    t.location = x.location;
    t.length = (size_t)x.bytes;
    model_write_tensor(&b->w, &t);
    b->model.externals.item[b->model.externals.count] = x;
    b->model.data[b->model.externals.count] = p->data;
    b->model.converted[b->model.externals.count++] = p->converted;
}

/* ---- Copies -------------------------------------------------------------------------------- */

/* Elements one after the other, in row-major order. */
static void copy_elements(unsigned char *out, const checkpoint_tensor *t)
{
    const size_t size = tensor_type_size(t->type);
    int64_t at[MODEL_RANK_MOST] = {0};
    for (uint64_t i = 0; i < t->elements; i++) {
        int64_t from = 0;
        for (size_t d = 0; d < t->rank; d++) from += at[d] * t->stride[d];
        memcpy(out + i * size, t->data + from * (int64_t)size, size);
        for (size_t d = t->rank; d-- > 0 && ++at[d] == t->dim[d];) at[d] = 0;
    }
}

/* What is in memory of ours begins on boundaries of 64 bytes in the file that it might go to. */
static void place_apart(graph_build *b, placed *p, uint64_t bytes)
{
    p->converted = true;
    p->offset = b->converted;
    b->converted += (bytes + 63) / 64 * 64;
}

static void place_copy(graph_build *b, placed *p, const checkpoint_tensor *rows)
{
    const size_t size = rows->quantised ? sizeof(float) : tensor_type_size(rows->type);
    void *copy = arena_raw(b->a, (size_t)rows->elements, size);
    p->data = copy;
    if (copy == NULL) {
        graph_fail_memory(b);
        return;
    }
    place_apart(b, p, rows->elements * size);
    if (rows->quantised) {
        p->type = TENSOR_F32;
        b->status = checkpoint_floats(copy, b->c, rows, b->err);
    } else {
        copy_elements(copy, rows);
    }
}

/* ---- Views --------------------------------------------------------------------------------- */

static bool row_major(const checkpoint_tensor *t)
{
    int64_t stride = 1;
    for (size_t d = t->rank; d-- > 0;) {
        if (t->dim[d] != 1 && t->stride[d] != stride) return false;
        stride *= t->dim[d];
    }
    return true;
}

/* The rows of the view as a tensor of its own. */
static checkpoint_tensor rows_of(const graph_view *v)
{
    checkpoint_tensor t = *v->tensor;
    const int64_t skipped = v->rows > 0 ? v->from * t.stride[0] : 0;
    if (v->rows > 0) {
        t.elements = t.elements / (uint64_t)t.dim[0] * (uint64_t)v->rows;
        t.dim[0] = v->rows;
    }
    t.data += (size_t)skipped * tensor_type_size(t.type);
    t.offset += (uint64_t)skipped * tensor_type_size(t.type);
    return t;
}

static bool number_type(tensor_type type)
{
    return type == TENSOR_F32 || type == TENSOR_F16 || type == TENSOR_BF16 || type == TENSOR_F64;
}

static graph_value add_weight(graph_build *b, const char *name, const graph_view *v,
                              const checkpoint_tensor *rows)
{
    graph_view shown = *v;
    placed p = {(int)rows->type, rows->data, rows->offset, false};
    if (v->rank == 0) {
        shown.rank = rows->rank;
        memcpy(shown.dim, rows->dim, sizeof shown.dim);
    }
    const size_t size = tensor_type_size(rows->type);
    if (rows->quantised || !row_major(rows) || (uintptr_t)rows->data % size != 0) {
        place_copy(b, &p, rows);
    } else if (rows->file == SIZE_MAX) {
        place_apart(b, &p, rows->elements * size);
    }
    name = arena_copy(b->a, name);
    if (name == NULL) graph_fail_memory(b);
    if (b->status != TARE_OK) return "";
    add_external(b, name, &shown, &p);
    if (p.type == TENSOR_F32) return name;
    graph_value wide = graph_node(b, "Cast", name, NULL, NULL);
    model_write_int(&b->w, "to", TENSOR_F32);
    return wide;
}

graph_value graph_weight(graph_build *b, const char *name, const graph_view *v)
{
    if (b->status != TARE_OK) return "";
    const checkpoint_tensor rows = rows_of(v);
    if (!rows.quantised && !number_type(rows.type)) {
        b->status = error_set(b->err, TARE_E_DATA, "checkpoint.type", b->c->path,
                              "tensor %s holds %s, and weights are f32, f16, bf16 or f64",
                              rows.name, tensor_type_name(rows.type));
        return "";
    }
    return add_weight(b, name, v, &rows);
}

graph_value graph_matrix(graph_build *b, bool *flipped, const char *name, const graph_view *v)
{
    *flipped = false;
    if (b->status != TARE_OK || v->tensor->rank != 2 || v->tensor->quantised) {
        return graph_weight(b, name, v);
    }
    checkpoint_tensor across = rows_of(v);
    across.dim[0] = v->tensor->dim[1];
    across.stride[0] = v->tensor->stride[1];
    across.dim[1] = v->rows > 0 ? v->rows : v->tensor->dim[0];
    across.stride[1] = v->tensor->stride[0];
    if (row_major(&across) && !row_major(v->tensor)) {
        const graph_view turned = {.tensor = &across};
        *flipped = true;
        return graph_weight(b, name, &turned);
    }
    return graph_weight(b, name, v);
}
