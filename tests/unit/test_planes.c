/* Planes against torch: the numbers of scorers 8.2 ("HPSv2 resize", CLIP preprocessing). What other
 * sizes and kernels must give is in check_planes.py. */
#include <string.h>

#include "image/planes.h"
#include "support/check.h"
#include "support/failing_mem.h"

static mem m;
static tare_error err;

static void noise(image *i, int width, int height)
{
    assert_ok(image_new(i, &m, width, height, &err));
    size_t n = image_pixels(i) * 3;
    for (size_t k = 0; k < n; k++) i->rgb[k] = (unsigned char)((uint32_t)(k * 2654435761u) >> 24);
}

typedef struct summary {
    double sum, least, most;
} summary;

static summary summarize(const image_planes *p)
{
    size_t n = 3 * (size_t)p->width * (size_t)p->height;
    summary s = {0, p->v[0], p->v[0]};
    for (size_t k = 0; k < n; k++) {
        s.sum += (double)p->v[k];
        s.least = fmin(s.least, (double)p->v[k]);
        s.most = fmax(s.most, (double)p->v[k]);
    }
    return s;
}

/* 640x480 to 224x168, bicubic. Tolerances: 6.2 gives 2e-5 (false) and 3e-6 (true) for a value; the
 * sum of 112,896 of them is given with four decimals. */
static void resizes_as_hpsv2(void **state)
{
    static const struct {
        bool antialias;
        double first[4], least, most, sum, within;
    } want[] = {
        {false, {.531445, -.027965, .679545, .225096}, -.069458, 1.069397, 56451.3191, 2e-5},
        {true, {.497792, .458945, .530177, .486958}, .412801, .585199, 56448.0341, 3e-6},
    };
    (void)state;
    image in;
    image_planes planes, out, straight;
    noise(&in, 640, 480);
    assert_ok(planes_of_image(&planes, &m, &in, &err));
    for (int k = 0; k < 2; k++) {
        planes_how how = {RESIZE_BICUBIC, want[k].antialias, false};
        assert_ok(planes_resize(&out, &m, &planes, 224, 168, how, &err));
        assert_int_equal(out.width, 224);
        assert_int_equal(out.height, 168);
        for (int i = 0; i < 4; i++) assert_within(out.v[i], want[k].first[i], 0, want[k].within);
        summary s = summarize(&out);
        assert_within(s.least, want[k].least, 0, want[k].within);
        assert_within(s.most, want[k].most, 0, want[k].within);
        assert_within(s.sum, want[k].sum, 0, 0.01);
        assert_ok(planes_resize_image(&straight, &m, &in, 224, 168, how, &err));
        assert_memory_equal(out.v, straight.v, 3 * 224 * 168 * sizeof *out.v);
        planes_free(&out, &m);
        planes_free(&straight, &m);
    }
    planes_free(&planes, &m);
    image_free(&in, &m);
}

/* CLIP preprocessing of 640x480: bytes to 298x224, crop from column 37, then (v - mean) / std. */
static void values_of_clip(void **state)
{
    static const double mean[3] = {0.48145466, 0.4578275, 0.40821073};
    static const double std[3] = {0.26862954, 0.26130258, 0.27577711};
    (void)state;
    image in, out;
    image_planes planes;
    double sum = 0;
    noise(&in, 640, 480);
    assert_ok(image_prepare_size(&out, &m, &in, 224, &err));
    assert_ok(planes_of_image(&planes, &m, &out, &err));
    size_t n = image_pixels(&out);
    for (size_t k = 0; k < 3 * n; k++) sum += ((double)planes.v[k] - mean[k / n]) / std[k / n];
    assert_within(((double)planes.v[0] - mean[0]) / std[0], .12013142, 0, 2e-7);
    assert_within(((double)planes.v[1] - mean[0]) / std[0], -.04045137, 0, 2e-7);
    assert_within(((double)planes.v[2] - mean[0]) / std[0], .26611567, 0, 2e-7);
    assert_within(sum, 28264.8536, 0, 0.01);
    planes_free(&planes, &m);
    image_free(&in, &m);
    image_free(&out, &m);
}

/* tf.image.resizeBilinear(x / 255, size, true) of TF.js 4.22.0, its plain JavaScript back end. */
static void aligns_corners_as_tfjs(void **state)
{
    static const struct {
        int in[2], out[2];
        double first[3], last, sum;
    } want[] = {
        {{5, 4}, {7, 3}, {0, .569934666, .806535959}, .462745100, 31.61895487},
        {{7, 6}, {3, 4}, {0, .560784340, .121568628}, .254901975, 15.56993503},
        {{4, 4}, {1, 1}, {0, 0, 0}, .235294119, .8549019843},
    };
    (void)state;
    planes_how how = {RESIZE_BILINEAR, false, true};
    for (size_t k = 0; k < sizeof want / sizeof *want; k++) {
        image in;
        image_planes out;
        noise(&in, want[k].in[0], want[k].in[1]);
        assert_ok(planes_resize_image(&out, &m, &in, want[k].out[0], want[k].out[1], how, &err));
        for (int x = 0; x < 3 && x < out.width; x++)
            assert_within(out.v[x], want[k].first[x], 0, 2e-7);
        assert_within(out.v[3 * out.width * out.height - 1], want[k].last, 0, 2e-7);
        assert_within(summarize(&out).sum, want[k].sum, 0, 2e-6);
        planes_free(&out, &m);
        image_free(&in, &m);
    }
}

