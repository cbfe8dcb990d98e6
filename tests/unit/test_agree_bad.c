/* `tare agree` on tables that are hostile, degenerate or half there: an answer with its reason, or
 * a refusal that says what to do. */
#include <string.h>

#include "agree_fixture.h"

static agree_bench b;

static int open_bench(void **state)
{
    (void)state;
    agree_bench_open(&b, 1);
    return 0;
}

static int close_bench(void **state)
{
    (void)state;
    agree_bench_close(&b);
    return 0;
}

static void refused(const char *code, tare_status kind)
{
    tare_error err = {0};
    if (agree_go(&b, &err) == TARE_OK) fail_msg("%s: not refused", code);
    if (strcmp(err.code, code)) fail_msg("%s: %s, wanted %s", err.code, err.message, code);
    assert_int_equal(err.status, kind);
    assert_true(err.message[0]);
}

static void put_rows(int n)
{
    agree_put(&b, "item,judge,score,gold,x1,x2\n");
    for (int i = 0; i < n; i++)
        agree_put(&b, "i%02d,j,%d,%d,%d,%d\n", i, i * 3 % 7, i % 5, i * 7 % 5, i * 2 % 5);
}

static void no_human_at_all(void **state)
{
    (void)state;
    agree_put(&b, "item,judge,score\n");
    for (int i = 0; i < 40; i++) agree_put(&b, "i%02d,j,%d\n", i, i % 5);
    refused("agree.no_human", TARE_E_DATA);
}

static void one_rater_only(void **state)
{
    (void)state;
    tare_error err = {0};
    put_rows(40);
    agree_set(&b, "raters", "x1");
    assert_ok(agree_go(&b, &err));
    assert_int_equal(agree_get(&b, "j", "tau_b", "")->n_base, 40);
    assert_string_equal(agree_get(&b, "people", "tau_b", NULL)->reason, "one_rater");
    assert_string_equal(agree_get(&b, "people", "alpha_interval", NULL)->reason, "one_rater");
    assert_true(agree_has_caution(&b, "one rater only"));
    assert_int_equal(agree_count(&b, "j", "tau_b", "matched to people"), 0);
}

static void gold_without_raters(void **state)
{
    (void)state;
    tare_error err = {0};
    put_rows(40);
    assert_ok(agree_go(&b, &err));
    assert_true(agree_has_caution(&b, "none of single raters"));
    assert_int_equal(agree_count(&b, "people", NULL, NULL), 0);
}

static void constant_judge_and_constant_gold(void **state)
{
    (void)state;
    tare_error err = {0};
    agree_put(&b, "item,judge,score,gold\n");
    for (int i = 0; i < 40; i++)
        agree_put(&b, "i%02d,flat,3,%d\ni%02d,good,%d,%d\n", i, i % 5, i, i % 5, i % 5);
    assert_ok(agree_go(&b, &err));
    const tare_reading *r = agree_get(&b, "flat", "tau_b", "");
    assert_int_equal(r->verdict, TARE_NO_ANSWER);
    assert_string_equal(r->reason, "degenerate");
    assert_true(isnan(r->estimate));
    assert_true(agree_has_caution(&b, "flat: no answer, it gives every row the same score"));
    assert_close(agree_get(&b, "good", "tau_b", "")->estimate, 1);
    assert_int_equal(agree_get(&b, "flat", "d_tau_b", NULL)->verdict, TARE_NO_ANSWER);
    /* a constant judge can still be lenient: gold is 0..4 with mean 2 */
    assert_close(agree_get(&b, "flat", "leniency", NULL)->estimate, 1);
    agree_bench_clear(&b);
    agree_put(&b, "item,judge,score,gold\n");
    for (int i = 0; i < 40; i++) agree_put(&b, "i%02d,j,%d,2\n", i, i % 5);
    assert_ok(agree_go(&b, &err));
    assert_string_equal(agree_get(&b, "j", "tau_b", "")->reason, "degenerate");
    assert_true(agree_has_caution(&b, "All gold scores are equal"));
}

