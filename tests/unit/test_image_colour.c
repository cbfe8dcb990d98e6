/* sRGB <-> Lab against scorer audit 15.3 and against the definitions of 2.2. */
#include <string.h>

#include "image/colour.h"
#include "support/check.h"

static double lin(double v)
{
    return v > 0.04045 ? pow((v + 0.055) / 1.055, 2.4) : v / 12.92;
}

static int byte_by_definition(double u)
{
    double e = colour_encode(u);
    return (int)floor(255 * (e < 0 ? 0 : e > 1 ? 1 : e) + 0.5);
}

static void tables_are_the_definitions(void **state)
{
    (void)state;
    for (int k = 0; k < 256; k++) assert_close(colour_linear[k], lin(k / 255.0));
    for (int k = 1; k < 256; k++) {
        double at = colour_step[k];
        assert_int_equal(byte_by_definition(at), k);
        assert_int_equal(byte_by_definition(nextafter(at, 0)), k - 1);
    }
    assert_true(colour_encode(colour_clip_above) <= 1 + 1e-6);
    assert_true(colour_encode(nextafter(colour_clip_above, 2)) > 1 + 1e-6);
    /* published inverse of the rounded matrix, to its four decimals */
    static const double inverse[9] = {3.240479, -1.537150, -0.498535, -0.969256, 1.875992,
                                      0.041556, 0.055648, -0.204043, 1.057311};
    for (int i = 0; i < 9; i++) assert_within(colour_inverse[i], inverse[i], 0, 1e-5);
}

static void bytes_by_steps(void **state)
{
    (void)state;
    for (int i = -2000; i < 202000; i++) {
        double u = i * 1e-5 * 0.617;
        assert_int_equal(colour_byte(u), byte_by_definition(u));
        if (u >= 0 && u < 1) assert_int_equal(colour_byte_inside(u), byte_by_definition(u));
        double e = colour_encode(u);
        assert_int_equal(colour_clipped(u), e < -1e-6 || e > 1 + 1e-6);
    }
    for (int k = 1; k < 256; k++)
        for (int side = -3; side <= 3; side++) {
            double u = colour_step[k];
            for (int s = 0; s < abs(side); s++) u = nextafter(u, side < 0 ? 0 : 2);
            assert_int_equal(colour_byte(u), byte_by_definition(u));
        }
    assert_int_equal(colour_byte(-1e300), 0);
    assert_int_equal(colour_byte(1e300), 255);
}

/* Columns of scorer audit 15.3: Lab to six decimals. */
static const struct { unsigned char rgb[3]; double lab[3]; } known[] = {
    {{255, 255, 255}, {100, -.002455, .004653}},
    {{255, 0, 0}, {53.240588, 80.092308, 67.202751}},
    {{255, 219, 172}, {89.348280, 5.926385, 27.770393}},
    {{241, 194, 125}, {81.164161, 8.362985, 40.922351}},
    {{224, 172, 105}, {73.788508, 11.276711, 41.533713}},
    {{198, 134, 66}, {61.178657, 18.041026, 45.591222}},
    {{141, 85, 36}, {41.671123, 18.905035, 37.239923}},
    {{60, 32, 20}, {15.718705, 12.106087, 13.881264}},
};

static void known_colours(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        double lab[3];
        colour_lab_of_rgb(lab, known[i].rgb);
        for (int c = 0; c < 3; c++) assert_within(lab[c], known[i].lab[c], 0, 6e-7);
        double values[3] = {known[i].rgb[0] / 255.0, known[i].rgb[1] / 255.0,
                            known[i].rgb[2] / 255.0}, again[3];
        colour_lab_of_encoded(again, values);
        for (int c = 0; c < 3; c++) assert_within(again[c], lab[c], 1e-13, 1e-13);
    }
}

static void shifted(const unsigned char rgb[3], double dose, double encoded[3])
{
    double lab[3], linear[3];
    colour_lab_of_rgb(lab, rgb);
    lab[0] += dose;
    colour_linear_of_lab(linear, lab);
    for (int c = 0; c < 3; c++) encoded[c] = 255 * colour_encode(linear[c]);
}

static void known_shifts(void **state)
{
    (void)state;
    static const struct { unsigned char rgb[3]; double dose, want[3]; unsigned char bytes[3]; }
    cases[] = {{{224, 172, 105}, 5, {238.8508, 185.5534, 117.8336}, {239, 186, 118}},
               {{224, 172, 105}, 15, {268.9399, 213.2142, 144.0670}, {255, 213, 144}},
               {{141, 85, 36}, -15, {99.4809, 50.1992, -0.5324}, {99, 50, 0}}};
    for (size_t i = 0; i < 3; i++) {
        double got[3], lab[3];
        unsigned char bytes[3];
        shifted(cases[i].rgb, cases[i].dose, got);
        for (int c = 0; c < 3; c++) assert_within(got[c], cases[i].want[c], 0, 6e-5);
        colour_lab_of_rgb(lab, cases[i].rgb);
        lab[0] += cases[i].dose;
        colour_rgb_of_lab(bytes, lab);
        assert_memory_equal(bytes, cases[i].bytes, 3);
    }
}

