/* One planned study against NumPy and SciPy (tests/ref/power_reference.py): the noise floor, sign
 * flips of few clusters. */
#include "support/check.h"

#include "audit/power/power_design.h"
#include "stats/power.h"

static const power_plan plan_of_nine = {.bases = 9, .clusters = 9, .alpha = .05, .target = .8,
                                        .boot_b = 9999, .perm_p = 9999, .has_flips = true};

static void test_beyond(void **state)
{
    (void)state;
    static const double beyond[][5] = { /* shift, floor, df, alpha */
        {3, 1, 8, 0.05, 0.747976776043378},
        {3, 3.5, 8, 0.05, 0.3071964720764501},
        {2.8, 2, 53, 0.05, 0.7641746088033684},
        {1, 2.5, 209, 0.01, 0.05449630199790398},
    };
    for (size_t k = 0; k < sizeof beyond / sizeof *beyond; k++) {
        const double *r = beyond[k];
        assert_true(fabs(power_beyond(r[0], r[1], r[2], r[3]) - r[4]) < 1e-9);
        assert_true(power_beyond(r[0], 0, r[2], r[3]) == power_two_sided(r[0], r[2], r[3]));
    }
    assert_true(fabs(power_negligible(3.5, 1, 8, .05, .05) - 0.1755470590815221) < 1e-9);
    assert_true(fabs(power_negligible(4, .5, 19, .05, .05) - 0.5558217191110917) < 1e-9);
    assert_true(power_negligible(4, 4, 19, .05, .05) == 0);
}

/* An effect within the floor is found in at most half of the studies, however many the bases; one
 * beyond it needs more bases than without a floor; the part of noise falls with the bases. */
static void test_floor(void **state)
{
    (void)state;
    power_plan plan = plan_of_nine;
    plan.bases = plan.clusters = 100;
    power_spread none = {.sd = 1, .icc = NAN, .df = NAN}, fixed = none, noise = none;
    fixed.floor_fixed = 0.4;
    noise.floor_noise = 4;
    assert_true(power_found(&plan, &none, 100, 0.4, .05) > .95);
    assert_true(fabs(power_found(&plan, &fixed, 100, 0.4, .05) - .5) < 1e-6);
    assert_true(isnan(power_bases_for(&plan, &fixed, 0.4, .05)));
    assert_true(power_smallest(&plan, &fixed, .05) > 0.4);
    double found = power_found(&plan, &fixed, 100, power_smallest(&plan, &fixed, .05), .05);
    assert_true(fabs(found - .8) < 1e-9);
    assert_true(fabs(power_size_of(&plan, &noise, 100).floor - 0.4) < 1e-15);
    assert_true(fabs(power_size_of(&plan, &noise, 400).floor - 0.2) < 1e-15);
    /* |Z + 0.4 sqrt(n)| > 4: n is ((4 + z(.8)) / 0.4)^2 = 146.5 of the normal law. */
    assert_true(power_bases_for(&plan, &noise, 0.4, .05) == 147);
    assert_true(power_bases_for(&plan, &none, 0.4, .05) < 60);
}

/* Bands of 4 standard errors of both simulations. */
static void test_flips(void **state)
{
    (void)state;
    static const struct { double clusters, level, shift, found, sets; } want[] = {
        {6, .05, 4, .72299, 200000},         {9, .05 / 8, 4.5, .5395, 100000},
        {9, .05, 3, .72067, 100000},         {12, .05 / 24, 4.5, .6033, 20000},
        {15, .05 / 24, 4, .5786, 10000}};
    mem m = mem_system();
    power_spread one = {.sd = 1, .icc = NAN, .df = NAN};
    flip_power *flips = flip_power_new(&m, 1);
    assert_non_null(flips);
    for (size_t k = 0; k < sizeof want / sizeof *want; k++) {
        power_plan plan = plan_of_nine;
        plan.bases = plan.clusters = want[k].clusters;
        plan.flips = flips;
        double effect = want[k].shift / sqrt(want[k].clusters), p = want[k].found;
        double got = power_found(&plan, &one, plan.clusters, effect, want[k].level);
        double se = sqrt(p * (1 - p) / want[k].sets + .25 * p * (1 - p) / 1000);
        if (!(fabs(got - p) <= 4 * se)) fail_msg("%g clusters: %g, not %g", plan.clusters, got, p);
        /* What is asked for is what is found, and no smaller number of bases is enough. */
        double least = power_smallest(&plan, &one, want[k].level);
        got = power_found(&plan, &one, plan.clusters, least, want[k].level);
        assert_true(got >= .8 && got < .81);
        double n = power_bases_for(&plan, &one, least, want[k].level);
        assert_true(fabs(n - plan.clusters) <= 1);
    }
    assert_true(flip_power_attained(9, .05 / 8) == 2. / 512);
    assert_true(flip_power_attained(6, .05 / 2) == 0);
    assert_false(flip_power_failed(flips));
    flip_power_free(flips);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_beyond), cmocka_unit_test(test_floor),
                                       cmocka_unit_test(test_flips)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
