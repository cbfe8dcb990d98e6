/* The curve of best-of-n over n on the toy table of scorer audit 15.5. The fractions were made by
 * enumerating all subsets with Python's `fractions`. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "scorer_tables.h"
#include "support/check.h"

enum { POINTS = 6 }; /* n = 2 .. 7 */

/* Cell of the row of (scorer, quantity, n). */
static const cell *curve(const bench *b, const char *scorer, const char *quantity, int64_t n,
                         const char *column)
{
    const result_table *t = bench_table(b, "bestofn_curve");
    size_t at = 0;
    while (at < t->column_count && strcmp(t->columns[at], column) != 0) at++;
    assert_true(at < t->column_count);
    for (size_t i = 0; i < t->row_count; i++) {
        const cell *row = t->cells + i * t->column_count;
        if (!strcmp(row[1].text, scorer) && !strcmp(row[2].text, quantity) && row[4].integer == n)
            return &row[at];
    }
    fail_msg("no row %s, n = %d", quantity, (int)n);
    return NULL;
}

static double number(const bench *b, const char *quantity, int64_t n, const char *column)
{
    return curve(b, "toy", quantity, n, column)->number;
}

static const double attribute_net[POINTS] = {-599 / 180., -17357 / 4200., -747 / 175.,
                                             -5251 / 1260., -3439 / 840., -253 / 60.};
static const double dose_net[POINTS] = {-5 / 3., -173 / 84., -89 / 42., -130 / 63., -85 / 42.,
                                        -25 / 12.};

static void every_n_is_exact(void **state)
{
    (void)state;
    static const double attribute_share[POINTS] = {599 / 2399., 17357 / 83944., 8964 / 50351.,
                                                   5251 / 33558., 3439 / 23964., 253 / 1797.};
    static const double dose_share[POINTS] = {1 / 4., 173 / 840., 89 / 504., 13 / 84., 17 / 120.,
                                              5 / 36.};
    static const double reference[POINTS] = {-1 / 120., -1 / 100., -1 / 150., 0, 1 / 120.,
                                             1 / 60.};
    static const double ties[POINTS] = {4 / 63., 29 / 210., 3 / 14., 37 / 126., 8 / 21., 1 / 2.};
    bench b;
    bench_open(&b, 1);
    put_toy(&b, false);
    tare_error err = {0};
    assert_ok(bench_run(&b, &err));
    assert_int_equal(bench_table(&b, "bestofn_curve")->row_count, 2 * POINTS);
    for (int k = 0; k < POINTS; k++) {
        int n = k + 2;
        assert_close(number(&b, "attribute", n, "net"), attribute_net[k]);
        assert_close(number(&b, "dose", n, "net"), dose_net[k]);
        assert_close(number(&b, "attribute", n, "saturation_share"), attribute_share[k]);
        assert_close(number(&b, "dose", n, "saturation_share"), dose_share[k]);
        assert_close(number(&b, "attribute", n, "reference"), reference[k]);
        assert_within(number(&b, "dose", n, "reference"), 0, 0, 0);
        assert_close(number(&b, "attribute", n, "tie_rate"), ties[k]);
        assert_close(number(&b, "dose", n, "tie_rate"), ties[k]);
        assert_close(number(&b, "attribute", n, "random"), -1.0 / 60);
        assert_within(number(&b, "dose", n, "random"), 0, 0, 1e-12);
    }
    assert_within(number(&b, "attribute", 4, "permutation_z"), -0.959846956, 1e-9, 0);
    bench_close(&b);
}

