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
    assert_ok(POWER_RUN(&b, DESIGN, "effect=0.06", "sd-neutral=1"));
    for (size_t k = 0; k < sizeof want / sizeof *want; k++) {
        assert_close(power_bench_number(&b, want[k].name, "se"), want[k].se);
        /* Sign flips of 9 clusters find less than t does, whose chance is NumPy's here. */
        double power = power_bench_number(&b, want[k].name, "power");
        assert_true(power < want[k].power && power > want[k].power - 0.05);
        assert_true(power_bench_number(&b, want[k].name, "bases_needed") >= want[k].bases);
        assert_true(power_bench_number(&b, want[k].name, "bases_needed") <= want[k].bases + 6);
        assert_close(power_bench_number(&b, want[k].name, "margin"), 0.1);
    }
    /* The smallest effect is found with the chance asked for. */
    char smallest[64];
    snprintf(smallest, sizeof smallest, "effect=%.17g",
             power_bench_number(&b, "FI", "smallest_effect"));
    assert_ok(POWER_RUN(&b, DESIGN, smallest));
    /* By drawn sets: the chance goes up in steps. */
    assert_true(fabs(power_bench_number(&b, "FI", "power") - 0.8) < 0.002);
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
    /* The same t interval and flips; alone, the interval must exclude 0 at .025 as well. */
    assert_true(fabs(power_bench_number(&b, "FI", "power") - two) < 0.03);
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
    assert_ok(POWER_RUN(&b, "bases=100", "sd-base=0.1", "grid=0,1,2,3", "effect=0.02"));
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
    /* Bases that differ within clusters only: their plain SD, and no correlation. */
    static const double within[] = {1, 5, 5, 1, 1, 5, 5, 1};
    static const uint32_t pairs[] = {0, 0, 1, 1, 2, 2, 3, 3};
    assert_ok(power_spread_of(&s, &counts, &(spread_rows){within, pairs, 8, 4}, &m, &err));
    assert_close(s.sd, 2.13808993529940); /* sqrt(32 / 7) */
    assert_true(s.icc == 0 && counts.icc_negative);
    assert_ok(power_spread_of(&s, &counts, &(spread_rows){x, cluster, 3, 5}, &m, &err));
    assert_true(isnan(s.sd) && counts.clusters == 1);
}

