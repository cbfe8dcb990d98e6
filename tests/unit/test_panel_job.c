/* tare panel from a table to its readings: judge audits B.1 to B.7. The binary toy stands in for
 * golden 1 (rubric decisions), whose verdicts cannot be had; its numbers are NumPy's. */
#include "support/check.h"

#include <string.h>

#include "panel_fixture.h"

static tare_error err;

/* 40 items x 3 authors, 5 judges j0 .. j4, votes and gold by formula. */
static int gold_of(int i, int a)
{
    return (i * 5 + a * 3) % 7 < 4;
}

static int vote_of(int i, int a, int j)
{
    return gold_of(i, a) != ((i * (3 + 2 * j) + a * 7 + j * j) % (4 + j) == 0);
}

static void put_votes(panel_bench *b)
{
    text_clear(&b->csv);
    text_add(&b->csv, "item,author,judge,score,gold\n");
    for (int i = 0; i < 40; i++)
        for (int a = 0; a < 3; a++)
            for (int j = 0; j < 5; j++)
                text_add_format(&b->csv, "i%02d,a%d,j%d,%d,%d\n", i, a, j, vote_of(i, a, j),
                                gold_of(i, a));
}

static double value(const panel_bench *b, const char *name)
{
    return panel_bench_reading(b, "votes", "four", name, NULL)->estimate;
}

#define FOUR "panel=four=j0,j1,j2,j3"

static void test_votes(void **state)
{
    (void)state;
    panel_bench b;
    panel_bench_open(&b, 2);
    put_votes(&b);
    assert_ok(PANEL_RUN(&b, FOUR, "aggregate=majority", "agree=accuracy", "boot-b=299"));
    assert_close(value(&b, "rho"), 0.03822506500226049);
    assert_close(value(&b, "n_eff"), 3.5884892907979933);
    assert_close(value(&b, "n_eff by eigenvalues"), 3.9275270990733757);
    assert_within(value(&b, "n_eff by eigenvalues, median if independent"), 3.91, .05, 0);
    assert_close(value(&b, "accuracy of the panel"), 0.875);
    assert_close(value(&b, "accuracy of the best member"), 0.875);
    assert_close(value(&b, "accuracy if errors were independent"), 0.8787760416666667);
    assert_close(panel_bench_reading(&b, "agreement", "j1", "accuracy", NULL)->estimate, 2. / 3);
    static const struct { const char *rule, *ties; double accuracy; } more[] = {
        {"aggregate=majority", "ties=low", 0.8666666666666667},
        {"aggregate=majority", "ties=high", 0.8833333333333333},
        {"aggregate=majority", "ties=drop", 0.95},
        {"aggregate=any", "ties=auto", 0.7166666666666667},
        {"aggregate=all", "ties=auto", 0.65},
    };
    for (size_t k = 0; k < sizeof more / sizeof *more; k++) {
        assert_ok(PANEL_RUN(&b, FOUR, more[k].rule, more[k].ties, "agree=accuracy", "boot-b=99"));
        assert_close(panel_bench_reading(&b, "agreement", "four", "accuracy", NULL)->estimate,
                     more[k].accuracy);
    }
    panel_key four = {"panel", "four", NULL, NULL};
    assert_ok(PANEL_RUN(&b, FOUR, "aggregate=majority", "ties=drop", "boot-b=99"));
    assert_int_equal(panel_bench_cell(&b, "panels", &four, "n_without_score")->integer, 20);
    assert_int_equal(panel_bench_cell(&b, "panels", &four, "n_rows")->integer, 100);
    panel_bench_close(&b);
}

/* Judges w0 .. of independent errors that write; own text gets a bonus. */
typedef struct world { int items, judges, writers; double bonus, noise; } world;

