/* Human files, unequal raters, copies of references, protocols that leave rows out, settings; the
 * same readings for any number of threads and order of rows. */
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

/* The toy's ratings as rows of a file: the same numbers as from columns. */
static void ratings_as_rows(void **state)
{
    (void)state;
    tare_error err = {0};
    text human;
    text_init(&human, &b.m);
    text_add(&human, "item,candidate,rater,rating\n");
    agree_put(&b, "item,candidate,even\n");
    for (int k = 23; k >= 0; k--) {
        int q = (7 * k * k + 3 * k + 5) % 11, even = 1 + (q + (5 * k + 1) % 3) / 3;
        agree_put(&b, "i%02d,c%d,%d\n", k / 2, k % 2, even > 5 ? 5 : even);
        for (int r = 0; r < 3; r++) {
            int x = 1 + (q + (k * (r + 2) + r) % 4) / 3;
            text_add_format(&human, "i%02d,c%d,h%d,%d\n", k / 2, k % 2, r + 1, x > 5 ? 5 : x);
        }
    }
    agree_set(&b, "judges", "even");
    agree_human(&b, human.data);
    text_free(&human);
    assert_ok(agree_go(&b, &err));
    /* tests/ref/agree_reference.py */
    assert_close(agree_get(&b, "even", "tau_b", "")->estimate, 0.76531463151768753);
    assert_close(agree_get(&b, "even", "tau_b", "matched to people")->estimate,
                 0.76652260266066019);
    assert_close(agree_get(&b, "people", "ICC(2,1)", NULL)->estimate, 0.79078229229836261);
}

/* An image with a rating too few is skipped whole where ratings are rows; where they are columns, a
 * hole takes its unit only. */
static void expert_mean_leaves_out(void **state)
{
    (void)state;
    tare_error err = {0};
    for (int file = 0; file < 2; file++) {
        text human;
        text_init(&human, &b.m);
        text_add(&human, "item,candidate,rater,rating\n");
        agree_bench_clear(&b);
        agree_put(&b, file ? "item,candidate,j\n" : "item,candidate,j,x1,x2,x3\n");
        for (int k = 0; k < 30; k++) {
            agree_put(&b, "i%02d,c%d,%d", k / 2, k % 2, k * 5 % 7);
            for (int r = 0; r < 3; r++) {
                int hole = k == 8 && r == 1, x = 1 + k * (r + 2) % 4;
                if (file && !hole)
                    text_add_format(&human, "i%02d,c%d,x%d,%d\n", k / 2, k % 2, r + 1, x);
                if (!file && hole) agree_put(&b, ",");
                if (!file && !hole) agree_put(&b, ",%d", x);
            }
            agree_put(&b, "\n");
        }
        agree_set(&b, "judges", "j");
        agree_set(&b, "protocol", "flickr8k-expert-mean");
        if (file) agree_human(&b, human.data);
        else agree_set(&b, "raters", "x1,x2,x3");
        text_free(&human);
        assert_ok(agree_go(&b, &err));
        assert_int_equal(agree_get(&b, "j", "tau_b", "flickr8k-expert-mean")->n_base,
                         file ? 28 : 29);
    }
}

/* A crowd: every row has three of seven raters. */
static void unequal_raters(void **state)
{
    (void)state;
    tare_error err = {0};
    text human;
    text_init(&human, &b.m);
    text_add(&human, "item,rater,rating\n");
    agree_put(&b, "item,judge,score\n");
    for (int i = 0; i < 70; i++) {
        agree_put(&b, "i%02d,j,%d\n", i, i * 3 % 10);
        for (int r = 0; r < 3 + (i % 10 == 0); r++)
            text_add_format(&human, "i%02d,r%d,%d\n", i, (i + 2 * r) % 7,
                            (i * 3 % 10 + r * i % 3) / 2);
    }
    text_add(&human, "i00,r1,2\n");
    agree_human(&b, human.data);
    text_free(&human);
    assert_ok(agree_go(&b, &err));
    const tare_reading *r = agree_get(&b, "people", "tau_b", "rater against the others, mean");
    assert_int_equal(r->n_base, 70);
    assert_true(r->estimate > 0.5);
    assert_int_equal(agree_count(&b, "people", "tau_b", "slot 3 against the others"), 1);
    assert_int_equal(agree_count(&b, "people", "tau_b", "slot 4 against the others"), 0);
    assert_true(agree_has_caution(&b, "3 ratings of each row were sorted into slots by a hash"));
    /* kappa of raters who did not rate all: one table of all ratings */
    assert_int_equal(agree_count(&b, "people", "kappa", "all pairs of ratings"), 1);
}

