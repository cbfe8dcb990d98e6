/* TF.js layers models from files: where weights lie, what quantised bytes stand for, modules, and
 * what is refused. What the numbers must be is TF.js's own definition (io.decodeWeights): stored x
 * scale + min, in double, then float32. */
#include <string.h>

#include "base/os.h"
#include "scorer/checkpoint/checkpoint.h"
#include "scorer/checkpoint/tfjs_module.h"
#include "support/check.h"
#include "support/failing_mem.h"

static tare_error err;
static tare_context *context;
static char folder[64];

static const char *place(const char *name)
{
    static char paths[4][128];
    static unsigned next;
    char *out = paths[next++ % 4];
    snprintf(out, sizeof paths[0], "%s/%s", folder, name);
    return out;
}

static void put(const char *name, const void *bytes, size_t length)
{
    assert_ok(os_write_file(place(name), bytes, length, &err));
}

static void put_text(const char *name, const char *words)
{
    put(name, words, strlen(words));
}

/* a: f32 [2], from the first file into the second; b: u8 [3]; c: u16 [2]; d: f16 []; e: i32 [1];
 * f: bool [2]; g: nothing */
#define TOPOLOGY "\"modelTopology\": {\"class_name\": \"Model\"}"
#define WEIGHTS                                                                                  \
    "[{\"name\": \"a\", \"shape\": [2], \"dtype\": \"float32\"},"                                \
    "{\"name\": \"b\", \"shape\": [3], \"dtype\": \"float32\","                                  \
    " \"quantization\": {\"dtype\": \"uint8\", \"min\": -1.5, \"scale\": 0.1}},"                 \
    "{\"name\": \"c\", \"shape\": [1, 2], \"dtype\": \"float32\","                               \
    " \"quantization\": {\"dtype\": \"uint16\", \"min\": 0.25, \"scale\": 0.5}},"                \
    "{\"name\": \"d\", \"shape\": [], \"dtype\": \"float32\","                                   \
    " \"quantization\": {\"dtype\": \"float16\"}},"                                              \
    "{\"name\": \"e\", \"shape\": [1], \"dtype\": \"int32\"},"                                   \
    "{\"name\": \"f\", \"shape\": [2], \"dtype\": \"bool\"},"                                    \
    "{\"name\": \"g\", \"shape\": [0, 7], \"dtype\": \"float32\"}]"
#define GOOD(paths)                                                             \
    "{" TOPOLOGY ", \"format\": \"layers-model\", \"weightsManifest\": ["       \
    "{\"paths\": " paths ", \"weights\": " WEIGHTS "}]}"

static const unsigned char bytes[] = {0, 0, 0x80, 0x3f, 0, 0, 0x20, 0xc0, /* 1, -2.5       */
                                      0, 7, 255, 1, 0, 0xff, 0xff,        /* 1, 65535      */
                                      0, 0x3e, 0xfe, 0xff, 0xff, 0xff,    /* 1.5, -2       */
                                      0, 1};

static void check_values(const checkpoint *c)
{
    float v[3];
    static const struct { const char *name, *words; double want[3]; } all[] = {
        {"a", "f32 [2]", {1, -2.5}}, {"b", "u8 [3]", {-1.5, -1.5 + 7 * .1, -1.5 + 255 * .1}},
        {"c", "u16 [1,2]", {.75, 32767.75}}, {"d", "f16 []", {1.5}}, {"e", "i32 [1]", {-2}}};
    assert_int_equal(c->kind, CHECKPOINT_TFJS);
    assert_int_equal(c->tensor_count, 7);
    for (size_t k = 0; k < 5; k++) {
        char words[TENSOR_TEXT];
        const checkpoint_tensor *t = checkpoint_find(c, all[k].name);
        assert_non_null(t);
        checkpoint_tensor_text(words, t);
        assert_string_equal(words, all[k].words);
        assert_ok(checkpoint_floats(v, c, t, &err));
        for (size_t i = 0; i < t->elements; i++)
            assert_true(v[i] == (float)all[k].want[i]);
    }
    assert_int_equal(checkpoint_find(c, "f")->type, TENSOR_BOOL);
    assert_int_equal(checkpoint_find(c, "g")->elements, 0);
    assert_non_null(strstr(c->document, "modelTopology"));
}

static void reads_files(void **state)
{
    (void)state;
    checkpoint *c;
    put_text("model.json", GOOD("[\"one.bin\", \"two.bin\"]"));
    put("one.bin", bytes, 5); /* a lies in both */
    put("two.bin", bytes + 5, sizeof bytes - 5);
    assert_ok(checkpoint_open(&c, context, place("model.json"), &err));
    check_values(c);
    assert_int_equal(c->file_count, 3);
    const checkpoint_tensor *t = checkpoint_find(c, "b");
    assert_true(checkpoint_find(c, "a")->file == SIZE_MAX);
    assert_int_equal(t->file, 2);
    assert_int_equal(t->offset, 3);
    assert_true(t->data == c->file[2].bytes + 3);
    checkpoint_close(c);
}

