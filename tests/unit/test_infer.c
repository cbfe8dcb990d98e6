/* The rules of infer.h. Expected numbers: statistics 16.2 (R), scorer audit 15.5; the rest from
 * definitions written here. */

#include "stats/interval.h"
#include "stats/linear.h"
#include "stats/moments.h"
#include "stats/special.h"
#include "unit/infer_fixture.h"

static const double fi[6] = {8 / 15., -1 / 30., -3 / 5., -1 / 30., 1 / 4., 8 / 15.};

/* ---- Means ----------------------------------------------------------------------------------- */

static void test_toy_small(void **state)
{
    (void)state;
    fixture f;
    inference r;
    fixture_init(&f, "toy", 6, 1);
    r = mean_of(&f.plan, fi, NULL, f.each, 6, &f.keep);
    assert_string_equal(r.reason, "");
    assert_close(r.estimate, 13 / 120.);
    assert_string_equal(r.interval_method, "t");
    assert_string_equal(r.p_method, "sign flip");
    assert_close(r.df, 5);
    assert_within(r.lo, -.342605252153, 0, 1e-12);
    assert_within(r.hi, .55927191882, 0, 1e-11);
    assert_within(r.lo90, -.245152033505, 0, 1e-12);
    assert_within(r.hi90, .461818700172, 0, 1e-12);
    assert_within(r.p_t, .563905086206, 0, 1e-12);
    assert_true(r.p == .625 && r.p_flip == .625 && r.p_floor == 2 / 64.);
    assert_close(r.p_boot, boot_p_centred(r.replicates, 999, r.estimate, 1));
    for (int c = 0; c < 6; c++) assert_close(r.influence[c], fi[c] - 13 / 120.);
    fixture_free(&f);
}

static void test_toy_bootstrap(void **state)
{
    (void)state;
    fixture f;
    inference r;
    fixture_init(&f, "toy", 6, 1);
    f.plan.interval = CI_PERCENTILE;
    r = mean_of(&f.plan, fi, NULL, f.each, 6, NULL);
    assert_null(r.replicates);
    r = mean_of(&f.plan, fi, NULL, f.each, 6, &f.keep);
    assert_string_equal(r.interval_method, "percentile");
    assert_string_equal(r.p_method, "bootstrap");
    double t[999];
    memcpy(t, r.replicates, sizeof t);
    interval ends = interval_percentile(t, 999, .05), inner = interval_percentile(t, 999, .1);
    assert_true(r.lo == ends.lo && r.hi == ends.hi && r.lo90 == inner.lo && r.hi90 == inner.hi);
    assert_close(r.p_floor, .001);
    f.plan.boot_p = P_INVERSION;
    r = mean_of(&f.plan, fi, NULL, f.each, 6, NULL);
    assert_close(r.p, boot_p_inversion(t, 999, 1));
    assert_close(r.p_floor, .002);
    fixture_free(&f);
}

/* From 30 clusters on: percentile, centred p, SD of the replicates. */
static void test_large(void **state)
{
    (void)state;
    fixture f;
    inference r;
    double x[60];
    fixture_init(&f, "large", 60, 2);
    normals(x, 60, "large", .5);
    r = mean_of(&f.plan, x, NULL, f.each, 60, &f.keep);
    assert_string_equal(r.interval_method, "percentile");
    assert_string_equal(r.p_method, "bootstrap");
    assert_close(r.se, moments_sd(r.replicates, 999, 1));
    assert_within(r.se, moments_sd(x, 60, 1) / sqrt(60), .1, 0);
    assert_true(r.lo < r.lo90 && r.lo90 < r.estimate && r.estimate < r.hi90 && r.hi90 < r.hi);
    assert_true(r.df == 59 && r.clusters == 60 && r.n == 60 && r.undefined == 0);
    assert_true(r.p == r.p_boot && r.p_t < .01 && r.p_flip < .01 && !r.under_cover);
    f.plan.interval = CI_BCA;
    inference bca;
    bca = mean_of(&f.plan, x, NULL, f.each, 60, NULL);
    assert_string_equal(bca.interval_method, "BCa");
    assert_within(bca.lo, r.lo, 0, .1);
    f.plan.interval = CI_T;
    r = mean_of(&f.plan, x, NULL, f.each, 60, NULL);
    double half = t_quantile(.975, 59) * moments_sd(x, 60, 1) / sqrt(60);
    assert_close(r.hi - r.lo, 2 * half);
    assert_true(r.p == r.p_t);
    fixture_free(&f);
}

