/* Sessions: ports, outputs, element types, batches, threads, failures of calls.
 *
 * Numbers: ONNX Runtime's own Python package on the same models and pixels; its versions 1.17.0 and
 * 1.30.0 agree to all nine digits. */
#include "scorer/onnx/ort_session.h"

#include <dirent.h>
#include <pthread.h>
#include <string.h>
#include <sys/stat.h>

#include "base/os.h"
#include "support/ort_fixture.h"

/* What is in a folder. */
static size_t entries(const char *path)
{
    size_t n = 0;
    DIR *d = opendir(path);
    assert_non_null(d);
    while (readdir(d) != NULL) n++;
    closedir(d);
    return n - 2; /* . and .. */
}

/* ThreadSanitizer has a thread of its own. */
static size_t sanitizer_threads(void)
{
#ifdef __SANITIZE_THREAD__
    return 1;
#else
    return 0;
#endif
}

static const float SIX[6] = {1, 2, 3, 4, 5, 6};

static void assert_values(const ort_output *out, const double *want, size_t count)
{
    assert_int_equal(out->count, count);
    for (size_t i = 0; i < count; i++) assert_within(out->value[i], want[i], 1e-6, 1e-7);
}

static void release(ort_output *out)
{
    mem m = mem_system();
    mem_free(&m, out->value);
}

static void ports_are_described(void **state)
{
    (void)state;
    tare_context *c = ort_context();
    ort_session *s = ort_model(c, "prompt.onnx");
    const ort_port *p = ort_session_input(s, 0);
    assert_string_equal(p->name, "image");
    assert_int_equal(p->type, ORT_F32);
    assert_int_equal(p->rank, 4);
    assert_int_equal(p->dim[0], -1);
    assert_int_equal(p->dim[1], 3);
    assert_int_equal(p->dim[3], -1);
    p = ort_session_input(s, 2);
    assert_string_equal(p->name, "mask");
    assert_string_equal(ort_type_name(p->type), "i64");
    assert_int_equal(p->dim[0], 1);
    assert_null(ort_session_input(s, 3));
    assert_string_equal(ort_session_output(s, 0)->name, "score");
    assert_null(ort_session_output(s, 1));
    ort_session_close(s);
    s = ort_model(c, "four.onnx");
    assert_int_equal(ort_session_input(s, 0)->dim[0], 4);
    assert_int_equal(ort_session_input(s, 0)->dim[2], 8);
    ort_session_close(s);
    ort_session_close(NULL);
    tare_context_free(c);
}

static void outputs_are_those_of_onnx_runtime(void **state)
{
    (void)state;
    static const double mean[] = {0.498874992, 0.498958349};
    static const double classes[] = {0.328677684, 0.333311558, 0.338010758,
                                     0.342612892, 0.32639274,  0.330994368};
    static const double tower[] = {
        0.78566426,  0.15592286,  0.216011032, 0.00356023433, 0.0663081557, 0, 0, 0.0348849297,
        0.776256084, 0.143415302, 0.224201441, 0.0107503319,  0.0838916451, 0, 0.000492221676,
        0.0246208273};
    static const double head[] = {-0.29091078, -0.280345678};
    static const double mates[] = {-4.1693449e-05, 4.16636467e-05};
    float x[2 * ORT_IMAGE];
    ort_pixels(x, 2 * ORT_IMAGE);
    tare_error err;
    tare_context *c = ort_context();
    static const struct {
        const char *model, *output;
        const double *want;
        size_t count;
    } cases[] = {
        {"mean.onnx", "score", mean, 2},         {"classes.onnx", "score", classes, 6},
        {"tower.onnx", "embedding", tower, 16},  {"beside.onnx", "embedding", tower, 16},
        {"mates.onnx", "score", mates, 2},       {"nan.onnx", "score", mean, 2}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ort_session *s = ort_model(c, cases[i].model);
        ort_output out = ort_ask(s, x, 2, cases[i].output);
        assert_int_equal(out.rank, 2);
        assert_int_equal(out.dim[0], 2);
        assert_values(&out, cases[i].want, cases[i].count);
        release(&out);
        ort_session_close(s);
    }
    float embedding[16];
    for (size_t i = 0; i < 16; i++) embedding[i] = (float)tower[i];
    ort_session *s = ort_model(c, "head.onnx");
    ort_output out;
    const ort_tensor in = {"embedding", ORT_F32, 2, {2, 8}, embedding};
    assert_ok(ort_session_run(&out, s, &in, 1, "score", &err));
    assert_values(&out, head, 2);
    release(&out);
    ort_session_close(s);
    tare_context_free(c);
}

