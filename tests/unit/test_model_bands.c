/* Simulations with acceptance bands: statistics 17, lines marked S that concern linear models and
 * families of tests. A band is the one printed there; where this file adds an end of its own, to
 * catch a method that never rejects, it is marked (ours). Seeds are fixed. */
#include "base/rng.h"
#include "stats/draws.h"
#include "stats/equivalence.h"
#include "stats/infer.h"
#include "stats/linear.h"
#include "stats/moments.h"
#include "stats/multiple.h"
#include "stats/resample.h"
#include "stats/special.h"
#include "support/check.h"

enum { R = 2000 }; /* data sets of each simulation */

static void normals(double *x, size_t n, const char *name, int run)
{
    rng_stream s;
    rng_start(&s, rng_key_of(31, name), (uint32_t)run, n);
    for (size_t i = 0; i < n; i++) x[i] = norm_quantile(rng_uniform_open(&s));
}

static void assert_rate(const char *what, double sum, double low, double high)
{
    double rate = sum / R;
    printf("    %-44s %.4f in [%.3f, %.3f]\n", what, rate, low, high);
    if (!(rate >= low && rate <= high))
        fail_msg("%s: rate %.4f is not in [%g, %g]", what, rate, low, high);
}

/* ---- Slopes with base effects ---------------------------------------------------------------- */

enum { DOSES = 7, BASES_MOST = 210, ROWS_MOST = DOSES * BASES_MOST };

/* Bases x doses; columns: attribute and artifact, both of another reach in every base. Fixed for
 * all data sets: coverage is that of the noise, given the design. */
typedef struct design {
    size_t bases, n;
    double raw[2 * ROWS_MOST], within[2 * ROWS_MOST]; /* [2][n] */
    uint32_t base[ROWS_MOST];
    double se; /* of the first slope for independent errors of SD 1 */
} design;

static void demean(double *v, const design *d)
{
    size_t counts[BASES_MOST];
    double sums[3 * BASES_MOST];
    linear_demean(v, d->base, d->n, d->bases, counts, sums);
}

static void design_init(design *d, size_t bases)
{
    rng_stream s;
    rng_start(&s, rng_key_of(32, "design"), 0, bases);
    d->bases = bases;
    d->n = bases * DOSES;
    for (size_t c = 0; c < bases; c++) {
        double reach = .8 + .4 * rng_uniform(&s);
        for (size_t j = 0; j < DOSES; j++) {
            size_t i = c * DOSES + j;
            double dose = ((double)j - 3) / 3;
            d->base[i] = (uint32_t)c;
            d->raw[i] = (double)c + reach * dose + .1 * rng_uniform(&s);
            d->raw[d->n + i] = reach * fabs(dose) + .3 * rng_uniform(&s);
        }
    }
    for (size_t i = 0; i < 2 * d->n; i++) d->within[i] = d->raw[i];
    demean(d->within, d);
    demean(d->within + d->n, d);
    double aa = moments_dot(d->within, d->within, d->n);
    double ab = moments_dot(d->within, d->within + d->n, d->n);
    double bb = moments_dot(d->within + d->n, d->within + d->n, d->n);
    d->se = sqrt(bb / (aa * bb - ab * ab));
}

typedef struct slopes {
    double beta[2], se[2], df[2];
} slopes;

static slopes fit(const double *y, const design *d, arena *scratch)
{
    tare_error err;
    linear_ols ols;
    linear_cov cov;
    slopes out;
    const linear_model model = {.n = d->n, .p = 2, .x = d->within, .y = y, .absorbed = d->bases,
                                .effect = d->base, .effects = d->bases};
    const linear_clusters clusters = {.id = d->base, .count = d->bases};
    assert_ok(linear_fit(&ols, &model, scratch, &err));
    assert_ok(linear_covariance(&cov, &ols, &model, LINEAR_CR2, &clusters, scratch, &err));
    for (int j = 0; j < 2; j++) {
        out.beta[j] = ols.beta[j];
        out.se[j] = cov.se[j];
        out.df[j] = cov.df[j];
    }
    arena_free(scratch);
    return out;
}

static const double truth[2] = {1, -.5};

enum { SLOPES = 1, SPREAD = 2, WIDE = 4, KINDS = 5 };

/* y = base effect + slope x attribute - .5 artifact + error. SLOPES: the slope differs between
 * bases, SD .5 about 1. SPREAD: the SD of the error is 2/3, 1 or 1.5; WIDE: .5, 1 or 2. */
