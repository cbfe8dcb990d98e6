/* nsfwjs 4.3.0 as its package has it: our probabilities against its own (tests/ref/
 * nsfw_probabilities.tsv, written by nsfw_probabilities.py with TF.js 4.22.0), the decoder and the
 * preprocessing of a manifest included. */
#include <string.h>

#include "base/hash.h"
#include "base/os.h"
#include "image/image.h"
#include "scorer/graph/mobilenet.h"
#include "scorer/onnx/onnx_prepare.h"
#include "scorer/onnx/ort_session.h"
#include "support/ort_fixture.h"

#define PACKAGE TARE_SOURCE_DIR "/build/deps/nsfwjs/"
enum { SIDE = 224, CLASSES = 5, FIELDS = 9 };

static tare_error err;
static tare_context *context;
static checkpoint *weights;
static mem m;

static ort_session *open_session(arena *a, size_t batch)
{
    static graph_model graph;
    ort_session *s = NULL;
    int side = 0, classes = 0;
    assert_ok(graph_mobilenet(&graph, &side, &classes, a, weights, batch, &err));
    assert_int_equal(side, SIDE);
    assert_int_equal(classes, CLASSES);
    assert_ok(ort_session_open_graph(&s, context, &graph, &(ort_graph){.name = weights->path},
                                     &err));
    return s;
}

static void ask(double *out, ort_session *s, const float *pixels, size_t batch)
{
    ort_output o;
    ort_tensor in = {GRAPH_IMAGE, ORT_F32, 4, {(int64_t)batch, SIDE, SIDE, 3}, pixels};
    assert_ok(ort_session_run(&o, s, &in, 1, GRAPH_VECTOR, &err));
    assert_int_equal(o.count, batch * CLASSES);
    memcpy(out, o.value, o.count * sizeof *out);
    mem_free(&m, o.value);
}

static void opens_the_package(void **state)
{
    (void)state;
    char words[TENSOR_TEXT];
    const checkpoint_tensor *t = checkpoint_find(weights, "Conv1/kernel");
    float kernel[3 * 3 * 3 * 32];
    assert_int_equal(weights->kind, CHECKPOINT_TFJS);
    assert_int_equal(weights->file_count, 2);
    assert_int_equal(weights->tensor_count, 266);
    assert_non_null(t);
    checkpoint_tensor_text(words, t);
    assert_string_equal(words, "u8 [3,3,3,32]");
    assert_true(t->quantised && t->file == SIZE_MAX);
    /* JavaScript's own arithmetic: min and scale of its model.min.js, the bytes of its base64 */
    assert_ok(checkpoint_floats(kernel, weights, t, &err));
    assert_true(kernel[0] == (float)((double)t->data[0] * t->scale + t->minimum));
    assert_ok(checkpoint_settle(weights, &err));
}

/* False: the photograph is not here. */
static bool read_pixels(float *out, char *fields[FIELDS], const onnx_image_input *in)
{
    char path[512], note[160], hex[SHA256_HEX], *bytes = NULL;
    unsigned char digest[SHA256_BYTES];
    size_t length = 0;
    image picture;
    tare_reason reason;
    bool demo = strncmp(fields[0], "demo/", 5) == 0;
    snprintf(path, sizeof path, TARE_SOURCE_DIR "/%s/%s",
             demo ? "build/demo/photos" : "tests/data", fields[0] + (demo ? 5 : 0));
    if (!os_exists(path)) return false;
    assert_ok(os_read_file(&bytes, &length, &m, path, 1 << 26, &err));
    image_decoding how = IMAGE_DECODING_DEFAULT;
    how.policy = IMAGE_PUBLISHED;
    assert_ok(image_decode(&picture, &m, bytes, length, path, &how, &err));
    assert_ok(image_to_rgb(&picture, &m, &err));
    sha256_of(picture.rgb, image_pixels(&picture) * 3, digest);
    sha256_hex(digest, hex);
    assert_string_equal(hex, fields[3]);
    assert_ok(onnx_prepare_image(out, &reason, note, &m, &picture, in, &err));
    assert_int_equal(reason, TARE_R_NONE);
    image_free(&picture, &m);
    mem_free(&m, bytes);
    return true;
}

