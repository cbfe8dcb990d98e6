/* Segmenters: masks that can be told by eye, statuses, threads, and what is refused. All else
 * against Pillow and NumPy: tests/ref/onnx_segment_numpy.py. */
#include "support/check.h"

#include <string.h>

#include "base/os.h"
#include "base/pool.h"
#include "image/resize.h"
#include "onnx_fixture.h"
#include "scorer/segmenter.h"
#include "support/tiny_onnx.h"

enum { SIDE = 8 };

static tare_error err;
static fixture f;

static void save(model_writer *w, const char *name)
{
    char path[160];
    snprintf(path, sizeof path, "%s/%s.onnx", f.folder, name);
    assert_true(tiny_save(w, path));
}

static void begin_model(model_writer *w)
{
    tiny_begin(w);
    model_write_input(w, "image", ORT_F32, 4, TINY_DIMS(-1, 3, SIDE, SIDE));
}

/* The picture itself as a map; its logarithm, which black has none of; a map of two pictures. */
static void write_models(void)
{
    model_writer w;
    begin_model(&w);
    model_write_node(&w, "Identity", "image", "map");
    model_write_output(&w, "map", ORT_F32, 4, TINY_DIMS(-1, 3, SIDE, SIDE));
    save(&w, "same");
    begin_model(&w);
    model_write_node(&w, "Log", "image", "map");
    model_write_output(&w, "map", ORT_F32, 4, TINY_DIMS(-1, 3, SIDE, SIDE));
    save(&w, "log");
    begin_model(&w);
    model_write_node(&w, "Concat", "image image", "map");
    model_write_int(&w, "axis", 0);
    model_write_output(&w, "map", ORT_F32, 4, TINY_DIMS(-1, -1, -1, -1));
    save(&w, "double");
}

/* Turns of a loop: 4 million times what the mean of the picture exceeds a half by. */
static void write_slow_model(void)
{
    enum { WIDE = 64 };
    static float matrix[WIDE * WIDE];
    model_writer w, body;
    tiny_begin(&body);
    model_write_input(&body, "turn", ORT_I64, 0, NULL);
    model_write_input(&body, "go_in", ORT_BOOL, 0, NULL);
    model_write_input(&body, "state_in", ORT_F32, 2, TINY_DIMS(WIDE, WIDE));
    model_write_node(&body, "Identity", "go_in", "go_out");
    model_write_node(&body, "MatMul", "state_in matrix", "state_out");
    model_write_output(&body, "go_out", ORT_BOOL, 0, NULL);
    model_write_output(&body, "state_out", ORT_F32, 2, TINY_DIMS(WIDE, WIDE));
    begin_model(&w);
    tiny_floats(&w, "matrix", 2, TINY_DIMS(WIDE, WIDE), matrix);
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
    model_write_node(&w, "Add", "image nothing", "map");
    model_write_output(&w, "map", ORT_F32, 4, TINY_DIMS(-1, 3, SIDE, SIDE));
    save(&w, "slow");
}

static int begin(void **state)
{
    (void)state;
    fixture_begin(&f, 4);
    write_models();
    write_slow_model();
    return 0;
}

static int end(void **state)
{
    (void)state;
    fixture_end(&f);
    return 0;
}

#define STRETCH "\"resize\": {\"mode\": \"stretch\", \"kernel\": \"nearest\"}"
#define RED "{\"layout\": \"nchw\", \"channel\": 0, \"activation\": \"none\"}"

/* The manifest and spec of a model of this file. */
static const char *spec_of(const char *model, const char *resize, const char *map, char out[160])
{
    fixture_write(&f, "it.json", "{\"tare_scorer\": 1, \"name\": \"%s\", \"model\": \"%s.onnx\", "
                  "\"source\": \"a formula\", \"licence\": \"none\", \"input\": {\"name\": "
                  "\"image\", \"kind\": \"image\", \"size\": [8, 8], %s, \"divide\": 255}, "
                  "\"output\": {\"name\": \"map\", \"map\": %s}}", model, model, resize, map);
    return fixture_spec(&f, "it", out);
}

