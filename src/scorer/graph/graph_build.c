#include "scorer/graph/graph_build.h"

#include <math.h>
#include <stdio.h>

#include "base/error.h"

enum { VALUE_MOST = 16 };

/* ---- Beginning and end --------------------------------------------------------------------- */

void graph_build_begin(graph_build *b, arena *a, const checkpoint *c, tare_error *err)
{
    memset(b, 0, sizeof *b);
    b->a = a;
    b->c = c;
    b->err = err;
    b->status = TARE_OK;
    model_write_begin(&b->w, a->m);
}

void graph_fail_memory(graph_build *b)
{
    if (b->status == TARE_OK) b->status = error_memory(b->err);
}

static void *keep(graph_build *b, const void *items, size_t size)
{
    void *out = arena_raw(b->a, b->model.externals.count, size);
    if (out == NULL) graph_fail_memory(b);
    else if (b->model.externals.count > 0) memcpy(out, items, b->model.externals.count * size);
    return out;
}

tare_status graph_build_end(graph_model *out, graph_build *b)
{
    const mem *m = b->a->m;
    graph_model found = b->model;
    char *bytes = model_write_end(&b->w, &found.length);
    if (bytes == NULL) graph_fail_memory(b);
    memset(out, 0, sizeof *out);
    if (b->status == TARE_OK) {
        found.bytes = arena_text(b->a, bytes, found.length);
        if (found.bytes == NULL) graph_fail_memory(b);
        found.externals.item = keep(b, found.externals.item, sizeof *found.externals.item);
        found.data = keep(b, found.data, sizeof *found.data);
        found.converted = keep(b, found.converted, sizeof *found.converted);
        if (b->status == TARE_OK) *out = found;
    }
    mem_free(m, bytes);
    mem_free(m, b->model.externals.item);
    mem_free(m, b->model.data);
    mem_free(m, b->model.converted);
    return b->status;
}

void graph_input(graph_build *b, const char *name, int type, size_t rank, const int64_t *dim)
{
    model_write_input(&b->w, name, type, rank, dim);
}

void graph_output(graph_build *b, graph_value value, size_t rank, const int64_t *dim)
{
    model_write_node(&b->w, "Identity", value, GRAPH_VECTOR);
    model_write_output(&b->w, GRAPH_VECTOR, TENSOR_F32, rank, dim);
}

/* ---- Constants ----------------------------------------------------------------------------- */

static graph_value new_value(graph_build *b)
{
    char *name = b->status == TARE_OK ? arena_raw(b->a, VALUE_MOST, 1) : NULL;
    if (name == NULL) {
        graph_fail_memory(b);
        return "";
    }
    snprintf(name, VALUE_MOST, "v%d", b->values++);
    return name;
}

static graph_value add_constant(graph_build *b, const model_tensor *t)
{
    model_tensor named = *t;
    named.name = new_value(b);
    model_write_tensor(&b->w, &named);
    return named.name;
}

graph_value graph_integers(graph_build *b, size_t count, const int64_t *values)
{
    const int64_t dim = (int64_t)count;
    const model_tensor t = {.type = TENSOR_I64, .rank = 1, .dim = &dim, .bytes = values,
                            .length = count * sizeof *values};
    return add_constant(b, &t);
}

graph_value graph_integer(graph_build *b, int64_t value)
{
    const model_tensor t = {.type = TENSOR_I64, .bytes = &value, .length = sizeof value};
    return add_constant(b, &t);
}

graph_value graph_number(graph_build *b, double value)
{
    const float single = (float)value;
    const model_tensor t = {.type = TENSOR_F32, .bytes = &single, .length = sizeof single};
    return add_constant(b, &t);
}

/* ---- Operators ----------------------------------------------------------------------------- */

graph_value graph_node(graph_build *b, const char *operator, graph_value x, graph_value y,
                       graph_value z)
{
    graph_value out = new_value(b);
    const char *inputs = arena_printf(b->a, "%s%s%s%s%s", x, y != NULL ? " " : "",
                                      y != NULL ? y : "", z != NULL ? " " : "",
                                      z != NULL ? z : "");
    if (inputs == NULL) graph_fail_memory(b);
    else model_write_node(&b->w, operator, inputs, out);
    return out;
}