static void says_what_nsfwjs_says(void **state)
{
    (void)state;
    arena a;
    onnx_manifest manifest;
    size_t length = 0, rows = 0, absent = 0;
    char *table = NULL, *next, *line;
    double worst = 0;
    float *pixels = mem_new(&m, SIDE * SIDE * 3, sizeof *pixels);
    arena_init(&a, &m);
    assert_ok(onnx_manifest_read(&manifest, &a,
                                 TARE_SOURCE_DIR "/tests/data/onnx_manifests/nsfw.json", &err));
    ort_session *s = open_session(&a, 1);
    assert_ok(os_read_file(&table, &length, &m, TARE_SOURCE_DIR "/tests/ref/nsfw_probabilities.tsv",
                           1 << 20, &err));
    for (line = strchr(table, '\n') + 1; *line; line = next) {
        char *fields[FIELDS];
        double found[CLASSES];
        next = strchr(line, '\n');
        *next++ = '\0';
        for (size_t k = 0; k < FIELDS; k++) fields[k] = strsep(&line, "\t");
        rows++;
        if (!read_pixels(pixels, fields, &manifest.image)) {
            absent++;
            continue;
        }
        ask(found, s, pixels, 1);
        for (size_t k = 0; k < CLASSES; k++) {
            double want = strtod(fields[4 + k], NULL);
            worst = fmax(worst, fabs(found[k] - want));
            assert_within(found[k], want, 0, 1e-5);
        }
    }
    printf("%zu photographs, %zu absent, largest difference %.2g\n", rows, absent, worst);
    assert_int_equal(rows, 8);
    assert_true(absent <= 6); /* those of the demo, where it was not fetched */
    ort_session_close(s);
    mem_free(&m, table);
    mem_free(&m, pixels);
    arena_free(&a);
}

/* No photograph's number depends on its neighbours in a batch. */
static void batches_are_as_single_images(void **state)
{
    (void)state;
    arena a;
    enum { BATCH = 3, ONE = SIDE * SIDE * 3 };
    double alone[BATCH * CLASSES], together[BATCH * CLASSES];
    float *pixels = mem_new(&m, (size_t)BATCH * ONE, sizeof *pixels);
    arena_init(&a, &m);
    ort_pixels(pixels, (size_t)BATCH * ONE);
    ort_session *one = open_session(&a, 1), *all = open_session(&a, BATCH);
    for (size_t k = 0; k < BATCH; k++) ask(alone + k * CLASSES, one, pixels + k * ONE, 1);
    ask(together, all, pixels, BATCH);
    for (size_t k = 0; k < BATCH * CLASSES; k++) assert_within(together[k], alone[k], 0, 1e-6);
    ort_session_close(one);
    ort_session_close(all);
    mem_free(&m, pixels);
    arena_free(&a);
}

int main(void)
{
    if (!os_exists(PACKAGE "model.min.js")) {
        printf("skipped: no nsfwjs at %s; tools/fetch_nsfwjs.sh gets it\n", PACKAGE);
        return 77;
    }
    NEED_ORT();
    m = mem_system();
    context = ort_context();
    if (checkpoint_open(&weights, context, PACKAGE "model.min.js", &err) != TARE_OK) {
        fprintf(stderr, "%s [%s] %s\n", err.where, err.code, err.message);
        return 1;
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(opens_the_package),
                                       cmocka_unit_test(says_what_nsfwjs_says),
                                       cmocka_unit_test(batches_are_as_single_images)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    checkpoint_close(weights);
    tare_context_free(context);
    ort_fixture_end();
    return failed;
}
