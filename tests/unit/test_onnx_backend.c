/* onnx: - small models against Pillow and NumPy, batches, statuses, and what is refused. */
#include "support/check.h"

#include <string.h>

#include "base/os.h"
#include "base/pool.h"
#include "onnx_fixture.h"
#include "scorer/fingerprint.h"
#include "support/tiny_onnx.h"

static tare_error err;
static fixture f;

static int begin(void **state)
{
    (void)state;
    fixture_begin(&f, 4);
    return 0;
}

static int end(void **state)
{
    (void)state;
    fixture_end(&f);
    return 0;
}

static scorer *open_kind(fixture_scorer which)
{
    char spec[160];
    return fixture_open(&f, fixture_spec_of(&f, which, spec));
}

static void scores_of_the_reference(void **state)
{
    (void)state;
    for (int which = 0; which < FIXTURE_SCORERS; which++) {
        scorer *s = open_kind((fixture_scorer)which);
        for (size_t k = 0; k < FIXTURE_PICTURES; k++) {
            scorer_item item = fixture_item(&f, k);
            scorer_result r = fixture_score(s, &item);
            assert_int_equal(r.status, TARE_R_NONE);
            assert_within(r.value, fixture_scores[k][which], 2e-6, 2e-7);
        }
        scorer_close(s);
    }
}

static void a_description_says_what_it_is(void **state)
{
    (void)state;
    fixture_write(&f, "low.json", "{\"tare_scorer\": 1, \"name\": \"low\", \"model\": "
                  "\"mean.onnx\", \"source\": \"formula\", \"licence\": \"none needed\", "
                  "\"input\": {\"name\": \"image\", \"kind\": \"image\", %s}, \"output\": {\"name\""
                  ": \"score\", \"ops\": [], \"higher_is_better\": false, \"range\": [0, 9]}}",
                  fixture_input);
    char spec[160];
    scorer *s = fixture_open(&f, fixture_spec(&f, "low", spec));
    const scorer_description *d = scorer_describe(s);
    assert_string_equal(d->name, "low");
    assert_string_equal(d->source, "formula");
    assert_string_equal(d->licence, "none needed");
    assert_true(d->sign == -1.0 && d->range_lo == 0.0 && d->range_hi == 9.0 && d->batch == 1);
    assert_true(d->parallel && d->cacheable && d->needs_pixels && d->repeatable && d->identified);
    assert_false(d->any_mode);
    static const char *const said[] = {"\"decoding\":\"strict\"", "\"kind\":\"onnx\"",
                                       "\"manifest\":{", "\"model\":{\"bytes\":", "\"sha256\":\"",
                                       "\"weights\":[]"};
    for (size_t i = 0; i < sizeof said / sizeof *said; i++)
        assert_non_null(strstr(d->identity, said[i]));
    static const char *const runs[] = {"\"name\":\"ONNX Runtime\"", "\"version\":\"1.",
                                       "\"threads\":1", "\"provider\":\"cpu\"",
                                       "\"batch\":1", "\"tare\":\"",
                                       "\"feed\":\"in the model\"", "\"optimisation\":\"default\""};
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++)
        assert_non_null(strstr(d->runtime, runs[i]));
    assert_null(strstr(d->identity, f.folder)); /* no paths of a machine */
    assert_null(strstr(d->runtime, f.folder));
    char short_name[65];
    memcpy(short_name, d->identity_hash, 65);
    scorer_close(s);
    f.options.decoding.policy = IMAGE_PUBLISHED;
    s = fixture_open(&f, spec);
    assert_non_null(strstr(scorer_describe(s)->identity, "\"decoding\":\"published\""));
    assert_string_not_equal(scorer_describe(s)->identity_hash, short_name);
    scorer_close(s);
    f.options.decoding.policy = IMAGE_STRICT;
}

