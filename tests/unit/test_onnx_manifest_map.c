/* output.map of a manifest: what it may say, its identity, and which outputs of a graph it fits. */
#include <string.h>

#include "scorer/onnx/onnx_manifest_parts.h"
#include "support/check.h"
#include "support/failing_mem.h"

static tare_error err;

#define TOP "tare_scorer: 1\nname: n\nmodel: m\n"
#define INPUT "input: {name: px, kind: image, size: [4, 6], resize: {mode: none}, divide: 1}\n"
#define MAP(map) TOP INPUT "output:\n name: score\n map: " map "\n"

static tare_status parse(onnx_manifest *x, arena *a, const char *text)
{
    memset(&err, 0, sizeof err);
    return onnx_manifest_parse(x, a, "m.yaml", text, strlen(text), &err);
}

static void what_a_map_says(void **state)
{
    (void)state;
    mem m = mem_system();
    arena a;
    onnx_manifest x;
    arena_init(&a, &m);
    assert_ok(parse(&x, &a, MAP("{layout: nhwc, channel: 2, activation: softmax, threshold: 0.25, "
                                "greater: false}")));
    assert_true(x.map.given && x.map.layout == ONNX_MAP_NHWC && x.map.channel == 2);
    assert_true(x.map.activation == ONNX_ACTIVATION_SOFTMAX && x.map.threshold == 0.25);
    assert_false(x.map.greater);
    assert_non_null(strstr(x.identity, "\"output\":{\"map\":{\"activation\":\"softmax\",\"channel\""
                                       ":2,\"greater\":false,\"layout\":\"nhwc\",\"threshold\":"
                                       "0.25},\"name\":\"score\"}"));
    assert_ok(parse(&x, &a, MAP("{layout: nhw, activation: none}")));
    assert_true(x.map.greater && x.map.threshold == 0.5 && x.op_count == 0);
    assert_non_null(strstr(x.identity, "\"map\":{\"activation\":\"none\",\"greater\":true,"
                                       "\"layout\":\"nhw\",\"threshold\":0.5}"));
    /* Without an activation the values are any. */
    assert_ok(parse(&x, &a, MAP("{layout: nhw, activation: none, threshold: -3}")));
    assert_true(x.map.threshold == -3);
    assert_ok(parse(&x, &a, TOP INPUT "output: {name: score}\n"));
    assert_false(x.map.given);
    arena_free(&a);
}

static void what_is_refused(void **state)
{
    (void)state;
#define WAVE "input: {name: w, kind: wave, rate: 16000, length: 7, short: zero}\n"
#define GOOD "output:\n name: score\n map: {layout: nhw, activation: none}\n"
    static const struct { const char *text, *code, *where, *words; } list[] = {
        {MAP("{channel: 1, activation: none}"), "manifest.missing", ":7:7",
         "output.map.layout is missing"},
        {MAP("{layout: nchw, channel: 1}"), "manifest.missing", ":7:7",
         "output.map.activation is missing"},
        {MAP("{layout: nchw, activation: none}"), "manifest.missing", ":7:7",
         "output.map.channel is missing"},
        {MAP("{layout: hw, activation: none}"), "manifest.value", ":7:16",
         "output.map.layout is the text \"hw\"; allowed: nchw, nhwc, nhw"},
        {MAP("{layout: nhw, activation: tanh}"), "manifest.value", ":7:33",
         "allowed: none, sigmoid, softmax"},
        {MAP("{layout: nhw, activation: softmax}"), "manifest.conflict", ":7:33",
         "layout nhw has none; allowed: none, sigmoid"},
        {MAP("{layout: nhw, activation: none, channel: 0}"), "manifest.conflict", ":7:48",
         "has no channels"},
        {MAP("{layout: nchw, activation: none, channel: -1}"), "manifest.value", ":7:49",
         "a whole number from 0 to 65535"},
        {MAP("{layout: nchw, activation: none, channel: 1.5}"), "manifest.value", ":7:49",
         "a whole number from 0 to 65535"},
        {MAP("{layout: nhw, activation: sigmoid, threshold: 1}"), "manifest.value", ":7:53",
         "a number between 0 and 1, without these"},
        {MAP("{layout: nhw, activation: sigmoid, threshold: 0}"), "manifest.value", ":7:53",
         "a number between 0 and 1, without these"},
        {MAP("{layout: nhw, activation: none, threshold: high}"), "manifest.type", ":7:50",
         "output.map.threshold must be a number"},
        {MAP("{layout: nhw, activation: none, greater: 1}"), "manifest.type", ":7:48",
         "output.map.greater must be true or false"},
        {MAP("{layout: nhw, activation: none, thresh: 1}"), "manifest.unknown_key", ":7:47",
         "no such key: output.map.thresh; keys here: layout, channel"},
        {MAP("person"), "manifest.type", ":7:7", "output.map must be a mapping"},
        {MAP("{layout: nhw, activation: none}\n ops: [[mean]]"), "manifest.conflict", ":8:7",
         "with a map there is no score"},
        {MAP("{layout: nhw, activation: none}\n range: [0, 1]"), "manifest.conflict", ":8:9",
         "with a map there is no score"},
        {MAP("{layout: nhw, activation: none}\n higher_is_better: true"), "manifest.conflict",
         ":8:20", "with a map there is no score"},
        {TOP WAVE GOOD, "manifest.conflict", ":7:7", "output.map needs input.kind image; it is "
                                                     "wave"},
        {TOP "batch: 2\n" INPUT GOOD, "manifest.conflict", ":8:7", "batch is 2; allowed: 1"},
    };
    for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
        mem m = mem_system();
        arena a;
        onnx_manifest x;
        arena_init(&a, &m);
        tare_status status = parse(&x, &a, list[k].text);
        if (status != TARE_E_DATA || strcmp(err.code, list[k].code) ||
            !strstr(err.where, list[k].where) || !strstr(err.message, list[k].words))
            fail_msg("%s: status %d [%s] %s: %s", list[k].text, (int)status, err.code, err.where,
                     err.message);
        arena_free(&a);
    }
}

