/* Compensated sums and moments. */
#include "support/check.h"

#include "stats/moments.h"

/* statistics 16.5; NumAcc4 is NIST StRD, of the stored doubles. */
static void goldens(void **state)
{
    (void)state;
    const double hard[] = {1e16, 1, -1e16, 1};
    assert_true(moments_sum(hard, 4) == 2);
    double x[1001];
    x[0] = 10000000.2;
    for (int i = 1; i < 1001; i++) x[i] = 10000000.0 + (i % 2 ? .1 : .3);
    assert_within(moments_mean(x, 1001), 10000000.2, 1e-15, 0);
    assert_within(moments_sd(x, 1001, 1), .10000000055879354, 1e-9, 0);
}

/* 1..5: variance 2 (n), 2.5 (n - 1); 0 0 0 1: mean 1/4, m2 3/16, m3 3/32, so g1 = 2/sqrt 3. */
static void small_cases(void **state)
{
    (void)state;
    const double x[] = {1, 2, 3, 4, 5}, y[] = {2, 1, 4, 3, 5}, z[] = {0, 0, 0, 1};
    assert_close(moments_variance(x, 5, 0), 2);
    assert_close(moments_variance(x, 5, 1), 2.5);
    assert_close(moments_skewness(z, 4), 2 / sqrt(3));
    assert_within(moments_skewness(x, 5), 0, 0, 1e-15);
    assert_close(moments_cross(x, y, 5), 8);
    assert_close(moments_dot(x, y, 5), 53);
    assert_close(moments_correlation(x, y, 5), .8);
    assert_true(moments_correlation(x, x, 5) <= 1);
}

static void degenerate(void **state)
{
    (void)state;
    const double same[] = {.1, .1, .1}, x[] = {1, 2, 3}, bad[] = {1, NAN, 3};
    const double huge[] = {1, INFINITY, 3};
    assert_true(moments_sum(NULL, 0) == 0 && isnan(moments_mean(NULL, 0)));
    assert_true(isnan(moments_variance(x, 1, 1)) && isnan(moments_variance(x, 2, 3)));
    assert_true(isnan(moments_skewness(same, 3)) && isnan(moments_correlation(same, x, 3)));
    assert_true(isnan(moments_cross(x, x, 0)));
    assert_true(isnan(moments_mean(bad, 3)) && isnan(moments_sd(bad, 3, 1)));
    assert_true(isnan(moments_correlation(bad, x, 3)) && isnan(moments_sum(huge, 3)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(goldens), cmocka_unit_test(small_cases), cmocka_unit_test(degenerate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
