/* Sign flips, omnibus, conditions. Expected numbers: statistics 16.1 and 16.2, scorer audit 15.5;
 * what has no published value is compared with brute force written here. */
#include "stats/permute.h"

#include <string.h>

#include "base/error.h"
#include "stats/draws.h"
#include "stats/multiple.h"
#include "stats/special.h"
#include "support/check.h"

typedef struct fixture {
    mem m;
    pool *pool;
    uint64_t h64[256];
    char names[256][8];
    const char *ids[256];
} fixture;

/* Clusters "1", "2", ... when few; zero-padded when many, to be in canonical order. */
static void fixture_init(fixture *f, unsigned threads, size_t n)
{
    f->m = mem_system();
    f->pool = pool_new(&f->m, threads);
    for (size_t i = 0; i < n; i++) {
        snprintf(f->names[i], sizeof f->names[i], n < 10 ? "%zu" : "%03zu", i + 1);
        f->ids[i] = f->names[i];
    }
    draws_hash(f->h64, f->ids, n);
}

static resample_draws signs_of(const fixture *f, const char *analysis, size_t n, uint32_t p)
{
    return (resample_draws){.m = &f->m, .pool = f->pool, .kind = RESAMPLE_SIGNS,
                            .key = rng_key_of(1, analysis), .h64 = f->h64, .clusters = n,
                            .replicates = p};
}

static permute_plan plan_of(const fixture *f, const char *analysis, size_t n, uint32_t p)
{
    return (permute_plan){.m = &f->m, .pool = f->pool, .key = rng_key_of(1, analysis),
                          .h64 = f->h64, .clusters = n, .replicates = p};
}

/* Toy table of scorer audit 15.5: FI and A of the six bases, doses all and extreme. */
static const double fi_all[6] = {8 / 15., -1 / 30., -3 / 5., -1 / 30., 1 / 4., 8 / 15.};
static const double a_all[6] = {2 / 5., -2 / 3., -3 / 5., -8 / 15., 1 / 10., -2 / 5.};

static double score(int i, int j)
{
    return (7 * i * i + 11 * j * j + 3 * i * j) % 17 / 10.;
}

static void extreme(double fi[6], double a[6])
{
    for (int i = 1; i <= 6; i++) {
        double n = score(i, 0) - score(i, 3), p = score(i, 6) - score(i, 3);
        fi[i - 1] = -(n + p) / 2;
        a[i - 1] = p - n;
    }
}

/* ---- Sign flips ------------------------------------------------------------------------------ */

static permute_result flip_one(const fixture *f, const double *x, size_t n, permute_mode mode)
{
    tare_error err;
    permute_result r;
    resample_draws signs = signs_of(f, "toy/flip", n, 999);
    assert_ok(permute_flip(&r, &signs, mode, x, 1, &err));
    return r;
}

static void test_flip_toy(void **state)
{
    (void)state;
    fixture f;
    double fi[6], a[6];
    fixture_init(&f, 1, 6);
    extreme(fi, a);
    assert_int_equal(flip_one(&f, fi_all, 6, PERMUTE_AUTO).count, 40);
    assert_int_equal(flip_one(&f, a_all, 6, PERMUTE_AUTO).count, 12);
    assert_int_equal(flip_one(&f, fi, 6, PERMUTE_AUTO).count, 14);
    permute_result r = flip_one(&f, a, 6, PERMUTE_AUTO);
    assert_int_equal(r.count, 32);
    assert_int_equal(r.total, 64);
    assert_true(r.exact && r.p == 0.5 && r.p_floor == 2 / 64.);
    r = flip_one(&f, fi_all, 6, PERMUTE_SAMPLED);
    assert_int_equal(r.count, 648);
    assert_close(r.p, 0.649);
    assert_false(r.exact);
    pool_free(f.pool);
}

