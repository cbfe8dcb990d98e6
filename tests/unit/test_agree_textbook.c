/* Textbook tables through the job (judge audits C.9, golden 6; statistics 16.4), and pairs of
 * candidates from published counts (golden 5). */
#include <string.h>

#include "agree_fixture.h"

static double estimate(const agree_bench *b, const char *judge, const char *name,
                       const char *condition)
{
    return agree_get(b, judge, name, condition)->estimate;
}

/* four coders, twelve units, '.' missing: Krippendorff's example */
static void krippendorff(void **state)
{
    (void)state;
    static const double values[4][12] = {{1, 2, 3, 3, 2, 1, 4, 1, 2, 0, 0, 0},
                                         {1, 2, 3, 3, 2, 2, 4, 1, 2, 5, 0, 3},
                                         {0, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, 0},
                                         {1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, 0}};
    agree_bench b;
    tare_error err = {0};
    agree_bench_open(&b, 1);
    agree_put(&b, "item,judge,score,A,B,C,D\n");
    for (int i = 0; i < 12; i++) {
        agree_put(&b, "u%02d,j,%d", i, i % 5);
        for (int c = 0; c < 4; c++) {
            if (values[c][i] > 0) agree_put(&b, ",%g", values[c][i]);
            else agree_put(&b, ",");
        }
        agree_put(&b, "\n");
    }
    agree_set(&b, "raters", "A,B,C,D");
    assert_ok(agree_go(&b, &err));
    assert_close(estimate(&b, "people", "alpha_nominal", NULL), .743421052631579);
    assert_close(estimate(&b, "people", "alpha_ordinal", NULL), .8153875037548813);
    assert_close(estimate(&b, "people", "alpha_interval", NULL), .8491071428571428);
    assert_close(estimate(&b, "people", "alpha_ratio", NULL), .797402774711612);
    agree_bench_close(&b);
}

/* six targets, four raters: Shrout and Fleiss (R psych) */
static void shrout_and_fleiss(void **state)
{
    (void)state;
    static const int x[6][4] = {{9, 2, 5, 8}, {6, 1, 3, 2}, {8, 4, 6, 8},
                                {7, 1, 2, 6}, {10, 5, 6, 9}, {6, 2, 4, 7}};
    agree_bench b;
    tare_error err = {0};
    agree_bench_open(&b, 1);
    agree_put(&b, "item,judge,score,a,b,c,d\n");
    for (int i = 0; i < 6; i++)
        agree_put(&b, "t%d,j,%d,%d,%d,%d,%d\n", i, i, x[i][0], x[i][1], x[i][2], x[i][3]);
    agree_set(&b, "raters", "a,b,c,d");
    assert_ok(agree_go(&b, &err));
    assert_within(estimate(&b, "people", "ICC(1,1)", NULL), .1657417684, 1e-9, 0);
    assert_within(estimate(&b, "people", "ICC(2,1)", NULL), .2897637795, 1e-9, 0);
    assert_within(estimate(&b, "people", "ICC(3,1)", NULL), .7148407148, 1e-9, 0);
    assert_within(estimate(&b, "people", "ICC(1,k)", NULL), .4427971337, 1e-9, 0);
    assert_within(estimate(&b, "people", "ICC(2,k)", NULL), .6200505476, 1e-9, 0);
    assert_within(estimate(&b, "people", "ICC(3,k)", NULL), .9093155424, 1e-9, 0);
    agree_bench_close(&b);
}