static void copies_of_references(void **state)
{
    (void)state;
    tare_error err = {0};
    for (int by_text = 0; by_text < 2; by_text++) {
        agree_bench_clear(&b);
        agree_put(&b, "item,candidate,judge,score,gold,copied,caption,ref1,ref2\n");
        for (int k = 0; k < 40; k++) {
            int copy = k % 8 == 3;
            agree_put(&b, "i%02d,c%d,j,%d,%d,%s,\"%s caption\",a dog,%s\n", k / 2, k % 2, k % 7,
                      k % 5, copy ? "yes" : "no", copy ? "a  copied " : "a new",
                      copy ? " a copied\tcaption" : "");
        }
        agree_set(&b, "drop-ref-copies", "yes");
        if (by_text) {
            agree_set(&b, "candidate-text", "caption");
            agree_set(&b, "reference-text", "ref1");
            agree_set(&b, "reference-text", "ref2");
        } else {
            agree_set(&b, "ref-copy", "copied");
        }
        agree_set(&b, "author", "candidate");
        assert_ok(agree_go(&b, &err));
        assert_int_equal(agree_get(&b, "j", "tau_b", "")->n_base, 35);
    }
    agree_bench_clear(&b);
    agree_put(&b, "item,candidate,judge,score,gold\ni,c,j,1,1\n");
    agree_set(&b, "drop-ref-copies", "yes");
    assert_int_equal(agree_go(&b, &err), TARE_E_DATA);
    assert_string_equal(err.code, "ref_copies.column");
    agree_bench_clear(&b);
    agree_put(&b, "item,candidate,judge,score,gold,ref_copy\ni,c,j,1,1,perhaps\n");
    agree_set(&b, "drop-ref-copies", "yes");
    assert_int_equal(agree_go(&b, &err), TARE_E_DATA);
    assert_string_equal(err.code, "ref_copies.word");
}

/* A judge that ranks well and gives a point too much. */
static void lenient_judge(void **state)
{
    (void)state;
    tare_error err = {0};
    agree_put(&b, "item,judge,score,gold\n");
    for (int i = 0; i < 80; i++) {
        int gold = 1 + i % 5;
        agree_put(&b, "i%02d,kind,%d,%d\ni%02d,fair,%d,%d\n", i, gold < 5 ? gold + 1 : 5, gold, i,
                  gold, gold);
    }
    assert_ok(agree_go(&b, &err));
    const tare_reading *r = agree_get(&b, "kind", "leniency", NULL);
    assert_close(r->estimate, .8);
    assert_int_equal(r->verdict, TARE_FOUND);
    assert_true(agree_says(&b, "kind is lenient: it gives 0.8 points more than the gold column"));
    assert_true(agree_says(&b, "although it agrees with it by tau-b"));
    assert_int_equal(agree_get(&b, "fair", "leniency", NULL)->verdict, TARE_NEGLIGIBLE);
}

/* Two dims of different tie density: a table each, and a word about it. */
static void dims_have_tables_of_their_own(void **state)
{
    (void)state;
    tare_error err = {0};
    agree_put(&b, "item,judge,dim,score,gold\n");
    for (int i = 0; i < 40; i++)
        agree_put(&b, "i%02d,j,coarse,%d,%d\ni%02d,j,fine,%d,%d\n", i, i % 7, i % 2, i, i % 7,
                  i % 20);
    assert_ok(agree_go(&b, &err));
    assert_int_equal(agree_table(&b, "agreement-01")->row_count, 1);
    assert_int_equal(agree_table(&b, "agreement-02")->row_count, 1);
    assert_true(agree_has_caution(&b, "tied to a different degree"));
}

