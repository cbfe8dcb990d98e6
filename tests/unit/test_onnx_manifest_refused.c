/* What a manifest may not say: where, what was wrong and what is allowed. Each case is the valid
 * manifest below with one thing changed. */
#include <string.h>

#include "base/text.h"
#include "scorer/onnx/onnx_manifest.h"
#include "support/check.h"

#define FOLDER TARE_SOURCE_DIR "/tests/data/onnx_manifests/"

/* Line by line: 1 tare_scorer, 2 name, 3 model, 4 input, 5 size, 6 resize, 7 numbers, 8 output. */
static const char pixels[] =
    "tare_scorer: 1\n"
    "name: n\n"
    "model: m.onnx\n"
    "input: {name: i, kind: image, dtype: f32,\n"
    " size: [8, 9],\n"
    " resize: {mode: short, kernel: bicubic},\n"
    " crop: center-round, divide: 255, std: [1, 2, 3]}\n"
    "output: {name: o, ops: [[mean]], range: [0, 1]}\n";
static const char vector[] =
    "tare_scorer: 1\nname: n\nmodel: m.onnx\n"
    "input: {name: i, kind: vector, length: 8}\n"
    "output: {name: o}\n";
static const char wave[] =
    "tare_scorer: 1\nname: n\nmodel: m.onnx\n"
    "input: {name: i, kind: wave, rate: 16000, length: 8, short: zero}\n"
    "output: {name: o}\n";
static const char prompted[] =
    "tare_scorer: 1\nname: n\nmodel: m.onnx\n"
    "input: {name: i, kind: vector, length: 8}\n"
    "prompt: {mode: fixed, tokens: [1, 2, 3], ids: t}\n"
    "output: {name: o}\n";

typedef struct change {
    const char *from, *to, *code, *where, *words;
} change;

static tare_status parse_bytes(const char *bytes, size_t length, tare_error *err)
{
    mem m = mem_system();
    arena a;
    onnx_manifest x;
    memset(err, 0, sizeof *err);
    arena_init(&a, &m);
    tare_status status = onnx_manifest_parse(&x, &a, FOLDER "m", bytes, length, err);
    arena_free(&a);
    return status;
}

/* `from` becomes `to`; where is what follows the folder. */
static void each(const char *base, const change *list, size_t n)
{
    tare_error err;
    assert_ok(parse_bytes(base, strlen(base), &err));
    for (size_t k = 0; k < n; k++) {
        char bytes[1200], where[320];
        const char *at = strstr(base, list[k].from);
        if (!at) fail_msg("%s is not there", list[k].from);
        snprintf(bytes, sizeof bytes, "%.*s%s%s", (int)(at - base), base, list[k].to,
                 at + strlen(list[k].from));
        snprintf(where, sizeof where, FOLDER "%s", list[k].where);
        tare_status status = parse_bytes(bytes, strlen(bytes), &err);
        if (status != TARE_E_DATA || strcmp(err.code, list[k].code) || strcmp(err.where, where) ||
            !strstr(err.message, list[k].words))
            fail_msg("%s to %s: status %d [%s] %s: %s", list[k].from, list[k].to, (int)status,
                     err.code, err.where, err.message);
    }
}
#define EACH(base, list) each((base), (list), sizeof(list) / sizeof *(list))

