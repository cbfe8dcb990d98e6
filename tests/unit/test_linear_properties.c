/* Properties of the linear models on random tables (statistics 9, 10 and 17). */
#include <string.h>

#include "base/rng.h"
#include "stats/linear.h"
#include "stats/special.h"
#include "support/check.h"

static mem heap;
static arena scratch;
static tare_error err;

static int set_up(void **state)
{
    (void)state;
    heap = mem_system();
    arena_init(&scratch, &heap);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    arena_free(&scratch);
    return 0;
}

static void stream(rng_stream *s, const char *name)
{
    rng_start(s, rng_key_of(42, name), 0, 0);
}

static double normal(rng_stream *s)
{
    return norm_quantile(rng_uniform_open(s));
}

static linear_ols fit(const linear_model *model)
{
    linear_ols out;
    assert_ok(linear_fit(&out, model, &scratch, &err));
    return out;
}

static linear_cov cov(const linear_ols *ols, const linear_model *model, linear_kind kind,
                      const linear_clusters *by)
{
    linear_cov out;
    assert_ok(linear_covariance(&out, ols, model, kind, by, &scratch, &err));
    return out;
}

enum { ROWS = 60, LEVELS = 12, MOST_COLUMNS = 2 + 2 * LEVELS };

/* A column from x + p n on for each level above the first. Returns how many columns there are. */
static size_t dummies(double *x, size_t p, const uint32_t *level, size_t n, size_t levels)
{
    for (uint32_t k = 1; k < levels; k++, p++)
        for (size_t i = 0; i < n; i++) x[p * n + i] = level[i] == k;
    return p;
}

/* Both columns of `raw` within the effects. */
static void within(double *to, const double *raw, const uint32_t *level, size_t n, size_t levels)
{
    size_t counts[LEVELS];
    double sums[3 * LEVELS];
    for (int j = 0; j < 2; j++) {
        memcpy(to + (size_t)j * n, raw + (size_t)j * n, n * sizeof *to);
        linear_demean(to + (size_t)j * n, level, n, levels, counts, sums);
    }
}

/* statistics 17: demeaned = dummy model, to 1e-9. Levels of 2 to 5 rows, three to a cluster; every
 * kind of covariance, its df and p. */
static void within_is_dummies(void **state)
{
    (void)state;
    rng_stream s;
    stream(&s, "within");
    for (int trial = 0; trial < 60; trial++) {
        double raw[2 * ROWS], x[2 * ROWS], wide[MOST_COLUMNS * ROWS], y[ROWS], y_within[ROWS];
        double sums[3 * LEVELS];
        uint32_t level[ROWS], cluster[ROWS];
        size_t n = 0, counts[LEVELS];
        for (uint32_t k = 0; k < LEVELS; k++)
            for (uint32_t rows = 2 + rng_bounded(&s, 4); rows > 0; rows--, n++) {
                level[n] = k;
                cluster[n] = k / 3;
            }
        for (size_t i = 0; i < n; i++) {
            raw[i] = normal(&s) + level[i];
            raw[n + i] = normal(&s);
            y[i] = 2 * raw[i] - raw[n + i] + 10 * sin(level[i]) + normal(&s);
        }
        within(x, raw, level, n, LEVELS);
        memcpy(y_within, y, sizeof y);
        linear_demean(y_within, level, n, LEVELS, counts, sums);
        memcpy(wide, raw, sizeof raw);
        size_t p = dummies(wide, 2, level, n, LEVELS);
        const linear_model a = {.n = n, .p = 2, .x = x, .y = y_within, .absorbed = LEVELS,
                                .effect = level, .effects = LEVELS};
        const linear_model b = {.n = n, .p = p, .x = wide, .y = y, .intercept = true};
        const linear_clusters by = {.id = cluster, .count = LEVELS / 3};
        linear_ols fa = fit(&a), fb = fit(&b);
        assert_close(fa.rss, fb.rss);
        for (size_t i = 0; i < n; i++) assert_within(fa.residual[i], fb.residual[i], 1e-9, 1e-11);
        for (int kind = LINEAR_HC0; kind <= LINEAR_CR2; kind++) {
            linear_cov ca = cov(&fa, &a, (linear_kind)kind, &by);
            linear_cov cb = cov(&fb, &b, (linear_kind)kind, &by);
            for (size_t j = 0; j < 2; j++) {
                assert_close(fa.beta[j], fb.beta[j]);
                assert_close(ca.se[j], cb.se[j]);
                assert_close(ca.df[j], cb.df[j]);
                assert_close(linear_p(&fa, &ca, j), linear_p(&fb, &cb, j));
            }
        }
        arena_free(&scratch);
    }
}