/* Rows in clusters of unequal size: CR2 by its definition on rows, A_g = (I - 11'/N)^-1/2. */
static void test_unequal_sizes(void **state)
{
    (void)state;
    enum { N = 24, M = 9 };
    static const uint32_t cluster[N] = {0, 0, 0, 0, 0, 1, 2, 2, 3, 3, 3, 4,
                                        4, 5, 5, 6, 6, 6, 7, 7, 7, 7, 8, 8};
    fixture f;
    inference r;
    double x[N], sum[M] = {0}, count[M] = {0}, v = 0;
    fixture_init(&f, "cr2", M, 1);
    normals(x, N, "cr2", 1);
    r = mean_of(&f.plan, x, NULL, cluster, N, NULL);
    for (int i = 0; i < N; i++) {
        sum[cluster[i]] += x[i];
        count[cluster[i]]++;
    }
    for (int g = 0; g < M; g++)
        v += pow(sum[g] - count[g] * r.estimate, 2) / (1 - count[g] / N) / (N * N);
    assert_close(r.estimate, moments_mean(x, N));
    assert_close(r.se, sqrt(v));
    assert_true(r.df > 3 && r.df < 8);
    assert_string_equal(r.interval_method, "CR2");
    assert_close(r.hi, r.estimate + t_quantile(.975, r.df) * r.se);
    assert_string_equal(r.p_method, "sign flip");
    fixture_free(&f);
}

/* A cluster without used rows is as if it had no rows; M counts those with data. */
static void test_used_rows(void **state)
{
    (void)state;
    fixture f;
    inference r;
    double x[40];
    bool used[40];
    fixture_init(&f, "used", 40, 1);
    normals(x, 40, "used", 0);
    for (int i = 0; i < 40; i++) used[i] = i % 4 != 0;
    x[0] = NAN; /* not used, so never looked at */
    r = mean_of(&f.plan, x, used, f.each, 40, &f.keep);
    assert_true(r.clusters == 30 && r.n == 30);
    assert_string_equal(r.interval_method, "percentile");
    assert_true(isnan(r.influence[0]) && isfinite(r.influence[1]));
    used[1] = false;
    r = mean_of(&f.plan, x, used, f.each, 40, NULL);
    assert_string_equal(r.interval_method, "t");
    for (int i = 0; i < 40; i++) used[i] = i < 5;
    used[0] = true;
    x[0] = 1;
    r = mean_of(&f.plan, x, used, f.each, 40, NULL);
    assert_string_equal(r.reason, "too_few_clusters");
    assert_true(isfinite(r.estimate) && isnan(r.lo) && isnan(r.p) && isnan(r.se));
    memset(used, 0, sizeof used);
    r = mean_of(&f.plan, x, used, f.each, 40, NULL);
    assert_string_equal(r.reason, "too_few_clusters");
    assert_true(r.clusters == 0 && isnan(r.estimate));
    fixture_free(&f);
}

static void test_zero_variance(void **state)
{
    (void)state;
    static const size_t sizes[2] = {12, 50};
    for (int i = 0; i < 2; i++) {
        fixture f;
        inference r;
        double x[50];
        fixture_init(&f, "zero", sizes[i], 1);
        for (int c = 0; c < 50; c++) x[c] = 0;
        r = mean_of(&f.plan, x, NULL, f.each, sizes[i], NULL);
        assert_true(r.zero_variance && r.estimate == 0 && r.lo == 0 && r.hi == 0 && r.p == 1);
        for (int c = 0; c < 50; c++) x[c] = .1;
        r = mean_of(&f.plan, x, NULL, f.each, sizes[i], &f.keep);
        assert_true(r.zero_variance && r.lo == r.estimate && r.hi == r.estimate && r.se == 0);
        assert_close(r.estimate, .1);
        assert_close(r.p, i == 0 ? 2 / 4096. : 1 / 1000.);
        assert_true(r.p == r.p_floor);
        assert_close(r.replicates[7], .1);
        fixture_free(&f);
    }
}