static void a_member_goes_to_its_place(void **state)
{
    (void)state;
    arena a;
    arena_init(&a, &f.context->mem);
    assert_string_equal(fingerprint_with(&a, "{}", "k", "1"), "{\"k\":1}");
    assert_string_equal(fingerprint_with(&a, "{\"a\":{\"z\":[{}]},\"m\":\"}\"}", "k", "1"),
                        "{\"a\":{\"z\":[{}]},\"k\":1,\"m\":\"}\"}");
    assert_string_equal(fingerprint_with(&a, "{\"l\":2}", "k", "1"), "{\"k\":1,\"l\":2}");
    assert_string_equal(fingerprint_with(&a, "{\"a\":[1,2]}", "k", "1"), "{\"a\":[1,2],\"k\":1}");
    arena_free(&a);
}

static void a_batch_is_padded_and_changes_nothing(void **state)
{
    (void)state;
    f.options.batch = 3;
    for (int which = 0; which < FIXTURE_SCORERS; which++) {
        if (which == BY_PROMPT) continue; /* its graph has the ids of one image */
        scorer *s = open_kind((fixture_scorer)which);
        assert_int_equal(scorer_describe(s)->batch, 3);
        scorer_item items[3];
        scorer_result r[3];
        for (size_t k = 0; k < 3; k++) items[k] = fixture_item(&f, k);
        for (size_t n = 1; n <= 3; n++) {
            assert_ok(scorer_score(s, r, items, n, &err));
            for (size_t k = 0; k < n; k++) {
                assert_int_equal(r[k].status, TARE_R_NONE);
                assert_within(r[k].value, fixture_scores[k][which], 2e-6, 2e-7);
            }
        }
        scorer_close(s);
    }
    f.options.batch = 0;
}

static char said[640];
static void hear(void *user, tare_level level, const char *text)
{
    (void)user;
    (void)level;
    snprintf(said, sizeof said, "%s", text);
}

static void a_graph_of_fixed_batch_keeps_it(void **state)
{
    (void)state;
    static const char four[] = "{\"tare_scorer\": 1, \"name\": \"four\", \"model\": \"four.onnx\", "
        "\"input\": {\"name\": \"image\", \"kind\": \"image\", \"size\": [8, 8], \"resize\": "
        "{\"mode\": \"stretch\", \"kernel\": \"box\"}, \"divide\": 1, \"mean\": [0, 0, 0], "
        "\"std\": [1, 1, 1]}, \"output\": {\"name\": \"score\", \"ops\": [], "
        "\"higher_is_better\": true}%s}";
    char spec[160];
    scorer *s;
    fixture_write(&f, "four.json", four, "");
    assert_int_equal(scorer_open(&s, f.context, fixture_spec(&f, "four", spec), &f.options, &err),
                     TARE_E_DATA);
    assert_non_null(strstr(err.message, "batch"));
    fixture_write(&f, "four.json", four, ", \"batch\": 4");
    s = fixture_open(&f, spec);
    assert_int_equal(scorer_describe(s)->batch, 4);
    scorer_item item = fixture_item(&f, 0);
    scorer_result r = fixture_score(s, &item);
    double sum = 0; /* 40 x 30 to 8 x 8: the mean of all bytes, but for rounding */
    for (size_t i = 0; i < 3600; i++) sum += f.picture[0].rgb[i];
    assert_within(r.value, sum / 3600, 0, 0.5);
    scorer_close(s);
    f.options.batch = 2;
    f.context->message = hear;
    s = fixture_open(&f, spec);
    assert_int_equal(scorer_describe(s)->batch, 4);
    assert_non_null(strstr(said, "fixed at 4"));
    scorer_close(s);
    f.options.batch = 0;
    f.context->message = NULL;
}

