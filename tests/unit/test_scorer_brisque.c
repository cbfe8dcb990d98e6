/* brisque: goldens of scorers 3.5 (OpenCV 4.6.0 and a NumPy twin of it), its properties, and an
 * independent NumPy implementation run through the exec protocol. */
#include <pthread.h>
#include <string.h>

#include "base/context.h"
#include "base/os.h"
#include "image/image.h"
#include "scorer/brisque.h"
#include "scorer/scorer.h"
#include "support/check.h"

static tare_context *context;
static tare_error err;
static scorer *portable, *opencv;

static int open_scorers(void **state)
{
    (void)state;
    if (tare_context_new(&context, NULL, &err) != TARE_OK) return 1;
    if (scorer_open(&portable, context, "brisque:", NULL, &err) == TARE_OK &&
        scorer_open(&opencv, context, "brisque:arithmetic=opencv", NULL, &err) == TARE_OK)
        return 0;
    printf("%s\n", err.message);
    return 1;
}

static int close_scorers(void **state)
{
    (void)state;
    scorer_close(portable);
    scorer_close(opencv);
    tare_context_free(context);
    return 0;
}

/* ---- pictures of 3.5 ---------------------------------------------------------- */

static image blank(int w, int h)
{
    image i;
    memset(&i, 0, sizeof i);
    assert_ok(image_new(&i, &context->mem, w, h, &err));
    return i;
}

static image picture_w(int w, int h, int channels)
{
    image p = blank(w, h);
    for (uint32_t i = 0; i < (uint32_t)(w * h); i++)
        for (uint32_t c = 0; c < 3; c++) {
            uint32_t k = channels == 3 ? 3 * i + c : i;
            p.rgb[3 * i + c] = (unsigned char)(k * 2654435761u >> 24);
        }
    return p;
}

static image picture_n(int w, int h)
{
    image p = blank(w, h);
    uint32_t x = 1;
    for (int i = 0; i < w * h; i++) {
        x = 1664525u * x + 1013904223u;
        memset(p.rgb + 3 * i, (int)(x >> 24), 3);
    }
    return p;
}

static int clamp(int x, int n)
{
    return x < 0 ? 0 : x >= n ? n - 1 : x;
}

/* b of 3.5: (sum of 3x3 + 4) div 9, border replicated; grey pictures. */
static image smoothed(image p, int times)
{
    for (; times > 0; times--) {
        image q = blank(p.width, p.height);
        for (int y = 0; y < p.height; y++)
            for (int x = 0; x < p.width; x++) {
                int sum = 4;
                for (int k = 0; k < 9; k++)
                    sum += p.rgb[3 * (clamp(y + k / 3 - 1, p.height) * p.width +
                                      clamp(x + k % 3 - 1, p.width))];
                memset(q.rgb + 3 * (y * p.width + x), sum / 9, 3);
            }
        image_free(&p, &context->mem);
        p = q;
    }
    return p;
}

static image gradient(int w, int h)
{
    image p = blank(w, h);
    for (int i = 0; i < w * h; i++) memset(p.rgb + 3 * i, 255 * (i % w + i / w) / 318, 3);
    return p;
}

static scorer_result score(scorer *s, const image *p)
{
    scorer_item item = {.key = "k", .base = "b", .arm = "", .group = "", .prompt = "", .dose = 0,
                        .attribute = NAN, .artifact = NAN, .pixels = p};
    scorer_result r;
    assert_ok(scorer_score(s, &r, &item, 1, &err));
    return r;
}

static double value(scorer *s, image p)
{
    scorer_result r = score(s, &p);
    assert_int_equal(r.status, TARE_R_NONE);
    image_free(&p, &context->mem);
    return r.value;
}