static void test_warnings(void **state)
{
    (void)state;
    fixture f;
    inference r;
    double x[40];
    fixture_init(&f, "warn", 40, 1);
    for (int i = 0; i < 40; i++) x[i] = i % 2 ? 1 : -1;
    r = mean_of(&f.plan, x, NULL, f.each, 40, NULL);
    assert_false(r.under_cover);
    x[7] = 9; /* one cluster with more than a quarter of the squares */
    r = mean_of(&f.plan, x, NULL, f.each, 40, NULL);
    assert_true(r.under_cover && r.skewness > 1);
    x[7] = INFINITY;
    r = mean_of(&f.plan, x, NULL, f.each, 40, NULL);
    assert_string_equal(r.reason, "degenerate");
    assert_true(isnan(r.estimate));
    f.plan.boot_b = 20; /* ranks .525 and 20.475 */
    x[7] = 0;
    r = mean_of(&f.plan, x, NULL, f.each, 40, NULL);
    assert_true(r.extreme);
    fixture_free(&f);
}

static void assert_same(const inference *a, const inference *b)
{
    inference x = *a, y = *b;
    x.replicates = x.influence = y.replicates = y.influence = NULL;
    assert_memory_equal(&x, &y, sizeof x);
}

/* Columns together, alone, with prepared draws, with 1, 2, 3 and 8 threads: the same bits. */
static void test_determinism(void **state)
{
    (void)state;
    enum { M = 50, N = 150, K = 5 };
    static const unsigned threads[4] = {1, 2, 3, 8};
    static double x[K][N];
    static bool used[N];
    uint32_t cluster[N];
    inference first[K], r[K], one;
    tare_error err;
    memset(first, 0, sizeof first);
    for (int i = 0; i < N; i++) {
        cluster[i] = (uint32_t)(i * 7 % M);
        used[i] = i % 11 != 0;
    }
    for (int j = 0; j < K; j++) normals(x[j], N, j % 2 ? "odd" : "even", .1 * j);
    for (int t = 0; t < 4; t++) {
        fixture f;
        infer_column columns[K];
        infer_rows rows = {cluster, N};
        infer_draws *draws = NULL;
        fixture_init(&f, "same", M, threads[t]);
        for (int j = 0; j < K; j++) columns[j] = (infer_column){x[j], j == 3 ? used : NULL};
        assert_ok(infer_means(r, &f.plan, columns, K, &rows, &f.keep, &err));
        if (t == 0) memcpy(first, r, sizeof first);
        for (int j = 0; j < K; j++) assert_same(&r[j], &first[j]);
        assert_ok(infer_plan_prepare(&draws, &f.plan, &err));
        f.plan.draws = draws;
        for (int j = 0; j < K; j++) {
            one = mean_of(&f.plan, x[j], columns[j].used, cluster, N, NULL);
            assert_same(&one, &first[j]);
        }
        infer_draws_free(draws);
        fixture_free(&f);
    }
}

/* s -> a s + b with a > 0 leaves p alone. */
static void test_invariance(void **state)
{
    (void)state;
    fixture f;
    inference a, b;
    double x[45], y[45];
    fixture_init(&f, "inv", 45, 1);
    normals(x, 45, "inv", .2);
    for (int i = 0; i < 45; i++) y[i] = 1024 * x[i];
    a = mean_of(&f.plan, x, NULL, f.each, 45, NULL);
    b = mean_of(&f.plan, y, NULL, f.each, 45, NULL);
    assert_true(a.p == b.p && a.p_t == b.p_t && a.p_flip == b.p_flip);
    assert_close(b.lo, 1024 * a.lo);
    fixture_free(&f);
}

/* ---- Smooth functions ------------------------------------------------------------------------ */

static double never(const double *total, size_t p, const void *user)
{
    (void)total;
    (void)p;
    (void)user;
    return NAN;
}

/* Undefined where the first cluster was not drawn. */
static double often_undefined(const double *total, size_t p, const void *user)
{
    (void)p;
    (void)user;
    return total[0] > 0.5 ? total[1] : NAN;
}

static void slopes(double *values, const double *total, size_t p, const void *user)
{
    (void)p;
    (void)user;
    linear_solve_spd(values, total, 2);
}

