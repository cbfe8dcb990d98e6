/* `tare agree` on small tables whose numbers come from SciPy and from formulas that look at all
 * pairs (tests/ref/agree_reference.py), or from the specification. */
#include <string.h>

#include "agree_fixture.h"

static void run_toy(agree_bench *b, int holes)
{
    tare_error err = {0};
    agree_put_toy(b, holes, 0);
    agree_set(b, "judges", "even,fine");
    agree_set(b, "raters", "h1,h2,h3");
    agree_set(b, "scale", "same");
    assert_ok(agree_go(b, &err));
}

static double estimate(const agree_bench *b, const char *judge, const char *name,
                       const char *condition)
{
    return agree_get(b, judge, name, condition)->estimate;
}

/* judge audits C.9, golden 1 */
static void tau_of_eight_rows(void **state)
{
    (void)state;
    static const int x[8] = {1, 1, 2, 2, 3, 3, 4, 4}, y[8] = {1, 2, 2, 3, 3, 4, 4, 5};
    agree_bench b;
    tare_error err = {0};
    agree_bench_open(&b, 1);
    agree_put(&b, "item,judge,score,gold\n");
    for (int i = 0; i < 8; i++) agree_put(&b, "i%d,j,%d,%d\n", i, x[i], y[i]);
    assert_ok(agree_go(&b, &err));
    assert_close(estimate(&b, "j", "tau_b", ""), .8573214099741124);
    assert_close(estimate(&b, "j", "tau_c", ""), .875);
    /* statistics 16.4 */
    assert_close(estimate(&b, "j", "spearman", NULL), .9192723907499135);
    assert_int_equal(agree_get(&b, "j", "tau_b", "")->n_cluster, 8);
    agree_bench_clear(&b);
    agree_put(&b, "item,judge,score,gold\n");
    for (int i = 0; i < 8; i++) agree_put(&b, "i%d,j,%d,%d\n", i, x[i], y[i]);
    agree_set(&b, "p", "asymptotic");
    assert_ok(agree_go(&b, &err));
    assert_close(agree_get(&b, "j", "tau_b", "")->p, .006153264693374078); /* 16.4, SciPy */
    assert_true(agree_has_caution(&b, "normal approximation"));
    agree_bench_close(&b);
}

static void coefficients_match_scipy(void **state)
{
    (void)state;
    agree_bench b;
    agree_bench_open(&b, 2);
    run_toy(&b, 0);
    assert_close(estimate(&b, "even", "tau_b", ""), 0.76531463151768753);
    assert_close(estimate(&b, "even", "tau_c", ""), 0.77314814814814814);
    assert_close(estimate(&b, "even", "spearman", NULL), 0.84418235167519762);
    assert_close(estimate(&b, "even", "pearson", NULL), 0.90857532254714723);
    assert_close(estimate(&b, "fine", "tau_b", ""), 0.81526257956916559);
    assert_close(estimate(&b, "fine", "tau_c", ""), 0.81640625);
    assert_close(estimate(&b, "fine", "spearman", NULL), 0.92749519130858316);
    assert_close(estimate(&b, "fine", "pearson", NULL), 0.96209957906781496);
    assert_close(estimate(&b, "even", "leniency", NULL), -0.15277777777777773);
    assert_close(estimate(&b, "fine", "leniency", NULL), -0.14027777777777775);
    const tare_reading *r = agree_get(&b, "even", "tau_b", "");
    assert_int_equal(r->n_base, 24);
    assert_int_equal(r->n_cluster, 12);
    assert_string_equal(r->grid, "agreement");
    agree_bench_close(&b);
}

static void people_among_themselves(void **state)
{
    (void)state;
    agree_bench b;
    agree_bench_open(&b, 1);
    run_toy(&b, 0);
    assert_close(estimate(&b, "people", "tau_b", "pairs of raters, mean"), 0.73654270841293368);
    assert_close(estimate(&b, "people", "tau_b", "rater against the others, mean"),
                 0.74479195230345574);
    assert_close(estimate(&b, "people", "tau_c", "rater against the others, mean"),
                 0.73514660493827166);
    assert_close(estimate(&b, "even", "tau_b", "matched to people"), 0.76652260266066019);
    assert_close(estimate(&b, "even", "tau_c", "matched to people"), 0.74537037037037035);
    assert_close(estimate(&b, "fine", "tau_b", "matched to people"), 0.80063418546889376);
    assert_close(estimate(&b, "fine", "d_tau_b", "less people"),
                 0.80063418546889376 - 0.74479195230345574);
    assert_close(estimate(&b, "fine", "tau_b_ratio", "judge / people"),
                 0.80063418546889376 / 0.74479195230345574);
    assert_close(agree_get(&b, "fine", "d_tau_b", "less people")->margin, 0.02);
    agree_bench_close(&b);
}

