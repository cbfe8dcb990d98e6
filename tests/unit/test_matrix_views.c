/* Which items, judges and authors enter (judge audits A.1), and what is said where none can. */
#include "support/check.h"

#include <string.h>

#include "matrix_fixture.h"

static tare_error err;

typedef struct table_design {
    int authors, judges, items;
    double (*score)(int i, int g, int e);
    bool (*missing)(int i, int g, int e); /* NULL: none */
} table_design;

static double plain(int i, int g, int e)
{
    double noise = matrix_bench_gauss(11, (uint32_t)((i * 16 + g) * 16 + e));
    return 5 + .4 * g - .2 * e + .1 * (i % 7) + noise + (g == e ? .8 : 0);
}

static void put(matrix_bench *b, const table_design *t)
{
    text_clear(&b->csv);
    text_add(&b->csv, "item,author,judge,score,status\n");
    for (int i = 0; i < t->items; i++)
        for (int g = 0; g < t->authors; g++)
            for (int e = 0; e < t->judges; e++) {
                bool hole = t->missing && t->missing(i, g, e);
                text_add_format(&b->csv, "i%03d,m%d,m%d,", i, g, e);
                if (hole) text_add(&b->csv, ",refused\n");
                else text_add_format(&b->csv, "%.17g,\n", t->score(i, g, e));
            }
}

static tare_status run(matrix_bench *b, const table_design *t, const char *const *options)
{
    put(b, t);
    return matrix_bench_run(b, NULL, options, &err);
}

/* Judge 3 misses most items: refused, and the advice names it; without it, or from what is there,
 * the run goes through. */
static bool sparse_judge(int i, int g, int e)
{
    return e == 3 && g == 1 && i % 5 != 0;
}

static void sparse(void **state)
{
    const table_design t = {4, 4, 100, plain, sparse_judge};
    matrix_bench b;
    (void)state;
    matrix_bench_open(&b, 2);
    assert_int_equal(run(&b, &t, NULL), TARE_E_DATA);
    assert_string_equal(err.code, "matrix.sparse");
    assert_non_null(strstr(err.message, "only 20 of 100 items"));
    assert_non_null(strstr(err.message, "without the judge m3 it would be 100"));
    const char *without[] = {"without=m3", NULL};
    assert_ok(run(&b, &t, without));
    const tare_reading *x = matrix_bench_reading(&b, "self", "D", "m0", NULL);
    assert_int_equal(x->n_base, 100);
    const char *available[] = {"cells=available", NULL};
    assert_ok(run(&b, &t, available));
    assert_int_equal(matrix_bench_reading(&b, "cells", "R", "m3", "m1")->n_base, 20);
    assert_int_equal(matrix_bench_reading(&b, "cells", "R", "m3", "m3")->n_base, 100);
    for (size_t i = 0; i < b.job->result.reading_count; i++)
        assert_string_not_equal(b.job->result.readings[i].name, "D");
    const tare_reading *r = matrix_bench_reading(&b, "cells", "R", "m1", "m1");
    assert_int_equal(r->verdict, TARE_DESCRIPTIVE);
    assert_true(r->lo < r->estimate && r->estimate < r->hi);
    char *text = matrix_bench_sentences(&b);
    assert_non_null(strstr(text, "cells of different items"));
    mem_free(&b.m, text);
    const char *unknown[] = {"without=m33", NULL};
    assert_int_equal(run(&b, &t, unknown), TARE_E_USAGE);
    assert_non_null(strstr(err.message, "did you mean \"m3\"?"));
    matrix_bench_close(&b);
}

/* A few items miss a score: they are left out and told of, and D is bounded by the ends. */
static bool few_holes(int i, int g, int e)
{
    return g == 0 && e == 0 && i < 4;
}

