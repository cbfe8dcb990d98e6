/* ITA in its four forms and two angles; resegmenting. Scorer audit 3, 15.3. */
#include <string.h>

#include "image/colour.h"
#include "perturb/perturb.h"
#include "support/check.h"

static mem m;
static tare_error err;

static measure_tone tone_of(const unsigned char *rgb, int n, ita_form form, ita_angle angle)
{
    unsigned char bytes[300];
    measure_tone t;
    memcpy(bytes, rgb, 3 * (size_t)n);
    image i = {.width = n, .height = 1, .channels = 3, .rgb = bytes};
    assert_ok(measure_tone_of(&t, &m, &i, NULL, form, angle, &err));
    return t;
}

static const struct { unsigned char rgb[3]; double ita; } table[] = { /* 15.3 */
    {{255, 0, 0}, 2.760725}, {{255, 219, 172}, 54.787134}, {{241, 194, 125}, 37.290859},
    {{224, 172, 105}, 29.802001}, {{198, 134, 66}, 13.776742}, {{141, 85, 36}, -12.606987},
    {{60, 32, 20}, -67.955873},
    /* Monk tones 1..10, three decimals */
    {{0xf6, 0xed, 0xe4}, 82.992}, {{0xf3, 0xe7, 0xdb}, 80.213}, {{0xf7, 0xea, 0xd0}, 71.742},
    {{0xea, 0xda, 0xba}, 64.703}, {{0xd7, 0xbd, 0x96}, 50.325}, {{0xa0, 0x7e, 0x56}, 10.884},
    {{0x82, 0x5c, 0x43}, -20.138}, {{0x60, 0x41, 0x34}, -55.379}, {{0x3a, 0x31, 0x2a}, -78.344},
    {{0x29, 0x24, 0x20}, -84.306}};

static void single_colours(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        for (int form = 0; form < 4; form++)
            for (int angle = 0; angle < 2; angle++) {
                unsigned char three[9];
                for (int k = 0; k < 3; k++) memcpy(three + 3 * k, table[i].rgb, 3);
                measure_tone t = tone_of(three, 3, (ita_form)form, (ita_angle)angle);
                assert_within(t.ita, table[i].ita, 0, i < 7 ? 6e-7 : 6e-4);
                assert_int_equal(t.pixels, 3);
            }
}

/* Hue of (224,172,105) by -30 and +30 degrees: 15.3. */
static void hue_rotation(void **state)
{
    (void)state;
    double lab[3];
    colour_lab_of_rgb(lab, (const unsigned char[]){224, 172, 105});
    measure_tone t = tone_of((const unsigned char[]){224, 172, 105}, 1, ITA_MEAN, ITA_ATAN2);
    assert_close(t.chroma, hypot(lab[1], lab[2]));
    for (int sign = -1; sign <= 1; sign += 2) {
        double turn = (t.hue + 30 * sign) * 3.14159265358979323846 / 180;
        double a = t.chroma * cos(turn), b = t.chroma * sin(turn);
        assert_within(a, sign < 0 ? 30.532775 : -11.000938, 0, 6e-7);
        assert_within(b, sign < 0 ? 30.330895 : 41.607606, 0, 6e-7);
        assert_within(hypot(a - lab[1], b - lab[2]), 22.277772, 0, 6e-7);
    }
}

/* By hand from the definitions: two colours and a black pixel, three to one. */
static void forms_differ(void **state)
{
    (void)state;
    static const unsigned char five[15] = {255, 219, 172, 141, 85, 36, 141, 85, 36,
                                           141, 85, 36, 0, 0, 0};
    double l1 = 89.348280, b1 = 27.770393, l2 = 41.671123, b2 = 37.239923;
    double degree = 180 / 3.14159265358979323846;
    measure_tone t = tone_of(five, 4, ITA_MEAN, ITA_ATAN2);
    assert_within(t.ita, degree * atan2((l1 + 3 * l2) / 4 - 50, (b1 + 3 * b2) / 4), 0, 1e-5);
    t = tone_of(five, 4, ITA_MEDIAN, ITA_ATAN2);
    assert_within(t.ita, -12.606987, 0, 6e-7);
    t = tone_of(five, 2, ITA_MEDIAN, ITA_ATAN2); /* even: the mean of the middle two */
    assert_within(t.ita, (54.787134 - 12.606987) / 2, 0, 6e-7);
    t = tone_of(five, 5, ITA_TRIMMED, ITA_ATAN2); /* black goes, then the light one */
    assert_within(t.ita, -12.606987, 0, 6e-7);
    t = tone_of(five, 4, ITA_RGBMEAN, ITA_ATAN2);
    double lab[3], mean[3] = {(255 + 3 * 141) / 1020.0, (219 + 3 * 85) / 1020.0,
                              (172 + 3 * 36) / 1020.0};
    colour_lab_of_encoded(lab, mean);
    assert_close(t.ita, ita_degrees(lab[0], lab[2], ITA_ATAN2));
}

