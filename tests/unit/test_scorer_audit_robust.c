/* Robustness of the readings: masks that measure, masks that are edited within, seeds, sizes, and a
 * bound for clipping where nothing clips (scorer audit 7). */
#include <string.h>

#include "scorer_tables.h"
#include "stats/moments.h"
#include "support/check.h"

#define BASES 40
#define DOSES 7

static const tare_reading *get(const bench *b, const char *name, const char *condition)
{
    return bench_reading(b, "skin", "s", name, condition);
}

static bool has(const bench *b, const char *name, const char *condition)
{
    for (size_t i = 0; i < b->result.reading_count; i++)
        if (!strcmp(b->result.readings[i].name, name) &&
            !strcmp(b->result.readings[i].condition, condition))
            return true;
    return false;
}

static bool cautioned(const bench *b, const char *words)
{
    for (size_t i = 0; i < b->result.caution_count; i++)
        if (strstr(b->result.cautions[i], words)) return true;
    return false;
}

/* The cube that bench_run made, changed by the test, once more. */
static void again(bench *b)
{
    tare_error err = {0};
    result_free(&b->result);
    result_init(&b->result, &b->m);
    assert_ok(analyse_cube(&b->result, b->context, &b->c, &b->options, &err));
}

/* Of the bases [from, to). */
static void put_bases(bench *b, const char *arm, int from, int to, double by_distance,
                      double by_dose, uint64_t seed)
{
    gauss g = {seed};
    if (b->csv.length == 0) text_add(&b->csv, "arm,base,dose,scorer,score,ita\n");
    for (int i = from; i < to; i++)
        for (int dose = -15; dose <= 15; dose += 5)
            text_add_format(&b->csv, "%s,f%02d,%d,s,%.17g,%.17g\n", arm, i, dose,
                            i % 9 - by_distance * abs(dose) + by_dose * dose +
                                0.3 * gauss_next(&g),
                            40 + 2.0 * dose + i % 7);
}

static void put_arm(bench *b, const char *arm, double by_distance, double by_dose, uint64_t seed)
{
    put_bases(b, arm, 0, BASES, by_distance, by_dose, seed);
}

static void run(bench *b)
{
    tare_error err = {0};
    b->options.boot_b = b->options.perm_p = 999;
    assert_ok(bench_run(b, &err));
}

static double *scaled(bench *b, const cube_arm *arm, double by)
{
    double *x = arena_new(&b->a, arm->bases * arm->doses, sizeof *x);
    assert_non_null(x);
    for (size_t i = 0; i < arm->bases * arm->doses; i++) x[i] = by * arm->attribute[i];
    return x;
}

/* beta of k times the attribute is beta / k. */
static void beta_is_measured_over_three_masks(void **state)
{
    (void)state;
    static const struct { double tight, loose; const char *mark; } cases[] = {
        {1.01, .99, "pass"},
        {1.01, -1, "fail: the sign of beta flips"},
        {.25, .99, "fail: beta ranges wider than its interval"}};
    bench b;
    bench_open(&b, 1);
    put_arm(&b, "skin", 0, .02, 3);
    run(&b);
    assert_false(has(&b, "beta_range", "measuring mask")); /* nobody measured over other masks */
    const double beta = get(&b, "beta", "no artifact known")->estimate;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        cube_arm *arm = &b.c.arm[0];
        arm->attribute_set[0] = scaled(&b, arm, cases[k].tight);
        arm->attribute_set[1] = scaled(&b, arm, cases[k].loose);
        again(&b);
        double tight = beta / cases[k].tight, loose = beta / cases[k].loose;
        assert_close(get(&b, "beta", "measured over the tight mask")->estimate, tight);
        assert_close(get(&b, "beta", "measured over the loose mask")->estimate, loose);
        const tare_reading *range = get(&b, "beta_range", "measuring mask");
        assert_close(range->estimate,
                     fmax(fmax(beta, tight), loose) - fmin(fmin(beta, tight), loose));
        assert_string_equal(range->marks, cases[k].mark);
        assert_string_equal(range->family, "robust");
        assert_true(cautioned(&b, "s, skin: the reading beta depends on the mask: measured over "
                                  "other masks ") == (k > 0));
    }
    b.c.arm[0].attribute_set[1] = NULL; /* one mask is no range */
    again(&b);
    assert_string_equal(get(&b, "beta_range", "measuring mask")->reason, "not_run");
    bench_close(&b);
}

