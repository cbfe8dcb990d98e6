/* BERT as BLIP has it: each layer sees its own tokens, then the image's; norms after the sums. No
 * position is masked: only the real tokens are computed. */
#include "scorer/graph/graph_tower.h"

/* norm(x + out(attention)) over the keys and values of `seen`. */
static graph_value attend(tower_build *t, graph_value x, graph_value seen, bool across)
{
    graph_attention heads = {.batch = 1, .n = -1, .t = -1, .width = t->plan->width,
                             .heads = t->plan->heads};
    heads.q = tower_linear(t, across ? PART_CROSS_Q : PART_Q, x);
    heads.k = tower_linear(t, across ? PART_CROSS_K : PART_K, seen);
    heads.v = tower_linear(t, across ? PART_CROSS_V : PART_V, seen);
    graph_value y = graph_attend(&t->b, &heads);
    y = tower_linear(t, across ? PART_CROSS_OUT : PART_OUT, y);
    return tower_norm(t, across ? PART_CROSS_NORM : PART_NORM_1,
                      graph_node(&t->b, "Add", y, x, NULL));
}

static graph_value layer(tower_build *t, graph_value x, graph_value image)
{
    x = attend(t, x, x, false);
    x = attend(t, x, image, true);
    graph_value y = graph_activate(&t->b, tower_linear(t, PART_UP, x), t->plan->activation);
    y = tower_linear(t, PART_DOWN, y);
    return tower_norm(t, PART_NORM_3, graph_node(&t->b, "Add", y, x, NULL));
}

tare_status graph_bert(graph_model *out, arena *a, const checkpoint *c, const tower_plan *p,
                       tare_error *err)
{
    tower_build t;
    const int64_t ids[] = {1, -1}, positions[] = {-1}, image[] = {1, -1, p->cross_width};
    const int64_t stream[] = {-1, p->width}, seen[] = {-1, p->cross_width};
    const int64_t vector[] = {1, p->width}, first = 0;
    tower_begin(&t, a, c, p, names_bert(p->layout), err);
    graph_input(&t.b, GRAPH_IDS, TENSOR_I64, 2, ids);
    graph_input(&t.b, GRAPH_POSITIONS, TENSOR_I64, 1, positions);
    graph_input(&t.b, GRAPH_TOKENS, TENSOR_F32, 3, image);
    graph_value tokens = graph_reshape(&t.b, GRAPH_TOKENS, 2, seen);
    graph_value x = graph_gather(&t.b, tower_weight(&t, PART_TOKEN, 0, NULL), GRAPH_IDS, 0);
    graph_value places = tower_weight(&t, PART_POSITION, 0, NULL);
    places = graph_gather(&t.b, places, GRAPH_POSITIONS, 0);
    x = graph_reshape(&t.b, graph_node(&t.b, "Add", x, places, NULL), 2, stream);
    x = tower_norm(&t, PART_NORM_BEFORE, x);
    for (t.layer = 0; t.layer < p->layers; t.layer++) x = layer(&t, x, tokens);
    x = graph_gather(&t.b, x, graph_integers(&t.b, 1, &first), 0);
    graph_output(&t.b, x, 2, vector);
    return tower_end(out, &t);
}
