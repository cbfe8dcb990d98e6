/* A manifest against graphs: names, types, fixed and symbolic dimensions, and what is said. */
#include <string.h>

#include "scorer/onnx/onnx_manifest_parts.h"
#include "support/check.h"

typedef struct desk {
    mem m;
    arena a;
    onnx_manifest x;
} desk;

static tare_error err;

static void begin(desk *d, const char *input, const char *prompt, const char *ops, int batch)
{
    char text[900];
    memset(d, 0, sizeof *d);
    d->m = mem_system();
    arena_init(&d->a, &d->m);
    snprintf(text, sizeof text, "tare_scorer: 1\nname: n\nmodel: m\nbatch: %d\ninput: %s\n"
             "prompt: %s\noutput: {name: score, ops: %s}\n", batch, input, prompt, ops);
    assert_ok(onnx_manifest_parse(&d->x, &d->a, "m.yaml", text, strlen(text), &err));
}

#define NCHW "{name: px, kind: image, size: [4, 6], resize: {mode: none}, divide: 1}"
#define NHWC "{name: px, kind: image, layout: nhwc, size: [4, 6], resize: {mode: none}, divide: 1}"
#define BYTES "{name: px, kind: image, dtype: u8, size: [4, 6], resize: {mode: none}}"
#define VECTOR "{name: v, kind: vector, length: 5}"
#define WAVE "{name: w, kind: wave, rate: 16000, length: 7, short: zero}"
#define TOKENS "{mode: fixed, tokens: [1, 2, 3], length: 8, ids: ids, mask: mask}"

static const ort_port end = {NULL, 0, 0, {0}};

static tare_status fits(desk *d, const ort_port *inputs, const ort_port *output)
{
    const ort_port outputs[] = {{"other", ORT_F32, 2, {-1, 9}}, *output, end};
    memset(&err, 0, sizeof err);
    return manifest_fits_ports(&d->x, inputs, outputs, &err);
}

static void what_fits(void **state)
{
    (void)state;
    static const ort_port one = {"score", ORT_F32, 2, {-1, 1}};
    static const struct { const char *input, *prompt; int batch; ort_port in[4]; } list[] = {
        {NCHW, "~", 1, {{"px", ORT_F32, 4, {1, 3, 4, 6}}}},
        {NCHW, "~", 8, {{"px", ORT_F32, 4, {-1, 3, -1, -1}}}},
        {NCHW, "~", 8, {{"px", ORT_F32, 4, {-1, -1, -1, -1}}}},
        {NCHW, "~", 8, {{"px", ORT_F32, 4, {8, 3, 4, 6}}}},
        {NHWC, "~", 2, {{"px", ORT_F32, 4, {-1, 4, 6, 3}}}},
        {BYTES, "~", 2, {{"px", ORT_U8, 4, {-1, 3, 4, 6}}}},
        {VECTOR, "~", 3, {{"v", ORT_F32, 2, {-1, 5}}}},
        {WAVE, "~", 3, {{"w", ORT_F32, 2, {-1, -1}}}},
        {NCHW, TOKENS, 1, {{"ids", ORT_I64, 2, {1, 8}}, {"px", ORT_F32, 4, {1, 3, 4, 6}},
                           {"mask", ORT_I32, 2, {-1, -1}}}},
    };
    for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
        desk d;
        begin(&d, list[k].input, list[k].prompt, "[]", list[k].batch);
        assert_ok(fits(&d, list[k].in, &one));
        arena_free(&d.a);
    }
}

