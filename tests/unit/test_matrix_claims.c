/* What tare matrix may claim of models in general, of constant judges, of terms that missing scores
 * hold back, and of families beside a bonus for the own model. */
#include "support/check.h"

#include <math.h>
#include <string.h>

#include "matrix_fixture.h"

enum { MODELS = 6, AUTHORS = 7, ITEMS = 60 };

static tare_error err;

/* Six models and people; noise SD .7. `bonus` of every model for its own texts; models below
 * `constant` give 3 to all texts. */
typedef struct design { double bonus[MODELS], family; int constant, items; uint64_t seed; } design;

static void put_table(matrix_bench *b, const design *x)
{
    uint32_t n = 0;
    double quality[AUTHORS], severity[MODELS];
    for (int g = 0; g < AUTHORS; g++) quality[g] = .5 * matrix_bench_gauss(x->seed, n++);
    for (int e = 0; e < MODELS; e++) severity[e] = .5 * matrix_bench_gauss(x->seed, n++);
    text_clear(&b->csv);
    text_clear(&b->roster);
    text_add(&b->roster, "id,family\nm0,A\nm1,A\nm2,B\nm3,B\nm4,C\nm5,C\nm6,\n");
    text_add(&b->csv, "item,author,judge,score\n");
    for (int i = 0; i < x->items; i++)
        for (int g = 0; g < AUTHORS; g++) {
            double truth = quality[g] + .7 * matrix_bench_gauss(x->seed, n++);
            for (int e = 0; e < MODELS; e++) {
                double score = 5 + severity[e] + truth + .7 * matrix_bench_gauss(x->seed, n++);
                if (g == e) score += x->bonus[e];
                else if (g < MODELS && g / 2 == e / 2) score += x->family;
                text_add_format(&b->csv, "i%03d,m%d,m%d,%.9g\n", i, g, e,
                                e < x->constant ? 3 : score);
            }
        }
}

static const char *const fast[] = {"boot-b=999", "perm-p=199", "block-perm=199", NULL};

static bool says(const matrix_bench *b, const char *what)
{
    char *text = matrix_bench_sentences(b);
    bool found = strstr(text, what) != NULL;
    mem_free(&b->m, text);
    return found;
}

static const tare_reading *mean_d(const matrix_bench *b, const char *condition)
{
    return matrix_bench_reading(b, "models", "mean D", NULL, condition);
}

/* ---- Models in general ----------------------------------------------------------------------- */

/* Two of six have a bonus: nothing is said of others. All have about one: it is. All have exactly
 * one: D differs by less than items alone would make it, and no claim rests on that. */
static void test_models(void **state)
{
    static const char claim[] = "models like these can be expected to favour their own texts";
    matrix_bench b;
    (void)state;
    matrix_bench_open(&b, 2);
    put_table(&b, &(design){.bonus = {1.5, 1.5}, .items = ITEMS, .seed = 11});
    assert_ok(matrix_bench_run(&b, NULL, fast, &err));
    assert_false(says(&b, claim));
    assert_true(says(&b, "nothing is shown about models other than these"));
    assert_int_equal(mean_d(&b, "more items")->verdict, TARE_DESCRIPTIVE);
    assert_string_equal(mean_d(&b, "two-way")->grid, "models");
    const tare_reading *pooled = matrix_bench_reading(&b, "models", "pooled self effect", NULL,
                                                      "more models");
    assert_true(pooled->verdict == TARE_DESCRIPTIVE && pooled->grid[0] == '\0');

    put_table(&b, &(design){.bonus = {2, 1.5, 2.5, 1.8, 2.2, 1.6}, .items = ITEMS, .seed = 12});
    assert_ok(matrix_bench_run(&b, NULL, fast, &err));
    assert_true(says(&b, claim));
    assert_false(says(&b, "nothing is shown about models other than these"));
    assert_int_equal(mean_d(&b, "more models")->verdict, TARE_FOUND);
    matrix_bench_close(&b);
}

/* 2.8 % of the draws of six judges hold fewer than two: e^-6 + 6 (1 - e^-1) e^-5. */
static void test_two_way(void **state)
{
    matrix_bench b;
    size_t left = 0;
    (void)state;
    matrix_bench_open(&b, 2);
    put_table(&b, &(design){.bonus = {2, 1.5, 2.5, 1.8, 2.2, 1.6}, .items = ITEMS, .seed = 12});
    const char *options[] = {"boot-b=9999", "perm-p=199", "block-perm=199", NULL};
    assert_ok(matrix_bench_run(&b, NULL, options, &err));
    const tare_reading *both = mean_d(&b, "two-way");
    assert_string_equal(both->reason, "");
    assert_true(both->lo < both->estimate && both->estimate < both->hi);
    const char *mark = strstr(both->marks, " resamples of fewer than two judges left out");
    assert_non_null(mark);
    while (mark > both->marks && mark[-1] >= '0' && mark[-1] <= '9') mark--;
    left = strtoul(mark, NULL, 10);
    assert_true(left > 230 && left < 330); /* 277 expected, SD 16 */
    matrix_bench_close(&b);
}