static void test_flip_hollander_wolfe(void **state)
{
    (void)state;
    static const double x[9] = {.952, -.147, 1.022, .43, .62, .59, .49, -.08, .01};
    fixture f;
    fixture_init(&f, 1, 9);
    permute_result r = flip_one(&f, x, 9, PERMUTE_EXACT);
    assert_int_equal(r.count, 14);
    assert_close(r.p, 0.02734375);
    pool_free(f.pool);
}

/* Exact against every sign pattern in one loop, at sizes that split evenly and not; clusters
 * without data are as if they were not there. */
static void test_flip_exact_is_brute_force(void **state)
{
    (void)state;
    fixture f;
    fixture_init(&f, 1, 14);
    rng_stream s;
    rng_start(&s, rng_key_of(2, "flip"), 0, 0);
    for (size_t n = 1; n <= 13; n++) {
        double x[14], sum = 0, scale = 0;
        uint64_t count = 0;
        for (size_t i = 0; i < n; i++) {
            x[i] = ((double)rng_bounded(&s, 21) - 8) / 10; /* many ties */
            sum += x[i];
            scale += fabs(x[i]) / (double)n;
        }
        for (unsigned pattern = 0; pattern < 1u << n; pattern++) {
            double t = 0;
            for (size_t i = 0; i < n; i++) t += pattern >> i & 1 ? -x[i] : x[i];
            count += fabs(t) >= fabs(sum) - 1e-12 * fmax(fabs(sum), scale);
        }
        assert_int_equal(flip_one(&f, x, n, PERMUTE_EXACT).count, count);
        x[n] = NAN;
        assert_int_equal(flip_one(&f, x, n + 1, PERMUTE_EXACT).count, count);
    }
    pool_free(f.pool);
}

static void test_flip_sampled_is_near_exact(void **state)
{
    (void)state;
    fixture f;
    tare_error err;
    double x[2 * 18];
    permute_result exact[2], sampled[2];
    rng_stream s;
    fixture_init(&f, 2, 18);
    rng_start(&s, rng_key_of(3, "flip"), 0, 0);
    for (int i = 0; i < 36; i++) x[i] = rng_uniform(&s) - (i < 18 ? 0.4 : 0.3);
    resample_draws signs = signs_of(&f, "near/flip", 18, 9999);
    assert_ok(permute_flip(exact, &signs, PERMUTE_AUTO, x, 2, &err));
    assert_ok(permute_flip(sampled, &signs, PERMUTE_SAMPLED, x, 2, &err));
    for (int j = 0; j < 2; j++) {
        double p = exact[j].p;
        assert_true(exact[j].exact && !sampled[j].exact);
        assert_within(sampled[j].p, p, 0, 5 * sqrt(p * (1 - p) / 9999) + 1e-4);
    }
    pool_free(f.pool);
}

static void test_flip_bad_input(void **state)
{
    (void)state;
    fixture f;
    tare_error err;
    permute_result r;
    double x[30];
    fixture_init(&f, 1, 30);
    resample_draws signs = signs_of(&f, "bad/flip", 30, 99);
    for (int i = 0; i < 30; i++) x[i] = NAN;
    assert_ok(permute_flip(&r, &signs, PERMUTE_AUTO, x, 1, &err));
    assert_true(isnan(r.p));
    for (int i = 0; i < 30; i++) x[i] = 0;
    assert_int_equal(permute_flip(&r, &signs, PERMUTE_EXACT, x, 1, &err), TARE_E_USAGE);
    assert_ok(permute_flip(&r, &signs, PERMUTE_AUTO, x, 1, &err));
    assert_true(r.p == 1);
    pool_free(f.pool);
}

/* ---- Omnibus --------------------------------------------------------------------------------- */

static const uint32_t toy_group[6] = {0, 0, 1, 1, 2, 2};

