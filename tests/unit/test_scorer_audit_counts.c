/* Every reading says how many images it rests on, and why the others are not in it (statistics
 * 13): expected = used + the sum over the reasons. */
#include <string.h>

#include "scorer_tables.h"
#include "support/check.h"

static uint64_t all_missing(const tare_reading *r)
{
    uint64_t sum = 0;
    for (int k = 1; k < TARE_REASON_COUNT; k++) sum += r->n_missing[k];
    return sum;
}

static void assert_counts(const bench *b)
{
    assert_true(b->result.reading_count > 0);
    for (size_t i = 0; i < b->result.reading_count; i++) {
        const tare_reading *r = &b->result.readings[i];
        if (r->n_base + all_missing(r) != r->n_expected || r->n_cluster > r->n_base ||
            r->n_missing[TARE_R_NONE])
            fail_msg("%s %s %s (%s): %d used in %d clusters, %d missing, %d expected", r->family,
                     r->arm, r->name, r->condition, (int)r->n_base, (int)r->n_cluster,
                     (int)all_missing(r), (int)r->n_expected);
    }
}

static void run(bench *b)
{
    tare_error err = {0};
    b->options.boot_b = b->options.perm_p = 99;
    assert_ok(bench_run(b, &err));
    assert_counts(b);
}

/* 40 images in the arm skin and its sham. Of skin, image 9 lacks its neutral row, 8 a score, 3 and
 * 17 an attribute, 3 and 5 an artifact; 20 clips at every dose; 4 lacks an edit energy. Of the
 * sham, image 2 lacks a score. Groups by i mod 3, but for the last four. */
static void put_holes(bench *b)
{
    gauss g = {31};
    text_add(&b->csv, "arm,base,group,dose,scorer,score,ita,artifact,edit_energy\n");
    for (int arm = 0; arm < 2; arm++)
        for (int i = 0; i < 40; i++)
            for (int dose = -15; dose <= 15; dose += 5) {
                double score = i % 7 + 0.3 * gauss_next(&g) - 0.05 * abs(dose);
                double artifact = dose == 0 ? 0 : i == 20 ? .2 : .0005 * (1 + i % 5) * abs(dose);
                bool skin = arm == 0;
                if (skin && i == 9 && dose == 0) continue;
                text_add_format(&b->csv, "%s,b%02d,", skin ? "skin" : "sham", i);
                text_add_format(&b->csv, i < 36 ? "g%d," : "small,", i % 3);
                text_add_format(&b->csv, "%d,s,", dose);
                if (!(skin && i == 8 && dose == 10) && !(!skin && i == 2 && dose == -5))
                    text_add_format(&b->csv, "%.17g", score);
                text_add(&b->csv, ",");
                if (!(skin && (i == 3 || i == 17) && dose == 5))
                    text_add_format(&b->csv, "%d", 40 + i % 9 + 2 * dose);
                text_add(&b->csv, ",");
                if (!(skin && (i == 3 || i == 5) && dose == -10))
                    text_add_format(&b->csv, "%.17g", artifact);
                text_add(&b->csv, ",");
                if (!(skin && i == 4 && dose == -10)) text_add_format(&b->csv, "%d", abs(dose));
                text_add(&b->csv, "\n");
            }
}

