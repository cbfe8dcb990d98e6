/* What the answer of tare matrix makes of D: beside gold, beside the family, from two authors. */
#include "support/check.h"

#include <string.h>

#include "matrix_fixture.h"

enum { MODELS = 6, ITEMS = 60 };

static tare_error err;

/* Noise SD .5 of texts and of judges; the last author is people. */
typedef struct design {
    int authors;
    double self[MODELS];  /* bonus for the own model                      */
    double fame[MODELS];  /* what all judges give an author too much      */
    double family;        /* bonus among m0, m1 and m2                    */
    double slope;         /* of judge 0                                   */
} design;

static void put_table(matrix_bench *b, const design *x)
{
    uint32_t n = 0;
    text_clear(&b->csv);
    text_add(&b->csv, "item,author,judge,score,gold\n");
    for (int i = 0; i < ITEMS; i++)
        for (int g = 0; g < x->authors; g++) {
            double truth = .3 * g + .5 * matrix_bench_gauss(8, n++);
            for (int e = 0; e < MODELS; e++) {
                double score = (e == 0 ? x->slope : 1) * truth + .2 * e +
                               .5 * matrix_bench_gauss(8, n++);
                if (g == e) score += x->self[e];
                else if (g < 3 && e < 3) score += x->family;
                if (g < MODELS) score += x->fame[g];
                const char *author = g == x->authors - 1 ? "people" : "m";
                if (author[1]) text_add_format(&b->csv, "i%d,people,", i);
                else text_add_format(&b->csv, "i%d,m%d,", i, g);
                text_add_format(&b->csv, "m%d,%.9g,%.9g\n", e, score, truth);
            }
        }
}

static bool says(const matrix_bench *b, const char *what)
{
    char *text = matrix_bench_sentences(b);
    bool found = strstr(text, what) != NULL;
    mem_free(&b->m, text);
    return found;
}

static void run(matrix_bench *b, const design *x)
{
    static const char *const fast[] = {"boot-b=999", "perm-p=199", "block-perm=199", NULL};
    put_table(b, x);
    assert_ok(matrix_bench_run(b, NULL, fast, &err));
}

/* A bonus of judge 0; and fame of author 1 among all judges, of which D knows nothing. */
static void gold(void **state)
{
    matrix_bench b;
    (void)state;
    matrix_bench_open(&b, 2);
    run(&b, &(design){.authors = 7, .self = {1}, .slope = 1});
    assert_true(says(&b, "1 of 6 judges favours"));
    assert_true(says(&b, "Of these, at equal quality (by the gold score), confirmed: m0 +"));
    run(&b, &(design){.authors = 7, .fame = {0, 1}, .slope = 1});
    assert_true(says(&b, "Compared with what the other judges say, none of 6 judges was shown to "
                         "favour texts by its own model; at equal gold score 1 does"));
    assert_true(says(&b, "But at equal quality (by the gold score), in favour of their own texts: "
                         "m1 +"));
    /* where D alone is below a margin the sentence says so, and whom gold finds all the same */
    static const char *const wide[] = {"boot-b=999", "perm-p=199", "block-perm=199", "margin=.2",
                                       NULL};
    put_table(&b, &(design){.authors = 7, .fame = {0, 1}, .slope = 1});
    assert_ok(matrix_bench_run(&b, NULL, wide, &err));
    assert_true(says(&b, "Compared with what the other judges say, any preference is below the "
                         "margin that was set: m0, m1 and m3; but at equal gold score "
                         "a difference is shown for m1."));
    assert_true(says(&b, "; against their own texts: m0 -0.0632 (below the margin), "));
    /* judge 0 spares author 2 what the others subtract: D of m0 is no matter of its own texts */
    run(&b, &(design){.authors = 7, .self = {1}, .fame = {-1}, .slope = 1});
    assert_true(says(&b, "1 of 6 judges favours"));
    assert_true(says(&b, "not confirmed: m0 ("));
    assert_false(says(&b, "confirmed: m0 +"));
    matrix_bench_close(&b);
}