/* kappa table 44 5 1 / 7 20 3 / 9 5 6 (statistics 16.4), as text labels */
static void kappa_of_labels(void **state)
{
    (void)state;
    static const int table[3][3] = {{44, 5, 1}, {7, 20, 3}, {9, 5, 6}};
    agree_bench b;
    tare_error err = {0};
    agree_bench_open(&b, 1);
    agree_put(&b, "item,judge,score,gold\n");
    for (int i = 0, n = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < table[i][j]; k++)
                agree_put(&b, "t%03d,judge,%c,%c\n", n++, "abc"[i], "abc"[j]);
    agree_set(&b, "labels", "yes");
    assert_ok(agree_go(&b, &err));
    const tare_reading *r = agree_get(&b, "judge", "kappa", "gold");
    assert_close(r->estimate, .4915254237288136);
    assert_string_equal(r->grid, "agreement");
    assert_int_equal(r->verdict, TARE_FOUND);
    assert_close(estimate(&b, "judge", "kappa_linear", "gold"), .4736842105263158);
    assert_close(estimate(&b, "judge", "kappa_quadratic", "gold"), .4545454545454546);
    assert_close(estimate(&b, "judge", "exact_agreement", "gold"), .70);
    assert_int_equal(agree_count(&b, NULL, "tau_b", NULL), 0); /* names have no order */
    const result_table *t = agree_table(&b, "confusion");
    assert_int_equal(t->row_count, 9);
    assert_string_equal(t->cells[3].text, "a");
    assert_int_equal(t->cells[5].integer, 44);
    assert_int_equal(t->cells[1 * 6 + 5].integer, 7); /* people a, judge b */
    agree_bench_close(&b);
}

/* ---- pairs ---------------------------------------------------------------------------------- */

/* 1,000 pairs of a category with so many right and tied; the rest is wrong. */
static void put_category(agree_bench *b, const char *judge, const char *category, int right,
                         int tied)
{
    for (int i = 0; i < 1000; i++) {
        int label = i % 2, tie = i >= right && i < right + tied;
        double good = 0.75, bad = tie ? 0.75 : 0.5;
        if (i >= right + tied) {
            good = 0.5;
            bad = 0.75;
        }
        agree_put(b, "im%03d,%s,%s,%g,%g,%d\n", i, category, judge, label ? bad : good,
                  label ? good : bad, label);
    }
}

static void pascal_counts(void **state)
{
    (void)state;
    agree_bench b;
    tare_error err = {0};
    agree_bench_open(&b, 2);
    agree_put(&b, "image,category,judge,score_a,score_b,label\n");
    put_category(&b, "smooth", "HC", 613, 9);
    put_category(&b, "smooth", "HI", 997, 0);
    put_category(&b, "smooth", "HM", 977, 0);
    put_category(&b, "smooth", "MM", 747, 1);
    put_category(&b, "raw", "HC", 259, 638);
    put_category(&b, "raw", "HI", 993, 5);
    put_category(&b, "raw", "HM", 925, 57);
    put_category(&b, "raw", "MM", 429, 498);
    agree_set(&b, "protocol", "pascal50s");
    assert_ok(agree_go(&b, &err));
    assert_close(estimate(&b, "smooth", "accuracy", "HC, ties loss"), .613);
    assert_close(estimate(&b, "smooth", "accuracy", "mean, ties loss"),
                 (.613 + .997 + .977 + .747) / 4);
    assert_close(estimate(&b, "raw", "accuracy", "HC, ties loss"), .259);
    assert_close(estimate(&b, "raw", "accuracy", "HC, ties half"), .578);
    assert_within(estimate(&b, "raw", "accuracy", "HC, ties drop"), .7155, 0, .00005);
    assert_close(estimate(&b, "raw", "tie_rate", "HC"), .638);
    assert_close(estimate(&b, "raw", "tie_rate", "mean"), (.638 + .005 + .057 + .498) / 4);
    const tare_reading *d = agree_get(&b, "raw", "d_accuracy", "less smooth");
    assert_close(d->estimate, (.259 + .993 + .925 + .429 - .613 - .997 - .977 - .747) / 4);
    assert_string_equal(d->grid, "pairs");
    /* with ties left out raw is ahead: (.7155 + .998 + .981 + .8546) / 4 to .835 */
    assert_true(agree_get(&b, "raw", "d_accuracy", "less smooth, ties drop")->estimate > .05);
    assert_int_equal(d->verdict, TARE_INCONCLUSIVE);
    assert_non_null(strstr(d->marks, "depends on tie policy"));
    assert_false(agree_get(&b, "raw", "d_accuracy", "less smooth, ties half")->grid[0]);
    assert_int_equal(d->n_base, 4000);
    assert_int_equal(d->n_cluster, 1000);
    assert_false(agree_has_caution(&b, "published protocol"));
    assert_true(agree_has_caution(&b, "three policies"));
    assert_true(agree_says(&b, "depends on what equal scores count as: smooth leads by 18.2"));
    agree_bench_close(&b);
}

