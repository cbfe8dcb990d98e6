/* Sizes out of dims, and what is said of files that do not fit: which tensor, what is there, what
 * is wanted. */
#include <string.h>

#include "unit/tower_fixture.h"

static formula_tensor *change(formula_list *l, const char *name)
{
    return (formula_tensor *)(uintptr_t)formula_find(l, name);
}

/* The list without a tensor. */
static void drop(formula_list *l, const char *name)
{
    formula_tensor *t = change(l, name);
    free(t->value);
    *t = l->item[--l->count];
}

/* The list with a tensor of other dims. */
static void reshape(formula_list *l, const char *name, size_t rank, const int64_t *dim)
{
    drop(l, name);
    formula_add(l, name, rank, dim);
}

static void assert_refused(formula_list *l, tower_kind kind, const tower_plan *plan,
                           const char *code, const char *message)
{
    tare_error err;
    tower t;
    formula_save(l, ort_place("bad.safetensors"), TENSOR_F32, 0);
    formula_free(l);
    tower_read(&t, "bad.safetensors", plan, 1);
    tare_status status = kind == TOWER_VISION ? graph_plan_vision(&t.plan, t.c, &err)
                         : kind == TOWER_TEXT ? graph_plan_text(&t.plan, t.c, &err)
                                              : graph_plan_bert(&t.plan, t.c, &err);
    assert_int_equal(status, TARE_E_DATA);
    assert_string_equal(err.code, code);
    if (strstr(err.message, message) == NULL) {
        fail_msg("\"%s\" is not in \"%s\"", message, err.message);
    }
    assert_non_null(strstr(err.where, "bad.safetensors"));
    tower_close(&t);
}

static void sizes_are_read(void **state)
{
    (void)state;
    tare_error err;
    const tower_plan p = plan_clip(GRAPH_OPENAI, GRAPH_QUICK_GELU), q = plan_bert();
    tower t;
    weights_clip("clip.safetensors", TENSOR_F16, 0);
    tower_read(&t, "clip.safetensors", &p, 1);
    assert_ok(graph_plan_vision(&t.plan, t.c, &err));
    assert_true(t.plan.width == 64 && t.plan.layers == 2 && t.plan.mlp == 256);
    assert_true(t.plan.embedding == 48 && t.plan.patch == 8 && t.plan.side == 32);
    assert_true(t.plan.tokens == 17 && t.plan.vocabulary == 0);
    assert_ok(graph_plan_text(&t.plan, t.c, &err));
    assert_true(t.plan.vocabulary == 100 && t.plan.context == 16 && t.plan.patch == 0);
    tower_close(&t);
    weights_blip("blip.safetensors");
    tower_read(&t, "blip.safetensors", &q, 1);
    assert_ok(graph_plan_bert(&t.plan, t.c, &err));
    assert_true(t.plan.width == 48 && t.plan.cross_width == 64 && t.plan.mlp == 96);
    assert_ok(graph_plan_vision(&t.plan, t.c, &err));
    assert_true(t.plan.width == 64 && t.plan.embedding == 0 && t.plan.side == 32);
    tower_close(&t);
}

static void missing_tensors_are_named(void **state)
{
    (void)state;
    const tower_plan p = plan_clip(GRAPH_OPENAI, GRAPH_QUICK_GELU), q = plan_bert();
    formula_list l = list_clip();
    drop(&l, "visual.ln_pre.bias");
    assert_refused(&l, TOWER_VISION, &p, "checkpoint.missing", "visual.ln_pre.bias [64]");
    l = list_clip();
    drop(&l, "visual.conv1.weight");
    assert_refused(&l, TOWER_VISION, &p, "checkpoint.missing", "visual.conv1.weight [?,3,?,?]");
    l = list_clip(); /* all of the first layer but one: the second tells that it is wanted */
    drop(&l, "transformer.resblocks.0.ln_1.weight");
    assert_refused(&l, TOWER_TEXT, &p, "checkpoint.missing",
                   "transformer.resblocks.0.ln_1.weight [64]");
    l = list_blip();
    drop(&l, "blip.text_encoder.encoder.layer.1.crossattention.self.key.weight");
    assert_refused(&l, TOWER_BERT, &q, "checkpoint.missing",
                   "layer.1.crossattention.self.key.weight [48,64]");
    l = list_blip();
    assert_refused(&l, TOWER_TEXT, &p, "checkpoint.missing", "token_embedding.weight [?,?]");
}

static void misshaped_tensors_are_named(void **state)
{
    (void)state;
    const tower_plan p = plan_clip(GRAPH_OPENAI, GRAPH_QUICK_GELU);
    formula_list l = list_clip();
    reshape(&l, "visual.transformer.resblocks.1.mlp.c_proj.weight", 2, (int64_t[]){64, 255});
    assert_refused(&l, TOWER_VISION, &p, "checkpoint.shape",
                   "tensor visual.transformer.resblocks.1.mlp.c_proj.weight is [64,255], and "
                   "[64,256] is wanted, as visual.transformer.resblocks.0.mlp.c_fc.weight has it");
    l = list_clip();
    reshape(&l, "visual.transformer.resblocks.0.attn.in_proj_weight", 2, (int64_t[]){192, 60});
    assert_refused(&l, TOWER_VISION, &p, "checkpoint.shape", "[192,60], and [192,64]");
    l = list_clip();
    reshape(&l, "visual.conv1.weight", 4, (int64_t[]){64, 3, 8, 7});
    assert_refused(&l, TOWER_VISION, &p, "checkpoint.shape", "[64,3,8,7], and [64,3,8,8]");
    l = list_clip();
    reshape(&l, "visual.conv1.weight", 4, (int64_t[]){64, 4, 8, 8});
    assert_refused(&l, TOWER_VISION, &p, "checkpoint.shape", "[64,4,8,8], and [64,3,8,8]");
    l = list_clip();
    reshape(&l, "visual.proj", 1, (int64_t[]){64});
    assert_refused(&l, TOWER_VISION, &p, "checkpoint.shape", "visual.proj is [64], and [64,?]");
    l = list_clip();
    reshape(&l, "visual.positional_embedding", 2, (int64_t[]){19, 64});
    assert_refused(&l, TOWER_VISION, &p, "checkpoint.shape",
                   "visual.positional_embedding has 19 tokens");
}

