#include "base/mem.h"
#include "stats/gstudy.h"
#include "support/check.h"

static void fill(double *y, size_t I, size_t G, size_t J)
{
    for (size_t i = 0; i < I; i++)
        for (size_t g = 0; g < G; g++)
            for (size_t j = 0; j < J; j++)
                y[(i * G + g) * J + j] = (double)((i * i * 3 + g * g * 5 + j * j * 7 + i * g * 2
                                                   + g * j * 3 + i * j + i * g * j) % 13);
}

/* Mean squares: statsmodels 0.13 anova_lm of C(i) + C(g) + C(j) and their pairs on the same
 * numbers; components by hand from them. */
static void test_three_way(void **state)
{
    (void)state;
    tare_error err;
    mem m = mem_system();
    double y[60];
    g_study g;
    fill(y, 5, 4, 3);
    assert_ok(g_study_table(&g, y, 5, 4, 3, &m, &err));
    assert_close(g.ms_i, 6.81666666666667);
    assert_close(g.ms_g, 26.8444444444445);
    assert_close(g.ms_j, 10.3166666666667);
    assert_close(g.ms_ig, 16.3722222222222);
    assert_close(g.ms_ij, 11.6916666666667);
    assert_close(g.ms_gj, 17.1611111111111);
    assert_close(g.ms_e, 11.0638888888889);
    assert_close(g.s2_ig, (16.3722222222222222 - 11.0638888888888889) / 3);
    assert_close(g.s2_j, (10.3166666666666667 - 11.6916666666666667 - 17.1611111111111111
                          + 11.0638888888888889) / 20);
    /* a negative component counts as 0 in the coefficients */
    assert_true(g.s2_j < 0 && g.s2_i < 0);
    g_coefficients c = g_study_design(&g, 5, 3);
    assert_close(c.absolute, c.relative + g.s2_ij / 15);
    assert_close(c.e_rho2, fmax(g.s2_g, 0) / (fmax(g.s2_g, 0) + c.relative));
    /* more of both: more reliable */
    assert_true(g_study_design(&g, 50, 30).phi >= c.phi);
}

/* A shift of everything by a large constant changes nothing. */
static void test_three_way_far_from_zero(void **state)
{
    (void)state;
    tare_error err;
    mem m = mem_system();
    double y[60];
    g_study near, far;
    fill(y, 5, 4, 3);
    assert_ok(g_study_table(&near, y, 5, 4, 3, &m, &err));
    for (size_t i = 0; i < 60; i++) y[i] += 1e12;
    assert_ok(g_study_table(&far, y, 5, 4, 3, &m, &err));
    assert_close(far.ms_e, near.ms_e);
    assert_close(far.ms_gj, near.ms_gj);
    assert_close(far.ms_i, near.ms_i);
}

/* Sums of squares add up to the total. */
static void test_three_way_total(void **state)
{
    (void)state;
    tare_error err;
    mem m = mem_system();
    enum { I = 9, G = 5, J = 4 };
    double y[I * G * J], mean = 0, total = 0;
    g_study g;
    fill(y, I, G, J);
    for (size_t i = 0; i < I * G * J; i++) mean += y[i] / (I * G * J);
    for (size_t i = 0; i < I * G * J; i++) total += (y[i] - mean) * (y[i] - mean);
    assert_ok(g_study_table(&g, y, I, G, J, &m, &err));
    double sum = g.ms_i * (I - 1) + g.ms_g * (G - 1) + g.ms_j * (J - 1)
                 + g.ms_ig * (I - 1) * (G - 1) + g.ms_ij * (I - 1) * (J - 1)
                 + g.ms_gj * (G - 1) * (J - 1) + g.ms_e * (I - 1) * (G - 1) * (J - 1);
    assert_close(sum, total);
}

static void test_three_way_degenerate(void **state)
{
    (void)state;
    tare_error err;
    mem m = mem_system();
    double y[60];
    g_study g;
    for (size_t i = 0; i < 60; i++) y[i] = 0.1;
    assert_ok(g_study_table(&g, y, 5, 4, 3, &m, &err));
    assert_true(g.ms_e == 0 && g.ms_g == 0 && g.s2_gj == 0); /* exactly */
    assert_true(isnan(g_study_design(&g, 5, 3).phi));
    fill(y, 5, 4, 3);
    assert_ok(g_study_table(&g, y, 20, 3, 1, &m, &err)); /* one judge */
    assert_true(isnan(g.ms_j) && isnan(g.ms_e) && !isnan(g.ms_ig));
    assert_ok(g_study_table(&g, y, 0, 3, 1, &m, &err));
    assert_true(isnan(g.ms_i));
}

