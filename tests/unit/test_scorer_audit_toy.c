/* The toy table of scorer audit 15.5: exact values, R 4.2 sandwich and clubSandwich for the
 * errors. */
#include <string.h>

#include "audit/scorer/pool_weights.h"
#include "scorer_tables.h"
#include "support/check.h"

static void run_toy(bench *b, bool grouped)
{
    tare_error err = {0};
    put_toy(b, grouped);
    assert_ok(bench_run(b, &err));
}

static double estimate(const bench *b, const char *name, const char *condition)
{
    return bench_reading(b, NULL, NULL, name, condition)->estimate;
}

static void fidelity_is_exact(void **state)
{
    (void)state;
    bench b;
    bench_open(&b, 1);
    run_toy(&b, false);
    assert_close(estimate(&b, "N", "all doses"), 1.0 / 30);
    assert_close(estimate(&b, "P", "all doses"), -0.25);
    assert_close(estimate(&b, "FI", "all doses"), 13.0 / 120);
    assert_close(estimate(&b, "A", "all doses"), -17.0 / 60);
    assert_close(estimate(&b, "N", "extreme doses"), -1.0 / 60);
    assert_close(estimate(&b, "P", "extreme doses"), -0.3);
    assert_close(estimate(&b, "FI", "extreme doses"), 19.0 / 120);
    assert_close(estimate(&b, "A", "extreme doses"), -17.0 / 60);
    /* exact sign flips; t interval of 6 clusters (statistics 16.2) */
    const tare_reading *fi = bench_reading(&b, NULL, NULL, "FI", "all doses");
    assert_close(fi->p, 40.0 / 64);
    assert_close(bench_reading(&b, NULL, NULL, "A", "all doses")->p, 12.0 / 64);
    assert_close(bench_reading(&b, NULL, NULL, "FI", "extreme doses")->p, 14.0 / 64);
    assert_close(bench_reading(&b, NULL, NULL, "A", "extreme doses")->p, 32.0 / 64);
    assert_close(fi->lo, -.342605252153);
    assert_close(fi->hi, .55927191882);
    assert_close(fi->mde, .612247502326);
    assert_int_equal(fi->n_base, 6);
    assert_int_equal(fi->n_cluster, 6);
    bench_close(&b);
}

/* FI_i and A_i: the table of one base gives an estimate, and nothing else. */
static void every_base_is_exact(void **state)
{
    (void)state;
    static const double fi[6] = {8.0 / 15, -1.0 / 30, -3.0 / 5, -1.0 / 30, 1.0 / 4, 8.0 / 15};
    static const double a[6] = {2.0 / 5, -2.0 / 3, -3.0 / 5, -8.0 / 15, 1.0 / 10, -2.0 / 5};
    for (int i = 0; i < 6; i++) {
        bench b;
        bench_open(&b, 1);
        put_toy(&b, false);
        const char *header = "base,dose,scorer,score,attribute,artifact\n";
        text one;
        text_init(&one, &b.m);
        text_add(&one, header);
        for (const char *line = b.csv.data + strlen(header); *line; line = strchr(line, '\n') + 1)
            if (*line - '0' == i + 1)
                text_add_bytes(&one, line, (size_t)(strchr(line, '\n') + 1 - line));
        text_free(&b.csv);
        b.csv = one;
        tare_error err = {0};
        assert_ok(bench_run(&b, &err));
        assert_close(estimate(&b, "FI", "all doses"), fi[i]);
        assert_close(estimate(&b, "A", "all doses"), a[i]);
        assert_string_equal(bench_reading(&b, NULL, NULL, "FI", "all doses")->reason,
                            "too_few_clusters");
        bench_close(&b);
    }
}

static void extreme_can_be_the_tested_form(void **state)
{
    (void)state;
    bench b;
    bench_open(&b, 1);
    b.options.doses = "extreme";
    run_toy(&b, false);
    const tare_reading *fi = bench_reading(&b, NULL, NULL, "FI", "extreme doses");
    assert_string_equal(fi->grid, "ii");
    assert_string_equal(bench_reading(&b, NULL, NULL, "FI", "all doses")->grid, "");
    /* FI_adj then is the coefficient of the extremes: adjusted curve gamma is the same model */
    assert_close(estimate(&b, "gamma_adj", NULL), -.48226950355);
    bench_close(&b);
}