static void what_cannot_be_scored_is_a_status(void **state)
{
    (void)state;
    char spec[160];
    fixture_write(&f, "none.json", "{\"tare_scorer\": 1, \"name\": \"none\", \"model\": "
                  "\"mean.onnx\", \"input\": {\"name\": \"image\", \"kind\": \"image\", \"size\": "
                  "[30, 40], \"resize\": {\"mode\": \"none\"}, \"divide\": 255, \"mean\": [0, 0, 0]"
                  ", \"std\": [1, 1, 1]}, \"output\": {\"name\": \"score\", \"ops\": [], "
                  "\"higher_is_better\": true}}");
    f.options.batch = 4;
    scorer *s = fixture_open(&f, fixture_spec(&f, "none", spec));
    image small;
    assert_ok(image_new(&small, &f.context->mem, 39, 30, &err));
    memset(small.rgb, 9, image_pixels(&small) * 3);
    scorer_item items[4] = {fixture_item(&f, 0), fixture_item(&f, 1), fixture_item(&f, 2),
                            fixture_item(&f, 3)};
    scorer_result r[4], alone[4];
    assert_ok(scorer_score(s, alone, items, 4, &err));
    items[0].pixels = items[2].pixels = &small;
    assert_ok(scorer_score(s, r, items, 4, &err));
    for (size_t k = 0; k < 4; k += 2) {
        assert_int_equal(r[k].status, TARE_R_UNSUPPORTED_PIXELS);
        assert_non_null(strstr(r[k].note, "39 x 30"));
        assert_true(isnan(r[k].value));
    }
    assert_true(r[1].value == alone[1].value && r[3].value == alone[3].value);
    assert_ok(scorer_score(s, r, items, 1, &err)); /* none at all */
    assert_int_equal(r[0].status, TARE_R_UNSUPPORTED_PIXELS);
    scorer_close(s);
    image_free(&small, &f.context->mem);
    f.options.batch = 0;
}

static void a_score_that_is_no_number(void **state)
{
    (void)state;
    char spec[160];
    fixture_write(&f, "nan.json", "{\"tare_scorer\": 1, \"name\": \"nan\", \"model\": "
                  "\"nan.onnx\", \"input\": {\"name\": \"image\", \"kind\": \"image\", \"size\": "
                  "[8, 8], \"resize\": {\"mode\": \"stretch\", \"kernel\": \"box\"}, \"divide\": "
                  "255, \"mean\": [0, 0, 0], \"std\": [1, 1, 1]}, \"output\": {\"name\": \"score\","
                  " \"ops\": [], \"higher_is_better\": true}, \"batch\": 2}");
    scorer *s = fixture_open(&f, fixture_spec(&f, "nan", spec));
    image bright;
    assert_ok(image_new(&bright, &f.context->mem, 8, 8, &err));
    memset(bright.rgb, 200, image_pixels(&bright) * 3);
    image dark = {0};
    assert_ok(image_new(&dark, &f.context->mem, 8, 8, &err));
    memset(dark.rgb, 51, image_pixels(&dark) * 3);
    scorer_item items[2] = {fixture_item(&f, 0), fixture_item(&f, 1)};
    scorer_result r[2];
    items[0].pixels = &bright;
    items[1].pixels = &dark;
    assert_ok(scorer_score(s, r, items, 2, &err));
    assert_int_equal(r[0].status, TARE_R_SCORE_NONFINITE);
    assert_true(isnan(r[0].value));
    assert_int_equal(r[1].status, TARE_R_NONE);
    assert_within(r[1].value, 0.2, 1e-6, 0);
    scorer_close(s);
    image_free(&bright, &f.context->mem);
    image_free(&dark, &f.context->mem);
}

/* A model whose call fails where the mean is above 0.3: it looks up place 10 mean of three. */
static void write_picky_model(void)
{
    char path[160];
    model_writer w;
    tiny_begin(&w);
    model_write_input(&w, "image", ORT_F32, 4, TINY_DIMS(-1, 3, 8, 8));
    model_write_node(&w, "ReduceMean", "image", "mean");
    model_write_ints(&w, "axes", TINY_DIMS(1, 2, 3), 3);
    model_write_int(&w, "keepdims", 0);
    tiny_floats(&w, "ten", 0, NULL, (float[]){10});
    tiny_floats(&w, "table", 1, TINY_DIMS(3), (float[]){5, 6, 7});
    model_write_node(&w, "Mul", "mean ten", "tenfold");
    model_write_node(&w, "Cast", "tenfold", "place");
    model_write_int(&w, "to", ORT_I64);
    model_write_node(&w, "Gather", "table place", "score");
    model_write_output(&w, "score", ORT_F32, 1, TINY_DIMS(-1));
    snprintf(path, sizeof path, "%s/picky.onnx", f.folder);
    assert_true(tiny_save(&w, path));
}

