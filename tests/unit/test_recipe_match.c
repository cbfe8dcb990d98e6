/* Backbones against recipes: small towers of the formula of scorers 8.4 in every layout, and what
 * is wrong with changed ones. */
#include <string.h>

#include "recipe_fixture.h"
#include "support/check.h"

static void assert_whole(const recipe_match *m)
{
    if (!m->whole)
        fail_msg("%zu lacks (first %s is %s, wanted %s), %zu surplus (first %s)", m->lack_count,
                 m->lack_count ? m->lack->name : "", m->lack_count && m->lack->found
                 ? m->lack->found : "-", m->lack_count ? m->lack->wanted : "", m->surplus_count,
                 m->surplus_count ? *m->surplus : "");
}

static void test_openai(void **state)
{
    recipe_fixture *x = *state;
    static const char *const names[] = {"clip-l14", "laion-v2", "laion-v1", "hpsv2.0"};
    formula_list l = openai_list();
    for (size_t i = 0; i < 4; i++) {
        recipe r = any_recipe(x, names[i]);
        r.text.heads = 16; /* 12 do not divide 64 */
        recipe_match m = match_list(x, &r, RECIPE_BACKBONE, &l);
        assert_whole(&m);
        assert_int_equal(m.layout, GRAPH_OPENAI);
        assert_string_equal(m.stripped, "");
        assert_false(m.known || m.foreign);
        /* Sizes of the tower of 8.4. */
        assert_int_equal(m.vision.width, 64);
        assert_int_equal(m.vision.layers, 2);
        assert_int_equal(m.vision.patch, 8);
        assert_int_equal(m.vision.side, 32);
        assert_int_equal(m.vision.tokens, 17);
        assert_int_equal(m.vision.embedding, 48);
        assert_int_equal(m.vision.heads, r.vision.heads);
        if (!r.has_text) continue;
        assert_int_equal(m.text.width, 64);
        assert_int_equal(m.text.vocabulary, 100);
        assert_int_equal(m.text.context, 16);
    }
    recipe r = any_recipe(x, "pickscore"); /* HF's layout only */
    assert_false(match_list(x, &r, RECIPE_BACKBONE, &l).whole);
    formula_free(&l);
}

static void test_hf(void **state)
{
    recipe_fixture *x = *state;
    formula_list openai = openai_list(), l = formula_as_hf(&openai);
    for (size_t i = 0; i < l.count; i++)
        if (!strcmp(l.item[i].name, "logit_scale")) goto has_scale;
    formula_add(&l, "logit_scale", 0, NULL);
has_scale:;
    recipe r = any_recipe(x, "pickscore");
    recipe_match m = match_list(x, &r, RECIPE_BACKBONE, &l);
    assert_whole(&m);
    assert_int_equal(m.layout, GRAPH_HF);
    /* Buffers that older files have. */
    const int64_t n = 16;
    formula_add(&l, "text_model.embeddings.position_ids", 1, &n);
    m = match_list(x, &r, RECIPE_BACKBONE, &l);
    assert_whole(&m);
    /* 3.1: its scale is read from the file. */
    take_out(&l, "logit_scale");
    m = match_list(x, &r, RECIPE_BACKBONE, &l);
    assert_int_equal(m.lack_count, 1);
    assert_string_equal(m.lack->name, "logit_scale");
    recipe clip = any_recipe(x, "clip-l14"); /* both layouts; needs no scale */
    clip.text.heads = 16;
    m = match_list(x, &clip, RECIPE_BACKBONE, &l);
    assert_whole(&m);
    formula_free(&openai);
    formula_free(&l);
}

static void test_blip(void **state)
{
    recipe_fixture *x = *state;
    formula_list l = blip_list();
    recipe r = any_recipe(x, "imagereward");
    recipe_match m = match_list(x, &r, RECIPE_BACKBONE, &l);
    assert_whole(&m);
    assert_int_equal(m.layout, GRAPH_BLIP);
    assert_string_equal(m.prefix, "blip.");
    assert_int_equal(m.text.cross_width, 64);
    take_out(&l, "mlp.layers.4.bias"); /* the head lies in the same file */
    assert_int_equal(match_status(x, &r, RECIPE_BACKBONE, &l), TARE_E_DATA);
    assert_non_null(strstr(x->err.message, "mlp.layers.4.bias"));
    formula_free(&l);
}