/* What bundlers write: keys without quotes, !0 and !1, numbers without the zero before the point,
 * and the word exports before that in other senses. */
static void reads_modules(void **state)
{
    static const char model[] =
        "!function(e){if(\"object\"==typeof exports)module.exports=e();n={exports:{}}}(1,[function("
        "e,a){a.exports={modelTopology:{class_name:'Mo\\'del \"x\"',$ok:!0,no:!1,nil:null,"
        "e5:-.5e-3,whole:7.},\n format : \"layers-model\",weightsManifest:[{paths:[\"group1-x\"],"
        "weights:[{name:\"a\",shape:[2],dtype:\"float32\"}]}]}},{}]);";
    static const char weights[] = "a.exports = 'AACAPwAAIMA='};";
    (void)state;
    checkpoint *c;
    float v[2];
    for (int least = 0; least < 2; least++) {
        put_text(least ? "model.min.js" : "m.js", model);
        put_text(least ? "group1-x.min.js" : "group1-x.js", weights);
        assert_ok(checkpoint_open(&c, context, place(least ? "model.min.js" : "m.js"), &err));
        const checkpoint_tensor *t = checkpoint_find(c, "a");
        assert_ok(checkpoint_floats(v, c, t, &err));
        assert_true(v[0] == 1 && v[1] == -2.5f && t->file == SIZE_MAX);
        assert_non_null(strstr(c->document, "{\"class_name\":\"Mo'del \\\"x\\\"\",\"$ok\":true,"
                                            "\"no\":false,\"nil\":null,\"e5\":-0.5e-3,"
                                            "\"whole\":7.0}"));
        checkpoint_close(c);
        assert_int_equal(remove(place(least ? "group1-x.min.js" : "group1-x.js")), 0);
    }
}

typedef struct refusal {
    const char *file, *words, *code, *message;
} refusal;

static void refuse(const refusal *r)
{
    checkpoint *c = NULL;
    put_text(r->file, r->words);
    tare_status status = checkpoint_open(&c, context, place(r->file), &err);
    if (status != TARE_E_DATA || strcmp(err.code, r->code) != 0 ||
        !strstr(err.message, r->message) || !strstr(err.where, folder))
        fail_msg("%s: %d %s [%s] %s", r->words, status, err.where, err.code, err.message);
    assert_null(c);
}

#define MANIFEST(groups) "{" TOPOLOGY ", \"weightsManifest\": [" groups "]}"
#define ONE(weight) MANIFEST("{\"paths\": [\"8.bin\"], \"weights\": [" weight "]}")
#define NAMED(path) MANIFEST("{\"paths\": [" path "], \"weights\": []}")