/* What was used and what is missing make up what was expected, in every reading. */
static void assert_counts_add_up(const matrix_bench *b)
{
    for (size_t i = 0; i < b->job->result.reading_count; i++) {
        const tare_reading *r = &b->job->result.readings[i];
        uint64_t n = r->n_base;
        for (int k = 0; k < TARE_REASON_COUNT; k++) n += r->n_missing[k];
        if (n != r->n_expected)
            fail_msg("%s %s (%s): %zu of %zu", r->family, r->name, r->condition, (size_t)n,
                     (size_t)r->n_expected);
    }
}

static void dropped(void **state)
{
    const table_design t = {4, 4, 100, plain, few_holes};
    matrix_bench b;
    (void)state;
    matrix_bench_open(&b, 2);
    assert_ok(run(&b, &t, NULL));
    const tare_reading *x = matrix_bench_reading(&b, "self", "D", "m0", NULL);
    assert_int_equal(x->n_base, 96);
    assert_int_equal(x->n_missing[TARE_R_REFUSED], 4);
    assert_int_equal(x->n_expected, 100);
    /* By hand: of the dropped items only S[0][0] is missing; at the ends of the scale. */
    double lo = 1e9, hi = -1e9, sum[2] = {0, 0};
    for (int i = 0; i < 100; i++)
        for (int g = 0; g < 4; g++)
            for (int e = 0; e < 4; e++) {
                if (few_holes(i, g, e)) continue;
                lo = fmin(lo, plain(i, g, e));
                hi = fmax(hi, plain(i, g, e));
            }
    for (int most = 0; most < 2; most++)
        for (int i = 0; i < 100; i++) {
            double d = 0;
            for (int e = 0; e < 4; e++) {
                double own = few_holes(i, 0, e) ? (most ? hi : lo) : plain(i, 0, e);
                double others = (plain(i, 1, e) + plain(i, 2, e) + plain(i, 3, e)) / 3;
                d += (own - others) * (e == 0 ? 1 : -1.0 / 3);
            }
            sum[most] += d / 100;
        }
    assert_close(matrix_bench_number(&b, "self", "judge", "m0", "D_worst_least"), sum[0]);
    assert_close(matrix_bench_number(&b, "self", "judge", "m0", "D_worst_most"), sum[1]);
    assert_close(matrix_bench_reading(&b, "self", "D_worst", "m0", "least")->estimate, sum[0]);
    assert_close(matrix_bench_reading(&b, "self", "D_worst", "m0", "most")->estimate, sum[1]);
    /* n counts items everywhere: those used, those expected, those dropped by reason */
    static const char *const counted[][3] = {
        {"self", "D", "m1"}, {"cells", "R", "m2"}, {"cells", "Phi", "m3"},
        {"reliability", "F_author", "m0"}, {"split-half", "Z", ""},
        {"leave-one-judge-out", "verdict_holds", "m1"}};
    for (size_t k = 0; k < sizeof counted / sizeof *counted; k++) {
        const tare_reading *r =
            matrix_bench_reading(&b, counted[k][0], counted[k][1], counted[k][2], NULL);
        if (r->n_base != 96 || r->n_expected != 100 || r->n_missing[TARE_R_REFUSED] != 4)
            fail_msg("%s %s: %zu of %zu", r->family, r->name, (size_t)r->n_base,
                     (size_t)r->n_expected);
        assert_int_equal(r->n_cluster, 96);
    }
    assert_counts_add_up(&b);
    assert_int_equal(matrix_bench_reading(&b, "self", "D_worst", "m0", "most")->n_base, 100);
    assert_int_equal(matrix_bench_reading(&b, "models", "mean D", NULL, "more items")->n_expected,
                     100);
    char *text = matrix_bench_sentences(&b);
    assert_non_null(strstr(text, "of 100 items 96 have a score in every cell"));
    mem_free(&b.m, text);
    matrix_bench_close(&b);
}

/* A judge without one score is left out and named; a constant one stays and says nothing. */
static bool silent_judge(int i, int g, int e)
{
    (void)i, (void)g;
    return e == 4;
}