/* 4.2: prefixes are stripped only when the whole recipe then matches, and it is recorded. */
static void test_prefixes(void **state)
{
    recipe_fixture *x = *state;
    static const char *const prefixes[] = {"state_dict.", "model.", "module.",
                                           "state_dict.module."};
    recipe r = any_recipe(x, "hpsv2.1");
    for (size_t i = 0; i < 4; i++) {
        formula_list l = openai_list();
        put_before(&l, prefixes[i]);
        recipe_match m = match_list(x, &r, RECIPE_BACKBONE, &l);
        assert_whole(&m);
        assert_string_equal(m.stripped, prefixes[i]);
        assert_string_equal(m.vision.prefix, prefixes[i]);
        take_out(&l, tensor_of(&l, l.item[3].name)->name);
        m = match_list(x, &r, RECIPE_BACKBONE, &l);
        assert_false(m.whole);
        formula_free(&l);
    }
    formula_list l = openai_list();
    put_before(&l, "student.");
    recipe_match m = match_list(x, &r, RECIPE_BACKBONE, &l);
    assert_false(m.whole);
    assert_int_equal(m.surplus_count, l.count);
    formula_free(&l);
    recipe reward = any_recipe(x, "imagereward");
    l = blip_list();
    put_before(&l, "module.");
    m = match_list(x, &reward, RECIPE_BACKBONE, &l);
    assert_whole(&m);
    assert_string_equal(m.prefix, "module.blip.");
    formula_free(&l);
}

/* What training leaves beside the dict of the model is no tensor of the model (ours). */
static void test_beside(void **state)
{
    recipe_fixture *x = *state;
    recipe r = any_recipe(x, "hpsv2.0");
    formula_list l = openai_list();
    const int64_t n = 4;
    put_before(&l, "state_dict.");
    formula_add(&l, "optimizer.state.0.exp_avg", 1, &n);
    recipe_match m = match_list(x, &r, RECIPE_BACKBONE, &l);
    assert_whole(&m);
    formula_add(&l, "state_dict.visual.extra", 1, &n);
    m = match_list(x, &r, RECIPE_BACKBONE, &l);
    assert_int_equal(m.surplus_count, 1);
    assert_string_equal(*m.surplus, "state_dict.visual.extra");
    formula_free(&l);
}

static void mutant(recipe_fixture *x, formula_list *l, const char *code, const char *word)
{
    recipe r = any_recipe(x, "clip-l14");
    r.text.heads = 16;
    if (match_status(x, &r, RECIPE_BACKBONE, l) != TARE_E_DATA) fail_msg("%s was taken", word);
    if (strcmp(x->err.code, code) != 0) fail_msg("%s: %s", x->err.code, x->err.message);
    if (!strstr(x->err.message, word)) fail_msg("no %s in: %s", word, x->err.message);
    formula_free(l);
}

static void test_mutants(void **state)
{
    recipe_fixture *x = *state;
    const int64_t n = 64;
    formula_list l = openai_list();
    take_out(&l, "visual.transformer.resblocks.1.ln_2.bias");
    mutant(x, &l, "checkpoint.missing", "visual.transformer.resblocks.1.ln_2.bias");
    l = openai_list();
    take_out(&l, "visual.conv1.weight");
    mutant(x, &l, "checkpoint.missing", "visual.conv1.weight");
    l = openai_list();
    formula_add(&l, "visual.conv1.bias", 1, &n);
    mutant(x, &l, "checkpoint.surplus", "visual.conv1.bias");
    l = openai_list();
    formula_tensor *t = tensor_of(&l, "visual.proj"); /* [64,48] as [48,64] */
    t->dim[0] = 48;
    t->dim[1] = 64;
    mutant(x, &l, "checkpoint.shape", "visual.proj");
    l = openai_list();
    t = tensor_of(&l, "text_projection");
    t->dim[0] = 32;
    t->dim[1] = 96;
    mutant(x, &l, "checkpoint.shape", "text_projection");
    l = openai_list();
    t = tensor_of(&l, "visual.transformer.resblocks.0.mlp.c_fc.bias");
    t->rank = 2;
    t->dim[1] = t->dim[0];
    t->dim[0] = 1;
    mutant(x, &l, "checkpoint.shape", "c_fc.bias");
}