/* Every beta is of the bases that all masks measured. */
static void beta_is_of_the_same_bases(void **state)
{
    (void)state;
    bench half, b;
    bench_open(&half, 1);
    put_bases(&half, "skin", 0, 20, 0, .05, 3);
    run(&half);
    const tare_reading *alone = get(&half, "beta", "no artifact known");
    bench_open(&b, 1);
    put_bases(&b, "skin", 0, 20, 0, .05, 3);
    put_bases(&b, "skin", 20, BASES, 0, -.01, 4); /* these have no loose mask */
    run(&b);
    cube_arm *arm = &b.c.arm[0];
    arm->attribute_set[0] = scaled(&b, arm, 1);
    arm->attribute_set[1] = scaled(&b, arm, 1);
    for (size_t i = 20; i < BASES; i++) arm->attribute_set[1][i * DOSES + 2] = NAN;
    again(&b);
    const tare_reading *range = get(&b, "beta_range", "measuring mask");
    assert_true(range->estimate == 0 && range->n_missing[TARE_R_MISSING] == 20);
    assert_string_equal(range->marks, "pass, over the 20 of 40 images measured over every mask");
    assert_close(get(&b, "beta", "measured over the tight mask")->estimate, alone->estimate);
    assert_true(get(&b, "beta", "no artifact known")->estimate < alone->estimate / 2 + .01);
    for (size_t i = 5; i < BASES; i++) arm->attribute_set[1][i * DOSES + 2] = NAN;
    again(&b);
    range = get(&b, "beta_range", "measuring mask");
    assert_string_equal(range->reason, "not_run");
    assert_non_null(strstr(range->words, "fewer than 6 clusters measured over every mask"));
    bench_close(&b);
    bench_close(&half);
}

/* A run over the tight mask has the default one beside it; and no slope is no flip. */
static void the_default_mask_is_another_one(void **state)
{
    (void)state;
    bench b;
    bench_open(&b, 1);
    text_add(&b.csv, "arm,base,dose,scorer,score,ita\n");
    for (int i = 0; i < BASES; i++)
        for (int dose = -15; dose <= 15; dose += 5)
            text_add_format(&b.csv, "skin,f%02d,%d,s,%.17g,%d\n", i, dose,
                            sin(i) - .01 * (1 + i % 5) * abs(dose), 40 + 2 * dose);
    run(&b);
    cube_arm *arm = &b.c.arm[0];
    arm->attribute_set[1] = scaled(&b, arm, 2);
    arm->attribute_set[2] = scaled(&b, arm, -1);
    again(&b);
    assert_true(get(&b, "beta", "measured over the default mask")->estimate == 0);
    assert_string_equal(get(&b, "beta_range", "measuring mask")->marks,
                        "pass, beta is 0 over every mask");
    bench_close(&b);
}

/* `arm` of the table becomes the skin arm made again within the tight mask. */
static void make_stress(bench *b, size_t arm, size_t main)
{
    b->c.arm[arm].operator_name = "skin";
    b->c.arm[arm].stress = true;
    b->c.arm[arm].stress_set = "tight";
    b->c.arm[arm].partner = main;
}