/* Effects of rows and columns are put in; what is left is the interaction alone. */
static void test_two_way(void **state)
{
    (void)state;
    /* rows (1 0 1) and (4 4 5): sums of squares by hand */
    const double y[6] = {1, 0, 1, 4, 4, 5};
    two_way t = two_way_table(y, 2, 3, 3);
    assert_close(t.grand, 2.5);
    assert_close(t.ms_row, 3 * (pow(2.0 / 3 - 2.5, 2) + pow(13.0 / 3 - 2.5, 2)));
    assert_close(t.ms_column, 2 * (0 + .25 + .25) / 2);
    /* residuals: y - row - column + grand */
    double e[3] = {1 - 2.0 / 3 - 2.5 + 2.5, 0 - 2.0 / 3 - 2 + 2.5, 1 - 2.0 / 3 - 3 + 2.5};
    assert_close(t.ms_error, 2 * (e[0] * e[0] + e[1] * e[1] + e[2] * e[2]) / 2);
    assert_close(t.f, t.ms_column / t.ms_error);
}

/* Shrout and Fleiss 1979, table 2: BMS 11.24, JMS 32.49, EMS 1.02 as printed. */
static void test_two_way_published(void **state)
{
    (void)state;
    const double y[24] = {9, 2, 5, 8, 6, 1, 3, 2, 8, 4, 6, 8, 7, 1, 2, 6, 10, 5, 6, 9, 6, 2, 4, 7};
    two_way t = two_way_table(y, 6, 4, 4);
    assert_within(t.ms_row, 11.24, 0, .005);
    assert_within(t.ms_column, 32.49, 0, .005);
    assert_within(t.ms_error, 1.02, 0, .005);
}

static void test_two_way_stride_and_width(void **state)
{
    (void)state;
    enum { ROWS = 7, COLUMNS = 130, STRIDE = 133 };
    static double wide[ROWS * STRIDE], turned[COLUMNS * ROWS];
    for (size_t i = 0; i < ROWS; i++)
        for (size_t j = 0; j < STRIDE; j++)
            wide[i * STRIDE + j] = j < COLUMNS ? (double)((i * 31 + j * 17 + i * j) % 23) : 1e300;
    for (size_t i = 0; i < ROWS; i++)
        for (size_t j = 0; j < COLUMNS; j++) turned[j * ROWS + i] = wide[i * STRIDE + j];
    two_way a = two_way_table(wide, ROWS, COLUMNS, STRIDE);
    two_way b = two_way_table(turned, COLUMNS, ROWS, ROWS);
    assert_close(a.ms_row, b.ms_column);
    assert_close(a.ms_column, b.ms_row);
    assert_close(a.ms_error, b.ms_error);
}

static void test_two_way_degenerate(void **state)
{
    (void)state;
    double y[12];
    for (size_t i = 0; i < 12; i++) y[i] = 0.1;
    two_way t = two_way_table(y, 4, 3, 3);
    assert_true(t.ms_error == 0 && t.ms_row == 0 && isnan(t.f));
    t = two_way_table(y, 1, 3, 3);
    assert_true(isnan(t.ms_row) && isnan(t.ms_error) && isnan(t.f));
    t = two_way_table(y, 0, 3, 3);
    assert_true(isnan(t.grand));
    y[5] = NAN;
    t = two_way_table(y, 4, 3, 3);
    assert_true(isnan(t.ms_error) && isnan(t.f));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_three_way),
        cmocka_unit_test(test_three_way_far_from_zero),
        cmocka_unit_test(test_three_way_total),
        cmocka_unit_test(test_three_way_degenerate),
        cmocka_unit_test(test_two_way),
        cmocka_unit_test(test_two_way_published),
        cmocka_unit_test(test_two_way_stride_and_width),
        cmocka_unit_test(test_two_way_degenerate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