/* A judge that never decides has no accuracy, and nothing is tested beside it; a category of which
 * a judge has no pair leaves its other categories their own counts. */
static void pairs_without_a_decision(void **state)
{
    (void)state;
    agree_bench b;
    tare_error err = {0};
    agree_bench_open(&b, 2);
    agree_put(&b, "item,category,judge,score_a,score_b,label\n");
    for (int i = 0; i < 80; i++) {
        const char *category = i % 2 ? "HC" : "HI";
        int label = 1 + i % 3 % 2;
        agree_put(&b, "i%02d,%s,flat,1,1,%d\n", i, category, label);
        agree_put(&b, "i%02d,%s,good,%d,%d,%d\n", i, category, 3 - label, label, label);
        if (i % 2) agree_put(&b, "i%02d,%s,half,%d,2,%d\n", i, category, 1 + i % 5, label);
    }
    agree_set(&b, "protocol", "pascal50s");
    assert_ok(agree_go(&b, &err));
    assert_string_equal(agree_get(&b, "flat", "accuracy_above_half", "mean, ties half")->reason,
                        "degenerate");
    assert_true(agree_has_caution(&b, "flat: no answer, it gives the two of every pair equal"));
    assert_close(agree_get(&b, "flat", "tie_rate", "mean")->estimate, 1);
    assert_int_equal(agree_get(&b, "flat", "d_accuracy", "less good")->verdict, TARE_DESCRIPTIVE);
    assert_string_equal(agree_get(&b, "half", "accuracy", "HI, ties loss")->reason, "no_scores");
    assert_string_equal(agree_get(&b, "half", "accuracy", "mean, ties loss")->reason,
                        "empty_category");
    assert_string_equal(agree_get(&b, "good", "d_accuracy", "less half")->reason,
                        "empty_category");
    const tare_reading *r = agree_get(&b, "half", "accuracy", "HC, ties drop");
    assert_int_equal(r->n_cluster, 40);
    assert_int_equal(r->n_expected, 40);
    assert_int_equal(r->n_base, 32); /* a score of 2 in eight pairs ties */
    assert_int_equal(r->n_missing[TARE_R_EXCLUDED], 8);
    agree_bench_close(&b);
}

/* The SE of a share over clusters of one pair each: sqrt(p (1 - p) / n) from the bootstrap, and
 * that of a difference by joint draws: b is a with every tenth pair turned. */
static void pairs_are_joint(void **state)
{
    (void)state;
    agree_bench b;
    tare_error err = {0};
    agree_bench_open(&b, 2);
    agree_put(&b, "item,judge,score_a,score_b,label\n");
    for (int i = 0; i < 400; i++) {
        int right = i % 4 != 0;
        agree_put(&b, "i%03d,a,%d,%d,a\n", i, right, !right);
        if (i % 10 == 1) right = 0;
        agree_put(&b, "i%03d,b,%d,%d,a\n", i, right, !right);
    }
    agree_set(&b, "label", "label");
    assert_ok(agree_go(&b, &err));
    const tare_reading *r = agree_get(&b, "a", "accuracy", "mean, ties loss");
    assert_close(r->estimate, .75);
    assert_within(r->se, sqrt(.75 * .25 / 400), .1, 0);
    const tare_reading *d = agree_get(&b, "a", "d_accuracy", "less b");
    double turned = 0;
    for (int i = 0; i < 400; i++) turned += (i % 10 == 1 && i % 4 != 0) / 400.0;
    assert_close(d->estimate, turned);
    assert_within(d->se, sqrt(turned * (1 - turned) / 400), .1, 0);
    agree_bench_close(&b);
}