static void test_goldens(void **state)
{
    (void)state;
    /* scorers 3.5: portable to 2e-6, OpenCV's raw value to .004. */
    assert_within(value(portable, picture_w(64, 48, 3)), 149.944030, 0, 2e-6);
    assert_within(value(portable, picture_w(64, 48, 1)), 149.635063, 0, 2e-6);
    assert_within(value(portable, picture_w(224, 224, 1)), 149.635063, 0, 2e-6);
    assert_within(value(portable, picture_w(224, 224, 3)), 150.731317, 0, 2e-6);
    assert_within(value(portable, picture_w(65, 49, 3)), 152.239082, 0, 2e-6);
    assert_within(value(portable, picture_n(160, 120)), 105.755269, 0, 2e-6);
    assert_within(value(portable, smoothed(picture_n(160, 120), 1)), 5.307479, 0, 2e-6);
    assert_within(value(portable, smoothed(picture_n(160, 120), 2)), 38.765032, 0, 2e-6);
    assert_within(value(portable, smoothed(picture_n(160, 120), 3)), 47.980596, 0, 2e-6);
    assert_within(value(portable, smoothed(picture_n(157, 119), 2)), 39.930913, 0, 2e-6);
    assert_within(value(portable, gradient(192, 128)), 94.645865, 0, 2e-6);
}

static void test_goldens_opencv(void **state)
{
    (void)state;
    assert_within(value(opencv, picture_w(64, 48, 3)), 149.9441, 0, 0.004);
    assert_within(value(opencv, picture_w(224, 224, 1)), 149.6351, 0, 0.004);
    assert_within(value(opencv, picture_w(65, 49, 3)), 152.2389, 0, 0.004);
    assert_within(value(opencv, picture_n(160, 120)), 105.7554, 0, 0.004);
    assert_within(value(opencv, smoothed(picture_n(160, 120), 1)), 5.3066, 0, 0.004);
    assert_within(value(opencv, smoothed(picture_n(160, 120), 2)), 38.7647, 0, 0.004);
    assert_within(value(opencv, smoothed(picture_n(160, 120), 3)), 47.9815, 0, 0.004);
    assert_within(value(opencv, smoothed(picture_n(157, 119), 2)), 39.9302, 0, 0.004);
    /* Flat patches: the two arithmetics are 3.8 points apart, and without fma it would be 99.33. */
    assert_within(value(opencv, gradient(192, 128)), 98.4453, 0, 0.004);
}

/* ---- the parts --------------------------------------------------------------- */

static brisque_model *read_model(void)
{
    char *a, *b;
    size_t la, lb;
    const char *folder = "/usr/share/opencv4/quality";
    char path[200];
    snprintf(path, sizeof path, "%s/brisque_model_live.yml", folder);
    assert_ok(os_read_file(&a, &la, &context->mem, path, 1 << 20, &err));
    snprintf(path, sizeof path, "%s/brisque_range_live.yml", folder);
    assert_ok(os_read_file(&b, &lb, &context->mem, path, 1 << 20, &err));
    brisque_model *model = mem_new(&context->mem, 1, sizeof *model);
    assert_non_null(model);
    assert_ok(brisque_model_read(model, a, la, b, lb, &err));
    mem_free(&context->mem, a);
    mem_free(&context->mem, b);
    return model;
}

static void test_features(void **state)
{
    (void)state;
    /* Features of W(64,48,3), scorers 3.5, both modes to 2e-6. */
    static const double want[BRISQUE_FEATURES] = {
        2.408, .877312, .727, -.281598, 1.349632, .523931, 1.456, .084415, .296242,
        .428785, .942, -.306379, .939698, .280220, .866, -.343297, .964021, .227619,
        10, .747199, 1.444, -.310371, .707272, .188379, 1.763, -.254273, .744413,
        .290670, 1.273, .474046, .135237, 1.007023, 1.407, -.097531, .593699, .412256};
    brisque_model *model = read_model();
    image p = picture_w(64, 48, 3);
    const brisque_arithmetic *both[] = {&brisque_portable, &brisque_opencv};
    for (int k = 0; k < 2; k++) {
        double f[BRISQUE_FEATURES];
        bool defined;
        assert_ok(brisque_features(f, &defined, &context->mem, model, both[k], &p, &err));
        assert_true(defined);
        for (int i = 0; i < BRISQUE_FEATURES; i++) assert_within(f[i], want[i], 0, 2e-6);
    }
    image_free(&p, &context->mem);
    mem_free(&context->mem, model);
}

