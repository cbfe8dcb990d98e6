/* The shipped recipes against the table of scorers 3.1 to 3.4 and 8.5, number by number. */
#include <string.h>

#include "scorer/recipe/recipe.h"
#include "support/check.h"

typedef struct expected {
    const char *name, *scheme;
    graph_activation activation;
    int width, layers, heads, tokens, patch, embedding; /* vision */
    double eps;
    int text_width, text_layers, text_heads, text_context, vocabulary; /* 0: no text */
    double text_eps;
    bool before_rgb, tensor, antialias;
    onnx_fit fit;
    onnx_crop crop;
    recipe_score score;
    recipe_scale scale;
    const char *sha256; /* of the backbone; "" : none is known */
} expected;

#define L14 GRAPH_QUICK_GELU, 1024, 24, 16, 257, 14, 768, 1e-5
#define B32 GRAPH_QUICK_GELU, 768, 12, 12, 50, 32, 512, 1e-5
#define H14 GRAPH_GELU, 1280, 32, 16, 257, 14, 1024, 1e-5
#define H14_TEXT 1024, 24, 16, 77, 49408, 1e-5
#define BLIP GRAPH_GELU, 1024, 24, 16, 197, 16, 0, 1e-6
#define BERT 768, 12, 12, 512, 30524, 1e-12
#define NO_TEXT 0, 0, 0, 0, 0, 0
#define OPENAI_IMAGE true, false, false, ONNX_FIT_SHORT, ONNX_CROP_CENTER_ROUND
#define HF_IMAGE false, false, false, ONNX_FIT_SHORT, ONNX_CROP_CENTER_FLOOR
#define HPS_IMAGE false, true, true, ONNX_FIT_LONG, ONNX_CROP_NONE
#define L14_HASH "b8cca3fd41ae0c99ba7e8951adf17d267cdb84cd88be6f7c2e0eca1737a03836"
#define B32_HASH "40d365715913c9da98579312b702a82c18be219cc2a73407c4526f58eba950af"

/* Scorers 3.1 (vision, activation, eps, text, order, resize, crop, score), 3.3 (hashes). */
static const expected table[] = {
    {"clip-b32", "clip", B32, 512, 12, 8, 77, 49408, 1e-5, OPENAI_IMAGE, RECIPE_COSINE,
     RECIPE_SCALE_ONE, B32_HASH},
    {"clip-l14", "clip", L14, 768, 12, 12, 77, 49408, 1e-5, OPENAI_IMAGE, RECIPE_COSINE,
     RECIPE_SCALE_ONE, L14_HASH},
    {"hpsv2.0", "hpsv2.0", H14, H14_TEXT, HPS_IMAGE, RECIPE_COSINE, RECIPE_SCALE_ONE, ""},
    {"hpsv2.1", "hpsv2.1", H14, H14_TEXT, HPS_IMAGE, RECIPE_COSINE, RECIPE_SCALE_ONE, ""},
    {"imagereward", "imagereward", BLIP, BERT, OPENAI_IMAGE, RECIPE_BERT, RECIPE_SCALE_ONE, ""},
    {"laion-v1", "laion-v1", L14, NO_TEXT, OPENAI_IMAGE, RECIPE_AFFINE, RECIPE_SCALE_ONE, L14_HASH},
    {"laion-v2", "laion-v2", L14, NO_TEXT, OPENAI_IMAGE, RECIPE_AFFINE, RECIPE_SCALE_ONE, L14_HASH},
    {"pickscore", "pickscore", H14, H14_TEXT, HF_IMAGE, RECIPE_COSINE, RECIPE_SCALE_FILE, ""},
};
enum { ROWS = sizeof table / sizeof *table };

static mem m;
static arena a;
static tare_error err;

static int open_arena(void **state)
{
    (void)state;
    m = mem_system();
    arena_init(&a, &m);
    return 0;
}

static int close_arena(void **state)
{
    (void)state;
    arena_free(&a);
    return 0;
}

static recipe named(const char *name)
{
    recipe r;
    assert_ok(recipe_named(&r, &a, name, &err));
    return r;
}