static double constant_judge(int i, int g, int e)
{
    return e == 2 ? 7 : plain(i, g, e);
}

static void silent_and_constant(void **state)
{
    const table_design silent = {5, 5, 60, plain, silent_judge};
    const table_design constant = {5, 5, 60, constant_judge, NULL};
    matrix_bench b;
    (void)state;
    matrix_bench_open(&b, 2);
    assert_ok(run(&b, &silent, NULL));
    char *text = matrix_bench_sentences(&b);
    assert_non_null(strstr(text, "Judge m4 has no score at all"));
    mem_free(&b.m, text);
    assert_ok(run(&b, &constant, NULL));
    const tare_reading *x = matrix_bench_reading(&b, "self", "D", "m2", NULL);
    assert_int_equal(x->verdict, TARE_NO_ANSWER);
    assert_string_equal(x->reason, "degenerate");
    for (int g = 0; g < 5; g++) {
        char name[8];
        snprintf(name, sizeof name, "m%d", g);
        double phi1 = 1;
        const result_table *t = b.job->result.tables[0];
        for (size_t r = 0; r < t->row_count; r++) {
            const cell *c = t->cells + r * t->column_count;
            if (!strcmp(c[2].text, name) && !strcmp(c[3].text, "m2")) phi1 = c[28].number;
        }
        assert_true(phi1 == 0);
    }
    x = matrix_bench_reading(&b, "reliability", "column_reliability", "m2", NULL);
    assert_non_null(strstr(x->marks, "constant-judge"));
    text = matrix_bench_sentences(&b);
    assert_non_null(strstr(text, "gave every author the same mean, which says nothing: m2"));
    mem_free(&b.m, text);
    matrix_bench_close(&b);
}

static double huge(int i, int g, int e)
{
    return i == 5 && g == 1 && e == 1 ? 1e308 : plain(i, g, e);
}

static double tiny_scale;

static double tiny(int i, int g, int e)
{
    return tiny_scale * plain(i, g, e);
}

/* One generator, two judges, no overlap of names, scores that cannot be squared. */
static void too_little(void **state)
{
    const table_design one = {1, 4, 60, plain, NULL}, two = {4, 2, 60, plain, NULL};
    const table_design large = {4, 4, 60, huge, NULL}, small = {4, 4, 60, tiny, NULL};
    matrix_bench b;
    (void)state;
    matrix_bench_open(&b, 2);
    assert_int_equal(run(&b, &one, NULL), TARE_E_DATA);
    assert_string_equal(err.code, "matrix.authors");
    assert_non_null(strstr(err.message, "one author, m0"));
    assert_int_equal(run(&b, &two, NULL), TARE_E_DATA);
    assert_string_equal(err.code, "matrix.judges");
    assert_ok(run(&b, &large, NULL));
    const tare_reading *x = matrix_bench_reading(&b, "self", "D", "m0", NULL);
    assert_int_equal(x->verdict, TARE_NO_ANSWER);
    assert_string_equal(x->reason, "out_of_range");
    /* differences whose squares lose digits (1e-320), or vanish; at 1e-140 all is well */
    for (int k = 0; k < 3; k++) {
        tiny_scale = (double[]){1e-160, 1e-300, 1e-140}[k];
        assert_ok(run(&b, &small, NULL));
        x = matrix_bench_reading(&b, "self", "D", "m0", NULL);
        if (k < 2) assert_string_equal(x->reason, "out_of_range");
        else assert_int_equal(x->verdict, TARE_FOUND);
    }
    text_clear(&b.csv);
    text_add(&b.csv, "item,author,judge,score\n");
    for (int i = 0; i < 40; i++)
        for (int g = 0; g < 3; g++)
            for (int e = 0; e < 3; e++)
                text_add_format(&b.csv, "%d,w%d,m%d,%.17g\n", i, g, e, plain(i, g, e));
    assert_ok(matrix_bench_run(&b, NULL, NULL, &err));
    char *text = matrix_bench_sentences(&b);
    assert_non_null(strstr(text, "No judge is also an author"));
    mem_free(&b.m, text);
    matrix_bench_close(&b);
}