static void which_outputs_fit(void **state)
{
    (void)state;
    static const ort_port inputs[] = {{"px", ORT_F32, 4, {1, 3, 4, 6}}, {NULL, 0, 0, {0}}};
#define NCHW2 "{layout: nchw, channel: 1, activation: softmax}"
#define NHWC0 "{layout: nhwc, channel: 0, activation: sigmoid}"
#define NHW "{layout: nhw, activation: none}"
    static const struct { const char *map; ort_port output; const char *words; } list[] = {
        {MAP(NCHW2), {"score", ORT_F32, 4, {1, 2, 4, 6}}, NULL},
        {MAP(NCHW2), {"score", ORT_F32, 4, {-1, -1, -1, -1}}, NULL},
        {MAP(NCHW2), {"score", ORT_F16, 4, {-1, 2, 2, 3}}, NULL},
        {MAP(NCHW2), {"score", ORT_F32, 0, {0}}, NULL}, /* not known before a call */
        {MAP(NHWC0), {"score", ORT_F32, 4, {1, 4, 6, 1}}, NULL},
        {MAP(NHW), {"score", ORT_U8, 3, {1, 4, 6}}, NULL},
        {MAP(NCHW2), {"score", ORT_F32, 3, {1, 4, 6}},
         "[1, 4, 6]; layout nchw is [batch, channels, height, width]"},
        {MAP(NHW), {"score", ORT_F32, 4, {1, 1, 4, 6}}, "layout nhw is [batch, height, width]"},
        {MAP(NHW), {"score", ORT_F32, 2, {4, 6}}, "layout nhw is [batch, height, width]"},
        {MAP(NHW), {"score", ORT_F32, 3, {2, 4, 6}}, "its first dimension must be 1"},
        {MAP(NHW), {"score", ORT_F32, 3, {1, 0, 6}}, "it holds nothing"},
        {MAP(NCHW2), {"score", ORT_F32, 4, {1, 1, 4, 6}},
         "channel is 1, and the graph's output \"score\" has the shape [1, 1, 4, 6], whose "
         "channels are 0 to 0"},
        {MAP("{layout: nhwc, channel: 0, activation: softmax}"),
         {"score", ORT_F32, 4, {1, 4, 6, 1}}, "of one channel it is 1 everywhere"},
        {MAP(NHW), {"scores", ORT_F32, 3, {1, 4, 6}}, "did you mean scores"},
        {MAP(NHW), {"score", (ort_type)8, 3, {1, 4, 6}}, "no tensor of numbers"},
    };
    for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
        const ort_port outputs[] = {list[k].output, {NULL, 0, 0, {0}}};
        mem m = mem_system();
        arena a;
        onnx_manifest x;
        arena_init(&a, &m);
        assert_ok(parse(&x, &a, list[k].map));
        tare_status status = manifest_fits_ports(&x, inputs, outputs, &err);
        if (list[k].words ? status != TARE_E_DATA || !strstr(err.message, list[k].words) ||
                                !strstr(err.where, "m.yaml")
                          : status != TARE_OK)
            fail_msg("%s (%zu): status %d [%s] %s: %s", list[k].map, k, (int)status, err.code,
                     err.where, err.message);
        arena_free(&a);
    }
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    for (long k = 1; k < 10000; k++) {
        failing_mem f;
        mem m = failing_mem_start(&f, k);
        arena a;
        onnx_manifest x;
        arena_init(&a, &m);
        tare_status status = parse(&x, &a, MAP(NCHW2));
        arena_free(&a);
        assert_int_equal(failing_mem_live(&f), 0);
        if (!failing_mem_failed(&f)) {
            assert_int_equal(status, TARE_OK);
            return;
        }
        assert_int_equal(status, TARE_E_MEMORY);
    }
    fail_msg("it never ends");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_map_says),
        cmocka_unit_test(what_is_refused),
        cmocka_unit_test(which_outputs_fit),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