static void test_omnibus_toy(void **state)
{
    (void)state;
    fixture f;
    tare_error err;
    omnibus_result r[2];
    fixture_init(&f, 2, 6);
    permute_plan plan = plan_of(&f, "toy/omni", 6, 999);
    omnibus_column columns[2] = {{fi_all, NULL, toy_group, 3}, {a_all, NULL, toy_group, 3}};
    assert_ok(permute_omnibus(r, &plan, columns, 2, &err));
    assert_close(r[0].range.statistic, 17 / 24.);
    assert_int_equal(r[0].range.count, 42);
    assert_int_equal(r[0].range.total, 90);
    assert_true(r[0].range.exact && r[0].high == 2 && r[0].low == 1);
    assert_close(r[1].range.statistic, 13 / 30.);
    assert_int_equal(r[1].range.count, 72);
    plan.mode = PERMUTE_SAMPLED;
    assert_ok(permute_omnibus(r, &plan, columns, 2, &err));
    assert_int_equal(r[0].range.count, 457);
    assert_close(r[0].range.p, 0.458);
    pool_free(f.pool);
}

/* T of every replicate, on request: as many reach T as p says, and they are those of the sampled
 * permutations where p itself is exact. */
static void test_omnibus_null(void **state)
{
    (void)state;
    enum { P = 999 };
    static double fi[P], a[P], again[P];
    double *const wanted[2] = {fi, a}, *const second[2] = {NULL, again};
    fixture f;
    tare_error err;
    omnibus_result sampled[2], exact[2];
    omnibus_column columns[2] = {{fi_all, NULL, toy_group, 3}, {a_all, NULL, toy_group, 3}};
    fixture_init(&f, 2, 6);
    permute_plan plan = plan_of(&f, "toy/omni", 6, P);
    plan.mode = PERMUTE_SAMPLED;
    plan.null = wanted;
    assert_ok(permute_omnibus(sampled, &plan, columns, 2, &err));
    for (int j = 0; j < 2; j++) {
        uint64_t reached = 0;
        for (int r = 0; r < P; r++)
            reached += wanted[j][r] >= sampled[j].range.statistic - 1e-12;
        assert_int_equal(reached, sampled[j].range.count);
    }
    plan.mode = PERMUTE_AUTO;
    plan.null = second;
    assert_ok(permute_omnibus(exact, &plan, columns, 2, &err));
    assert_true(exact[1].range.exact && exact[1].range.count == 72);
    assert_memory_equal(a, again, sizeof a);
    const double same[6] = {1, 1, 1, 1, 1, 1};
    again[0] = -1;
    columns[1].sum = same;
    assert_ok(permute_omnibus(exact, &plan, columns, 2, &err));
    assert_true(exact[1].degenerate && again[0] == -1);
    pool_free(f.pool);
}

/* The largest pair's Welch test: means and variances of {1,2,3,4}, {2,4,6,8}: t -1.732050808, df
 * 4.411764706 (by hand: 75/17); p from the t distribution. */
static void test_omnibus_pair(void **state)
{
    (void)state;
    static const double x[8] = {1, 2, 3, 4, 2, 4, 6, 8};
    static const uint32_t group[8] = {0, 0, 0, 0, 3, 3, 3, 3};
    fixture f;
    tare_error err;
    omnibus_result r;
    fixture_init(&f, 1, 8);
    permute_plan plan = plan_of(&f, "pair", 8, 99);
    omnibus_column column = {x, NULL, group, 4};
    assert_ok(permute_omnibus(&r, &plan, &column, 1, &err));
    assert_int_equal(r.high, 3);
    assert_int_equal(r.low, 0);
    assert_int_equal(r.groups, 2);
    assert_close(r.pair_t, sqrt(3));
    assert_close(r.pair_df, 75 / 17.);
    assert_close(r.pair_p, t_p(sqrt(3), 75 / 17.));
    assert_close(r.student.statistic, sqrt(3));
    pool_free(f.pool);
}

