/* From members' scores to the panel's: judge audits B.2. */
#include "support/check.h"

#include <string.h>

#include "audit/panel/aggregate.h"
#include "panel_fixture.h"

static tare_error err;

static double of(const char *rule, tie_policy ties, size_t at_least, const double *x, size_t n)
{
    aggregator a;
    double copy[16];
    assert_ok(aggregator_parse(&a, rule, &err));
    a.ties = ties;
    a.at_least = at_least;
    memcpy(copy, x, n * sizeof *x);
    return aggregate(&a, copy, n);
}
#define X(...) (const double[]){__VA_ARGS__}, sizeof((const double[]){__VA_ARGS__}) / sizeof(double)

static void test_rules(void **state)
{
    (void)state;
    assert_close(of("mean", 0, 0, X(5, 1, 3, 3)), 3);
    assert_close(of("median", 0, 0, X(9, 1, 3, 4)), 3.5);
    assert_close(of("median", 0, 0, X(9, 1, 3)), 3);
    assert_close(of("trim:.25", 0, 0, X(100, 1, 2, 3)), 2.5);
    assert_close(of("trim", 0, 0, X(100, 1, 2, 3, 0)), 2); /* floor(.2 x 5) = 1 from each end */
    assert_close(of("trim", 0, 0, X(100, 1, 2, 3)), 26.5); /* floor(.2 x 4) = 0                */
    assert_close(of("max", 0, 0, X(2, 7, 5)), 7);
    assert_close(of("min", 0, 0, X(2, 7, 5)), 2);
    assert_close(of("any", 0, 0, X(0, 1, 0)), 1);
    assert_close(of("all", 0, 0, X(0, 1, 1)), 0);
    assert_close(of("geomedian", 0, 0, X(9, 1, 3)), 3);
}

static void test_majority(void **state)
{
    (void)state;
    assert_close(of("majority", TIES_AUTO, 0, X(1, 0, 1)), 1);
    assert_close(of("majority", TIES_AUTO, 0, X(1, 0, 1, 0)), .5);
    assert_close(of("majority", TIES_AUTO, 0, X(4, 2, 2, 4, 5)), 2); /* pandas: mode()[0] */
    assert_close(of("majority", TIES_HIGH, 0, X(4, 2, 2, 4, 5)), 4);
    assert_close(of("majority", TIES_HALF, 0, X(4, 2, 2, 4, 5)), 3);
    assert_true(isnan(of("majority", TIES_DROP, 0, X(1, 0, 1, 0))));
    assert_close(of("majority", TIES_LOW, 0, X(1, 0, 1, 0)), 0);
}

/* Mean of -2 .. 2, halves to the even label. */
static void test_lmc(void **state)
{
    (void)state;
    assert_close(of("lmc", 0, 0, X(1, 0)), 0);
    assert_close(of("lmc", 0, 0, X(2, 1)), 2);
    assert_close(of("lmc", 0, 0, X(-1, -2)), -2);
    assert_close(of("lmc", 0, 0, X(2, 1, 1)), 1);
    double zero = of("lmc", 0, 0, X(0, -1));
    assert_true(zero == 0 && !signbit(zero));
}

static void test_missing(void **state)
{
    (void)state;
    assert_true(isnan(of("mean", 0, 0, X(1, NAN, 3))));
    assert_close(of("mean", 0, 2, X(1, NAN, 3)), 2);
    assert_true(isnan(of("mean", 0, 3, X(1, NAN, 3))));
    assert_true(isnan(of("max", 0, 1, X(NAN, NAN))));
}

static void refused(const char *text, const char *says)
{
    aggregator a;
    assert_int_equal(aggregator_parse(&a, text, &err), TARE_E_USAGE);
    if (!strstr(err.message, says)) fail_msg("\"%s\" does not say \"%s\"", err.message, says);
}

static void test_refused(void **state)
{
    (void)state;
    refused("medain", "did you mean median");
    refused("", "is no rule");
    refused("trim:0.5", "below 0.5");
    refused("trim:x", "below 0.5");
    refused("mean:2", "only trim takes a number");
    refused("trim:-1", "below 0.5");
}

/* Minimum of the sum of distances by SciPy's Nelder-Mead, and by 100,000 steps in NumPy; in the
 * first cloud it is at a data point, where plain Weiszfeld steps are not defined. */
