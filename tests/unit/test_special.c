/* Special functions against mpmath (tests/ref/special.tsv), R and their own identities. */
#include "support/check.h"

#include <string.h>

#include "stats/special.h"

typedef struct row {
    const char *name;
    double tolerance; /* relative, statistics 14; log gamma and log beta: of max(|value|, 1) */
    double (*one)(double);
    double (*two)(double, double);
    double (*three)(double, double, double);
} row;

static const row rows[] = {
    {"norm_cdf", 1e-14, norm_cdf, NULL, NULL},
    {"norm_pdf", 1e-14, norm_pdf, NULL, NULL},
    {"erfc_precise", 1e-14, erfc_precise, NULL, NULL},
    {"norm_quantile", 1e-14, norm_quantile, NULL, NULL},
    {"log_gamma", 1e-13, log_gamma, NULL, NULL},
    {"gamma_value", 1e-13, gamma_value, NULL, NULL},
    {"gamma_ratio", 1e-13, NULL, gamma_ratio, NULL},
    {"log_beta", 1e-13, NULL, log_beta, NULL},
    {"gamma_inc", 1e-12, NULL, gamma_inc, NULL},
    {"gamma_inc_upper", 1e-12, NULL, gamma_inc_upper, NULL},
    {"chi2_sf", 1e-12, NULL, chi2_sf, NULL},
    {"beta_inc", 1e-12, NULL, NULL, beta_inc},
    {"beta_inc_upper", 1e-12, NULL, NULL, beta_inc_upper},
    {"f_sf", 1e-12, NULL, NULL, f_sf},
    {"t_p", 1e-12, NULL, t_p, NULL},
    {"t_quantile", 1e-12, NULL, t_quantile, NULL},
};
#define ROWS (sizeof rows / sizeof rows[0])

static const row *find_row(const char *name)
{
    for (size_t i = 0; i < ROWS; i++)
        if (strcmp(rows[i].name, name) == 0) return &rows[i];
    return NULL;
}

static void check_row(const row *r, const double a[3], double want, const char *line)
{
    double got = r->one ? r->one(a[0]) : r->two ? r->two(a[0], a[1]) : r->three(a[0], a[1], a[2]);
    double size = strncmp(r->name, "log_", 4) == 0 ? fmax(fabs(want), 1.0) : fabs(want);
    if (!(fabs(got - want) <= r->tolerance * size))
        fail_msg("got %.17g (off by %.2g relative) for %s", got, fabs(got / want - 1.0), line);
}

static void table(void **state)
{
    (void)state;
    FILE *file = fopen(TARE_SOURCE_DIR "/tests/ref/special.tsv", "r");
    assert_non_null(file);
    char line[512], name[64];
    size_t seen[ROWS] = {0};
    while (fgets(line, sizeof line, file)) {
        double a[3], want;
        if (line[0] == '#') continue;
        assert_int_equal(sscanf(line, "%63s %lf %lf %lf %lf", name, a, a + 1, a + 2, &want), 5);
        const row *r = find_row(name);
        assert_non_null(r);
        check_row(r, a, want, line);
        seen[r - rows]++;
    }
    fclose(file);
    for (size_t i = 0; i < ROWS; i++) assert_true(seen[i] >= 5);
}

/* R 4.2.2: statistics 16.5. */
static void goldens(void **state)
{
    (void)state;
    assert_within(norm_quantile(0.975), 1.95996398454005, 1e-14, 0);
    assert_within(norm_quantile(0.95), 1.64485362695147, 2e-15 * 2, 0);
    assert_within(norm_quantile(1e-10), -6.36134090240406, 1e-14, 0);
    assert_within(norm_cdf(-1), .158655253931457, 1e-14, 0);
    assert_within(norm_cdf(-5), 2.86651571879194e-07, 1e-14, 0);
    assert_within(norm_cdf(-30), 4.90671392714819e-198, 1e-14, 0);
    static const double t[][2] = {
        {1, 12.7062047361747}, {2, 4.30265272974946}, {5, 2.57058183563631},
        {9, 2.2621571627982}, {29, 2.0452296421327}, {209, 1.97137946154754},
    };
    for (size_t i = 0; i < 6; i++) assert_within(t_quantile(.975, t[i][0]), t[i][1], 1e-13, 0);
    assert_within(t_cdf(-1, 7), .175308331410104, 1e-12, 0);
    assert_within(t_cdf(-2, 7), .042809664281488, 1e-12, 0);
    assert_within(t_cdf(-5, 7), .000782638976586412, 1e-12, 0);
    assert_within(t_cdf(-3, 1e6), .0013499312707109, 1e-12, 0);
    assert_within(beta_inc(.1, 2, 3), .0523, 1e-12, 0);
    assert_within(beta_inc(.5, 2, 3), .6875, 1e-12, 0);
    assert_within(beta_inc(.9, 2, 3), .9963, 1e-12, 0);
    assert_within(beta_inc(.01, .5, .5), .0637685608585198, 1e-12, 0);
    assert_within(beta_inc(.5, 100, 120), .911796062794982, 1e-12, 0);
    assert_within(chi2_sf(3.84, 1), .0500435212487052, 1e-12, 0);
    assert_within(chi2_sf(10, 6), .124652019483081, 1e-12, 0);
    assert_within(f_sf(4, 2, 30), .0288446232956968, 1e-12, 0);
    assert_within(log_gamma(.5), .5723649429247, 1e-13, 0);
    assert_within(log_gamma(10.5), 13.9406252194038, 1e-13, 0);
    assert_within(log_gamma(1e6), 12815504.5691476, 1e-13, 0);
}

