/* `tare agree` where judges miss different rows: who is closer is said by common rows, every
 * reading counts what it used and what it lacks in one unit, and nothing is claimed that cannot be.
 */
#include <math.h>
#include <string.h>

#include "agree_fixture.h"

static agree_bench b;

static int open_bench(void **state)
{
    (void)state;
    agree_bench_open(&b, 2);
    return 0;
}

static int close_bench(void **state)
{
    (void)state;
    agree_bench_close(&b);
    return 0;
}

/* Used and missing rows are the expected ones, in every reading of a judge or of people. */
static void counts_add_up(void)
{
    const audit_result *r = &b.job->result;
    size_t checked = 0;
    for (size_t k = 0; k < r->reading_count; k++) {
        const tare_reading *x = &r->readings[k];
        uint64_t missing = 0;
        if (!strcmp(x->family, "missing") || !strcmp(x->name, "probability_first")) continue;
        for (int i = 0; i < TARE_REASON_COUNT; i++) missing += x->n_missing[i];
        if (x->n_base + missing != x->n_expected)
            fail_msg("%s %s %s %s: %d used, %d missing of %d", x->family, x->instrument, x->name,
                     x->condition, (int)x->n_base, (int)missing, (int)x->n_expected);
        checked++;
    }
    assert_true(checked > 0);
}

/* A is right where it is alone and wrong where both are, B the other way round. */
static void put_turned(const char *third)
{
    agree_put(&b, "item,gold,A,B%s\n", third);
    for (int i = 0; i < 60; i++) {
        int gold = i % 5;
        agree_put(&b, "i%02d,%d,", i, gold);
        if (i < 40) agree_put(&b, "%d", i < 20 ? gold : i * 7 % 11);
        agree_put(&b, ",");
        if (i >= 20) agree_put(&b, "%d", i < 40 ? gold : 4 - gold + i % 3);
        agree_put(&b, third[0] ? ",%d\n" : "\n", i * 3 % 7);
    }
    agree_set(&b, "judges", third[0] ? "A,B,C" : "A,B");
}

static void common_rows_name_the_winner(void **state)
{
    (void)state;
    tare_error err = {0};
    put_turned("");
    assert_ok(agree_go(&b, &err));
    assert_true(agree_get(&b, "A", "tau_b", "")->estimate >
                agree_get(&b, "B", "tau_b", "")->estimate + 0.2);
    const tare_reading *d = agree_get(&b, "A", "d_tau_b", "less B");
    assert_true(d->estimate < -0.5);
    assert_int_equal(d->n_base, 20);
    assert_int_equal(d->n_expected, 60);
    assert_int_equal(d->n_missing[TARE_R_MISSING], 40);
    assert_int_equal(d->verdict, TARE_FOUND);
    assert_true(agree_says(&b, "B is closer to the gold column than A: tau-b differs by"));
    assert_false(agree_says(&b, "A is closer to"));
    assert_true(agree_says(&b, "The rows differ: on all rows of its own A has the higher tau-b"));
    counts_add_up();
}

static void common_rows_order_three(void **state)
{
    (void)state;
    tare_error err = {0};
    put_turned(",C");
    assert_ok(agree_go(&b, &err));
    assert_true(agree_says(&b, "B is closest to the gold column") ||
                agree_says(&b, "resolved as behind B, which comes first"));
    assert_true(agree_says(&b, "on the 20 rows that all 3 have"));
    /* first shown are the comparisons of the best judge; the heat map begins with it */
    assert_false(agree_get(&b, "A", "d_tau_b", "less B")->detail);
    assert_false(agree_get(&b, "B", "d_tau_b", "less C")->detail);
    assert_true(agree_get(&b, "A", "d_tau_b", "less C")->detail);
    const figure *f = NULL;
    for (size_t k = 0; k < b.job->result.figure_count; k++)
        if (!strcmp(b.job->result.figures[k]->id, "pairs")) f = b.job->result.figures[k];
    assert_non_null(f);
    assert_int_equal(f->point_count, 9);
    for (size_t k = 0; k < 9; k++) {
        assert_string_equal(f->points[k].series, f->points[k / 3 * 4].label);
        assert_string_equal(f->points[k].label, f->points[k % 3 * 4].label);
        assert_string_equal(f->points[k].outline, k % 4 == 0 ? "self" : "");
    }
    assert_string_equal(f->points[0].label, "B");
    counts_add_up();
}

/* One draw of all items serves all judges: what a judge has on all of them does not depend on what
 * another lacks. */
