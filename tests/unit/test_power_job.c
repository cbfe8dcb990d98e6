/* tare power from options to tables. Numbers of SciPy and NumPy: tests/ref/power_reference.py. */
#include "support/check.h"

#include <string.h>

#include "audit/power/power_study.h"
#include "power_fixture.h"

static tare_error err;

#define DESIGN "bases=54", "clusters=9", "icc=0.5", "sd-base=0.1", "sd-noise=0.05"

static void test_stated(void **state)
{
    (void)state;
    static const struct { const char *name; double se, power, bases; } want[] = {
        {"N", 0.0295281828131518, 0.431965381532399, 120},
        {"P", 0.0295281828131518, 0.431965381532399, 120},
        {"FI", 0.0264983111504707, 0.512276482511776, 96},
        {"A", 0.0260578653323524, 0.525531697485676, 96}};
    power_bench b;
    power_bench_open(&b, 2);
    assert_ok(POWER_RUN(&b, DESIGN, "effect=0.06", "sd0=1"));
    for (size_t k = 0; k < sizeof want / sizeof *want; k++) {
        assert_close(power_bench_number(&b, want[k].name, "se"), want[k].se);
        assert_close(power_bench_number(&b, want[k].name, "power"), want[k].power);
        assert_true(power_bench_number(&b, want[k].name, "bases_needed") == want[k].bases);
        assert_close(power_bench_number(&b, want[k].name, "margin"), 0.1);
    }
    /* The smallest effect is found with the chance asked for. */
    char smallest[64];
    snprintf(smallest, sizeof smallest, "effect=%.17g",
             power_bench_number(&b, "FI", "smallest_effect"));
    assert_ok(POWER_RUN(&b, DESIGN, smallest));
    assert_close(power_bench_number(&b, "FI", "power"), 0.8);
    assert_true(power_bench_number(&b, "FI", "bases_needed") == 54);
    power_bench_close(&b);
}

/* One test of two is harder than one alone; a family of sign flips too large for 9 clusters (p is
 * never below 2/2^9) finds nothing. */
static void test_correction(void **state)
{
    (void)state;
    power_bench b;
    power_bench_open(&b, 1);
    assert_ok(POWER_RUN(&b, DESIGN, "effect=0.06"));
    assert_int_equal(power_bench_cell(&b, "power", "FI", NULL, "tests")->integer, 2);
    double two = power_bench_number(&b, "FI", "power_corrected");
    assert_ok(POWER_RUN(&b, DESIGN, "effect=0.06", "alpha=0.025"));
    assert_close(power_bench_number(&b, "FI", "power"), two);
    assert_ok(POWER_RUN(&b, DESIGN, "effect=10", "tests=12"));
    assert_true(power_bench_number(&b, "FI", "power_corrected") > .99); /* .05/12 > 2/512 */
    assert_ok(POWER_RUN(&b, DESIGN, "effect=10", "tests=13"));
    assert_true(power_bench_number(&b, "FI", "power_corrected") == 0);
    assert_true(power_bench_says(&b, "Plan more clusters or fewer tests"));
    power_bench_close(&b);
}

/* FI = fidelity mean|d|, A = slope (mean above + mean below), by hand. */
static void test_slopes(void **state)
{
    (void)state;
    power_bench b;
    power_bench_open(&b, 1);
    assert_ok(POWER_RUN(&b, "bases=100", "sd-base=0.1", "slope=0.002", "fidelity=0.001"));
    assert_close(power_bench_number(&b, "FI", "effect"), 0.01);
    assert_close(power_bench_number(&b, "A", "effect"), 0.04);
    assert_close(power_bench_number(&b, "N", "effect"), -0.03);
    assert_close(power_bench_number(&b, "P", "effect"), 0.01);
    assert_true(power_bench_number(&b, "net_drift", "effect") > 0);
    assert_ok(POWER_RUN(&b, "bases=100", "sd-base=0.1", "slope=0.002", "form=extreme"));
    assert_close(power_bench_number(&b, "A", "effect"), 0.06);
    assert_true(power_bench_number(&b, "FI", "effect") == 0);
    assert_true(power_bench_says(&b, "what was stated gives no FI"));
    /* Without noise and spread but for a hair, the best of 4 by slope moves by 12 of 15 (the
     * saturation of scorer audit 15.6). */
    assert_ok(POWER_RUN(&b, "bases=100", "sd-noise=0.000001", "slope=1"));
    assert_close(power_bench_number(&b, "net_drift", "effect"), 12);
    /* One side only: FI and that side. */
    assert_ok(POWER_RUN(&b, "bases=100", "sd-base=0.1", "doses=0,1,2,3", "effect=0.02"));
    assert_close(power_bench_number(&b, "FI", "se"), 0.01);
    assert_close(power_bench_number(&b, "P", "se"), 0.01);
    power_bench_close(&b);
}

