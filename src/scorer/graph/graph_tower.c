#include "scorer/graph/graph_tower.h"

#include "base/error.h"

void tower_begin(tower_build *t, arena *a, const checkpoint *c, const tower_plan *p,
                 const tower_names *names, tare_error *err)
{
    graph_build_begin(&t->b, a, c, err);
    t->names = names;
    t->plan = p;
    t->layer = -1;
    if (names == NULL) {
        t->b.status = error_set(err, TARE_E_DATA, "checkpoint.layout", c->path,
                                "this layout has no text tower of this kind");
    } else {
        t->b.status = names_heads(p, c, err);
        if (t->b.status == TARE_OK) t->b.status = names_check(names, p, c, err);
    }
}

tare_status tower_end(graph_model *out, tower_build *t)
{
    return graph_build_end(out, &t->b);
}

/* ---- Parts --------------------------------------------------------------------------------- */

bool tower_has(const tower_build *t, graph_part part)
{
    return t->names != NULL && names_part(t->names, part) != NULL;
}

/* The tensor of a name of the tables, and what it is called in the graph: without the file's
 * prefix. NULL once the builder has failed. */
static const checkpoint_tensor *find(tower_build *t, char shown[TENSOR_NAME_MOST],
                                     const char *name)
{
    char full[TENSOR_NAME_MOST];
    if (t->b.status != TARE_OK) return NULL;
    names_full(full, t->names, t->plan->prefix, t->layer, name);
    names_full(shown, t->names, "", t->layer, name);
    return checkpoint_find(t->b.c, full);
}

static const graph_name *part_of(tower_build *t, graph_part part)
{
    return t->b.status == TARE_OK ? names_part(t->names, part) : NULL;
}

graph_value tower_weight(tower_build *t, graph_part part, size_t rank, const int64_t *dim)
{
    char shown[TENSOR_NAME_MOST];
    const graph_name *name = part_of(t, part);
    graph_view v = {.rank = rank};
    if (name == NULL) return "";
    v.tensor = find(t, shown, name->weight);
    if (rank > 0) memcpy(v.dim, dim, rank * sizeof *dim);
    return graph_weight(&t->b, shown, &v);
}

graph_value tower_bias(tower_build *t, graph_part part)
{
    char shown[TENSOR_NAME_MOST];
    const graph_name *name = part_of(t, part);
    graph_view v = {.rank = 0};
    if (name == NULL || name->bias == NULL) return NULL;
    v.tensor = find(t, shown, name->bias);
    return graph_weight(&t->b, shown, &v);
}

graph_value tower_norm(tower_build *t, graph_part part, graph_value x)
{
    graph_value scale = tower_weight(t, part, 0, NULL);
    return graph_norm(&t->b, x, scale, tower_bias(t, part), t->plan->eps);
}

/* Rows from..from + rows of a linear layer (all: 0, 0), named apart by `suffix`. */
static graph_value linear_rows(tower_build *t, const graph_name *name, int64_t from, int64_t rows,
                               const char *suffix, graph_value x)
{
    char shown[TENSOR_NAME_MOST + 4];
    bool flipped;
    graph_view v = {.from = from, .rows = rows};
    graph_value matrix, bias;
    v.tensor = find(t, shown, name->weight);
    if (v.tensor == NULL) return "";
    strcat(shown, suffix);
    matrix = graph_matrix(&t->b, &flipped, shown, &v);
    v.tensor = find(t, shown, name->bias);
    if (v.tensor == NULL) return "";
    strcat(shown, suffix);
    bias = graph_weight(&t->b, shown, &v);
    return graph_linear(&t->b, x, matrix, flipped, bias);
}

graph_value tower_linear(tower_build *t, graph_part part, graph_value x)
{
    const graph_name *name = part_of(t, part);
    return name != NULL ? linear_rows(t, name, 0, 0, "", x) : "";
}

graph_value tower_project(tower_build *t, graph_value x)
{
    char shown[TENSOR_NAME_MOST];
    bool flipped;
    const graph_name *name = part_of(t, PART_PROJECTION);
    if (name == NULL) return x;
    const graph_view v = {.tensor = find(t, shown, name->weight)};
    graph_value matrix = graph_matrix(&t->b, &flipped, shown, &v);
    if (strcmp(name->dims, "DE") == 0) flipped = !flipped;
    return graph_linear(&t->b, x, matrix, flipped, NULL);
}

/* ---- The layer ----------------------------------------------------------------------------- */

static graph_value self_attention(tower_build *t, graph_value x, const tower_stream *how)
{
    const int64_t width = t->plan->width;
    graph_attention heads = {.mask = how->mask, .batch = how->batch, .n = how->n, .t = how->n,
                             .width = width, .heads = t->plan->heads};
    const graph_name *qkv = part_of(t, PART_QKV);
    if (qkv != NULL) {
        heads.q = linear_rows(t, qkv, 0, width, ".q", x);
        heads.k = linear_rows(t, qkv, width, width, ".k", x);
        heads.v = linear_rows(t, qkv, 2 * width, width, ".v", x);
    } else {
        heads.q = tower_linear(t, PART_Q, x);
        heads.k = tower_linear(t, PART_K, x);
        heads.v = tower_linear(t, PART_V, x);
    }
    return tower_linear(t, PART_OUT, graph_attend(&t->b, &heads));
}

graph_value tower_layer(tower_build *t, graph_value x, const tower_stream *how)
{
    graph_value y = self_attention(t, tower_norm(t, PART_NORM_1, x), how);
    x = graph_node(&t->b, "Add", x, y, NULL);
    y = tower_linear(t, PART_UP, tower_norm(t, PART_NORM_2, x));
    y = tower_linear(t, PART_DOWN, graph_activate(&t->b, y, t->plan->activation));
    return graph_node(&t->b, "Add", x, y, NULL);
}
