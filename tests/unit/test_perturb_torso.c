/* The torso band and the warp's map: numbers of scorer audit 15.4, the rest by hand from 2.6, 3. */
#include <string.h>

#include "perturb/perturb.h"
#include "perturb/warp_rows.h"
#include "support/check.h"

enum { W = 40, H = 100 };

static unsigned char body[W * H];

/* Rows [y0, y1) of columns [x0, x1). */
static void fill(int x0, int x1, int y0, int y1)
{
    for (int y = y0; y < y1; y++) memset(body + y * W + x0, 1, (size_t)(x1 - x0));
}

static void clear(void)
{
    memset(body, 0, sizeof body);
}

/* Spec: xc 100, R = F = 40. */
static void published_sources(void **state)
{
    (void)state;
    const torso t = {.first = 0, .last = 99, .top = 20, .bottom = 55, .centre = 100, .reach = 40};
    static const double x[] = {110, 116, 120, 132, 140, 148, 160, 168, 180};
    static const double wide[] = {108.333333, 113.333333, 116.666667, 126.666667, 133.333333, 140,
                                  153.648859, 164, 179.236068};
    static const double narrow[] = {112.5, 120, 125, 140, 147.236068, 153.236068, 161.648859,
                                    168.195774, 180};
    double most = 0;
    for (size_t i = 0; i < 9; i++) {
        assert_within(torso_source(&t, x[i], 1, 1.2), wide[i], 0, 6e-7);
        assert_within(torso_source(&t, x[i], 1, 0.8), narrow[i], 0, 6e-7);
        /* mirrored about the centre, and at rest without a window or a change */
        assert_within(torso_source(&t, 200 - x[i], 1, 1.2), 200 - wide[i], 0, 6e-7);
        assert_true(torso_source(&t, x[i], 0, 1.2) == x[i]);
        assert_true(torso_source(&t, x[i], 0.7, 1) == x[i]);
        most = fmax(most, x[i] - torso_source(&t, x[i], 1, 1.2));
    }
    assert_within(most, 8, 1e-12, 0);
    assert_true(torso_source(&t, 100, 1, 1.2) == 100);
}

static void published_taps(void **state)
{
    (void)state;
    double taps[4];
    warp_taps(taps, 1.0 / 3);
    assert_close(taps[0], -2.0 / 27);
    assert_close(taps[1], 7.0 / 9);
    assert_close(taps[2], 1.0 / 3);
    assert_close(taps[3], -1.0 / 27);
    warp_taps(taps, 0);
    assert_true(taps[0] == 0 && taps[1] == 1 && taps[2] == 0 && taps[3] == 0);
}

/* No folds up to the bounds of the operator: the map keeps the order of columns. */
static void no_folds(void **state)
{
    (void)state;
    const perturb_operator *op = perturb_operator_find("warp");
    const torso t = {.centre = 100.25, .reach = 40.75};
    const double bounds[] = {op->least, op->most};
    for (int k = 0; k < 2; k++)
        for (double x = 0; x < 200; x += 0.125)
            assert_true(torso_source(&t, x + 0.125, 1, bounds[k]) >
                        torso_source(&t, x, 1, bounds[k]));
}

static void windows(void **state)
{
    (void)state;
    const torso t = {.top = 20, .bottom = 60};
    static const double at[] = {19.99, 20, 25, 30, 40, 50, 55, 60, 60.01};
    static const double hann[] = {0, 0, 0.146446609, 0.5, 1, 0.5, 0.146446609, 0, 0};
    static const double tukey[] = {0, 0, 0.5, 1, 1, 1, 0.5, 0, 0};
    for (size_t i = 0; i < 9; i++) {
        assert_within(torso_window(&t, WARP_HANN, at[i]), hann[i], 0, 1e-9);
        assert_within(torso_window(&t, WARP_TUKEY, at[i]), tukey[i], 0, 1e-9);
    }
    assert_string_equal(warp_window_name(WARP_HANN), "hann");
    assert_string_equal(warp_window_name(WARP_TUKEY), "tukey");
    assert_null(warp_window_name((warp_window)2));
}