static void a_call_that_fails_is_a_status(void **state)
{
    (void)state;
    char spec[160];
    unsigned char bright[192], dark[192];
    write_picky_model();
    fixture_write(&f, "picky.json", "{\"tare_scorer\": 1, \"name\": \"picky\", \"model\": "
                  "\"picky.onnx\", \"input\": {\"name\": \"image\", \"kind\": \"image\", "
                  "\"size\": [8, 8], \"resize\": {\"mode\": \"none\"}, \"divide\": 255}, "
                  "\"output\": {\"name\": \"score\"}, \"batch\": 2}");
    scorer *s = fixture_open(&f, fixture_spec(&f, "picky", spec));
    memset(bright, 200, sizeof bright);
    memset(dark, 30, sizeof dark);
    image a = {.width = 8, .height = 8, .channels = 3, .rgb = bright}, b = a;
    b.rgb = dark;
    scorer_item items[2] = {fixture_item(&f, 0), fixture_item(&f, 1)};
    scorer_result r[2];
    items[0].pixels = &a;
    items[1].pixels = &b;
    assert_ok(scorer_score(s, r, items, 2, &err));
    for (int k = 0; k < 2; k++) {
        assert_int_equal(r[k].status, TARE_R_SCORER_ERROR);
        assert_non_null(strstr(r[k].note, "Gather")); /* the library's words */
    }
    assert_ok(scorer_score(s, r, items + 1, 1, &err)); /* and the next call is as good as ever */
    assert_int_equal(r[0].status, TARE_R_NONE);
    assert_true(r[0].value == 6);
    scorer_close(s);
}

/* A model that is asked for another mode than RGB gets RGB, as Pillow converts it. */
static void grey_is_repeated(void **state)
{
    (void)state;
    image grey, rgb;
    assert_ok(image_new(&grey, &f.context->mem, 40, 30, &err));
    assert_ok(image_new(&rgb, &f.context->mem, 40, 30, &err));
    grey.mode = IMAGE_GREY;
    grey.channels = 1;
    for (size_t i = 0; i < 1200; i++) {
        grey.rgb[i] = f.picture[0].rgb[i];
        memset(rgb.rgb + 3 * i, grey.rgb[i], 3);
    }
    scorer *s = open_kind(BY_MEAN);
    scorer_item a = fixture_item(&f, 0), b = a;
    a.pixels = &grey;
    b.pixels = &rgb;
    scorer_result of_grey = fixture_score(s, &a), of_rgb = fixture_score(s, &b);
    assert_int_equal(of_grey.status, TARE_R_NONE);
    assert_true(of_grey.value == of_rgb.value);
    assert_int_equal(grey.mode, IMAGE_GREY); /* the caller's own is left alone */
    scorer_close(s);
    image_free(&grey, &f.context->mem);
    image_free(&rgb, &f.context->mem);
}

/* Resized with its alpha, which is dropped afterwards: not what comes of dropping it first. */
static void the_mode_of_the_file(void **state)
{
    (void)state;
    static const char text[] = "{\"tare_scorer\": 1, \"name\": \"own mode\", \"model\": "
        "\"mean.onnx\", \"input\": {\"name\": \"image\", \"kind\": \"image\", \"size\": [1, 1], "
        "\"resize\": {\"mode\": \"stretch\", \"kernel\": \"box\", \"before_rgb\": %s}, "
        "\"divide\": 1, \"mean\": [0, 0, 0], \"std\": [1, 1, 1]}, \"output\": {\"name\": "
        "\"score\", \"ops\": [], \"higher_is_better\": true}}";
    unsigned char rgba[8] = {200, 200, 200, 255, 10, 10, 10, 0};
    image p = {.width = 2, .height = 1, .channels = 4, .rgb = rgba, .mode = IMAGE_RGBA};
    scorer_item item = fixture_item(&f, 0);
    char spec[160];
    scorer *s;
    item.pixels = &p;
    f.options.decoding.policy = IMAGE_PUBLISHED;
    fixture_write(&f, "mode.json", text, "true");
    s = fixture_open(&f, fixture_spec(&f, "mode", spec));
    assert_true(scorer_describe(s)->any_mode);
    assert_within(fixture_score(s, &item).value, 199, 0, 1e-4); /* as Pillow: no hidden colour */
    scorer_close(s);
    fixture_write(&f, "mode.json", text, "false");
    s = fixture_open(&f, spec);
    assert_within(fixture_score(s, &item).value, 105, 0, 1e-4);
    scorer_close(s);
    f.options.decoding.policy = IMAGE_STRICT;
}