static void what_is_missing_is_counted(void **state)
{
    (void)state;
    /* used, missing, excluded, of 40 (12 in a group); 1 no_neutral in all but the group g1 */
    static const struct {
        const char *arm, *scorer, *name, *condition;
        uint64_t expected, used, missing, excluded, no_neutral;
    } want[] = {
        {"skin", "s", "FI", "all doses", 40, 38, 1, 0, 1},
        {"skin", "s", "net_drift", "dose", 40, 38, 1, 0, 1},
        {"skin", "s", "net_drift", "ITA", 40, 36, 3, 0, 1},
        {"skin", "s", "random_drift", "ITA", 40, 36, 3, 0, 1},
        {"skin", "s", "saturation_share", "ITA", 40, 36, 3, 0, 1},
        {"skin", "s", "permutation_z", "ITA", 40, 36, 3, 0, 1},
        {"skin", "s", "permutation_z", "dose", 40, 38, 1, 0, 1},
        {"skin", "s", "beta", "with artifact", 40, 35, 4, 0, 1},
        {"skin", "s", "beta", "attribute alone", 40, 35, 4, 0, 1},
        {"skin", "s", "gamma", NULL, 40, 35, 4, 0, 1},
        {"skin", "s", "VIF", NULL, 40, 35, 4, 0, 1},
        {"skin", "s", "condition_number", NULL, 40, 35, 4, 0, 1},
        {"skin", "s", "SE CR2", "beta", 40, 35, 4, 0, 1},
        {"skin", "s", "SE HC0", "gamma", 40, 35, 4, 0, 1},
        {"skin", "s", "FI_adj", NULL, 40, 36, 3, 0, 1},
        {"skin", "s", "gamma_adj", NULL, 40, 36, 3, 0, 1},
        {"skin", "s", "Delta_adj", "5", 40, 36, 3, 0, 1},
        {"skin", "s", "artifact_max_mean", NULL, 40, 36, 3, 0, 1},
        {"skin", "s", "artifact_on_dose_R2", NULL, 40, 36, 3, 0, 1},
        {"skin", "s", "slope", "unedited images", 40, 38, 1, 0, 1},
        {"skin", "", "R2", "ITA", 40, 37, 2, 0, 1},
        {"skin", "", "monotone", "ITA", 40, 37, 2, 0, 1},
        {"skin", "s", "FI", "clip-bounded", 40, 35, 3, 1, 1},
        {"skin", "s", "omnibus", "FI", 40, 34, 1, 4, 1},
        {"skin", "s", "omnibus_studentised", "A", 40, 34, 1, 4, 1},
        {"skin", "s", "omnibus", "FI_adj", 40, 32, 3, 4, 1},
        {"skin", "s", "mean_FI", "g0", 12, 11, 0, 0, 1},
        {"skin", "s", "mean_FI", "g1", 12, 12, 0, 0, 0},
        {"skin", "s", "mean_A", "g2", 12, 11, 1, 0, 0},
        {"skin", "s", "missing_rate", "g0", 12, 12, 0, 0, 0},
        {"skin", "s", "missing_rate", "10", 40, 39, 0, 0, 1},
        {"skin", "s", "rate_spread", "doses", 40, 39, 0, 0, 1},
        {"skin", "s", "rate_spread", "groups", 40, 40, 0, 0, 0},
        {"sham", "s", "FI", "all doses", 40, 39, 1, 0, 0},
        {"sham", "s", "FI_contrast", NULL, 40, 37, 2, 0, 1},
        {"sham", "s", "FI_contrast_per_energy", NULL, 40, 36, 3, 0, 1},
    };
    bench b;
    bench_open(&b, 1);
    put_holes(&b);
    run(&b);
    for (size_t k = 0; k < sizeof want / sizeof *want; k++) {
        const tare_reading *r = bench_reading(&b, want[k].arm, want[k].scorer, want[k].name,
                                              want[k].condition);
        if (r->n_expected != want[k].expected || r->n_base != want[k].used ||
            r->n_missing[TARE_R_MISSING] != want[k].missing ||
            r->n_missing[TARE_R_EXCLUDED] != want[k].excluded ||
            r->n_missing[TARE_R_NO_NEUTRAL] != want[k].no_neutral)
            fail_msg("%s (%s) of %s: %d of %d used, %d missing, %d excluded, %d no_neutral",
                     r->name, r->condition, r->arm, (int)r->n_base, (int)r->n_expected,
                     (int)r->n_missing[TARE_R_MISSING], (int)r->n_missing[TARE_R_EXCLUDED],
                     (int)r->n_missing[TARE_R_NO_NEUTRAL]);
    }
    bench_close(&b);
}

static void holes_in_the_measures_are_listed(void **state)
{
    (void)state;
    bench b;
    bench_open(&b, 1);
    put_holes(&b);
    run(&b);
    size_t attribute = 0, artifact = 0;
    for (size_t i = 0; i < b.result.missing_count; i++) {
        const result_missing *x = &b.result.missing[i];
        if (strcmp(x->what, "attribute") && strcmp(x->what, "artifact")) continue;
        assert_string_equal(x->arm, "skin");
        assert_int_equal(x->reason, TARE_R_MISSING);
        assert_int_equal(x->of, strcmp(x->group, "g0") ? 12 : 11); /* 9 is not there at all */
        if (strcmp(x->what, "attribute") == 0) attribute += x->count;
        if (strcmp(x->what, "artifact") == 0) artifact += x->count;
        if (strcmp(x->group, "g0") == 0) assert_string_equal(x->example, "b03");
    }
    assert_int_equal(attribute, 2);
    assert_int_equal(artifact, 2);
    bench_close(&b);
}

/* The pair's own count is that of its two groups. */
static void the_pair_rests_on_two_groups(void **state)
{
    (void)state;
    bench b;
    bench_open(&b, 1);
    put_holes(&b);
    run(&b);
    const tare_reading *pair = bench_reading(&b, "skin", "s", "largest_pair", NULL);
    uint64_t expected = 0, used = 0;
    for (int g = 0; g < 3; g++) {
        char name[8];
        snprintf(name, sizeof name, "g%d", g);
        if (!strstr(pair->condition, name)) continue;
        const tare_reading *mean = bench_reading(&b, "skin", "s", "mean_FI", name);
        expected += mean->n_expected;
        used += mean->n_base;
    }
    assert_int_equal(pair->n_expected, expected);
    assert_int_equal(pair->n_base, used);
    assert_true(used < 30);
    bench_close(&b);
}