static void test_architecture(void **state)
{
    recipe_fixture *x = *state;
    formula_list l = openai_list();
    recipe r;
    tare_error err;
    assert_ok(recipe_named(&r, &x->a, "clip-l14", &err));
    r.text.heads = 16;
    recipe_match m = match_list(x, &r, RECIPE_BACKBONE, &l);
    assert_true(!m.whole && m.resized);
    assert_int_equal(match_status(x, &r, RECIPE_BACKBONE, &l), TARE_E_DATA);
    assert_string_equal(x->err.code, "recipe.architecture");
    assert_non_null(strstr(x->err.message, "width 64, 2 layers, patch 8, 17 tokens"));
    assert_non_null(strstr(x->err.message, "width 1024, 24 layers, patch 14, 257 tokens"));
    assert_non_null(strstr(x->err.message, "arch=any"));
    formula_free(&l);
    /* 16 heads do not divide it: names and dims are right, and it is no such tower. */
    static const formula_sizes odd = {.width = 60, .layers = 1, .embedding = 48, .patch = 8,
                                      .side = 32};
    formula_list narrow = {NULL, 0};
    formula_openai_vision(&narrow, &odd);
    recipe laion = any_recipe(x, "laion-v2");
    assert_int_equal(match_status(x, &laion, RECIPE_BACKBONE, &narrow), TARE_E_DATA);
    assert_non_null(strstr(x->err.message, "heads"));
    formula_free(&narrow);
}

static void assert_message(const recipe_fixture *x, const char *part)
{
    if (!strstr(x->err.message, part)) fail_msg("no \"%s\" in: %s", part, x->err.message);
}

/* The first thing in words, and nothing of "0 more". */
static void test_words(void **state)
{
    recipe_fixture *x = *state;
    formula_list l = openai_list();
    recipe r = any_recipe(x, "clip-l14");
    assert_int_equal(match_status(x, &r, RECIPE_BACKBONE, &l), TARE_E_DATA);
    assert_message(x, "not the backbone of clip-l14: text tower: 12 heads do not divide the width "
                      "64");
    assert_null(strstr(x->err.message, "0 more"));
    assert_null(strstr(x->err.message, "tensor (text"));
    r.text.heads = 16;
    take_out(&l, "visual.ln_pre.bias");
    assert_int_equal(match_status(x, &r, RECIPE_BACKBONE, &l), TARE_E_DATA);
    assert_message(x, "tensor visual.ln_pre.bias [64] is not there. `tare scorer list");
    take_out(&l, "visual.ln_pre.weight");
    assert_int_equal(match_status(x, &r, RECIPE_BACKBONE, &l), TARE_E_DATA);
    assert_message(x, "; 1 more are missing or misshaped. `tare");
    formula_free(&l);
}

/* Another scorer's file of the same name is called by its scorer. */
static void test_owner(void **state)
{
    recipe_fixture *x = *state;
    formula_list l = blip_list(), tower = {NULL, 0};
    static const formula_sizes sizes = {.width = 64, .layers = 1, .embedding = 48, .patch = 8,
                                        .side = 32};
    recipe r = any_recipe(x, "pickscore");
    assert_int_equal(match_status(x, &r, RECIPE_BACKBONE, &l), TARE_E_DATA);
    assert_message(x, ". It fits imagereward (backbone): give each scorer's files a folder of its "
                      "own");
    formula_openai_vision(&tower, &sizes);
    assert_int_equal(match_status(x, &r, RECIPE_BACKBONE, &tower), TARE_E_DATA);
    assert_message(x, "It fits laion-v1 (backbone), laion-v2 (backbone)");
    formula_free(&tower);
    formula_free(&l);
}

