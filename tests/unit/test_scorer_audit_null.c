/* 2,000 score tables without any effect (statistics 17): what is found there is found by chance.
 * The expected rates are those of the methods; limits are the bands of statistics 17, +-4
 * standard errors of 2,000 tables. */
#include <string.h>

#include "scorer_tables.h"
#include "support/check.h"

#define TABLES 2000

typedef struct counts {
    int fi, a, beta, drift, drift_dose, adjusted, inverted, pattern, omnibus, studentised;
    int any_bh, any_maxt, any_omnibus;
    int covered_fi, covered_a, covered_beta, covered_drift;
} counts;

/* 54 images x 7 doses; attribute follows the dose with noise, artifact grows with |dose| and
 * differs by image; the score has a level per image and noise per variant: no effect of
 * anything. */
static void put_null(bench *b, uint64_t seed)
{
    gauss g = {seed * 1000003 + 17};
    bench_clear(b);
    text_add(&b->csv, "base,dose,score,ita,artifact,group\n");
    for (int i = 0; i < 54; i++) {
        double level = gauss_next(&g), clip = fabs(gauss_next(&g));
        for (int dose = -15; dose <= 15; dose += 5)
            text_add_format(&b->csv, "%02d,%d,%.10g,%.10g,%.10g,g%d\n", i, dose,
                            level + .5 * gauss_next(&g), 40 + 2 * dose + 2 * gauss_next(&g),
                            dose ? clip * abs(dose) / 150 + .002 * fabs(gauss_next(&g)) : 0, i % 3);
    }
}

static int covers_zero(const tare_reading *r)
{
    return r->lo <= 0 && r->hi >= 0;
}

static void count(counts *c, const bench *b)
{
    const tare_reading *fi = bench_reading(b, NULL, NULL, "FI", "all doses");
    const tare_reading *a = bench_reading(b, NULL, NULL, "A", "all doses");
    const tare_reading *beta = bench_reading(b, NULL, NULL, "beta", "with artifact");
    const tare_reading *drift = bench_reading(b, NULL, NULL, "net_drift", "ITA");
    const tare_reading *dose = bench_reading(b, NULL, NULL, "net_drift", "dose");
    const tare_reading *shape = bench_reading(b, NULL, NULL, "both_sides", NULL);
    const tare_reading *omnibus = bench_reading(b, NULL, NULL, "omnibus", "A");
    const tare_reading *student = bench_reading(b, NULL, NULL, "omnibus_studentised", "A");
    const tare_reading *adjusted = bench_reading(b, NULL, NULL, "FI_adj", NULL);
    c->fi += fi->p <= .05;
    c->a += a->p <= .05;
    c->beta += beta->p <= .05;
    c->drift += drift->p <= .05;
    c->drift_dose += dose->p <= .05;
    c->adjusted += adjusted->p <= .05;
    c->pattern += shape->p <= .05;
    c->inverted += strcmp(bench_cell(b, "shape", "scorer", "class")->text, "inverted U") == 0;
    c->omnibus += omnibus->p <= .05;
    c->studentised += student->p <= .05;
    /* Grid ii holds FI and A: with no effect at all the chance of any is the family's level. */
    c->any_bh += fi->q <= .05 || a->q <= .05;
    c->any_maxt += fi->q_maxt <= .05 || a->q_maxt <= .05;
    c->any_omnibus += omnibus->q_maxt <= .05 ||
                      bench_reading(b, NULL, NULL, "omnibus", "FI")->q_maxt <= .05;
    c->covered_fi += covers_zero(fi);
    c->covered_a += covers_zero(a);
    c->covered_beta += covers_zero(beta);
    c->covered_drift += covers_zero(drift);
}

static void assert_rate(const char *what, int hits, double lo, double hi)
{
    double rate = (double)hits / TABLES;
    print_message("  %-28s %.4f  [%.3f, %.3f]\n", what, rate, lo, hi);
    if (rate < lo || rate > hi) fail_msg("%s: %.4f outside [%.3f, %.3f]", what, rate, lo, hi);
}

static void nothing_is_found_where_nothing_is(void **state)
{
    (void)state;
    bench b;
    counts c = {0};
    bench_open(&b, 0);
    b.options.boot_b = b.options.perm_p = 999;
    for (uint64_t k = 0; k < TABLES; k++) {
        tare_error err = {0};
        b.options.seed = k + 1;
        put_null(&b, k);
        assert_ok(bench_run(&b, &err));
        count(&c, &b);
    }
    /* bootstrap p at M >= 54: <= .08; expected .058 (statistics 4) */
    assert_rate("FI false positives", c.fi, .025, .08);
    assert_rate("A false positives", c.a, .025, .08);
    assert_rate("beta false positives", c.beta, .025, .08);
    assert_rate("drift false positives", c.drift, .025, .08);
    assert_rate("drift, dose", c.drift_dose, .025, .08);
    assert_rate("FI_adj false positives", c.adjusted, .025, .08);
    assert_rate("inverted U", c.inverted, 0, .02);
    assert_rate("any pattern", c.pattern, 0, .03);
    assert_rate("omnibus", c.omnibus, .02, .07);
    assert_rate("omnibus, studentised", c.studentised, .02, .07);
    assert_rate("any of grid ii by BH", c.any_bh, .025, .08);
    assert_rate("any of grid ii by max-T", c.any_maxt, .025, .08);
    assert_rate("any of grid iii by max-T", c.any_omnibus, .02, .07);
    /* percentile interval at M = 54: .949 (statistics 4) */
    assert_rate("coverage FI", c.covered_fi, .925, .965);
    assert_rate("coverage A", c.covered_a, .925, .965);
    assert_rate("coverage beta", c.covered_beta, .925, .97);
    assert_rate("coverage drift", c.covered_drift, .925, .97);
    bench_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_is_found_where_nothing_is)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