/* The toy of scorer audit 15.5: SDs by NumPy, the SE of beta by R (statistics 16.3, CR1 without the
 * (N-1)/(N-p) factor). */
static void test_pilot(void **state)
{
    (void)state;
    static const double dose[7] = {-15, -10, -5, 0, 5, 10, 15};
    static const struct { const char *name, *condition; double sd; } want[] = {
        {"N", NULL, 0.594418483337567},  {"P", NULL, 0.331159578853861},
        {"FI", NULL, 0.429696275162921}, {"A", NULL, 0.432948547109751},
        {"net_drift", "attribute", 16.6491198762295}, {"net_drift", "dose", 8.34445516332787}};
    power_bench b;
    power_bench_open(&b, 2);
    text_add(&b.csv, "base,dose,scorer,score,attribute,artifact\n");
    for (int i = 1; i <= 6; i++)
        for (int j = 0; j < 7; j++)
            text_add_format(&b.csv, "%d,%g,toy,%.1f,%.1f,%.2f\n", i, dose[j],
                            (7 * i * i + 11 * j * j + 3 * i * j) % 17 / 10.,
                            10 + 2 * dose[j] + i + (5 * i + 3 * j) % 7 / 10.,
                            j == 3 ? 0 : (i + 2 * j) % 5 / 20.);
    assert_ok(POWER_RUN(&b, "effect=0.5", "effect=beta=0.01", "effect=drift=5"));
    for (size_t k = 0; k < sizeof want / sizeof *want; k++)
        assert_close(power_bench_cell(&b, "power", want[k].name, want[k].condition, "sd")->number,
                     want[k].sd);
    assert_close(power_bench_number(&b, "beta", "se"), .00504981645742);
    assert_close(power_bench_number(&b, "FI", "sd_lo"), 0.268219853497573);
    assert_close(power_bench_number(&b, "FI", "sd_hi"), 1.05387909529168);
    assert_true(power_bench_number(&b, "FI", "n_bases") == 6);
    assert_true(power_bench_number(&b, "FI", "bases_needed_lo") <
                power_bench_number(&b, "FI", "bases_needed"));
    assert_true(power_bench_says(&b, "The pilot has 6 clusters"));
    assert_true(power_bench_says(&b, "The pilot gives the spread, never the effect"));
    /* More bases: se falls by the root; bases in clusters need an icc that this pilot lacks. */
    double se = power_bench_number(&b, "FI", "se");
    assert_ok(POWER_RUN(&b, "effect=0.5", "bases=24"));
    assert_close(power_bench_number(&b, "FI", "se"), se / 2);
    assert_int_equal(POWER_RUN(&b, "effect=0.5", "bases=24", "clusters=6"), TARE_E_USAGE);
    assert_string_equal(err.code, "power.icc");
    assert_ok(POWER_RUN(&b, "effect=0.5", "bases=24", "clusters=6", "icc=0"));
    assert_close(power_bench_number(&b, "FI", "se"), se / 2);
    assert_int_equal(POWER_RUN(&b, "sd-base=1"), TARE_E_USAGE);
    power_bench_close(&b);
}

/* A pilot in clusters with a scorer that never moves, a placebo, and bases without scores. */
static void test_clustered(void **state)
{
    (void)state;
    power_bench b;
    power_bench_open(&b, 1);
    text_add(&b.csv, "base,dose,scorer,score,cluster,arm\n");
    for (int i = 0; i < 40; i++)
        for (int j = -1; j <= 1; j++) {
            double x = (i / 4 * 7 % 10 + i * 3 % 4) * .01 * j * j + i * .1;
            if (i != 13 || j != 1)
                text_add_format(&b.csv, "b%02d,%d,moving,%.3f,c%d,skin\n", i, j, x, i / 4);
            text_add_format(&b.csv, "b%02d,%d,still,%.3f,c%d,skin\n", i, j, i * .1, i / 4);
        }
    assert_ok(POWER_RUN(&b, "bases=80"));
    const cell *icc = power_bench_cell(&b, "power", "FI", NULL, "icc");
    assert_true(icc->number > .5 && icc->number < 1);
    assert_close(power_bench_number(&b, "FI", "missing_rate"), 1. / 40);
    assert_true(power_bench_number(&b, "FI", "n_clusters") == 21); /* 80 * 10/39 */
    assert_true(power_bench_says(&b, "still, skin: FI: no answer"));
    power_bench_close(&b);
}