/* The bisection equals the published linear search, ties to the larger included. */
static void test_shapes(void **state)
{
    (void)state;
    brisque_model *model = read_model();
    assert_within(model->ratio[0], .0629371, 0, 1e-7);
    assert_within(model->ratio[BRISQUE_SHAPES - 1], .7405345, 0, 1e-7);
    assert_within(model->shape[BRISQUE_SHAPES - 1], 9.9999999999999, 0, 1e-13);
    for (int k = 0; k <= 400; k++) {
        double r = .05 + .7 * k / 400.0;
        size_t best = 0;
        for (size_t i = 0; i < BRISQUE_SHAPES; i++)
            if (fabs(model->ratio[i] - r) <= fabs(model->ratio[best] - r)) best = i;
        assert_true(brisque_shape_of(model, r) == model->shape[best]);
    }
    mem_free(&context->mem, model);
}

/* ---- properties of 3.5 ------------------------------------------------------- */

static void features_of(double f[BRISQUE_FEATURES], const brisque_model *model, const image *p)
{
    bool defined;
    assert_ok(brisque_features(f, &defined, &context->mem, model, &brisque_portable, p, &err));
    assert_true(defined);
}

static void swap_groups(double f[BRISQUE_FEATURES], int a, int b)
{
    for (int scale = 0; scale < 2; scale++)
        for (int k = 0; k < 4; k++) {
            double *x = &f[18 * scale + 4 * a - 2 + k], *y = &f[18 * scale + 4 * b - 2 + k], t = *x;
            *x = *y;
            *y = t;
        }
}

static void test_mirror_and_transpose(void **state)
{
    (void)state;
    brisque_model *model = read_model();
    image p = smoothed(picture_n(64, 48), 1), mirror = blank(64, 48), turned = blank(48, 64);
    for (int y = 0; y < 48; y++)
        for (int x = 0; x < 64; x++) {
            const unsigned char *from = p.rgb + 3 * (y * 64 + x);
            memcpy(mirror.rgb + 3 * (y * 64 + 63 - x), from, 3);
            memcpy(turned.rgb + 3 * (x * 48 + y), from, 3);
        }
    double f[BRISQUE_FEATURES], g[BRISQUE_FEATURES];
    features_of(f, model, &p);
    features_of(g, model, &mirror);
    swap_groups(g, 3, 4);
    for (int i = 0; i < BRISQUE_FEATURES; i++) assert_within(g[i], f[i], 1e-9, 1e-12);
    features_of(g, model, &turned);
    swap_groups(g, 1, 2);
    /* The (-1,1) pairs become (1,-1) pairs, which are the same pairs. */
    for (int i = 0; i < BRISQUE_FEATURES; i++) assert_within(g[i], f[i], 1e-9, 1e-12);
    image_free(&p, &context->mem);
    image_free(&mirror, &context->mem);
    image_free(&turned, &context->mem);
    mem_free(&context->mem, model);
}

static void test_one_level_more(void **state)
{
    (void)state;
    image p = smoothed(picture_n(96, 64), 2), q = blank(96, 64);
    for (size_t i = 0; i < 3 * image_pixels(&p); i++) {
        assert_true(p.rgb[i] < 255);
        q.rgb[i] = (unsigned char)(p.rgb[i] + 1);
    }
    assert_within(value(portable, p), value(portable, q), 1e-9, 1e-9);
}

/* ---- what gives no score ------------------------------------------------------ */

static void test_no_score(void **state)
{
    (void)state;
    image small = picture_w(15, 40, 1), edge = picture_w(16, 16, 3), flat = blank(64, 64);
    memset(flat.rgb, 77, 3 * 64 * 64);
    scorer_result r = score(portable, &small);
    assert_int_equal(r.status, TARE_R_UNSUPPORTED_PIXELS);
    assert_true(isnan(r.value));
    r = score(portable, &edge);
    assert_int_equal(r.status, TARE_R_NONE);
    r = score(portable, &flat);
    assert_int_equal(r.status, TARE_R_SCORE_NONFINITE);
    assert_true(isnan(r.value));
    r = score(portable, NULL);
    assert_int_equal(r.status, TARE_R_MISSING);
    image_free(&small, &context->mem);
    image_free(&edge, &context->mem);
    image_free(&flat, &context->mem);
}

/* All 256 flat greys: portable never invents texture. */
static void test_flat_greys(void **state)
{
    (void)state;
    image p = blank(32, 32);
    for (int v = 0; v < 256; v++) {
        memset(p.rgb, v, 3 * 32 * 32);
        assert_int_equal(score(portable, &p).status, TARE_R_SCORE_NONFINITE);
    }
    image_free(&p, &context->mem);
}

