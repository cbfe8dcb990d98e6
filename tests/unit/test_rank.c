/* Sorting, ranks, medians, Spearman. */
#include "support/check.h"

#include <string.h>

#include "stats/moments.h"
#include "stats/rank.h"

static uint32_t next(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

/* Orders that defeat a plain quicksort included. */
static void fill(double *x, size_t n, int shape, uint32_t *seed)
{
    for (size_t i = 0; i < n; i++) {
        switch (shape) {
        case 0: x[i] = next(seed) % 7; break;
        case 1: x[i] = (double)i; break;
        case 2: x[i] = -(double)i; break;
        case 3: x[i] = 3; break;
        case 4: x[i] = i < n / 2 ? (double)i : (double)(n - i); break;
        case 5: x[i] = i % 2 ? -0.0 : 0.0; break;
        default: x[i] = next(seed) - 8e6; break;
        }
    }
}

static void sorting(void **state)
{
    (void)state;
    enum { N = 3000 };
    static double x[N], sorted[N];
    static uint32_t order[N];
    static bool seen[N];
    uint32_t seed = 1;
    for (size_t n = 0; n < N; n = n < 40 ? n + 1 : n * 3 / 2) {
        for (int shape = 0; shape < 7; shape++) {
            fill(x, n, shape, &seed);
            memcpy(sorted, x, n * sizeof *x);
            assert_true(rank_sort(sorted, n) && rank_order(order, x, (uint32_t)n));
            memset(seen, 0, sizeof seen);
            for (size_t k = 0; k < n; k++) {
                assert_false(seen[order[k]]);
                seen[order[k]] = true;
                assert_true(sorted[k] == x[order[k]] && !signbit(sorted[k] == 0 ? sorted[k] : 0));
                if (k == 0) continue;
                double a = x[order[k - 1]], b = x[order[k]];
                assert_true(a < b || (a == b && order[k - 1] < order[k]));
            }
        }
    }
}

static void ranks_by_definition(void **state)
{
    (void)state;
    enum { N = 60 };
    double x[N];
    int64_t rank2[N];
    uint32_t order[N], seed = 5;
    for (int trial = 0; trial < 200; trial++) {
        for (int i = 0; i < N; i++) x[i] = next(&seed) % 20;
        assert_true(rank_average_doubled(rank2, order, x, N));
        for (int i = 0; i < N; i++) {
            int64_t want = 1;
            for (int j = 0; j < N; j++) want += x[j] < x[i] ? 2 : x[j] == x[i] ? 1 : 0;
            assert_int_equal(rank2[i], want);
        }
    }
}

/* statistics 16.4, scipy and R. */
static void spearman(void **state)
{
    (void)state;
    mem m = mem_system();
    tare_error err;
    double rho;
    const double x[] = {1, 1, 2, 2, 3, 3, 4, 4}, y[] = {1, 2, 2, 3, 3, 4, 4, 5};
    assert_ok(rank_spearman(&rho, x, y, 8, &m, &err));
    assert_within(rho, .9192723907499135, 1e-15, 0);
    /* R cor.test, Hollander and Wolfe's tuna example */
    const double u[] = {44.4, 45.9, 41.9, 53.3, 44.7, 44.1, 50.7, 45.2, 60.1};
    const double v[] = {2.6, 3.1, 2.5, 5.0, 3.6, 4.0, 5.2, 2.8, 3.8};
    assert_ok(rank_spearman(&rho, u, v, 9, &m, &err));
    assert_within(rho, .6, 1e-15, 0);
    static double a[1000], b[1000];
    for (int64_t i = 0; i < 1000; i++) {
        int64_t k = 7919 * i % 101;
        a[i] = (double)k;
        b[i] = (double)((104729 * i + 3 * k) % 97);
    }
    assert_ok(rank_spearman(&rho, a, b, 1000, &m, &err));
    assert_within(rho, -.013158279843015867, 1e-14, 0);
}

static void spearman_is_pearson_of_ranks(void **state)
{
    (void)state;
    mem m = mem_system();
    tare_error err;
    uint32_t seed = 9, order[12];
    for (int trial = 0; trial < 1000; trial++) {
        double x[12], y[12], rx[12], ry[12], rho;
        int64_t rank2[12];
        uint32_t n = 2 + next(&seed) % 11;
        for (uint32_t i = 0; i < n; i++) {
            x[i] = next(&seed) % 5;
            y[i] = next(&seed) % 5;
        }
        rank_average_doubled(rank2, order, x, n);
        for (uint32_t i = 0; i < n; i++) rx[i] = 0.5 * (double)rank2[i];
        rank_average_doubled(rank2, order, y, n);
        for (uint32_t i = 0; i < n; i++) ry[i] = 0.5 * (double)rank2[i];
        assert_ok(rank_spearman(&rho, x, y, n, &m, &err));
        double want = moments_correlation(rx, ry, n);
        assert_int_equal(isnan(rho), isnan(want));
        if (!isnan(rho)) assert_within(rho, want, 1e-12, 1e-12);
    }
}

static void keys(void **state)
{
    (void)state;
    assert_true(rank_key((0.1 + 0.2 + 0.3) / 3) == rank_key((0.3 + 0.2 + 0.1) / 3));
    assert_true(rank_key(0.1 + 0.2) == 0.3);
    assert_true(rank_key(1234567890123456.0) == 1234567890120000.0);
    assert_true(rank_key(-9.999999999996) == -10.0);
    assert_true(rank_key(123456789012.0) == 123456789012.0 && rank_key(0.0) == 0.0);
    assert_true(rank_key(5e-300) == 5e-300 && isnan(rank_key(NAN)));
    assert_true(rank_key(INFINITY) == INFINITY);
    assert_within(rank_key(1.23456789012345e300), 1.23456789012e300, 1e-14, 0);
    for (int e = -280; e < 300; e++) {
        double x = pow(10, e);
        assert_within(rank_key(x), x, 2e-15, 0);
        assert_true(rank_key(rank_key(x)) == rank_key(x));
    }
}

static void shapes(void **state)
{
    (void)state;
    const double up[] = {1, 2, 5}, down[] = {3, 2, -1}, flat[] = {1, 1, 2}, bad[] = {1, NAN, 2};
    assert_int_equal(rank_monotone(up, 3), 1);
    assert_int_equal(rank_monotone(down, 3), -1);
    assert_int_equal(rank_monotone(flat, 3), 0);
    assert_int_equal(rank_monotone(bad, 3), 0);
    assert_int_equal(rank_monotone(up, 1), 0);
    double x[] = {5, 1, 4, 2}, odd[] = {9, 1, 3}, one_bad[] = {1, NAN};
    assert_true(rank_median(x, 4) == 3 && rank_median(odd, 3) == 3 && isnan(rank_median(x, 0)));
    assert_true(isnan(rank_median(one_bad, 2)));
}

static void degenerate(void **state)
{
    (void)state;
    mem m = mem_system();
    tare_error err;
    double rho;
    const double same[] = {1, 1, 1}, x[] = {1, 2, 3}, bad[] = {1, NAN, 3};
    uint32_t order[3];
    assert_ok(rank_spearman(&rho, same, x, 3, &m, &err));
    assert_true(isnan(rho));
    assert_ok(rank_spearman(&rho, x, x, 1, &m, &err));
    assert_true(isnan(rho));
    assert_ok(rank_spearman(&rho, x, x, 0, &m, &err));
    assert_int_equal(rank_spearman(&rho, bad, x, 3, &m, &err), TARE_E_DATA);
    assert_int_equal(rank_spearman(&rho, x, x, (size_t)1 << 33, &m, &err), TARE_E_LIMIT);
    assert_false(rank_order(order, bad, 3));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sorting), cmocka_unit_test(ranks_by_definition),
        cmocka_unit_test(spearman), cmocka_unit_test(spearman_is_pearson_of_ranks),
        cmocka_unit_test(keys), cmocka_unit_test(shapes), cmocka_unit_test(degenerate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
