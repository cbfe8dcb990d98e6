/* Wilcoxon's signed-rank test against SciPy 1.10.1 and complete enumeration. */
#include "support/check.h"

#include <string.h>

#include "stats/wilcoxon.h"

static tare_error err;

static wilcoxon_result run(const double *x, size_t n)
{
    mem m = mem_system();
    wilcoxon_result r;
    assert_ok(wilcoxon_signed_rank(&r, x, n, &m, &err));
    return r;
}

/* scipy.stats.wilcoxon(x, mode="exact"): statistic 5, p 0.0390625 (Hollander & Wolfe's data). */
static void exact_without_ties(void **state)
{
    static const double x[] = {.952, -.147, 1.022, .43, .62, .59, .49, -.08, .01};
    (void)state;
    wilcoxon_result r = run(x, 9);
    assert_true(r.exact);
    assert_close(r.minus, 5);
    assert_close(r.plus, 40);
    assert_close(r.p, 0.0390625);
    assert_close(r.p_floor, 2.0 / 512);
    double w[50]; /* mode="exact": statistic 575, p 0.5526669770606443 */
    for (int i = 0; i < 50; i++) w[i] = (i + 1) * ((i * 37) % 11 < 6 ? 1 : -1);
    r = run(w, 50);
    assert_true(r.exact);
    assert_close(fmin(r.plus, r.minus), 575);
    assert_close(r.p, 0.5526669770606443);
}

/* All 2^9 sign patterns of 1 1 1 2 2 3 3 3 4: 72 are as far from the middle as W+ = 36. */
static void exact_with_ties_and_zeros(void **state)
{
    static const double x[] = {1, 1, -1, 2, 2, -3, 3, 3, 4, 0, NAN};
    (void)state;
    wilcoxon_result r = run(x, 11);
    assert_int_equal(r.n, 9);
    assert_int_equal(r.zeros, 1);
    assert_close(r.plus, 36);
    assert_close(r.p, 72.0 / 512);
}

/* mode="approx", correction=False: statistic 754.5, p 0.23735280748344534. */
static void normal_beyond_fifty(void **state)
{
    double y[60];
    (void)state;
    for (int i = 0; i < 60; i++) y[i] = ((i * 7919) % 101 - 45) / 10.0;
    wilcoxon_result r = run(y, 60);
    assert_false(r.exact);
    assert_close(fmin(r.plus, r.minus), 754.5);
    assert_close(r.p, 0.23735280748344534);
}

static void nothing_to_rank(void **state)
{
    static const double x[] = {0, 0, NAN};
    (void)state;
    wilcoxon_result r = run(x, 3);
    assert_int_equal(r.n, 0);
    assert_true(isnan(r.p));
    r = run(x, 0);
    assert_true(isnan(r.p));
}

/* Signs turned around change nothing; a scale changes nothing. */
static void symmetric(void **state)
{
    double x[30], y[30];
    (void)state;
    for (int i = 0; i < 30; i++) {
        x[i] = sin(i * 1.7) + .2;
        y[i] = -3 * x[i];
    }
    wilcoxon_result a = run(x, 30), b = run(y, 30);
    assert_true(a.p == b.p);
    assert_true(a.plus == b.minus);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_without_ties), cmocka_unit_test(exact_with_ties_and_zeros),
        cmocka_unit_test(normal_beyond_fifty), cmocka_unit_test(nothing_to_rank),
        cmocka_unit_test(symmetric)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
