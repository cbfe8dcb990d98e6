/* graph_build.h - puts a graph together, operator by operator. Scorers 4.3.
 *
 * A value of the graph is its name. Like the writer under it, the builder remembers failure: build
 * on, values of a failed builder are "", and ask once, at the end. */
#ifndef SCORER_GRAPH_GRAPH_BUILD_H
#define SCORER_GRAPH_GRAPH_BUILD_H

#include "scorer/graph/graph_model.h"
#include "scorer/onnx/model_write.h"

typedef const char *graph_value;

typedef struct graph_build {
    model_writer w;      /* attributes of the last node: model_write_* */
    arena *a;            /* names and copies                           */
    const checkpoint *c;
    graph_model model;   /* what stands outside so far                 */
    size_t room;         /* of each of its arrays, which are mem's     */
    uint64_t converted;  /* bytes of copies                            */
    int values;
    tare_status status;
    tare_error *err;
} graph_build;

void graph_build_begin(graph_build *b, arena *a, const checkpoint *c, tare_error *err);
/* Ends the builder, whatever happened. */
tare_status graph_build_end(graph_model *out, graph_build *b);
void graph_fail_memory(graph_build *b);

void graph_input(graph_build *b, const char *name, int type, size_t rank, const int64_t *dim);
/* `value` becomes the graph's output GRAPH_VECTOR. */
void graph_output(graph_build *b, graph_value value, size_t rank, const int64_t *dim);

/* ---- Weights ------------------------------------------------------------------------------- */

/* A part of a tensor under dims of its own: rows from..from+rows of its first dim (all: 0, 0). */
typedef struct graph_view {
    const checkpoint_tensor *tensor;
    int64_t from, rows;
    size_t rank; /* 0: the tensor's own */
    int64_t dim[MODEL_RANK_MOST];
} graph_view;

/* As f32, with a Cast behind it if it is stored otherwise. Copied only if the strides, the
 * alignment or a quantisation ask for it. `name` is what it is called in the graph. */
graph_value graph_weight(graph_build *b, const char *name, const graph_view *v);
/* A matrix as it lies: *flipped if what is returned is its transpose. */
graph_value graph_matrix(graph_build *b, bool *flipped, const char *name, const graph_view *v);

/* ---- Constants, in the model ---------------------------------------------------------------- */

graph_value graph_integers(graph_build *b, size_t count, const int64_t *values); /* i64 [count] */
graph_value graph_integer(graph_build *b, int64_t value);                       /* i64 []      */
graph_value graph_number(graph_build *b, double value);                         /* f32 []      */

/* ---- Operators ------------------------------------------------------------------------------ */

/* With the attributes that follow; unused inputs are NULL. */
graph_value graph_node(graph_build *b, const char *operator, graph_value x, graph_value y,
                       graph_value z);
graph_value graph_reshape(graph_build *b, graph_value x, size_t rank, const int64_t *dim);
graph_value graph_transpose(graph_build *b, graph_value x, size_t rank, const int64_t *order);
/* Rows of the first dim of a table, or of another axis. */
graph_value graph_gather(graph_build *b, graph_value table, graph_value index, int axis);
graph_value graph_norm(graph_build *b, graph_value x, graph_value scale, graph_value shift,
                       double eps);
graph_value graph_activate(graph_build *b, graph_value x, graph_activation kind);
/* x [n,in] times a matrix that lies as [out,in] (or, `flipped`, [in,out]), plus bias (NULL: none)
 */
graph_value graph_linear(graph_build *b, graph_value x, graph_value matrix, bool flipped,
                         graph_value bias);

/* Heads over 2-D streams: q [batch * n, width], k and v [batch * t, width]; n and t may be -1 where
 * batch is 1. mask: added before the softmax; NULL: none. */
typedef struct graph_attention {
    graph_value q, k, v, mask;
    int64_t batch, n, t, width, heads;
} graph_attention;
graph_value graph_attend(graph_build *b, const graph_attention *x); /* [batch * n, width] */

#endif
