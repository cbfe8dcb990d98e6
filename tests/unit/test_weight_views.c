/* Two files of the same weights, in other layouts and types. The formula's tensors, whose names in
 * both layouts are written down in formula_weights.c a second time. */
#include <math.h>
#include <string.h>

#include "recipe_fixture.h"
#include "scorer/graph/weight_views.h"
#include "support/check.h"

enum { F32 = 1, F16 = 10, BF16 = 16 }; /* ONNX's numbers of the types */

typedef struct comparison {
    checkpoint *c[2];
    weight_views v[2];
    weight_pair *pair;
    size_t count, n[WEIGHT_OUTCOMES];
} comparison;

static void compare_files(comparison *k, recipe_fixture *x, const char *one, const char *two)
{
    const char *paths[] = {one, two};
    tare_error err;
    memset(k, 0, sizeof *k);
    for (size_t i = 0; i < 2; i++) {
        assert_ok(checkpoint_open(&k->c[i], x->context, paths[i], &err));
        assert_ok(weight_views_open(&k->v[i], &x->a, k->c[i], &err));
    }
    bool common = k->v[0].laid_out && k->v[1].laid_out && k->v[0].layout != k->v[1].layout;
    for (size_t i = 0; i < 2; i++) assert_ok(weight_views_list(&k->v[i], &x->a, common, &err));
    assert_ok(weight_views_compare(&k->pair, &k->count, &x->a, &k->v[0], &k->v[1], &err));
    for (size_t i = 0; i < k->count; i++) k->n[k->pair[i].outcome]++;
}

static void close_files(comparison *k)
{
    checkpoint_close(k->c[0]);
    checkpoint_close(k->c[1]);
}

static void compare_lists(comparison *k, recipe_fixture *x, const formula_list *one, int type_one,
                          const formula_list *two, int type_two)
{
    const char *a = touch(x, "a.safetensors"), *b = touch(x, "b.safetensors");
    formula_save(one, a, type_one, 0);
    formula_save(two, b, type_two, 0);
    compare_files(k, x, a, b);
}

static const weight_pair *only_of(const comparison *k, weight_outcome o)
{
    const weight_pair *found = NULL;
    assert_int_equal(k->n[o], 1);
    for (size_t i = 0; i < k->count; i++)
        if (k->pair[i].outcome == o) found = &k->pair[i];
    return found;
}

/* Every tensor of HF's layout once, and nothing left over: OpenAI's in_proj is three of them. */
static void test_layouts(void **state)
{
    recipe_fixture *x = *state;
    comparison k;
    formula_list openai = openai_list();
    formula_round(&openai, F16);
    formula_list hf = formula_as_hf(&openai);
    put_before(&openai, "state_dict.module.");
    compare_lists(&k, x, &openai, F16, &hf, F32);
    assert_true(k.v[0].laid_out && k.v[0].layout == GRAPH_OPENAI);
    assert_true(k.v[1].laid_out && k.v[1].layout == GRAPH_HF);
    assert_string_equal(k.v[0].prefix, "state_dict.module.");
    assert_true(k.count == hf.count && hf.count > openai.count);
    assert_int_equal(k.n[WEIGHT_EQUAL], hf.count);
    close_files(&k);
    formula_free(&openai);
    formula_free(&hf);
}

/* As tensors stand where both have one layout; each is equal once rounded to f16. */
static void test_rounded(void **state)
{
    recipe_fixture *x = *state;
    comparison k;
    formula_list whole = openai_list(), half = openai_list();
    formula_round(&half, F16);
    compare_lists(&k, x, &whole, F32, &half, F16);
    assert_int_equal(k.count, whole.count);
    assert_true(k.n[WEIGHT_ROUNDED] > whole.count / 2);
    assert_int_equal(k.n[WEIGHT_ROUNDED] + k.n[WEIGHT_EQUAL], whole.count);
    close_files(&k);
    compare_lists(&k, x, &half, F16, &whole, BF16);
    assert_int_equal(k.n[WEIGHT_DIFFERS] + k.n[WEIGHT_ROUNDED] + k.n[WEIGHT_EQUAL], whole.count);
    close_files(&k);
    /* Of one type there is nothing to round to. */
    compare_lists(&k, x, &whole, F32, &half, F32);
    assert_int_equal(k.n[WEIGHT_ROUNDED], 0);
    assert_true(k.n[WEIGHT_DIFFERS] > whole.count / 2);
    close_files(&k);
    formula_free(&whole);
    formula_free(&half);
}

/* One number of K, in the middle third of in_proj; one tensor less; one of other dims. */
static void test_changes(void **state)
{
    recipe_fixture *x = *state;
    comparison k;
    formula_list openai = openai_list(), hf = formula_as_hf(&openai);
    formula_tensor *t = tensor_of(&hf, "vision_model.encoder.layers.0.self_attn.k_proj.weight");
    t->value[5] += .25F;
    compare_lists(&k, x, &openai, F32, &hf, F32);
    const weight_pair *p = only_of(&k, WEIGHT_DIFFERS);
    assert_int_equal(k.n[WEIGHT_EQUAL], k.count - 1);
    assert_string_equal(p->second->t.name, t->name);
    assert_string_equal(p->first->t.name, "visual.transformer.resblocks.0.attn.in_proj_weight");
    assert_int_equal(p->differing, 1);
    assert_float_equal(p->largest, .25, 1e-6);
    close_files(&k);
    t->value[5] = NAN;
    compare_lists(&k, x, &openai, F32, &hf, F32);
    p = only_of(&k, WEIGHT_UNREADABLE);
    assert_true(isnan(p->largest) && strstr(p->why, "has NaN"));
    close_files(&k);
    take_out(&hf, t->name);
    t = tensor_of(&hf, "visual_projection.weight");
    t->dim[0] /= 2;
    t->dim[1] *= 2;
    compare_lists(&k, x, &openai, F32, &hf, F32);
    assert_true(only_of(&k, WEIGHT_ONLY_FIRST)->first->of_tower);
    assert_string_equal(only_of(&k, WEIGHT_OTHER_DIMS)->second->t.name, "visual_projection.weight");
    close_files(&k);
    formula_free(&openai);
    formula_free(&hf);
}

/* Containers that torch wrote: the same numbers by a formula, in each of its forms. */
static void test_containers(void **state)
{
    recipe_fixture *x = *state;
    comparison k;
#define FILES TARE_SOURCE_DIR "/tests/data/checkpoints/"
    compare_files(&k, x, FILES "zip_f32.pt", FILES "legacy_f32.pt");
    assert_false(k.v[0].laid_out);
    assert_int_equal(k.n[WEIGHT_EQUAL], 5);
    close_files(&k);
    compare_files(&k, x, FILES "zip_f16.pt", FILES "legacy_f32.pt");
    assert_int_equal(k.n[WEIGHT_ROUNDED], 5);
    close_files(&k);
    compare_files(&k, x, FILES "zip_f32.pt", FILES "zip_bf16.pt");
    assert_int_equal(k.n[WEIGHT_ROUNDED], 5);
    close_files(&k);
    compare_files(&k, x, FILES "zip_f32.pt", FILES "nested.pt");
    assert_int_equal(k.n[WEIGHT_DIFFERS], 5);
    close_files(&k);
}

#define WITH_HOME(test) cmocka_unit_test_setup_teardown(test, fixture_open, fixture_close)

int main(void)
{
    const struct CMUnitTest tests[] = {WITH_HOME(test_layouts), WITH_HOME(test_rounded),
                                       WITH_HOME(test_changes), WITH_HOME(test_containers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