#define SAYS(vision, text) "{\"vision_config\":" vision ",\"text_config\":" text "}"
#define V16 "{\"num_attention_heads\":16}"

/* 3.4: a config.json beside an HF file must agree. 8 heads divide the text tower of 8.4, and are
 * what Hugging Face takes where a text_config is silent; of a vision_config it takes 12. */
static void test_config(void **state)
{
    recipe_fixture *x = *state;
    static const struct { const char *json, *word; } wrong[] = {
        {SAYS("{\"num_attention_heads\":16,\"hidden_act\":\"gelu\"}", "{}"),
         "vision_config.hidden_act is gelu"},
        {SAYS("{\"num_attention_heads\":20}", "{}"), "vision_config.num_attention_heads is 20"},
        {SAYS("{\"num_attention_heads\":16,\"layer_norm_eps\":1e-6}", "{}"), "layer_norm_eps"},
        {SAYS(V16, V16), "text_config.num_attention_heads is 16"},
        {SAYS("{\"num_attention_heads\":\"16\"}", "{}"), "num_attention_heads is no number"},
        {SAYS("{}", "{}"), "vision_config.num_attention_heads is not there, for which Hugging Face "
                           "takes 12"},
        {"{}", "vision_config is not there"},
        {"[]", "vision_config is not there"},
        {"[{\"vision_config\":" V16 "}]", "vision_config is not there"},
        {SAYS("null", "{}"), "vision_config is no object"},
        {SAYS("\"x\"", "{}"), "vision_config is no object"},
        {"{\"vision_config\":" V16 "}", "text_config is not there"},
        {SAYS(V16, "[]"), "text_config is no object"},
    };
    static const char *const right[] = {
        SAYS(V16, "{}"),
        SAYS("{\"hidden_act\":\"quick_gelu\",\"num_attention_heads\":16,"
             "\"layer_norm_eps\":1e-05}", "{\"num_attention_heads\":8}")};
    formula_list openai = openai_list(), l = formula_as_hf(&openai);
    recipe r = any_recipe(x, "clip-l14");
    r.text.heads = 8;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        write_words(x, "config.json", wrong[i].json);
        if (match_status(x, &r, RECIPE_BACKBONE, &l) != TARE_E_DATA)
            fail_msg("%s was taken", wrong[i].json);
        assert_string_equal(x->err.code, "recipe.config");
        if (!strstr(x->err.message, wrong[i].word)) fail_msg("%s", x->err.message);
        assert_non_null(strstr(x->err.where, "config.json:1:"));
        /* It says nothing of OpenAI's layout. */
        assert_int_equal(match_status(x, &r, RECIPE_BACKBONE, &openai), TARE_OK);
    }
    for (size_t i = 0; i < sizeof right / sizeof *right; i++) {
        write_words(x, "config.json", right[i]);
        assert_int_equal(match_status(x, &r, RECIPE_BACKBONE, &l), TARE_OK);
    }
    write_words(x, "config.json", "{\"text_config\":");
    assert_int_equal(match_status(x, &r, RECIPE_BACKBONE, &l), TARE_E_DATA);
    /* Where nothing is said, it is QuickGELU: not PickScore's. */
    recipe pick = any_recipe(x, "pickscore");
    pick.vision.heads = pick.text.heads = 8;
    write_words(x, "config.json", SAYS("{\"num_attention_heads\":8}", "{}"));
    assert_int_equal(match_status(x, &pick, RECIPE_BACKBONE, &l), TARE_E_DATA);
    assert_non_null(strstr(x->err.message, "vision_config.hidden_act is not there, for which "
                                           "Hugging Face takes quick_gelu, and the recipe says "
                                           "gelu"));
    formula_free(&openai);
    formula_free(&l);
}

#define WITH_HOME(test) cmocka_unit_test_setup_teardown(test, fixture_open, fixture_close)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_HOME(test_openai),  WITH_HOME(test_hf),           WITH_HOME(test_blip),
        WITH_HOME(test_prefixes), WITH_HOME(test_beside),      WITH_HOME(test_mutants),
        WITH_HOME(test_architecture), WITH_HOME(test_config),
        WITH_HOME(test_words),   WITH_HOME(test_owner),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