static void holes_of_another_change_nothing(void **state)
{
    (void)state;
    tare_error err = {0};
    double se[2];
    for (int holes = 0; holes < 2; holes++) {
        agree_put(&b, "item,gold,A,B\n");
        for (int i = 0; i < 60; i++)
            agree_put(&b, holes && i % 4 == 0 ? "i%02d,%d,%d,\n" : "i%02d,%d,%d,%d\n", i, i % 5,
                      i * 3 % 7, i * i % 9);
        agree_set(&b, "judges", "A,B");
        assert_ok(agree_go(&b, &err));
        se[holes] = agree_get(&b, "A", "tau_b", "")->se;
        assert_int_equal(agree_get(&b, "B", "tau_b", "")->n_cluster, holes ? 45 : 60);
        agree_bench_clear(&b);
    }
    assert_true(se[0] == se[1]);
}

static void units_of_every_protocol(void **state)
{
    (void)state;
    tare_error err = {0};
    /* rows of single ratings, one of them missing, and one unit with one rating */
    agree_put(&b, "item,candidate,even,odd,h1,h2,h3\n");
    for (int k = 0; k < 48; k++) {
        agree_put(&b, "i%02d,c%d,", k / 2, k % 2);
        agree_put(&b, k % 9 == 4 ? "," : "%d,", k * 5 % 7);
        agree_put(&b, "%d,%d,", k * 3 % 5, 1 + k % 4);
        if (k == 7) agree_put(&b, ",\n");
        else if (k == 9) agree_put(&b, "%d,\n", 1 + k % 3);
        else agree_put(&b, "%d,%d\n", 1 + k * 5 % 7 / 2, 1 + k * 3 % 4);
    }
    agree_set(&b, "judges", "even,odd");
    agree_set(&b, "raters", "h1,h2,h3");
    agree_set(&b, "scale", "same");
    agree_set(&b, "protocol", "flickr8k-expert-rows");
    assert_ok(agree_go(&b, &err));
    counts_add_up();
    const tare_reading *r = agree_get(&b, "even", "tau_c", "flickr8k-expert-rows");
    assert_int_equal(r->n_expected, 141);
    assert_int_equal(r->n_base, 126);
    assert_int_equal(agree_get(&b, "people", "alpha_interval", NULL)->n_base, 47);
    assert_int_equal(agree_get(&b, "people", "alpha_interval", NULL)->n_missing[TARE_R_MISSING], 1);
    r = agree_get(&b, "odd", "d_tau_b", "less people");
    assert_int_equal(r->n_expected, 48);
    assert_int_equal(r->n_base, 46);
    agree_bench_clear(&b);
    /* repeats: a unit is one row, whatever it is the mean of */
    agree_put(&b, "item,judge,rep,score,status,gold\n");
    for (int i = 0; i < 40; i++)
        for (int k = 0; k < 2; k++)
            agree_put(&b, i == 3 ? "i%02d,j,%d,,refused,%d\n" : "i%02d,j,%d,%d,ok,%d\n", i, k,
                      i == 3 ? i % 4 : (i + k) % 5, i % 4);
    assert_ok(agree_go(&b, &err));
    counts_add_up();
    r = agree_get(&b, "j", "tau_b", "");
    assert_int_equal(r->n_base, 39);
    assert_int_equal(r->n_missing[TARE_R_REFUSED], 1);
    /* means of repeats are no grades */
    assert_string_equal(agree_get(&b, "j", "kappa", NULL)->reason, "other_grid");
}

/* The alphabet is no order. */
/* The fact on gold of the labels below, by counting pairs of rows; "none" is a status, no label. */
static void tied_labels(void)
{
    double share = 0;
    char want[96];
    const char *got = NULL;
    for (int step = 3; step <= 5; step += 2) {
        int tied = 0, all = 0;
        for (int i = 0; i < 60; i++)
            for (int k = 0; k < i; k++) {
                int one = (i + (i % step == 0)) % 4, other = (k + (k % step == 0)) % 4;
                all += one < 3 && other < 3;
                tied += one < 3 && one == other;
            }
        share += (double)tied / all / 2;
    }
    snprintf(want, sizeof want, "51 rows, 3 distinct gold values, %.1f %%", 100 * share);
    for (size_t k = 0; k < b.job->result.fact_count; k++)
        if (!strcmp(b.job->result.facts[k].key, "size")) got = b.job->result.facts[k].value;
    assert_non_null(got);
    if (strncmp(got, want, strlen(want))) fail_msg("%s is not %s", got, want);
}