static void not_a_number_comes_through(void **state)
{
    (void)state;
    float x[2 * ORT_IMAGE];
    for (int i = 0; i < 2 * ORT_IMAGE; i++) x[i] = i < ORT_IMAGE ? 0.75F : 0.25F;
    tare_context *c = ort_context();
    ort_session *s = ort_model(c, "nan.onnx");
    ort_output out = ort_ask(s, x, 2, "score");
    assert_true(isnan(out.value[0]));
    assert_true(out.value[1] == 0.25);
    release(&out);
    ort_session_close(s);
    tare_context_free(c);
}

static void several_inputs_and_bytes(void **state)
{
    (void)state;
    tare_error err;
    float x[ORT_IMAGE];
    unsigned char bytes[2 * 4 * 5 * 3];
    double sum[2] = {0, 0};
    ort_output out;
    ort_pixels(x, ORT_IMAGE);
    tare_context *c = ort_context();
    ort_session *s = ort_model(c, "prompt.onnx");
    const ort_tensor in[] = {{"mask", ORT_I64, 2, {1, 3}, (const int64_t[]){1, 1, 0}},
                             {"image", ORT_F32, 4, {1, 3, 8, 8}, x},
                             {"ids", ORT_I64, 2, {1, 3}, (const int64_t[]){5, 6, 7}}};
    assert_ok(ort_session_run(&out, s, in, 3, "score", &err));
    assert_values(&out, (const double[]){0.498874992 + 0.11}, 1);
    release(&out);
    ort_session_close(s);
    for (size_t i = 0; i < sizeof bytes; i++) {
        bytes[i] = (unsigned char)(i * 37);
        sum[i / 60] += bytes[i];
    }
    s = ort_model(c, "bytes.onnx");
    const ort_tensor b = {"image", ORT_U8, 4, {2, 4, 5, 3}, bytes};
    assert_ok(ort_session_run(&out, s, &b, 1, "score", &err));
    assert_values(&out, (const double[]){sum[0] / 60, sum[1] / 60}, 2);
    release(&out);
    ort_session_close(s);
    tare_context_free(c);
}

/* Each element type in (where a cast takes it) and out as doubles. */
static void all_element_types(void **state)
{
    (void)state;
    tare_error err;
    static const ort_type types[] = {ORT_F32, ORT_F64, ORT_F16, ORT_I64, ORT_I32, ORT_U8, ORT_BOOL};
    tare_context *c = ort_context();
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        model_writer w;
        ort_output out;
        tiny_begin(&w);
        model_write_input(&w, "x", ORT_F32, 2, TINY_DIMS(-1, 3));
        model_write_node(&w, "Cast", "x", "y");
        model_write_int(&w, "to", types[i]);
        model_write_output(&w, "y", types[i], 2, TINY_DIMS(-1, 3));
        assert_true(tiny_save(&w, ort_place("cast.onnx")));
        ort_session *s = ort_model(c, "cast.onnx");
        assert_int_equal(ort_session_output(s, 0)->type, types[i]);
        const ort_tensor in = {"x", ORT_F32, 2, {2, 3}, SIX};
        assert_ok(ort_session_run(&out, s, &in, 1, "y", &err));
        for (size_t k = 0; k < 6; k++) {
            assert_true(out.value[k] == (types[i] == ORT_BOOL ? 1 : SIX[k]));
        }
        release(&out);
        ort_session_close(s);
    }
    assert_string_equal(ort_type_name((ort_type)8), "other");
    assert_int_equal(ort_type_size((ort_type)8), 0);
    tare_context_free(c);
}