typedef struct race {
    scorer *s;
    double *value;
    atomic_size_t bad;
} race;

static tare_status one(void *arg, size_t first, size_t last, unsigned worker, tare_error *e)
{
    race *x = arg;
    (void)worker;
    for (size_t i = first; i < last; i++) {
        scorer_item item = fixture_item(&f, i % FIXTURE_PICTURES);
        scorer_result r;
        tare_status status = scorer_score(x->s, &r, &item, 1, e);
        if (status != TARE_OK) return status;
        x->value[i] = r.value;
        if (r.status != TARE_R_NONE) atomic_fetch_add(&x->bad, 1);
    }
    return TARE_OK;
}

static void four_workers_ask_one_session(void **state)
{
    (void)state;
    static double value[400];
    for (int which = 0; which < FIXTURE_SCORERS; which++) {
        race x = {open_kind((fixture_scorer)which), value, 0};
        assert_ok(pool_for(f.context->pool, 400, 1, one, &x, &err));
        assert_int_equal(atomic_load(&x.bad), 0);
        for (size_t i = 0; i < 400; i++)
            assert_true(value[i] == value[i % FIXTURE_PICTURES]);
        scorer_close(x.s);
    }
}

/* ---- What is refused ------------------------------------------------------------------------ */

static void refused(const char *spec, tare_status status, const char *code, const char *words)
{
    scorer *s;
    tare_status got = scorer_open(&s, f.context, spec, &f.options, &err);
    if (got != status || strcmp(err.code, code) || !strstr(err.message, words))
        fail_msg("%s: %s [%s] %s %s", spec, tare_status_name(got), err.code, err.where,
                 err.message);
    assert_null(s);
}

static void wrong_manifests_and_graphs(void **state)
{
    (void)state;
    static const char good[] = "{\"tare_scorer\": 1, \"name\": \"x\", \"model\": \"%s\", "
        "\"input\": {\"name\": \"%s\", \"kind\": \"image\", %s%s}, \"output\": {\"name\": "
        "\"%s\", \"ops\": %s, \"higher_is_better\": true}}";
    char spec[160], path[160];
    refused("onnx:", TARE_E_USAGE, "onnx.manifest", "takes the manifest");
    snprintf(path, sizeof path, "onnx:%s/mean.onnx", f.folder);
    refused(path, TARE_E_USAGE, "onnx.manifest", "write a manifest");
    refused("onnx:/nowhere/at-all.json", TARE_E_IO, "io.open", "");
    fixture_spec(&f, "wrong", spec);
    fixture_write(&f, "wrong.json", good, "gone.onnx", "image", "", fixture_input, "score", "[]");
    refused(spec, TARE_E_IO, "io.open", "");
    fixture_write(&f, "wrong.json", good, "mean.onnx", "imago", "", fixture_input, "score", "[]");
    refused(spec, TARE_E_DATA, "manifest.input", "did you mean image");
    fixture_write(&f, "wrong.json", good, "mean.onnx", "image", "\"layout\": \"nhwc\", ",
                  fixture_input, "score", "[]");
    refused(spec, TARE_E_DATA, "manifest.input", "nhwc");
    fixture_write(&f, "wrong.json", good, "mean.onnx", "image", "\"dtype\": \"f16\", ",
                  fixture_input, "score", "[]");
    refused(spec, TARE_E_DATA, "manifest.input", "f16");
    fixture_write(&f, "wrong.json", good, "mean.onnx", "image", "", fixture_input, "store", "[]");
    refused(spec, TARE_E_DATA, "manifest.output", "did you mean score");
    fixture_write(&f, "wrong.json", good, "classes.onnx", "image", "", fixture_input, "score",
                  "[]");
    refused(spec, TARE_E_DATA, "manifest.ops", "not one number for each image");
    fixture_write(&f, "wrong.json", good, "mean.onnx", "image", "", fixture_input, "score",
                  "[[\"dot\", \"gone.npy\"]]");
    refused(spec, TARE_E_IO, "io.open", "(dot at ");
    assert_non_null(strstr(err.message, "wrong.json:1)"));
}