static void test_totals_are_means(void **state)
{
    (void)state;
    static const size_t sizes[2] = {14, 70};
    tare_error err;
    for (int i = 0; i < 2; i++) {
        fixture f;
        inference mean, total[3];
        double x[70], z[70 * 4];
        size_t m = sizes[i];
        fixture_init(&f, "tot", m, 2);
        normals(x, m, "tot", .3);
        for (size_t c = 0; c < m; c++) {
            z[c * 4] = 5;
            z[c * 4 + 1] = x[c];
            z[c * 4 + 2] = 1;
            z[c * 4 + 3] = INFINITY;
        }
        infer_smooth g[3] = {{.g = ratio, .first = 1, .count = 2, .n = m},
                             {.g = never, .first = 0, .count = 2},
                             {.g = ratio, .first = 2, .count = 2}};
        mean = mean_of(&f.plan, x, NULL, f.each, m, &f.keep);
        assert_ok(infer_totals(total, &f.plan, &(infer_sums){z, 4}, g, 3, &f.keep, &err));
        assert_string_equal(total[0].reason, "");
        assert_close(total[0].estimate, mean.estimate);
        assert_close(total[0].se, mean.se); /* the jackknife of a mean is its SE */
        assert_close(total[0].lo, mean.lo);
        assert_close(total[0].hi90, mean.hi90);
        assert_close(total[0].p_boot, mean.p_boot);
        assert_close(total[0].p_t, i ? total[0].p_t : mean.p_t);
        assert_true(total[0].n == m && total[0].clusters == m);
        assert_string_equal(total[0].interval_method, i ? "percentile" : "jackknife t");
        for (size_t c = 0; c < m; c++)
            assert_within(total[0].influence[c], mean.influence[c], 1e-9, 1e-10);
        assert_string_equal(total[1].reason, "degenerate");
        assert_string_equal(total[2].reason, "degenerate"); /* an infinite column */
        fixture_free(&f);
    }
}

static void test_undefined_replicates(void **state)
{
    (void)state;
    fixture f;
    tare_error err;
    inference r;
    double z[40 * 2];
    fixture_init(&f, "undef", 40, 1);
    for (int c = 0; c < 40; c++) {
        z[2 * c] = c == 0;
        z[2 * c + 1] = c % 5 + 1;
    }
    infer_smooth g = {.g = often_undefined};
    assert_ok(infer_totals(&r, &f.plan, &(infer_sums){z, 2}, &g, 1, NULL, &err));
    assert_string_equal(r.reason, "degenerate_replicates");
    assert_within((double)r.undefined, 999 * exp(-1), .15, 0); /* a cluster is left out in e^-1 */
    assert_true(isfinite(r.estimate) && isnan(r.p));
    fixture_free(&f);
}

/* y = 2 a - 3 b + noise within items: coefficients together, CR2 passed in, exact fit. */
static void test_regression(void **state)
{
    (void)state;
    enum { M = 12, W = LINEAR_SUMS_WIDTH(2) };
    fixture f;
    tare_error err;
    inference r[2];
    double a[5], b[5], e[5], z[M * W];
    static const double cr2[4] = {.25, 7.5, .5, 6.25};
    fixture_init(&f, "reg", M, 1);
    for (int exact = 0; exact < 2; exact++) {
        memset(z, 0, sizeof z);
        for (int c = 0; c < M; c++) {
            normals(a, 5, f.ids[c], 0);
            normals(b, 5, f.ids[M - 1 - c], 1);
            normals(e, 5, exact ? "a" : f.ids[c / 2], 0);
            for (int i = 0; i < 5; i++) {
                double y = 2 * a[i] - 3 * b[i] + (exact ? 0 : e[i]);
                double add[W] = {a[i] * a[i], a[i] * b[i], b[i] * b[i], a[i] * y, b[i] * y, y * y,
                                 1};
                for (int j = 0; j < W; j++) z[c * W + j] += add[j];
            }
        }
        infer_smooth g = {.many = slopes, .outputs = 2, .n = 5 * M};
        assert_ok(infer_totals(r, &f.plan, &(infer_sums){z, W}, &g, 1, &f.keep, &err));
        if (exact) {
            assert_close(r[0].estimate, 2);
            assert_close(r[1].estimate, -3);
            assert_true(r[0].zero_variance && r[1].zero_variance && r[0].p == .001);
            continue;
        }
        assert_string_equal(r[0].interval_method, "jackknife t");
        assert_true(r[0].lo < r[0].estimate && r[0].se > 0 && r[0].df == M - 1);
        g.cr2 = cr2;
        assert_ok(infer_totals(r, &f.plan, &(infer_sums){z, W}, &g, 1, &f.keep, &err));
        for (int j = 0; j < 2; j++) {
            assert_string_equal(r[j].interval_method, "CR2");
            assert_close(r[j].hi, r[j].estimate + t_quantile(.975, cr2[2 * j + 1]) * cr2[2 * j]);
            assert_close(r[j].p, t_p(r[j].estimate / cr2[2 * j], cr2[2 * j + 1]));
        }
    }
    fixture_free(&f);
}