typedef double (*value)(int base, int dose);

static double varied(int base, int dose) { return sin(base * 12.9898 + dose * 78.233) + .1 * dose; }
static double same(int base, int dose) { (void)base; (void)dose; return .25; }
static double never(int base, int dose) { (void)base; (void)dose; return NAN; }
static double the_dose(int base, int dose) { (void)base; return 2 * dose; }
static double not_at_five(int base, int dose) { return dose == 5 ? NAN : the_dose(base, dose); }
static double only_neutral(int base, int dose) { return dose ? NAN : base; }

static void put(bench *b, int bases, value score, value attribute, value artifact)
{
    text_add(&b->csv, "base,cluster,group,dose,scorer,score,ita,artifact\n");
    for (int i = 0; i < bases; i++)
        for (int dose = -15; dose <= 15; dose += 5)
            text_add_format(&b->csv, "b%03d,c%03d,g%d,%d,s,%.17g,%.17g,%.17g\n", i, i / 2,
                            i / 2 % 2, dose, score(i, dose), attribute(i, dose),
                            artifact(i, dose));
}

/* Whatever is empty, constant, collinear or too little. */
static void the_counts_add_up(void **state)
{
    (void)state;
    static const struct { int bases; value score, attribute, artifact; } cases[] = {
        {60, varied, the_dose, varied}, {60, same, the_dose, varied},
        {60, never, the_dose, varied},  {60, varied, never, never},
        {60, varied, not_at_five, varied}, {60, varied, the_dose, not_at_five},
        {60, varied, the_dose, the_dose},  {60, varied, the_dose, same},
        {60, varied, only_neutral, only_neutral}, {60, not_at_five, the_dose, varied},
        {60, only_neutral, not_at_five, not_at_five}, {60, varied, same, same},
        {6, varied, the_dose, varied}, {1, varied, the_dose, varied},
        {20, the_dose, the_dose, varied},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        for (int minimum = 2; minimum <= 40; minimum += 38) {
            bench b;
            bench_open(&b, 1);
            b.options.group_min = (size_t)minimum;
            put(&b, cases[k].bases, cases[k].score, cases[k].attribute, cases[k].artifact);
            run(&b);
            bench_close(&b);
        }
}

static void the_counts_of_the_toy_add_up(void **state)
{
    (void)state;
    for (int k = 0; k < 6; k++) {
        bench b;
        bench_open(&b, 1);
        b.options.doses = k & 1 ? "extreme" : "all";
        b.options.bon_n = k & 2 ? 8 : 4; /* more than the pool: not run */
        b.options.group_min = 1;
        put_toy(&b, k & 4);
        run(&b);
        bench_close(&b);
    }
}

/* An attribute that no image has at every dose: said, where nothing was said before. */
static void an_attribute_with_a_hole_in_every_image(void **state)
{
    (void)state;
    bench b;
    bench_open(&b, 1);
    put(&b, 60, varied, not_at_five, varied);
    run(&b);
    const tare_reading *r = bench_reading(&b, NULL, "", "R2", NULL);
    assert_int_equal(r->verdict, TARE_NO_ANSWER);
    assert_int_equal(r->n_missing[TARE_R_MISSING], 60);
    r = bench_reading(&b, NULL, "s", "beta", "with artifact");
    assert_int_equal(r->n_base, 0);
    assert_int_equal(r->n_missing[TARE_R_MISSING], 60);
    bench_close(&b);
}

/* Bases that were excluded before there were arms are listed under their label in the manifest. */
static void excluded_photographs_are_counted_by_label(void **state)
{
    (void)state;
    bench b;
    tare_error err = {0};
    bench_open(&b, 1);
    put(&b, 60, varied, the_dose, varied);
    run(&b); /* builds b.c */
    result_missing missing[2] = {
        {"base", "real", "", "g0", TARE_R_NO_SKIN, 3, 33, "dark.png"},
        {"base", "drawn", "", "g0", TARE_R_DECODE, 5, 9, "broken.png"}};
    b.c.missing = missing;
    b.c.missing_count = 2;
    b.c.arm[0].label = "real";
    b.c.arm[0].name = "real/skin";
    b.c.arm[0].excluded = 3;
    result_free(&b.result);
    result_init(&b.result, &b.m);
    assert_ok(analyse_cube(&b.result, b.context, &b.c, &b.options, &err));
    assert_counts(&b);
    const tare_reading *fi = bench_reading(&b, "real/skin", "s", "FI", "all doses");
    assert_int_equal(fi->n_expected, 63);
    assert_int_equal(fi->n_missing[TARE_R_NO_SKIN], 3);
    assert_int_equal(bench_reading(&b, NULL, "s", "mean_FI", "g0")->n_missing[TARE_R_NO_SKIN], 3);
    assert_int_equal(bench_reading(&b, NULL, "s", "mean_FI", "g1")->n_missing[TARE_R_NO_SKIN], 0);
    bench_close(&b);
}

/* A group of which nothing is left is the clearest case of all. */
static void a_group_that_is_gone_is_seen(void **state)
{
    (void)state;
    for (int others = 1; others <= 2; others++) {
        bench b;
        bench_open(&b, 1);
        b.options.perm_p = b.options.boot_b = 199;
        text_add(&b.csv, "base,group,dose,score\n");
        for (int i = 0; i < 40; i++)
            for (int dose = -5; dose <= 5; dose += 5)
                if (i >= 8 || dose)
                    text_add_format(&b.csv, "b%02d,%s,%d,%.17g\n", i,
                                    i < 8 ? "gone" : i % others ? "odd" : "even", dose,
                                    varied(i, dose));
        tare_error err = {0};
        assert_ok(bench_run(&b, &err));
        assert_counts(&b);
        const tare_reading *r = bench_reading(&b, NULL, NULL, "missing_rate", "gone");
        assert_close(r->estimate, 1);
        assert_int_equal(r->n_base, 8);
        assert_close(bench_reading(&b, NULL, NULL, "missing_rate", "even")->estimate, 0);
        r = bench_reading(&b, NULL, NULL, "rate_spread", "groups");
        assert_close(r->estimate, 1);
        assert_non_null(strstr(r->marks, "missing_informative"));
        assert_int_equal(r->n_base, 40);
        if (others == 2) {
            const tare_reading *o = bench_reading(&b, NULL, NULL, "omnibus", "FI");
            assert_int_equal(o->verdict, TARE_INCONCLUSIVE);
            assert_non_null(strstr(o->marks, "missing scores depend on the group"));
            assert_null(strstr(o->marks, "the condition"));
            assert_string_equal(o->words, "inconclusive: missing scores depend on the group");
        }
        bench_close(&b);
    }
}

/* 6 of 40 images lack the dose 5, 5 of the 10 of group c and 1 of the 30 of group d. Wilson's ends
 * by statsmodels 0.13 proportion_confint(method="wilson"). */
static void missing_rates_have_intervals(void **state)
{
    (void)state;
    static const struct { const char *condition; size_t n; double rate, lo, hi; } want[] = {
        {"5", 40, 6. / 40, 0.0706118771732036, 0.290723243664897},
        {"-5", 40, 0, 0, 0.0876216011972867},
        {"c", 10, 5. / 10, 0.236593090512564, 0.763406909487436},
        {"d", 30, 1. / 30, 0.00590859038161246, 0.166703909914092},
    };
    bench b;
    bench_open(&b, 1);
    b.options.perm_p = b.options.boot_b = 199;
    text_add(&b.csv, "base,group,dose,score\n");
    for (int i = 0; i < 40; i++)
        for (int dose = -5; dose <= 5; dose += 5)
            if (!(dose == 5 && (i < 5 || i == 20)))
                text_add_format(&b.csv, "b%02d,%c,%d,%.17g\n", i, i < 10 ? 'c' : 'd', dose,
                                varied(i, dose));
    tare_error err = {0};
    assert_ok(bench_run(&b, &err));
    for (size_t k = 0; k < sizeof want / sizeof *want; k++) {
        const tare_reading *r = bench_reading(&b, NULL, NULL, "missing_rate", want[k].condition);
        assert_int_equal(r->n_base, want[k].n);
        assert_close(r->estimate, want[k].rate);
        assert_close(r->lo, want[k].lo);
        assert_close(r->hi, want[k].hi);
        assert_string_equal(r->interval_method, "Wilson");
    }
    bench_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_missing_is_counted),
        cmocka_unit_test(holes_in_the_measures_are_listed),
        cmocka_unit_test(the_pair_rests_on_two_groups),
        cmocka_unit_test(the_counts_add_up),
        cmocka_unit_test(the_counts_of_the_toy_add_up),
        cmocka_unit_test(an_attribute_with_a_hole_in_every_image),
        cmocka_unit_test(excluded_photographs_are_counted_by_label),
        cmocka_unit_test(a_group_that_is_gone_is_seen),
        cmocka_unit_test(missing_rates_have_intervals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
