/* Properties of statistics 17 that hold for any data, tried on random ones: families, intervals and
 * p in line with each other, verdicts. Those of the linear models are in test_linear_properties. */
#include "stats/equivalence.h"
#include "stats/interval.h"
#include "stats/multiple.h"
#include "stats/verdict.h"
#include "unit/infer_fixture.h"

static void stream(rng_stream *s, const char *name)
{
    rng_start(s, rng_key_of(41, name), 0, 0);
}

static void shuffle(uint32_t *order, uint32_t n, rng_stream *s)
{
    for (uint32_t i = 0; i < n; i++) order[i] = i;
    for (uint32_t i = n; i > 1; i--) {
        uint32_t j = rng_bounded(s, i), swap = order[i - 1];
        order[i - 1] = order[j];
        order[j] = swap;
    }
}

/* ---- Families -------------------------------------------------------------------------------- */

/* Every method: equal p give equal q, larger p no smaller q, the order of the hypotheses and those
 * without an answer do not matter, and q >= p. To the last bit, ties included. */
static void adjusting_commutes(void **state)
{
    (void)state;
    enum { N = 24 };
    mem m = mem_system();
    tare_error err;
    rng_stream s;
    stream(&s, "adjust");
    for (int trial = 0; trial < 1000; trial++) {
        uint32_t n = 1 + rng_bounded(&s, N), order[2 * N];
        double p[N], q[N], moved[2 * N], back[2 * N];
        uint32_t lattice = trial % 2 ? 20 : 100000;
        for (uint32_t i = 0; i < n; i++) p[i] = rng_bounded(&s, lattice + 1) / (double)lattice;
        shuffle(order, 2 * n, &s);
        for (uint32_t i = 0; i < 2 * n; i++) moved[i] = order[i] < n ? p[order[i]] : NAN;
        for (int method = MULTIPLE_BH; method <= MULTIPLE_HOLM; method++) {
            assert_ok(multiple_adjust(q, NULL, p, n, (multiple_method)method, &m, &err));
            assert_ok(multiple_adjust(back, NULL, moved, 2 * n, (multiple_method)method, &m, &err));
            for (uint32_t i = 0; i < 2 * n; i++)
                assert_true(order[i] < n ? back[i] == q[order[i]] : isnan(back[i]));
            for (uint32_t i = 0; i < n; i++) {
                assert_true(q[i] >= p[i] && q[i] <= 1);
                double bonferroni = fmin(1, n * p[i]);
                if (method == MULTIPLE_HOLM) assert_true(q[i] <= bonferroni);
                for (uint32_t j = 0; j < n; j++) {
                    if (p[i] == p[j]) assert_true(q[i] == q[j]);
                    if (p[i] < p[j]) assert_true(q[i] <= q[j]);
                }
            }
        }
    }
}

/* max-T: signs, the order of the replicates and the order of the hypotheses do not matter. */
static void maxt_commutes(void **state)
{
    (void)state;
    enum { N = 7, P = 99 };
    mem m = mem_system();
    tare_error err;
    rng_stream s;
    stream(&s, "maxt");
    for (int trial = 0; trial < 200; trial++) {
        double t[N], star[P * N], t2[N], star2[P * N], q[2][N], q2[2][N];
        uint32_t column[N], row[P];
        for (int i = 0; i < N; i++) t[i] = (double)rng_bounded(&s, 61) / 10 - 3;
        for (int i = 0; i < P * N; i++) star[i] = (double)rng_bounded(&s, 61) / 10 - 3;
        if (trial % 3 == 0) t[rng_bounded(&s, N)] = NAN;
        shuffle(column, N, &s);
        shuffle(row, P, &s);
        for (int i = 0; i < N; i++) t2[i] = rng_bounded(&s, 2) ? -t[column[i]] : t[column[i]];
        for (int r = 0; r < P; r++)
            for (int i = 0; i < N; i++) {
                double v = star[row[r] * N + column[i]];
                star2[r * N + i] = rng_bounded(&s, 2) ? -v : v;
            }
        const multiple_maxt a = {t, star, N, P, 1}, b = {t2, star2, N, P, 1};
        assert_ok(multiple_maxt_single(q[0], NULL, &a, &m, &err));
        assert_ok(multiple_maxt_stepdown(q[1], NULL, &a, &m, &err));
        assert_ok(multiple_maxt_single(q2[0], NULL, &b, &m, &err));
        assert_ok(multiple_maxt_stepdown(q2[1], NULL, &b, &m, &err));
        for (int k = 0; k < 2; k++)
            for (int i = 0; i < N; i++) {
                double want = q[k][column[i]];
                assert_true(isnan(want) ? isnan(q2[k][i]) : q2[k][i] == want);
                for (int j = 0; j < N; j++)
                    if (fabs(t[i]) > fabs(t[j])) assert_true(q[k][i] <= q[k][j]);
            }
    }
}

