/* Intervals and p from replicates. Expected numbers: statistics 16.2 (R boot.ci) and 16.1. */
#include "stats/interval.h"

#include <string.h>

#include "base/rng.h"
#include "stats/draws.h"
#include "stats/moments.h"
#include "stats/resample.h"
#include "stats/special.h"
#include "support/check.h"

/* x = 9 7 5 8 6 10 3 4 12 30, t* = 9.4 + 2.2 z + .25 (z^2 - 1), z = z((b - .5)/999), in a shuffled
 * order; L = 9 (theta - theta_(-i)). */
enum { B = 999 };
static const double x[10] = {9, 7, 5, 8, 6, 10, 3, 4, 12, 30};

static void r_example(double t[B], double influence[10])
{
    for (int b = 0; b < B; b++) {
        double z = norm_quantile((b + 0.5) / B);
        t[b * 500 % B] = 9.4 + 2.2 * z + 0.25 * (z * z - 1);
    }
    for (int i = 0; i < 10; i++) influence[i] = x[i] - 9.4; /* 9 (9.4 - (94 - x)/9) */
}

static void test_percentile(void **state)
{
    (void)state;
    double t[B], influence[10];
    r_example(t, influence);
    interval i = interval_percentile(t, B, 0.05);
    assert_within(i.lo, 5.788455294101, 0, 1e-11);
    assert_within(i.hi, 14.448381557197, 0, 1e-11);
    assert_false(i.extreme);
}

static void test_bca(void **state)
{
    (void)state;
    double t[B], influence[10];
    r_example(t, influence);
    interval_bca_result r = interval_bca(t, B, 9.4, influence, 10, 0.05);
    assert_null(r.fallback);
    assert_close(r.z0, 0.111889640241585);
    assert_close(r.a, 0.108775294843319);
    assert_within(r.rank_lo, 76.810388, 0, 1e-6);
    assert_within(r.rank_hi, 997.336084, 0, 1e-6);
    assert_within(r.ends.lo, 6.515519279397, 0, 1e-10);
    assert_within(r.ends.hi, 17.468134419794, 0, 1e-10);
    assert_false(r.ends.extreme);
}

/* Clusters without data do not enter the acceleration. */
static void test_bca_skips_missing(void **state)
{
    (void)state;
    double t[B], influence[12];
    r_example(t, influence + 1);
    influence[0] = influence[11] = NAN;
    interval_bca_result r = interval_bca(t, B, 9.4, influence, 12, 0.05);
    assert_close(r.a, 0.108775294843319);
}

static void test_bca_without_correction_is_percentile(void **state)
{
    (void)state;
    double t[B], influence[4] = {-3, -1, 1, 3};
    for (int b = 0; b < B; b++) t[b] = b - 499; /* symmetric about 0: z0 = 0; a = 0 */
    interval_bca_result r = interval_bca(t, B, 0, influence, 4, 0.05);
    interval p = interval_percentile(t, B, 0.05);
    assert_true(r.z0 == 0 && r.a == 0);
    assert_true(r.ends.lo == p.lo && r.ends.hi == p.hi);
}

static void test_bca_falls_back(void **state)
{
    (void)state;
    double t[B], same[4] = {1, 1, 1, 1}, skew[4] = {0, 0, 0, 100}, vary[4] = {-3, -1, 1, 3};
    for (int b = 0; b < B; b++) t[b] = b;
    interval p = interval_percentile(t, B, 0.05);
    interval_bca_result r = interval_bca(t, B, -1, vary, 4, 0.05);
    assert_non_null(r.fallback);
    assert_true(r.ends.lo == p.lo && r.ends.hi == p.hi);
    assert_non_null(interval_bca(t, B, 499, same, 4, 0.05).fallback);
    /* Nearly all replicates below, all influence in one cluster, a far quantile: past the pole. */
    for (int b = 0; b < B; b++) t[b] = b == B - 1 ? 1 : -1;
    r = interval_bca(t, B, 0.5, skew, 4, 1e-9);
    assert_non_null(r.fallback);
    assert_true(isfinite(r.ends.lo) && isfinite(r.ends.hi));
}

static void test_extreme_ranks(void **state)
{
    (void)state;
    double t[10];
    for (int i = 0; i < 10; i++) t[i] = 10 - i;
    interval i = interval_percentile(t, 10, 0.05); /* ranks .275 and 10.725 */
    assert_true(i.extreme && i.lo == 1 && i.hi == 10);
    i = interval_percentile(t, 10, 0.4); /* 2.2 and 8.8: inside */
    assert_false(i.extreme);
    assert_true(i.lo > 2 && i.lo < 3 && i.hi > 8 && i.hi < 9);
    double one = 5;
    i = interval_percentile(&one, 1, 0.05);
    assert_true(i.extreme && i.lo == 5 && i.hi == 5);
    assert_true(isnan(interval_percentile(NULL, 0, 0.05).lo));
}

/* Integer ranks are taken as they are: 250 and 9750 of 9999. */
static void test_integer_ranks(void **state)
{
    (void)state;
    enum { N = 9999 };
    static double t[N];
    for (int i = 0; i < N; i++) t[(size_t)i * 4001 % N] = i + 1;
    interval i = interval_percentile(t, N, 0.05);
    assert_true(i.lo == 250 && i.hi == 9750);
    i = interval_percentile(t, N, 0.1);
    assert_true(i.lo == 500 && i.hi == 9500);
}