static void check_vision(const recipe *r, const expected *x)
{
    assert_int_equal(r->vision.activation, x->activation);
    assert_int_equal(r->vision.width, x->width);
    assert_int_equal(r->vision.layers, x->layers);
    assert_int_equal(r->vision.heads, x->heads);
    assert_int_equal(r->vision.tokens, x->tokens);
    assert_int_equal(r->vision.patch, x->patch);
    assert_int_equal(r->vision.embedding, x->embedding);
    assert_int_equal(r->vision.side, 224);
    assert_true(r->vision.eps == x->eps);
    assert_int_equal(r->vision.mlp, 4 * x->width); /* 3.2: mlp.c_fc [4D,D] */
    /* 224 pixels, square patches and the class token */
    int grid = 224 / x->patch;
    assert_int_equal(x->tokens, grid * grid + 1);
}

static void check_text(const recipe *r, const expected *x)
{
    assert_int_equal(r->has_text, x->text_width != 0);
    if (!r->has_text) return;
    assert_int_equal(r->text.activation, x->activation);
    assert_int_equal(r->text.width, x->text_width);
    assert_int_equal(r->text.layers, x->text_layers);
    assert_int_equal(r->text.heads, x->text_heads);
    assert_int_equal(r->text.context, x->text_context);
    assert_int_equal(r->text.vocabulary, x->vocabulary);
    assert_int_equal(r->text.mlp, 4 * x->text_width);
    assert_true(r->text.eps == x->text_eps);
    assert_int_equal(r->text.embedding, r->score == RECIPE_BERT ? 0 : x->embedding);
    assert_int_equal(r->text.cross_width, r->score == RECIPE_BERT ? 1024 : 0);
    assert_string_equal(r->prompt, "a photo");
    assert_int_equal(r->tokenizer, r->score == RECIPE_BERT ? TOKENIZER_BERT : TOKENIZER_CLIP);
    assert_int_equal(r->prompt_most, r->score == RECIPE_BERT ? 35 : 77);
}

/* Scorers 3: mean and SD; 3.1: the rows of order, resize and crop. */
static void check_input(const recipe *r, const expected *x)
{
    static const double mean[] = {.48145466, .4578275, .40821073};
    static const double sd[] = {.26862954, .26130258, .27577711};
    const onnx_image_input *in = &r->input;
    assert_int_equal(in->layout, ONNX_NCHW);
    assert_false(in->bgr);
    assert_int_equal(in->height, 224);
    assert_int_equal(in->width, 224);
    assert_int_equal(in->fit, x->fit);
    assert_int_equal(in->crop, x->crop);
    assert_int_equal(in->tensor, x->tensor);
    assert_int_equal(in->antialias, x->antialias);
    assert_int_equal(in->before_rgb, x->before_rgb);
    assert_int_equal(in->how.kernel, RESIZE_BICUBIC);
    assert_int_equal(in->how.order, RESIZE_ACROSS_FIRST);
    assert_int_equal(in->pad, x->fit == ONNX_FIT_LONG ? ONNX_PAD_CENTER : ONNX_PAD_NONE);
    assert_int_equal(in->when_equal,
                     x->fit == ONNX_FIT_LONG ? ONNX_EQUAL_SKIP_PAD : ONNX_EQUAL_SKIP);
    assert_true(in->divide == 255);
    for (int k = 0; k < 3; k++) {
        assert_true(in->mean[k] == mean[k] && in->std[k] == sd[k]);
        assert_true(in->pad_colour[k] == 0);
    }
}

static void test_table(void **state)
{
    (void)state;
    for (size_t i = 0; i < ROWS; i++) {
        const expected *x = &table[i];
        recipe r = named(x->name);
        const recipe_file *f = recipe_file_of(&r, RECIPE_BACKBONE);
        assert_string_equal(r.name, x->name);
        assert_string_equal(r.scheme, x->scheme);
        check_vision(&r, x);
        check_text(&r, x);
        check_input(&r, x);
        assert_int_equal(r.score, x->score);
        assert_int_equal(r.scale, x->scale);
        assert_true(isnan(r.floor) && r.higher_is_better);
        assert_string_equal(f->sha256_count ? f->sha256[0] : "", x->sha256);
    }
}