static void heads_divide_the_width(void **state)
{
    (void)state;
    tare_error err;
    tower_plan p = plan_clip(GRAPH_OPENAI, GRAPH_QUICK_GELU);
    formula_list l = list_clip();
    p.heads = 5;
    assert_refused(&l, TOWER_VISION, &p, "checkpoint.heads", "5 heads do not divide the width 64");
    p.heads = 0;
    l = list_clip();
    assert_refused(&l, TOWER_TEXT, &p, "checkpoint.heads", "0 heads");
    p.heads = 4; /* a plan that was changed after it was made */
    tower t;
    tower_read(&t, "clip.safetensors", &p, 1);
    assert_ok(graph_plan_vision(&t.plan, t.c, &err));
    t.plan.heads = 7;
    assert_int_equal(graph_vision(&t.graph, &t.a, t.c, &t.plan, 1, &err), TARE_E_DATA);
    assert_string_equal(err.code, "checkpoint.heads");
    t.plan.heads = 4;
    t.plan.mlp = 255;
    assert_int_equal(graph_vision(&t.graph, &t.a, t.c, &t.plan, 1, &err), TARE_E_DATA);
    assert_string_equal(err.code, "checkpoint.shape");
    tower_close(&t);
}

static void layouts_without_such_a_tower(void **state)
{
    (void)state;
    tower_plan p = plan_blip(), q = plan_clip(GRAPH_HF, GRAPH_GELU);
    formula_list l = list_blip();
    assert_refused(&l, TOWER_TEXT, &p, "checkpoint.layout", "no text tower");
    l = list_clip();
    assert_refused(&l, TOWER_BERT, &q, "checkpoint.layout", "no text tower");
}

/* ---- What a plan takes --------------------------------------------------------------------- */

typedef struct needed {
    const formula_list *list;
    bool *seen;
} needed;

static tare_status mark(void *arg, const char *name, size_t rank, const int64_t *dim,
                        tare_error *err)
{
    const needed *n = arg;
    (void)err;
    const formula_tensor *t = formula_find(n->list, name);
    assert_int_equal(t->rank, rank);
    assert_memory_equal(t->dim, dim, rank * sizeof *dim);
    assert_false(n->seen[t - n->list->item]);
    n->seen[t - n->list->item] = true;
    return TARE_OK;
}

typedef tare_status needs_of(const tower_plan *p, graph_need visit, void *arg, tare_error *err);

/* The two walks name each tensor once; `left` stay. */
static void assert_needs(formula_list *l, const tower_plan *p, const tower_plan *q,
                         needs_of *second, size_t left)
{
    tare_error err;
    tower t;
    needed n = {l, calloc(l->count, sizeof(bool))};
    size_t over = 0;
    assert_non_null(n.seen);
    formula_save(l, ort_place("all.safetensors"), TENSOR_F32, 0);
    tower_read(&t, "all.safetensors", p, 1);
    assert_ok(graph_plan_vision(&t.plan, t.c, &err));
    assert_ok(graph_vision_needs(&t.plan, mark, &n, &err));
    t.plan = *q;
    if (second == graph_bert_needs) assert_ok(graph_plan_bert(&t.plan, t.c, &err));
    else assert_ok(graph_plan_text(&t.plan, t.c, &err));
    assert_ok(second(&t.plan, mark, &n, &err));
    for (size_t i = 0; i < l->count; i++) over += !n.seen[i];
    assert_int_equal(over, left);
    free(n.seen);
    tower_close(&t);
    formula_free(l);
}

static void needs_are_the_whole_file(void **state)
{
    (void)state;
    const tower_plan p = plan_clip(GRAPH_OPENAI, GRAPH_QUICK_GELU);
    const tower_plan q = plan_clip(GRAPH_HF, GRAPH_QUICK_GELU), r = plan_blip(), s = plan_bert();
    formula_list l = list_clip(), hf = formula_as_hf(&l), blip = list_blip();
    assert_needs(&l, &p, &p, graph_text_needs, 1); /* logit_scale */
    assert_needs(&hf, &q, &q, graph_text_needs, 1);
    assert_needs(&blip, &r, &s, graph_bert_needs, 10); /* the head */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_are_read),
        cmocka_unit_test(missing_tensors_are_named),
        cmocka_unit_test(misshaped_tensors_are_named),
        cmocka_unit_test(heads_divide_the_width),
        cmocka_unit_test(layouts_without_such_a_tower),
        cmocka_unit_test(needs_are_the_whole_file),
    };
    NEED_ORT();
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    ort_fixture_end();
    return failed;
}