static void best_of_n_is_exact(void **state)
{
    (void)state;
    bench b;
    bench_open(&b, 1);
    run_toy(&b, false);
    assert_close(estimate(&b, "net_drift", "attribute"), -747.0 / 175);
    assert_close(estimate(&b, "net_drift", "dose"), -89.0 / 42);
    assert_close(estimate(&b, "random_drift", "attribute"), -1.0 / 60);
    assert_within(estimate(&b, "random_drift", "dose"), 0, 0, 1e-12);
    assert_close(estimate(&b, "tie_rate", NULL), 3.0 / 14);
    assert_within(estimate(&b, "permutation_z", "attribute"), -0.959846956, 1e-9, 0);
    assert_within(estimate(&b, "fidelity_reference", "attribute"), -0.02 / 3, 1e-9, 0);
    assert_within(estimate(&b, "fidelity_reference", "dose"), 0, 0, 0);
    bench_clear(&b);
    b.options.bon_n = 2;
    run_toy(&b, false);
    assert_close(estimate(&b, "net_drift", "attribute"), -599.0 / 180);
    assert_close(estimate(&b, "net_drift", "dose"), -5.0 / 3);
    bench_clear(&b);
    b.options.bon_n = 4;
    b.options.bon_ties = "first";
    run_toy(&b, false);
    assert_within(estimate(&b, "net_drift", "dose"), -3.166666667, 1e-9, 0);
    bench_close(&b);
}

static void sampled_draws_agree(void **state)
{
    (void)state;
    bench b;
    bench_open(&b, 1);
    /* 100,000 draws: the SE of a base's weight is below .0016, of the drift below 15 x .0016 /
     * sqrt 6 */
    b.options.bon_draws = 100000;
    run_toy(&b, false);
    assert_within(estimate(&b, "net_drift", "dose"), -89.0 / 42, 0, 5 * .01);
    b.options.bon_replace = true;
    bench_clear(&b);
    run_toy(&b, false);
    double sampled = estimate(&b, "net_drift", "dose");
    bench_clear(&b);
    b.options.bon_draws = 0;
    run_toy(&b, false);
    assert_within(sampled, estimate(&b, "net_drift", "dose"), 0, 5 * .01);
    bench_close(&b);
}

static void regression_is_exact(void **state)
{
    (void)state;
    bench b;
    bench_open(&b, 1);
    run_toy(&b, false);
    const tare_reading *beta = bench_reading(&b, NULL, NULL, "beta", "with artifact");
    const tare_reading *gamma = bench_reading(&b, NULL, NULL, "gamma", NULL);
    assert_close(beta->estimate, -.00595776488319);
    assert_close(gamma->estimate, -.65850245293014);
    assert_close(estimate(&b, "beta", "attribute alone"), -.0060717144954);
    assert_within(estimate(&b, "VIF", NULL), 1.0022463346, 1e-9, 0);
    assert_close(beta->se, .00506925820756);
    assert_close(beta->df, 4.99708551322);
    assert_close(beta->p, .292827962095);
    assert_close(gamma->se, .49104978589126);
    assert_close(gamma->df, 4.93604765854);
    assert_close(gamma->p, .238314149697);
    assert_close(estimate(&b, "SE HC0", "beta"), .00326162935039);
    assert_close(estimate(&b, "SE CR0", "beta"), .00460983064165);
    assert_close(estimate(&b, "SE CR1", "beta"), .0055453385204);
    assert_close(estimate(&b, "SE CR2", "beta"), .00506925820756);
    assert_close(estimate(&b, "SE HC0", "gamma"), .7398240363854);
    assert_close(estimate(&b, "SE CR0", "gamma"), .43984581930596);
    assert_close(estimate(&b, "SE CR1", "gamma"), .5291070658427);
    assert_close(estimate(&b, "gamma_adj", NULL), -.48226950355);
    assert_close(estimate(&b, "FI_adj", NULL), .06010638298);
    assert_close(estimate(&b, "A_adj", NULL), -.27797478329);
    assert_close(estimate(&b, "artifact_on_dose_R2", NULL), .25159235669);
    /* the adjusted curve averages to the adjusted N and P: FI_adj = -(N + P)/2, A_adj = P - N */
    const char *below[3] = {"-15", "-10", "-5"}, *above[3] = {"5", "10", "15"};
    double n = 0, p = 0;
    for (size_t k = 0; k < 3; k++) {
        n += estimate(&b, "Delta_adj", below[k]) / 3;
        p += estimate(&b, "Delta_adj", above[k]) / 3;
    }
    assert_close(-(n + p) / 2, .06010638298);
    assert_close(p - n, -.27797478329);
    bench_close(&b);
}