static void the_top(void **state)
{
    (void)state;
    static const change list[] = {
        {"tare_scorer: 1", "tare_scorer: 2", "manifest.version", "m:1:14", "allowed: 1"},
        {"tare_scorer: 1", "tare_scorer: '1'", "manifest.version", "m:1:14", "the text \"1\""},
        {"tare_scorer: 1\n", "", "manifest.version", "m:1:1", "is missing"},
        {"tare_scorer: 1", "tare_scorer: 2\nnovelty: 3", "manifest.version", "m:1:14", ""},
        {"name: n\n", "", "manifest.missing", "m:1:1", "name is missing"},
        {"model: m.onnx\n", "", "manifest.missing", "m:1:1", "model is missing: the .onnx file"},
        {"name: n", "nam: n", "manifest.unknown_key", "m:2:6", "did you mean name?"},
        {"name: n", "name: n\nlicense: MIT", "manifest.unknown_key", "m:3:10",
         "did you mean licence?; keys here: tare_scorer, name"},
        {"name: n", "name: n\nzzz: 1", "manifest.unknown_key", "m:3:6", "no such key: zzz; keys"},
        {"name: n", "name: 7", "manifest.type", "m:2:7", "name must be text: put it in quotes"},
        {"name: n", "name: [n]", "manifest.type", "m:2:7", "here it is a list of 1"},
        {"name: n", "name: ''", "manifest.value", "m:2:7", "allowed: 1 to 200"},
        {"name: n", "name: \"a\\nb\"", "manifest.value", "m:2:7", "control character"},
        {"name: n", "name: \"a\\0b\"", "manifest.value", "m:2:7", "control character"},
        {"name: n", "name: \"a\\x9bb\"", "manifest.value", "m:2:7", "control character"},
        {"name: n", "name: n\nname: m", "document.syntax", "m:3:7", "stands twice"},
        {"name: n", "name: n\nsha256: abc", "manifest.value", "m:3:9", "64 hexadecimal digits"},
        {"name: n", "name: n\nsha256: 7", "manifest.value", "m:3:9", "64 hexadecimal digits"},
        {"name: n", "name: n\nsource: [x]", "manifest.type", "m:3:9", "source must be text"},
        {"name: n", "name: n\nlicence: \"a\\0b\"", "manifest.value", "m:3:10", "NUL"},
        {"name: n", "name: n\nbatch: 0", "manifest.value", "m:3:8", "from 1 to 4096"},
        {"name: n", "name: n\nbatch: 4097", "manifest.value", "m:3:8", "batch is 4097"},
        {"name: n", "name: n\nbatch: 1.5", "manifest.value", "m:3:8", "whole number"},
        {"name: n", "name: n\nbatch: two", "manifest.type", "m:3:8", "the text \"two\""},
        {"name: n", "name: n\nprompt: fixed", "manifest.type", "m:3:9", "prompt must be a mapping"},
        {"input: {name: i, kind: image, dtype: f32,\n size: [8, 9],\n resize: {mode: short, kernel:"
         " bicubic},\n crop: center-round, divide: 255, std: [1, 2, 3]}", "input: 5",
         "manifest.type", "m:4:8", "input must be a mapping"},
    };
    EACH(pixels, list);
    static const change whole[] = {
        {vector, "[1]", "manifest.type", "m:1:1", "a manifest is a mapping"},
        {vector, "text", "manifest.type", "m:1:1", "the text \"text\""},
        {vector, "", "document.empty", "m:1:1", ""},
        {vector, "{\"tare_scorer\": 1, \"tare_scorer\": 1}", "json.duplicate_key", "m:1:35", ""},
        {vector, "{\"tare_scorer\": 1, \"input\": 1", "json.truncated", "m:1:30", ""},
    };
    EACH(vector, whole);
}