static void test_far_from_every_vector_is_noted(void **state)
{
    (void)state;
    image far = picture_w(64, 48, 1), near = smoothed(picture_n(160, 120), 1);
    scorer_result r = score(portable, &far);
    assert_int_equal(r.status, TARE_R_NONE);
    assert_memory_equal(r.note, "nearest=1.37e-08", 16); /* scorers 3.5: 1e-8 to .08 on W */
    r = score(portable, &near);
    assert_string_equal(r.note, "");
    image_free(&far, &context->mem);
    image_free(&near, &context->mem);
}

/* ---- description, files -------------------------------------------------------- */

static void test_description(void **state)
{
    (void)state;
    const scorer_description *d = scorer_describe(portable), *o = scorer_describe(opencv);
    assert_string_equal(d->name, "brisque");
    assert_true(d->sign == -1.0 && d->identified && d->parallel && d->repeatable && d->cacheable);
    assert_int_equal(d->min_side, 16);
    assert_int_equal(strlen(d->identity_hash), 64);
    assert_string_not_equal(d->identity_hash, o->identity_hash);
    assert_string_equal(d->runtime_hash, o->runtime_hash);
    assert_non_null(strstr(d->identity, "\"arithmetic\":\"portable\""));
    assert_null(strchr(d->runtime, '\n'));
    scorer_options options = SCORER_OPTIONS_DEFAULT;
    scorer *s;
    options.lower_is_better = 0;
    assert_ok(scorer_open(&s, context, "brisque:/usr/share/opencv4/quality", &options, &err));
    assert_true(scorer_describe(s)->sign == 1.0);
    assert_string_equal(scorer_describe(s)->identity_hash, d->identity_hash);
    scorer_close(s);
}

static void test_bad_specs(void **state)
{
    (void)state;
    scorer *s = NULL;
    assert_int_equal(scorer_open(&s, context, "brisque:/nonexistent", NULL, &err),
                     TARE_E_INSTRUMENT);
    assert_string_equal(err.code, "brisque.missing");
    assert_int_equal(scorer_open(&s, context, "brisque:arithmetic=long", NULL, &err),
                     TARE_E_USAGE);
    assert_int_equal(scorer_open(&s, context, "brisk:", NULL, &err), TARE_E_USAGE);
    assert_non_null(strstr(err.message, "planted:"));
    assert_int_equal(scorer_open(&s, context, "brisque", NULL, &err), TARE_E_USAGE);
    assert_null(s);
}

static void test_changed_file(void **state)
{
    (void)state;
    char folder[] = "/tmp/tare-brisque-XXXXXX", path[300];
    assert_non_null(mkdtemp(folder));
    const char *names[] = {"brisque_model_live.yml", "brisque_range_live.yml"};
    for (int k = 0; k < 2; k++) {
        char *bytes;
        size_t length;
        snprintf(path, sizeof path, "/usr/share/opencv4/quality/%s", names[k]);
        assert_ok(os_read_file(&bytes, &length, &context->mem, path, 1 << 20, &err));
        bytes[length / 2] ^= 1;
        snprintf(path, sizeof path, "%s/%s", folder, names[k]);
        assert_ok(os_write_file(path, bytes, length, &err));
        mem_free(&context->mem, bytes);
    }
    char spec[340];
    scorer *s = NULL;
    snprintf(spec, sizeof spec, "brisque:%s", folder);
    assert_int_equal(scorer_open(&s, context, spec, NULL, &err), TARE_E_DATA);
    assert_string_equal(err.code, "brisque.hash");
    for (int k = 0; k < 2; k++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[k]);
        unlink(path);
    }
    rmdir(folder);
}