/* One plain image says little of others. */
static void a_trial_without_a_number_is_a_warning(void **state)
{
    (void)state;
    char spec[160];
    scorer *s;
    fixture_write(&f, "log.json", "{\"tare_scorer\": 1, \"name\": \"x\", \"model\": "
                  "\"mean.onnx\", \"input\": {\"name\": \"image\", \"kind\": \"image\", %s}, "
                  "\"output\": {\"name\": \"score\", \"ops\": [[\"affine\", 0, -1], [\"log\"]]}}",
                  fixture_input);
    f.context->message = hear;
    said[0] = '\0';
    s = fixture_open(&f, fixture_spec(&f, "log", spec));
    f.context->message = NULL;
    assert_non_null(strstr(said, "log.json: a plain image gets a score that is not finite"));
    scorer_item item = fixture_item(&f, 0);
    scorer_result r = fixture_score(s, &item);
    assert_int_equal(r.status, TARE_R_SCORE_NONFINITE);
    assert_string_equal(r.note, "the output after its operations is not a number");
    scorer_close(s);
}

/* Turns of a loop: 4 million times what the mean of the image exceeds 0.5 by. */
static void write_slow_model(void)
{
    enum { SIDE = 64 };
    static float matrix[SIDE * SIDE];
    char path[160];
    model_writer w, body;
    tiny_begin(&body);
    model_write_input(&body, "turn", ORT_I64, 0, NULL);
    model_write_input(&body, "go_in", ORT_BOOL, 0, NULL);
    model_write_input(&body, "state_in", ORT_F32, 2, TINY_DIMS(SIDE, SIDE));
    model_write_node(&body, "Identity", "go_in", "go_out");
    model_write_node(&body, "MatMul", "state_in matrix", "state_out");
    model_write_output(&body, "go_out", ORT_BOOL, 0, NULL);
    model_write_output(&body, "state_out", ORT_F32, 2, TINY_DIMS(SIDE, SIDE));
    tiny_begin(&w);
    model_write_input(&w, "image", ORT_F32, 4, TINY_DIMS(-1, 3, 8, 8));
    tiny_floats(&w, "matrix", 2, TINY_DIMS(SIDE, SIDE), matrix);
    tiny_floats(&w, "half", 0, NULL, (float[]){0.5F});
    tiny_floats(&w, "many", 0, NULL, (float[]){4e6F});
    model_write_tensor(&w, &(model_tensor){.name = "go", .type = ORT_BOOL, .bytes = "\1",
                                           .length = 1});
    model_write_node(&w, "ReduceMean", "image", "mean");
    model_write_int(&w, "keepdims", 0);
    model_write_node(&w, "Sub", "mean half", "more");
    model_write_node(&w, "Mul", "more many", "turns");
    model_write_node(&w, "Cast", "turns", "times");
    model_write_int(&w, "to", ORT_I64);
    model_write_node(&w, "Loop", "times go matrix", "state");
    model_write_body(&w, "body", &body);
    model_write_node(&w, "ReduceMean", "state", "nothing");
    model_write_int(&w, "keepdims", 0);
    model_write_node(&w, "Add", "mean nothing", "score");
    model_write_output(&w, "score", ORT_F32, 0, NULL);
    snprintf(path, sizeof path, "%s/slow-if-bright.onnx", f.folder);
    assert_true(tiny_save(&w, path));
}