/* Both sides, one side, no side changed. */
static const int sizes[][2] = {{9, 5}, {9, 30}, {20, 5}, {20, 30}};

static void straight_from_bytes_is_the_same(void **state)
{
    (void)state;
    image in;
    image_planes planes, out, straight;
    noise(&in, 20, 30);
    assert_ok(planes_of_image(&planes, &m, &in, &err));
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        planes_how how = {k % 2 ? RESIZE_LANCZOS : RESIZE_BOX, true, false};
        assert_ok(planes_resize(&out, &m, &planes, sizes[k][0], sizes[k][1], how, &err));
        assert_ok(planes_resize_image(&straight, &m, &in, sizes[k][0], sizes[k][1], how, &err));
        size_t n = 3 * (size_t)sizes[k][0] * (size_t)sizes[k][1];
        assert_memory_equal(out.v, straight.v, n * sizeof *out.v);
        if (k == 3) assert_memory_equal(out.v, planes.v, n * sizeof *out.v);
        planes_free(&out, &m);
        planes_free(&straight, &m);
    }
    planes_free(&planes, &m);
    image_free(&in, &m);
}

static void refuses(void **state)
{
    static const struct {
        int width, height;
        planes_how how;
        tare_status status;
    } wrong[] = {
        {0, 5, {RESIZE_BICUBIC, true, false}, TARE_E_USAGE},
        {5, 65536, {RESIZE_BICUBIC, true, false}, TARE_E_USAGE},
        {60000, 60000, {RESIZE_BICUBIC, true, false}, TARE_E_LIMIT},
        {5, 5, {RESIZE_NEAREST, true, false}, TARE_E_USAGE},
        {5, 5, {RESIZE_LANCZOS, false, false}, TARE_E_USAGE},
        {5, 5, {RESIZE_BOX, false, false}, TARE_E_USAGE},
        {5, 5, {(resize_kernel)6, true, false}, TARE_E_USAGE},
        {5, 5, {RESIZE_BILINEAR, true, true}, TARE_E_USAGE},
        {5, 5, {RESIZE_BICUBIC, false, true}, TARE_E_USAGE},
    };
    (void)state;
    image in;
    image_planes planes, out;
    noise(&in, 4, 3);
    assert_ok(planes_of_image(&planes, &m, &in, &err));
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        assert_int_equal(planes_resize(&out, &m, &planes, wrong[k].width, wrong[k].height,
                                       wrong[k].how, &err), wrong[k].status);
        assert_null(out.v);
    }
    in.mode = IMAGE_RGBA;
    assert_int_equal(planes_of_image(&out, &m, &in, &err), TARE_E_USAGE);
    assert_null(out.v);
    planes_how box = {RESIZE_BOX, true, false};
    assert_int_equal(planes_resize_image(&out, &m, &in, 2, 2, box, &err), TARE_E_USAGE);
    assert_null(out.v);
    planes_free(&planes, &m);
    planes_free(NULL, &m);
    image_free(&in, &m);
}

static void survives_each_failed_allocation(void **state)
{
    (void)state;
    image in;
    image_planes planes;
    noise(&in, 20, 30);
    assert_ok(planes_of_image(&planes, &m, &in, &err));
    for (int which = 0; which < 4; which++) {
        bool failed = true;
        long k = 0;
        while (failed) {
            failing_mem f;
            image_planes out;
            mem failing = failing_mem_start(&f, ++k);
            planes_how how = {RESIZE_BICUBIC, which % 2 == 0, false};
            tare_status status =
                which == 3 ? planes_resize_image(&out, &failing, &in, 20, 5, how, &err)
                           : planes_resize(&out, &failing, &planes, 9, 5, how, &err);
            failed = failing_mem_failed(&f);
            assert_int_equal(status, failed ? TARE_E_MEMORY : TARE_OK);
            if (failed) assert_null(out.v);
            planes_free(&out, &failing);
            assert_int_equal(failing_mem_live(&f), 0);
        }
        assert_true(k >= 6);
    }
    planes_free(&planes, &m);
    image_free(&in, &m);
}

int main(void)
{
    m = mem_system();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(resizes_as_hpsv2),
        cmocka_unit_test(values_of_clip),
        cmocka_unit_test(aligns_corners_as_tfjs),
        cmocka_unit_test(straight_from_bytes_is_the_same),
        cmocka_unit_test(refuses),
        cmocka_unit_test(survives_each_failed_allocation)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