static void put_world(panel_bench *b, const world *w, int reverse)
{
    text_clear(&b->csv);
    text_add(&b->csv, "item,author,judge,score,gold,fold\n");
    int rows = w->items * w->writers * w->judges;
    for (int n = 0; n < rows; n++) {
        int k = reverse ? (int)(((long)n * 7919 + 3) % rows) : n;
        int j = k % w->judges, a = k / w->judges % w->writers, i = k / w->judges / w->writers;
        double gold = panel_gauss(1, (uint32_t)(i * 100 + a));
        double score = gold + w->noise * panel_gauss(2, (uint32_t)k) + (j == a ? w->bonus : 0);
        text_add_format(&b->csv, "i%03d,w%d,w%d,%.3f,%.3f,%s\n", i, a, j, score, gold,
                        i % 3 ? "front" : "back");
    }
}

/* B.10: eight exchangeable judges of independent error are worth 7 to 8. */
static void test_exchangeable(void **state)
{
    (void)state;
    panel_bench b;
    world w = {300, 8, 2, 0, 1};
    panel_bench_open(&b, 2);
    put_world(&b, &w, 0);
    assert_ok(PANEL_RUN(&b, "boot-b=299"));
    const tare_reading *r = panel_bench_reading(&b, "votes", "all judges", "n_eff", NULL);
    assert_true(r->estimate > 7 && r->estimate <= 8);
    assert_true(r->lo > 6 && r->lo < r->estimate && r->hi <= 8);
    panel_bench_close(&b);
}

/* A panel holds 1/n of a member's bonus: D of the panel about a member is that of the member
 * shrunk, and the comparison finds it. */
static void test_bonus(void **state)
{
    (void)state;
    panel_bench b;
    world w = {200, 4, 4, 1, .5};
    panel_bench_open(&b, 2);
    put_world(&b, &w, 0);
    assert_ok(PANEL_RUN(&b, "panel=two=w0,w1", "boot-b=999"));
    const tare_reading *r =
        panel_bench_reading(&b, "panel against member", "two", "|D| minus", "w0");
    assert_int_equal(r->verdict, TARE_FOUND);
    assert_true(r->estimate < -.3 && r->hi < 0);
    assert_true(strstr(r->words, "more evenly than the member itself") != NULL);
    /* R of the column: the panel's bonus of w0's text is 1/2, that of all columns (1/2 + 1) / 5. */
    panel_key key = {"panel", "two", "member", "w0"};
    double d = panel_bench_cell(&b, "members", &key, "panel_D")->number;
    assert_within(d, .5 - .25, 0, .1);
    panel_bench_close(&b);
}

/* Threads and the order of rows change nothing. */
static void test_invariance(void **state)
{
    (void)state;
    world w = {60, 5, 4, .5, .7};
    char *first = NULL;
    for (unsigned k = 0; k < 4; k++) {
        panel_bench b;
        panel_bench_open(&b, k < 3 ? 1u << (k + k / 2) : 2); /* 1 2 8, then shuffled rows */
        put_world(&b, &w, k == 3);
        assert_ok(PANEL_RUN(&b, "search=yes", "sequence=w4,w0,w2", "panel=x=w1,w3", "boot-b=199",
                            "aggregate=trim:0.3"));
        char *dump = panel_bench_dump(&b);
        if (first) assert_string_equal(dump, first);
        if (first) mem_free(&b.m, dump);
        else first = dump;
        panel_bench_close(&b);
    }
    mem m = mem_system();
    mem_free(&m, first);
}

static void test_sequence(void **state)
{
    (void)state;
    panel_bench b;
    world w = {40, 4, 3, .3, .8};
    panel_bench_open(&b, 1);
    put_world(&b, &w, 0);
    assert_ok(PANEL_RUN(&b, "sequence=w2,w0,w3", "boot-b=99"));
    panel_key key = {"panel", "w2+w0+w3", NULL, NULL};
    assert_int_equal(panel_bench_cell(&b, "panels", &key, "size")->integer, 3);
    panel_key step = {"added", "w0", "author", "w2"};
    assert_int_equal(panel_bench_cell(&b, "sequence", &step, "judges")->integer, 2);
    assert_true(isfinite(panel_bench_cell(&b, "sequence", &step, "Phi~")->number));
    char *said = panel_bench_sentences(&b);
    assert_non_null(strstr(said, "Adding one judge at a time, from w2 to 3 judges"));
    mem_free(&b.m, said);
    panel_bench_close(&b);
}

