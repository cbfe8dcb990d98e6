/* Layers of Keras models: a small one that TF.js has saved (tests/data/tfjs_tiny, written by
 * tests/ref/tfjs_tiny.mjs, which prints what TF.js 4.22.0 makes of it), and the same with one thing
 * changed that cannot be rebuilt. */
#include <string.h>

#include "base/os.h"
#include "scorer/graph/mobilenet.h"
#include "scorer/onnx/ort_session.h"
#include "support/failing_mem.h"
#include "support/ort_fixture.h"

#define TINY TARE_SOURCE_DIR "/tests/data/tfjs_tiny/"
enum { SIDE = 10, CLASSES = 4 };

static tare_error err;
static tare_context *context;
static mem m;
static bool have_library;
static char folder[64], *model;

static void says_what_tfjs_says(void **state)
{
    static const double want[CLASSES] = {0.201051787, 0.458791137, 0.227423191, 0.112733871};
    (void)state;
    if (!have_library) skip();
    arena a;
    checkpoint *c;
    graph_model graph;
    ort_session *s;
    ort_output o;
    int side = 0, classes = 0;
    float pixels[2 * SIDE * SIDE * 3];
    ort_tensor in = {GRAPH_IMAGE, ORT_F32, 4, {2, SIDE, SIDE, 3}, pixels};
    arena_init(&a, &m);
    ort_pixels(pixels, sizeof pixels / sizeof *pixels);
    assert_ok(checkpoint_open(&c, context, TINY "model.json", &err));
    assert_ok(graph_mobilenet(&graph, &side, &classes, &a, c, 2, &err));
    assert_int_equal(side, SIDE);
    assert_int_equal(classes, CLASSES);
    assert_ok(ort_session_open_graph(&s, context, &graph, &(ort_graph){.name = c->path}, &err));
    assert_ok(ort_session_run(&o, s, &in, 1, GRAPH_VECTOR, &err));
    assert_int_equal(o.count, 2 * CLASSES);
    for (size_t k = 0; k < CLASSES; k++) assert_within(o.value[k], want[k], 0, 1e-6);
    mem_free(&m, o.value);
    ort_session_close(s);
    checkpoint_close(c);
    arena_free(&a);
}

/* ---- One thing changed ----------------------------------------------------------------------- */

static void put(const char *name, const void *bytes, size_t length)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    assert_ok(os_write_file(path, bytes, length, &err));
}

static tare_status build(const char *document)
{
    arena a;
    checkpoint *c;
    graph_model graph;
    char path[128];
    int side, classes;
    put("model.json", document, strlen(document));
    snprintf(path, sizeof path, "%s/model.json", folder);
    arena_init(&a, &m);
    assert_ok(checkpoint_open(&c, context, path, &err));
    tare_status status = graph_mobilenet(&graph, &side, &classes, &a, c, 1, &err);
    checkpoint_close(c);
    arena_free(&a);
    return status;
}

