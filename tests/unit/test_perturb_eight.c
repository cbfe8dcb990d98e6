/* The eight-pixel image of scorer audit 15.4, number by number. */
#include <string.h>

#include "perturb/perturb.h"
#include "support/check.h"

enum { N = 8, PIXELS = N * N };

static mem m;
static tare_error err;
static unsigned char rgb[3 * PIXELS], square[3 * PIXELS];
static image photo, user;

static int set_up(void **state)
{
    (void)state;
    for (int y = 0; y < N; y++)
        for (int x = 0; x < N; x++) {
            unsigned char *p = rgb + 3 * (y * N + x);
            p[0] = (unsigned char)(200 + (3 * x + 5 * y) % 40);
            p[1] = (unsigned char)(140 + (5 * x + 7 * y) % 40);
            p[2] = (unsigned char)(90 + (7 * x + 3 * y) % 40);
            memset(square + 3 * (y * N + x), x >= 2 && x <= 5 && y >= 2 && y <= 5 ? 255 : 0, 3);
        }
    photo = (image){.width = N, .height = N, .channels = 3, .rgb = rgb};
    user = (image){.width = N, .height = N, .channels = 3, .rgb = square};
    return 0;
}

static perturb_options options(ita_form form)
{
    perturb_options o = PERTURB_OPTIONS_DEFAULT;
    o.feather_sigma = 28; /* of the short side 8: 1 pixel */
    o.form = form;
    o.whole = true;
    return o;
}

static void thresholds(void **state)
{
    (void)state;
    unsigned char mask[PIXELS];
    static const size_t want[3] = {51, 40, 64};
    for (int s = 0; s < 3; s++) {
        mask_of_skin(mask, &photo, (mask_set)s);
        assert_int_equal(mask_count(mask, PIXELS), want[s]);
    }
}

static void weights(void **state)
{
    (void)state;
    perturb_base base;
    const perturb_guides guides = {.mask = &user};
    perturb_options o = options(ITA_MEAN);
    assert_ok(perturb_base_make(&base, &m, &photo, &guides, "eight", &o, &err));
    double sum = 0;
    for (int i = 0; i < PIXELS; i++) sum += base.weight[i];
    assert_within(base.weight[2 * N + 2], .4890735040, 0, 6e-11);
    assert_within(base.weight[3 * N + 3], .8777394277, 0, 6e-11);
    assert_within(base.weight[0], .0039844515, 0, 6e-11);
    assert_within(sum, 16, 1e-13, 0);
    assert_int_equal(base.skin_pixels, 16);
    assert_true(base.skin_share == 0.25 && base.reason == TARE_R_NONE && !base.mostly_skin);
    assert_int_equal(base.sites.count, PIXELS);
    perturb_base_free(&base);
}

typedef struct row {
    const char *op;
    double dose;
    unsigned sum[3];
    double clipped, mag, ita_mean, ita_median, difference;
} row;

static const row rows[] = {
    {"skin", 0, {14032, 10208, 6920}, 0, 0, 30.728617605, 33.119531443, 0},
    {"skin", -15, {13322, 9578, 6315}, 0, 0, 17.308628115, 19.086803606, 10.050933390},
    {"skin", 5, {14268, 10432, 7128}, 0, 0, 34.443175888, 36.330460142, 3.422783835},
    {"skin", 15, {14663, 10856, 7541}, 9, 1.806461593, 41.471216628, 42.425416885, 10.045836075},
    {"nonskin", -15, {11941, 8322, 5130}, 0, 0, 24.406642520, 23.910948983, 5.006820061},
    {"hue", -30, {14360, 10022, 7295}, 0, 0, 38.495421997, 37.580360639, 14.493957992},
    {"nonskin", 0, {14032, 10208, 6920}, 0, 0, 30.728617605, 33.119531443, 0},
    {"hue", 0, {14032, 10208, 6920}, 0, 0, 30.728617605, 33.119531443, 0},
    {"sham", 0, {14032, 10208, 6920}, 0, 0, 30.728617605, 33.119531443, 0},
    {"blur", 28, {14030, 10204, 6919}, 0, 0, NAN, NAN, NAN}, /* of the short side 8: 1 pixel */
    {"blur", 0, {14032, 10208, 6920}, 0, 0, 30.728617605, 33.119531443, 0},
    /* Pillow 9.4, save(quality=100 - dose, subsampling=0) */
    {"codec", 2, {14041, 10212, 6923}, 0, 0, NAN, NAN, NAN},
    {"codec", 5, {14027, 10211, 6922}, 0, 0, NAN, NAN, NAN},
    {"codec", 8, {14033, 10203, 6936}, 0, 0, NAN, NAN, NAN},
    {"codec", 10, {14045, 10197, 6939}, 0, 0, NAN, NAN, NAN},
    {"codec", 15, {14068, 10208, 6949}, 0, 0, NAN, NAN, NAN},
    {"codec", 20, {14032, 10209, 6904}, 0, 0, NAN, NAN, NAN},
    {"codec", 0, {14032, 10208, 6920}, 0, 0, 30.728617605, 33.119531443, 0},
};