/* Folds by a column, one split, and folds by hash: every item is held out once. */
static void test_folds(void **state)
{
    (void)state;
    panel_bench b;
    world w = {60, 4, 3, .3, .8};
    panel_bench_open(&b, 2);
    put_world(&b, &w, 0);
    assert_ok(PANEL_RUN(&b, "search=yes", "folds-by=fold", "boot-b=99"));
    panel_key back = {"fold", "back", "rule", "best agreement"};
    assert_true(isfinite(panel_bench_cell(&b, "folds", &back, "agreement_held_out")->number));
    assert_ok(PANEL_RUN(&b, "search=yes", "holdout=0.5", "boot-b=99", "greedy=yes"));
    panel_key split = {"fold", "held out", "rule", "least bias"};
    assert_true(isfinite(panel_bench_cell(&b, "folds", &split, "bias_held_out")->number));
    assert_ok(PANEL_RUN(&b, "search=yes", "folds=2", "boot-b=99", "bias=D"));
    const tare_reading *r =
        panel_bench_reading(&b, "search", "least bias", "tau_b minus", NULL);
    assert_true(isfinite(r->estimate) && r->lo <= r->estimate && r->estimate <= r->hi);
    panel_bench_close(&b);
}

/* A panel that was chosen on these items is compared with its members without a test; beside its
 * name stand the cross-fitted numbers, not the fold means of a panel that knew the folds. */
static void test_chosen(void **state)
{
    (void)state;
    panel_bench b;
    world w = {60, 5, 4, .5, .7};
    size_t chosen = 0, tested = 0;
    panel_bench_open(&b, 2);
    put_world(&b, &w, 0);
    assert_ok(PANEL_RUN(&b, "search=yes", "boot-b=199", "max-size=3", "panel=x=w0,w4"));
    for (size_t k = 0; k < b.job->result.reading_count; k++) {
        const tare_reading *r = &b.job->result.readings[k];
        if (strcmp(r->family, "panel against member") != 0) continue;
        bool named = !strcmp(r->instrument, "x") || !strcmp(r->instrument, "all judges");
        assert_true(named == !isnan(r->q));
        assert_true(named == (r->verdict != TARE_DESCRIPTIVE));
        assert_true(named == (strstr(r->marks, "chosen on these items") == NULL));
        chosen += !named;
        tested += named;
    }
    assert_true(chosen >= 2 && tested >= 2);
    panel_key key = {"source", "search: least bias", NULL, NULL};
    const cell *c = panel_bench_cell(&b, "panels", &key, "cross_fitted_agreement");
    const tare_reading *held = panel_bench_reading(&b, "search", "least bias", "tau_b", "held out");
    assert_true(c->number == held->estimate);
    c = panel_bench_cell(&b, "panels", &key, "cross_fitted_bias_hi");
    held = panel_bench_reading(&b, "search", "least bias", "mabs", "held out");
    assert_true(c->number == held->hi && isnan(held->p));
    assert_true(isnan(panel_bench_reading(&b, "panel bias", "x", "mabs", NULL)->p));
    char *said = panel_bench_sentences(&b);
    assert_non_null(strstr(said, "chosen on these items, which flatters it"));
    mem_free(&b.m, said);
    panel_bench_close(&b);
}

/* Is the panel more even than the best single judge? A tested reading in score units, from one
 * matrix, with the q of the search's family. */