static void test_geomedian(void **state)
{
    (void)state;
    static const double flat[] = {0, 0, 4, 0, 0, 3, 10, 10, 1, 1};
    static const double deep[] = {0, 0, 0, 1, 0, 2, 3, 1, 0, 7, 5, 9};
    aggregator a = {.rule = AGGREGATE_GEOMEDIAN};
    double out[3], scratch[32];
    aggregate_geomedian(out, &a, flat, 5, 2, scratch);
    assert_within(out[0], 1, 0, 1e-9);
    assert_within(out[1], 1, 0, 1e-9);
    aggregate_geomedian(out, &a, deep, 4, 3, scratch);
    assert_within(out[0], 1.43035661, 0, 6e-9);
    assert_within(out[1], .40162295, 0, 6e-9);
    assert_within(out[2], 1.4930516, 0, 6e-9);
    static const double same[] = {2, 3, 2, 3, 2, 3};
    aggregate_geomedian(out, &a, same, 3, 2, scratch);
    assert_true(out[0] == 2 && out[1] == 3);
    static const double gap[] = {2, 3, NAN, 3, 4, 3};
    aggregate_geomedian(out, &a, gap, 3, 2, scratch);
    assert_true(isnan(out[0]));
    a.at_least = 2;
    aggregate_geomedian(out, &a, gap, 3, 2, scratch);
    assert_true(out[1] == 3 && out[0] >= 2 && out[0] <= 4);
}

/* Minima on a data point are exact, so that ties stay ties: the apex of an obtuse triangle; the
 * corner that two of five share; halfway between two points on a line, of which both are minima. */
static void test_geomedian_exact(void **state)
{
    (void)state;
    double out[2], scratch[32];
    aggregator a;
    assert_ok(aggregator_parse(&a, "geomedian", &err));
    const double obtuse[6] = {0.1, 0.3, 1.1, 0.4, -0.9, 0.4};
    aggregate_geomedian(out, &a, obtuse, 3, 2, scratch);
    assert_true(out[0] == 0.1 && out[1] == 0.3);
    const double shared[10] = {.7, .1, .7, .1, .9, .1, .2, .6, .1, -.3};
    aggregate_geomedian(out, &a, shared, 5, 2, scratch);
    assert_true(out[0] == .7 && out[1] == .1);
    const double line[8] = {0, 0, 1, 1, 3, 3, 9, 9};
    aggregate_geomedian(out, &a, line, 4, 2, scratch);
    assert_true(out[0] == 2 && out[1] == 2);
}

/* B.10: one judge replaced by noise moves median and geomedian less than the mean. */
static void test_noise(void **state)
{
    (void)state;
    enum { JUDGES = 5, DIMS = 2, ROWS = 400 };
    aggregator mean = {.rule = AGGREGATE_MEAN}, median = {.rule = AGGREGATE_MEDIAN};
    aggregator geo = {.rule = AGGREGATE_GEOMEDIAN};
    double moved[3] = {0, 0, 0}, scratch[32];
    for (uint32_t i = 0; i < ROWS; i++) {
        double x[2][JUDGES * DIMS], out[2][3];
        for (uint32_t k = 0; k < JUDGES * DIMS; k++)
            x[0][k] = x[1][k] = panel_gauss(1, i) + .3 * panel_gauss(2, i * 100 + k);
        for (uint32_t d = 0; d < DIMS; d++) x[1][d] = 5 * panel_gauss(3, i * 10 + d);
        for (int v = 0; v < 2; v++) {
            double first[2][JUDGES], point[DIMS];
            aggregate_geomedian(point, &geo, x[v], JUDGES, DIMS, scratch);
            for (size_t k = 0; k < JUDGES; k++) first[0][k] = first[1][k] = x[v][k * DIMS];
            out[v][0] = aggregate(&mean, first[0], JUDGES);
            out[v][1] = aggregate(&median, first[1], JUDGES);
            out[v][2] = point[0];
        }
        for (int k = 0; k < 3; k++) moved[k] += fabs(out[1][k] - out[0][k]) / ROWS;
    }
    assert_true(moved[1] < .5 * moved[0]);
    assert_true(moved[2] < .5 * moved[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rules),    cmocka_unit_test(test_majority),
        cmocka_unit_test(test_lmc),      cmocka_unit_test(test_missing),
        cmocka_unit_test(test_refused),  cmocka_unit_test(test_geomedian),
        cmocka_unit_test(test_geomedian_exact),
        cmocka_unit_test(test_noise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