static void bluish_and_empty(void **state)
{
    (void)state;
    static const unsigned char two[6] = {90, 120, 220, 224, 172, 105};
    measure_tone t = tone_of(two, 1, ITA_MEAN, ITA_ATAN2);
    assert_int_equal(t.bluish, 1);
    assert_true(t.b < 0);
    measure_tone jump = tone_of(two, 1, ITA_MEAN, ITA_ATAN);
    assert_close(fabs(t.ita - jump.ita), 180);
    assert_int_equal(tone_of(two, 2, ITA_MEAN, ITA_ATAN2).bluish, 1);
    assert_true(isnan(ita_degrees(50, 0, ITA_ATAN2)) && isnan(ita_degrees(50, 0, ITA_ATAN)));
    assert_close(ita_degrees(70, 0, ITA_ATAN), 90);
    unsigned char none[2] = {0, 0};
    image i = {.width = 2, .height = 1, .channels = 3, .rgb = (unsigned char *)(uintptr_t)two};
    for (int form = 0; form < 4; form++) {
        assert_ok(measure_tone_of(&t, &m, &i, none, (ita_form)form, ITA_ATAN2, &err));
        assert_true(isnan(t.ita) && isnan(t.lightness) && isnan(t.chroma));
        assert_int_equal(t.pixels, 0);
    }
    assert_true(isnan(measure_difference(&i, &i, none)));
    assert_string_equal(ita_form_name(ITA_TRIMMED), "trimmed");
    assert_string_equal(ita_angle_name(ITA_ATAN), "atan");
    assert_null(ita_form_name((ita_form)4));
    assert_null(ita_angle_name((ita_angle)2));
}

/* Each form along the variant's own path and over the finished bytes: the same number. */
static void variant_path_agrees(void **state)
{
    enum { W = 70, H = 50 };
    static unsigned char rgb[3 * W * H];
    unsigned char mask[W * H];
    image photo = {.width = W, .height = H, .channels = 3, .rgb = rgb};
    (void)state;
    for (int i = 0; i < W * H; i++) {
        int skin = i % W < 45, t = i * 37 % 41, s = i * 53 % 61; /* some near the thresholds */
        rgb[3 * i] = (unsigned char)(skin ? 140 + t : 60 + t);
        rgb[3 * i + 1] = (unsigned char)(skin ? 90 + s : 90 + t);
        rgb[3 * i + 2] = (unsigned char)(skin ? 70 + (s + t) % 50 : 120 + t);
    }
    for (int form = 0; form < 4; form++)
        for (int again = 0; again < 2; again++) {
            perturb_options o = PERTURB_OPTIONS_DEFAULT;
            perturb_base base;
            perturb_variant v = {0};
            measure_tone want;
            o.form = (ita_form)form;
            o.resegment = again;
            assert_ok(perturb_base_make(&base, &m, &photo, NULL, "x", &o, &err));
            assert_ok(perturb_variant_make(&v, &base, perturb_operator_find("skin"), 15, &err));
            memcpy(mask, base.mask, sizeof mask);
            if (again) mask_of_skin(mask, &v.picture, MASK_DEFAULT);
            assert_ok(measure_tone_of(&want, &m, &v.picture, mask, o.form, o.angle, &err));
            const measure_tone *got = &v.measures.tone;
            assert_within(got->ita, want.ita, 1e-13, 0);
            assert_within(got->lightness, want.lightness, 1e-14, 0);
            assert_within(got->a, want.a, 1e-14, 0);
            assert_within(got->b, want.b, 1e-14, 0);
            assert_int_equal(got->pixels, want.pixels);
            assert_int_equal(got->bluish, want.bluish);
            assert_int_equal(want.pixels, mask_count(mask, sizeof mask));
            if (again) assert_int_not_equal(want.pixels, base.skin_pixels);
            perturb_variant_free(&v, &m);
            perturb_base_free(&base);
        }
}

int main(void)
{
    m = mem_system();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(single_colours), cmocka_unit_test(hue_rotation),
        cmocka_unit_test(forms_differ), cmocka_unit_test(bluish_and_empty),
        cmocka_unit_test(variant_path_agrees)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