static void test_evenness(void **state)
{
    (void)state;
    panel_bench b;
    world w = {200, 4, 4, 1, .7};
    panel_bench_open(&b, 2);
    put_world(&b, &w, 0);
    assert_ok(PANEL_RUN(&b, "search=yes", "max-size=2", "boot-b=499"));
    const tare_reading *r = panel_bench_reading(&b, "search", "least bias", "|D| minus", NULL);
    assert_string_equal(r->grid, "search");
    assert_true(r->estimate < 0 && r->hi < 0 && r->q >= r->p && !isnan(r->margin));
    assert_int_equal(r->verdict, TARE_FOUND);
    char *said = panel_bench_sentences(&b);
    assert_non_null(strstr(said, "A panel helps, in agreement and in evenness"));
    assert_non_null(strstr(said, "below 0 in 5 of 5 folds"));
    mem_free(&b.m, said);
    /* All judges by their mean, or the median of two: R is 0 whatever the data. */
    static const char *const rules[] = {"aggregate=mean", "aggregate=median", "aggregate=trim:0.4"};
    for (size_t k = 0; k < 3; k++) {
        assert_ok(PANEL_RUN(&b, "panel=all=w0,w1,w2,w3", rules[k], "boot-b=99"));
        bool mean = k == 0;
        panel_key all = {"panel", "all", "member", "w0"};
        assert_true(isnan(panel_bench_cell(&b, "members", &all, "D_difference")->number) == mean);
    }
    world two = {100, 2, 2, 1, .7};
    put_world(&b, &two, 0);
    assert_ok(PANEL_RUN(&b, "search=yes", "aggregate=median", "boot-b=199"));
    r = panel_bench_reading(&b, "search", "least bias", "|D| minus", NULL);
    assert_int_equal(r->verdict, TARE_DESCRIPTIVE);
    said = panel_bench_sentences(&b);
    assert_non_null(strstr(said, "Of evenness nothing can be said"));
    assert_null(strstr(said, "evenness rather"));
    assert_null(strstr(said, "If evenness matters"));
    mem_free(&b.m, said);
    panel_bench_close(&b);
}

/* Six equal judges, of whom two write: the folds choose different single judges, and one that
 * writes nothing has no preference. */
static void test_single_of_each_fold(void **state)
{
    (void)state;
    panel_bench b;
    world w = {60, 6, 2, 0, 1.5};
    size_t silent = 0, writing = 0;
    panel_bench_open(&b, 2);
    put_world(&b, &w, 0);
    assert_ok(PANEL_RUN(&b, "search=yes", "max-size=3", "boot-b=99"));
    for (size_t k = 0; k < b.job->result.table_count; k++) {
        const result_table *t = b.job->result.tables[k];
        if (strcmp(t->name, "folds") != 0) continue;
        for (size_t i = 0; i < t->row_count; i++) {
            const cell *row = t->cells + i * t->column_count; /* rule, panel, .., held-out bias */
            if (strcmp(row[3].text, "best single judge") != 0) continue;
            bool writes = !strcmp(row[4].text, "w0") || !strcmp(row[4].text, "w1");
            assert_true(isnan(row[6].number) == !writes && isnan(row[8].number) == !writes);
            writing += writes;
            silent += !writes;
        }
    }
    assert_int_equal(writing + silent, 5);
    assert_true(silent > 0);
    char *said = panel_bench_sentences(&b);
    assert_non_null(strstr(said, "the single judge chosen the same way (w"));
    assert_non_null(strstr(said, " of 5 folds): tau-b"));
    mem_free(&b.m, said);
    panel_bench_close(&b);
}

/* Scores that are missing leave the search and the panels' table with the same bias. */
static void test_available(void **state)
{
    (void)state;
    panel_bench b;
    panel_bench_open(&b, 2);
    text_add(&b.csv, "item,author,judge,score,gold\n");
    for (uint32_t i = 0; i < 60; i++)
        for (uint32_t a = 0; a < 3; a++)
            for (uint32_t j = 0; j < 4; j++) {
                double gold = panel_gauss(1, i * 3 + a);
                uint32_t n = (i * 3 + a) * 4 + j;
                if (panel_uniform(5, n) < .1) continue;
                text_add_format(&b.csv, "i%02u,w%u,w%u,%.1f,%.1f\n", i, a, j,
                                gold + panel_gauss(2, n) + (a == j ? .5 : 0), gold);
            }
    assert_ok(PANEL_RUN(&b, "search=yes", "max-size=2", "cells=available", "boot-b=99"));
    size_t met = 0;
    for (size_t k = 0; k < b.job->result.table_count; k++) {
        const result_table *t = b.job->result.tables[k];
        if (strcmp(t->name, "front") != 0) continue;
        for (size_t i = 0; i < t->row_count; i++) {
            const char *members = t->cells[i * t->column_count + 2].text;
            panel_key key = {"members", members, NULL, NULL};
            char option[64];
            snprintf(option, sizeof option, "panel=%s", members);
            for (char *c = option; *c; c++) *c = *c == '+' ? ',' : *c;
            double bias = t->cells[i * t->column_count + 5].number;
            panel_bench named;
            panel_bench_open(&named, 1);
            text_add(&named.csv, b.csv.data);
            assert_ok(PANEL_RUN(&named, option, "cells=available", "boot-b=99"));
            assert_close(panel_bench_cell(&named, "panels", &key, "mabs")->number, bias);
            panel_bench_close(&named);
            met++;
        }
    }
    assert_true(met > 0);
    panel_bench_close(&b);
}