/* Four judges and three raters: the best is spoken of, the others are listed. */
static void many_judges(void **state)
{
    (void)state;
    tare_error err = {0};
    agree_put(&b, "item,judge,score,x1,x2,x3\n");
    for (int i = 0; i < 60; i++)
        for (int j = 0; j < 4; j++)
            agree_put(&b, "i%02d,judge%d,%d,%d,%d,%d\n", i, j, 1 + (i % 5 + (i * i * j) % 4) % 5,
                      1 + i % 5, 1 + (i % 5 + (i % 7 == 0)) % 5, 1 + (i % 5 + (i % 6 == 1)) % 5);
    agree_set(&b, "raters", "x1,x2,x3");
    assert_ok(agree_go(&b, &err));
    assert_true(agree_says(&b, "judge0 agrees with people by tau-b"));
    assert_true(agree_says(&b, "The others by tau-b: judge"));
    assert_true(agree_says(&b, "Of 4 judges"));
    assert_true(agree_says(&b, "judge0 is closest to people"));
    assert_true(agree_says(&b, "gold is the mean of 3 raters"));
    assert_int_equal(agree_count(&b, NULL, "d_tau_b", "less people"), 4);
    assert_int_equal(agree_count(&b, NULL, "probability_first", NULL), 4);
    int heat = 0;
    for (size_t k = 0; k < b.job->result.figure_count; k++) {
        const figure *f = b.job->result.figures[k];
        heat += f->kind == FIGURE_HEAT && f->point_count == 16;
        if (!strcmp(f->id, "ceiling")) assert_true(f->band_lo < f->band_hi);
    }
    assert_int_equal(heat, 1);
}

/* Labels of three people and a judge: kappa with each rater, people among themselves beside it. */
static void labels_of_raters(void **state)
{
    (void)state;
    tare_error err = {0};
    static const char *const word[3] = {"good", "fair", "bad"};
    agree_put(&b, "item,judge,score,x1,x2,x3\n");
    for (int i = 0; i < 90; i++)
        for (int j = 0; j < 2; j++)
            agree_put(&b, "i%02d,j%d,%s,%s,%s,%s\n", i, j, word[(i + (i % 5 == j)) % 3],
                      word[i % 3], word[(i + (i % 7 == 0)) % 3], word[(i + (i % 9 == 1)) % 3]);
    agree_set(&b, "raters", "x1,x2,x3");
    agree_set(&b, "labels", "yes");
    assert_ok(agree_go(&b, &err));
    const tare_reading *r = agree_get(&b, "j0", "kappa", "mean over raters");
    assert_string_equal(r->grid, "agreement");
    /* statsmodels cohens_kappa on the three tables */
    assert_close(r->estimate, 0.6277777777777777);
    assert_close(agree_get(&b, "people", "kappa", NULL)->estimate, 0.7557712055863627);
    assert_int_equal(agree_count(&b, "j0", "d_kappa", "less j1"), 1);
    assert_true(agree_says(&b, "j0 agrees with people by kappa"));
    assert_true(agree_says(&b, "two raters agree by kappa"));
}

static void same_number(double a, double c)
{
    if (!(a == c || (isnan(a) && isnan(c)))) fail_msg("%.17g is not %.17g", a, c);
}

static void run_toy(agree_bench *bench, int shuffled)
{
    tare_error err = {0};
    agree_put_toy(bench, 1, shuffled);
    agree_set(bench, "judges", "even,fine");
    agree_set(bench, "raters", "h1,h2,h3");
    agree_set(bench, "scale", "same");
    assert_ok(agree_go(bench, &err));
}

static void same_bits(void **state)
{
    (void)state;
    static const unsigned threads[3] = {2, 8, 3};
    run_toy(&b, 0);
    for (int k = 0; k < 3; k++) {
        agree_bench other;
        agree_bench_open(&other, threads[k]);
        run_toy(&other, k == 2);
        size_t n = tare_job_reading_count(b.job);
        assert_int_equal(tare_job_reading_count(other.job), n);
        for (size_t i = 0; i < n; i++) {
            const tare_reading *x = tare_job_reading(b.job, i);
            const tare_reading *y = tare_job_reading(other.job, i);
            assert_string_equal(x->name, y->name);
            assert_string_equal(x->instrument, y->instrument);
            same_number(x->estimate, y->estimate);
            same_number(x->lo, y->lo);
            same_number(x->hi, y->hi);
            same_number(x->p, y->p);
            same_number(x->q, y->q);
            same_number(x->q_maxt, y->q_maxt);
            assert_int_equal(x->verdict, y->verdict);
        }
        for (size_t i = 0; tare_job_answer(b.job, i); i++)
            assert_string_equal(tare_job_answer(b.job, i), tare_job_answer(other.job, i));
        agree_bench_close(&other);
    }
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, open_bench, close_bench)
    const struct CMUnitTest tests[] = {
        TEST(ratings_as_rows),     TEST(expert_mean_leaves_out),
        TEST(unequal_raters),      TEST(copies_of_references),
        TEST(lenient_judge),       TEST(dims_have_tables_of_their_own),
        TEST(many_judges),         TEST(labels_of_raters),
        TEST(same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
