#include "unit/tower_fixture.h"

#include <string.h>

const formula_sizes SIZES_CLIP = {.width = 64, .layers = 2, .embedding = 48, .patch = 8,
                                  .side = 32, .vocabulary = 100, .context = 16};
const formula_sizes SIZES_BLIP = {.width = 64, .layers = 2, .patch = 8, .side = 32};
const formula_sizes SIZES_BERT = {.width = 48, .layers = 2, .mlp = 96, .vocabulary = 100,
                                  .context = 40, .cross = 64};

tower_plan plan_clip(graph_layout layout, graph_activation activation)
{
    return (tower_plan){.layout = layout, .prefix = "", .activation = activation, .eps = 1e-5,
                        .heads = 4};
}

tower_plan plan_blip(void)
{
    return (tower_plan){.layout = GRAPH_BLIP, .prefix = "blip.", .activation = GRAPH_GELU,
                        .eps = 1e-6, .heads = 4};
}

tower_plan plan_bert(void)
{
    return (tower_plan){.layout = GRAPH_BLIP, .prefix = "blip.", .activation = GRAPH_GELU,
                        .eps = 1e-12, .heads = 4};
}

/* ---- Files --------------------------------------------------------------------------------- */

formula_list list_clip(void)
{
    formula_list l = {NULL, 0};
    formula_openai_vision(&l, &SIZES_CLIP);
    formula_openai_text(&l, &SIZES_CLIP);
    return l;
}

formula_list list_blip(void)
{
    static const int numbers[] = {0, 2, 4, 6, 7}, widths[] = {48, 32, 16, 8, 4, 1};
    formula_list l = {NULL, 0};
    formula_blip_vision(&l, &SIZES_BLIP);
    formula_blip_text(&l, &SIZES_BERT);
    formula_head(&l, numbers, widths, 5);
    return l;
}

void weights_clip(const char *file, int type, size_t shift)
{
    formula_list l = list_clip();
    formula_save(&l, ort_place(file), type, shift);
    formula_free(&l);
}

void weights_clip_hf(const char *file, int type)
{
    formula_list l = list_clip(), hf = formula_as_hf(&l);
    formula_save(&hf, ort_place(file), type, 0);
    formula_free(&l);
    formula_free(&hf);
}

void weights_blip(const char *file)
{
    formula_list l = list_blip();
    formula_save(&l, ort_place(file), TENSOR_F32, 0);
    formula_free(&l);
}

/* ---- Towers -------------------------------------------------------------------------------- */

void tower_read(tower *t, const char *file, const tower_plan *plan, size_t batch)
{
    tare_error err;
    memset(t, 0, sizeof *t);
    t->context = ort_context();
    t->plan = *plan;
    t->batch = batch;
    arena_init(&t->a, &t->context->mem);
    const char *path = arena_copy(&t->a, ort_place(file));
    assert_non_null(path);
    assert_ok(checkpoint_open(&t->c, t->context, path, &err));
}

void tower_load(tower *t, tower_kind kind)
{
    tare_error err;
    const ort_graph how = {.name = t->c->path, .weights = "[]", .provider = "cpu"};
    switch (kind) {
    case TOWER_VISION:
        assert_ok(graph_plan_vision(&t->plan, t->c, &err));
        assert_ok(graph_vision(&t->graph, &t->a, t->c, &t->plan, t->batch, &err));
        break;
    case TOWER_TEXT:
        assert_ok(graph_plan_text(&t->plan, t->c, &err));
        assert_ok(graph_text(&t->graph, &t->a, t->c, &t->plan, &err));
        break;
    case TOWER_BERT:
        assert_ok(graph_plan_bert(&t->plan, t->c, &err));
        assert_ok(graph_bert(&t->graph, &t->a, t->c, &t->plan, &err));
        break;
    }
    assert_ok(ort_session_open_graph(&t->session, t->context, &t->graph, &how, &err));
}

void tower_open(tower *t, const char *file, tower_kind kind, const tower_plan *plan, size_t batch)
{
    tower_read(t, file, plan, batch);
    tower_load(t, kind);
}

void tower_close(tower *t)
{
    ort_session_close(t->session);
    checkpoint_close(t->c);
    arena_free(&t->a);
    tare_context_free(t->context);
}

/* ---- Asking -------------------------------------------------------------------------------- */

ort_output tower_see(tower *t, const float *pixels)
{
    tare_error err;
    ort_output out;
    const ort_tensor in = {GRAPH_IMAGE, ORT_F32, 4,
                           {(int64_t)t->batch, 3, t->plan.side, t->plan.side}, pixels};
    assert_ok(ort_session_run(&out, t->session, &in, 1, GRAPH_VECTOR, &err));
    return out;
}

enum { WORDS_MOST = 64 };

ort_output tower_say(tower *t, const int64_t *ids, size_t n)
{
    tare_error err;
    ort_output out;
    int64_t positions[WORDS_MOST];
    const int64_t length = (int64_t)n, last = length - 1;
    float mask[WORDS_MOST * WORDS_MOST];
    for (size_t i = 0; i < n; i++) {
        positions[i] = (int64_t)i;
        for (size_t k = 0; k < n; k++) mask[i * n + k] = k > i ? -1e9F : 0;
    }
    const ort_tensor in[] = {{GRAPH_IDS, ORT_I64, 2, {1, length}, ids},
                             {GRAPH_POSITIONS, ORT_I64, 1, {length}, positions},
                             {GRAPH_MASK, ORT_F32, 4, {1, 1, length, length}, mask},
                             {GRAPH_LAST, ORT_I64, 1, {1}, &last}};
    assert_ok(ort_session_run(&out, t->session, in, 4, GRAPH_VECTOR, &err));
    return out;
}

ort_output tower_say_of(tower *t, const int64_t *ids, size_t n, const ort_output *image)
{
    tare_error err;
    ort_output out;
    int64_t positions[WORDS_MOST];
    float *tokens = malloc(image->count * sizeof *tokens);
    assert_non_null(tokens);
    for (size_t i = 0; i < n; i++) positions[i] = (int64_t)i;
    for (size_t i = 0; i < image->count; i++) tokens[i] = (float)image->value[i];
    const ort_tensor in[] = {{GRAPH_IDS, ORT_I64, 2, {1, (int64_t)n}, ids},
                             {GRAPH_POSITIONS, ORT_I64, 1, {(int64_t)n}, positions},
                             {GRAPH_TOKENS, ORT_F32, 3, {1, image->dim[1], image->dim[2]},
                              tokens}};
    assert_ok(ort_session_run(&out, t->session, in, 3, GRAPH_VECTOR, &err));
    free(tokens);
    return out;
}

void tower_release(ort_output *out)
{
    mem m = mem_system();
    mem_free(&m, out->value);
}

ort_output vector_of(const char *file, tower_kind kind, const tower_plan *plan)
{
    float pixels[3 * 32 * 32];
    tower t;
    tower_open(&t, file, kind, plan, 1);
    formula_pixels(pixels, 3 * 32 * 32);
    ort_output out = kind == TOWER_VISION ? tower_see(&t, pixels) : tower_say(&t, WORDS, 4);
    tower_close(&t);
    return out;
}

double largest_gap(const ort_output *a, const double *b)
{
    double gap = 0;
    for (size_t i = 0; i < a->count; i++) gap = fmax(gap, fabs(a->value[i] - b[i]));
    return gap;
}