static void the_image(void **state)
{
    (void)state;
    static const change list[] = {
        {"kind: image, ", "", "manifest.missing", "m:4:8", "input.kind is missing"},
        {"kind: image", "kind: imge", "manifest.value", "m:4:24", "did you mean image?"},
        {"kind: image", "kind: 3", "manifest.value", "m:4:24", "allowed: image, vector, wave"},
        {"name: i, ", "", "manifest.missing", "m:4:8", "input.name is missing"},
        {"name: i", "name: i, rate: 3", "manifest.unknown_key", "m:4:24", "input.rate"},
        {"name: i", "name: i, layout: nhcw", "manifest.value", "m:4:26",
         "input.layout is the text \"nhcw\"; allowed: nchw, nhwc; did you mean nchw?"},
        {"dtype: f32", "dtype: float32", "manifest.value", "m:4:38", "allowed: f32, f16, u8"},
        {"dtype: f32", "order: grb", "manifest.value", "m:4:38", "allowed: rgb, bgr"},
        {"dtype: f32", "dtype: u8", "manifest.conflict", "m:7:30", "input.divide does nothing"},
        {" size: [8, 9],\n", "", "manifest.missing", "m:4:8", "[height, width]"},
        {"[8, 9]", "8", "manifest.type", "m:5:8", "a list of 2"},
        {"[8, 9]", "[8, 9, 3]", "manifest.type", "m:5:8", "here it is a list of 3"},
        {"[8, 9]", "[0, 9]", "manifest.value", "m:5:9", "input.size[0] is 0; allowed: a whole"},
        {"[8, 9]", "[8, 65536]", "manifest.value", "m:5:12", "input.size[1] is 65536"},
        {"[8, 9]", "[8, 9.5]", "manifest.value", "m:5:12", "from 1 to 65535"},
        {"[8, 9]", "[65535, 65535]", "manifest.value", "m:5:8", "at most 100000000 pixels"},
    };
    EACH(pixels, list);
}

static void the_resize(void **state)
{
    (void)state;
    static const change list[] = {
        {" resize: {mode: short, kernel: bicubic},\n", "", "manifest.missing", "m:4:8",
         "input.resize is missing"},
        {"mode: short, ", "", "manifest.missing", "m:6:10", "input.resize.mode is missing"},
        {"mode: short", "mode: shorter", "manifest.value", "m:6:17",
         "allowed: short, long, stretch, none; did you mean short?"},
        {"{mode: short, kernel: bicubic}", "bicubic", "manifest.type", "m:6:10", "a mapping"},
        {"kernel: bicubic", "kernel: cubic", "manifest.value", "m:6:32",
         "allowed: nearest, box, bilinear, hamming, bicubic, lanczos; did you mean bicubic?"},
        {", kernel: bicubic", "", "manifest.missing", "m:6:10", "input.resize.kernel is missing"},
        {"mode: short", "mode: none", "manifest.conflict", "m:6:31",
         "input.resize.kernel does nothing here: with mode none"},
        {"bicubic", "bicubic, backend: opencv", "manifest.value", "m:6:50",
         "allowed: pillow, tensor"},
        {"bicubic", "bicubic, antialias: true", "manifest.conflict", "m:6:52", "does nothing"},
        {"bicubic", "bicubic, backend: tensor, antialias: 1", "manifest.type", "m:6:69",
         "must be true or false; here it is 1"},
        {"bicubic", "bicubic, backend: tensor, pass_order: h-first", "manifest.conflict", "m:6:70",
         "does nothing here"},
        {"bicubic", "nearest, backend: tensor", "manifest.conflict", "m:6:32",
         "allowed with antialias: box"},
        {"bicubic", "box, backend: tensor, antialias: false", "manifest.conflict", "m:6:32",
         "antialias false: bilinear, bicubic"},
        {"bicubic", "bilinear, backend: tensor, corners: aligned", "manifest.conflict", "m:6:68",
         "antialias false only"},
        {"bicubic", "bilinear, backend: tensor, corners: edges", "manifest.value", "m:6:68",
         "allowed: half-pixel, aligned"},
        {"bicubic", "bilinear, corners: aligned", "manifest.conflict", "m:6:51", "smooths"},
        {"bicubic", "bicubic, backend: tensor, before_rgb: true", "manifest.conflict", "m:6:70",
         "works on RGB"},
        {"bicubic", "bicubic, pass_order: v-first", "manifest.value", "m:6:53",
         "allowed: h-first, pillow13"},
        {"bicubic", "bicubic, when_equal: resize", "manifest.value", "m:6:53",
         "allowed: skip, skip-pad"},
        {"bicubic", "bicubic, when_equal: skip-pad", "manifest.conflict", "m:6:53", "mode long"},
    };
    EACH(pixels, list);
}

