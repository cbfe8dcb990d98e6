/* graph_tower.h - what transformers of all layouts share: their parts by name, and the layer of
 * CLIP and of vision transformers. Scorers 4.3. */
#ifndef SCORER_GRAPH_GRAPH_TOWER_H
#define SCORER_GRAPH_GRAPH_TOWER_H

#include "scorer/graph/graph_build.h"
#include "scorer/graph/graph_names.h"

typedef struct tower_build {
    graph_build b;
    const tower_names *names;
    const tower_plan *plan;
    int layer; /* whose parts are asked for; -1: those outside of layers */
} tower_build;

/* Checks the tensors of the plan. tower_end in any case. names NULL: no such tower, an error. */
void tower_begin(tower_build *t, arena *a, const checkpoint *c, const tower_plan *p,
                 const tower_names *names, tare_error *err);
tare_status tower_end(graph_model *out, tower_build *t);

bool tower_has(const tower_build *t, graph_part part);
/* The weight of a part under other dims; rank 0: its own. */
graph_value tower_weight(tower_build *t, graph_part part, size_t rank, const int64_t *dim);
graph_value tower_bias(tower_build *t, graph_part part); /* NULL: it has none */
graph_value tower_norm(tower_build *t, graph_part part, graph_value x);
graph_value tower_linear(tower_build *t, graph_part part, graph_value x);
/* x if the layout has no projection */
graph_value tower_project(tower_build *t, graph_value x);

/* How the stream x [batch * n, width] of a layer is cut; mask as in graph_attention. */
typedef struct tower_stream {
    int64_t batch, n;
    graph_value mask;
} tower_stream;
/* x plus what the layer adds: attention of the normed, then the MLP of the normed. */
graph_value tower_layer(tower_build *t, graph_value x, const tower_stream *how);

#endif