/* The tested reading stands on the curve; the other n are details, and not tested. */
static void the_tested_n_is_one_of_them(void **state)
{
    (void)state;
    bench b;
    bench_open(&b, 1);
    put_toy(&b, false);
    tare_error err = {0};
    assert_ok(bench_run(&b, &err));
    const tare_reading *tested = bench_reading(&b, NULL, NULL, "net_drift", "dose");
    const tare_reading *same = bench_reading(&b, NULL, NULL, "net_drift_of_n", "dose, n = 4");
    assert_int_equal(tested->detail, 0);
    assert_string_equal(tested->grid, "i dose");
    assert_int_equal(same->detail, 1);
    assert_string_equal(same->grid, "");
    assert_int_equal(same->verdict, TARE_DESCRIPTIVE);
    assert_within(same->estimate, tested->estimate, 0, 0);
    assert_within(same->lo, tested->lo, 0, 0);
    assert_within(same->p, tested->p, 0, 0);
    size_t details = 0;
    for (size_t i = 0; i < b.result.reading_count; i++)
        details += b.result.readings[i].detail && !strcmp(b.result.readings[i].family, "bestofn");
    assert_int_equal(details, 2 * POINTS);
    bench_close(&b);
}

static void first_and_sampled(void **state)
{
    (void)state;
    static const double first[POINTS] = {-35 / 18., -113 / 42., -19 / 6., -65 / 18., -25 / 6., -5};
    bench b;
    bench_open(&b, 1);
    tare_error err = {0};
    b.options.bon_ties = "first";
    put_toy(&b, false);
    assert_ok(bench_run(&b, &err));
    for (int k = 0; k < POINTS; k++) assert_close(number(&b, "dose", k + 2, "net"), first[k]);
    b.options.bon_ties = "shared"; /* sampled draws are of the tested n: the curve stays exact */
    b.options.bon_draws = 50;
    assert_ok(bench_run(&b, &err));
    for (int k = 0; k < POINTS; k++) assert_close(number(&b, "dose", k + 2, "net"), dose_net[k]);
    double sampled = bench_reading(&b, NULL, NULL, "net_drift", "dose")->estimate;
    assert_true(fabs(sampled - dose_net[2]) > 1e-6);
    b.options.bon_draws = 0; /* with replacement n may be above the pool; the curve ends at it */
    b.options.bon_replace = true;
    b.options.bon_n = 9;
    assert_ok(bench_run(&b, &err));
    assert_int_equal(bench_table(&b, "bestofn_curve")->row_count, 2 * POINTS);
    bench_close(&b);
}

/* A scorer that is the dose itself is at saturation for every n; at n = m any scorer drifts to the
 * variant it likes best. */
static void the_end_of_the_curve(void **state)
{
    (void)state;
    bench b;
    bench_open(&b, 1);
    tare_error err = {0};
    text_add(&b.csv, "base,dose,scorer,score\n");
    for (int i = 0; i < 12; i++)
        for (int j = -3; j <= 3; j++) {
            text_add_format(&b.csv, "b%02d,%d,is_dose,%d\n", i, 5 * j, j);
            text_add_format(&b.csv, "b%02d,%d,likes_five,%d\n", i, 5 * j, j == 1 ? 9 : -abs(j));
            text_add_format(&b.csv, "b%02d,%d,still,1\n", i, 5 * j);
        }
    assert_ok(bench_run(&b, &err));
    for (int n = 2; n <= 7; n++)
        assert_close(curve(&b, "is_dose", "dose", n, "saturation_share")->number, 1);
    assert_close(curve(&b, "is_dose", "dose", 4, "net")->number, 12);
    assert_close(curve(&b, "is_dose", "dose", 7, "net")->number, 15);
    assert_close(curve(&b, "likes_five", "dose", 7, "net")->number, 5);
    assert_close(curve(&b, "likes_five", "dose", 7, "saturation_share")->number, 1.0 / 3);
    assert_string_equal(curve(&b, "still", "dose", 4, "reason")->text, "degenerate");
    assert_int_equal(curve(&b, "still", "dose", 4, "lo_simultaneous")->kind, CELL_EMPTY);
    bench_close(&b);
}

/* All tied: whatever the attribute is, the best is a random one. Rounding of values that hardly
 * move around 30 left 1e-16 degrees, and an interval of that. */
static void ties_do_not_drift(void **state)
{
    (void)state;
    bench b;
    bench_open(&b, 1);
    tare_error err = {0};
    text_add(&b.csv, "base,dose,scorer,score,attribute\n");
    for (int i = 0; i < 12; i++)
        for (int j = -3; j <= 3; j++)
            text_add_format(&b.csv, "b%02d,%d,flat,%d,%.17g\n", i, j, i,
                            31.7 + i / 7. + 1e-5 * j * (i + 1) / 3.);
    assert_ok(bench_run(&b, &err));
    for (int n = 2; n <= 7; n++)
        assert_true(curve(&b, "flat", "attribute", n, "net")->number == 0);
    bench_close(&b);
}