static void test_all_are_shipped(void **state)
{
    (void)state;
    size_t n = 0;
    for (; recipe_name_at(n); n++) {
        size_t length;
        const char *bytes = recipe_text_of(&length, recipe_name_at(n));
        recipe r, again = named(recipe_name_at(n));
        assert_ok(recipe_parse(&r, &a, "text", bytes, length, &err));
        assert_string_equal(r.name, recipe_name_at(n));
        assert_string_equal(r.identity, again.identity);
        assert_true(*r.title && *r.meaning && *r.source && *r.licence && r.version == 1);
        if (n) assert_true(strcmp(recipe_name_at(n - 1), recipe_name_at(n)) < 0);
        for (size_t k = 0; k < n; k++)
            assert_string_not_equal(named(recipe_name_at(k)).identity, r.identity);
    }
    assert_int_equal(n, ROWS + 1); /* and nsfw */
    assert_null(recipe_name_at(SIZE_MAX));
}

/* 3.1 notes: five linear layers without activation; the numbering tells the other head. */
static void test_heads(void **state)
{
    (void)state;
    static const int widths[] = {768, 1024, 128, 64, 16, 1};
    static const char *const layers[] = {"layers.0", "layers.2", "layers.4", "layers.6",
                                         "layers.7"};
    static const char *const relu[] = {"layers.0", "layers.3", "layers.6", "layers.9",
                                       "layers.11"};
    recipe two = named("laion-v2"), one = named("laion-v1"), reward = named("imagereward");
    const recipe_file *head = recipe_file_of(&two, RECIPE_HEAD);
    const recipe_file *own = recipe_file_of(&reward, RECIPE_BACKBONE);
    assert_int_equal(head->layer_count, 5);
    assert_int_equal(head->relu_layer_count, 5);
    assert_int_equal(own->layer_count, 5);
    for (size_t i = 0; i < 5; i++) {
        assert_string_equal(head->layer[i], layers[i]);
        assert_string_equal(head->relu_layer[i], relu[i]);
        assert_string_equal(own->layer[i] + strlen("mlp."), layers[i]);
    }
    for (size_t i = 0; i < 6; i++) {
        assert_int_equal(head->width[i], widths[i]);
        assert_int_equal(own->width[i], widths[i]);
    }
    assert_string_equal(head->sha256[0],
                        "21dd590f3ccdc646f0d53120778b296013b096a035a2718c9cb0d511bff0f1e0");
    head = recipe_file_of(&one, RECIPE_HEAD);
    assert_int_equal(head->layer_count, 1);
    assert_string_equal(head->layer[0], "");
    assert_int_equal(head->width[0], 768);
    assert_int_equal(head->width[1], 1);
    assert_string_equal(head->sha256[0],
                        "2cd4e60f4f24ae3bcd57b847b13c1f3ba27edc28cc1a7f9ce74ee9f421243cba");
    assert_null(recipe_file_of(&reward, RECIPE_HEAD));
    assert_string_equal(reward.prefix, "blip.");
}

/* 3.1: score; 8.5: published values. */
static void test_constants(void **state)
{
    (void)state;
    static const double reward[] = {.5811622738838196, .2745276093482971, -1.4131819009780884,
                                    -2.029569625854492};
    static const double clip[] = {.9927937, .00421068, .00299572};
    recipe r = named("imagereward");
    assert_true(r.mean == 0.16717362830052426 && r.sd == 1.0333394966054072);
    assert_int_equal(r.published_count, 4);
    for (size_t i = 0; i < 4; i++) {
        assert_true(r.published[i].value == reward[i] && r.published[i].tolerance == 5e-3);
        assert_string_equal(r.published[i].prompt, "a painting of an ocean with clouds and birds, "
                            "day time, low depth field effect");
    }
    r = named("clip-b32");
    assert_int_equal(r.published_count, 3);
    for (size_t i = 0; i < 3; i++) {
        assert_true(r.published[i].value == clip[i] && r.published[i].softmax == 100);
        assert_true(r.published[i].tolerance == 1e-3);
    }
    r = named("hpsv2.0");
    assert_int_equal(r.published_count, 1);
    assert_true(r.published->value == .2876 && r.published->setting_count == 2);
    assert_string_equal(r.published->prompt, "A cat with two horns on its head");
    r = named("laion-v1");
    assert_true(r.published[0].value == 5.0491 && !r.published[0].wrong);
    assert_true(r.published[1].value == 4.033 && r.published[1].wrong);
    assert_int_equal(named("hpsv2.1").published_count, 0);
}