static segmenter *open_it(const char *model, const char *resize, const char *map)
{
    char spec[160];
    segmenter *s;
    assert_ok(segmenter_open(&s, f.context, spec_of(model, resize, map, spec), &f.options, &err));
    return s;
}

/* A picture of one grey with a red rectangle. */
typedef struct drawn {
    image picture;
    unsigned char rgb[3 * 32 * 32], mask[32 * 32];
} drawn;

static void draw(drawn *d, int width, int height, unsigned char grey)
{
    *d = (drawn){.picture = {.width = width, .height = height, .channels = 3}};
    d->picture.rgb = d->rgb;
    memset(d->rgb, grey, sizeof d->rgb);
    memset(d->mask, 7, sizeof d->mask);
}

static void draw_red(drawn *d, image_rect r)
{
    for (int y = r.y; y < r.y + r.height; y++)
        for (int x = r.x; x < r.x + r.width; x++)
            d->rgb[3 * (y * d->picture.width + x)] = 230;
}

static segmenter_failure run(segmenter *s, drawn *d)
{
    segmenter_failure failure;
    assert_ok(segmenter_run(s, d->mask, &d->picture, &failure, &err));
    return failure;
}

static void assert_mask(const drawn *d, image_rect r)
{
    for (int y = 0; y < d->picture.height; y++)
        for (int x = 0; x < d->picture.width; x++) {
            int want = x >= r.x && x < r.x + r.width && y >= r.y && y < r.y + r.height;
            if (d->mask[y * d->picture.width + x] != want)
                fail_msg("(%d, %d) is %d", x, y, d->mask[y * d->picture.width + x]);
        }
}

static void a_mask_of_the_same_size_is_exact(void **state)
{
    (void)state;
    drawn d;
    segmenter *s = open_it("same", STRETCH, RED);
    const image_rect r = {2, 3, 4, 1};
    draw(&d, 8, 8, 20);
    draw_red(&d, r);
    assert_int_equal(run(s, &d).reason, TARE_R_NONE);
    assert_mask(&d, r);
    segmenter_close(s);
    s = open_it("same", STRETCH, "{\"layout\": \"nchw\", \"channel\": 1, \"activation\": \"none\", "
                "\"threshold\": 0.05, \"greater\": false}"); /* green is 20/255 everywhere */
    assert_int_equal(run(s, &d).reason, TARE_R_NONE);
    assert_mask(&d, (image_rect){0, 0, 0, 0});
    segmenter_close(s);
}

/* 24 x 8: the middle 8 columns are seen, the reddest ones outside are background. */
static void what_is_cropped_away_is_background(void **state)
{
    (void)state;
    drawn d;
    segmenter *s = open_it("same", "\"resize\": {\"mode\": \"none\"}, \"crop\": \"center-round\"",
                           RED);
    draw(&d, 24, 8, 20);
    draw_red(&d, (image_rect){0, 2, 24, 3});
    assert_int_equal(run(s, &d).reason, TARE_R_NONE);
    assert_mask(&d, (image_rect){8, 2, 8, 3});
    segmenter_close(s);
}

/* 16 x 8 becomes 8 x 4 in the middle of red padding, which must not come in from the sides. */
static void padding_stays_outside(void **state)
{
    (void)state;
    drawn d;
    segmenter *s = open_it("same", "\"resize\": {\"mode\": \"long\", \"kernel\": \"nearest\"}, "
                           "\"pad\": {\"colour\": [255, 255, 255], \"place\": \"center\"}", RED);
    draw(&d, 16, 8, 20);
    assert_int_equal(run(s, &d).reason, TARE_R_NONE);
    assert_mask(&d, (image_rect){0, 0, 0, 0});
    draw_red(&d, (image_rect){0, 0, 16, 8});
    assert_int_equal(run(s, &d).reason, TARE_R_NONE);
    assert_mask(&d, (image_rect){0, 0, 16, 8});
    segmenter_close(s);
}