/* People's ratings: averaged; one rating each is flagged. */
static void test_human(void **state)
{
    (void)state;
    panel_bench b;
    world w = {40, 3, 2, 0, .5};
    panel_bench_open(&b, 1);
    for (int raters = 1; raters <= 2; raters++) {
        put_world(&b, &w, 0);
        /* gold from people: the table's own column is not to be read */
        char *head = strstr(b.csv.data, "gold");
        memcpy(head, "drop", 4);
        text_clear(&b.human);
        text_add(&b.human, "item,author,rater,rating\n");
        for (int i = 0; i < 40; i++)
            for (int a = 0; a < 2; a++)
                for (int r = 0; r < raters; r++)
                    text_add_format(&b.human, "i%03d,w%d,r%d,%d\n", i, a, r, (i * 3 + a + r) % 5);
        assert_ok(PANEL_RUN(&b, "boot-b=99"));
        char *said = panel_bench_sentences(&b);
        assert_true((strstr(said, "single-rating-gold") != NULL) == (raters == 1));
        const tare_reading *r = panel_bench_reading(&b, "votes", "all judges", "rho", NULL);
        assert_true((strstr(r->marks, "single-rating-gold") != NULL) == (raters == 1));
        mem_free(&b.m, said);
    }
    text_add(&b.human, "i000,w0,w1,3\n");
    assert_int_equal(PANEL_RUN(&b, "boot-b=99"), TARE_E_DATA);
    assert_string_equal(err.code, "panel.gold_from_member");
    panel_bench_close(&b);
}

/* Rows without a member's score leave the panel, or take part with K members. */
static void test_missing(void **state)
{
    (void)state;
    panel_bench b;
    panel_bench_open(&b, 1);
    text_add(&b.csv, "item,author,judge,score,gold\n");
    for (int i = 0; i < 50; i++)
        for (int a = 0; a < 2; a++)
            for (int j = 0; j < 3; j++)
                text_add_format(&b.csv, "i%02d,a%d,j%d,%s,%d\n", i, a, j,
                                i < 5 && j == 0 ? "NA" : i % 3 ? "1.5" : j ? "2" : "4",
                                (i * 7 + a) % 4);
    panel_key all = {"panel", "all judges", NULL, NULL};
    assert_ok(PANEL_RUN(&b, "boot-b=99"));
    assert_int_equal(panel_bench_cell(&b, "panels", &all, "n_rows")->integer, 90);
    assert_int_equal(panel_bench_cell(&b, "panels", &all, "n_without_score")->integer, 10);
    char *said = panel_bench_sentences(&b);
    assert_non_null(strstr(said, "45 of 50 items"));
    mem_free(&b.m, said);
    assert_ok(PANEL_RUN(&b, "members=2", "boot-b=99"));
    assert_int_equal(panel_bench_cell(&b, "panels", &all, "n_rows")->integer, 100);
    panel_bench_close(&b);
}