static void judge_that_is_missing_everywhere(void **state)
{
    (void)state;
    tare_error err = {0};
    agree_put(&b, "item,judge,score,gold,status\n");
    for (int i = 0; i < 40; i++)
        agree_put(&b, "i%02d,gone,,%d,refused\ni%02d,here,%d,%d,ok\n", i, i % 5, i, i % 4, i % 5);
    assert_ok(agree_go(&b, &err));
    const tare_reading *r = agree_get(&b, "gone", "tau_b", "");
    assert_string_equal(r->reason, "no_scores");
    assert_int_equal(r->n_missing[TARE_R_REFUSED], 40);
    assert_true(agree_has_caution(&b, "gone: no answer, it has no score"));
    assert_int_equal(agree_count(&b, NULL, "probability_first", NULL), 0); /* one judge is left */
}

/* Comparisons use the rows that both have; a judge's own reading all of its own. */
static void intersection(void **state)
{
    (void)state;
    tare_error err = {0};
    agree_put(&b, "item,judge,score,gold\n");
    for (int i = 0; i < 60; i++) {
        int gold = i % 7;
        agree_put(&b, "i%02d,a,%d,%d\n", i, (gold * 2 + i % 3) % 9, gold);
        if (i % 6) agree_put(&b, "i%02d,b,%d,%d\n", i, (gold + i % 4) % 8, gold);
        if (i % 5) agree_put(&b, "i%02d,c,%d,%d\n", i, gold, gold);
    }
    assert_ok(agree_go(&b, &err));
    assert_int_equal(agree_get(&b, "a", "tau_b", "")->n_base, 60);
    assert_int_equal(agree_get(&b, "b", "tau_b", "")->n_base, 50);
    assert_int_equal(agree_get(&b, "a", "d_tau_b", "less b")->n_base, 50);
    assert_int_equal(agree_get(&b, "b", "d_tau_b", "less c")->n_base, 40);
    /* on the 40 rows of all: scipy.stats.kendalltau of b is .43254778898086305, of c 1 */
    const tare_reading *r = agree_get(&b, "b", "d_tau_b", "less c");
    assert_close(r->estimate, 0.43254778898086305 - 1);
    const char *all = "of 3 judges, 40 rows that all have";
    assert_close(agree_get(&b, "c", "probability_first", all)->estimate, 1);
}

/* What one judge misses depends on the judge: no verdict on it, nor on a pair that it is in. */
static void informative_holes(void **state)
{
    (void)state;
    tare_error err = {0};
    agree_put(&b, "item,judge,score,gold\n");
    for (int i = 0; i < 200; i++) {
        agree_put(&b, "i%03d,a,%d,%d\n", i, (i % 5) * 2 + i % 3, i % 5);
        agree_put(&b, "i%03d,b,%d,%d\n", i, (i % 5) * 2 + i % 2, i % 5);
        if (i % 4) agree_put(&b, "i%03d,c,%d,%d\n", i, i * 7 % 11, i % 5);
    }
    assert_ok(agree_go(&b, &err));
    assert_int_equal(agree_get(&b, "a", "tau_b", "")->verdict, TARE_FOUND);
    assert_int_equal(agree_get(&b, "c", "tau_b", "")->verdict, TARE_INCONCLUSIVE);
    assert_int_equal(agree_get(&b, "a", "d_tau_b", "less b")->verdict, TARE_FOUND);
    assert_int_equal(agree_get(&b, "a", "d_tau_b", "less c")->verdict, TARE_INCONCLUSIVE);
}

static void the_same_judge_twice(void **state)
{
    (void)state;
    tare_error err = {0};
    agree_put(&b, "item,judge,score,gold\n");
    for (int i = 0; i < 60; i++)
        agree_put(&b, "i%02d,a,%d,%d\ni%02d,b,%d,%d\n", i, i % 4, i % 5, i, i % 4, i % 5);
    assert_ok(agree_go(&b, &err));
    const tare_reading *r = agree_get(&b, "a", "d_tau_b", "less b");
    assert_close(r->estimate, 0);
    assert_int_equal(r->verdict, TARE_NEGLIGIBLE);
    assert_close(agree_get(&b, "a", "probability_first", NULL)->estimate, .5); /* ties share */
}

