/* CLIP's text tower: causal, read at the end-of-text token. */
#include "scorer/graph/graph_tower.h"

tare_status graph_text(graph_model *out, arena *a, const checkpoint *c, const tower_plan *p,
                       tare_error *err)
{
    tower_build t;
    const tower_stream how = {1, -1, GRAPH_MASK};
    const int64_t ids[] = {1, -1}, positions[] = {-1}, mask[] = {1, 1, -1, -1}, last[] = {1};
    const int64_t stream[] = {-1, p->width}, vector[] = {1, p->embedding};
    tower_begin(&t, a, c, p, names_text(p->layout), err);
    graph_input(&t.b, GRAPH_IDS, TENSOR_I64, 2, ids);
    graph_input(&t.b, GRAPH_POSITIONS, TENSOR_I64, 1, positions);
    graph_input(&t.b, GRAPH_MASK, TENSOR_F32, 4, mask);
    graph_input(&t.b, GRAPH_LAST, TENSOR_I64, 1, last);
    graph_value x = graph_gather(&t.b, tower_weight(&t, PART_TOKEN, 0, NULL), GRAPH_IDS, 0);
    graph_value places = tower_weight(&t, PART_POSITION, 0, NULL);
    places = graph_gather(&t.b, places, GRAPH_POSITIONS, 0);
    x = graph_reshape(&t.b, graph_node(&t.b, "Add", x, places, NULL), 2, stream);
    for (t.layer = 0; t.layer < p->layers; t.layer++) x = tower_layer(&t, x, &how);
    t.layer = -1;
    x = tower_norm(&t, PART_NORM_AFTER, graph_gather(&t.b, x, GRAPH_LAST, 0));
    graph_output(&t.b, tower_project(&t, x), 2, vector);
    return tower_end(out, &t);
}