static void one_picture_may_fail(void **state)
{
    (void)state;
    drawn d;
    segmenter *s = open_it("log", STRETCH, "{\"layout\": \"nchw\", \"channel\": 0, "
                           "\"activation\": \"none\", \"threshold\": -0.7}");
    for (int turn = 0; turn < 2; turn++) { /* and the next is as good as ever */
        draw(&d, 8, 8, 0);
        segmenter_failure failure = run(s, &d);
        assert_int_equal(failure.reason, TARE_R_SCORER_ERROR);
        assert_string_equal(failure.why, "the map has values that are not finite numbers");
        draw(&d, 8, 8, 200);
        assert_int_equal(run(s, &d).reason, TARE_R_NONE);
        assert_mask(&d, (image_rect){0, 0, 8, 8});
    }
    segmenter_close(s);
    s = open_it("same", "\"resize\": {\"mode\": \"none\"}", RED);
    draw(&d, 9, 8, 200);
    segmenter_failure failure = run(s, &d);
    assert_int_equal(failure.reason, TARE_R_UNSUPPORTED_PIXELS);
    assert_non_null(strstr(failure.why, "9 x 8, the model takes 8 x 8"));
    segmenter_close(s);
}

static void time_runs_out(void **state)
{
    (void)state;
    drawn d;
    f.options.timeout_seconds = 0.3;
    segmenter *s = open_it("slow", STRETCH, RED);
    f.options.timeout_seconds = 120;
    draw(&d, 8, 8, 250);
    segmenter_failure failure = run(s, &d);
    assert_int_equal(failure.reason, TARE_R_TIMEOUT);
    assert_string_equal(failure.why, "no answer within 0.3 s (--timeout)");
    draw(&d, 8, 8, 51);
    assert_int_equal(run(s, &d).reason, TARE_R_NONE);
    segmenter_close(s);
}

static void a_stop_ends_the_run(void **state)
{
    (void)state;
    fixture own;
    char spec[160];
    segmenter *s, *again;
    segmenter_failure failure;
    drawn d;
    fixture_begin(&own, 1);
    assert_ok(segmenter_open(&s, own.context, spec_of("same", STRETCH, RED, spec), &own.options,
                             &err));
    draw(&d, 8, 8, 20);
    tare_context_stop(own.context);
    assert_int_equal(segmenter_run(s, d.mask, &d.picture, &failure, &err), TARE_E_STOPPED);
    assert_int_equal(segmenter_open(&again, own.context, spec, &own.options, &err),
                     TARE_E_STOPPED);
    assert_null(again);
    segmenter_close(s);
    fixture_end(&own);
}

typedef struct many {
    segmenter *s;
    drawn *d;
} many;

static tare_status one_of_many(void *arg, size_t first, size_t last, unsigned worker,
                               tare_error *error)
{
    (void)worker;
    many *all = arg;
    tare_status status = TARE_OK;
    for (size_t i = first; status == TARE_OK && i < last; i++) {
        segmenter_failure failure;
        status = segmenter_run(all->s, all->d[i].mask, &all->d[i].picture, &failure, error);
        assert_int_equal(failure.reason, TARE_R_NONE);
    }
    return status;
}

static void one_session_serves_many_threads(void **state)
{
    (void)state;
    enum { COUNT = 64 };
    static drawn d[COUNT];
    many all = {open_it("same", STRETCH, RED), d};
    for (int k = 0; k < COUNT; k++) {
        draw(&d[k], 8, 8, 20);
        draw_red(&d[k], (image_rect){k % 8, k / 8, 1, 1});
    }
    assert_ok(pool_for(f.context->pool, COUNT, 1, one_of_many, &all, &err));
    for (int k = 0; k < COUNT; k++) assert_mask(&d[k], (image_rect){k % 8, k / 8, 1, 1});
    segmenter_close(all.s);
}