static void symmetric(void **state)
{
    (void)state;
    for (int k = 1; k < 400; k++) {
        double p = k / 1024.0; /* 1 - p is exact */
        assert_true(norm_quantile(1.0 - p) == -norm_quantile(p));
        assert_true(t_quantile(1.0 - p, 4.5) == -t_quantile(p, 4.5));
        assert_within(norm_cdf(norm_quantile(p)), p, 1e-13, 0);
        assert_within(t_cdf(t_quantile(p, 3.25), 3.25), p, 1e-12, 0);
        assert_within(beta_inc(p, 3.5, 9.0) + beta_inc_upper(p, 3.5, 9.0), 1.0, 1e-14, 0);
        assert_within(gamma_inc(2.5, 9 * p) + gamma_inc_upper(2.5, 9 * p), 1.0, 1e-14, 0);
    }
}

/* The change of method at df 1e7 must not show; nor the limit of infinite df. */
static void seams(void **state)
{
    (void)state;
    for (double t = 0.125; t < 9; t += 0.125) {
        assert_within(t_p(t, 1.0000001e7) / t_p(t, 0.9999999e7), 1.0, 1e-9, 0);
        assert_within(t_p(t, INFINITY), 2 * norm_sf(t), 1e-14, 0);
    }
    assert_within(t_quantile(.975, INFINITY), norm_quantile(.975), 1e-15, 0);
    assert_within(t_quantile(1e-300, 1), -1.0 / (3.14159265358979323846 * 1e-300), 1e-10, 0);
}

static void outside(void **state)
{
    (void)state;
    assert_true(isnan(norm_quantile(-0.1)) && isnan(norm_quantile(NAN)) && isnan(norm_cdf(NAN)));
    assert_true(isnan(log_gamma(0)) && isnan(log_beta(1, -1)) && isnan(gamma_value(NAN)));
    assert_true(isnan(beta_inc(1.5, 1, 1)) && isnan(beta_inc(.5, 0, 1)));
    assert_true(isnan(gamma_inc(-1, 1)) && isnan(gamma_inc(1, -1)) && isnan(chi2_sf(1, 0)));
    assert_true(isnan(t_p(1, 0)) && isnan(t_p(NAN, 3)) && isnan(t_quantile(.5, -1)));
    assert_true(isnan(t_quantile(2, 3)) && isnan(f_sf(NAN, 1, 1)) && isnan(f_sf(1, 0, 1)));
    assert_true(norm_quantile(0) == -INFINITY && norm_quantile(1) == INFINITY);
    assert_true(norm_cdf(-INFINITY) == 0 && norm_cdf(INFINITY) == 1 && norm_sf(60) == 0);
    assert_true(t_p(INFINITY, 3) == 0 && t_cdf(INFINITY, 3) == 1 && t_p(0, 3) == 1);
    assert_true(beta_inc(0, 2, 3) == 0 && beta_inc(1, 2, 3) == 1);
    assert_true(gamma_inc(2, 0) == 0 && gamma_inc(2, INFINITY) == 1 && chi2_sf(-1, 2) == 1);
    assert_true(f_sf(0, 2, 3) == 1 && f_sf(INFINITY, 2, 3) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table), cmocka_unit_test(goldens), cmocka_unit_test(symmetric),
        cmocka_unit_test(seams), cmocka_unit_test(outside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
