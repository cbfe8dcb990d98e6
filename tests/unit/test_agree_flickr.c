/* Flickr8k-Expert with FLEUR's scores (judge audits C.9, goldens 2 and 3; statistics 16.4): row k
 * of the scores belongs to the image of rows 3k to 3k+2 of the ratings. */
#include <string.h>

#include "agree_fixture.h"
#include "base/error.h"
#include "table/table.h"

#define SCORES TARE_SHARED_DIR "/data/judges/flickr8k_expert_fleur.csv"
#define RATINGS TARE_SHARED_DIR "/data/judges/flickr8k_expert.tsv.gz"
enum { ROWS = 5664 };

static agree_bench bench;

/* The joined table: image, candidate, smooth, raw, h1, h2, h3. */
static void put_rows(agree_bench *b)
{
    tare_error err = {0};
    table *scores = NULL, *ratings = NULL;
    table_role s[5] = {{"raw", "fleur_raw", NULL, true, TABLE_NUMBER, 0, 0},
                       {"smooth", "fleur_smooth", NULL, true, TABLE_NUMBER, 0, 0},
                       {"h1", "expert1", NULL, true, TABLE_NUMBER, 0, 0},
                       {"h2", "expert2", NULL, true, TABLE_NUMBER, 0, 0},
                       {"h3", "expert3", NULL, true, TABLE_NUMBER, 0, 0}};
    table_role image = {"image", "image", NULL, true, TABLE_TEXT, 0, 0};
    assert_ok(table_open(&scores, &b->m, NULL, SCORES, NULL, &err));
    assert_ok(table_load_roles(scores, s, 5, &err));
    assert_ok(table_open(&ratings, &b->m, NULL, RATINGS, NULL, &err));
    assert_ok(table_load_roles(ratings, &image, 1, &err));
    assert_int_equal(table_rows(scores), ROWS);
    assert_int_equal(table_rows(ratings), 3 * ROWS);
    table_texts images = table_text_column(ratings, image.column);
    agree_put(b, "image,candidate,raw,smooth,h1,h2,h3\n");
    for (size_t k = 0; k < ROWS; k++) {
        agree_put(b, "%s,c%04zu", table_level(ratings, image.column, images.codes[3 * k], NULL), k);
        for (int j = 0; j < 5; j++)
            agree_put(b, ",%.17g", table_number_column(scores, s[j].column).values[k]);
        agree_put(b, "\n");
    }
    table_free(scores);
    table_free(ratings);
}

static void run(const char *protocol)
{
    tare_error err = {0};
    agree_bench_clear(&bench);
    put_rows(&bench);
    agree_set(&bench, "boot-b", "1999");
    agree_set(&bench, "judges", "smooth,raw");
    agree_set(&bench, "raters", "h1,h2,h3");
    agree_set(&bench, "protocol", protocol);
    assert_ok(agree_go(&bench, &err));
}

static const tare_reading *get(const char *judge, const char *name, const char *condition)
{
    return agree_get(&bench, judge, name, condition);
}

/* numbers times 100 as printed */
static void is(const char *judge, const char *name, const char *protocol, double want)
{
    assert_within(100 * get(judge, name, protocol)->estimate, want, 0, .0005);
}

static void rows_protocol(void **state)
{
    (void)state;
    const char *p = "flickr8k-expert-rows";
    run(p);
    is("smooth", "tau_b", p, 52.666);
    is("smooth", "tau_c", p, 53.026); /* published: 53.0 */
    is("raw", "tau_b", p, 56.082);
    is("raw", "tau_c", p, 34.911);
    assert_int_equal(get("smooth", "tau_c", p)->n_base, 16992);
    assert_int_equal(get("smooth", "tau_c", p)->n_cluster, 1000);
    assert_false(agree_has_caution(&bench, "published"));
    assert_true(agree_has_caution(&bench, "Tie densities differ"));
    /* tau_b and tau_c put the two in opposite orders: no verdict rests on that */
    const tare_reading *d = get("raw", "d_tau_c", "less smooth");
    assert_within(100 * d->estimate, 34.911 - 53.026, 0, .001);
    assert_int_equal(d->verdict, TARE_INCONCLUSIVE);
    assert_non_null(strstr(d->marks, "tau_b and tau_c disagree"));
    assert_true(agree_says(&bench, "depends on the statistic"));
}