static void refuses(void **state)
{
    static const refusal list[] = {
        {"x.json", "{\"modelTopology\": {}, \"format\": \"graph-model\"}", "tfjs.format",
         "graph-model"},
        {"x.json", "{" TOPOLOGY "}", "tfjs.manifest", "one is missing"},
        {"x.json", "{\"weightsManifest\": []}", "tfjs.manifest", "one is missing"},
        {"x.json", MANIFEST("{\"weights\": []}"), "tfjs.manifest", "no list of paths"},
        {"x.json", MANIFEST("{\"paths\": [\"8.bin\"]}"), "tfjs.manifest", "no list of weights"},
        {"x.json", MANIFEST("7"), "tfjs.manifest", "no list"},
        {"x.json", NAMED("\"../8.bin\""), "tfjs.path", "own folder"},
        {"x.json", NAMED("\"/etc/passwd\""), "tfjs.path", "own folder"},
        {"x.json", NAMED("\"a\\u0000b\""), "tfjs.path", "own folder"},
        {"x.json", NAMED("\"\""), "tfjs.path", "own folder"},
        {"x.json", NAMED("5"), "tfjs.path", "own folder"},
        {"x.json", NAMED("\"8.bin\""), "tfjs.length", "have 8 bytes"},
        {"x.json", ONE("{\"shape\": [2], \"dtype\": \"float32\"}"), "tfjs.manifest", "no name"},
        {"x.json", ONE("{\"name\": \"w\", \"dtype\": \"float32\"}"), "tfjs.shape",
         "weight w has no shape"},
        {"x.json", ONE("{\"name\": \"w\", \"shape\": [2.5], \"dtype\": \"float32\"}"),
         "tfjs.shape", "dimension 0 of the weight w"},
        {"x.json", ONE("{\"name\": \"w\", \"shape\": [-1], \"dtype\": \"float32\"}"),
         "tfjs.shape", "dimension 0"},
        {"x.json", ONE("{\"name\": \"w\", \"shape\": [3], \"dtype\": \"float32\"}"),
         "tfjs.length", "inside w: it needs 12"},
        {"x.json", ONE("{\"name\": \"w\", \"shape\": [9007199254740992, 4096], \"dtype\": "
                       "\"float32\"}"), "tfjs.length", "more elements"},
        {"x.json", ONE("{\"name\": \"w\", \"shape\": [2], \"dtype\": \"string\"}"), "tfjs.dtype",
         "w has the dtype \"string\""},
        {"x.json", ONE("{\"name\": \"w\", \"shape\": [2], \"dtype\": \"int32\", \"quantization\": "
                       "{\"dtype\": \"uint8\"}}"), "tfjs.dtype", "only float32"},
        {"x.json", ONE("{\"name\": \"w\", \"shape\": [8], \"dtype\": \"float32\", "
                       "\"quantization\": {\"dtype\": \"uint4\"}}"), "tfjs.dtype", "uint4"},
        {"x.json", ONE("{\"name\": \"w\", \"shape\": [8], \"dtype\": \"float32\", "
                       "\"quantization\": {\"dtype\": \"uint8\", \"min\": 0}}"),
         "tfjs.quantization", "no min and scale"},
        {"x.json", ONE("{\"name\": \"w\", \"shape\": [1], \"dtype\": \"float32\"}, {\"name\": "
                       "\"w\", \"shape\": [1], \"dtype\": \"float32\"}"), "checkpoint.duplicate",
         "called w"},
        {"x.js", "a.exports = f({})", "tfjs.module", "no `exports = {...}`"},
        {"x.js", "a.exports == {}", "tfjs.module", "no `exports"},
        {"x.js", "a.exports={a:[1,", "tfjs.module", "ends inside the model"},
        {"x.js", "a.exports={a:'", "tfjs.module", "ends inside a string"},
        {"x.js", "a.exports={a:alert(1)}", "tfjs.module", "expression"},
        {"x.js", "a.exports={a:void 0}", "tfjs.module", "expression"},
        {"x.js", "a.exports={a:1+1}", "json.syntax", ""},
        {"x.js", "a.exports={a:0x10}", "json.syntax", ""},
        {"x.js", "a.exports={a:1]", "json.syntax", ""},
        {"m.js", "exports={modelTopology:{},weightsManifest:[{paths:['w'],weights:[]}]}",
         "tfjs.module", "no base64"},
    };
    (void)state;
    put("8.bin", bytes, 8);
    put_text("w.js", "exports='AAA*'");
    for (size_t k = 0; k < sizeof list / sizeof *list; k++) refuse(&list[k]);
    put_text("w.js", "exports='AAAA");
    refuse(&(refusal){"m.js", list[sizeof list / sizeof *list - 1].words, "tfjs.module",
                      "ends inside the weights"});
    assert_int_equal(err.status, TARE_E_DATA);
}

static void a_file_that_is_not_there(void **state)
{
    (void)state;
    checkpoint *c = NULL;
    put_text("x.json", NAMED("\"none.bin\""));
    assert_int_equal(checkpoint_open(&c, context, place("x.json"), &err), TARE_E_IO);
    assert_non_null(strstr(err.where, "none.bin"));
    assert_null(c);
}

static void survives_each_failed_allocation(void **state)
{
    (void)state;
    bool failed = true;
    long k = 0;
    put_text("model.json", GOOD("[\"one.bin\", \"two.bin\"]"));
    put("one.bin", bytes, 5);
    put("two.bin", bytes + 5, sizeof bytes - 5);
    while (failed) {
        failing_mem f;
        tare_context faulty = *context;
        checkpoint *c = NULL;
        faulty.mem = failing_mem_start(&f, ++k);
        tare_status status = checkpoint_open(&c, &faulty, place("model.json"), &err);
        failed = failing_mem_failed(&f);
        assert_int_equal(status, failed ? TARE_E_MEMORY : TARE_OK);
        checkpoint_close(c);
        assert_int_equal(failing_mem_live(&f), 0);
    }
    assert_true(k > 10);
}

int main(void)
{
    strcpy(folder, "/tmp/tare-tfjs-XXXXXX");
    if (mkdtemp(folder) == NULL || tare_context_new(&context, NULL, &err) != TARE_OK) return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_files), cmocka_unit_test(reads_modules), cmocka_unit_test(refuses),
        cmocka_unit_test(a_file_that_is_not_there),
        cmocka_unit_test(survives_each_failed_allocation)};
    int result = cmocka_run_group_tests(tests, NULL, NULL);
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    if (system(command) != 0) result = 1;
    tare_context_free(context);
    return result;
}
