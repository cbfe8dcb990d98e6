/* BH, BY, Holm, max-T. */
#include "support/check.h"

#include "stats/multiple.h"

static uint32_t next(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

static void adjust(double *q, const double *p, size_t n, multiple_method method)
{
    mem m = mem_system();
    tare_error err;
    assert_ok(multiple_adjust(q, NULL, p, n, method, &m, &err));
}

static void check_all(const double *p, size_t n, multiple_method method, const double *want)
{
    double q[32];
    adjust(q, p, n, method);
    for (size_t i = 0; i < n; i++) assert_close(q[i], want[i]);
}

/* R p.adjust: statistics 16.2 and ref.out 2 (the multtest p). */
static void against_r(void **state)
{
    (void)state;
    const double p[] = {.01, .04, .03, .005, .55, .2};
    const double bh[] = {.03, .06, .06, .03, .55, .24};
    const double by[] = {.0735, .147, .147, .0735, 1, .588};
    const double holm[] = {.05, .12, .12, .03, .55, .40};
    check_all(p, 6, MULTIPLE_BH, bh);
    check_all(p, 6, MULTIPLE_BY, by);
    check_all(p, 6, MULTIPLE_HOLM, holm);
    const double p2[] = {0.838541367553, 0.642193923795, 0.680845947633, 0.967833824309,
                         0.71626938238, 0.177096952723, 5.23656777208e-05, 0.0202732688798,
                         0.00028140506198, 0.0149877310796};
    const double bh2[] = {0.9317126306144445, 0.8953367279750001, 0.8953367279750001,
                          0.9678338243090000, 0.8953367279750001, 0.3541939054460000,
                          0.0005236567772080, 0.0506831721995000, 0.0014070253099000,
                          0.0499591035986667};
    const double by2[] = {1, 1, 1, 1, 1, 1, 0.00153377407641756, 0.14844940238274187,
                          0.00412113246522694, 0.14632862843720582};
    const double holm2[] = {1, 1, 1, 1, 1, 1, 0.000523656777208, 0.141912882158600,
                            0.002532645557820, 0.119901848636800};
    check_all(p2, 10, MULTIPLE_BH, bh2);
    check_all(p2, 10, MULTIPLE_BY, by2);
    check_all(p2, 10, MULTIPLE_HOLM, holm2);
}

/* Scorer audit 15.1: the paper's grids on the lattice k/2001; printed to ten digits. */
static void against_paper(void **state)
{
    (void)state;
    const double p[] = {12 / 2001., 12 / 2001., 43 / 2001., 100 / 2001., .3, 844 / 2001., .6, .8};
    const double want[] = {.02398801, .02398801, .05730468, .09995002, .48, .56238547, .68571429,
                           .8};
    double q[24];
    adjust(q, p, 8, MULTIPLE_BH);
    for (size_t i = 0; i < 8; i++) assert_within(q[i], want[i], 0, 5e-9);
    double grid[24];
    const double rest[] = {.015, 44 / 2001., 47 / 2001., 68 / 2001., .4, .5, .6, .7, .8, .85, .9,
                           .95, .99};
    for (size_t i = 0; i < 24; i++) grid[i] = i < 11 ? 1 / 2001. : rest[i - 11];
    adjust(q, grid, 24, MULTIPLE_BH);
    const double q11[] = {.001090363909, .03, .04026558149, .04026558149, .05437281359};
    for (size_t i = 0; i < 5; i++) assert_within(q[10 + i], q11[i], 1e-9, 0);
}

/* statistics 17: to the last bit. */
static void properties(void **state)
{
    (void)state;
    uint32_t seed = 3;
    for (int trial = 0; trial < 2000; trial++) {
        double p[20], bh[20], by[20], holm[20], turned[20], q[20];
        size_t n = 1 + next(&seed) % 20;
        for (size_t i = 0; i < n; i++) p[i] = (next(&seed) % 1000) / (trial % 2 ? 999.0 : 1e5);
        adjust(bh, p, n, MULTIPLE_BH);
        adjust(by, p, n, MULTIPLE_BY);
        adjust(holm, p, n, MULTIPLE_HOLM);
        for (size_t i = 0; i < n; i++) turned[i] = p[(i + 3) % n];
        adjust(q, turned, n, MULTIPLE_BH);
        for (size_t i = 0; i < n; i++) {
            assert_true(bh[i] >= p[i] && bh[i] <= by[i] && bh[i] <= holm[i]);
            assert_true(by[i] <= 1 && holm[i] <= 1);
            assert_true(q[i] == bh[(i + 3) % n]);
            for (size_t j = 0; j < n; j++)
                assert_true(p[i] > p[j] || (bh[i] <= bh[j] && holm[i] <= holm[j]));
        }
    }
}

static void families(void **state)
{
    (void)state;
    mem m = mem_system();
    tare_error err;
    multiple_family family;
    const double p[] = {.01, NAN, .04, .03, .005, NAN, .55, .2}, bad[] = {.1, 1.5};
    double q[8];
    assert_ok(multiple_adjust(q, &family, p, 8, MULTIPLE_BH, &m, &err));
    assert_int_equal(family.given, 8);
    assert_int_equal(family.tested, 6);
    assert_true(isnan(q[1]) && isnan(q[5]));
    assert_close(q[0], .03);
    assert_close(q[7], .24);
    const double none[] = {NAN, NAN};
    assert_ok(multiple_adjust(q, &family, none, 2, MULTIPLE_HOLM, &m, &err));
    assert_int_equal(family.tested, 0);
    assert_true(isnan(q[0]));
    assert_ok(multiple_adjust(q, &family, none, 0, MULTIPLE_BY, &m, &err));
    assert_int_equal(multiple_adjust(q, NULL, bad, 2, MULTIPLE_BH, &m, &err), TARE_E_DATA);
    assert_int_equal(multiple_replicates_needed(36, .05, 1), 719);
    assert_int_equal(multiple_replicates_needed(1, .05, 2), 39);
    assert_int_equal(multiple_replicates_needed(0, .05, 1), 0);
}

/* Four replicates, three hypotheses, worked by hand. |t| = 3, 2, 1.
 * Maxima over all: 2.5 3 1 4   -> #(>=3) 2, #(>=2) 3, #(>=1) 4: q 3/5 4/5 1
 * over the last two: 2.5 1 1 0.5 -> #(>=2) 1: 2/5, made monotone 3/5; the last: .5 1 .2 .5: 2/5. */
static void maxt_by_hand(void **state)
{
    (void)state;
    mem m = mem_system();
    tare_error err;
    multiple_family family;
    const double t[] = {-2, NAN, 3, 1};
    const double replicates[] = {
        2.5, NAN, 1, -.5, 0, NAN, -3, 1, 1, 99, .5, .2, -.4, NAN, 4, .5,
    };
    const multiple_maxt data = {t, replicates, 4, 4, 1};
    double q[4];
    assert_ok(multiple_maxt_single(q, &family, &data, &m, &err));
    assert_int_equal(family.tested, 3);
    assert_true(isnan(q[1]));
    assert_close(q[2], .6);
    assert_close(q[0], .8);
    assert_close(q[3], 1);
    assert_ok(multiple_maxt_stepdown(q, &family, &data, &m, &err));
    assert_close(q[2], .6);
    assert_close(q[0], .6);
    assert_close(q[3], .6);
}

static void maxt_properties(void **state)
{
    (void)state;
    enum { N = 6, P = 199 };
    mem m = mem_system();
    tare_error err;
    uint32_t seed = 77;
    static double replicates[P * N];
    for (int trial = 0; trial < 50; trial++) {
        double t[N], single[N], step[N];
        for (int i = 0; i < N; i++) t[i] = (double)(next(&seed) % 4000) / 1000 - 2;
        for (int i = 0; i < N * P; i++) replicates[i] = (double)(next(&seed) % 4000) / 1000 - 2;
        if (trial % 5 == 0) replicates[next(&seed) % (N * P)] = NAN;
        multiple_maxt data = {t, replicates, N, P, 1};
        assert_ok(multiple_maxt_single(single, NULL, &data, &m, &err));
        assert_ok(multiple_maxt_stepdown(step, NULL, &data, &m, &err));
        double best = 1;
        for (int i = 0; i < N; i++) {
            assert_true(step[i] <= single[i] && step[i] >= 1.0 / (P + 1) && single[i] <= 1);
            best = fmin(best, single[i]);
            int alone = 0; /* q is never below the p of the hypothesis by itself */
            for (int r = 0; r < P; r++) alone += fabs(replicates[r * N + i]) >= fabs(t[i]);
            assert_true(step[i] >= (1.0 + alone) / (P + 1));
        }
        for (int i = 0; i < N; i++) assert_true(step[i] >= best); /* the largest: both agree */
    }
}

/* The same question, the replicates by column: the answers of multiple_maxt_single, to the bit, for
 * any order of the columns. */
static void maxt_by_columns(void **state)
{
    (void)state;
    enum { N = 5, P = 299 };
    mem m = mem_system();
    tare_error err;
    uint32_t seed = 12;
    static double rows[P * N], columns[N][P];
    for (int trial = 0; trial < 20; trial++) {
        double t[N], single[N], q[N], turned[N];
        multiple_column by[N], back[N];
        for (int i = 0; i < N; i++) {
            double spread = 1 + i, centre = 3 * i - 2;
            t[i] = i == 3 && trial % 2 ? NAN : (double)(next(&seed) % 4000) / 1000 - 2;
            by[i] = (multiple_column){t[i], columns[i], centre, spread};
            for (int r = 0; r < P; r++) {
                double z = (double)(next(&seed) % 4000) / 1000 - 2;
                if (i == 0 && r == 7) z = NAN;
                columns[i][r] = centre + spread * z;
                rows[r * N + i] = (columns[i][r] - centre) / spread;
            }
        }
        for (int i = 0; i < N; i++) back[i] = by[N - 1 - i];
        multiple_maxt data = {t, rows, N, P, 1};
        assert_ok(multiple_maxt_single(single, NULL, &data, &m, &err));
        assert_ok(multiple_maxt_columns(q, by, N, P, &m, &err));
        assert_ok(multiple_maxt_columns(turned, back, N, P, &m, &err));
        for (int i = 0; i < N; i++) {
            assert_true(isnan(t[i]) ? isnan(q[i]) : q[i] == single[i]);
            assert_true(isnan(q[i]) ? isnan(turned[N - 1 - i]) : turned[N - 1 - i] == q[i]);
        }
    }
    const double zero[1] = {5}; /* nothing varies: 0 is reached, 1 is not */
    const multiple_column still[2] = {{0, zero, 5, 0}, {1, zero, 4, 0}};
    double q[2];
    assert_ok(multiple_maxt_columns(q, still, 2, 1, &m, &err));
    assert_close(q[0], 1);
    assert_close(q[1], .5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(against_r), cmocka_unit_test(against_paper),
        cmocka_unit_test(properties), cmocka_unit_test(families),
        cmocka_unit_test(maxt_by_hand), cmocka_unit_test(maxt_properties),
        cmocka_unit_test(maxt_by_columns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