/* ---- Intervals and p ------------------------------------------------------------------------- */

/* BCa with a = 0 and z0 = 0 equals percentile, also at ranks that are not integers. */
static void bca_is_percentile(void **state)
{
    (void)state;
    enum { MOST_B = 400 };
    static const double alphas[5] = {.05, .1, .2, .01, .31};
    rng_stream s;
    stream(&s, "bca");
    for (int trial = 0; trial < 500; trial++) {
        double t[MOST_B], again[MOST_B], influence[9];
        size_t b = 2 + rng_bounded(&s, MOST_B - 1), half = b / 2;
        double theta = b % 2 ? 0 : (double)rng_bounded(&s, 3);
        for (size_t i = 0; i < half; i++) {
            t[i] = theta - norm_quantile(.5 + .5 * rng_uniform_open(&s));
            t[b - 1 - i] = theta + norm_quantile(.5 + .5 * rng_uniform_open(&s));
        }
        if (b % 2) t[half] = theta; /* counts half */
        memcpy(again, t, sizeof t);
        for (int i = 0; i < 4; i++) influence[8 - i] = -(influence[i] = 1 + rng_uniform(&s));
        influence[4] = 0;
        double alpha = alphas[trial % 5];
        interval_bca_result bca = interval_bca(t, b, theta, influence, 9, alpha);
        interval percentile = interval_percentile(again, b, alpha);
        assert_null(bca.fallback);
        assert_true(bca.z0 == 0 && bca.a == 0);
        assert_true(bca.ends.lo == percentile.lo && bca.ends.hi == percentile.hi);
        assert_true(bca.ends.extreme == percentile.extreme);
    }
}

/* The t interval excludes 0 iff its p is at most alpha, and the 90 % interval is inside the margin
 * iff TOST passes; the percentile interval excludes 0 iff the inversion p is at most alpha, where
 * (B + 1) alpha/2 is an integer (statistics 4 and 7). Clusters of 1 to 4 rows. */
static void interval_and_p_agree(void **state)
{
    (void)state;
    fixture f;
    rng_stream s;
    int significant[2] = {0}, equivalent = 0, rounds = 600;
    fixture_init(&f, "agree", 45, 1);
    f.plan.boot_b = f.plan.perm_p = 199;
    f.plan.boot_p = P_INVERSION;
    stream(&s, "agree");
    for (int round = 0; round < rounds; round++) {
        uint32_t cluster[4 * 45];
        double x[4 * 45], effect = rng_uniform(&s), margin = .2 + 1.2 * rng_uniform(&s);
        size_t n = 0;
        uint32_t used = 6 + rng_bounded(&s, 40);
        for (uint32_t c = 0; c < used; c++)
            for (uint32_t k = rng_bounded(&s, 4) + 1; k > 0; k--, n++) {
                cluster[n] = c;
                x[n] = effect + norm_quantile(rng_uniform_open(&s));
            }
        f.plan.seed = (uint64_t)round;
        f.plan.clusters = used;
        f.plan.interval = CI_T;
        inference r = mean_of(&f.plan, x, NULL, cluster, n, NULL);
        assert_true((r.p <= .05) == (r.lo > 0 || r.hi < 0));
        bool tost = equivalence_t(r.estimate, r.se, r.df, margin, .05).equivalent;
        assert_true(tost == equivalence_interval(r.lo90, r.hi90, margin));
        significant[0] += r.p <= .05;
        equivalent += tost;
        f.plan.interval = CI_PERCENTILE;
        r = mean_of(&f.plan, x, NULL, cluster, n, NULL);
        assert_true((r.p <= .05) == (r.lo > 0 || r.hi < 0));
        significant[1] += r.p <= .05;
    }
    for (int k = 0; k < 2; k++) assert_true(significant[k] > 60 && significant[k] < rounds - 60);
    assert_true(equivalent > 60 && equivalent < rounds - 60);
    fixture_free(&f);
}