static void labels_have_no_order(void **state)
{
    (void)state;
    static const char *const words[4] = {"bad", "fair", "good", "none"};
    tare_error err = {0};
    agree_put(&b, "item,judge,score,h1,h2\n");
    for (int i = 0; i < 60; i++)
        agree_put(&b, "i%02d,J,%s,%s,%s\n", i, words[i % 4], words[(i + (i % 3 == 0)) % 4],
                  words[(i + (i % 5 == 0)) % 4]);
    agree_set(&b, "raters", "h1,h2");
    agree_set(&b, "labels", "yes");
    agree_set(&b, "kappa", "linear");
    agree_set(&b, "alpha-level", "ordinal");
    assert_ok(agree_go(&b, &err));
    assert_string_equal(agree_get(&b, "J", "alpha_ordinal", NULL)->reason, "no_order");
    assert_string_equal(agree_get(&b, "people", "alpha_interval", NULL)->reason, "no_order");
    assert_string_equal(agree_get(&b, "people", "alpha_ratio", NULL)->reason, "no_order");
    assert_true(isfinite(agree_get(&b, "J", "alpha_nominal", NULL)->estimate));
    assert_true(agree_has_caution(&b, "in the order of their names"));
    tied_labels(); /* gold is each rater in turn */
    assert_true(agree_has_caution(&b, "level ordinal was asked for"));
    assert_true(agree_says(&b, "Krippendorff's alpha (nominal)"));
    counts_add_up();
}

static void few_clusters_keep_the_difference(void **state)
{
    (void)state;
    tare_error err = {0};
    agree_put(&b, "item,author,gold,A,B\n");
    for (int i = 0; i < 20; i++)
        agree_put(&b, "i%d,c%d,%d,%d,%d\n", i % 4, i / 4, i % 5, i % 5 + i % 2, i * 3 % 7);
    agree_set(&b, "judges", "A,B");
    assert_ok(agree_go(&b, &err));
    const tare_reading *d = agree_get(&b, "A", "d_tau_b", "less B");
    assert_string_equal(d->reason, "too_few_clusters");
    assert_close(d->estimate, agree_get(&b, "A", "tau_b", "")->estimate -
                                  agree_get(&b, "B", "tau_b", "")->estimate);
    assert_true(isnan(d->lo) && isnan(d->p));
}

static void constant_rater_is_left_out(void **state)
{
    (void)state;
    tare_error err = {0};
    agree_put(&b, "item,J,h1,h2,h3\n");
    for (int i = 0; i < 40; i++)
        agree_put(&b, "i%02d,%d,%d,%d,3\n", i, 1 + i % 5, 1 + (i + (i % 7 == 0)) % 5,
                  1 + (i + (i % 6 == 0)) % 5);
    agree_set(&b, "judges", "J");
    agree_set(&b, "raters", "h1,h2,h3");
    assert_ok(agree_go(&b, &err));
    assert_true(agree_has_caution(&b, "h3 gives every row the same rating, or none"));
    const tare_reading *r = agree_get(&b, "J", "d_tau_b", "less people");
    assert_true(isfinite(r->estimate) && r->reason[0] == 0);
    assert_int_equal(agree_count(&b, "people", "tau_b", "h1 and h2"), 1);
    assert_int_equal(agree_count(&b, "people", "tau_b", "h3 against the others"), 0);
    /* what is not held against 0 has no p against 0 */
    assert_true(isnan(agree_get(&b, "J", "tau_b_ratio", NULL)->p));
    assert_true(isnan(agree_get(&b, "J", "tau_b", "matched to people")->p));
    assert_false(isnan(r->p));
    counts_add_up();
}

static void empty_ratings_are_no_human_side(void **state)
{
    (void)state;
    tare_error err = {0};
    agree_put(&b, "item,J,h1,h2\n");
    for (int i = 0; i < 20; i++) agree_put(&b, "i%02d,%d,,\n", i, i % 5);
    agree_set(&b, "judges", "J");
    agree_set(&b, "raters", "h1,h2");
    assert_int_equal(agree_go(&b, &err), TARE_E_DATA);
    assert_string_equal(err.code, "agree.no_human");
}

/* Twelve people of whom each row has one to four: what is short of ratings is missing. */
static void unequal_raters_add_up(void **state)
{
    (void)state;
    tare_error err = {0};
    text human;
    text_init(&human, &b.m);
    text_add(&human, "item,rater,rating\n");
    agree_put(&b, "item,judge,score\n");
    for (int i = 0; i < 60; i++) {
        agree_put(&b, i % 11 == 5 ? "i%02d,J,\n" : "i%02d,J,%d\n", i, 1 + i % 5);
        for (int k = 0; k < 1 + i * 7 % 4; k++)
            text_add_format(&human, "i%02d,w%02d,%d\n", i, (i * 5 + k * 3) % 12,
                            1 + (i + (i * k) % 3) % 5);
    }
    agree_human(&b, human.data);
    text_free(&human);
    assert_ok(agree_go(&b, &err));
    counts_add_up();
    assert_true(agree_says(&b, "gold is the mean of 1 to 4 ratings, of 12 raters"));
    const tare_reading *r = agree_get(&b, "J", "d_tau_b", "less people");
    assert_int_equal(r->n_expected, 60);
    assert_true(r->n_missing[TARE_R_MISSING] > 15); /* fifteen rows have one rating */
    assert_int_equal(agree_get(&b, "people", "alpha_interval", NULL)->n_base, 45);
}