static void what_does_not(void **state)
{
    (void)state;
    static const ort_port one = {"score", ORT_F32, 2, {-1, 1}};
    static const struct {
        const char *input, *prompt;
        ort_port in[4];
        const char *words;
    } list[] = {
        {NCHW, "~", {{"image", ORT_F32, 4, {-1, 3, 4, 6}}, {"mask", ORT_F16, 1, {-1}}},
         "input.name is \"px\", and the graph has no such input; it has: \"image\" f32 "
         "[-1, 3, 4, 6], \"mask\" f16 [-1]"},
        {NCHW, "~", {{"pix", ORT_F32, 4, {-1, 3, 4, 6}}}, "did you mean pix?"},
        {NCHW, "~", {{"p\x1bx", ORT_F32, 1, {-1}}}, "it has: \"p?x\" f32 [-1]"},
        {NCHW, "~", {{NULL, 0, 0, {0}}}, "it has: none"},
        {NCHW, "~", {{"px", ORT_U8, 4, {-1, 3, 4, 6}}},
         "takes u8; the manifest gives f32 for an image (nchw) as"},
        {NCHW, "~", {{"px", ORT_F32, 4, {-1, 4, 6, 3}}},
         "has the shape [-1, 4, 6, 3]; the manifest gives an image (nchw) as [2, 3, 4, 6]"},
        {NHWC, "~", {{"px", ORT_F32, 4, {-1, 3, 4, 6}}}, "an image (nhwc) as [2, 4, 6, 3]"},
        {NCHW, "~", {{"px", ORT_F32, 3, {3, 4, 6}}}, "has the shape [3, 4, 6]"},
        {NCHW, "~", {{"px", ORT_F32, 4, {-1, 3, 6, 4}}}, "has the shape [-1, 3, 6, 4]"},
        {NCHW, "~", {{"px", ORT_F32, 4, {1, 3, 4, 6}}},
         "first dimension is fixed: it must be the batch"},
        {VECTOR, "~", {{"v", ORT_F32, 2, {-1, 6}}}, "gives a vector as [2, 5]"},
        {WAVE, "~", {{"w", ORT_F32, 3, {-1, 1, 7}}}, "gives a wave as [2, 7]"},
        {NCHW, TOKENS, {{"px", ORT_F32, 4, {-1, 3, 4, 6}}, {"ids", ORT_I64, 2, {-1, 8}}},
         "prompt.mask is \"mask\", and the graph has no such input"},
        {NCHW, TOKENS, {{"px", ORT_F32, 4, {-1, 3, 4, 6}}, {"ids", ORT_F32, 2, {-1, 8}}},
         "takes f32; the manifest gives i64 or i32 for the prompt as"},
        {NCHW, TOKENS, {{"px", ORT_F32, 4, {-1, 3, 4, 6}}, {"ids", ORT_I64, 2, {-1, 77}}},
         "has the shape [-1, 77]; the manifest gives the prompt as [2, 8]"},
        {NCHW, "~", {{"px", ORT_F32, 4, {-1, 3, 4, 6}}, {"ids", ORT_I64, 2, {-1, 8}}},
         "inputs that the manifest does not name: \"ids\" i64 [-1, 8]"},
        {NCHW, "{mode: fixed, tokens: [1], ids: ids, mask: ids}",
         {{"px", ORT_F32, 4, {-1, 3, 4, 6}}, {"ids", ORT_I64, 2, {-1, -1}}},
         "\"ids\" is named twice"},
    };
    for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
        desk d;
        begin(&d, list[k].input, list[k].prompt, "[]", 2);
        tare_status status = fits(&d, list[k].in, &one);
        if (status != TARE_E_DATA || strcmp(err.code, "manifest.input") ||
            strcmp(err.where, "m.yaml") || !strstr(err.message, list[k].words))
            fail_msg("%zu: status %d [%s] %s: %s", k, (int)status, err.code, err.where,
                     err.message);
        arena_free(&d.a);
    }
}

static void outputs(void **state)
{
    (void)state;
    static const ort_port in[] = {{"px", ORT_F32, 4, {-1, 3, 4, 6}}, {NULL, 0, 0, {0}}};
    static const struct {
        const char *ops;
        ort_port out;
        const char *code, *where, *words;
    } list[] = {
        {"[]", {"scores", ORT_F32, 2, {-1, 1}}, "manifest.output", "m.yaml",
         "no such output; did you mean scores?; it has: \"other\" f32 [-1, 9], \"scores\" f32"},
        {"[]", {"score", (ort_type)8, 1, {-1}}, "manifest.output", "m.yaml",
         "no tensor of numbers"},
        {"[]", {"score", ORT_F32, 2, {-1, 10}}, "manifest.ops", "m.yaml: output.ops",
         "the shape is [-1, 10], which is not one number"},
        {"[[expect, [1, 2]]]", {"score", ORT_F32, 2, {-1, 10}}, "manifest.ops",
         "m.yaml: output.ops[0]", "the last axis has 10 elements, and there are 2 values"},
        {"[[select, 2, 0]]", {"score", ORT_F32, 2, {-1, 10}}, "manifest.ops",
         "m.yaml: output.ops[0]", "no axis 2"},
        {"[[mean]]", {"score", ORT_F32, 2, {4420, 2}}, "manifest.ops", "m.yaml: output",
         "must be the batch, which is 2"},
        {"[[select, 1, 1], [max]]", {"score", ORT_F32, 3, {-1, -1, 2}}, "", "", ""},
        {"[[select, -1, 1], [max]]", {"score", ORT_F64, 3, {2, -1, 2}}, "", "", ""},
        {"[]", {"score", ORT_F16, 2, {-1, -1}}, "", "", ""},
        {"[]", {"score", ORT_I64, 1, {-1}}, "", "", ""},
    };
    for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
        desk d;
        begin(&d, NCHW, "~", list[k].ops, 2);
        tare_status status = fits(&d, in, &list[k].out);
        if ((status == TARE_OK) != (*list[k].code == '\0') || strcmp(err.code, list[k].code) ||
            strcmp(err.where, list[k].where) || !strstr(err.message, list[k].words))
            fail_msg("%zu: status %d [%s] %s: %s", k, (int)status, err.code, err.where,
                     err.message);
        arena_free(&d.a);
    }
}

static void many_and_long_names_are_cut(void **state)
{
    (void)state;
    ort_port in[41];
    char name[40][120];
    static const ort_port one = {"score", ORT_F32, 2, {-1, 1}};
    desk d;
    for (int k = 0; k < 40; k++) {
        memset(name[k], 'a' + k % 26, 119);
        name[k][119] = '\0';
        in[k] = (ort_port){name[k], ORT_F32, 8, {-1, -1, -1, -1, -1, -1, -1, INT64_MAX}};
    }
    in[40] = end;
    begin(&d, NCHW, "~", "[]", 1);
    assert_int_equal(fits(&d, in, &one), TARE_E_DATA);
    assert_non_null(strstr(err.message, ", ..."));
    arena_free(&d.a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_fits),
        cmocka_unit_test(what_does_not),
        cmocka_unit_test(outputs),
        cmocka_unit_test(many_and_long_names_are_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