static void crop_padding_and_numbers(void **state)
{
    (void)state;
    static const change list[] = {
        {"mode: short", "mode: long", "manifest.conflict", "m:7:8", "input.crop needs"},
        {"mode: short", "mode: stretch", "manifest.conflict", "m:7:8", "short or none"},
        {"bicubic", "bicubic, size: [9, 9]", "manifest.type", "m:6:47", "input.resize.size"},
        {"mode: short", "mode: short, size: 0", "manifest.value", "m:6:30", "from 1 to 65535"},
        {"mode: short", "mode: stretch, size: [8, 8]", "manifest.conflict", "m:6:32",
         "nothing would fill the rest"},
        {"mode: short", "mode: stretch, size: 9", "manifest.type", "m:6:32", "list of 2"},
        {"crop: center-round, divide: 255", "divide: 255, resize: {mode: short}",
         "document.syntax", "m:7:23", "stands twice"},
        {"center-round", "centre", "manifest.value", "m:7:8",
         "allowed: none, center-round, center-floor, topleft"},
        {"crop: center-round", "pad: {colour: [0, 0, 0], place: center}", "manifest.conflict",
         "m:7:7", "input.pad needs input.resize.mode long"},
        {"crop: center-round", "pad: 0", "manifest.type", "m:7:7", "input.pad must be a mapping"},
        {"crop: center-round", "pad: {place: center}", "manifest.missing", "m:7:7",
         "input.pad.colour is missing"},
        {"crop: center-round", "pad: {colour: [0, 0, 0]}", "manifest.missing", "m:7:7",
         "center or topleft"},
        {"crop: center-round", "pad: {color: [0, 0, 0], place: center}", "manifest.unknown_key",
         "m:7:15", "did you mean colour?"},
        {"crop: center-round", "pad: {colour: [0, 0, 256], place: center}", "manifest.value",
         "m:7:23", "input.pad.colour[2] is 256; allowed: a number from 0 to 255"},
        {"divide: 255, ", "", "manifest.missing", "m:4:8", "input.divide is missing"},
        {"divide: 255", "divide: 0", "manifest.value", "m:7:30", "above 0"},
        {"divide: 255", "divide: -1", "manifest.value", "m:7:30", "input.divide is -1"},
        {"divide: 255", "divide: 1e39", "manifest.value", "m:7:30", "32 bits"},
        {"divide: 255", "divide: .inf", "manifest.type", "m:7:30", "the text \".inf\""},
        {"[1, 2, 3]", "[1, 0, 3]", "manifest.value", "m:7:44", "input.std[1] is 0"},
        {"[1, 2, 3]", "[1, 2]", "manifest.type", "m:7:40", "a list of 3"},
        {"[1, 2, 3]", "[1, 2, x]", "manifest.value", "m:7:47", "the text \"x\""},
        {"std: [1, 2, 3]", "mean: 0.5", "manifest.type", "m:7:41", "input.mean must be a list"},
        {"std: [1, 2, 3]", "mean: [1, 1, 1e300]", "manifest.value", "m:7:48", "32 bits"},
    };
    EACH(pixels, list);
    static const change bytes[] = {
        {"dtype: f32,\n size: [8, 9],\n resize: {mode: short, kernel: bicubic},\n"
         " crop: center-round, divide: 255, std: [1, 2, 3]}",
         "dtype: u8,\n size: [8, 9],\n resize: {mode: long, kernel: box, backend: tensor}}",
         "manifest.conflict", "m:6:10", "takes bytes"},
        {"dtype: f32,\n size: [8, 9],\n resize: {mode: short, kernel: bicubic},\n"
         " crop: center-round, divide: 255, std: [1, 2, 3]}",
         "dtype: u8,\n size: [8, 9],\n resize: {mode: long, kernel: box},\n"
         " pad: {colour: [0, 0, .5], place: center}}",
         "manifest.value", "m:7:23", "a whole number from 0 to 255"},
    };
    EACH(pixels, bytes);
}