/* Nor does the one that the scorer likes best, and nothing can vary: at no n is there a z. */
static void ties_are_exact(void **state)
{
    (void)state;
    bench b;
    bench_open(&b, 1);
    tare_error err = {0};
    text_add(&b.csv, "base,dose,scorer,score,attribute\n");
    for (int i = 0; i < 12; i++)
        for (int j = -3; j <= 3; j++)
            text_add_format(&b.csv, "b%02d,%d,flat,%d,%.17g\n", i, 5 * j, i, 10 * j + i / 3.);
    assert_ok(bench_run(&b, &err));
    static const char *const names[] = {"net_drift", "argmax_drift", "random_drift",
                                        "fidelity_reference"};
    for (int k = 0; k < 4; k++)
        assert_true(bench_reading(&b, NULL, NULL, names[k], "attribute")->estimate == 0);
    const tare_reading *z = bench_reading(&b, NULL, NULL, "permutation_z", "attribute");
    assert_true(isnan(z->estimate));
    assert_string_equal(z->reason, "degenerate");
    assert_true(bench_reading(&b, NULL, NULL, "tie_rate", NULL)->estimate == 1);
    for (int n = 2; n <= 7; n++) {
        assert_true(curve(&b, "flat", "attribute", n, "tie_rate")->number == 1);
        assert_int_equal(curve(&b, "flat", "attribute", n, "permutation_z")->kind, CELL_EMPTY);
        assert_int_equal(curve(&b, "flat", "dose", n, "permutation_z")->kind, CELL_EMPTY);
    }
    bench_close(&b);
}

/* Doses first .. first + doses - 1; the scorer is the dose: the best of n drifts to the largest of
 * n, the mean of which is (n (m + 1)) / (n + 1) of ranks 1 .. m. */
static void small_pool(int first, int doses)
{
    bench b;
    bench_open(&b, 1);
    tare_error err = {0};
    text_add(&b.csv, "base,dose,scorer,score,attribute\n");
    for (int i = 0; i < 12; i++)
        for (int j = first; j < first + doses; j++)
            text_add_format(&b.csv, "b%02d,%d,s,%d,%d\n", i, j, j, 3 * j);
    assert_ok(bench_run(&b, &err));
    assert_int_equal(bench_table(&b, "bestofn_curve")->row_count, 2 * (doses - 1));
    for (int n = 2; n <= doses; n++) {
        double net = n * (doses + 1) / (n + 1.) - (doses + 1) / 2.;
        assert_close(curve(&b, "s", "dose", n, "net")->number, net);
        assert_close(curve(&b, "s", "attribute", n, "net")->number, 3 * net);
        assert_close(curve(&b, "s", "dose", n, "saturation_share")->number, 1);
        assert_int_equal(curve(&b, "s", "dose", n, "n_base")->integer, 12);
        assert_string_equal(curve(&b, "s", "dose", n, "reason")->text, "");
    }
    const tare_reading *tested = bench_reading(&b, NULL, NULL, "net_drift", "dose");
    assert_string_equal(tested->reason, "not_run");
    assert_non_null(strstr(tested->marks, "variants is smaller than n = 4"));
    bool figure = false, scatter = false;
    for (size_t i = 0; i < b.result.figure_count; i++) {
        figure = figure || !strcmp(b.result.figures[i]->id, "bestofn-01-s");
        scatter = scatter || !strcmp(b.result.figures[i]->id, "drift-saturation");
    }
    assert_true(figure && !scatter); /* the scatter is of the tested n */
    bench_close(&b);
}

static void small_pools_have_their_curve(void **state)
{
    (void)state;
    small_pool(-1, 3);
    small_pool(-2, 3); /* one-sided: the neutral dose at an end */
    small_pool(0, 3);
    small_pool(0, 2);
}