/* Verdicts in the letters of lm-council. */
static void test_verdicts(void **state)
{
    (void)state;
    static const char *const verdict[] = {"A>>B", "A>B", "A=B", "B>A", "B>>A"};
    panel_bench b;
    panel_bench_open(&b, 1);
    text_add(&b.csv, "item,author,judge,score,gold\n");
    for (int i = 0; i < 30; i++)
        for (int j = 0; j < 3; j++)
            text_add_format(&b.csv, "i%02d,a,j%d,%s,%d\n", i, j, verdict[(i + (j == i % 3)) % 5],
                            2 - i % 5);
    assert_ok(PANEL_RUN(&b, "aggregate=lmc", "agree=accuracy", "boot-b=99"));
    double got = panel_bench_reading(&b, "agreement", "all judges", "accuracy", NULL)->estimate;
    /* One of three is a step off: 1/3 rounds back, the 4/3 from -2 to 2 does not. */
    assert_close(got, 24. / 30); /* counted in Python */
    text_clear(&b.csv);
    text_add(&b.csv, "item,author,judge,score,gold\ni,a,j0,A>B,1\ni,a,j1,better,1\n"
                     "k,a,j0,A>B,2\nk,a,j1,A=B,2\n");
    assert_int_equal(PANEL_RUN(&b, "aggregate=lmc"), TARE_E_DATA);
    assert_string_equal(err.code, "panel.lmc");
    panel_bench_close(&b);
}

/* Labels are voted on; what they say is not averaged. */
static void test_text_labels(void **state)
{
    (void)state;
    static const char *const label[] = {"bad", "fine", "good"};
    panel_bench b;
    panel_bench_open(&b, 1);
    text_add(&b.csv, "item,author,judge,score,gold\n");
    for (int i = 0; i < 40; i++)
        for (int j = 0; j < 3; j++)
            text_add_format(&b.csv, "i%02d,a%d,j%d,%s,%s\n", i, i % 2, j,
                            label[(i + (j == i % 4)) % 3], label[i % 3]);
    assert_int_equal(PANEL_RUN(&b, "aggregate=majority"), TARE_E_DATA);
    assert_int_equal(PANEL_RUN(&b, "labels=yes"), TARE_E_USAGE);
    assert_string_equal(err.code, "panel.text_labels");
    assert_ok(PANEL_RUN(&b, "labels=yes", "aggregate=majority", "agree=accuracy", "boot-b=99"));
    assert_close(panel_bench_reading(&b, "agreement", "all judges", "accuracy", NULL)->estimate, 1);
    assert_close(panel_bench_reading(&b, "agreement", "j0", "accuracy", NULL)->estimate, .75);
    panel_bench_close(&b);
}

/* Vectors over dims: one dim's geometric median depends on the others. */
static void test_dims(void **state)
{
    (void)state;
    panel_bench b;
    panel_bench_open(&b, 2);
    text_add(&b.csv, "item,author,judge,dim,score,gold\n");
    for (uint32_t i = 0; i < 40; i++)
        for (uint32_t a = 0; a < 2; a++)
            for (uint32_t j = 0; j < 4; j++)
                for (uint32_t d = 0; d < 2; d++) {
                    double gold = panel_gauss(d, i * 2 + a);
                    double e = panel_gauss(9, ((i * 2 + a) * 4 + j) * 2 + d);
                    text_add_format(&b.csv, "i%02u,j%u,j%u,d%u,%.2f,%.2f\n", i, a, j, d,
                                    gold + (j ? .4 : 4) * e, gold);
                }
    double got[2];
    static const char *const rules[] = {"aggregate=mean", "aggregate=geomedian"};
    for (int k = 0; k < 2; k++) {
        assert_ok(PANEL_RUN(&b, rules[k], "boot-b=99"));
        panel_key first = {"panel", "all judges", "dim", "d0"};
        got[k] = panel_bench_cell(&b, "panels", &first, "agreement")->number;
        assert_int_equal(b.job->result.figure_count, 4); /* vector and errors of either dim */
    }
    assert_true(got[1] > got[0] + .1); /* B.10: the noisy judge ruins the mean more */
    panel_bench_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_votes),    cmocka_unit_test(test_exchangeable),
        cmocka_unit_test(test_bonus),    cmocka_unit_test(test_invariance),
        cmocka_unit_test(test_sequence), cmocka_unit_test(test_folds),
        cmocka_unit_test(test_human),    cmocka_unit_test(test_missing),
        cmocka_unit_test(test_verdicts), cmocka_unit_test(test_text_labels),
        cmocka_unit_test(test_dims),     cmocka_unit_test(test_chosen),
        cmocka_unit_test(test_evenness), cmocka_unit_test(test_available),
        cmocka_unit_test(test_single_of_each_fold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
