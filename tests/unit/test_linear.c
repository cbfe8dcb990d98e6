/* Least squares, per-cluster sums, the solver of replicates, eigenvalues. */
#include "support/check.h"

#include "stats/eigen.h"
#include "stats/linear.h"
#include "stats/moments.h"
#include "toy_regression.h"

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

static uint32_t next(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

static linear_ols fit(const linear_model *model)
{
    linear_ols out;
    assert_ok(linear_fit(&out, model, &scratch, &err));
    return out;
}

/* Scorer audit 15.5 and statistics 16.3 (R). */
static void toy(void **state)
{
    (void)state;
    toy_regression t;
    linear_model model = toy_demeaned(&t);
    linear_ols both = fit(&model);
    assert_within(both.beta[0], -.00595776488319, 1e-10, 0);
    assert_within(both.beta[1], -.65850245293014, 1e-10, 0);
    assert_within(both.rss, 6.20407212072, 1e-10, 0);
    assert_within(both.vif[0], 1.0022463346, 1e-9, 0);
    assert_within(both.vif[1], 1.0022463346, 1e-9, 0);
    /* two columns of correlation r: singular values sqrt(1 +- r), VIF = 1/(1 - r^2) */
    double r = sqrt(1 - 1 / both.vif[0]);
    assert_within(both.condition, sqrt((1 + r) / (1 - r)), 1e-12, 0);
    assert_true(isnan(both.constant));
    assert_within(both.r2, 1 - both.rss / both.tss, 1e-15, 0);
    model.p = 1;
    linear_ols alone = fit(&model);
    assert_within(alone.beta[0], -.0060717144954, 1e-10, 0);
    assert_true(alone.condition == 1 || fabs(alone.condition - 1) < 1e-14);
}

/* R's longley, Employed on the other six: statistics 16.3, to 1e-8. */
static void longley(void **state)
{
    (void)state;
    static const double x[6][16] = {
        {83, 88.5, 88.2, 89.5, 96.2, 98.1, 99, 100, 101.2, 104.6, 108.4, 110.8, 112.6, 114.2,
         115.7, 116.9},
        {234.289, 259.426, 258.054, 284.599, 328.975, 346.999, 365.385, 363.112, 397.469, 419.18,
         442.769, 444.546, 482.704, 502.601, 518.173, 554.894},
        {235.6, 232.5, 368.2, 335.1, 209.9, 193.2, 187, 357.8, 290.4, 282.2, 293.6, 468.1, 381.3,
         393.1, 480.6, 400.7},
        {159, 145.6, 161.6, 165, 309.9, 359.4, 354.7, 335, 304.8, 285.7, 279.8, 263.7, 255.2,
         251.4, 257.2, 282.7},
        {107.608, 108.632, 109.773, 110.929, 112.075, 113.27, 115.094, 116.219, 117.388, 118.734,
         120.445, 121.95, 123.366, 125.368, 127.852, 130.081},
        {1947, 1948, 1949, 1950, 1951, 1952, 1953, 1954, 1955, 1956, 1957, 1958, 1959, 1960, 1961,
         1962},
    };
    static const double y[16] = {60.323, 61.122, 60.171, 61.187, 63.221, 63.639, 64.989, 63.761,
                                 66.019, 67.857, 68.169, 66.513, 68.655, 69.564, 69.331, 70.551};
    const linear_model model = {.n = 16, .p = 6, .x = &x[0][0], .y = y, .intercept = true};
    linear_ols out = fit(&model);
    static const double want[] = {.0150618722713727, -.035819179292591, -.0202022980381682,
                                  -.0103322686717359, -.0511041056535791, 1.82915146461355};
    assert_within(out.constant, -3482.25863459581, 1e-8, 0);
    for (int j = 0; j < 6; j++) assert_within(out.beta[j], want[j], 1e-8, 0);
    assert_within(out.r2, 0.995479004577296, 1e-12, 0); /* NIST StRD, certified */
    assert_int_equal(out.rank, 6);
}

__extension__ typedef __int128 wide;

/* Determinant of an integer matrix, exact: Bareiss' fraction-free elimination. */
static wide determinant(wide a[4][4], int n)
{
    wide previous = 1;
    int sign = 1;
    for (int k = 0; k + 1 < n; k++) {
        int row = k;
        while (row < n && a[row][k] == 0) row++;
        if (row == n) return 0;
        for (int j = 0; row != k && j < n; j++) {
            wide swap = a[k][j];
            a[k][j] = a[row][j];
            a[row][j] = swap;
        }
        if (row != k) sign = -sign;
        for (int i = k + 1; i < n; i++)
            for (int j = k + 1; j < n; j++)
                a[i][j] = (a[i][j] * a[k][k] - a[i][k] * a[k][j]) / previous;
        previous = a[k][k];
    }
    return sign * a[n - 1][n - 1];
}

/* statistics 17: normal equations by Cramer's rule in integers. */
static void rational(void **state)
{
    (void)state;
    uint32_t seed = 11;
    int solved = 0;
    for (int trial = 0; trial < 500; trial++) {
        enum { N = 9 };
        double x[3 * N], y[N];
        wide gram[4][4] = {{0}}, right[4] = {0};
        for (int i = 0; i < N; i++) {
            int z[4] = {1, (int)(next(&seed) % 9) - 4, (int)(next(&seed) % 9) - 4,
                        (int)(next(&seed) % 9) - 4};
            int value = (int)(next(&seed) % 21) - 10;
            y[i] = value;
            for (int a = 0; a < 4; a++) {
                if (a > 0) x[(a - 1) * N + i] = z[a];
                for (int b = 0; b < 4; b++) gram[a][b] += z[a] * z[b];
                right[a] += z[a] * value;
            }
        }
        wide copy[4][4], beta[4];
        memcpy(copy, gram, sizeof copy);
        wide whole = determinant(copy, 4);
        if (whole == 0) continue;
        solved++;
        for (int c = 0; c < 4; c++) {
            memcpy(copy, gram, sizeof copy);
            for (int a = 0; a < 4; a++) copy[a][c] = right[a];
            beta[c] = determinant(copy, 4);
        }
        const linear_model model = {.n = N, .p = 3, .x = x, .y = y, .intercept = true};
        linear_ols out = fit(&model);
        assert_within(out.constant, (double)beta[0] / (double)whole, 1e-10, 1e-12);
        for (int c = 1; c < 4; c++)
            assert_within(out.beta[c - 1], (double)beta[c] / (double)whole, 1e-10, 1e-12);
        arena_free(&scratch);
    }
    assert_true(solved > 400);
}

/* statistics 17: demeaned = dummy model, to 1e-9. */
static void demeaned_is_dummies(void **state)
{
    (void)state;
    toy_regression t;
    linear_model within = toy_demeaned(&t);
    linear_ols a = fit(&within);
    toy_regression raw;
    toy_raw(&raw);
    double x[7 * TOY_ROWS] = {0};
    memcpy(x, raw.x, sizeof raw.x);
    for (int i = 0; i < TOY_ROWS; i++)
        if (raw.base[i] > 0) x[(1 + raw.base[i]) * TOY_ROWS + i] = 1;
    const linear_model dummies = {.n = TOY_ROWS, .p = 7, .x = x, .y = raw.y, .intercept = true};
    linear_ols b = fit(&dummies);
    for (int j = 0; j < 2; j++) assert_close(a.beta[j], b.beta[j]);
    assert_close(a.rss, b.rss);
    for (int i = 0; i < TOY_ROWS; i++) assert_close(a.residual[i], b.residual[i]);
}

static void demean_exact(void **state)
{
    (void)state;
    double v[] = {.1, 1e8 + 1, .1, 1e8 + 3, .1, .1, .1, .1, .1}, sums[9];
    const uint32_t effect[] = {0, 2, 0, 2, 0, 0, 0, 0, 0};
    size_t counts[3];
    linear_demean(v, effect, 9, 3, counts, sums);
    for (int i = 0; i < 9; i++) assert_true(v[i] == (i == 1 ? -1 : i == 3 ? 1 : 0));
    assert_int_equal(counts[0], 7);
    assert_int_equal(counts[1], 0);
}

static void dropped(void **state)
{
    (void)state;
    enum { N = 12 };
    double x[5 * N], y[N];
    uint32_t seed = 4;
    for (int i = 0; i < N; i++) {
        x[i] = next(&seed) % 100;
        x[N + i] = .1;                                     /* constant */
        x[2 * N + i] = next(&seed) % 100;
        x[3 * N + i] = 3 * x[i] - .5 * x[2 * N + i] + 7;   /* depends on 0 and 2 */
        x[4 * N + i] = -2 * x[2 * N + i];                  /* depends on 2 */
        y[i] = next(&seed) % 100;
    }
    const linear_model model = {.n = N, .p = 5, .x = x, .y = y, .intercept = true};
    linear_ols out = fit(&model);
    assert_int_equal(out.rank, 2);
    assert_false(out.dropped[0] || out.dropped[2]);
    assert_true(out.dropped[1] && out.dropped[3] && out.dropped[4]);
    assert_true(isnan(out.beta[1]) && isnan(out.beta[3]) && isnan(out.vif[4]));
    static const double want[] = {3, 0, -.5, 0, 0};
    for (int j = 0; j < 5; j++) {
        assert_within(out.depends[3 * 5 + j], want[j], 1e-12, 0);
        assert_within(out.depends[4 * 5 + j], j == 2 ? -2 : 0, 1e-12, 0);
        assert_true(out.depends[5 + j] == 0 && out.depends[j] == 0);
    }
    linear_model small = {.n = N, .p = 1, .x = x + N, .y = y, .intercept = true};
    linear_ols flat = fit(&small); /* every column dropped: the mean is left */
    assert_int_equal(flat.rank, 0);
    assert_close(flat.constant, moments_mean(y, N));
    assert_true(isnan(flat.condition) && fabs(flat.r2) < 1e-15);
}

static void degenerate(void **state)
{
    (void)state;
    const double x[] = {1, 2, 3, 5}, y[] = {1, NAN}, even[] = {2, 2, 2}, huge[] = {1, INFINITY};
    linear_ols out;
    linear_model model = {.n = 2, .p = 1, .x = x, .y = y, .intercept = true};
    assert_int_equal(linear_fit(&out, &model, &scratch, &err), TARE_E_DATA);
    model.y = x;
    model.x = huge;
    assert_int_equal(linear_fit(&out, &model, &scratch, &err), TARE_E_DATA);
    model = (linear_model){.n = 0, .p = 1, .x = x, .y = x, .intercept = true};
    out = fit(&model);
    assert_true(out.rank == 0 && isnan(out.constant) && isnan(out.r2));
    model = (linear_model){.n = 3, .p = 1, .x = x, .y = even, .intercept = true};
    out = fit(&model);
    assert_true(out.beta[0] == 0 && out.constant == 2 && isnan(out.r2) && out.rss == 0);
    model = (linear_model){.n = 1, .p = 2, .x = x, .y = x, .intercept = false};
    out = fit(&model); /* more columns than rows */
    assert_int_equal(out.rank, 1);
    assert_true(out.beta[0] == 1 && out.dropped[1]);
    model.n = SIZE_MAX / 4;
    model.p = 1000;
    assert_int_equal(linear_fit(&out, &model, &scratch, &err), TARE_E_LIMIT);
}

/* The replicate solver must give what the QR gives, on plain and on weighted rows. */
static void sums_and_solver(void **state)
{
    (void)state;
    toy_regression t;
    linear_model model = toy_demeaned(&t);
    linear_ols out = fit(&model);
    enum { W = LINEAR_SUMS_WIDTH(2) };
    double z[TOY_BASES * W], total[W] = {0}, beta[2];
    linear_clusters clusters = {.id = t.base, .count = TOY_BASES};
    assert_ok(linear_sums(z, &model, &clusters, &heap, &err));
    for (int g = 0; g < TOY_BASES; g++) {
        assert_true(z[g * W + W - 1] == 7);
        for (int c = 0; c < W; c++) total[c] += z[g * W + c];
    }
    assert_true(linear_solve_spd(beta, total, 2));
    assert_close(beta[0], out.beta[0]);
    assert_close(beta[1], out.beta[1]);
    assert_close(linear_solve_rss(beta, total, 2), out.rss);

    static const int weight[TOY_BASES] = {2, 0, 1, 3, 0, 0};
    double x[2 * TOY_ROWS], y[TOY_ROWS];
    size_t n = 0;
    memset(total, 0, sizeof total);
    for (int g = 0; g < TOY_BASES; g++)
        for (int c = 0; c < W; c++) total[c] += weight[g] * z[g * W + c];
    for (int i = 0; i < TOY_ROWS; i++)
        for (int k = 0; k < weight[t.base[i]]; k++, n++) {
            y[n] = t.y[i];
            x[n] = t.x[i];
            x[TOY_ROWS + n] = t.x[TOY_ROWS + i];
        }
    assert_int_equal(n, TOY_ROWS);
    model.x = x;
    model.y = y;
    out = fit(&model);
    assert_true(linear_solve_spd(beta, total, 2));
    assert_close(beta[0], out.beta[0]);
    assert_close(beta[1], out.beta[1]);
    clusters.count = 3;
    assert_int_equal(linear_sums(z, &model, &clusters, &heap, &err), TARE_E_DATA);
}

static void solver_against_qr(void **state)
{
    (void)state;
    enum { N = 60, P = 12 };
    static double x[P * N], y[N], z[LINEAR_SUMS_WIDTH(P + 1)];
    static const uint32_t one[N];
    uint32_t seed = 21;
    double beta[P + 1];
    const linear_clusters clusters = {.id = one, .count = 1};
    for (int p = 1; p <= P; p++) {
        for (int i = 0; i < N * p; i++) x[i] = (double)(next(&seed) % 2000) / 700 - 1;
        for (int i = 0; i < N; i++) y[i] = (double)(next(&seed) % 2000) / 700;
        const linear_model model = {.n = N, .p = (size_t)p, .x = x, .y = y, .intercept = true};
        linear_ols out = fit(&model);
        assert_ok(linear_sums(z, &model, &clusters, &heap, &err));
        assert_true(linear_solve_spd(beta, z, (size_t)p + 1));
        assert_close(beta[0], out.constant);
        for (int j = 0; j < p; j++) assert_close(beta[j + 1], out.beta[j]);
        assert_close(linear_solve_rss(beta, z, (size_t)p + 1), out.rss);
    }
}

static void rank_loss(void **state)
{
    (void)state;
    double beta[2];
    /* [1 r; r 1] has the pivot 1 - r^2: 1e-10 is the limit */
    const double r_bad = 1 - 4e-11, r_good = 1 - 6e-11;
    const double bad[] = {1, r_bad, 1, 1, 1, 1, 2}, good[] = {1, r_good, 1, 1, 1, 1, 2};
    const double empty[] = {0, 0, 1, 0, 1, 1, 1}, nan[] = {1, NAN, 1, 1, 1, 1, 2};
    const double scaled[] = {1e-200, 0, 1e200, 1e-200, 1e200, 1, 2};
    assert_false(linear_solve_spd(beta, bad, 2));
    assert_true(isnan(beta[0]) && isnan(beta[1]));
    assert_true(linear_solve_spd(beta, good, 2));
    assert_false(linear_solve_spd(beta, empty, 2));
    assert_true(isnan(beta[0]) && isnan(beta[1]));
    assert_false(linear_solve_spd(beta, nan, 2));
    assert_true(linear_solve_spd(beta, scaled, 2)); /* the rule does not depend on units */
    assert_close(beta[0], 1);
    assert_close(beta[1], 1);
    assert_false(linear_solve_spd(beta, good, 0));
    assert_false(linear_solve_spd(beta, good, LINEAR_SOLVE_MAX + 1));
}

static void eigenvalues(void **state)
{
    (void)state;
    enum { N = 7 };
    double a[N * N], copy[N * N], values[N], vectors[N * N];
    uint32_t seed = 8;
    for (int trial = 0; trial < 100; trial++) {
        for (int i = 0; i < N; i++)
            for (int j = 0; j <= i; j++)
                a[i * N + j] = a[j * N + i] = (double)(next(&seed) % 2001) - 1000;
        memcpy(copy, a, sizeof a);
        assert_true(eigen_symmetric(values, vectors, copy, N));
        for (int i = 0; i < N; i++) {
            for (int j = 0; j < N; j++) {
                double back = 0, unit = 0;
                for (int k = 0; k < N; k++) {
                    back += vectors[i * N + k] * values[k] * vectors[j * N + k];
                    unit += vectors[k * N + i] * vectors[k * N + j];
                }
                assert_within(back, a[i * N + j], 0, 1e-10);
                assert_within(unit, i == j, 0, 1e-13);
            }
        }
    }
    double zero[4] = {0}, bad[4] = {1, NAN, NAN, 1};
    assert_true(eigen_symmetric(values, vectors, zero, 2) && values[0] == 0 && values[1] == 0);
    assert_false(eigen_symmetric(values, vectors, bad, 2));
    assert_true(eigen_symmetric(values, vectors, zero, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(toy), cmocka_unit_test(longley), cmocka_unit_test(rational),
        cmocka_unit_test(demeaned_is_dummies), cmocka_unit_test(demean_exact),
        cmocka_unit_test(dropped), cmocka_unit_test(degenerate),
        cmocka_unit_test(sums_and_solver), cmocka_unit_test(solver_against_qr),
        cmocka_unit_test(rank_loss), cmocka_unit_test(eigenvalues),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