/* Range and largest Welch t of one labeling, with clusters of several values. */
static void by_definition(double out[2], const double *sum, const double *count,
                          const uint32_t *label, size_t n, size_t groups)
{
    double mean[8], variance[8], high = -1e300, low = 1e300;
    for (size_t g = 0; g < groups; g++) {
        double s = 0, c = 0, square = 0, k = 0;
        for (size_t i = 0; i < n; i++)
            if (label[i] == g) s += sum[i], c += count[i], k++;
        mean[g] = s / c;
        for (size_t i = 0; i < n; i++)
            if (label[i] == g) square += pow(sum[i] - count[i] * mean[g], 2);
        variance[g] = square * k / (k - 1) / (c * c);
        high = fmax(high, mean[g]);
        low = fmin(low, mean[g]);
    }
    out[0] = high - low;
    out[1] = 0;
    for (size_t g = 0; g < groups; g++)
        for (size_t h = 0; h < g; h++)
            out[1] = fmax(out[1], fabs(mean[g] - mean[h]) / sqrt(variance[g] + variance[h]));
}

/* All 3^7 assignments that have the group sizes (and strata) of the data: the exact test. */
static void test_omnibus_exact_is_brute_force(void **state)
{
    (void)state;
    enum { N = 7 };
    static const double sum[N] = {1, 4, 2.5, -3, 7, 2, 0.25}, count[N] = {1, 2, 1, 3, 2, 1, 1};
    static const uint32_t group[N] = {0, 1, 2, 2, 0, 1, 1}, stratum[N] = {0, 0, 1, 1, 0, 1, 0};
    fixture f;
    tare_error err;
    omnibus_result r;
    fixture_init(&f, 1, N);
    for (int stratified = 0; stratified < 2; stratified++) {
        permute_plan plan = plan_of(&f, "brute", N, 99);
        omnibus_column column = {sum, count, group, 3};
        uint64_t total = 0, range = 0, student = 0;
        double observed[2], t[2];
        if (stratified) {
            plan.stratum = stratum;
            plan.strata = 2;
        }
        by_definition(observed, sum, count, group, N, 3);
        for (int code = 0; code < 2187; code++) {
            uint32_t label[N];
            int left = code, same = 1, tally[2][3] = {{0}};
            for (int i = 0; i < N; i++, left /= 3) {
                label[i] = (uint32_t)(left % 3);
                tally[stratified ? stratum[i] : 0][label[i]]++;
                tally[stratified ? stratum[i] : 0][group[i]]--;
            }
            for (int i = 0; i < 6; i++) same = same && tally[i / 3][i % 3] == 0;
            if (!same) continue;
            by_definition(t, sum, count, label, N, 3);
            total++;
            range += t[0] >= observed[0] - 1e-12;
            student += t[1] >= observed[1] - 1e-9;
        }
        assert_ok(permute_omnibus(&r, &plan, &column, 1, &err));
        assert_close(r.range.statistic, observed[0]);
        assert_close(r.student.statistic, observed[1]);
        assert_int_equal(r.range.total, total);
        assert_int_equal(r.range.count, range);
        assert_int_equal(r.student.count, student);
        plan.mode = PERMUTE_SAMPLED;
        plan.replicates = 20000;
        double p = r.range.p, ps = r.student.p;
        assert_ok(permute_omnibus(&r, &plan, &column, 1, &err));
        assert_within(r.range.p, p, 0, 5 * sqrt(p * (1 - p) / 20000) + 5e-5);
        assert_within(r.student.p, ps, 0, 5 * sqrt(ps * (1 - ps) / 20000) + 5e-5);
    }
    pool_free(f.pool);
}

