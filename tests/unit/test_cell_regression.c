/* Regression from sums of cells against the dense design: linear_fit's QR and its covariances. */
#include <string.h>

#include "audit/matrix/cell_regression.h"
#include "stats/linear.h"
#include "support/check.h"

enum { JUDGES = 5, AUTHORS = 6, DIMS = 2, CELLS = JUDGES * AUTHORS * DIMS, CLUSTERS = 70,
       ROWS_MOST = CLUSTERS * CELLS, COLUMNS_MOST = 40 };

/* Rows of a table with holes, a cluster without rows, gold of its own level for every judge. */
typedef struct made {
    cell_rows rows;
    cell_design design;
    size_t start[CLUSTERS + 1];
    uint32_t cell[ROWS_MOST], column_start[CELLS + 1], column[CELLS * 5];
    double y[ROWS_MOST], gold[ROWS_MOST], length[ROWS_MOST], shift[CELLS], sums[CELLS * CELL_SUMS];
    size_t slope[CELLS];
    uint32_t id[ROWS_MOST];
    double x[(size_t)ROWS_MOST * COLUMNS_MOST];
} made;

static double noise(uint32_t i)
{
    i = (i ^ 61) ^ (i >> 16);
    i *= 9;
    i ^= i >> 4;
    i *= 0x27d4eb2d;
    i ^= i >> 15;
    return i / 4294967296.0 - .5;
}

static void make_rows(made *t)
{
    size_t n = 0;
    for (uint32_t c = 0; c < CLUSTERS; c++) {
        t->start[c] = n;
        for (uint32_t k = 0; k < CELLS && c != 17; k++) {
            uint32_t j = k / DIMS % JUDGES;
            if (noise(c * 977 + k * 13) > .3) continue;
            t->cell[n] = k;
            t->id[n] = c;
            t->gold[n] = noise(c * 31 + k / DIMS / JUDGES * 7) + .01 * j;
            t->length[n] = noise(c * 71 + k / DIMS / JUDGES * 3 + 5);
            t->y[n] = .3 * j + .2 * t->gold[n] * (1 + j) + .1 * t->length[n] + noise(c + 1000)
                      + (k % 7 == 0 ? .4 : 0) + noise((uint32_t)n * 7 + 99);
            n++;
        }
    }
    t->start[CLUSTERS] = n;
    for (size_t k = 0; k < CELLS; k++) t->shift[k] = 3.25 + (double)(k / DIMS % JUDGES);
    t->rows = (cell_rows){.n = n, .cells = CELLS, .clusters = CLUSTERS, .start = t->start,
                          .cell = t->cell, .y = t->y, .gold = t->gold, .length = t->length,
                          .gold_shift = t->shift, .length_shift = .5};
}

/* Judges, slopes, self, families, dim, length; `twice` adds columns that depend on others. */
static void make_design(made *t, bool gold, bool length, bool twice)
{
    size_t p = JUDGES, slope = p, at = 0;
    if (gold) p += JUDGES;
    size_t self = p, family = p + JUDGES, dim = family + 2, copy = dim + 1;
    p = copy + (twice ? 2 : 0);
    for (uint32_t k = 0; k < CELLS; k++) {
        uint32_t j = k / DIMS % JUDGES, a = k / DIMS / JUDGES, d = k % DIMS;
        t->column_start[k] = (uint32_t)at;
        t->column[at++] = j;
        if (a == j) t->column[at++] = (uint32_t)self + j;
        if (a != j && a % 2 == j % 2) t->column[at++] = (uint32_t)family + a % 2;
        if (d) t->column[at++] = (uint32_t)dim;
        if (twice && j >= 2) t->column[at++] = (uint32_t)copy;         /* judges 2, 3, 4 */
        if (twice && a == j && j == 1) t->column[at++] = (uint32_t)copy + 1; /* self 1 again */
        t->slope[k] = slope + j;
    }
    t->column_start[CELLS] = (uint32_t)at;
    t->design = (cell_design){.p = p + length, .start = t->column_start, .column = t->column,
                              .slope = gold ? t->slope : NULL, .length = length ? p : NO_COLUMN};
}

static linear_model dense_of(made *t)
{
    size_t n = t->rows.n, p = t->design.p;
    double row[COLUMNS_MOST];
    assert_true(p <= COLUMNS_MOST);
    for (size_t i = 0; i < n; i++) {
        cell_design_row(row, &t->rows, &t->design, i);
        for (size_t j = 0; j < p; j++) t->x[j * n + i] = row[j];
    }
    return (linear_model){.n = n, .p = p, .x = t->x, .y = t->y};
}