static void response(double *y, const design *d, const double *random[3], int kind)
{
    static const double spread[2][3] = {{2 / 3., 1, 1.5}, {.5, 1, 2}};
    for (size_t i = 0; i < d->n; i++) {
        uint32_t c = d->base[i];
        double slope = truth[0] + (kind & SLOPES ? .5 * random[1][c] : 0);
        double scale = kind & (SPREAD | WIDE) ? spread[kind & WIDE ? 1 : 0][c % 3] : 1;
        double error = scale * random[2][i];
        y[i] = 3 * random[0][c] + slope * d->raw[i] + truth[1] * d->raw[d->n + i] + error;
    }
    demean(y, d);
}

/* statistics 17: coverage of CR2 with its df; TOST at the margin and power at the MDE as for means,
 * here with Satterthwaite df (statistics 7). Low ends of TOST are ours. A t test of few clusters
 * whose variances differ widely is conservative (Bakirov and Szekely 2005; Ibragimov and Mueller
 * 2010): at 16 to 1 and M = 9 an independent program finds .954 to .968, by which bases have the
 * large errors. Hence the high end for WIDE (ours). */
static void slopes_with_base_effects(void **state)
{
    (void)state;
    static const size_t sizes[3] = {9, 30, 210};
    static const char *const kinds[KINDS] = {
        "equal slopes, equal SD", "unequal slopes, equal SD", "equal slopes, unequal SD",
        "unequal slopes, unequal SD", "equal slopes, SD 1 to 4"};
    static design d;
    static double effect[BASES_MOST], tilt[BASES_MOST], noise[ROWS_MOST], y[ROWS_MOST];
    const double *random[3] = {effect, tilt, noise};
    mem heap = mem_system();
    arena scratch;
    arena_init(&scratch, &heap);
    for (int size = 0; size < 3; size++) {
        int covered[KINDS][2] = {{0}}, tost[KINDS] = {0}, power = 0;
        design_init(&d, sizes[size]);
        for (int run = 0; run < R; run++) {
            normals(effect, d.bases, "effect", run);
            normals(tilt, d.bases, "tilt", run);
            normals(noise, d.n, "noise", run);
            for (int kind = 0; kind < KINDS; kind++) {
                response(y, &d, random, kind);
                slopes s = fit(y, &d, &scratch);
                for (int j = 0; j < 2; j++) {
                    double half = t_quantile(.975, s.df[j]) * s.se[j];
                    covered[kind][j] += fabs(s.beta[j] - truth[j]) <= half;
                }
                tost[kind] += equivalence_t(s.beta[0], s.se[0], s.df[0], truth[0], .05).equivalent;
                if (kind > 0) continue;
                double mde = detectable_effect(d.se, s.df[0], .05, .8);
                power += t_p((s.beta[0] - truth[0] + mde) / s.se[0], s.df[0]) <= .05;
            }
        }
        for (int kind = 0; kind < KINDS; kind++) {
            double high = kind == WIDE && d.bases < 30 ? .985 : .97;
            printf("  M = %zu, %s\n", d.bases, kinds[kind]);
            assert_rate("coverage of CR2, attribute", covered[kind][0], .93, high);
            assert_rate("coverage of CR2, artifact", covered[kind][1], .93, high);
            assert_rate("TOST at the margin, CR2", tost[kind], .02, .065);
        }
        assert_rate("power at the MDE, CR2", power, .76, .84);
    }
}

/* ---- Clusters, never rows -------------------------------------------------------------------- */

/* statistics 4: for 9 clusters of 6 with intraclass correlation .5 a row-level interval covers .67,
 * the cluster interval .946. The first is made here by hand, from rows passed off as clusters: its
 * t interval covers .694 (200,000 data sets of an independent program); +- 4 standard errors. */
static void rows_are_not_clusters(void **state)
{
    (void)state;
    enum { M = 9, EACH = 6, N = M * EACH };
    int by_cluster = 0, by_row = 0;
    double one[N], six[M];
    for (int i = 0; i < N; i++) one[i] = 1;
    for (int c = 0; c < M; c++) six[c] = EACH;
    for (int run = 0; run < R; run++) {
        double between[M], x[N], sum[M] = {0};
        normals(between, M, "between", run);
        normals(x, N, "within", run);
        for (int i = 0; i < N; i++) {
            x[i] += between[i / EACH];
            sum[i / EACH] += x[i];
        }
        linear_mean cluster = linear_mean_cr2(sum, six, M), row = linear_mean_cr2(x, one, N);
        by_cluster += fabs(cluster.mean) <= t_quantile(.975, cluster.df) * cluster.se;
        by_row += fabs(row.mean) <= t_quantile(.975, row.df) * row.se;
    }
    assert_rate("9 clusters of 6", by_cluster, .93, .97);
    assert_rate("the same rows as 54 clusters", by_row, .652, .736);
}

