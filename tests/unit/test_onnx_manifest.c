/* Manifests as they should be: what each key becomes, defaults, paths, identities. */
#include <string.h>

#include "scorer/onnx/onnx_manifest.h"
#include "support/check.h"

#define FOLDER TARE_SOURCE_DIR "/tests/data/onnx_manifests/"

typedef struct desk {
    mem m;
    arena a;
    onnx_manifest x;
} desk;

static tare_error err;

static void read_file(desk *d, const char *path)
{
    memset(d, 0, sizeof *d);
    d->m = mem_system();
    arena_init(&d->a, &d->m);
    assert_ok(onnx_manifest_read(&d->x, &d->a, path, &err));
}

static void parse_at(desk *d, const char *path, const char *text)
{
    memset(d, 0, sizeof *d);
    d->m = mem_system();
    arena_init(&d->a, &d->m);
    assert_ok(onnx_manifest_parse(&d->x, &d->a, path, text, strlen(text), &err));
}

static void example_of_the_manual(void **state)
{
    (void)state;
    desk d;
    read_file(&d, FOLDER "nima.json");
    const onnx_manifest *x = &d.x;
    assert_string_equal(x->name, "my-aesthetic");
    assert_string_equal(x->model, FOLDER "model.onnx");
    assert_string_equal(x->sha256,
                        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    assert_string_equal(x->source, "trained here");
    assert_string_equal(x->licence, "MIT");
    assert_string_equal(x->input, "input");
    assert_int_equal(x->kind, ONNX_IMAGE);
    assert_int_equal(x->image.layout, ONNX_NCHW);
    assert_int_equal(x->image.type, ORT_F32);
    assert_false(x->image.bgr);
    assert_int_equal(x->image.height, 224);
    assert_int_equal(x->image.width, 224);
    assert_int_equal(x->image.fit, ONNX_FIT_SHORT);
    assert_int_equal(x->image.how.kernel, RESIZE_BICUBIC);
    assert_int_equal(x->image.how.order, RESIZE_ACROSS_FIRST);
    assert_false(x->image.tensor);
    assert_false(x->image.antialias);
    assert_false(x->image.before_rgb);
    assert_int_equal(x->image.when_equal, ONNX_EQUAL_SKIP);
    assert_int_equal(x->image.crop, ONNX_CROP_CENTER_ROUND);
    assert_int_equal(x->image.pad, ONNX_PAD_NONE);
    assert_true(x->image.divide == 255);
    assert_true(x->image.mean[0] == .485 && x->image.mean[2] == .406);
    assert_true(x->image.std[0] == .229 && x->image.std[2] == .225);
    assert_int_equal(x->prompt.mode, ONNX_PROMPT_NONE);
    assert_string_equal(x->output, "scores");
    assert_int_equal(x->op_count, 2);
    assert_int_equal(x->ops[0].kind, ONNX_SOFTMAX);
    assert_int_equal(x->ops[0].axis[0], -1);
    assert_int_equal(x->ops[1].kind, ONNX_EXPECT);
    assert_int_equal(x->ops[1].value_count, 10);
    assert_true(x->ops[1].values[9] == 10);
    assert_true(x->higher_is_better);
    assert_true(x->range_lo == 1 && x->range_hi == 10);
    assert_int_equal(x->batch, 1);
    arena_free(&d.a);
}

static void defaults_and_identity(void **state)
{
    (void)state;
    desk json, yaml;
    read_file(&json, FOLDER "nima.json");
    read_file(&yaml, FOLDER "nima.yaml");
    assert_string_equal(yaml.x.name, "other name");
    assert_string_equal(yaml.x.sha256, "");
    assert_true(isnan(yaml.x.range_lo) && isnan(yaml.x.range_hi));
    assert_int_equal(yaml.x.batch, 1);
    assert_true(yaml.x.higher_is_better);
    assert_string_equal(json.x.identity, yaml.x.identity);
    assert_string_equal(
        json.x.identity,
        "{\"input\":{\"crop\":\"center-round\",\"divide\":255,\"dtype\":\"f32\",\"kind\":\"image\","
        "\"layout\":\"nchw\",\"mean\":[0.485,0.456,0.406],\"name\":\"input\",\"order\":\"rgb\","
        "\"pad\":null,\"resize\":{\"backend\":\"pillow\",\"before_rgb\":false,"
        "\"kernel\":\"bicubic\",\"mode\":\"short\",\"pass_order\":\"h-first\","
        "\"when_equal\":\"skip\"},\"size\":[224,224],\"std\":[0.229,0.224,0.225]},"
        "\"output\":{\"name\":\"scores\",\"ops\":[[\"softmax\",-1],"
        "[\"expect\",1,2,3,4,5,6,7,8,9,10]]},\"prompt\":null,\"recipe\":\"onnx\",\"version\":1}");
    arena_free(&json.a);
    arena_free(&yaml.a);
}

static void faces(void **state)
{
    (void)state;
    desk d;
    read_file(&d, FOLDER "faces.yaml");
    assert_string_equal(d.x.model, FOLDER "../models/version-slim-320.onnx");
    assert_int_equal(d.x.image.height, 240);
    assert_int_equal(d.x.image.width, 320);
    assert_int_equal(d.x.image.fit, ONNX_FIT_STRETCH);
    assert_int_equal(d.x.image.how.kernel, RESIZE_BILINEAR);
    assert_true(d.x.image.divide == 1 && d.x.image.mean[1] == 127 && d.x.image.std[1] == 128);
    assert_int_equal(d.x.ops[0].kind, ONNX_SELECT);
    assert_int_equal(d.x.ops[0].axis[0], -1);
    assert_int_equal(d.x.ops[0].index, 1);
    assert_int_equal(d.x.ops[1].kind, ONNX_MAX);
    assert_int_equal(d.x.ops[1].axis_count, 0);
    assert_int_equal(d.x.batch, 4);
    arena_free(&d.a);
}

static void padding_and_a_fixed_prompt(void **state)
{
    (void)state;
    desk d;
    read_file(&d, FOLDER "padded.json");
    assert_string_equal(d.x.model, "/models/clip-h.onnx");
    assert_int_equal(d.x.image.layout, ONNX_NHWC);
    assert_int_equal(d.x.image.type, ORT_F16);
    assert_true(d.x.image.bgr && d.x.image.tensor && !d.x.image.antialias);
    assert_int_equal(d.x.image.fit, ONNX_FIT_LONG);
    assert_int_equal(d.x.image.pad, ONNX_PAD_CENTER);
    const onnx_prompt *p = &d.x.prompt;
    static const int64_t ids[] = {49406, 320, 1125, 49407}; /* scorers 7 */
    assert_int_equal(p->mode, ONNX_PROMPT_FIXED);
    assert_string_equal(p->tokenizer, "clip");
    assert_string_equal(p->text, "a photo");
    assert_int_equal(p->count, 4);
    assert_memory_equal(p->ids, ids, sizeof ids);
    assert_int_equal(p->length, 77);
    assert_int_equal(p->pad, 0);
    assert_string_equal(p->ids_name, "input_ids");
    assert_string_equal(p->mask_name, "attention_mask");
    assert_string_equal(p->positions_name, "position_ids");
    assert_int_equal(d.x.op_count, 4);
    assert_int_equal(d.x.ops[0].kind, ONNX_SIGMOID);
    assert_true(d.x.ops[2].a == .01 && d.x.ops[2].b == 0);
    assert_true(d.x.ops[3].a == -1 && d.x.ops[3].b == 1);
    assert_false(d.x.higher_is_better);
    assert_non_null(strstr(d.x.identity,
                           "\"prompt\":{\"ids\":\"input_ids\",\"length\":77,"
                           "\"mask\":\"attention_mask\",\"pad\":0,\"positions\":\"position_ids\","
                           "\"tokens\":[49406,320,1125,49407]}"));
    assert_non_null(strstr(d.x.identity, "\"pad\":{\"colour\":[0,0,0],\"place\":\"center\"}"));
    assert_non_null(strstr(d.x.identity, "\"antialias\":false,\"backend\":\"tensor\""));
    arena_free(&d.a);
}

static void literal_tokens_are_cut(void **state)
{
    (void)state;
    static const int64_t ids[] = {101, 1037, 4937, 102};
    desk d;
    read_file(&d, FOLDER "literal.yaml");
    assert_int_equal(d.x.image.type, ORT_U8);
    assert_int_equal(d.x.image.fit, ONNX_FIT_NONE);
    assert_int_equal(d.x.image.crop, ONNX_CROP_TOPLEFT);
    assert_true(d.x.image.divide == 1 && d.x.image.mean[0] == 0 && d.x.image.std[0] == 1);
    assert_null(d.x.prompt.tokenizer);
    assert_string_equal(d.x.prompt.text, "");
    assert_int_equal(d.x.prompt.count, 4);
    assert_int_equal(d.x.prompt.length, 4);
    assert_memory_equal(d.x.prompt.ids, ids, sizeof ids);
    assert_null(d.x.prompt.mask_name);
    assert_int_equal(d.x.op_count, 0);
    arena_free(&d.a);
}

static void bert_knows_one_text(void **state)
{
    (void)state;
    static const int64_t ids[] = {101, 1037, 6302, 102}; /* scorers 7 */
    desk d;
    parse_at(&d, "m.yaml", "tare_scorer: 1\nname: n\nmodel: m\n"
                           "input: {name: i, kind: vector, length: 3}\noutput: {name: o}\n"
                           "prompt: {mode: fixed, tokenizer: bert, text: a photo, ids: t}\n");
    assert_int_equal(d.x.prompt.count, 4);
    assert_int_equal(d.x.prompt.length, 4);
    assert_memory_equal(d.x.prompt.ids, ids, sizeof ids);
    arena_free(&d.a);
}

static void vectors_and_waves(void **state)
{
    (void)state;
    desk d;
    read_file(&d, FOLDER "head.yaml");
    assert_int_equal(d.x.kind, ONNX_VECTOR);
    assert_int_equal(d.x.vector.length, 768);
    assert_string_equal(d.x.vector.from, FOLDER "nima.json");
    assert_int_equal(d.x.ops[1].kind, ONNX_DOT);
    assert_string_equal(d.x.ops[1].file, "weights768.npy");
    assert_int_equal(d.x.ops[1].value_count, 768);
    assert_true(d.x.ops[1].values[8] == 1. / 8 - .375);
    /* sha256sum of the file */
    assert_non_null(strstr(
        d.x.identity,
        "[\"dot\",{\"bytes\":3200,\"sha256\":\""
        "bd528503c1ac2e595fffd2bbb34225b0e3136d3756bf8997057aab12ab7e2277\"}]"));
    arena_free(&d.a);
    read_file(&d, FOLDER "wave.json");
    assert_int_equal(d.x.kind, ONNX_WAVE);
    assert_true(d.x.wave.rate == 16000);
    assert_int_equal(d.x.wave.length, 144160);
    assert_int_equal(d.x.wave.hop, 16000);
    assert_int_equal(d.x.wave.when_short, ONNX_SHORT_REPEAT);
    assert_non_null(strstr(
        d.x.identity, "{\"count\":\"all-samples\",\"hop\":16000,\"kind\":\"wave\","
                      "\"length\":144160,\"name\":\"audio\",\"rate\":16000,"
                      "\"resample\":\"soxr, very high quality\",\"short\":\"repeat\"}"));
    arena_free(&d.a);
}

static void paths_begin_at_the_manifest(void **state)
{
    (void)state;
    static const char *const cases[][4] = {
        {"m.yaml", "x.onnx", ".", "x.onnx"},
        {"sub/m.yaml", "x.onnx", "sub", "sub/x.onnx"},
        {"sub/m.yaml", "../x.onnx", "sub", "sub/../x.onnx"},
        {"/m.yaml", "x.onnx", "/", "/x.onnx"},
        {"/a/b/m.yaml", "/x.onnx", "/a/b", "/x.onnx"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        desk d;
        char text[200];
        snprintf(text, sizeof text, "{tare_scorer: 1, name: n, model: %s, input: {name: i, kind: "
                 "vector, length: 3}, output: {name: o}}", cases[k][1]);
        char yaml[220];
        snprintf(yaml, sizeof yaml, "# not JSON\n%s", text);
        parse_at(&d, cases[k][0], yaml);
        assert_string_equal(d.x.folder, cases[k][2]);
        assert_string_equal(d.x.model, cases[k][3]);
        arena_free(&d.a);
    }
}

/* Each of these changes the number, so each has an identity of its own; the others do not. */
static void identities_differ_where_numbers_can(void **state)
{
    (void)state;
    static const char *const same[][2] = {
        {"name: n", "name: another"}, {"model: m", "model: elsewhere"},
        {"batch: 2", "batch: 3"}, {"source: s", "source: t"}, {"licence: l", "licence: k"},
        {"higher_is_better: true", "higher_is_better: false"}, {"range: [0, 1]", "range: [0, 2]"},
        {"[[mean]]", "[mean]"}, {"divide: 255", "divide: 255.0"}};
    static const char *const other[][2] = {
        {"name: i", "name: j"}, {"name: o", "name: p"}, {"f32", "f16"}, {"rgb", "bgr"},
        {"order: rgb", "order: rgb, rgba: refuse"},
        {"nchw", "nhwc"}, {"[8, 9]", "[9, 8]"}, {"short", "stretch"}, {"bicubic", "lanczos"},
        {"h-first", "pillow13"}, {"before_rgb: false", "before_rgb: true"},
        {"crop: none", "crop: topleft"}, {"divide: 255", "divide: 1"},
        {"[.1, .2, .3]", "[.1, .2, .4]"}, {"[1, 2, 3]", "[1, 2, 4]"}, {"[[mean]]", "[[mean, 1]]"},
        {"[7, 8]", "[7, 9]"}, {"ids: t", "ids: u"}, {"length: 5", "length: 6"},
        {"pad: 3", "pad: 4"}, {"ids: t", "ids: t, mask: m"}};
    static const char base[] =
        "tare_scorer: 1\nname: n\nmodel: m\nbatch: 2\nsource: s\nlicence: l\n"
        "input: {name: i, kind: image, dtype: f32, order: rgb, layout: nchw, size: [8, 9],\n"
        " resize: {mode: short, kernel: bicubic, pass_order: h-first, before_rgb: false},\n"
        " crop: none, divide: 255, mean: [.1, .2, .3], std: [1, 2, 3]}\n"
        "prompt: {mode: fixed, tokens: [7, 8], length: 5, pad: 3, ids: t}\n"
        "output: {name: o, ops: [[mean]], higher_is_better: true, range: [0, 1]}\n";
    desk first;
    parse_at(&first, "m.yaml", base);
    for (size_t k = 0; k < sizeof same / sizeof *same + sizeof other / sizeof *other; k++) {
        bool differs = k >= sizeof same / sizeof *same;
        const char *const *change = differs ? other[k - sizeof same / sizeof *same] : same[k];
        char text[900];
        const char *at = strstr(base, change[0]);
        assert_non_null(at);
        snprintf(text, sizeof text, "%.*s%s%s", (int)(at - base), base, change[1],
                 at + strlen(change[0]));
        desk d;
        parse_at(&d, "m.yaml", text);
        if ((strcmp(first.x.identity, d.x.identity) != 0) != differs)
            fail_msg("%s to %s", change[0], change[1]);
        arena_free(&d.a);
    }
    arena_free(&first.a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(example_of_the_manual),
        cmocka_unit_test(defaults_and_identity),
        cmocka_unit_test(faces),
        cmocka_unit_test(padding_and_a_fixed_prompt),
        cmocka_unit_test(literal_tokens_are_cut),
        cmocka_unit_test(bert_knows_one_text),
        cmocka_unit_test(vectors_and_waves),
        cmocka_unit_test(paths_begin_at_the_manifest),
        cmocka_unit_test(identities_differ_where_numbers_can),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