/* Rows in another order: the same bits, where sums of the values are exact. */
static void order_of_rows(void **state)
{
    (void)state;
    enum { N = 120 };
    fixture f;
    rng_stream s;
    static const uint32_t sizes[2] = {20, 40};
    fixture_init(&f, "order", 40, 1);
    f.plan.boot_b = f.plan.perm_p = 199;
    stream(&s, "order");
    for (int round = 0; round < 20; round++) {
        double x[N], moved[N];
        uint32_t cluster[N], at[N], order[N];
        for (uint32_t i = 0; i < N; i++) {
            x[i] = (double)rng_bounded(&s, 4096) / 1024 - 1.5;
            cluster[i] = rng_bounded(&s, sizes[round % 2]);
        }
        shuffle(order, N, &s);
        for (uint32_t i = 0; i < N; i++) {
            moved[i] = x[order[i]];
            at[i] = cluster[order[i]];
        }
        inference a = mean_of(&f.plan, x, NULL, cluster, N, NULL);
        inference b = mean_of(&f.plan, moved, NULL, at, N, NULL);
        assert_memory_equal(&a, &b, sizeof a);
    }
    fixture_free(&f);
}

/* ---- Verdicts -------------------------------------------------------------------------------- */

enum { ROWS = 40, COLUMNS = 6 };
typedef struct verdicts {
    inference r[COLUMNS];
    double q[COLUMNS];
    verdict_result v[COLUMNS];
    bool equivalent[COLUMNS];
} verdicts;

/* From numbers to words, as an audit goes: estimates, one family, equivalence, verdict. */
static verdicts decide(const fixture *f, double x[COLUMNS][ROWS], double margin)
{
    tare_error err;
    verdicts out;
    infer_column columns[COLUMNS];
    double p[COLUMNS];
    const infer_rows rows = {f->each, f->plan.clusters};
    memset(&out, 0, sizeof out);
    for (int j = 0; j < COLUMNS; j++) columns[j] = (infer_column){x[j], NULL};
    assert_ok(infer_means(out.r, &f->plan, columns, COLUMNS, &rows, NULL, &err));
    for (int j = 0; j < COLUMNS; j++) p[j] = out.r[j].p;
    assert_ok(multiple_adjust(out.q, NULL, p, COLUMNS, MULTIPLE_BH, &f->m, &err));
    for (int j = 0; j < COLUMNS; j++) {
        const inference *r = &out.r[j];
        out.equivalent[j] = f->plan.clusters < 30
                                ? equivalence_t(r->estimate, r->se, r->df, margin, .05).equivalent
                                : equivalence_interval(r->lo90, r->hi90, margin);
        const verdict_input in = {.estimate = r->estimate, .p = r->p, .q = out.q[j], .lo = r->lo,
                                  .hi = r->hi, .alpha = .05, .margin = margin,
                                  .equivalent = out.equivalent[j], .reason = r->reason};
        out.v[j] = verdict_decide(&in);
    }
    return out;
}

/* Constant, 0, not finite, tied, or normal with an effect that may be nothing, small or large. */
static void any_column(double *x, rng_stream *s)
{
    static const double effects[4] = {0, .1, .5, 3}, spreads[3] = {.02, .3, 1};
    uint32_t kind = rng_bounded(s, 12);
    double effect = effects[rng_bounded(s, 4)], spread = spreads[rng_bounded(s, 3)];
    for (int i = 0; i < ROWS; i++) {
        x[i] = kind == 0   ? 0
               : kind == 1 ? .25
               : kind == 2 ? (double)rng_bounded(s, 3) - 1
                           : effect + spread * norm_quantile(rng_uniform_open(s));
    }
    if (kind == 3) x[0] = NAN;
    if (kind == 4) x[1] = -INFINITY;
}