static void test_p_rules(void **state)
{
    (void)state;
    /* theta 2; t - theta: -2 is exactly at the bound, also when rounding moved it a little. */
    double t[6] = {0, 1e-13, 1, 2, 3, 5};
    assert_close(boot_p_centred(t, 6, 2, 1), (1 + 3) / 7.0);
    assert_close(boot_p_inversion(t, 6, 1), 2 * (1 + 2) / 7.0);
    assert_close(boot_p_one_sided(t, 6, -2, 1, true), (1 + 0) / 7.0);
    double u[5] = {-4, -3, -2, -1, 0};
    assert_close(boot_p_one_sided(u, 5, -2, 1, true), (1 + 1) / 6.0);
    assert_close(boot_p_one_sided(u, 5, -2, 1, false), (1 + 5) / 6.0);
    assert_close(boot_p_centred(t, 6, 0, 1), 1);
    double none[3] = {-1, 1, 2};
    assert_close(boot_p_inversion(none, 3, 1), 1);
}

static void test_defined(void **state)
{
    (void)state;
    const double t[5] = {1, NAN, -INFINITY, -0.0, 3};
    double out[5];
    assert_int_equal(boot_defined(out, t, 5), 3);
    assert_true(out[0] == 1 && out[1] == 0 && !signbit(out[1]) && out[2] == 3);
}

/* The toy FI of scorer audit 15.5, analysis toy/fi, seed 1: statistics 16.1, from draws to p. */
static void test_toy_replicates(void **state)
{
    (void)state;
    static const double fi[6] = {8 / 15., -1 / 30., -3 / 5., -1 / 30., 1 / 4., 8 / 15.};
    static const char *const ids[6] = {"1", "2", "3", "4", "5", "6"};
    static const uint8_t weights[3][6] = {
        {1, 0, 1, 1, 0, 3}, {1, 1, 1, 1, 2, 0}, {2, 1, 1, 1, 1, 0}};
    mem m = mem_system();
    pool *workers = pool_new(&m, 1);
    uint64_t h64[6];
    double t[B], theta = 13 / 120.;
    size_t count = 0;
    tare_error err;
    draws_hash(h64, ids, 6);
    resample_draws d = {.m = &m, .pool = workers, .kind = RESAMPLE_MULTINOMIAL,
                        .key = rng_key_of(1, "toy/fi"), .h64 = h64, .clusters = 6,
                        .replicates = B};
    for (uint32_t r = 0; r < 3; r++) {
        uint8_t w[6];
        assert_ok(resample_weights(w, &d, r, &err));
        assert_memory_equal(w, weights[r], 6);
    }
    assert_ok(resample_totals(t, &d, fi, 1, &err));
    for (int r = 0; r < B; r++) {
        t[r] /= 6;
        count += fabs(t[r] - theta) >= theta * (1 - 1e-12);
    }
    assert_within(t[0], .25, 0, 1e-10);
    assert_within(t[1], .0611111111, 0, 1e-10);
    assert_within(t[2], .1083333333, 0, 1e-10);
    assert_within(moments_mean(t, B), .1042681570, 0, 1e-10);
    assert_int_equal(count, 483);
    assert_close(boot_p_centred(t, B, theta, 1 / 3.), .484);
    assert_close(boot_p_inversion(t, B, 1 / 3.), .480);
    interval i = interval_percentile(t, B, .05);
    assert_within(i.lo, -.2222222222, 0, 1e-10);
    assert_within(i.hi, .3916666667, 0, 1e-10);
    pool_free(workers);
}

static int ascending(const void *a, const void *b)
{
    double p = *(const double *)a, q = *(const double *)b;
    return p < q ? -1 : p > q;
}

/* Selected ranks equal those of a sort: random, tied, sorted, reversed, organ pipe. */
static void test_select(void **state)
{
    (void)state;
    enum { N = 1200 };
    static double t[N], sorted[N];
    rng_stream s;
    rng_start(&s, rng_key_of(1, "select"), 0, 0);
    for (int round = 0; round < 400; round++) {
        size_t n = 1 + rng_bounded(&s, N), ranks[5], count = 0;
        for (size_t i = 0; i < n; i++) {
            switch (round % 5) {
            case 0: t[i] = rng_uniform(&s); break;
            case 1: t[i] = rng_bounded(&s, 3); break;
            case 2: t[i] = (double)i; break;
            case 3: t[i] = -(double)i; break;
            default: t[i] = i < n / 2 ? (double)i : (double)(n - i); break;
            }
        }
        memcpy(sorted, t, n * sizeof *t);
        qsort(sorted, n, sizeof *sorted, ascending);
        for (size_t r = rng_bounded(&s, (uint32_t)n); r < n && count < 5;
             r += 1 + rng_bounded(&s, (uint32_t)n))
            ranks[count++] = r;
        select_ranks(t, n, ranks, count);
        for (size_t i = 0; i < count; i++) assert_true(t[ranks[i]] == sorted[ranks[i]]);
        qsort(t, n, sizeof *t, ascending);
        assert_memory_equal(t, sorted, n * sizeof *t); /* nothing lost */
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_percentile),
        cmocka_unit_test(test_bca),
        cmocka_unit_test(test_bca_skips_missing),
        cmocka_unit_test(test_bca_without_correction_is_percentile),
        cmocka_unit_test(test_bca_falls_back),
        cmocka_unit_test(test_extreme_ranks),
        cmocka_unit_test(test_integer_ranks),
        cmocka_unit_test(test_p_rules),
        cmocka_unit_test(test_defined),
        cmocka_unit_test(test_toy_replicates),
        cmocka_unit_test(test_select),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
