/* A real model: Ultra-Light-Fast-Generic-Face-Detector-1MB, slim-320.
 *
 * Numbers: ONNX Runtime's Python package, versions 1.17.0 and 1.30.0 (they agree to nine digits),
 * and Pillow 9.4 for the photographs: resize((320, 240), BILINEAR), (x - 127) / 128 in float32. */
#include <string.h>

#include "base/os.h"
#include "image/resize.h"
#include "support/ort_fixture.h"

enum { WIDTH = 320, HEIGHT = 240, PLANE = WIDTH * HEIGHT, ANCHORS = 4420 };

static ort_session *open_model(tare_context *c)
{
    tare_error err;
    ort_session *s = NULL;
    const ort_open what = {
        NULL, TARE_SHARED_DIR "/data/scorers/ultraface/version-slim-320_simplified.onnx", NULL,
        0, NULL};
    assert_ok(ort_session_open(&s, c, &what, &err));
    return s;
}

static ort_output detect(ort_session *s, const float *x, const char *output)
{
    tare_error err;
    ort_output out;
    const ort_tensor in = {"input", ORT_F32, 4, {1, 3, HEIGHT, WIDTH}, x};
    assert_ok(ort_session_run(&out, s, &in, 1, output, &err));
    return out;
}

static double largest_face(const ort_output *out)
{
    double largest = 0;
    for (size_t i = 0; i < ANCHORS; i++) largest = fmax(largest, out->value[2 * i + 1]);
    return largest;
}

static void formula_pixels(void **state)
{
    (void)state;
    mem m = mem_system();
    tare_context *c = ort_context();
    ort_session *s = open_model(c);
    float *x = mem_new(&m, 3 * PLANE, sizeof *x);
    double sum = 0, boxes = 0;
    assert_non_null(x);
    assert_int_equal(ort_session_input(s, 0)->dim[2], HEIGHT);
    assert_string_equal(ort_session_output(s, 1)->name, "boxes");
    for (size_t i = 0; i < 3 * PLANE; i++) x[i] = (float)(7919 * i % 1000) / 500.0F - 1.0F;
    ort_output out = detect(s, x, "scores");
    assert_int_equal(out.dim[1], ANCHORS);
    assert_int_equal(out.dim[2], 2);
    for (size_t i = 0; i < ANCHORS; i++) sum += out.value[2 * i + 1];
    assert_within(largest_face(&out), 0.10522455, 2e-6, 0);
    assert_within(sum, 439.937844, 1e-6, 0);
    assert_within(out.value[1], 0.105214715, 2e-6, 0);
    assert_within(out.value[2 * (ANCHORS - 1) + 1], 0.0429220609, 2e-6, 0);
    mem_free(&m, out.value);
    out = detect(s, x, "boxes");
    assert_int_equal(out.count, 4 * ANCHORS);
    for (size_t i = 0; i < out.count; i++) boxes += out.value[i];
    assert_within(boxes, -4757.37478, 1e-6, 0);
    assert_within(out.value[0], 0.0436572693, 1e-5, 0);
    assert_within(out.value[out.count - 1], -0.836856782, 1e-5, 0);
    mem_free(&m, out.value);
    mem_free(&m, x);
    ort_session_close(s);
    tare_context_free(c);
}

static void photographs(void **state)
{
    (void)state;
    static const struct { const char *name; double face, first; } faces[] = {
        {"015124.jpg", 0.999989867, 0.105398551}, {"020145.jpg", 0.999999762, 0.105134293},
        {"020304.jpg", 0.999998331, 0.105187468}, {"020305.jpg", 0.999999523, 0.10532634},
        {"020321.jpg", 0.999997377, 0.105392843}};
    mem m = mem_system();
    tare_error err;
    tare_context *c = ort_context();
    ort_session *s = open_model(c);
    float *x = mem_new(&m, 3 * PLANE, sizeof *x);
    assert_non_null(x);
    for (size_t i = 0; i < sizeof faces / sizeof *faces; i++) {
        char path[512], *bytes;
        size_t length;
        image photo, small;
        snprintf(path, sizeof path, "%s/data/faces/small/%s", TARE_SHARED_DIR, faces[i].name);
        assert_ok(os_read_file(&bytes, &length, &m, path, 1 << 24, &err));
        assert_ok(image_decode(&photo, &m, bytes, length, path, NULL, &err));
        assert_ok(image_resize(&small, &m, &photo, WIDTH, HEIGHT,
                               (resize_how){RESIZE_BILINEAR, RESIZE_ACROSS_FIRST}, &err));
        for (size_t k = 0; k < 3 * PLANE; k++) {
            x[k] = ((float)small.rgb[k % PLANE * 3 + k / PLANE] - 127.0F) / 128.0F;
        }
        ort_output out = detect(s, x, "scores");
        assert_within(largest_face(&out), faces[i].face, 1e-6, 0);
        assert_within(out.value[1], faces[i].first, 1e-5, 0);
        mem_free(&m, out.value);
        image_free(&small, &m);
        image_free(&photo, &m);
        mem_free(&m, bytes);
    }
    mem_free(&m, x);
    ort_session_close(s);
    tare_context_free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formula_pixels),
        cmocka_unit_test(photographs),
    };
    NEED_SHARED();
    NEED_ORT();
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    ort_fixture_end();
    return failed;
}