static void check_words(const verdicts *w, int j, size_t clusters, double margin)
{
    const inference *r = &w->r[j];
    tare_verdict v = w->v[j].verdict;
    bool sig = w->q[j] <= .05 && (r->lo > 0 || r->hi < 0);
    if (v == TARE_NO_ANSWER) {
        assert_string_equal(w->v[j].reason, r->reason);
        assert_true(verdict_reason_known(w->v[j].reason));
        assert_true(isnan(r->p) && isnan(w->q[j])); /* not in the family */
        return;
    }
    assert_true(clusters >= 6 && r->reason[0] == '\0' && w->v[j].reason[0] == '\0');
    assert_true(isfinite(r->estimate) && isfinite(r->lo) && isfinite(r->hi) && r->lo <= r->hi);
    assert_true(r->p >= r->p_floor && w->q[j] >= r->p && w->q[j] <= 1);
    assert_true(sig == (v == TARE_FOUND || v == TARE_SMALL));
    assert_true(w->equivalent[j] == (v == TARE_SMALL || v == TARE_NEGLIGIBLE));
    if (w->equivalent[j]) assert_true(fabs(r->estimate) < margin);
    assert_true(((w->v[j].marks & VERDICT_RAW_ONLY) != 0) == (r->p <= .05 && w->q[j] > .05));
}

/* Scores in other units (a power of two, so that rounding is the same) with the margin in the same
 * units, and scores the other way round: the same words. */
static void verdicts_of_anything(void **state)
{
    (void)state;
    static const size_t sizes[4] = {5, 6, 15, 40};
    int seen[TARE_DESCRIPTIVE + 1] = {0};
    rng_stream s;
    stream(&s, "verdicts");
    for (int size = 0; size < 4; size++) {
        fixture f;
        fixture_init(&f, "verdicts", sizes[size], 1);
        f.plan.boot_b = f.plan.perm_p = 199;
        for (int round = 0; round < 150; round++) {
            double x[COLUMNS][ROWS], scaled[COLUMNS][ROWS], mirrored[COLUMNS][ROWS], margin = .4;
            f.plan.seed = (uint64_t)round;
            for (int j = 0; j < COLUMNS; j++) {
                any_column(x[j], &s);
                for (int i = 0; i < ROWS; i++) {
                    scaled[j][i] = 1024 * x[j][i];
                    mirrored[j][i] = -x[j][i];
                }
            }
            verdicts a = decide(&f, x, margin), b = decide(&f, scaled, 1024 * margin);
            verdicts c = decide(&f, mirrored, margin);
            for (int j = 0; j < COLUMNS; j++) {
                check_words(&a, j, sizes[size], margin);
                seen[a.v[j].verdict]++;
                assert_true(b.v[j].verdict == a.v[j].verdict && b.v[j].marks == a.v[j].marks);
                assert_true(c.v[j].verdict == a.v[j].verdict && c.v[j].marks == a.v[j].marks);
                if (a.v[j].verdict == TARE_NO_ANSWER) continue;
                assert_true(b.r[j].p == a.r[j].p && c.r[j].p == a.r[j].p);
                assert_close(b.r[j].lo, 1024 * a.r[j].lo);
                assert_close(c.r[j].lo, -a.r[j].hi);
            }
        }
        fixture_free(&f);
    }
    assert_true(seen[TARE_FOUND] > 100 && seen[TARE_SMALL] > 100 && seen[TARE_NEGLIGIBLE] > 100);
    assert_true(seen[TARE_INCONCLUSIVE] > 100 && seen[TARE_NO_ANSWER] > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(adjusting_commutes),   cmocka_unit_test(maxt_commutes),
        cmocka_unit_test(bca_is_percentile),    cmocka_unit_test(interval_and_p_agree),
        cmocka_unit_test(order_of_rows),        cmocka_unit_test(verdicts_of_anything),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