/* statistics 17: two-way within = dummies, to 1e-9, in incomplete tables that fall apart now and
 * then. The dummies that are dropped are one for each part beyond the first. */
static void two_way_is_dummies(void **state)
{
    (void)state;
    static const linear_kind kinds[4] = {LINEAR_HC0, LINEAR_HC1, LINEAR_CR0, LINEAR_CR1};
    enum { J = 5, S = 9 };
    rng_stream s;
    int complete = 0, apart = 0;
    stream(&s, "two-way");
    for (int trial = 0; trial < 60; trial++) {
        double raw[2 * ROWS], x[2 * ROWS], wide[MOST_COLUMNS * ROWS], y[ROWS], y_within[ROWS];
        uint32_t judge[ROWS], text[ROWS], keep = trial % 4 == 0 ? 10 : 4 + rng_bounded(&s, 5);
        bool split = trial % 5 == 4, converged[3];
        size_t n = 0, parts, levels;
        for (uint32_t j = 0; j < J; j++)
            for (uint32_t t = 0; t < S; t++) {
                bool block = (j < 2) == (t < 4);
                bool corner = j == (t < 4 ? 0 : 2) || t == (j < 2 ? 0 : 4);
                bool kept = corner || rng_bounded(&s, 10) < keep; /* every level has a row */
                if (!kept || (split && !block)) continue;
                judge[n] = j;
                text[n++] = t;
            }
        for (size_t i = 0; i < n; i++) {
            raw[i] = normal(&s) + judge[i];
            raw[n + i] = (judge[i] + 2 * text[i]) % 3;
            y[i] = raw[i] + .5 * raw[n + i] + 3 * sin(judge[i]) + cos(text[i]) + normal(&s);
        }
        const linear_clusters by[2] = {{.id = text, .count = S}, {.id = judge, .count = J}};
        memcpy(x, raw, sizeof raw);
        memcpy(y_within, y, sizeof y);
        assert_ok(linear_demean_two(converged, x, by, n, &heap, &err));
        assert_ok(linear_demean_two(converged + 1, x + n, by, n, &heap, &err));
        assert_ok(linear_demean_two(converged + 2, y_within, by, n, &heap, &err));
        assert_true(converged[0] && converged[1] && converged[2]);
        assert_ok(linear_components(&parts, NULL, by, n, &heap, &err));
        memcpy(wide, raw, sizeof raw);
        levels = dummies(wide, dummies(wide, 2, judge, n, J), text, n, S);
        const linear_model a = {.n = n, .p = 2, .x = x, .y = y_within, .absorbed = J + S - parts};
        const linear_model b = {.n = n, .p = levels, .x = wide, .y = y, .intercept = true};
        linear_ols fa = fit(&a), fb = fit(&b);
        assert_int_equal(fa.rank + a.absorbed, fb.rank + 1);
        for (size_t i = 0; i < n; i++) assert_within(fa.residual[i], fb.residual[i], 1e-9, 1e-10);
        for (size_t j = 0; j < 2; j++) assert_close(fa.beta[j], fb.beta[j]);
        for (int k = 0; k < 4; k++) {
            linear_cov ca = cov(&fa, &a, kinds[k], by), cb = cov(&fb, &b, kinds[k], by);
            for (size_t j = 0; j < 2; j++) assert_close(ca.se[j], cb.se[j]);
        }
        complete += n == J * S;
        apart += parts > 1;
        arena_free(&scratch);
    }
    assert_true(complete >= 10 && apart >= 10);
}