/* Three of one family favour each other and not themselves more: seen from outside they favour
 * their own less than the others do, and without the family nothing is left. */
static void family(void **state)
{
    matrix_bench b;
    (void)state;
    matrix_bench_open(&b, 2);
    text_add(&b.roster, "id,family\nm0,A\nm1,A\nm2,A\nm3,B\nm4,C\nm5,D\nm9,D\n");
    run(&b, &(design){.authors = 7, .family = 1, .slope = 1});
    const tare_reading *d = matrix_bench_reading(&b, "self", "D", "m0", NULL);
    const tare_reading *k = matrix_bench_reading(&b, "self", "D_no_family", "m0", NULL);
    assert_true(d->hi < 0 && k->lo < 0 && k->hi > 0);
    assert_non_null(strstr(d->marks, "depends on family"));
    assert_true(says(&b, "is not shown in comparison with judges and authors "
                         "outside their family alone"));
    assert_true(says(&b, "but compared with judges and authors outside its family the difference "
                         "is "));
    assert_false(says(&b, "m0 and m1 score"));
    assert_null(strstr(matrix_bench_reading(&b, "self", "D", "m3", NULL)->marks, "family"));
    /* a model of the roster that is not in the table */
    bool told = false;
    const audit_result *r = &b.job->result;
    for (size_t i = 0; i < r->fact_count; i++)
        told = told || (!strcmp(r->facts[i].key, "not in the table") &&
                        !strcmp(r->facts[i].value, "m9"));
    assert_true(told);
    /* a bonus for the own model alone stays one */
    run(&b, &(design){.authors = 7, .self = {1}, .slope = 1});
    assert_true(says(&b, "1 of 6 judges favours"));
    assert_null(strstr(matrix_bench_reading(&b, "self", "D", "m0", NULL)->marks, "family"));
    matrix_bench_close(&b);
}

/* From two authors a judge's own scale knows their order alone. */
static void two_authors(void **state)
{
    matrix_bench b;
    (void)state;
    matrix_bench_open(&b, 2);
    run(&b, &(design){.authors = 2, .self = {-1.5}, .slope = 1});
    const tare_reading *d = matrix_bench_reading(&b, "self", "D", "m0", NULL);
    assert_int_equal(d->verdict, TARE_INCONCLUSIVE);
    assert_non_null(strstr(d->marks, "no scale from two authors"));
    assert_true(says(&b, "two authors cannot tell a judge that favours its own model"));
    assert_false(says(&b, "scale effect"));
    assert_false(says(&b, "n/a"));
    matrix_bench_close(&b);
}

/* What spreads its scores more is no preference, and no verdict that could hold. */
static void scale(void **state)
{
    matrix_bench b;
    (void)state;
    matrix_bench_open(&b, 2);
    run(&b, &(design){.authors = 7, .slope = 3});
    assert_true(says(&b, "that may be a scale effect"));
    assert_false(says(&b, "whichever other judge is left out"));
    const tare_reading *two = matrix_bench_reading(&b, "identity", "identity_R", NULL, "two-sided");
    assert_int_equal(two->verdict, TARE_DESCRIPTIVE);
    /* significant, below the margin and not so on its own scale: negligible, whoever is left out */
    static const char *const wide[] = {"boot-b=999", "perm-p=199", "block-perm=199", "margin=9",
                                       NULL};
    put_table(&b, &(design){.authors = 7, .slope = 3});
    assert_ok(matrix_bench_run(&b, NULL, wide, &err));
    const tare_reading *d = matrix_bench_reading(&b, "self", "D", "m0", NULL);
    assert_true(d->q < .05 && d->verdict == TARE_NEGLIGIBLE);
    assert_non_null(strstr(d->marks, "depends on scale"));
    assert_true(matrix_bench_reading(&b, "leave-one-judge-out", "verdict_holds", "m0",
                                     NULL)->estimate == 1);
    matrix_bench_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(gold), cmocka_unit_test(family),
                                       cmocka_unit_test(two_authors), cmocka_unit_test(scale)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