static void categories_and_reliability(void **state)
{
    (void)state;
    static const struct { const char *name; double people, even; } rows[] = {
        {"kappa", 0.40575639674733294, 0.53451469232690962},
        {"kappa_linear", 0.60628840761291103, 0.69232936013757929},
        {"kappa_quadratic", 0.78449717781258321, 0.83074990496024859},
        {"alpha_nominal", 0.40000000000000002, 0.46532866093235647},
        {"alpha_ordinal", 0.74847717363426525, 0.76851366904614116},
        {"alpha_interval", 0.78454379931215867, 0.80662134654530104},
        {"alpha_ratio", 0.79075751855140908, 0.82100575171265444},
        {"ICC(1,1)", 0.78933441888866274, 0.81157740165391445},
        {"ICC(2,1)", 0.79078229229836261, 0.81243268195106944},
        {"ICC(3,1)", 0.80743034055727558, 0.8274565115185708},
        {"ICC(1,k)", 0.91830452285105368, 0.94514198280905448},
        {"ICC(2,k)", 0.91895701198026791, 0.94543175612158115},
        {"ICC(3,k)", 0.92635567132370356, 0.95045227487511819}};
    agree_bench b;
    agree_bench_open(&b, 1);
    run_toy(&b, 0);
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        assert_close(estimate(&b, "people", rows[k].name, NULL), rows[k].people);
        assert_close(estimate(&b, "even", rows[k].name, NULL), rows[k].even);
    }
    assert_close(estimate(&b, "even", "exact_agreement", NULL), 0.68055555555555558);
    double count = 0;
    const result_table *t = agree_table(&b, "confusion");
    for (size_t k = 0; k < t->row_count; k++)
        if (!strcmp(t->cells[k * t->column_count].text, "even"))
            count += (double)t->cells[k * t->column_count + 5].integer;
    assert_within(count, 72, 0, 0); /* every rating once */
    agree_bench_close(&b);
}

static void missing_ratings(void **state)
{
    (void)state;
    agree_bench b;
    agree_bench_open(&b, 1);
    run_toy(&b, 1);
    assert_close(estimate(&b, "people", "alpha_interval", NULL), 0.75586404978458588);
    assert_close(estimate(&b, "people", "alpha_ordinal", NULL), 0.71726346583527234);
    assert_close(estimate(&b, "even", "tau_b", ""), 0.76531463151768753);
    /* an ICC needs every rating */
    const tare_reading *icc = agree_get(&b, "people", "ICC(2,1)", NULL);
    assert_int_equal(icc->verdict, TARE_NO_ANSWER);
    assert_string_equal(icc->reason, "incomplete_ratings");
    /* 21 rows with three ratings use more of them than 24 rows with two */
    const tare_reading *r = agree_get(&b, "people", "tau_b", "rater against the others, mean");
    assert_int_equal(r->n_base, 21);
    assert_true(agree_has_caution(&b, "sorted into slots by a hash"));
    assert_non_null(strstr(agree_get(&b, "even", "tau_b", "matched to people")->marks, "hashed"));
    agree_bench_close(&b);
}

/* the rows protocol: every rating is a row */
static void rows_protocol(void **state)
{
    (void)state;
    agree_bench b;
    tare_error err = {0};
    agree_bench_open(&b, 1);
    agree_put_toy(&b, 0, 0);
    agree_set(&b, "judges", "even,fine");
    agree_set(&b, "raters", "h1,h2,h3");
    agree_set(&b, "protocol", "flickr8k-expert-rows");
    assert_int_equal(agree_go(&b, &err), TARE_E_DATA); /* a rating of 5 */
    assert_string_equal(err.code, "agree.range");
    agree_bench_clear(&b);
    agree_put(&b, "item,candidate,even,h1,h2,h3\n");
    for (int k = 0; k < 24; k++)
        agree_put(&b, "i%02d,c%d,%d,%d,%d,%d\n", k / 2, k % 2, k * 5 % 7, 1 + k * 5 % 7 / 2,
                  1 + k % 4, 1 + k * 3 % 4);
    agree_set(&b, "judges", "even");
    agree_set(&b, "raters", "h1,h2,h3");
    agree_set(&b, "protocol", "flickr8k-expert-rows");
    assert_ok(agree_go(&b, &err));
    const tare_reading *r = agree_get(&b, "even", "tau_c", "flickr8k-expert-rows");
    assert_int_equal(r->n_base, 72);
    assert_string_equal(r->grid, "agreement");
    assert_string_equal(agree_get(&b, "even", "tau_b", "flickr8k-expert-rows")->grid, "");
    /* 72 rows of all pairs: scipy.stats.kendalltau(variant="c") */
    assert_close(r->estimate, 0.22016460905349794);
    assert_true(agree_has_caution(&b, "do not stand beside published ones"));
    /* tables of named protocols are times 100 */
    const result_table *t = agree_table(&b, "agreement");
    assert_close(t->cells[14].number, 22.016460905349794);
    agree_bench_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tau_of_eight_rows),
        cmocka_unit_test(coefficients_match_scipy),
        cmocka_unit_test(people_among_themselves),
        cmocka_unit_test(categories_and_reliability),
        cmocka_unit_test(missing_ratings),
        cmocka_unit_test(rows_protocol),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