/* Values of binary16 by its definition: normal, subnormal, signed zero, infinity, NaN. */
static void halves_are_read_exactly(void **state)
{
    (void)state;
    tare_error err;
    static const uint16_t halves[] = {0x3C00, 0xC000, 0x0001, 0x83FF, 0x7BFF, 0x8000, 0x7C00,
                                      0xFC00, 0x7E00, 0x3555};
    static const double want[] = {1, -2, 0x1p-24, -1023 * 0x1p-24, 65504, -0.0, INFINITY,
                                  -INFINITY, NAN, 0.333251953125};
    enum { N = sizeof halves / sizeof *halves };
    model_writer w;
    ort_output out;
    tare_context *c = ort_context();
    tiny_begin(&w);
    model_write_input(&w, "x", ORT_F16, 1, TINY_DIMS(-1));
    model_write_node(&w, "Identity", "x", "y");
    model_write_output(&w, "y", ORT_F16, 1, TINY_DIMS(-1));
    assert_true(tiny_save(&w, ort_place("half.onnx")));
    ort_session *s = ort_model(c, "half.onnx");
    const ort_tensor in = {"x", ORT_F16, 1, {N}, halves};
    assert_ok(ort_session_run(&out, s, &in, 1, "y", &err));
    for (size_t i = 0; i < N; i++) {
        if (isnan(want[i])) assert_true(isnan(out.value[i]));
        else assert_true(out.value[i] == want[i] && !signbit(out.value[i]) == !signbit(want[i]));
    }
    release(&out);
    ort_session_close(s);
    tare_context_free(c);
}

/* What is no tensor of numbers: text, a sequence, too many dimensions; and an output of none. */
static void strange_outputs(void **state)
{
    (void)state;
    tare_error err;
    model_writer w;
    ort_output out;
    tare_context *c = ort_context();
    const ort_tensor in = {"x", ORT_F32, 2, {2, 3}, SIX};
    tiny_begin(&w);
    model_write_input(&w, "x", ORT_F32, 2, TINY_DIMS(-1, 3));
    model_write_node(&w, "Cast", "x", "words");
    model_write_int(&w, "to", 8);
    model_write_output(&w, "words", 8, 2, TINY_DIMS(-1, 3));
    tiny_integers(&w, "long", 9, TINY_DIMS(1, 1, 1, 1, 1, 1, 1, 2, 3));
    model_write_node(&w, "Reshape", "x long", "deep");
    model_write_node(&w, "Reshape", "x flat", "scalars");
    tiny_integers(&w, "flat", 1, TINY_DIMS(-1));
    model_write_output(&w, "scalars", ORT_F32, 1, TINY_DIMS(-1));
    assert_true(tiny_save(&w, ort_place("strange.onnx")));
    ort_session *s = ort_model(c, "strange.onnx");
    assert_string_equal(ort_type_name(ort_session_output(s, 0)->type), "other");
    assert_int_equal(ort_session_run(&out, s, &in, 1, "words", &err), TARE_E_DATA);
    assert_string_equal(err.code, "onnx.output");
    assert_null(out.value);
    assert_ok(ort_session_run(&out, s, &in, 1, "scalars", &err));
    assert_int_equal(out.rank, 1);
    assert_int_equal(out.count, 6);
    release(&out);
    ort_session_close(s);
    tiny_begin(&w);
    model_write_input(&w, "x", ORT_F32, 2, TINY_DIMS(-1, 3));
    model_write_node(&w, "ReduceSum", "x", "total");
    model_write_int(&w, "keepdims", 0);
    model_write_output(&w, "total", ORT_F32, 0, NULL);
    assert_true(tiny_save(&w, ort_place("total.onnx")));
    s = ort_model(c, "total.onnx");
    assert_ok(ort_session_run(&out, s, &in, 1, "total", &err));
    assert_int_equal(out.rank, 0);
    assert_values(&out, (const double[]){21}, 1);
    release(&out);
    ort_session_close(s);
    tiny_begin(&w);
    model_write_input(&w, "x", ORT_F32, 2, TINY_DIMS(-1, 3));
    tiny_integers(&w, "long", 9, TINY_DIMS(1, 1, 1, 1, 1, 1, 1, 2, 3));
    model_write_node(&w, "Reshape", "x long", "deep");
    model_write_output(&w, "deep", ORT_F32, 9, TINY_DIMS(1, 1, 1, 1, 1, 1, 1, 2, 3));
    assert_true(tiny_save(&w, ort_place("deep.onnx")));
    const ort_open what = {NULL, ort_place("deep.onnx"), NULL, 0, NULL};
    assert_int_equal(ort_session_open(&s, c, &what, &err), TARE_E_LIMIT);
    assert_non_null(strstr(err.message, "deep has 9 dimensions"));
    tare_context_free(c);
}