static void test_bad(void **state)
{
    (void)state;
    static const struct { const char *options[5], *code; } bad[] = {
        {{"bases=54"}, "power.sd"},
        {{"sd-base=0.1"}, "job.inputs"},
        {{"bases=54", "sd-base=0.1"}, "power.effect"},
        {{"bases=54", "sd-base=0.1", "effect=0"}, "power.effect"},
        {{"bases=54", "sd-base=0.1", "effect=FI=x"}, "power.effect"},
        {{"bases=54", "sd-base=0.1", "effect=nan"}, "power.effect"},
        {{"bases=54", "sd-base=0.1", "effect=F=1"}, "power.reading"},
        {{"bases=54", "sd-base=0.1", "effect=1", "slope=1"}, "power.effect"},
        {{"bases=54", "sd-base=0", "sd-noise=0", "effect=1"}, "power.sd"},
        {{"bases=54", "sd-base=0.1", "effect=1", "clusters=55"}, "power.clusters"},
        {{"bases=54", "sd-base=0.1", "effect=1", "icc=1"}, "power.icc"},
        {{"bases=54", "sd-base=0.1", "effect=1", "grid=-5,5"}, "power.neutral"},
        {{"bases=54", "sd-base=0.1", "effect=1", "grid=0"}, "power.grid"},
        {{"bases=54", "sd-base=0.1", "effect=1", "grid=0,1,1"}, "power.grid"},
        {{"bases=54", "sd-base=0.1", "effect=1", "grid=0,,1"}, "power.grid"},
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
    assert_true(power_bench_says(&b, "Fewer than 6 clusters with a score give no answer, and the "
                                     "plan has 5."));
    text_add(&b.csv, "base,dose,scorer,score,cluster\n");
    for (int i = 0; i < 8; i++)
        for (int j = -1; j <= 1; j++)
            text_add_format(&b.csv, "b%d,%d,s,%d,one\n", i, j, i * j * j);
    assert_ok(POWER_RUN(&b, "effect=1"));
    assert_true(power_bench_says(&b, "FI: no answer, fewer than 2 clusters of the pilot"));
    power_bench_close(&b);
}

/* No score at all: as tare audit, INSTRUMENT. */
static void test_silent(void **state)
{
    (void)state;
    power_bench b;
    power_bench_open(&b, 1);
    text_add(&b.csv, "base,dose,scorer,score,status\n");
    for (int i = 0; i < 8; i++)
        for (int j = -1; j <= 1; j++) text_add_format(&b.csv, "b%d,%d,s,,timeout\n", i, j);
    assert_int_equal(POWER_RUN(&b, "effect=1"), TARE_E_INSTRUMENT);
    assert_string_equal(err.code, "scorer.silent");
    power_bench_close(&b);
}

/* The family counts what the audit answers, not what has an effect here: beta has no margin in a
 * unit that is not degrees, and is tested all the same. */
static void test_family(void **state)
{
    (void)state;
    power_bench b;
    power_bench_open(&b, 1);
    text_add(&b.csv, "base,dose,scorer,score,attribute\n");
    for (int i = 0; i < 12; i++)
        for (int j = -1; j <= 1; j++)
            text_add_format(&b.csv, "b%02d,%d,s,%d,%d\n", i, j, (i * 5 + j * 3 + 9) % 7,
                            10 * j + i % 3 * j * j);
    assert_ok(POWER_RUN(&b, "effect=0.5", "bon-n=2"));
    const cell *c = power_bench_cell(&b, "power", "net_drift", "dose", "tests");
    assert_int_equal(c->integer, 3); /* FI, beta, the drift itself */
    assert_ok(POWER_RUN(&b, "effect=0.5", "effect=beta=0.1", "effect=drift=1", "bon-n=2"));
    assert_int_equal(power_bench_cell(&b, "power", "net_drift", "dose", "tests")->integer, 3);
    /* More than the doses cannot be drawn, which is said. */
    assert_ok(POWER_RUN(&b, "effect=0.5"));
    assert_true(power_bench_says(&b, "has 3 doses: best of 4 cannot be drawn"));
    assert_ok(POWER_RUN(&b, "effect=0.5", "bon-n=2"));
    assert_true(!power_bench_says(&b, "cannot be drawn"));
    power_bench_close(&b);
    power_bench_open(&b, 1);
    assert_ok(POWER_RUN(&b, "bases=54", "sd-base=0.1", "effect=0.1", "bon-n=9"));
    assert_true(power_bench_says(&b, "The grid has 7 doses: best of 9 cannot be drawn"));
    power_bench_close(&b);
}

/* Which count of replicates is too small, and how many would do: .05/500 = 1/10000. */
static void test_replicates(void **state)
{
    (void)state;
    power_bench b;
    power_bench_open(&b, 1);
    assert_ok(POWER_RUN(&b, "bases=54", "sd-base=0.1", "effect=1", "tests=500"));
    assert_true(power_bench_number(&b, "FI", "power_corrected") > .99);
    assert_ok(POWER_RUN(&b, "bases=54", "sd-base=0.1", "effect=1", "tests=1000"));
    assert_true(power_bench_number(&b, "FI", "power_corrected") == 0);
    assert_true(power_bench_says(&b, "Use --boot-b 19999 or more"));
    assert_ok(POWER_RUN(&b, "bases=54", "sd-base=0.1", "effect=1", "tests=1000",
                        "boot-b=19999"));
    assert_true(power_bench_number(&b, "FI", "power_corrected") > .99);
    assert_ok(POWER_RUN(&b, "bases=25", "sd-base=0.1", "effect=1", "tests=1000"));
    assert_true(power_bench_says(&b, "Use --perm-p 19999 or more"));
    power_bench_close(&b);
}

/* Unequal clusters: se and CR2 df of 9 clusters of 2, 4, 6 bases by the projection in NumPy
 * (tests/ref/power_reference.py). */
static void test_unequal(void **state)
{
    (void)state;
    power_bench b;
    power_bench_open(&b, 2);
    text_add(&b.csv, "base,dose,scorer,score,cluster\n");
    for (int k = 0, i = 0; k < 9; k++)
        for (int n = 0; n < 2 + k % 3 * 2; n++, i++)
            for (int j = -1; j <= 1; j++)
                text_add_format(&b.csv, "b%02d,%d,s,%.3f,c%d\n", i, j,
                                (k * 7 % 10 + i * 3 % 4) * .01 * j * j + i * .1, k);
    assert_ok(POWER_RUN(&b, "effect=0.02", "bon-n=2"));
    double sd = power_bench_number(&b, "FI", "sd"), icc = power_bench_number(&b, "FI", "icc");
    assert_true(icc > 0);
    /* 36 bases; squares of the sizes: 3 (4 + 16 + 36) = 168 */
    assert_close(power_bench_number(&b, "FI", "se"),
                 sd * sqrt((1 - icc) / 36 + icc * 168 / (36. * 36)));
    assert_close(power_bench_number(&b, "FI", "df"), 6.7281669237261);
    assert_true(power_bench_says(&b, "clusters have 2 to 6 bases"));
    /* One base in each cluster: nothing can be unequal. */
    assert_ok(POWER_RUN(&b, "effect=0.02", "bon-n=2", "bases=36", "clusters=36"));
    assert_close(power_bench_number(&b, "FI", "se"), sd / 6);
    assert_true(power_bench_number(&b, "FI", "df") == 35);
    power_bench_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stated),     cmocka_unit_test(test_correction),
        cmocka_unit_test(test_slopes),     cmocka_unit_test(test_pilot),
        cmocka_unit_test(test_clustered),  cmocka_unit_test(test_components),
        cmocka_unit_test(test_bad),        cmocka_unit_test(test_silent),
        cmocka_unit_test(test_family),     cmocka_unit_test(test_replicates),
        cmocka_unit_test(test_unequal)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