static void vectors_and_waves(void **state)
{
    (void)state;
    static const change vectors[] = {
        {", length: 8", "", "manifest.missing", "m:4:8", "input.length is missing"},
        {"length: 8", "length: 0", "manifest.value", "m:4:40", "1 to 1048576"},
        {"length: 8", "length: 8, size: [1, 2]", "manifest.unknown_key", "m:4:49", "keys here"},
        {"length: 8", "length: 8, from: 3", "manifest.type", "m:4:49", "put it in quotes"},
    };
    EACH(vector, vectors);
    static const change waves[] = {
        {"rate: 16000, ", "", "manifest.missing", "m:4:8", "input.rate"},
        {"rate: 16000", "rate: 0", "manifest.value", "m:4:36", "from 1 to 1000000"},
        {", short: zero", "", "manifest.missing", "m:4:8", "repeat or zero"},
        {"short: zero", "short: pad", "manifest.value", "m:4:61", "allowed: repeat, zero"},
        {"length: 8", "length: 8, hop: 0", "manifest.value", "m:4:59", "samples"},
        {"length: 8", "length: 16777217", "manifest.value", "m:4:51", "1 to 16777216"},
    };
    EACH(wave, waves);
}

static void prompts(void **state)
{
    (void)state;
    static const change list[] = {
        {"mode: fixed, ", "", "manifest.missing", "m:5:9", "prompt.mode is missing"},
        {"mode: fixed", "mode: per-item", "manifest.conflict", "m:5:34",
         "prompt.tokens does nothing here"},
        {"mode: fixed, tokens: [1, 2, 3]", "mode: per-item, tokenizer: clip", "manifest.missing",
         "m:5:9", "prompt.length is missing"},
        {"mode: fixed, tokens: [1, 2, 3]", "mode: per-item, length: 5", "manifest.missing",
         "m:5:9", "prompt.tokenizer is missing"},
        {"mode: fixed, tokens: [1, 2, 3]", "mode: per-item, tokenizer: clip, length: 1",
         "manifest.value", "m:5:51", "at least 2 ids"},
        {"mode: fixed, tokens: [1, 2, 3]", "mode: per-item, tokenizer: clip, length: 5, text: x",
         "manifest.conflict", "m:5:60", "the text comes with each image"},
        {"mode: fixed", "mode: fixd", "manifest.value", "m:5:16", "did you mean fixed?"},
        {"mode: fixed", "mode: none", "manifest.conflict", "m:5:30",
         "prompt.tokens does nothing here"},
        {"tokens: [1, 2, 3], ", "", "manifest.missing", "m:5:9", "needs prompt.tokens"},
        {"tokens: [1, 2, 3]", "tokens: []", "manifest.type", "m:5:31", "1 to 4096 token ids"},
        {"tokens: [1, 2, 3]", "tokens: 5", "manifest.type", "m:5:31", "here it is 5"},
        {"tokens: [1, 2, 3]", "tokens: [1, -2]", "manifest.value", "m:5:35", "prompt.tokens[1]"},
        {"tokens: [1, 2, 3]", "tokens: [1, 2.5]", "manifest.value", "m:5:35", "whole number"},
        {"tokens: [1, 2, 3]", "tokens: [1], text: x", "manifest.conflict", "m:5:42",
         "the ids are given by tokens"},
        {"tokens: [1, 2, 3]", "tokens: [1], tokenizer: clip", "manifest.conflict", "m:5:47", ""},
        {"tokens: [1, 2, 3]", "tokenizer: hf-json", "manifest.prompt", "m:5:34",
         "name tokenizer.json as prompt.vocabulary"},
        {"tokens: [1, 2, 3]", "tokenizer: hf-json, text: a photo", "manifest.prompt", "m:5:34",
         "vocabulary"},
        {"tokens: [1, 2, 3]", "tokenizer: clip, text: a cat", "manifest.prompt", "m:5:46",
         "\"a photo\"; name the tokeniser's file as prompt.vocabulary"},
        {"tokens: [1, 2, 3]", "tokens: [1], vocabulary: v", "manifest.conflict", "m:5:48",
         "the ids are given by tokens"},
        {"tokens: [1, 2, 3]", "tokenizer: t5", "manifest.value", "m:5:34",
         "allowed: clip, bert, hf-json"},
        {"ids: t", "ids: t, length: 2", "manifest.conflict", "m:5:58", "truncate: true"},
        {"ids: t", "ids: t, length: 4097", "manifest.value", "m:5:58", "from 1 to 4096"},
        {"ids: t", "ids: t, truncate: 1", "manifest.type", "m:5:60", "true or false"},
        {"ids: t", "ids: t, pad: -1", "manifest.value", "m:5:55", "prompt.pad is -1"},
        {", ids: t", "", "manifest.missing", "m:5:9", "input for token ids"},
        {"ids: t", "ids: t, mask: 5", "manifest.type", "m:5:56", "prompt.mask must be text"},
        {"ids: t", "ids: t, position: p", "manifest.unknown_key", "m:5:60",
         "did you mean positions?"},
    };
    EACH(prompted, list);
}