static void calls_that_fail_say_why(void **state)
{
    (void)state;
    tare_error err;
    float x[4 * ORT_IMAGE];
    ort_output out;
    ort_pixels(x, 4 * ORT_IMAGE);
    tare_context *c = ort_context();
    ort_session *s = ort_model(c, "four.onnx");
    static const struct { ort_tensor in; const char *output, *says; } cases[] = {
        {{"image", ORT_F32, 4, {2, 3, 8, 8}, NULL}, "score", "Got: 2 Expected: 4"},
        {{"image", ORT_F32, 3, {4, 3, 8}, NULL}, "score", "rank"},
        {{"image", ORT_U8, 4, {4, 3, 8, 8}, NULL}, "score", "data type"},
        {{"pixels", ORT_F32, 4, {4, 3, 8, 8}, NULL}, "score", "pixels"},
        {{"image", ORT_F32, 4, {4, 3, 8, 8}, NULL}, "vector", "vector"},
        {{"image", ORT_F32, 4, {0, 3, 8, 8}, NULL}, "score", "without values"},
        {{"image", ORT_F32, 4, {-1, 3, 8, 8}, NULL}, "score", "without values"},
        {{"image", (ort_type)8, 1, {1}, NULL}, "score", "without values"},
        {{"image", ORT_F32, 2, {INT64_MAX, INT64_MAX}, NULL}, "score", "without values"},
    };
    size_t open_files = ort_open_files();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ort_tensor in = cases[i].in;
        in.data = x;
        assert_int_equal(ort_session_run(&out, s, &in, 1, cases[i].output, &err),
                         TARE_E_INSTRUMENT);
        assert_string_equal(err.code, "onnx.run");
        assert_string_equal(err.where, ort_place("four.onnx"));
        if (strstr(err.message, cases[i].says) == NULL) {
            fail_msg("case %zu: no '%s' in '%s'", i, cases[i].says, err.message);
        }
        assert_null(out.value);
    }
    /* It still works. */
    out = ort_ask(s, x, 4, "score");
    assert_int_equal(out.count, 4);
    release(&out);
    ort_tensor many[ORT_PORTS_MOST + 1];
    for (int i = 0; i <= ORT_PORTS_MOST; i++) many[i] = cases[0].in;
    assert_int_equal(ort_session_run(&out, s, many, ORT_PORTS_MOST + 1, "score", &err),
                     TARE_E_INSTRUMENT);
    assert_int_equal(ort_session_run(&out, s, NULL, 0, "score", &err), TARE_E_INSTRUMENT);
    ort_session_close(s);
    assert_int_equal(ort_open_files(), open_files);
    tare_context_free(c);
}

static void batches_give_equal_bits(void **state)
{
    (void)state;
    float x[16 * ORT_IMAGE];
    double alone[16 * 8];
    ort_pixels(x, 16 * ORT_IMAGE);
    tare_context *c = ort_context();
    ort_session *s = ort_model(c, "tower.onnx");
    for (size_t i = 0; i < 16; i++) {
        ort_output out = ort_ask(s, x + i * ORT_IMAGE, 1, "embedding");
        memcpy(alone + i * 8, out.value, 8 * sizeof *alone);
        release(&out);
    }
    for (size_t batch = 2; batch <= 16; batch *= 2) {
        for (size_t i = 0; i + batch <= 16; i += batch) {
            ort_output out = ort_ask(s, x + i * ORT_IMAGE, batch, "embedding");
            assert_memory_equal(out.value, alone + i * 8, batch * 8 * sizeof *alone);
            release(&out);
        }
    }
    ort_session_close(s);
    tare_context_free(c);
}

typedef struct asker {
    ort_session *session;
    const float *pixels;
    double got[64];
} asker;

static void *ask_often(void *arg)
{
    asker *a = arg;
    mem m = mem_system();
    for (int i = 0; i < 64; i++) {
        ort_output out;
        const ort_tensor in = {"image", ORT_F32, 4, {1, 3, 8, 8}, a->pixels + i % 8 * ORT_IMAGE};
        if (ort_session_run(&out, a->session, &in, 1, "embedding", NULL) != TARE_OK) break;
        a->got[i] = out.value[0];
        mem_free(&m, out.value);
    }
    return NULL;
}