static void test_components(void **state)
{
    (void)state;
    static const double x[] = {1, 2, 4, 3, 7, NAN, 5, 6, 9, 8, 12};
    static const uint32_t cluster[] = {0, 0, 0, 1, 1, 1, 2, 2, 2, 2, 4};
    power_spread s;
    power_row counts;
    mem m = mem_system();
    assert_ok(power_spread_of(&s, &counts, &(spread_rows){x, cluster, 11, 5}, &m, &err));
    assert_close(s.sd, 3.713766752512);
    assert_close(s.icc, 0.726090459201289);
    assert_true(s.df == 3 && counts.n == 10 && counts.clusters == 4);
    assert_ok(power_spread_of(&s, &counts, &(spread_rows){x, cluster, 3, 5}, &m, &err));
    assert_true(isnan(s.sd) && counts.clusters == 1);
}

static void test_bad(void **state)
{
    (void)state;
    static const struct { const char *options[5], *code; } bad[] = {
        {{"bases=54"}, "power.sd"},
        {{"sd-base=0.1"}, "power.bases"},
        {{"bases=54", "sd-base=0.1"}, "power.effect"},
        {{"bases=54", "sd-base=0.1", "effect=0"}, "power.effect"},
        {{"bases=54", "sd-base=0.1", "effect=FI=x"}, "power.effect"},
        {{"bases=54", "sd-base=0.1", "effect=nan"}, "power.effect"},
        {{"bases=54", "sd-base=0.1", "effect=F=1"}, "power.reading"},
        {{"bases=54", "sd-base=0.1", "effect=1", "slope=1"}, "power.effect"},
        {{"bases=54", "sd-base=0", "sd-noise=0", "effect=1"}, "power.sd"},
        {{"bases=54", "sd-base=0.1", "effect=1", "clusters=55"}, "power.clusters"},
        {{"bases=54", "sd-base=0.1", "effect=1", "icc=1"}, "power.icc"},
        {{"bases=54", "sd-base=0.1", "effect=1", "doses=-5,5"}, "power.neutral"},
        {{"bases=54", "sd-base=0.1", "effect=1", "doses=0"}, "power.doses"},
        {{"bases=54", "sd-base=0.1", "effect=1", "doses=0,1,1"}, "power.doses"},
        {{"bases=54", "sd-base=0.1", "effect=1", "doses=0,,1"}, "power.doses"},
        {{"bases=54", "sd-base=0.1", "effect=1", "effect-unit=sd0"}, "power.sd0"},
        {{"bases=54", "sd-base=0.1", "effect=1", "groups=7"}, "power.groups"},
        {{"bases=54", "sd-base=0.1", "effect=1", "group-size=7"}, "power.groups"},
        {{"bases=54", "sd-base=0.1", "effect=1", "cluster=x"}, "power.option"},
    };
    static const char *const refused[] = {"icc=-0.1", "icc=1.1", "clusters=1", "bases=1",
                                          "sd-base=nan", "sd-base=inf", "missing=1", "alpha=0",
                                          "power=1"};
    power_bench b;
    power_bench_open(&b, 1);
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        err.code[0] = '\0';
        if (power_bench_run(&b, bad[k].options, &err) != TARE_E_USAGE)
            fail_msg("case %zu is let through", k);
        if (strcmp(err.code, bad[k].code) != 0)
            fail_msg("case %zu: %s, not %s", k, err.code, bad[k].code);
    }
    for (size_t k = 0; k < sizeof refused / sizeof *refused; k++)
        assert_int_equal(POWER_RUN(&b, refused[k]), TARE_E_USAGE);
    /* Fewer than six clusters are allowed to be planned, and give no answer. */
    assert_ok(POWER_RUN(&b, "bases=54", "clusters=5", "sd-base=0.1", "effect=1"));
    assert_true(power_bench_number(&b, "FI", "power") == 0);
    assert_true(power_bench_says(&b, "Fewer than 6 clusters"));
    text_add(&b.csv, "base,dose,scorer,score,cluster\n");
    for (int i = 0; i < 8; i++)
        for (int j = -1; j <= 1; j++)
            text_add_format(&b.csv, "b%d,%d,s,%d,one\n", i, j, i * j * j);
    assert_ok(POWER_RUN(&b, "effect=1"));
    assert_true(power_bench_says(&b, "FI: no answer"));
    power_bench_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stated),     cmocka_unit_test(test_correction),
        cmocka_unit_test(test_slopes),     cmocka_unit_test(test_pilot),
        cmocka_unit_test(test_clustered),  cmocka_unit_test(test_components),
        cmocka_unit_test(test_bad)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