static void images_are_edited_within_other_masks(void **state)
{
    (void)state;
    static const struct { double by_distance, by_dose; const char *fi, *a; } cases[] = {
        {.05, .02, "pass", "pass"}, {-.05, .02, "fail", "pass"}, {.05, -.02, "pass", "fail"},
        {.2, .02, "fail", "pass"}};
    const char *within = "edited within the tight mask";
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        bench b;
        bench_open(&b, 1);
        put_arm(&b, "skin", .05, .02, 3);
        put_arm(&b, "tight", cases[k].by_distance, cases[k].by_dose, 3);
        run(&b);
        make_stress(&b, 1, 0);
        again(&b);
        assert_true(!strncmp(get(&b, "FI", within)->marks, cases[k].fi, 4));
        assert_true(!strncmp(get(&b, "A", within)->marks, cases[k].a, 4));
        bool fi = !strcmp(cases[k].fi, "fail"), a = !strcmp(cases[k].a, "fail");
        assert_true(cautioned(&b, "s, skin: the reading FI depends on the mask: FI edited within "
                                  "the tight mask is ") == fi);
        assert_true(cautioned(&b, "s, skin: the reading A depends on the mask: A edited within "
                                  "the tight mask is ") == a);
        assert_true(cautioned(&b, "] instead of ") == (fi || a));
        /* no member of any grid, and the numbers are those of its arm */
        const tare_reading *own = bench_reading(&b, "tight", "s", "FI", "all doses");
        assert_string_equal(own->grid, "");
        assert_true(get(&b, "FI", within)->estimate == own->estimate);
        assert_true(get(&b, "FI", within)->lo == own->lo);
        assert_true(has(&b, "net_drift", within) && has(&b, "net_drift_dose", within));
        const char *drift = get(&b, "net_drift_dose", within)->marks; /* shown, and not judged */
        assert_true(!strstr(drift, "pass") && !strstr(drift, "fail"));
        /* and nothing is said of it as if it were an arm of its own */
        for (size_t i = 0; i < b.result.answer_count; i++)
            assert_null(strstr(b.result.answer[i], "(tight)"));
        for (size_t i = 0; i < b.result.reading_count; i++)
            assert_false(!strcmp(b.result.readings[i].family, "criterion") &&
                         !strcmp(b.result.readings[i].arm, "tight"));
        b.c.arm[1].dose[0] = -20; /* FI depends on the doses (16, 14) */
        again(&b);
        assert_string_equal(get(&b, "FI", within)->reason, "not_run");
        assert_string_equal(get(&b, "FI", within)->words,
                            "no answer: not run: other doses than the main arm");
        bench_close(&b);
    }
}

/* The same photographs on both sides: what only one arm has is in neither mean. */
static void other_masks_are_of_the_same_bases(void **state)
{
    (void)state;
    const char *within = "edited within the tight mask";
    for (int few = 0; few < 2; few++) {
        int left = few ? 5 : 15;
        bench b;
        bench_open(&b, 1);
        put_bases(&b, "skin", 0, left, .05, .02, 3);
        put_bases(&b, "skin", left, BASES, -.2, -.1, 4);
        put_bases(&b, "tight", 0, left, .05, .02, 3);
        run(&b);
        make_stress(&b, 1, 0);
        again(&b);
        const tare_reading *fi = get(&b, "FI", within), *a = get(&b, "A", within);
        assert_true(get(&b, "FI", "all doses")->estimate < 0);
        if (few) {
            assert_string_equal(fi->reason, "not_run");
            assert_non_null(strstr(a->words, "fewer than 6 clusters in both arms"));
        } else {
            const char *mark = "pass, over the 15 images that both arms have (of 40 and 15)";
            assert_non_null(strstr(fi->marks, mark));
            assert_non_null(strstr(a->marks, mark));
            assert_true(fi->n_base == 15);
        }
        assert_false(cautioned(&b, "the mask"));
        bench_close(&b);
    }
}

static double margin_of(const bench *b, const char *arm)
{
    return bench_reading(b, arm, "s", "FI", "all doses")->margin;
}