/* The omnibus p is the single-step max-T p of the largest pair (statistics 17), to the bit. */
static void test_omnibus_is_max_t(void **state)
{
    (void)state;
    enum { N = 40, G = 4, PAIRS = G * (G - 1) / 2, B = 700 };
    static double replicates[B * PAIRS];
    double x[N], t[PAIRS], q[PAIRS];
    uint32_t group[N], order[N];
    uint64_t scratch[DRAWS_ORDER_SCRATCH(N)];
    fixture f;
    tare_error err;
    omnibus_result r;
    rng_stream s;
    fixture_init(&f, 1, N);
    rng_start(&s, rng_key_of(6, "maxt"), 0, 0);
    for (uint32_t i = 0; i < N; i++) {
        group[i] = i % G;
        x[i] = rng_uniform(&s) + (group[i] == 2 ? .15 : 0);
    }
    permute_plan plan = plan_of(&f, "maxt", N, B);
    for (uint32_t b = 0; b <= B; b++) { /* the last one is the identity */
        double mean[G] = {0};
        draws_order(order, scratch, plan.key, b, f.h64, N);
        for (uint32_t j = 0; j < N; j++) mean[group[j]] += x[b < B ? order[j] : j] / (N / G);
        size_t pair = 0;
        for (int g = 1; g < G; g++)
            for (int h = 0; h < g; h++, pair++)
                *(b < B ? &replicates[b * PAIRS + pair] : &t[pair]) = mean[g] - mean[h];
    }
    multiple_maxt family = {.t = t, .replicates = replicates, .n = PAIRS, .count = B, .scale = 1};
    assert_ok(multiple_maxt_single(q, NULL, &family, &f.m, &err));
    omnibus_column column = {x, NULL, group, G};
    assert_ok(permute_omnibus(&r, &plan, &column, 1, &err));
    double smallest = 1;
    for (int i = 0; i < PAIRS; i++) smallest = fmin(smallest, q[i]);
    assert_true(smallest == r.range.p && smallest < .5);
    pool_free(f.pool);
}

/* A column has the same answer alone and beside others, at any number of threads, and clusters that
 * are left out may as well not be there. */
static void test_omnibus_determinism(void **state)
{
    (void)state;
    enum { N = 120 };
    static const unsigned threads[4] = {1, 2, 3, 8};
    double x[N], y[N], count[N], less_x[N];
    uint32_t group[N], less_group[N];
    omnibus_result first = {.clusters = 0}, r[2];
    tare_error err;
    rng_stream s;
    rng_start(&s, rng_key_of(4, "omni"), 0, 0);
    for (int i = 0; i < N; i++) {
        x[i] = rng_uniform(&s);
        y[i] = rng_uniform(&s);
        count[i] = i % 10 != 3;
        group[i] = i % 13 == 5 ? OMNIBUS_NONE : rng_bounded(&s, 4);
    }
    for (int t = 0; t < 4; t++) {
        fixture f;
        fixture_init(&f, threads[t], N);
        permute_plan plan = plan_of(&f, "omni", N, 500);
        omnibus_column columns[2] = {{y, NULL, group, 4}, {x, count, group, 4}};
        assert_ok(permute_omnibus(r, &plan, columns, 2, &err));
        if (t == 0) first = r[1];
        assert_true(r[1].range.count == first.range.count && r[1].range.p == first.range.p);
        assert_true(r[1].student.count == first.student.count);
        assert_ok(permute_omnibus(r, &plan, columns + 1, 1, &err));
        assert_true(r[0].range.count == first.range.count && r[0].pair_p == first.pair_p);
        size_t n = 0;
        for (int i = 0; i < N; i++) {
            if (group[i] == OMNIBUS_NONE || count[i] == 0) continue;
            less_x[n] = x[i];
            less_group[n] = group[i];
            f.h64[n++] = f.h64[i];
        }
        plan.clusters = n;
        omnibus_column less = {less_x, NULL, less_group, 4};
        assert_ok(permute_omnibus(r, &plan, &less, 1, &err));
        assert_int_equal(r[0].clusters, first.clusters);
        assert_int_equal(r[0].range.count, first.range.count);
        pool_free(f.pool);
    }
}