/* There is no function that takes rows alone. What is left to try is refused: row numbers as
 * clusters of a plan, the id of a cluster once per row, CR2 without clusters. */
static void rows_are_refused(void **state)
{
    (void)state;
    enum { M = 9, N = 54 };
    static const char *const names[M] = {"a", "b", "c", "d", "e", "f", "g", "h", "i"};
    mem heap = mem_system();
    pool *workers = pool_new(&heap, 1);
    tare_error err;
    arena scratch;
    inference r;
    linear_ols ols;
    linear_cov cov;
    double x[N];
    uint32_t number[N];
    size_t order[N];
    const char *repeated[N];
    arena_init(&scratch, &heap);
    normals(x, N, "refused", 0);
    for (uint32_t i = 0; i < N; i++) {
        number[i] = i;
        repeated[i] = names[i / 6];
    }
    const infer_plan plan = {.m = &heap, .pool = workers, .seed = 1, .analysis = "rows",
                             .clusters = M, .ids = names, .boot_b = 99, .perm_p = 99,
                             .alpha = .05, .power = .8};
    const infer_column column = {x, NULL};
    const infer_rows rows = {number, N};
    assert_int_equal(infer_mean(&r, &plan, &column, &rows, NULL, &err), TARE_E_USAGE);
    assert_int_equal(draws_canonical(order, repeated, N, &heap, &err), TARE_E_DATA);
    const linear_model model = {.n = N, .p = 0, .x = x, .y = x, .intercept = true};
    assert_ok(linear_fit(&ols, &model, &scratch, &err));
    assert_int_equal(linear_covariance(&cov, &ols, &model, LINEAR_CR2, NULL, &scratch, &err),
                     TARE_E_USAGE);
    arena_free(&scratch);
    pool_free(workers);
}

/* ---- Families of tests ----------------------------------------------------------------------- */

enum { TESTS = 20, EFFECTS = 5, CLUSTERS = 30, FLIPS = 499 };
typedef enum dependence { INDEPENDENT, POSITIVE, NEGATIVE } dependence;
typedef enum method { BH, BY, HOLM, SINGLE, STEPDOWN, METHODS } method;
typedef struct family_tally {
    double any, fdp, found; /* a true null rejected; false among rejected; share of effects found */
} family_tally;

/* x [CLUSTERS][TESTS]; the first EFFECTS columns have a mean other than 0. NEGATIVE: four rows of a
 * matrix of five cells, each row summing to 0 in every cluster (statistics 6); so do the effects,
 * which are the first row. */
static void family_draw(double x[CLUSTERS * TESTS], dependence kind, int run)
{
    static const double matrix_row[EFFECTS] = {1.05, 1.05, -.7, -.7, -.7};
    double shared[CLUSTERS];
    normals(x, CLUSTERS * TESTS, "family", run);
    normals(shared, CLUSTERS, "shared", run);
    for (int c = 0; c < CLUSTERS; c++) {
        double *v = x + c * TESTS;
        for (int j = 0; j < TESTS && kind == POSITIVE; j++) v[j] = sqrt(.5) * (v[j] + shared[c]);
        for (int j = 0; j < TESTS && kind == NEGATIVE; j += EFFECTS) {
            double mean = moments_mean(v + j, EFFECTS);
            for (int k = 0; k < EFFECTS; k++) v[j + k] -= mean;
        }
        for (int j = 0; j < EFFECTS; j++) v[j] += kind == NEGATIVE ? matrix_row[j] : .8;
    }
}

/* t of a column from its sum and sum of squares; sign flips change the first only. */
static double student(double sum, double squares)
{
    double variance = (squares - sum * sum / CLUSTERS) / (CLUSTERS - 1);
    return sum / CLUSTERS / sqrt(variance / CLUSTERS);
}