static void mean_protocol(void **state)
{
    (void)state;
    const char *p = "flickr8k-expert-mean";
    run(p);
    is("smooth", "tau_b", p, 57.698);
    is("smooth", "tau_c", p, 55.986);
    is("raw", "tau_b", p, 56.099);
    is("raw", "tau_c", p, 33.656);
    assert_int_equal(get("smooth", "tau_b", p)->n_base, 5664);
    /* bootstrap SE over 1,000 images, within 10 % */
    assert_within(get("smooth", "tau_b", p)->se, .0083, .1, 0);
    assert_within(get("smooth", "tau_c", p)->se, .0090, .1, 0);
    /* axes are sorted: raw - smooth */
    const tare_reading *d = get("raw", "d_tau_b", "less smooth");
    assert_within(d->estimate, -.01599, 0, .000005);
    assert_within(d->se, .0073, .1, 0);
    assert_within(d->lo, -.031, 0, .0029); /* 10 % of the width */
    assert_within(d->hi, -.002, 0, .0029);
    assert_close(d->margin, .02);
    assert_non_null(strstr(d->marks, "tie densities differ"));
    /* the judge that is closer is the first in nearly all resamples */
    assert_true(get("smooth", "probability_first", NULL)->estimate > .95);
}

static void experts(void **state)
{
    (void)state;
    const struct { const char *name, *condition; double value; } rows[] = {
        {"tau_b", "h1 and h2", .774730}, {"tau_b", "h1 and h3", .655243},
        {"tau_b", "h2 and h3", .778514}, {"tau_b", "h1 against the others", .691853},
        {"tau_b", "h2 against the others", .807760}, {"tau_b", "h3 against the others", .762805},
        {"tau_b", "rater against the others, mean", .754139},
        {"tau_c", "rater against the others, mean", .613227},
        {"tau_b", "pairs of raters, mean", (.774730 + .655243 + .778514) / 3},
        {"kappa", NULL, (.632257 + .302677 + .582161) / 3}, {"alpha_nominal", NULL, .488281},
        {"alpha_ordinal", NULL, .661394}, {"alpha_interval", NULL, .737934}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        assert_within(get("people", rows[k].name, rows[k].condition)->estimate, rows[k].value, 0,
                      .000001);
    const struct { const char *name; double value; } icc[] = {{"ICC(1,1)", .7379564},
                                                              {"ICC(2,1)", .7450771},
                                                              {"ICC(3,1)", .8112082},
                                                              {"ICC(2,k)", .8976277},
                                                              {"ICC(3,k)", .9280084}};
    for (size_t k = 0; k < sizeof icc / sizeof *icc; k++)
        assert_within(get("people", icc[k].name, NULL)->estimate, icc[k].value, 0, 5e-8);
    assert_within(get("smooth", "tau_b", "matched to people")->estimate, .572952, 0, 5e-7);
    assert_within(get("smooth", "tau_c", "matched to people")->estimate, .553834, 0, 5e-7);
    assert_within(get("smooth", "tau_b_ratio", NULL)->estimate, .572952 / .754139, 0, 2e-6);
    /* FLEUR gives 0 to 1, experts 1 to 4 */
    assert_string_equal(get("smooth", "leniency", NULL)->reason, "other_scale");
}

/* two of the experts at a time, as judge and rater: kappa 1-2 with its weights, 1-3, 2-3 */
static void kappa_of_two(const char *a, const char *b, const double want[3])
{
    tare_error err = {0};
    static const char *const names[3] = {"kappa", "kappa_linear", "kappa_quadratic"};
    agree_bench_clear(&bench);
    put_rows(&bench);
    agree_set(&bench, "boot-b", "99");
    agree_set(&bench, "judges", a);
    agree_set(&bench, "gold", b);
    assert_ok(agree_go(&bench, &err));
    for (size_t k = 0; k < 3; k++)
        if (!isnan(want[k]))
            assert_within(get(a, names[k], "gold")->estimate, want[k], 0, .000001);
}

static void kappas(void **state)
{
    (void)state;
    kappa_of_two("h1", "h2", (const double[3]){.632257, .720691, .819153});
    kappa_of_two("h1", "h3", (const double[3]){.302677, NAN, NAN});
    kappa_of_two("h2", "h3", (const double[3]){.582161, NAN, NAN});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_protocol),
        cmocka_unit_test(mean_protocol),
        cmocka_unit_test(experts), /* on the run before */
        cmocka_unit_test(kappas),
    };
    NEED_SHARED();
    agree_bench_open(&bench, 0);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    agree_bench_close(&bench);
    return failed;
}