static void outputs(void **state)
{
    (void)state;
    static const change list[] = {
        {"name: o, ", "", "manifest.missing", "m:8:9", "output.name is missing"},
        {"name: o", "name: o, op: 1", "manifest.unknown_key", "m:8:23", "did you mean ops?"},
        {"[0, 1]", "[1, 0]", "manifest.value", "m:8:41", "the lower number first"},
        {"[0, 1]", "[1, 1]", "manifest.value", "m:8:41", "two different ones"},
        {"[0, 1]", "[1]", "manifest.type", "m:8:41", "a list of 2"},
        {"[0, 1]", "[0, 1], higher_is_better: 'true'", "manifest.type", "m:8:67",
         "must be true or false; here it is the text \"true\""},
        {"[[mean]]", "mean", "manifest.ops", "m:8:24", "a list of at most 32 operations"},
        {"[[mean]]", "[[avg]]", "manifest.ops", "m:8:26",
         "output.ops[0] begins with the text \"avg\"; allowed: select, mean, max"},
        {"[[mean]]", "[[mean], [sotfmax, 1]]", "manifest.ops", "m:8:34", "did you mean softmax?"},
        {"[[mean]]", "[[]]", "manifest.ops", "m:8:25", "begins with a list of 0"},
        {"[[mean]]", "[7]", "manifest.ops", "m:8:25", "begins with 7"},
        {"[[mean]]", "[{mean: 1}]", "manifest.ops", "m:8:25", "begins with a mapping"},
        {"[[mean]]", "[[mean, 1, 2]]", "manifest.ops", "m:8:35", "several axes are one list"},
        {"[[mean]]", "[[mean, []]]", "manifest.ops", "m:8:32", "an empty list"},
        {"[[mean]]", "[[mean, [1, 1]]]", "manifest.ops", "m:8:36", "stands twice"},
        {"[[mean]]", "[[mean, [1,2,3,4,5,6,7,-1,-2]]]", "manifest.ops", "m:8:50", "more axes"},
        {"[[mean]]", "[[mean, 0]]", "manifest.ops", "m:8:32", "0 is the batch"},
        {"[[mean]]", "[[mean, 8]]", "manifest.ops", "m:8:32", "an axis is 1 to 7"},
        {"[[mean]]", "[[mean, -9]]", "manifest.ops", "m:8:32", "-1 to -8"},
        {"[[mean]]", "[[mean, x]]", "manifest.ops", "m:8:32", "allowed: [\"mean\"] or"},
        {"[[mean]]", "[softmax]", "manifest.ops", "m:8:25", "allowed: [\"softmax\", axis]"},
        {"[[mean]]", "[[softmax, 1, 2]]", "manifest.ops", "m:8:25", "it has one axis"},
        {"[[mean]]", "[[softmax, [1]]]", "manifest.ops", "m:8:35", "an axis is"},
        {"[[mean]]", "[[select, 1]]", "manifest.ops", "m:8:25", "select has two arguments"},
        {"[[mean]]", "[[select, 1, 0.5]]", "manifest.ops", "m:8:37", "an index is a whole number"},
        {"[[mean]]", "[[select, 0, 1]]", "manifest.ops", "m:8:34", "0 is the batch"},
        {"[[mean]]", "[[sigmoid, 1]]", "manifest.ops", "m:8:35", "it has no arguments"},
        {"[[mean]]", "[[affine, 1]]", "manifest.ops", "m:8:25",
         "two numbers; allowed: [\"affine\""},
        {"[[mean]]", "[[affine, 1, x]]", "manifest.ops", "m:8:25", "two numbers"},
        {"[[mean]]", "[[clip, 1, 1]]", "manifest.ops", "m:8:25", "lo must be below hi"},
        {"[[mean]]", "[[expect]]", "manifest.ops", "m:8:25", "one list of 1 to 65536 values"},
        {"[[mean]]", "[[expect, []]]", "manifest.ops", "m:8:25", "one list"},
        {"[[mean]]", "[[expect, [1, x]]]", "manifest.ops", "m:8:38", "a value is a number"},
        {"[[mean]]", "[[dot, [1]]]", "manifest.ops", "m:8:25", "the name of one file"},
        {"[[mean]]", "[[dot, nima.json]]", "npy.magic", "nima.json", "numpy.save"},
    };
    EACH(pixels, list);
}