static int out_of_gamut(const unsigned char rgb[3], double dose)
{
    double encoded[3];
    shifted(rgb, dose, encoded);
    for (int c = 0; c < 3; c++)
        if (encoded[c] < -255e-6 || encoded[c] > 255 + 255e-6) return 1;
    return 0;
}

/* In-gamut L* ranges of 15.3; NAN: not given there. */
static void gamut_ranges(void **state)
{
    (void)state;
    static const double low[] = {NAN, NAN, NAN, -49.64, -41.82, -25.10, -14.79, -6.62};
    static const double high[] = {NAN, NAN, 0.00, 4.69, 10.39, 18.97, 39.01, NAN};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (!isnan(low[i])) {
            assert_false(out_of_gamut(known[i].rgb, low[i] + 0.006));
            assert_true(out_of_gamut(known[i].rgb, low[i] - 0.006));
        }
        if (!isnan(high[i])) {
            assert_false(out_of_gamut(known[i].rgb, high[i] - 0.006));
            assert_true(out_of_gamut(known[i].rgb, high[i] + 0.006));
        }
    }
}

/* Scorer audit 2.2: the identity on all colours, largest error 6.6e-12 of a byte step. */
static void identity_on_all_colours(void **state)
{
    (void)state;
    enum { N = 65536 };
    static unsigned char rgb[3 * N];
    static double lab[3][N], linear[3][N];
    double worst = 0, least = 1, most = 0;
    for (int r = 0; r < 256; r++) {
        for (int i = 0; i < N; i++) {
            rgb[3 * i] = (unsigned char)r;
            rgb[3 * i + 1] = (unsigned char)(i >> 8);
            rgb[3 * i + 2] = (unsigned char)i;
        }
        colour_lab_of_rgb_row((colour_planes){{lab[0], lab[1], lab[2]}}, rgb, N);
        memcpy(linear, lab, sizeof linear);
        colour_linear_of_lab_row((colour_planes){{linear[0], linear[1], linear[2]}}, N);
        for (int i = 0; i < N; i++)
            for (int c = 0; c < 3; c++)
                if (colour_byte(linear[c][i]) != rgb[3 * i + c]) fail_msg("%d %d", r, i);
        for (int i = 0; i < N; i += 251)
            for (int c = 0; c < 3; c++) {
                double e = colour_encode(linear[c][i]);
                worst = fmax(worst, fabs(255 * e - rgb[3 * i + c]));
                least = fmin(least, e);
                most = fmax(most, e);
            }
    }
    print_message("largest error %.3g of a step; range [%.3g, 1 + %.3g]\n", worst, least, most - 1);
    assert_true(worst < 1e-11 && least > -5e-14 && most - 1 < 2e-15);
}

/* The rows must give the bits of the single pixels, whatever instructions they were compiled to. */
static void rows_equal_pixels(void **state)
{
    (void)state;
    enum { N = 1000 };
    unsigned char rgb[3 * N];
    static double p[3][N], q[3][N];
    uint32_t x = 1;
    for (int i = 0; i < 3 * N; i++) {
        x = x * 1664525u + 1013904223u;
        rgb[i] = (unsigned char)(x >> 24);
    }
    for (size_t n = 0; n <= N; n = n < 70 ? n + 1 : n + 310) {
        colour_lab_of_rgb_row((colour_planes){{p[0], p[1], p[2]}}, rgb, n);
        for (size_t i = 0; i < n; i++) p[0][i] += (double)(i % 31) - 15;
        memcpy(q, p, sizeof q);
        colour_linear_of_lab_row((colour_planes){{q[0], q[1], q[2]}}, n);
        for (size_t i = 0; i < n; i++) {
            double lab[3], linear[3];
            colour_lab_of_rgb(lab, rgb + 3 * i);
            lab[0] += (double)(i % 31) - 15;
            colour_linear_of_lab(linear, lab);
            for (int c = 0; c < 3; c++) {
                assert_memory_equal(&lab[c], &p[c][i], sizeof(double));
                assert_memory_equal(&linear[c], &q[c][i], sizeof(double));
            }
        }
    }
}

/* (y^3 - x)/(3x), the relative error of y, with the rounding of the products added back. */
static double root_error(double y, double x)
{
    double square = y * y, square_low = fma(y, y, -square);
    double cube = square * y, cube_low = fma(square, y, -cube);
    return ((cube - x) + cube_low + square_low * y) / (3 * x);
}

static void cube_roots(void **state)
{
    (void)state;
    for (double x = 1e-4; x < 2; x *= 1.00037)
        assert_true(fabs(root_error(colour_cbrt(x), x)) < 2.3e-16);
    assert_true(colour_cbrt(0) == 0);
    assert_true(colour_cbrt(1) == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_are_the_definitions), cmocka_unit_test(bytes_by_steps),
        cmocka_unit_test(known_colours), cmocka_unit_test(known_shifts),
        cmocka_unit_test(gamut_ranges), cmocka_unit_test(identity_on_all_colours),
        cmocka_unit_test(rows_equal_pixels), cmocka_unit_test(cube_roots)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