/* The reader itself, without the hash before it: cut anywhere, changed anywhere. */
static void test_damaged_files(void **state)
{
    (void)state;
    char *a, *b;
    size_t la, lb;
    brisque_model *model = mem_new(&context->mem, 1, sizeof *model);
    assert_ok(os_read_file(&a, &la, &context->mem,
                           "/usr/share/opencv4/quality/brisque_model_live.yml", 1 << 20, &err));
    assert_ok(os_read_file(&b, &lb, &context->mem,
                           "/usr/share/opencv4/quality/brisque_range_live.yml", 1 << 20, &err));
    /* Cut before the last line end: the final " ]\n" may lose its line end. */
    for (size_t cut = 0; cut + 2 < la; cut += 1 + la / 97)
        assert_int_equal(brisque_model_read(model, a, cut, b, lb, &err), TARE_E_DATA);
    for (size_t cut = 0; cut + 2 < lb; cut++)
        assert_int_equal(brisque_model_read(model, a, la, b, cut, &err), TARE_E_DATA);
    char *digit = strstr(b, "3.44000012e-01");
    assert_non_null(digit);
    digit[0] = '4';
    assert_int_equal(brisque_model_read(model, a, la, b, lb, &err), TARE_E_DATA);
    assert_string_equal(err.code, "brisque.totals");
    memcpy(digit, "nan           ", 14);
    assert_int_equal(brisque_model_read(model, a, la, b, lb, &err), TARE_E_DATA);
    assert_string_equal(err.where, "brisque_range_live.yml:7");
    mem_free(&context->mem, a);
    mem_free(&context->mem, b);
    mem_free(&context->mem, model);
}

/* ---- threads, and the second implementation ------------------------------------ */

static void *score_in_thread(void *arg)
{
    image p = smoothed(picture_n(160, 120), 1);
    for (int k = 0; k < 5; k++) *(double *)arg = score(portable, &p).value;
    image_free(&p, &context->mem);
    return NULL;
}

static void test_threads_give_equal_bits(void **state)
{
    (void)state;
    pthread_t thread[4];
    double got[4];
    for (int k = 0; k < 4; k++)
        assert_int_equal(pthread_create(&thread[k], NULL, score_in_thread, &got[k]), 0);
    for (int k = 0; k < 4; k++) pthread_join(thread[k], NULL);
    for (int k = 1; k < 4; k++) assert_true(got[k] == got[0]);
}

static void test_against_numpy(void **state)
{
    (void)state;
    scorer *numpy = NULL;
    const char *spec = "exec:/usr/bin/python3 '" TARE_SOURCE_DIR "/tests/ref/brisque_reference.py' "
                       "/usr/share/opencv4/quality";
    if (system("/usr/bin/python3 -c 'import numpy, scipy, PIL' 2>/dev/null") != 0) {
        printf("skipped: /usr/bin/python3 has no numpy, scipy or PIL\n");
        skip();
    }
    assert_ok(scorer_open(&numpy, context, spec, NULL, &err));
    assert_true(scorer_describe(numpy)->sign == -1.0);
    image pictures[] = {picture_w(64, 48, 3), picture_w(65, 49, 3), gradient(192, 128),
                        picture_n(33, 97), smoothed(picture_n(157, 119), 2),
                        smoothed(picture_n(16, 17), 1)};
    for (size_t k = 0; k < sizeof pictures / sizeof *pictures; k++) {
        scorer_result want = score(numpy, &pictures[k]), got = score(portable, &pictures[k]);
        assert_int_equal(want.status, TARE_R_NONE);
        assert_within(got.value, want.value, 0, 2e-7);
        image_free(&pictures[k], &context->mem);
    }
    scorer_close(numpy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_goldens), cmocka_unit_test(test_goldens_opencv),
        cmocka_unit_test(test_features), cmocka_unit_test(test_shapes),
        cmocka_unit_test(test_mirror_and_transpose), cmocka_unit_test(test_one_level_more),
        cmocka_unit_test(test_no_score), cmocka_unit_test(test_flat_greys),
        cmocka_unit_test(test_far_from_every_vector_is_noted),
        cmocka_unit_test(test_description), cmocka_unit_test(test_bad_specs),
        cmocka_unit_test(test_changed_file), cmocka_unit_test(test_damaged_files),
        cmocka_unit_test(test_threads_give_equal_bits), cmocka_unit_test(test_against_numpy),
    };
    if (access("/usr/share/opencv4/quality/brisque_model_live.yml", R_OK) != 0) {
        printf("skipped: Debian's opencv-data is not installed\n");
        return 77;
    }
    return cmocka_run_group_tests(tests, open_scorers, close_scorers);
}
