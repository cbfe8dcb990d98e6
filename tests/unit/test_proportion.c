/* Counts: numbers of SciPy 1.10.1 (binomtest(...).proportion_ci(method='wilson'), binom.sf,
 * fisher_exact, chi2_contingency(correction=False), contingency.association), and judge audits
 * G.9. */
#include "stats/proportion.h"

#include "support/check.h"

static void wilson(double x, double n, double alpha, double lo, double hi)
{
    double a, b;
    wilson_interval(&a, &b, x, n, alpha);
    assert_close(a, lo);
    assert_close(b, hi);
}

static void wilson_agrees_with_scipy(void **state)
{
    (void)state;
    wilson(8, 10, .05, .4901624715366418, .9433178485456248);
    wilson(0, 20, .05, 0, .16112515805281935);
    wilson(20, 20, .05, .8388748419471808, 1);
    wilson(15, 288, .05, .03181396717771383, .08414439924988186);
    wilson(1, 3, .1, .07826572633372841, .7464661317187758);
}

static void wilson_ends_are_exact_and_nonsense_is_nan(void **state)
{
    (void)state;
    double lo, hi;
    wilson_interval(&lo, &hi, 0, 7, .05);
    assert_true(lo == 0 && hi < 1);
    wilson_interval(&lo, &hi, 7, 7, .05);
    assert_true(lo > 0 && hi == 1);
    wilson_interval(&lo, &hi, 0, 0, .05);
    assert_true(isnan(lo) && isnan(hi));
    wilson_interval(&lo, &hi, 8, 7, .05);
    assert_true(isnan(lo) && isnan(hi));
    wilson_interval(&lo, &hi, NAN, 7, .05);
    assert_true(isnan(lo) && isnan(hi));
}

static void binomial_tails(void **state)
{
    (void)state;
    assert_close(binomial_upper(11, 12, .5), .003173828125); /* sign test 11 of 12: 13 / 4096 */
    assert_close(binomial_upper(5, 5, .3), .00243);
    assert_close(binomial_upper(600, 1000, .5), 1.364232078032988e-10);
    assert_close(binomial_upper(3, 10, .1), .0701908264);
    assert_close(binomial_upper(40, 100, .25), .0006865922079629914);
    assert_true(binomial_upper(0, 5, .3) == 1);
    assert_true(binomial_upper(6, 5, .3) == 0);
    assert_true(binomial_upper(1, 7, 0) == 0);
    assert_true(binomial_upper(7, 7, 1) == 1);
    assert_true(isnan(binomial_upper(1, 7, NAN)));
    assert_true(isnan(binomial_upper(1, 7, 1.5)));
}

static void fisher_agrees_with_scipy(void **state)
{
    (void)state;
    assert_close(fisher_exact(15, 273, 7, 281), .12633790649426452); /* G.9 golden 1: .126 */
    assert_close(fisher_exact(8, 2, 1, 5), .034965034965034975);
    assert_close(fisher_exact(0, 7, 5, 0), .0012626262626262625);
    assert_close(fisher_exact(3, 1, 1, 3), .48571428571428565); /* the tea: 34/70 */
    assert_close(fisher_exact(10, 0, 10, 0), 1);
    assert_close(fisher_exact(1000, 1200, 900, 1400), 1.809917592062362e-05);
    assert_close(fisher_exact(1, 9, 11, 3), .0027594561852200836);
    assert_close(fisher_exact(12, 5, 29, 2), .08026855207410463);
    assert_close(fisher_exact(150, 850, 100, 900), .0008950875386906894);
    assert_close(fisher_exact(0, 0, 3, 4), 1);
    assert_close(fisher_exact(0, 0, 0, 0), 1);
}

static void fisher_knows_symmetries_and_ends(void **state)
{
    (void)state;
    double p = fisher_exact(12, 5, 29, 2);
    assert_close(fisher_exact(29, 2, 12, 5), p);
    assert_close(fisher_exact(5, 12, 2, 29), p);
    assert_close(fisher_exact(12, 29, 5, 2), p);
    /* beyond the smallest double: 0, not NaN; and large margins end */
    assert_true(fisher_exact(3000, 0, 0, 3000) == 0);
    p = fisher_exact(0, (uint64_t)1 << 50, 2, (uint64_t)1 << 50);
    assert_within(p, .5, 1e-6, 0); /* two coins that both fell in the second row */
    assert_true(isnan(fisher_exact(0, (uint64_t)1 << 52, 2, (uint64_t)1 << 52)));
}

static void chi_square_agrees_with_scipy(void **state)
{
    (void)state;
    const double empty_answers[] = {0, 96, 26, 70, 12, 83}; /* G.9 golden 2: 30.6955, 2.16e-7 */
    chi_square x = chi_square_table(empty_answers, 3, 2);
    assert_close(x.statistic, 30.695529996254642);
    assert_close(x.df, 2);
    assert_close(x.p, 2.16048050468906e-07);
    assert_close(x.v, .32703679638389405);
    assert_close(x.least, 12.57839721254355);
    const double wide[] = {10, 20, 30, 6, 9, 17};
    x = chi_square_table(wide, 2, 3);
    assert_close(x.statistic, .27157465150403504);
    assert_close(x.p, .873028283380073);
    assert_close(x.v, .05433137570422292);
    const double two[] = {12, 5, 29, 2};
    x = chi_square_table(two, 2, 2);
    assert_close(x.statistic, 4.646430720203109);
    assert_close(x.p, .03111818732925684);
    assert_close(x.v, .3111280122461355);
    assert_within(x.least, 2.47916667, 1e-8, 0);
}

static void empty_lines_do_not_count(void **state)
{
    (void)state;
    const double gaps[] = {12, 0, 5, 0, 0, 0, 29, 0, 2};
    chi_square x = chi_square_table(gaps, 3, 3);
    assert_close(x.statistic, 4.646430720203109);
    assert_close(x.df, 1);
    assert_close(x.v, .3111280122461355);
    const double one[] = {3, 0, 9, 0};
    x = chi_square_table(one, 2, 2);
    assert_true(x.statistic == 0 && x.df == 0 && isnan(x.p) && isnan(x.v));
    const double none[] = {0, 0, 0, 0};
    x = chi_square_table(none, 2, 2);
    assert_true(x.df == 0 && isnan(x.p) && isnan(x.least));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wilson_agrees_with_scipy),
        cmocka_unit_test(wilson_ends_are_exact_and_nonsense_is_nan),
        cmocka_unit_test(binomial_tails),
        cmocka_unit_test(fisher_agrees_with_scipy),
        cmocka_unit_test(fisher_knows_symmetries_and_ends),
        cmocka_unit_test(chi_square_agrees_with_scipy),
        cmocka_unit_test(empty_lines_do_not_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