static void test_omnibus_degenerate(void **state)
{
    (void)state;
    static const double same[6] = {.1, .1, .1, .1, .1, .1}, count[6] = {0};
    static const double apart[6] = {1, 1, 2, 2, 3, 3};
    static const uint32_t one[6] = {1, 1, 1, 1, 1, 1}, bad[6] = {0, 0, 1, 1, 2, 9};
    static const uint32_t alone[6] = {0, 1, 2, 3, 4, 5};
    fixture f;
    tare_error err;
    omnibus_result r;
    fixture_init(&f, 1, 6);
    permute_plan plan = plan_of(&f, "deg", 6, 99);
    omnibus_column column = {same, NULL, toy_group, 3};
    assert_ok(permute_omnibus(&r, &plan, &column, 1, &err));
    assert_true(r.degenerate && isnan(r.range.p) && isnan(r.student.p));
    column = (omnibus_column){apart, NULL, one, 3};
    assert_ok(permute_omnibus(&r, &plan, &column, 1, &err));
    assert_true(r.degenerate && r.groups == 1);
    column = (omnibus_column){apart, count, toy_group, 3};
    assert_ok(permute_omnibus(&r, &plan, &column, 1, &err));
    assert_true(r.degenerate && r.clusters == 0);
    column = (omnibus_column){apart, NULL, toy_group, 5000}; /* of which three are in use */
    assert_ok(permute_omnibus(&r, &plan, &column, 1, &err));
    assert_int_equal(r.groups, 3);
    column = (omnibus_column){apart, NULL, bad, 3};
    assert_int_equal(permute_omnibus(&r, &plan, &column, 1, &err), TARE_E_USAGE);
    column = (omnibus_column){apart, NULL, alone, 6}; /* groups of one: no spread to be had */
    assert_ok(permute_omnibus(&r, &plan, &column, 1, &err));
    assert_true(r.range.p == 1 && isnan(r.student.p) && isnan(r.pair_p));
    column = (omnibus_column){apart, NULL, toy_group, 3}; /* no spread within: T_s infinite */
    assert_ok(permute_omnibus(&r, &plan, &column, 1, &err));
    assert_true(isinf(r.student.statistic));
    assert_int_equal(r.range.count, 6); /* the names of three groups */
    pool_free(f.pool);
}

static void test_labelings(void **state)
{
    (void)state;
    uint32_t label[200], stratum[200];
    uint64_t scratch[400];
    for (uint32_t i = 0; i < 200; i++) {
        label[i] = i % 2;
        stratum[i] = i / 100;
    }
    assert_int_equal(permute_labelings(toy_group, NULL, 6, 3, 1, scratch), 90);
    assert_int_equal(permute_labelings(label, NULL, 20, 2, 1, scratch), 184756); /* C(20,10) */
    assert_int_equal(permute_labelings(label, stratum, 104, 2, 2, scratch), UINT64_MAX);
    assert_int_equal(permute_labelings(label + 96, stratum + 96, 8, 2, 2, scratch), 36); /* 6 x 6 */
    assert_int_equal(permute_labelings(label, NULL, 200, 2, 1, scratch), UINT64_MAX);
    assert_int_equal(permute_labelings(label, NULL, 0, 2, 1, scratch), 1);
}

/* ---- Conditions ------------------------------------------------------------------------------ */