/* One yardstick, of the distinct bases of all main arms whatever their order. */
static void the_yardstick_has_no_order(void **state)
{
    (void)state;
    bench b;
    bench_open(&b, 1);
    static const struct { const char *arm; int from, to; } arms[] = {
        {"pose", 9, BASES}, {"tone", 0, 20}, {"zoom", 0, 20}};
    double neutral[BASES];
    text_add(&b.csv, "arm,base,dose,scorer,score,ita\n");
    for (size_t k = 0; k < 3; k++)
        for (int i = arms[k].from; i < arms[k].to; i++)
            for (int dose = -15; dose <= 15; dose += 5) {
                neutral[i] = i * i % 31;
                text_add_format(&b.csv, "%s,f%02d,%d,s,%.17g,%d\n", arms[k].arm, i, dose,
                                neutral[i] - .01 * (i % 5) * abs(dose), dose);
            }
    run(&b);
    const double sd = .1 * moments_sd(neutral, BASES, 1);
    assert_close(margin_of(&b, "tone"), sd);
    assert_true(margin_of(&b, "pose") == margin_of(&b, "tone"));
    cube_arm arm = b.c.arm[0];
    b.c.arm[0] = b.c.arm[2];
    b.c.arm[2] = arm;
    cube_scores scores = b.c.scores[0];
    b.c.scores[0] = b.c.scores[2];
    b.c.scores[2] = scores;
    const double before = margin_of(&b, "tone");
    again(&b);
    assert_true(margin_of(&b, "tone") == before);
    b.c.arms = 2; /* without pose, whose bases 20.. nobody else has */
    again(&b);
    assert_close(margin_of(&b, "tone"), .1 * moments_sd(neutral, 20, 1));
    b.c.arms = 1; /* another arm of the same bases adds nothing */
    again(&b);
    assert_close(margin_of(&b, "zoom"), .1 * moments_sd(neutral, 20, 1));
    bench_close(&b);
}

typedef struct seed_runs {
    double estimate[5], p[5];
} seed_runs;

/* What five whole runs give. */
static void run_seeds(seed_runs *out, bench *b, const char *name, const char *condition)
{
    for (uint64_t k = 0; k < 5; k++) {
        b->options.seed = 11 + k;
        b->options.seeds = 0;
        again(b);
        out->estimate[k] = get(b, name, condition)->estimate;
        out->p[k] = get(b, name, condition)->p;
    }
    b->options.seed = 11;
    b->options.seeds = 5;
    again(b);
}

static void seeds_are_whole_runs_at_less_cost(void **state)
{
    (void)state;
    static const struct { const char *name, *condition, *prefix; } cases[] = {
        {"FI", "all doses", "FI"}, {"A", "all doses", "A"}, {"net_drift", "dose", "net_drift_dose"},
        {"net_drift", "ITA", "net_drift"}, {"beta", "no artifact known", "beta"}};
    for (size_t draws = 0; draws <= 20; draws += 20) {
        bench b;
        bench_open(&b, 2);
        put_arm(&b, "skin", .002, .003, 5);
        run(&b);
        b.options.bon_draws = draws;
        for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
            seed_runs x;
            char name[40];
            run_seeds(&x, &b, cases[k].name, cases[k].condition);
            snprintf(name, sizeof name, "%s_sd", cases[k].prefix);
            double sd = moments_sd(x.estimate, 5, 1);
            if (draws && !strncmp(name, "net", 3)) {
                assert_true(sd > 0);
                assert_close(get(&b, name, "seeds")->estimate, sd);
            } else {
                assert_true(get(&b, name, "seeds")->estimate == 0);
            }
            snprintf(name, sizeof name, "%s_sd_of_p", cases[k].prefix);
            assert_within(get(&b, name, "seeds")->estimate, moments_sd(x.p, 5, 1), 1e-9, 1e-12);
            double significant = 0, same = 0;
            for (int s = 0; s < 5; s++) {
                significant += x.p[s] <= .05;
                same += (x.estimate[s] > 0) == (x.estimate[0] > 0);
            }
            snprintf(name, sizeof name, "%s_significant", cases[k].prefix);
            assert_close(get(&b, name, "seeds")->estimate, significant / 5);
            snprintf(name, sizeof name, "%s_same_sign", cases[k].prefix);
            assert_close(get(&b, name, "seeds")->estimate, same / 5);
        }
        bench_close(&b);
    }
}