graph_value graph_reshape(graph_build *b, graph_value x, size_t rank, const int64_t *dim)
{
    return graph_node(b, "Reshape", x, graph_integers(b, rank, dim), NULL);
}

graph_value graph_transpose(graph_build *b, graph_value x, size_t rank, const int64_t *order)
{
    graph_value out = graph_node(b, "Transpose", x, NULL, NULL);
    model_write_ints(&b->w, "perm", order, rank);
    return out;
}

graph_value graph_gather(graph_build *b, graph_value table, graph_value index, int axis)
{
    graph_value out = graph_node(b, "Gather", table, index, NULL);
    model_write_int(&b->w, "axis", axis);
    return out;
}

graph_value graph_norm(graph_build *b, graph_value x, graph_value scale, graph_value shift,
                       double eps)
{
    graph_value out = graph_node(b, "LayerNormalization", x, scale, shift);
    model_write_int(&b->w, "axis", -1);
    model_write_float(&b->w, "epsilon", (float)eps);
    return out;
}

graph_value graph_activate(graph_build *b, graph_value x, graph_activation kind)
{
    graph_value gate;
    if (kind == GRAPH_QUICK_GELU) {
        gate = graph_node(b, "Mul", x, graph_number(b, 1.702), NULL);
        return graph_node(b, "Mul", x, graph_node(b, "Sigmoid", gate, NULL, NULL), NULL);
    }
    gate = graph_node(b, "Div", x, graph_number(b, sqrt(2)), NULL);
    gate = graph_node(b, "Erf", gate, NULL, NULL);
    gate = graph_node(b, "Add", gate, graph_number(b, 1), NULL);
    return graph_node(b, "Mul", graph_node(b, "Mul", x, gate, NULL), graph_number(b, 0.5), NULL);
}

graph_value graph_linear(graph_build *b, graph_value x, graph_value matrix, bool flipped,
                         graph_value bias)
{
    graph_value out;
    if (flipped && bias == NULL) return graph_node(b, "MatMul", x, matrix, NULL);
    out = graph_node(b, "Gemm", x, matrix, bias);
    if (!flipped) model_write_int(&b->w, "transB", 1);
    return out;
}

/* [batch * n, width] as heads, [batch,heads,n,width / heads] or with its last two swapped */
static graph_value split_heads(graph_build *b, graph_value x, const graph_attention *how,
                               int64_t n, bool swapped)
{
    const int64_t dim[] = {how->batch, n, how->heads, how->width / how->heads};
    const int64_t rows_first[] = {0, 2, 1, 3}, rows_last[] = {0, 2, 3, 1};
    return graph_transpose(b, graph_reshape(b, x, 4, dim), 4, swapped ? rows_last : rows_first);
}

graph_value graph_attend(graph_build *b, const graph_attention *x)
{
    const int64_t back[] = {0, 2, 1, 3};
    const int64_t stream[] = {x->n < 0 ? -1 : x->batch * x->n, x->width};
    if (b->status != TARE_OK) return "";
    graph_value q = split_heads(b, x->q, x, x->n, false);
    graph_value k = split_heads(b, x->k, x, x->t, true);
    graph_value v = split_heads(b, x->v, x, x->t, false);
    graph_value scale = graph_number(b, 1 / sqrt((double)(x->width / x->heads)));
    graph_value s = graph_node(b, "Mul", graph_node(b, "MatMul", q, k, NULL), scale, NULL);
    if (x->mask != NULL) s = graph_node(b, "Add", s, x->mask, NULL);
    s = graph_node(b, "Softmax", s, NULL, NULL);
    model_write_int(&b->w, "axis", -1);
    s = graph_transpose(b, graph_node(b, "MatMul", s, v, NULL), 4, back);
    return graph_reshape(b, s, 2, stream);
}