static void test_conditions(void **state)
{
    (void)state;
    enum { N = 100, G = 4 };
    uint8_t missing[N * G] = {0};
    fixture f;
    tare_error err;
    permute_result r;
    fixture_init(&f, 2, N);
    permute_plan plan = plan_of(&f, "missing", N, 999);
    assert_ok(permute_conditions(&r, &plan, missing, G, &err));
    assert_true(r.p == 1 && r.statistic == 0);
    /* Twelve clusters lose the last condition, none another: chance of that is 4^-11. */
    for (int i = 0; i < 12; i++) missing[i * G + 3] = 1;
    memset(missing + 50 * G, 1, G); /* a cluster that lost everything says nothing */
    assert_ok(permute_conditions(&r, &plan, missing, G, &err));
    assert_close(r.statistic, 0.12);
    assert_close(r.p, 1 / 1000.);
    assert_close(r.p_floor, 1 / 1000.);
    /* Spread evenly: the smallest possible statistic. */
    for (int i = 0; i < 12; i++) {
        memset(missing + i * G, 0, G);
        missing[i * G + i % G] = 1;
    }
    assert_ok(permute_conditions(&r, &plan, missing, G, &err));
    assert_true(r.statistic == 0 && r.p == 1);
    pool_free(f.pool);
}

/* Two clusters, two conditions, both missing the same one: half of all arrangements agree. */
static void test_conditions_probability(void **state)
{
    (void)state;
    static const uint8_t missing[4] = {1, 0, 1, 0};
    fixture f;
    tare_error err;
    permute_result r;
    fixture_init(&f, 3, 2);
    permute_plan plan = plan_of(&f, "half", 2, 9999);
    assert_ok(permute_conditions(&r, &plan, missing, 2, &err));
    assert_close(r.statistic, 1);
    assert_within(r.p, 0.5, 0, 5 * 0.5 / 100);
    pool_free(f.pool);
}

/* ---- Memory ---------------------------------------------------------------------------------- */

typedef struct rationed {
    mem system;
    long left;
} rationed;

static void *resize_rationed(void *user, void *pointer, size_t bytes)
{
    rationed *r = user;
    if (bytes > 0 && r->left-- <= 0) return NULL;
    return r->system.resize(r->system.user, pointer, bytes);
}

static void test_every_allocation(void **state)
{
    (void)state;
    static const uint8_t missing[12] = {1, 0, 1, 0, 0, 1};
    fixture f;
    tare_error err;
    rationed r = {mem_system(), 0};
    mem m = {resize_rationed, &r};
    tare_status status = TARE_E_MEMORY;
    long ration = 0;
    fixture_init(&f, 1, 6);
    permute_plan plan = plan_of(&f, "mem", 6, 50);
    resample_draws signs = signs_of(&f, "mem", 6, 50);
    omnibus_column column = {fi_all, NULL, toy_group, 3};
    plan.m = signs.m = &m;
    plan.mode = PERMUTE_SAMPLED;
    for (; status != TARE_OK; ration++) {
        permute_result p;
        omnibus_result o;
        r.left = ration;
        status = permute_omnibus(&o, &plan, &column, 1, &err);
        if (status == TARE_OK) status = permute_conditions(&p, &plan, missing, 2, &err);
        if (status == TARE_OK)
            status = permute_flip(&p, &signs, PERMUTE_SAMPLED, fi_all, 1, &err);
        assert_true(status == TARE_OK || status == TARE_E_MEMORY);
    }
    assert_true(ration > 5);
    pool_free(f.pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_flip_toy),
        cmocka_unit_test(test_flip_hollander_wolfe),
        cmocka_unit_test(test_flip_exact_is_brute_force),
        cmocka_unit_test(test_flip_sampled_is_near_exact),
        cmocka_unit_test(test_flip_bad_input),
        cmocka_unit_test(test_omnibus_toy),
        cmocka_unit_test(test_omnibus_null),
        cmocka_unit_test(test_omnibus_pair),
        cmocka_unit_test(test_omnibus_exact_is_brute_force),
        cmocka_unit_test(test_omnibus_is_max_t),
        cmocka_unit_test(test_omnibus_determinism),
        cmocka_unit_test(test_omnibus_degenerate),
        cmocka_unit_test(test_labelings),
        cmocka_unit_test(test_conditions),
        cmocka_unit_test(test_conditions_probability),
        cmocka_unit_test(test_every_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