static void it_says_what_it_is(void **state)
{
    (void)state;
    segmenter *s = open_it("same", STRETCH, RED);
    const segmenter_description *d = segmenter_describe(s);
    char hash[65];
    memcpy(hash, d->identity_hash, sizeof hash);
    assert_string_equal(d->name, "same");
    assert_string_equal(d->source, "a formula");
    assert_string_equal(d->licence, "none");
    static const char *const said[] = {"\"back\":\"bilinear\"", "\"decoding\":\"strict\"",
                                       "\"map\":{\"activation\":\"none\"", "\"sha256\":\""};
    for (size_t k = 0; k < sizeof said / sizeof *said; k++)
        assert_non_null(strstr(d->identity, said[k]));
    assert_non_null(strstr(d->runtime, "\"name\":\"ONNX Runtime\""));
    assert_null(strstr(d->identity, f.folder));
    assert_int_equal(strlen(d->runtime_hash), 64);
    segmenter_close(s);
    s = open_it("same", STRETCH, "{\"layout\": \"nchw\", \"channel\": 0, \"activation\": \"none\", "
                                 "\"threshold\": 0.51}");
    assert_string_not_equal(segmenter_describe(s)->identity_hash, hash);
    segmenter_close(s);
}

static void refused(const char *spec, tare_status status, const char *code, const char *words)
{
    segmenter *s;
    memset(&err, 0, sizeof err);
    tare_status got = segmenter_open(&s, f.context, spec, &f.options, &err);
    if (got != status || strcmp(err.code, code) || !strstr(err.message, words))
        fail_msg("%s: status %d [%s] %s: %s", spec, (int)got, err.code, err.where, err.message);
    assert_null(s);
}

static void what_is_no_segmenter(void **state)
{
    (void)state;
    char spec[160];
    scorer *s;
    refused("brisque:", TARE_E_USAGE, "segmenter.scheme", "onnx:MANIFEST");
    refused("onnx:", TARE_E_USAGE, "onnx.manifest", "takes the manifest");
    refused("onnx:m.onnx", TARE_E_USAGE, "onnx.manifest", "write a manifest");
    refused("onnx:/nowhere.json", TARE_E_IO, "io.open", "");
    refused(fixture_spec_of(&f, BY_MEAN, spec), TARE_E_DATA, "onnx.role", "give it by --scorer");
    refused(spec_of("double", STRETCH, RED, spec), TARE_E_DATA, "manifest.map",
            "its first dimension must be 1");
    assert_non_null(strstr(err.where, "it.json"));
    refused(spec_of("same", STRETCH, "{\"layout\": \"nhw\", \"activation\": \"none\"}", spec),
            TARE_E_DATA, "manifest.map", "layout nhw is [batch, height, width]");
    refused(spec_of("same", STRETCH, "{\"layout\": \"nchw\", \"channel\": 3, \"activation\": "
                    "\"none\"}", spec), TARE_E_DATA, "manifest.map", "channels are 0 to 2");
    spec_of("same", STRETCH, RED, spec);
    memset(&err, 0, sizeof err);
    assert_int_equal(scorer_open(&s, f.context, spec, &f.options, &err), TARE_E_DATA);
    assert_string_equal(err.code, "onnx.role");
    assert_non_null(strstr(err.message, "give it by --segmenter"));
    f.options.timeout_seconds = 0;
    refused(spec, TARE_E_USAGE, "segmenter.timeout", "positive");
    f.options.timeout_seconds = 120;
}

/* A map of one value is a map: all or nothing. */
static void a_map_of_one_value(void **state)
{
    (void)state;
    drawn d;
    model_writer w;
    begin_model(&w);
    model_write_node(&w, "GlobalAveragePool", "image", "map");
    model_write_output(&w, "map", ORT_F32, 4, TINY_DIMS(-1, -1, -1, -1));
    save(&w, "point");
    segmenter *s = open_it("point", STRETCH, RED);
    draw(&d, 13, 5, 200);
    assert_int_equal(run(s, &d).reason, TARE_R_NONE);
    assert_mask(&d, (image_rect){0, 0, 13, 5});
    segmenter_close(s);
}

int main(void)
{
    NEED_ORT();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mask_of_the_same_size_is_exact),
        cmocka_unit_test(what_is_cropped_away_is_background),
        cmocka_unit_test(padding_stays_outside),
        cmocka_unit_test(one_picture_may_fail),
        cmocka_unit_test(time_runs_out),
        cmocka_unit_test(a_stop_ends_the_run),
        cmocka_unit_test(one_session_serves_many_threads),
        cmocka_unit_test(it_says_what_it_is),
        cmocka_unit_test(what_is_no_segmenter),
        cmocka_unit_test(a_map_of_one_value),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