/* From five items nothing is said of these models, and so not of others. */
static void test_few_items(void **state)
{
    matrix_bench b;
    (void)state;
    matrix_bench_open(&b, 1);
    put_table(&b, &(design){.bonus = {2, 1.5, 2.5, 1.8, 2.2, 1.6}, .items = 5, .seed = 12});
    assert_ok(matrix_bench_run(&b, NULL, fast, &err));
    static const char *const what[] = {"mean D", "pooled self effect"};
    for (size_t k = 0; k < 2; k++) {
        const tare_reading *r = matrix_bench_reading(&b, "models", what[k], NULL, "more models");
        assert_int_equal(r->verdict, TARE_NO_ANSWER);
        assert_string_equal(r->reason, "too_few_clusters");
        assert_true(isfinite(r->estimate) && isnan(r->lo) && isnan(r->p));
    }
    matrix_bench_close(&b);
}

static void test_narrow(void **state)
{
    matrix_bench b;
    bool seen = false;
    (void)state;
    matrix_bench_open(&b, 2);
    for (uint64_t seed = 100; seed < 160 && !seen; seed++) {
        put_table(&b, &(design){.bonus = {1, 1, 1, 1, 1, 1}, .items = 40, .seed = seed});
        assert_ok(matrix_bench_run(&b, NULL, fast, &err));
        const tare_reading *items = mean_d(&b, "more items");
        const tare_reading *models = mean_d(&b, "more models");
        if (models->hi - models->lo >= items->hi - items->lo) continue;
        seen = true;
        assert_true(models->verdict == TARE_INCONCLUSIVE);
        assert_non_null(strstr(models->marks, "narrower than over items"));
        assert_true(says(&b, "the interval over items is the one to use"));
    }
    assert_true(seen);
    matrix_bench_close(&b);
}

/* ---- Constant judges ------------------------------------------------------------------------- */

static void test_constant_judge(void **state)
{
    matrix_bench b;
    (void)state;
    matrix_bench_open(&b, 1);
    put_table(&b, &(design){.constant = 1, .items = ITEMS, .seed = 21});
    assert_ok(matrix_bench_run(&b, NULL, fast, &err));
    const char *const names[] = {"severity", "slope", "self"};
    for (size_t k = 0; k < 3; k++) {
        const tare_reading *r = matrix_bench_reading(&b, "self-regression", names[k], "m0",
                                                     "by peers");
        assert_int_equal(r->verdict, TARE_NO_ANSWER);
        assert_string_equal(r->reason, "degenerate");
        r = matrix_bench_reading(&b, "self-regression", names[k], "m1", "by peers");
        assert_int_equal(r->verdict, TARE_DESCRIPTIVE);
    }
    /* Its cells leave their families; five models are left. */
    static const char *const numbers[] = {"R", "Z", "Phi~"};
    for (size_t k = 0; k < 3; k++)
        for (int g = 0; g < AUTHORS; g++) {
            char author[8];
            snprintf(author, sizeof author, "m%d", g);
            const tare_reading *r = matrix_bench_reading(&b, "cells", numbers[k], "m0", author);
            assert_int_equal(r->verdict, TARE_NO_ANSWER);
            assert_string_equal(r->reason, "degenerate");
            assert_true(isnan(r->q));
            r = matrix_bench_reading(&b, "cells", numbers[k], "m1", author);
            assert_int_not_equal(r->verdict, TARE_NO_ANSWER);
        }
    const tare_reading *sign = matrix_bench_reading(&b, "identity", "positive_self_cells", NULL,
                                                    "Phi~");
    const tare_reading *who = matrix_bench_reading(&b, "identity", "identity_R", NULL,
                                                   "one-sided");
    assert_true(sign->n_base == MODELS - 1 && who->n_base == MODELS - 1);
    assert_close(who->p_floor, 1. / 120); /* 5! */
    assert_true(says(&b, "(5 models without the judges that do not vary, p is at least 0.00833)"));
    assert_true(says(&b, " of 5 self cells of Phi~ are positive"));
    double mean = 0;
    for (int k = 1; k < MODELS; k++) {
        char name[8];
        snprintf(name, sizeof name, "m%d", k);
        mean += matrix_bench_reading(&b, "self", "D", name, NULL)->estimate / (MODELS - 1);
    }
    assert_close(mean_d(&b, "more items")->estimate, mean);
    assert_close(mean_d(&b, "more models")->estimate, mean);
    assert_close(mean_d(&b, "two-way")->estimate, mean);
    assert_true(mean_d(&b, "more models")->df == MODELS - 2);
    assert_int_equal(mean_d(&b, "more models")->verdict, TARE_DESCRIPTIVE);

    put_table(&b, &(design){.constant = MODELS, .items = ITEMS, .seed = 21});
    assert_ok(matrix_bench_run(&b, NULL, fast, &err));
    static const char *const what[] = {"identity_R", "identity_Z"};
    for (size_t k = 0; k < 2; k++)
        assert_string_equal(matrix_bench_reading(&b, "identity", what[k], NULL, NULL)->reason,
                            "degenerate");
    assert_string_equal(mean_d(&b, NULL)->reason, "degenerate");
    assert_string_equal(matrix_bench_reading(&b, "cells", "R", "m2", "m2")->reason, "degenerate");
    matrix_bench_close(&b);
}