static void check_row(const row *r, ita_form form)
{
    perturb_base base;
    perturb_variant v = {0};
    const perturb_guides guides = {.mask = &user};
    perturb_options o = options(form);
    unsigned sum[3] = {0};
    const perturb_operator *op = perturb_operator_find(r->op);
    assert_non_null(op);
    assert_ok(perturb_base_make(&base, &m, &photo, &guides, "eight", &o, &err));
    assert_ok(perturb_variant_make(&v, &base, op, r->dose, &err));
    for (int i = 0; i < 3 * PIXELS; i++) sum[i % 3] += v.picture.rgb[i];
    for (int c = 0; c < 3; c++) assert_int_equal(sum[c], r->sum[c]);
    if (r->dose == 0) assert_memory_equal(v.picture.rgb, rgb, sizeof rgb);
    const perturb_measures *x = &v.measures;
    if (op->artifact == PERTURB_CLIP_FRAC) {
        assert_close(x->clip_frac, r->clipped / 16);
        assert_within(x->clip_mag, r->mag, 0, 6e-10);
    } else {
        assert_true(isnan(x->clip_frac) && isnan(x->clip_mag));
    }
    if (!isnan(r->ita_mean))
        assert_within(x->tone.ita, form == ITA_MEAN ? r->ita_mean : r->ita_median, 0, 6e-10);
    if (!isnan(r->difference))
        assert_within(measure_difference(&v.picture, &photo, base.mask), r->difference, 0, 6e-10);
    if (op->support == PERTURB_SKIN)
        assert_within(x->edit_support, r->difference, 0, 6e-10);
    assert_within(x->edit_image, measure_difference(&v.picture, &photo, NULL), 1e-12, 1e-15);
    assert_int_equal(x->tone.pixels, 16);
    assert_int_equal(x->tone.bluish, 0);
    perturb_variant_free(&v, &m);
    perturb_base_free(&base);
}

static void table(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        check_row(&rows[i], ITA_MEAN);
        check_row(&rows[i], ITA_MEDIAN);
    }
}

/* Off the skin: edit energy over the complement; with the skin arm the whole image moves by d. */
static void two_arms_are_a_global_shift(void **state)
{
    (void)state;
    perturb_base base;
    const perturb_guides guides = {.mask = &user};
    perturb_options o = options(ITA_MEAN);
    unsigned char other[PIXELS];
    assert_ok(perturb_base_make(&base, &m, &photo, &guides, "eight", &o, &err));
    for (int i = 0; i < PIXELS; i++) other[i] = !base.mask[i];
    perturb_variant off = {0};
    const perturb_operator *nonskin = perturb_operator_find("nonskin");
    assert_ok(perturb_variant_make(&off, &base, nonskin, -15, &err));
    assert_close(off.measures.edit_support, measure_difference(&off.picture, &photo, other));
    for (int i = 0; i < PIXELS; i++) {
        double on = base.weight[i], rest = 1 - base.weight[i];
        assert_true(on + rest == 1);
    }
    perturb_variant_free(&off, &m);
    perturb_base_free(&base);
}

/* Blending in RGB is another image than the shift in Lab, but has the same ends. */
static void rgb_feather(void **state)
{
    (void)state;
    perturb_base lab, blend;
    const perturb_guides guides = {.mask = &user};
    perturb_variant p = {0}, q = {0};
    perturb_options o = options(ITA_MEAN);
    assert_ok(perturb_base_make(&lab, &m, &photo, &guides, "eight", &o, &err));
    o.mode = FEATHER_RGB;
    assert_ok(perturb_base_make(&blend, &m, &photo, &guides, "eight", &o, &err));
    const perturb_operator *skin = perturb_operator_find("skin");
    assert_ok(perturb_variant_make(&q, &blend, skin, 0, &err));
    assert_memory_equal(q.picture.rgb, rgb, sizeof rgb);
    assert_ok(perturb_variant_make(&p, &lab, skin, -15, &err));
    assert_ok(perturb_variant_make(&q, &blend, skin, -15, &err));
    int most = 0;
    for (size_t i = 0; i < sizeof rgb; i++) {
        int d = abs(p.picture.rgb[i] - q.picture.rgb[i]);
        most = d > most ? d : most;
    }
    assert_true(most >= 1 && most <= 3);
    perturb_variant_free(&p, &m);
    perturb_variant_free(&q, &m);
    perturb_base_free(&lab);
    perturb_base_free(&blend);
}

int main(void)
{
    m = mem_system();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(thresholds), cmocka_unit_test(weights), cmocka_unit_test(table),
        cmocka_unit_test(two_arms_are_a_global_shift), cmocka_unit_test(rgb_feather)};
    return cmocka_run_group_tests(tests, set_up, NULL);
}