static void a_call_that_takes_too_long_is_a_timeout(void **state)
{
    (void)state;
    char spec[160];
    unsigned char bright[192], dark[192];
    write_slow_model();
    fixture_write(&f, "slow.json", "{\"tare_scorer\": 1, \"name\": \"slow\", \"model\": "
                  "\"slow-if-bright.onnx\", \"input\": {\"name\": \"image\", \"kind\": "
                  "\"image\", \"size\": [8, 8], \"resize\": {\"mode\": \"none\"}, \"divide\": "
                  "255}, \"output\": {\"name\": \"score\"}}");
    f.options.timeout_seconds = 0.3;
    scorer *s = fixture_open(&f, fixture_spec(&f, "slow", spec));
    f.options.timeout_seconds = 120;
    memset(bright, 250, sizeof bright);
    memset(dark, 51, sizeof dark);
    image a = {.width = 8, .height = 8, .channels = 3, .rgb = bright}, b = a;
    scorer_item item = fixture_item(&f, 0);
    for (int turn = 0; turn < 2; turn++) { /* and the next call is as good as ever */
        item.pixels = &a;
        double start = os_seconds();
        scorer_result r = fixture_score(s, &item);
        assert_int_equal(r.status, TARE_R_TIMEOUT);
        assert_string_equal(r.note, "no answer within 0.3 s (--timeout)");
        assert_true(os_seconds() - start < 5); /* the whole would take half a minute */
        b.rgb = dark;
        item.pixels = &b;
        r = fixture_score(s, &item);
        assert_int_equal(r.status, TARE_R_NONE);
        assert_within(r.value, 0.2, 1e-6, 0);
    }
    scorer_close(s);
}

static void what_is_not_for_photographs(void **state)
{
    (void)state;
    char spec[160];
    fixture_write(&f, "vector.json", "{\"tare_scorer\": 1, \"name\": \"x\", \"model\": \"head.onnx"
                  "\", \"input\": {\"name\": \"embedding\", \"kind\": \"vector\", \"length\": 8}, "
                  "\"output\": {\"name\": \"score\", \"ops\": [], \"higher_is_better\": true}}");
    refused(fixture_spec(&f, "vector", spec), TARE_E_USAGE, "onnx.kind", "as input.from");
}

static void a_library_that_is_none(void **state)
{
    (void)state;
    char spec[160], path[160];
    snprintf(path, sizeof path, "%s/mean.onnx", f.folder);
    const char *was = f.options.ort_library;
    f.options.ort_library = path;
    refused(fixture_spec_of(&f, BY_MEAN, spec), TARE_E_DATA, "onnx.library", "");
    f.options.ort_library = was;
}

static void a_stop_ends_the_run(void **state)
{
    (void)state;
    fixture own;
    fixture_begin(&own, 1);
    char spec[160];
    scorer *s = fixture_open(&own, fixture_spec_of(&own, BY_HEAD, spec));
    scorer *again;
    scorer_item item = fixture_item(&own, 0);
    scorer_result r;
    tare_context_stop(own.context);
    assert_int_equal(scorer_score(s, &r, &item, 1, &err), TARE_E_STOPPED);
    assert_int_equal(scorer_open(&again, own.context, spec, &own.options, &err), TARE_E_STOPPED);
    scorer_close(s);
    fixture_end(&own);
}

int main(void)
{
    NEED_ORT();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scores_of_the_reference),
        cmocka_unit_test(a_description_says_what_it_is),
        cmocka_unit_test(a_member_goes_to_its_place),
        cmocka_unit_test(a_batch_is_padded_and_changes_nothing),
        cmocka_unit_test(a_graph_of_fixed_batch_keeps_it),
        cmocka_unit_test(what_cannot_be_scored_is_a_status),
        cmocka_unit_test(a_score_that_is_no_number),
        cmocka_unit_test(a_call_that_fails_is_a_status),
        cmocka_unit_test(grey_is_repeated),
        cmocka_unit_test(the_mode_of_the_file),
        cmocka_unit_test(four_workers_ask_one_session),
        cmocka_unit_test(wrong_manifests_and_graphs),
        cmocka_unit_test(a_trial_without_a_number_is_a_warning),
        cmocka_unit_test(a_call_that_takes_too_long_is_a_timeout),
        cmocka_unit_test(what_is_not_for_photographs),
        cmocka_unit_test(a_library_that_is_none),
        cmocka_unit_test(a_stop_ends_the_run),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