static void threads_share_a_session(void **state)
{
    (void)state;
    float x[8 * ORT_IMAGE];
    asker a[6];
    pthread_t t[6];
    ort_pixels(x, 8 * ORT_IMAGE);
    tare_context *c = ort_context();
    ort_session *s = ort_model(c, "tower.onnx");
    for (int i = 0; i < 6; i++) {
        a[i] = (asker){.session = s, .pixels = x};
        assert_int_equal(pthread_create(&t[i], NULL, ask_often, &a[i]), 0);
    }
    for (int i = 0; i < 6; i++) pthread_join(t[i], NULL);
    for (int i = 0; i < 8; i++) {
        ort_output out = ort_ask(s, x + i * ORT_IMAGE, 1, "embedding");
        for (int k = 0; k < 6; k++) {
            for (int turn = i; turn < 64; turn += 8) assert_true(a[k].got[turn] == out.value[0]);
        }
        release(&out);
    }
    ort_session_close(s);
    tare_context_free(c);
}

static void facts_and_descriptors(void **state)
{
    (void)state;
    tare_error err;
    tare_context *c = ort_context();
    ort_session *s = ort_model(c, "mean.onnx"); /* what the library opens for good, it has open */
    ort_session_close(s);
    size_t open_files = ort_open_files();
    s = ort_model(c, "mean.onnx");
    const ort_facts *f = ort_session_facts(s);
    assert_true(strncmp(f->version, "1.", 2) == 0);
    assert_string_equal(f->library, getenv("TARE_ORT_LIB"));
    assert_int_equal(strlen(f->sha256), 64);
    assert_int_equal(f->bytes, os_file_size(ort_place("mean.onnx")));
    assert_string_equal(f->weights, "[]");
    assert_int_equal(ort_open_files(), open_files);
    ort_session *again = NULL;
    const ort_open same = {getenv("TARE_ORT_LIB"), ort_place("mean.onnx"), f->sha256, 0, NULL};
    assert_ok(ort_session_open(&again, c, &same, &err));
    ort_session_close(again);
    ort_session_close(s);
    assert_int_equal(ort_open_files(), open_files);
    tare_context_free(c);
}

/* The library has switches for reports to its maker, which act at different times: it must start no
 * thread and leave no file. */
static void nothing_is_reported(void **state)
{
    (void)state;
    float x[ORT_IMAGE];
    ort_pixels(x, ORT_IMAGE);
    tare_context *c = ort_context();
    ort_session *s = ort_model(c, "mean.onnx");
    ort_output out = ort_ask(s, x, 1, "score");
    release(&out);
    assert_true(entries("/proc/self/task") <= 2 + sanitizer_threads()); /* and the stop watch */
    assert_int_equal(entries(getenv("HOME")), 0);
    assert_string_equal(getenv("ORT_DISABLE_TELEMETRY"), "1");
    ort_session_close(s);
    tare_context_free(c);
}

static void the_check_of_doctor_passes(void **state)
{
    (void)state;
    tare_error err;
    char version[32] = "", path[256] = "";
    tare_context *c = ort_context();
    assert_ok(ort_check(c, NULL, version, path, &err));
    assert_true(strncmp(version, "1.", 2) == 0);
    assert_string_equal(path, getenv("TARE_ORT_LIB"));
    assert_ok(ort_check(c, NULL, NULL, NULL, &err));
    tare_context_free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_check_of_doctor_passes),
        cmocka_unit_test(ports_are_described),
        cmocka_unit_test(outputs_are_those_of_onnx_runtime),
        cmocka_unit_test(not_a_number_comes_through),
        cmocka_unit_test(several_inputs_and_bytes),
        cmocka_unit_test(all_element_types),
        cmocka_unit_test(halves_are_read_exactly),
        cmocka_unit_test(strange_outputs),
        cmocka_unit_test(calls_that_fail_say_why),
        cmocka_unit_test(batches_give_equal_bits),
        cmocka_unit_test(threads_share_a_session),
        cmocka_unit_test(facts_and_descriptors),
        cmocka_unit_test(nothing_is_reported),
    };
    NEED_ORT();
    setenv("HOME", ort_place("home"), 1);
    unsetenv("XDG_CACHE_HOME");
    if (mkdir(ort_place("home"), 0700) != 0) return 1;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    ort_fixture_end();
    return failed;
}