/* A figure of 80 rows from row 10: the band is 26 to 54, its rows 26..54. */
static void standing_figure(void **state)
{
    (void)state;
    torso t;
    int begin, end;
    clear();
    fill(17, 23, 10, 30);  /* columns 17..22 */
    fill(12, 28, 30, 90);  /* columns 12..27 */
    assert_true(torso_find(&t, body, W, H, 0, 0));
    assert_int_equal(t.first, 10);
    assert_int_equal(t.last, 89);
    assert_close(t.top, 26);
    assert_close(t.bottom, 54);
    assert_close(t.centre, 19.5); /* both parts are centred there */
    assert_close(t.reach, 7.5);
    torso_rows(&begin, &end, &t, H);
    assert_int_equal(begin, 26);
    assert_int_equal(end, 55);
    /* 4 rows of 6 and 25 of 16, over 29 rows and 80 of height */
    assert_close(torso_width_ratio(&t, body, W, H), (4 * 6 + 25 * 16) / 29.0 / 80);
    /* a band from elsewhere: rows 40..44, of which the figure fills 16 columns */
    assert_true(torso_find(&t, body, W, H, 40, 44.5));
    assert_close(torso_width_ratio(&t, body, W, H), 16 / 80.0);
    assert_true(torso_find(&t, body, W, H, 0, 100)); /* the whole image */
    assert_true(t.top == 0 && t.bottom == 100);
}

/* A row counts from 0.5 % of the width on, and never without foreground. */
static void thin_rows(void **state)
{
    (void)state;
    static unsigned char wide[1000 * 50];
    torso t;
    for (int y = 0; y < 50; y++) memset(wide + 1000 * y + 400, 1, y < 10 ? 4 : 5);
    assert_true(torso_find(&t, wide, 1000, 50, 0, 0));
    assert_int_equal(t.first, 10);
    assert_int_equal(t.last, 49);
    clear();
    fill(19, 21, 50, 90);
    assert_true(torso_find(&t, body, W, H, 0, 0));
    assert_int_equal(t.first, 50);
}

static void no_torso(void **state)
{
    (void)state;
    torso t;
    clear();
    assert_false(torso_find(&t, body, W, H, 0, 0));   /* empty */
    assert_false(torso_find(&t, body, W, H, 20, 50)); /* empty, with a band */
    assert_true(isnan(torso_width_ratio(&t, body, W, H)));
    fill(10, 30, 50, 51);
    assert_false(torso_find(&t, body, W, H, 0, 0));    /* one row: no row in .20 to .55 of it */
    assert_false(torso_find(&t, body, W, H, 52, 60));  /* nothing in the band */
    assert_true(torso_find(&t, body, W, H, 49, 51));
    assert_false(torso_find(&t, body, W, H, 49, 49));  /* of no height */
    assert_false(torso_find(&t, body, W, H, 49, 50));  /* no row between its ends */
    assert_false(torso_find(&t, body, W, H, 60, 40));  /* upside down */
    assert_false(torso_find(&t, body, W, H, -1, 60));  /* out of the image */
    assert_false(torso_find(&t, body, W, H, 40, 100.5));
    assert_false(torso_find(&t, body, W, H, NAN, 60));
    clear();
    fill(20, 21, 0, H);
    assert_false(torso_find(&t, body, W, H, 0, 0));    /* one column: no width */
    static const unsigned char one[1] = {1}, row[4] = {1, 1, 1, 1};
    assert_false(torso_find(&t, one, 1, 1, 0, 0));
    assert_false(torso_find(&t, one, 1, 1, 0, 1));
    assert_false(torso_find(&t, row, 4, 1, 0, 0));     /* an image of one row */
    assert_false(torso_find(&t, row, 4, 1, 0, 1));
    assert_false(torso_find(&t, row, 1, 4, 0, 0));     /* of one column */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_sources), cmocka_unit_test(published_taps),
        cmocka_unit_test(no_folds), cmocka_unit_test(windows), cmocka_unit_test(standing_figure),
        cmocka_unit_test(thin_rows), cmocka_unit_test(no_torso)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