static void calibration_is_exact(void **state)
{
    (void)state;
    bench b;
    bench_open(&b, 1);
    run_toy(&b, false);
    assert_close(estimate(&b, "R2", NULL), .99990010035);
    assert_close(bench_reading(&b, NULL, "", "slope", NULL)->estimate, 1.9991666667);
    assert_close(estimate(&b, "mean_rho", NULL), 1);
    assert_close(estimate(&b, "monotone", NULL), 1);
    bench_close(&b);
}

static void omnibus_is_exact(void **state)
{
    (void)state;
    bench b;
    bench_open(&b, 1);
    b.options.group_min = 1;
    run_toy(&b, true);
    const tare_reading *fi = bench_reading(&b, NULL, NULL, "omnibus", "FI");
    const tare_reading *a = bench_reading(&b, NULL, NULL, "omnibus", "A");
    assert_close(fi->estimate, 17.0 / 24);
    assert_close(fi->p, 42.0 / 90);
    assert_close(a->estimate, 13.0 / 30);
    assert_close(a->p, 72.0 / 90);
    assert_string_equal(fi->grid, "iii");
    assert_string_equal(fi->p_method, "exact label permutation");
    bench_close(&b);
}

/* m = 7, n = 4: 20 10 4 1 0 0 0 over 35 (scorer audit 5.5). */
static void weights_of_a_pool(void **state)
{
    (void)state;
    tare_error err = {0};
    const double s[7] = {1, 2, 3, 4, 5, 6, 7}, want[7] = {0, 0, 0, 1, 4, 10, 20};
    double w[7], ties;
    pool_weights rule = {.n = 4};
    assert_ok(pool_weights_exact(w, &ties, &rule, s, 7, &err));
    for (int k = 0; k < 7; k++) assert_within(w[k], want[k] / 35, 1e-14, 1e-15);
    assert_within(ties, 0, 0, 0);
    /* all tied: every draw is tied, everyone shares */
    const double same[7] = {0};
    assert_ok(pool_weights_exact(w, &ties, &rule, same, 7, &err));
    for (int k = 0; k < 7; k++) assert_within(w[k], 1.0 / 7, 1e-14, 0);
    assert_within(ties, 1, 1e-14, 0);
    rule.n = 8;
    assert_int_equal(pool_weights_exact(w, &ties, &rule, s, 7, &err), TARE_E_USAGE);
    rule = (pool_weights){.n = 2, .replace = true};
    const double two[2] = {1, 2};
    assert_ok(pool_weights_exact(w, &ties, &rule, two, 2, &err));
    assert_within(w[1], 0.75, 1e-14, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fidelity_is_exact),   cmocka_unit_test(extreme_can_be_the_tested_form),
        cmocka_unit_test(every_base_is_exact),
        cmocka_unit_test(best_of_n_is_exact),  cmocka_unit_test(sampled_draws_agree),
        cmocka_unit_test(regression_is_exact), cmocka_unit_test(calibration_is_exact),
        cmocka_unit_test(omnibus_is_exact),    cmocka_unit_test(weights_of_a_pool),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