static void refused(agree_bench *b, const char *rows, const char *code)
{
    tare_error err = {0};
    agree_bench_clear(b);
    agree_put(b, "%s", rows);
    agree_set(b, "protocol", "pascal50s");
    if (agree_go(b, &err) == TARE_OK) fail_msg("%s: not refused", code);
    if (strcmp(err.code, code)) fail_msg("%s: %s, wanted %s", err.code, err.message, code);
}

static void bad_pairs(void **state)
{
    (void)state;
    agree_bench b;
    agree_bench_open(&b, 1);
    refused(&b, "item,judge,score_a,score_b,label\n1,j,1,2,c\n", "pairs.label");
    refused(&b, "item,judge,score_a,score_b,label\n1,j,1,2,a\n2,j,1,2,1\n", "pairs.label");
    refused(&b, "item,judge,score_a,score_b,label\n1,j,1,2,0\n2,j,1,2,2\n", "pairs.label");
    refused(&b, "item,judge,score_a,score_b,label\n1,j,1,2,1\n2,j,1,2,1\n", "pairs.label_scale");
    refused(&b, "item,judge,score_a,score_b,label\n1,j,1,2,\n", "pairs.label");
    refused(&b, "item,judge,score_a,score_b,label\n1,j,good,2,a\n", "pairs.score");
    refused(&b, "item,judge,score_a,score_b,label\n1,j,1,2,a\n1,k,1,2,b\n", "pairs.disagree");
    refused(&b, "item,judge,score_a,score_b,label\n1,j,1,2,a\n1,j,1,3,a\n", "table.duplicate_key");
    refused(&b, "item,judge,score_a,label\n1,j,1,a\n", "table.no_role");
    refused(&b, "item,judge,score_a,score_b,label\n", "pairs.empty");
    agree_bench_close(&b);
}

/* Half a pair is no verdict; a status says why there is none. */
static void pairs_missing(void **state)
{
    (void)state;
    agree_bench b;
    tare_error err = {0};
    agree_bench_open(&b, 1);
    agree_put(&b, "item,judge,score_a,score_b,label,status\n");
    for (int i = 0; i < 40; i++) {
        agree_put(&b, "i%02d,full,2,1,%d,ok\n", i, 1 + i % 2);
        if (i == 3) agree_put(&b, "i%02d,part,2,,%d,\n", i, 1 + i % 2);
        else if (i == 4) agree_put(&b, "i%02d,part,,,%d,refused\n", i, 1 + i % 2);
        else if (i != 5) agree_put(&b, "i%02d,part,2,1,%d,ok\n", i, 1 + i % 2);
        agree_put(&b, "i%02d,silent,,,%d,error\n", i, 1 + i % 2);
    }
    agree_set(&b, "protocol", "pascal50s");
    assert_ok(agree_go(&b, &err));
    assert_close(estimate(&b, "full", "accuracy", "mean, ties loss"), .5);
    const tare_reading *r = agree_get(&b, "part", "accuracy", "mean, ties loss");
    assert_int_equal(r->n_base, 37);
    assert_int_equal(r->n_expected, 40);
    assert_int_equal(r->n_missing[TARE_R_MISSING], 1);
    assert_int_equal(r->n_missing[TARE_R_REFUSED], 1);
    assert_int_equal(r->n_missing[TARE_R_ABSENT], 1);
    assert_string_equal(agree_get(&b, "silent", "accuracy", "mean, ties loss")->reason,
                        "no_scores");
    assert_true(agree_has_caution(&b, "silent: no answer"));
    assert_int_equal(agree_get(&b, "full", "d_accuracy", "less part")->n_base, 37);
    agree_bench_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(krippendorff),      cmocka_unit_test(shrout_and_fleiss),
        cmocka_unit_test(kappa_of_labels),   cmocka_unit_test(pascal_counts),
        cmocka_unit_test(pairs_are_joint),   cmocka_unit_test(bad_pairs),
        cmocka_unit_test(pairs_missing),     cmocka_unit_test(pairs_without_a_decision),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