/* 1.4 of the issue: the NSFW filter of nsfwjs. */
static void test_nsfw(void **state)
{
    (void)state;
    static const char *const classes[] = {"Drawing", "Hentai", "Neutral", "Porn", "Sexy"};
    static const int summed[] = {1, 3, 4};
    recipe r = named("nsfw");
    assert_true(r.mobilenet && !r.higher_is_better && r.score == RECIPE_CLASSES && !r.prompt);
    assert_int_equal(r.class_name_count, 5);
    for (size_t i = 0; i < 5; i++) assert_string_equal(r.class_name[i], classes[i]);
    assert_int_equal(r.class_count, 3);
    for (size_t i = 0; i < 3; i++) assert_int_equal(r.classes[i], summed[i]);
    assert_int_equal(r.input.layout, ONNX_NHWC);
    assert_int_equal(r.input.how.kernel, RESIZE_BILINEAR);
    assert_true(r.input.divide == 255 && r.input.height == 224 && r.input.width == 224);
    /* Hentai + Porn + Sexy of two rows of tests/ref/nsfw_probabilities.tsv */
    assert_int_equal(r.published_count, 2);
    assert_string_equal(r.published[0].image, "astronaut.png");
    assert_float_equal(r.published[0].value, .00415453129 + .00177059101 + .000726967934, 1e-7);
    assert_string_equal(r.published[1].image, "patches.jpg");
    assert_float_equal(r.published[1].value, .00259954366 + .304740697 + .00207592454, 1e-7);
    assert_string_equal(r.tested, "compared with nsfwjs 4.3.0 in tare's tests");
    assert_string_equal(named("laion-v2").tested, "");
}

/* 3.1: "variants 100 x, or 2.5 x max(cos, 0) with prefix". */
static void test_variants(void **state)
{
    (void)state;
    recipe plain = named("clip"), r = named("clip");
    assert_string_equal(r.name, "clip-l14");
    assert_ok(recipe_choose(&r, &a, "cosine", &err));
    assert_string_equal(r.identity, plain.identity);
    assert_ok(recipe_choose(&r, &a, "x100", &err));
    assert_true(r.scale == RECIPE_SCALE_FIXED && r.scale_fixed == 100 && isnan(r.floor));
    assert_string_not_equal(r.identity, plain.identity);
    assert_ok(recipe_choose(&r, &a, "clipscore", &err));
    assert_true(r.scale == RECIPE_SCALE_FIXED && r.scale_fixed == 2.5 && r.floor == 0);
    assert_string_equal(r.prefix_words, "A photo depicts ");
    assert_int_equal(recipe_choose(&r, &a, "x10", &err), TARE_E_USAGE);
    assert_non_null(strstr(err.message, "cosine, x100, clipscore"));
    recipe pick = named("pickscore");
    assert_int_equal(recipe_choose(&pick, &a, "x100", &err), TARE_E_USAGE);
    assert_ok(recipe_choose(&pick, &a, NULL, &err));
}

static void test_names(void **state)
{
    (void)state;
    recipe r;
    assert_int_equal(recipe_named(&r, &a, "hpsv2", &err), TARE_E_USAGE); /* 3.1: no default */
    assert_string_equal(err.code, "recipe.name");
    assert_non_null(strstr(err.message, "hpsv2.0, hpsv2.1"));
    assert_int_equal(recipe_named(&r, &a, "picscore", &err), TARE_E_USAGE);
    assert_non_null(strstr(err.message, "nearest is pickscore"));
    assert_int_equal(recipe_named(&r, &a, "", &err), TARE_E_USAGE);
    size_t length = 7;
    assert_null(recipe_text_of(&length, "clip"));
    assert_int_equal(length, 0);
}

static void test_any_sizes(void **state)
{
    (void)state;
    recipe r = named("laion-v2"), whole = named("laion-v2");
    recipe_any_sizes(&r);
    assert_ok(recipe_identify(&r, &a, &err));
    assert_string_not_equal(r.identity, whole.identity);
    assert_int_equal(r.vision.width, 0);
    assert_int_equal(r.vision.heads, 16);
    assert_int_equal(recipe_file_of(&r, RECIPE_HEAD)->width_count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table),     cmocka_unit_test(test_all_are_shipped),
        cmocka_unit_test(test_heads),     cmocka_unit_test(test_constants),
        cmocka_unit_test(test_nsfw),      cmocka_unit_test(test_variants),
        cmocka_unit_test(test_names),     cmocka_unit_test(test_any_sizes),
    };
    return cmocka_run_group_tests(tests, open_arena, close_arena);
}