/* "human" writes and does not judge: a row without a self cell. */
static void human_author(void **state)
{
    matrix_bench b;
    (void)state;
    matrix_bench_open(&b, 2);
    text_clear(&b.csv);
    text_add(&b.csv, "item,author,judge,score\n");
    for (int i = 0; i < 40; i++)
        for (int g = 0; g < 5; g++)
            for (int e = 0; e < 4; e++)
                text_add_format(&b.csv, "%d,%s%d,m%d,%.17g\n", i, g == 4 ? "human" : "m", g, e,
                                plain(i, g, e));
    assert_ok(matrix_bench_run(&b, NULL, NULL, &err));
    size_t judges = 0;
    for (size_t i = 0; i < b.job->result.reading_count; i++)
        judges += !strcmp(b.job->result.readings[i].name, "D") &&
                  !strcmp(b.job->result.readings[i].family, "self");
    assert_int_equal(judges, 4);
    assert_int_equal(matrix_bench_reading(&b, "cells", "R", "m0", "human4")->n_base, 40);
    matrix_bench_close(&b);
}

/* 12 complete items: t interval and exact sign flip lead; 5: too few. */
static void few_items(void **state)
{
    table_design t = {4, 4, 12, plain, NULL};
    matrix_bench b;
    (void)state;
    matrix_bench_open(&b, 2);
    assert_ok(run(&b, &t, NULL));
    const tare_reading *x = matrix_bench_reading(&b, "self", "D", "m0", NULL);
    assert_string_equal(x->interval_method, "t");
    assert_string_equal(x->p_method, "sign flip");
    assert_close(x->p_floor, 2.0 / 4096);
    assert_close(x->df, 11);
    t.items = 5;
    assert_ok(run(&b, &t, NULL));
    x = matrix_bench_reading(&b, "self", "D", "m0", NULL);
    assert_int_equal(x->verdict, TARE_NO_ANSWER);
    assert_string_equal(x->reason, "too_few_clusters");
    matrix_bench_close(&b);
}

/* --test against SciPy 1.10.1 on the same per-item contrasts (t: ttest_1samp; Wilcoxon: the exact
 * distribution given tied ranks; sign flip: 200,000 flips of NumPy). */
static double steps(int i, int g, int e)
{
    return 5 + .4 * g - .2 * e + ((i * 37 + g * g * 11 + e * i * 7 + g * e * 5) % 23) / 5.0 +
           (g == e ? .8 : 0);
}

static void tests_of_d(void **state)
{
    static const char *const test[3] = {"test=t", "test=signflip", "test=wilcoxon"};
    static const char *const method[3] = {"t", "sign flip", "Wilcoxon signed rank"};
    static const double wanted[3] = {0.0010108308372140733, 0.000775, 0.028154339588581934};
    const table_design t = {4, 4, 40, steps, NULL};
    matrix_bench b;
    (void)state;
    matrix_bench_open(&b, 2);
    for (int k = 0; k < 3; k++) {
        const char *options[] = {test[k], NULL};
        assert_ok(run(&b, &t, options));
        const tare_reading *x = matrix_bench_reading(&b, "self", "D", "m1", NULL);
        assert_string_equal(x->p_method, method[k]);
        if (k == 1)
            assert_within(x->p, wanted[k], 0, 5 * sqrt(2 * wanted[k] / 9999));
        else assert_close(x->p, wanted[k]);
        assert_close(matrix_bench_number(&b, "self", "judge", "m1", "D_t_p"), wanted[0]);
    }
    matrix_bench_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sparse), cmocka_unit_test(dropped),
        cmocka_unit_test(silent_and_constant), cmocka_unit_test(too_little),
        cmocka_unit_test(human_author), cmocka_unit_test(few_items),
        cmocka_unit_test(tests_of_d)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