/* ---- Held back ------------------------------------------------------------------------------- */

/* Four judges in two families beside gold; m0 gives its own 2 more, m2 the text of m3 2 more; every
 * fourth score of m0, or of all, is missing. */
static void put_gold(matrix_bench *b, bool flat)
{
    text_clear(&b->csv);
    text_clear(&b->roster);
    text_add(&b->roster, "id,family\nm0,A\nm1,A\nm2,B\nm3,B\n");
    text_add(&b->csv, "item,author,judge,score,gold\n");
    for (int i = 0; i < 80; i++)
        for (int g = 0; g < 4; g++)
            for (int e = 0; e < 4; e++) {
                int gold = (i * 5 + g * 3 + i * g) % 7, noise = (i * 7 + g * 11 + e * 13
                                                                 + i * g * e) % 9;
                double score = flat ? 3 : gold + e + noise / 9. + (g == e && e == 0 ? 2 : 0)
                                              + (g != e && g / 2 == e / 2 && e > 1 ? 2 : 0);
                if (e != 0 || i % 4) text_add_format(&b->csv, "i%02d,m%d,m%d,%g,%d\n", i, g, e,
                                                     score, gold);
            }
}

static void test_held_back(void **state)
{
    matrix_bench b;
    (void)state;
    matrix_bench_open(&b, 1);
    put_gold(&b, false);
    const char *options[] = {"boot-b=499", "perm-p=499", "cells=available", NULL};
    assert_ok(matrix_bench_run(&b, NULL, options, &err));
    const tare_reading *r = matrix_bench_reading(&b, "family-regression", "family", "family: B",
                                                 "by gold");
    assert_true(r->estimate > 0 && r->q < .05 && r->verdict == TARE_INCONCLUSIVE);
    assert_true(says(&b, "held back, because which scores are missing depends on the judge or "
                         "author: A -0.00781, B +0.177 (shares of"));
    assert_false(says(&b, "none of 2 terms shows that texts of a judge's family"));
    put_gold(&b, true);
    assert_ok(matrix_bench_run(&b, NULL, options, &err));
    assert_true(says(&b, "no answer on a judge's own texts: m0 ("));
    assert_false(says(&b, "terms shows"));
    matrix_bench_close(&b);
}

/* ---- Families beside a self bonus ------------------------------------------------------------ */

/* 40 tables in which m0 and m1, of one family, favour themselves and not each other; then tables
 * with a family bonus. */
static void test_family(void **state)
{
    matrix_bench b;
    size_t innocent = 0, power = 0;
    (void)state;
    matrix_bench_open(&b, 2);
    for (uint64_t seed = 0; seed < 40; seed++) {
        put_table(&b, &(design){.bonus = {1, 1}, .items = ITEMS, .seed = 500 + seed});
        assert_ok(matrix_bench_run(&b, NULL, fast, &err));
        const tare_reading *r = matrix_bench_reading(&b, "block", "R", "family: A",
                                                     "less outsiders");
        innocent += r->verdict == TARE_FOUND || r->verdict == TARE_SMALL;
    }
    for (uint64_t seed = 0; seed < 10; seed++) {
        put_table(&b, &(design){.family = .8, .items = ITEMS, .seed = 700 + seed});
        assert_ok(matrix_bench_run(&b, NULL, fast, &err));
        power += matrix_bench_reading(&b, "block", "R", "family: A",
                                      "less outsiders")->verdict == TARE_FOUND;
    }
    printf("innocent family found in %zu of 40 tables, family bonus in %zu of 10\n", innocent,
           power);
    assert_true(innocent <= 3);
    assert_true(power >= 8);
    matrix_bench_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_models),   cmocka_unit_test(test_two_way),
        cmocka_unit_test(test_narrow),   cmocka_unit_test(test_constant_judge),
        cmocka_unit_test(test_held_back), cmocka_unit_test(test_family),
        cmocka_unit_test(test_few_items),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