/* ---- Differences ----------------------------------------------------------------------------- */

static void test_difference_paired(void **state)
{
    (void)state;
    static const size_t sizes[2] = {15, 80};
    tare_error err;
    for (int i = 0; i < 2; i++) {
        fixture f;
        inference a, b, d, direct;
        double x[80], y[80], difference[80];
        size_t m = sizes[i];
        fixture_init(&f, "pair", m, 1);
        normals(x, m, "x", .8);
        normals(y, m, "y", .1);
        for (size_t c = 0; c < m; c++) difference[c] = x[c] - y[c];
        a = mean_of(&f.plan, x, NULL, f.each, m, &f.keep);
        b = mean_of(&f.plan, y, NULL, f.each, m, &f.keep);
        direct = mean_of(&f.plan, difference, NULL, f.each, m, NULL);
        assert_ok(infer_difference(&d, &a, &b, &f.plan, true, &f.keep, &err));
        assert_close(d.estimate, direct.estimate);
        assert_close(d.se, direct.se);
        assert_close(d.lo, direct.lo);
        assert_close(d.hi, direct.hi);
        assert_close(d.p_boot, direct.p_boot);
        assert_close(d.skewness, direct.skewness);
        assert_true(d.clusters == m);
        assert_ok(infer_difference(&d, &a, &a, &f.plan, true, NULL, &err));
        assert_true(d.zero_variance && d.p == 1);
        fixture_free(&f);
    }
}

static void test_difference_independent(void **state)
{
    (void)state;
    fixture f, g;
    tare_error err;
    inference a, b, d;
    double x[60], y[60];
    fixture_init(&f, "one", 12, 1);
    fixture_init(&g, "two", 60, 1);
    normals(x, 60, "x", .8);
    normals(y, 60, "y", 0);
    a = mean_of(&f.plan, x, NULL, f.each, 12, &f.keep);
    b = mean_of(&g.plan, y, NULL, g.each, 60, &g.keep);
    assert_ok(infer_difference(&d, &a, &b, &g.plan, false, NULL, &err));
    double va = a.se * a.se, vb = b.se * b.se;
    assert_string_equal(d.interval_method, "Welch t");
    assert_close(d.se, sqrt(va + vb));
    assert_close(d.df, (va + vb) * (va + vb) / (va * va / 11 + vb * vb / 59));
    assert_close(d.p, t_p(d.estimate / d.se, d.df));
    assert_true(d.clusters == 72 && d.n == 72);
    fixture h;
    fixture_init(&h, "three", 60, 1);
    a = mean_of(&h.plan, x, NULL, h.each, 60, &h.keep);
    assert_ok(infer_difference(&d, &a, &b, &g.plan, false, &g.keep, &err));
    assert_string_equal(d.interval_method, "percentile");
    assert_within(d.se, sqrt(a.se * a.se + b.se * b.se), .1, 0);
    assert_close(d.replicates[3], a.replicates[3] - b.replicates[3]);
    fixture_free(&f);
    fixture_free(&g);
    fixture_free(&h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_toy_small),
        cmocka_unit_test(test_toy_bootstrap),
        cmocka_unit_test(test_large),
        cmocka_unit_test(test_unequal_sizes),
        cmocka_unit_test(test_used_rows),
        cmocka_unit_test(test_zero_variance),
        cmocka_unit_test(test_warnings),
        cmocka_unit_test(test_determinism),
        cmocka_unit_test(test_invariance),
        cmocka_unit_test(test_totals_are_means),
        cmocka_unit_test(test_undefined_replicates),
        cmocka_unit_test(test_regression),
        cmocka_unit_test(test_difference_paired),
        cmocka_unit_test(test_difference_independent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