/* q of every method. BH, BY and Holm on the p of t; max-T on sign flips common to all columns. */
static void family_adjust(double q[METHODS][TESTS], const double *x, resample_draws *signs)
{
    static double star[FLIPS * TESTS];
    tare_error err;
    double sum[TESTS], squares[TESTS] = {0}, t[TESTS], p[TESTS];
    resample_column_sums(sum, x, CLUSTERS, TESTS);
    for (int i = 0; i < CLUSTERS * TESTS; i++) squares[i % TESTS] += x[i] * x[i];
    for (int j = 0; j < TESTS; j++) {
        t[j] = student(sum[j], squares[j]);
        p[j] = t_p(t[j], CLUSTERS - 1);
    }
    assert_ok(multiple_adjust(q[BH], NULL, p, TESTS, MULTIPLE_BH, signs->m, &err));
    assert_ok(multiple_adjust(q[BY], NULL, p, TESTS, MULTIPLE_BY, signs->m, &err));
    assert_ok(multiple_adjust(q[HOLM], NULL, p, TESTS, MULTIPLE_HOLM, signs->m, &err));
    assert_ok(resample_totals(star, signs, x, TESTS, &err));
    for (int i = 0; i < FLIPS * TESTS; i++) star[i] = student(star[i], squares[i % TESTS]);
    const multiple_maxt data = {.t = t, .replicates = star, .n = TESTS, .count = FLIPS, .scale = 1};
    assert_ok(multiple_maxt_single(q[SINGLE], NULL, &data, signs->m, &err));
    assert_ok(multiple_maxt_stepdown(q[STEPDOWN], NULL, &data, signs->m, &err));
}

static void family_simulate(family_tally sum[METHODS], dependence kind)
{
    static double x[CLUSTERS * TESTS];
    mem heap = mem_system();
    uint64_t h64[CLUSTERS];
    rng_stream s;
    rng_start(&s, rng_key_of(33, "h64"), 0, 0);
    for (int c = 0; c < CLUSTERS; c++) h64[c] = rng_u64(&s);
    resample_draws signs = {.m = &heap, .pool = pool_new(&heap, 1), .kind = RESAMPLE_SIGNS,
                            .h64 = h64, .clusters = CLUSTERS, .replicates = FLIPS};
    for (int run = 0; run < R; run++) {
        double q[METHODS][TESTS];
        family_draw(x, kind, run);
        signs.key = rng_key_of((uint64_t)run, "family/flip");
        family_adjust(q, x, &signs);
        for (int m = 0; m < METHODS; m++) {
            int right = 0, wrong = 0;
            for (int j = 0; j < TESTS; j++) *(j < EFFECTS ? &right : &wrong) += q[m][j] <= .05;
            sum[m].any += wrong > 0;
            sum[m].fdp += wrong > 0 ? wrong / (double)(wrong + right) : 0;
            sum[m].found += right / (double)EFFECTS;
        }
    }
    pool_free(signs.pool);
}

/* statistics 17: FWER <= .07, FDR <= .06. The low ends are ours. BH on independent p of exact level
 * has an FDR of exactly .05 x 15/20 = .0375 (Benjamini and Hochberg 1995); Holm's FWER lies between
 * .0375 and .05, as many effects as are found. */
static void families(void **state)
{
    (void)state;
    static const char *const names[3] = {"independent", "correlation .5", "rows that sum to 0"};
    for (int kind = INDEPENDENT; kind <= NEGATIVE; kind++) {
        family_tally sum[METHODS] = {{0, 0, 0}};
        double low = kind == INDEPENDENT ? .028 : 0;
        family_simulate(sum, (dependence)kind);
        printf("  20 hypotheses, 5 effects: %s\n", names[kind]);
        assert_rate("FWER of Holm", sum[HOLM].any, low, .07);
        assert_rate("FWER of single-step max-T", sum[SINGLE].any, low, .07);
        assert_rate("FWER of step-down max-T", sum[STEPDOWN].any, low, .07);
        if (kind != NEGATIVE) assert_rate("FDR of BH", sum[BH].fdp, low, .06);
        assert_rate("FDR of BY", sum[BY].fdp, .001, .06);
        assert_rate("effects found by BH", sum[BH].found, .8, 1);
        assert_rate("effects found by BY", sum[BY].found, .6, 1);
        assert_rate("effects found by Holm", sum[HOLM].found, .6, 1);
        assert_rate("effects found by step-down max-T", sum[STEPDOWN].found, .6, 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slopes_with_base_effects),
        cmocka_unit_test(rows_are_not_clusters),
        cmocka_unit_test(rows_are_refused),
        cmocka_unit_test(families),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