static void put_noise(bench *b, int bases)
{
    gauss g = {21};
    text_add(&b->csv, "base,dose,scorer,score,attribute\n");
    for (int i = 0; i < bases; i++)
        for (int j = -3; j <= 3; j++)
            text_add_format(&b->csv, "b%03d,%d,s,%.9f,%.9f\n", i, 5 * j,
                            0.3 * j + gauss_next(&g), 30 + 2 * j + 0.2 * gauss_next(&g));
}

static void the_band_holds_the_intervals(void **state)
{
    (void)state;
    static const int sizes[3] = {6, 20, 40}; /* t intervals, and from 30 on the bootstrap's */
    for (size_t s = 0; s < 3; s++) {
        bench b;
        bench_open(&b, 1);
        tare_error err = {0};
        b.options.boot_b = b.options.perm_p = 999;
        put_noise(&b, sizes[s]);
        assert_ok(bench_run(&b, &err));
        for (int n = 2; n <= 7; n++) {
            double lo = curve(&b, "s", "dose", n, "lo")->number;
            double hi = curve(&b, "s", "dose", n, "hi")->number;
            double low = curve(&b, "s", "dose", n, "lo_simultaneous")->number;
            double high = curve(&b, "s", "dose", n, "hi_simultaneous")->number;
            assert_true(low < lo && hi < high);
            assert_true(high - low < 2 * (hi - lo)); /* Bonferroni for 6 and 5 df is 1.6 */
        }
        bench_close(&b);
    }
}

static const figure *find(const bench *b, const char *id)
{
    for (size_t i = 0; i < b->result.figure_count; i++)
        if (strcmp(b->result.figures[i]->id, id) == 0) return b->result.figures[i];
    fail_msg("no figure %s", id);
    return NULL;
}

static void figures_show_both_bands(void **state)
{
    (void)state;
    bench b;
    bench_open(&b, 1);
    tare_error err = {0};
    put_noise(&b, 20);
    assert_ok(bench_run(&b, &err));
    const figure *f = find(&b, "bestofn-01-s");
    assert_int_equal(f->kind, FIGURE_CURVE);
    assert_int_equal(f->point_count, 2 * 3 * POINTS); /* quantities x series x n */
    for (size_t k = 0; k < f->point_count; k++) {
        const figure_point *p = &f->points[k];
        bool band = strcmp(p->series, "fidelity reference") != 0;
        assert_true(band == (p->lo <= p->y && p->y <= p->hi));
    }
    const figure *scatter = find(&b, "drift-saturation");
    assert_int_equal(scatter->kind, FIGURE_SCATTER);
    assert_int_equal(scatter->point_count, 1);
    const figure_point *p = scatter->points;
    const tare_reading *net = bench_reading(&b, NULL, "s", "net_drift", "attribute");
    const tare_reading *share = bench_reading(&b, NULL, "s", "saturation_share", "attribute");
    assert_within(p->y, fabs(net->estimate), 0, 0);
    assert_close(p->y / p->x, share->estimate);
    bench_close(&b);
}

static void threads_change_nothing(void **state)
{
    (void)state;
    char *dump[2];
    mem m = mem_system();
    for (unsigned k = 0; k < 2; k++) {
        bench b;
        bench_open(&b, k ? 3 : 1);
        tare_error err = {0};
        b.options.boot_b = b.options.perm_p = 499;
        b.options.bon_mixed = true;
        put_noise(&b, 40);
        assert_ok(bench_run(&b, &err));
        dump[k] = bench_dump(&b);
        bench_close(&b);
    }
    assert_string_equal(dump[0], dump[1]);
    mem_free(&m, dump[0]);
    mem_free(&m, dump[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_n_is_exact),
        cmocka_unit_test(the_tested_n_is_one_of_them),
        cmocka_unit_test(first_and_sampled),
        cmocka_unit_test(the_end_of_the_curve),
        cmocka_unit_test(ties_do_not_drift),
        cmocka_unit_test(ties_are_exact),
        cmocka_unit_test(small_pools_have_their_curve),
        cmocka_unit_test(the_band_holds_the_intervals),
        cmocka_unit_test(figures_show_both_bands),
        cmocka_unit_test(threads_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