static void files_that_are_not_there(void **state)
{
    (void)state;
    static const char text[] = "tare_scorer: 1\nname: n\nmodel: m\n"
                               "input: {name: i, kind: vector, length: 8}\n"
                               "output: {name: o, ops: [[dot, none.npy]]}\n";
    tare_error err;
    assert_int_equal(parse_bytes(text, sizeof text - 1, &err), TARE_E_IO);
    assert_string_equal(err.where, FOLDER "none.npy");
    mem m = mem_system();
    arena a;
    onnx_manifest x;
    arena_init(&a, &m);
    assert_int_equal(onnx_manifest_read(&x, &a, FOLDER "none.json", &err), TARE_E_IO);
    assert_string_equal(err.where, FOLDER "none.json");
    arena_free(&a);
}

static void limits_hold(void **state)
{
    (void)state;
    mem m = mem_system();
    text t;
    tare_error err;
    text_init(&t, &m);
    text_add(&t, vector);
    text_add_char(&t, '#');
    while (t.length <= (size_t)1 << 20) text_add(&t, "0123456789012345678901234567890123456789");
    assert_int_equal(parse_bytes(t.data, t.length, &err), TARE_E_LIMIT);
    assert_string_equal(err.code, "manifest.bytes");
    assert_ok(parse_bytes(t.data, (size_t)1 << 20, &err));
    text_clear(&t);
    text_add(&t, "tare_scorer: 1\nname: n\nmodel: m\ninput: {name: i, kind: vector, length: 8}\n"
                 "output: {name: o, ops: [exp");
    for (int k = 1; k < 32; k++) text_add(&t, ", exp");
    size_t open = t.length;
    text_add(&t, "]}");
    assert_ok(parse_bytes(t.data, t.length, &err));
    t.length = open;
    text_add(&t, ", exp]}");
    assert_int_equal(parse_bytes(t.data, t.length, &err), TARE_E_DATA);
    assert_string_equal(err.code, "manifest.ops");
    text_free(&t);
}

static void every_beginning_ends(void **state)
{
    (void)state;
    for (size_t n = 0; n < sizeof pixels; n++) {
        tare_error err;
        tare_status status = parse_bytes(pixels, n, &err);
        assert_true(status == TARE_OK || (status == TARE_E_DATA && *err.message));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_top),
        cmocka_unit_test(the_image),
        cmocka_unit_test(the_resize),
        cmocka_unit_test(crop_padding_and_numbers),
        cmocka_unit_test(vectors_and_waves),
        cmocka_unit_test(prompts),
        cmocka_unit_test(outputs),
        cmocka_unit_test(files_that_are_not_there),
        cmocka_unit_test(limits_hold),
        cmocka_unit_test(every_beginning_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