static void compare(made *t, unsigned threads)
{
    tare_error err;
    mem m = mem_system();
    arena a;
    pool *p = pool_new(&m, threads);
    cell_fit got;
    linear_ols want;
    linear_cov cr0, hc0, cr1, hc1;
    arena_init(&a, &m);
    assert_ok(cell_sums(t->sums, &t->rows, &m, p, &err));
    assert_ok(cell_regression(&got, &t->rows, &t->design, t->sums, &a, p, &err));
    linear_model model = dense_of(t);
    linear_clusters by = {t->id, CLUSTERS, 0};
    assert_ok(linear_fit(&want, &model, &a, &err));
    assert_ok(linear_covariance(&cr0, &want, &model, LINEAR_CR0, &by, &a, &err));
    assert_ok(linear_covariance(&cr1, &want, &model, LINEAR_CR1, &by, &a, &err));
    assert_ok(linear_covariance(&hc0, &want, &model, LINEAR_HC0, &by, &a, &err));
    assert_ok(linear_covariance(&hc1, &want, &model, LINEAR_HC1, &by, &a, &err));
    size_t columns = t->design.p;
    assert_int_equal(got.rank, want.rank);
    assert_int_equal(got.clusters, CLUSTERS - 1);
    assert_close(got.rss, want.rss);
    for (size_t j = 0; j < columns; j++) {
        assert_int_equal(got.dropped[j], want.dropped[j]);
        for (size_t k = 0; k < columns; k++)
            assert_within(got.depends[j * columns + k], want.depends[j * columns + k], 1e-9, 1e-9);
        if (got.dropped[j]) {
            assert_true(isnan(got.beta[j]));
            continue;
        }
        assert_close(got.beta[j], want.beta[j]);
        size_t at = j * columns + j;
        assert_close(sqrt(got.cr0[at]), cr0.se[j]);
        assert_close(sqrt(got.hc0[at]), hc0.se[j]);
        assert_close(sqrt(got.cr0[at] * cell_cr1_factor(&got)), cr1.se[j]);
        assert_close(sqrt(got.hc0[at] * cell_hc1_factor(&got)), hc1.se[j]);
        for (size_t k = 0; k < columns; k++) /* the whole matrix */
            if (!got.dropped[k])
                assert_within(got.cr0[j * columns + k], cr0.v[j * (columns + 1) + k], 1e-9, 1e-15);
    }
    arena_free(&a);
    pool_free(p);
}

static void test_dense(void **state)
{
    static made t;
    (void)state;
    make_rows(&t);
    for (int k = 0; k < 8; k++) {
        make_design(&t, k & 1, k & 2, k & 4);
        compare(&t, 2);
    }
}

/* The same bits for any number of threads. */
static void test_threads(void **state)
{
    static made t;
    tare_error err;
    mem m = mem_system();
    arena a;
    cell_fit fit[3];
    (void)state;
    make_rows(&t);
    make_design(&t, true, true, true);
    arena_init(&a, &m);
    for (unsigned k = 0; k < 3; k++) {
        pool *p = pool_new(&m, k == 0 ? 1 : k == 1 ? 2 : 7);
        assert_ok(cell_sums(t.sums, &t.rows, &m, p, &err));
        assert_ok(cell_regression(&fit[k], &t.rows, &t.design, t.sums, &a, p, &err));
        pool_free(p);
        size_t columns = t.design.p;
        assert_memory_equal(fit[k].beta, fit[0].beta, columns * sizeof(double));
        assert_memory_equal(fit[k].cr0, fit[0].cr0, columns * columns * sizeof(double));
        assert_memory_equal(fit[k].hc0, fit[0].hc0, columns * columns * sizeof(double));
    }
    arena_free(&a);
}

/* Gold that is the same for all rows of a judge cannot have a slope. */
static void test_constant_gold(void **state)
{
    static made t;
    tare_error err;
    mem m = mem_system();
    arena a;
    cell_fit fit;
    pool *p = pool_new(&m, 1);
    (void)state;
    make_rows(&t);
    make_design(&t, true, false, false);
    for (size_t i = 0; i < t.rows.n; i++)
        if (t.cell[i] / DIMS % JUDGES == 2) t.gold[i] = 1e-12 * noise((uint32_t)i);
    arena_init(&a, &m);
    assert_ok(cell_sums(t.sums, &t.rows, &m, p, &err));
    assert_ok(cell_regression(&fit, &t.rows, &t.design, t.sums, &a, p, &err));
    for (size_t j = 0; j < t.design.p; j++) assert_int_equal(fit.dropped[j], j == JUDGES + 2);
    arena_free(&a);
    pool_free(p);
}

static void test_empty(void **state)
{
    static made t;
    tare_error err;
    mem m = mem_system();
    arena a;
    cell_fit fit;
    pool *p = pool_new(&m, 1);
    (void)state;
    make_rows(&t);
    make_design(&t, true, true, false);
    t.rows.n = 0;
    memset(t.start, 0, sizeof t.start);
    arena_init(&a, &m);
    assert_ok(cell_sums(t.sums, &t.rows, &m, p, &err));
    assert_ok(cell_regression(&fit, &t.rows, &t.design, t.sums, &a, p, &err));
    assert_int_equal(fit.rank, 0);
    assert_true(isnan(cell_cr1_factor(&fit)) && isnan(cell_hc1_factor(&fit)));
    t.design.p = 5000;
    assert_int_equal(cell_regression(&fit, &t.rows, &t.design, t.sums, &a, p, &err),
                     TARE_E_LIMIT);
    arena_free(&a);
    pool_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dense),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_constant_gold),
        cmocka_unit_test(test_empty),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