static void text_without_labels(void **state)
{
    (void)state;
    agree_put(&b, "item,judge,score,gold\n");
    for (int i = 0; i < 40; i++) agree_put(&b, "i%02d,j,%s,%d\n", i, i % 2 ? "good" : "bad", i % 5);
    refused("score.text", TARE_E_DATA);
}

static void raters_that_disagree_with_themselves(void **state)
{
    (void)state;
    agree_put(&b, "item,judge,score\n");
    for (int i = 0; i < 10; i++) agree_put(&b, "i%02d,j,%d\n", i, i % 5);
    agree_human(&b, "item,rater,rating\ni00,r1,3\ni01,r1,2\ni00,r1,4\n");
    tare_error err = {0};
    assert_int_equal(agree_go(&b, &err), TARE_E_DATA);
    assert_non_null(strstr(err.message, "2"));
    assert_non_null(strstr(err.message, "4"));
}

static void very_large_scores(void **state)
{
    (void)state;
    tare_error err = {0};
    agree_put(&b, "item,judge,score,gold\n");
    for (int i = 0; i < 40; i++) {
        if (i == 7) agree_put(&b, "i07,j,1e308,2\n");
        else agree_put(&b, "i%02d,j,%d,%d\n", i, i % 6, i % 5);
    }
    agree_set(&b, "scale", "same");
    assert_ok(agree_go(&b, &err));
    assert_true(isfinite(agree_get(&b, "j", "tau_b", "")->estimate)); /* ranks do not care */
    assert_string_equal(agree_get(&b, "j", "pearson", NULL)->reason, "out_of_range");
    assert_string_equal(agree_get(&b, "j", "leniency", NULL)->reason, "out_of_range");
    assert_string_equal(agree_get(&b, "j", "alpha_interval", NULL)->reason, "out_of_range");
}

static void few_clusters(void **state)
{
    (void)state;
    tare_error err = {0};
    put_rows(5);
    assert_ok(agree_go(&b, &err));
    const tare_reading *r = agree_get(&b, "j", "tau_b", "");
    assert_string_equal(r->reason, "too_few_clusters");
    assert_true(isfinite(r->estimate) && isnan(r->lo));
    agree_bench_clear(&b);
    put_rows(12);
    assert_ok(agree_go(&b, &err));
    assert_non_null(strstr(agree_get(&b, "j", "tau_b", "")->interval_method, "jackknife"));
}

static void options_that_do_not_fit(void **state)
{
    (void)state;
    put_rows(12);
    agree_set(&b, "category", "x");
    refused("agree.option", TARE_E_USAGE);
    agree_bench_clear(&b);
    put_rows(12);
    agree_set(&b, "protocol", "pascal50s");
    agree_set(&b, "raters", "x1,x2");
    refused("agree.option", TARE_E_USAGE);
    agree_bench_clear(&b);
    put_rows(12);
    agree_set(&b, "protocol", "composite");
    agree_set(&b, "protocol", "nebula");
    refused("agree.protocols", TARE_E_USAGE);
    agree_bench_clear(&b);
    put_rows(12);
    agree_set(&b, "protocol", "flickr8k-expert-mean");
    refused("agree.ratings", TARE_E_DATA);
    agree_bench_clear(&b);
    put_rows(12);
    agree_set(&b, "protocol", "polaris");
    refused("agree.range", TARE_E_DATA);
    agree_bench_clear(&b);
    put_rows(12);
    agree_set(&b, "raters", "x1,x2");
    agree_human(&b, "item,rater,rating\ni00,r1,3\n");
    refused("agree.human", TARE_E_USAGE);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, open_bench, close_bench)
    const struct CMUnitTest tests[] = {
        TEST(no_human_at_all), TEST(one_rater_only), TEST(gold_without_raters),
        TEST(constant_judge_and_constant_gold), TEST(judge_that_is_missing_everywhere),
        TEST(intersection), TEST(informative_holes), TEST(the_same_judge_twice),
        TEST(text_without_labels),
        TEST(raters_that_disagree_with_themselves), TEST(very_large_scores), TEST(few_clusters),
        TEST(options_that_do_not_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