static void names_what_it_does_not_know(void **state)
{
    static const struct { const char *from, *to, *code, *words; } list[] = {
        {"\"class_name\":\"Model\"", "\"class_name\":\"Sequential\"",
         "tfjs.topology", "Functional"},
        {"\"class_name\":\"GlobalAveragePooling2D\"", "\"class_name\":\"GlobalMaxPooling2D\"",
         "tfjs.layer", "layer mean (GlobalMaxPooling2D): layers of this kind"},
        {"\"strides\":[2,2]", "\"strides\":[2,2],\"twist\":1", "tfjs.layer",
         "layer c1 (Conv2D): the setting twist is not known"},
        {"\"strides\":[2,2]", "\"strides\":[0,2]", "tfjs.layer", "layer c1 (Conv2D): strides"},
        {"\"strides\":[2,2]", "\"strides\":2", "tfjs.layer", "strides is missing or not 2"},
        {"\"strides\":[2,2]", "\"groups\":3,\"strides\":[2,2]", "tfjs.layer", "groups is not 1"},
        {"\"strides\":[2,2]", "\"strides\":[2,2],\"dtype\":\"float16\"", "tfjs.layer",
         "dtype is not float32"},
        {"\"padding\":\"same\"", "\"padding\":\"causal\"", "tfjs.layer", "padding is \"causal\""},
        {"channels_last", "channels_first", "tfjs.layer", "data_format is \"channels_first\""},
        {"\"activation\":\"relu6\"", "\"activation\":\"swish\"", "tfjs.layer",
         "layer c1 (Conv2D): activation is \"swish\""},
        {"\"activation\":\"relu6\"", "\"activation\":\"softmax\"", "tfjs.layer", "vectors only"},
        {"\"filters\":6", "\"filters\":7", "checkpoint.shape",
         "c1/kernel is f32 [3,3,3,6]; its layer in the topology needs [3,3,3,7]"},
        {"\"filters\":6", "\"filters\":\"6\"", "tfjs.layer", "filters"},
        {"\"use_bias\":true", "\"use_bias\":null", "tfjs.layer", "use_bias"},
        {"\"use_bias\":true", "\"use_bias\":false", "checkpoint.surplus", "the weight c1/bias"},
        {"\"use_bias\":false", "\"use_bias\":true", "checkpoint.missing", "no weight c2/bias"},
        {"\"name\":\"c1\",\"class", "\"name\":\"c9\",\"class", "tfjs.layer",
         "layer c2 (Conv2D): it takes the output of \"c1\""},
        {"\"name\":\"c2\",\"class", "\"name\":\"c1\",\"class", "tfjs.layer", "has this name"},
        {"\"name\":\"c1\",\"class", "\"name\":\"c 1\",\"class", "tfjs.topology", "a layer lacks"},
        {"[[[\"in\",0,0,{}]]]", "[[[\"in\",1,0,{}]]]", "tfjs.layer", "only output"},
        {"[[[\"in\",0,0,{}]]]", "[[[\"in\",0,0,{}]],[[\"in\",0,0,{}]]]", "tfjs.layer",
         "more than once"},
        {"[[[\"in\",0,0,{}]]]", "[[[\"in\",0,0,{}],[\"in\",0,0,{}]]]", "tfjs.layer",
         "it takes 1 inputs, not 2"},
        {"\"axis\":-1", "\"axis\":1", "tfjs.layer", "layer norm (BatchNormalization): its axis"},
        {"\"epsilon\":0.01", "\"epsilon\":0", "tfjs.layer", "positive epsilon"},
        {"\"center\":true", "\"center\":false", "tfjs.layer", "center"},
        {"\"max_value\":0.75", "\"max_value\":0.75,\"negative_slope\":0.1", "tfjs.layer",
         "layer relu (ReLU): negative_slope"},
        {"\"max_value\":0.75", "\"max_value\":\"6\"", "tfjs.layer", "max_value is no number"},
        {"[[1,0],[0,2]]", "[1,0]", "tfjs.layer", "layer pad (ZeroPadding2D): padding is not"},
        {"[[1,0],[0,2]]", "[[1,0],[0,-2]]", "tfjs.layer", "padding is not"},
        {"[[1,0],[0,2]]", "[[65536,65536],[65536,65536]]", "tfjs.layer", "2^31"},
        {"[null,10,10,3]", "[null,10,12,3]", "tfjs.layer", "batch_input_shape"},
        {"[null,10,10,3]", "[null,5000,5000,3]", "tfjs.layer", "at most 4096"},
        {"[null,10,10,3]", "[null,12,12,3]", "checkpoint.shape", "d1/kernel"},
        {"\"units\":4", "\"units\":5", "checkpoint.shape", "d2/kernel"},
        {"\"activation\":\"softmax\"", "\"activation\":\"linear\"", "tfjs.layer",
         "layer out (Activation): the model ends here"},
        {"\"output_layers\":[[\"out\",0,0]]", "\"output_layers\":[[\"d2\",0,0]]", "tfjs.layer",
         "layer d2 (Dense): the model ends here"},
        {"\"output_layers\":[[\"out\",0,0]]", "\"output_layers\":[[\"outs\",0,0]]",
         "tfjs.topology", "none of its layers"},
        {"\"output_layers\":[[\"out\",0,0]]", "\"output_layers\":[]", "tfjs.topology",
         "one output"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
        char changed[8192];
        const char *at = strstr(model, list[k].from);
        if (!at) fail_msg("%s is not there", list[k].from);
        snprintf(changed, sizeof changed, "%.*s%s%s", (int)(at - model), model, list[k].to,
                 at + strlen(list[k].from));
        tare_status status = build(changed);
        if (status != TARE_E_DATA || strcmp(err.code, list[k].code) != 0 ||
            !strstr(err.message, list[k].words) || !strstr(err.where, "model.json"))
            fail_msg("%s to %s: %d [%s] %s: %s", list[k].from, list[k].to, status, err.code,
                     err.where, err.message);
    }
    assert_ok(build(model));
}

static void needs_a_topology(void **state)
{
    (void)state;
    arena a;
    graph_model graph;
    int side, classes;
    checkpoint c = {.path = "w.safetensors"};
    arena_init(&a, &m);
    assert_int_equal(graph_mobilenet(&graph, &side, &classes, &a, &c, 1, &err), TARE_E_DATA);
    assert_string_equal(err.code, "tfjs.topology");
    arena_free(&a);
}

static void survives_each_failed_allocation(void **state)
{
    (void)state;
    bool failed = true;
    long k = 0;
    checkpoint *c;
    assert_ok(checkpoint_open(&c, context, TINY "model.json", &err));
    while (failed) {
        failing_mem f;
        arena a;
        graph_model graph;
        int side, classes;
        mem faulty = failing_mem_start(&f, ++k);
        arena_init(&a, &faulty);
        tare_status status = graph_mobilenet(&graph, &side, &classes, &a, c, 1, &err);
        failed = failing_mem_failed(&f);
        assert_int_equal(status, failed ? TARE_E_MEMORY : TARE_OK);
        arena_free(&a);
        assert_int_equal(failing_mem_live(&f), 0);
    }
    assert_true(k > 10);
    checkpoint_close(c);
}

static bool begin(void)
{
    size_t length = 0;
    char *weights = NULL;
    m = mem_system();
    have_library = ort_fixture_begin();
    context = ort_context();
    strcpy(folder, "/tmp/tare-keras-XXXXXX");
    if (!mkdtemp(folder) ||
        os_read_file(&model, &length, &m, TINY "model.json", 1 << 20, &err) != TARE_OK ||
        os_read_file(&weights, &length, &m, TINY "weights.bin", 1 << 20, &err) != TARE_OK)
        return false;
    put("weights.bin", weights, length);
    mem_free(&m, weights);
    return true;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(says_what_tfjs_says), cmocka_unit_test(names_what_it_does_not_know),
        cmocka_unit_test(needs_a_topology), cmocka_unit_test(survives_each_failed_allocation)};
    char command[128];
    if (!begin()) return 1;
    int result = cmocka_run_group_tests(tests, NULL, NULL);
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    if (system(command) != 0) result = 1;
    mem_free(&m, model);
    tare_context_free(context);
    if (have_library) ort_fixture_end();
    return result;
}