/* A complete table needs no iteration: subtract both means, add the grand mean (statistics 10). */
static void two_way_of_complete_table(void **state)
{
    (void)state;
    enum { J = 6, S = 7 };
    rng_stream s;
    stream(&s, "complete");
    for (int trial = 0; trial < 50; trial++) {
        double v[J * S], raw[J * S], row[J] = {0}, column[S] = {0}, grand = 0;
        uint32_t judge[J * S], text[J * S];
        bool converged;
        for (uint32_t i = 0; i < J * S; i++) {
            judge[i] = i / S;
            text[i] = i % S;
            v[i] = raw[i] = normal(&s) * 10;
            row[i / S] += raw[i] / S;
            column[i % S] += raw[i] / J;
            grand += raw[i] / (J * S);
        }
        const linear_clusters by[2] = {{.id = judge, .count = J}, {.id = text, .count = S}};
        assert_ok(linear_demean_two(&converged, v, by, J * S, &heap, &err));
        assert_true(converged);
        for (uint32_t i = 0; i < J * S; i++)
            assert_within(v[i], raw[i] - row[i / S] - column[i % S] + grand, 1e-9, 1e-12);
    }
}

enum { N = 20, GROUPS = 6 };

/* CR2 variance of the first slope when the errors are `y`, demeaned within clusters. */
static double cr2_of(const double *y, const linear_model *like, const linear_clusters *by,
                     double *df)
{
    double v[N], sums[3 * GROUPS];
    size_t counts[GROUPS];
    linear_model model = *like;
    memcpy(v, y, sizeof v);
    linear_demean(v, by->id, N, by->count, counts, sums);
    model.y = v;
    linear_ols ols = fit(&model);
    linear_cov c = cov(&ols, &model, LINEAR_CR2, by);
    double variance = c.v[0];
    *df = c.df[0];
    arena_free(&scratch);
    return variance;
}

/* What CR2 and its df are for (Bell and McCaffrey 2002), free of chance: the variance estimate is a
 * quadratic form e'Qe of the errors. For independent errors of SD 1 its expectation tr Q is the
 * true variance, the first diagonal element of (X'X)^-1, and df = (tr Q)^2 / tr Q^2. Q is recovered
 * from unit errors and their sums. */
static void cr2_is_unbiased(void **state)
{
    (void)state;
    static const uint32_t cluster[N] = {0, 0, 1, 1, 1, 1, 2, 2, 2, 3, 3, 3, 3, 3, 4, 4, 4, 5, 5, 5};
    static double q[N][N];
    const linear_clusters by = {.id = cluster, .count = GROUPS};
    rng_stream s;
    stream(&s, "unbiased");
    for (int trial = 0; trial < 3; trial++) {
        double x[2 * N], sums[3 * GROUPS], e[N] = {0}, df, trace = 0, square = 0;
        double aa = 0, ab = 0, bb = 0;
        size_t counts[GROUPS];
        for (int i = 0; i < 2 * N; i++) x[i] = normal(&s) * (1 + cluster[i % N]);
        linear_demean(x, cluster, N, GROUPS, counts, sums);
        linear_demean(x + N, cluster, N, GROUPS, counts, sums);
        const linear_model model = {.n = N, .p = 2, .x = x, .y = e, .absorbed = GROUPS,
                                    .effect = cluster, .effects = GROUPS};
        for (int i = 0; i < N; i++) {
            e[i] = 1;
            q[i][i] = cr2_of(e, &model, &by, &df);
            for (int j = 0; j < i; j++) {
                e[j] = 1;
                q[i][j] = (cr2_of(e, &model, &by, &df) - q[i][i] - q[j][j]) / 2;
                e[j] = 0;
            }
            e[i] = 0;
        }
        for (int i = 0; i < N; i++) {
            trace += q[i][i];
            square += q[i][i] * q[i][i];
            for (int j = 0; j < i; j++) square += 2 * q[i][j] * q[i][j];
            aa += x[i] * x[i];
            ab += x[i] * x[N + i];
            bb += x[N + i] * x[N + i];
        }
        assert_close(trace, bb / (aa * bb - ab * ab));
        assert_close(df, trace * trace / square);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(within_is_dummies),
        cmocka_unit_test(two_way_is_dummies),
        cmocka_unit_test(two_way_of_complete_table),
        cmocka_unit_test(cr2_is_unbiased),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