static void a_stable_direction_may_be_underpowered(void **state)
{
    (void)state;
    bench b;
    bench_open(&b, 1);
    put_arm(&b, "skin", .05, 0, 5);
    run(&b);
    assert_true(get(&b, "A", "all doses")->p > .2);
    /* No seed can move the mean of the scores: its sign is no evidence. */
    assert_string_equal(get(&b, "A_same_sign", "seeds")->marks, "pass");
    assert_string_equal(get(&b, "FI_same_sign", "seeds")->marks, "pass");
    assert_close(get(&b, "FI_significant", "seeds")->estimate, 1);
    b.options.bon_draws = 4000; /* drawn subsets: now the drift is another one by the seed */
    again(&b);
    assert_true(get(&b, "net_drift_dose_sd", "seeds")->estimate > 0);
    assert_true(get(&b, "net_drift", "dose")->p > .2);
    assert_string_equal(get(&b, "net_drift_dose_same_sign", "seeds")->marks,
                        "pass, direction stable but underpowered");
    b.options.bon_draws = 0;
    b.options.seeds = 1;
    again(&b);
    assert_false(has(&b, "FI_sd", "seeds"));
    bench_close(&b);
}

/* Below 30 clusters t intervals and exact flips lead, which no seed moves. */
static void exact_tests_have_no_seed(void **state)
{
    (void)state;
    bench b;
    bench_open(&b, 1);
    put_toy(&b, false);
    run(&b);
    assert_true(bench_reading(&b, NULL, "toy", "FI_sd_of_p", "seeds")->estimate == 0);
    assert_true(bench_reading(&b, NULL, "toy", "beta_sd_of_p", "seeds")->estimate == 0);
    bench_close(&b);
}

static void other_sizes_are_cautioned(void **state)
{
    (void)state;
    bench b;
    bench_open(&b, 1);
    put_arm(&b, "real/skin", .05, .02, 3);
    put_arm(&b, "synthetic/skin", .05, .02, 4);
    run(&b);
    assert_false(cautioned(&b, "short side")); /* a table knows no sizes */
    b.c.arm[0].side_lo = 200;
    b.c.arm[0].side_hi = 300;
    b.c.arm[1].side_lo = b.c.arm[1].side_hi = 1024;
    again(&b);
    assert_true(cautioned(&b, "The images of real/skin are 200 to 300 pixels on their short side, "
                              "those of synthetic/skin 1024 to 1024"));
    assert_true(cautioned(&b, "--prepare-size 224"));
    const char *operator_name = b.c.arm[1].operator_name;
    b.c.arm[1].operator_name = "hue"; /* another axis is not compared with this one */
    again(&b);
    assert_false(cautioned(&b, "short side"));
    b.c.arm[1].operator_name = operator_name;
    b.c.arm[0].side_lo = b.c.arm[0].side_hi = 1024;
    again(&b);
    assert_false(cautioned(&b, "short side"));
    assert_false(cautioned(&b, "have other doses"));
    b.c.arm[1].dose[6] = 20;
    again(&b);
    assert_true(cautioned(&b, "real/skin and synthetic/skin have other doses"));
    bench_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(beta_is_measured_over_three_masks),
        cmocka_unit_test(beta_is_of_the_same_bases),
        cmocka_unit_test(the_default_mask_is_another_one),
        cmocka_unit_test(images_are_edited_within_other_masks),
        cmocka_unit_test(other_masks_are_of_the_same_bases),
        cmocka_unit_test(the_yardstick_has_no_order),
        cmocka_unit_test(seeds_are_whole_runs_at_less_cost),
        cmocka_unit_test(a_stable_direction_may_be_underpowered),
        cmocka_unit_test(exact_tests_have_no_seed),
        cmocka_unit_test(other_sizes_are_cautioned),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