/* Names in the ratings alone: where they are read is said. */
static void text_ratings_have_a_hint(void **state)
{
    (void)state;
    tare_error err = {0};
    agree_put(&b, "item,J,h1\n");
    for (int i = 0; i < 20; i++) agree_put(&b, "i%02d,%d,%s\n", i, i % 5, i % 2 ? "bad" : "good");
    agree_set(&b, "judges", "J");
    agree_set(&b, "raters", "h1");
    assert_int_equal(agree_go(&b, &err), TARE_E_DATA);
    assert_string_equal(err.code, "score.rating_text");
    assert_non_null(strstr(err.message, "--labels"));
}

/* No row of both: no comparison, and why. */
static void no_row_in_common(void **state)
{
    (void)state;
    tare_error err = {0};
    agree_put(&b, "item,gold,A,B\n");
    for (int i = 0; i < 60; i++)
        agree_put(&b, i % 2 ? "i%02d,%d,%d,\n" : "i%02d,%d,,%d\n", i, i % 5, i * 3 % 7);
    agree_set(&b, "judges", "A,B");
    assert_ok(agree_go(&b, &err));
    assert_string_equal(agree_get(&b, "A", "d_tau_b", "less B")->reason, "no_common_rows");
    assert_true(agree_says(&b, "there is no row that both have"));
    counts_add_up();
}

/* The answer takes the level that was asked for, and does not make much of little. */
static void weak_agreement_is_called_weak(void **state)
{
    (void)state;
    tare_error err = {0};
    agree_put(&b, "item,J,h1,h2\n");
    for (int i = 0; i < 2000; i++)
        agree_put(&b, "i%04d,%d,%d,%d\n", i,
                  1 + (int)((i % 7 ? (uint32_t)i * 2654435761u >> 20 : (uint32_t)i) % 5),
                  1 + i % 5, 1 + (i + (i % 4 == 0)) % 5);
    agree_set(&b, "judges", "J");
    agree_set(&b, "raters", "h1,h2");
    agree_set(&b, "alpha-level", "ordinal");
    assert_ok(agree_go(&b, &err));
    const tare_reading *r = agree_get(&b, "J", "tau_b", "");
    assert_true(r->estimate > 0 && r->estimate < 0.2);
    assert_int_equal(r->verdict, TARE_FOUND);
    assert_non_null(strstr(r->words, "a weak claim"));
    assert_true(agree_says(&b, "more than chance, and not much more"));
    assert_true(agree_says(&b, "Krippendorff's alpha (ordinal)"));
}

/* Gold is of people if a column's name says so. Of three judges none of which is resolved as behind
 * no one leads the answer, and lists are in the order of their numbers. */
static void open_field_has_no_leader(void **state)
{
    (void)state;
    static const struct { const char *column, *whom; } golds[] = {
        {"ref", "follow the gold column ref?"}, {"human", "follow people?"}};
    tare_error err = {0};
    for (size_t k = 0; k < 2; k++) {
        agree_bench_clear(&b);
        agree_put(&b, "item,A,B,C,%s\n", golds[k].column);
        for (int i = 0; i < 40; i++)
            agree_put(&b, "i%02d,%d,%d,%d,%d\n", i, i * 7 % 11, i * 5 % 13, i * 3 % 17, i * 8 % 9);
        agree_set(&b, "judges", "A,B,C");
        agree_set(&b, "gold", golds[k].column);
        assert_ok(agree_go(&b, &err));
        const audit_result *r = &b.job->result;
        assert_non_null(strstr(r->title, golds[k].whom));
        assert_non_null(strstr(r->answer[0], "No judge can be told to be ahead: none of the other "
                                             "2"));
        assert_false(agree_says(&b, "stands first"));
        assert_true(agree_says(&b, "people") == (k == 1));
        counts_add_up();
    }
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, open_bench, close_bench)
    const struct CMUnitTest tests[] = {
        TEST(common_rows_name_the_winner), TEST(common_rows_order_three),
        TEST(holes_of_another_change_nothing), TEST(units_of_every_protocol),
        TEST(labels_have_no_order), TEST(few_clusters_keep_the_difference),
        TEST(constant_rater_is_left_out), TEST(empty_ratings_are_no_human_side),
        TEST(unequal_raters_add_up), TEST(text_ratings_have_a_hint), TEST(no_row_in_common),
        TEST(weak_agreement_is_called_weak), TEST(open_field_has_no_leader),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
