/* Image towers: patches, class token, positions, layers; then the class token's vector (CLIP) or
 * all tokens (BLIP). */
#include "scorer/graph/graph_tower.h"

/* Patches as a row of tokens, the class token before them, plus positions: [batch,tokens,width] */
static graph_value embed(tower_build *t, int64_t batch)
{
    graph_build *b = &t->b;
    const tower_plan *p = t->plan;
    const int64_t steps[] = {p->patch, p->patch};
    const int64_t row[] = {batch, p->width, p->tokens - 1}, turn[] = {0, 2, 1};
    const int64_t one[] = {1, 1, p->width}, each[] = {batch, 1, p->width};
    const int64_t all[] = {1, p->tokens, p->width};
    graph_value kernel = tower_weight(t, PART_PATCH, 0, NULL);
    graph_value x = graph_node(b, "Conv", GRAPH_IMAGE, kernel, tower_bias(t, PART_PATCH));
    model_write_ints(&b->w, "kernel_shape", steps, 2);
    model_write_ints(&b->w, "strides", steps, 2);
    x = graph_transpose(b, graph_reshape(b, x, 3, row), 3, turn);
    graph_value token = tower_weight(t, PART_CLASS, 3, one);
    token = graph_node(b, "Expand", token, graph_integers(b, 3, each), NULL);
    x = graph_node(b, "Concat", token, x, NULL);
    model_write_int(&b->w, "axis", 1);
    return graph_node(b, "Add", x, tower_weight(t, PART_POSITION, 3, all), NULL);
}

tare_status graph_vision(graph_model *out, arena *a, const checkpoint *c, const tower_plan *p,
                         size_t batch, tare_error *err)
{
    tower_build t;
    const int64_t n = (int64_t)batch;
    const tower_stream how = {n, p->tokens, NULL};
    const int64_t image[] = {n, 3, p->side, p->side}, tokens[] = {n, p->tokens, p->width};
    const int64_t stream[] = {n * p->tokens, p->width};
    const int64_t vector[] = {n, p->embedding > 0 ? p->embedding : p->width};
    const bool all = p->layout == GRAPH_BLIP;
    tower_begin(&t, a, c, p, names_vision(p->layout), err);
    graph_input(&t.b, GRAPH_IMAGE, TENSOR_F32, 4, image);
    /* The norm not directly behind the sum: where the two are of one shape, as in a batch of 1, the
     * library fuses them (seen in 1.30), and the bits of an image depend on its batch. */
    graph_value x = graph_reshape(&t.b, embed(&t, n), 2, stream);
    if (tower_has(&t, PART_NORM_BEFORE)) x = tower_norm(&t, PART_NORM_BEFORE, x);
    for (t.layer = 0; t.layer < p->layers; t.layer++) x = tower_layer(&t, x, &how);
    t.layer = -1;
    x = graph_reshape(&t.b, x, 3, tokens);
    if (!all) x = graph_gather(&t.b, x, graph_integer(&t.b, 0), 1);
    x = tower_project(&t, tower_norm(&t, PART_NORM_AFTER, x));
    graph_output(&t.b, x, all ? 3 : 2, all ? tokens : vector);
    return tower_end(out, &t);
}
