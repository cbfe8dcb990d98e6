/* What may be wrong with the labels of groups (scorer audit 9, statistics 17): every case has a
 * reason that says what it is. */
#include <string.h>

#include "scorer_tables.h"
#include "support/check.h"

static void run(bench *b)
{
    tare_error err = {0};
    b->options.boot_b = b->options.perm_p = 199;
    assert_ok(bench_run(b, &err));
}

static void put_image(bench *b, int i, const char *cluster, const char *group, double shift,
                      gauss *g)
{
    for (int dose = -5; dose <= 5; dose += 5)
        text_add_format(&b->csv, "f%02d,%s,%s,%d,s,%.17g\n", i, cluster, group, dose,
                        (g ? gauss_next(g) : 0) + (dose > 0 ? shift : 0));
}

static const char head[] = "base,cluster,group,dose,scorer,score\n";

static size_t population_readings(const bench *b)
{
    size_t n = 0;
    for (size_t i = 0; i < b->result.reading_count; i++)
        n += strcmp(b->result.readings[i].family, "population") == 0;
    return n;
}

static void groups_of_one(void **state)
{
    (void)state;
    bench b;
    gauss g = {8};
    char name[8];
    bench_open(&b, 1);
    text_add(&b.csv, head);
    for (int i = 0; i < 12; i++) {
        snprintf(name, sizeof name, "g%02d", i);
        put_image(&b, i, name, name, 0, &g);
    }
    run(&b);
    const tare_reading *r = bench_reading(&b, NULL, "s", "omnibus", "A");
    assert_string_equal(r->reason, "groups_too_small");
    assert_int_equal(r->verdict, TARE_NO_ANSWER);
    assert_true(isnan(r->p) && isnan(r->q_maxt));
    assert_non_null(strstr(r->marks, "left out: g00 (1), g01 (1)"));
    for (size_t i = 0; i < b.result.reading_count; i++)
        assert_string_not_equal(b.result.readings[i].name, "largest_pair");
    for (size_t i = 0; i < b.result.table_count; i++)
        assert_string_not_equal(b.result.tables[i]->name, "omnibus_null");
    bench_close(&b);
}

/* One group is no comparison, and says so; without any label there is nothing to say. */
static void one_group_and_none(void **state)
{
    (void)state;
    for (int named = 0; named < 2; named++) {
        bench b;
        gauss g = {9};
        char name[8];
        bench_open(&b, 1);
        text_add(&b.csv, head);
        for (int i = 0; i < 30; i++) {
            snprintf(name, sizeof name, "c%02d", i);
            put_image(&b, i, name, named ? "only" : "", 0, &g);
        }
        run(&b);
        if (named) {
            const tare_reading *r = bench_reading(&b, NULL, "s", "omnibus", "FI");
            assert_string_equal(r->reason, "groups_too_small");
            assert_string_equal(r->words, "no answer: fewer than two groups are large enough");
            assert_int_equal(bench_reading(&b, NULL, "s", "mean_FI", "only")->n_base, 30);
        } else {
            assert_int_equal(population_readings(&b), 0);
        }
        bench_close(&b);
    }
}

/* Images without a label are no group, however many they are. */
static void no_label(void **state)
{
    (void)state;
    bench b;
    gauss g = {10};
    char name[8];
    bench_open(&b, 1);
    text_add(&b.csv, head);
    for (int i = 0; i < 45; i++) {
        snprintf(name, sizeof name, "c%02d", i);
        put_image(&b, i, name, i < 15 ? "a" : i < 30 ? "b" : "", i < 30 ? 0 : 50, &g);
    }
    run(&b);
    const tare_reading *r = bench_reading(&b, NULL, "s", "omnibus", "A");
    assert_int_equal(r->n_base, 30);
    assert_int_equal(r->n_missing[TARE_R_EXCLUDED], 15);
    assert_non_null(strstr(r->marks, "left out: without a group (15)"));
    assert_true(r->estimate < 10);
    bench_close(&b);
}

/* The table that two bases of one cluster lie in different groups in; the second has no score. */
static void a_label_varies_in_a_cluster(void **state)
{
    (void)state;
    for (int used = 0; used < 2; used++) {
        bench b;
        gauss g = {11};
        tare_error err = {0};
        char name[8];
        bench_open(&b, 1);
        text_add(&b.csv, head);
        for (int i = 0; i < 30; i++) {
            snprintf(name, sizeof name, "c%02d", i / 2);
            if (i == 7 && !used)
                text_add(&b.csv, "f07,c03,blue,-5,s,\nf07,c03,blue,0,s,1\nf07,c03,blue,5,s,1\n");
            else
                put_image(&b, i, name, i == 7 ? "blue" : i < 14 ? "red" : "blue", 0, &g);
        }
        b.options.boot_b = b.options.perm_p = 99;
        assert_int_equal(bench_run(&b, &err), TARE_E_DATA);
        static const char *const said[] = {"cluster c03", "base f06", "'red'", "base f07",
                                           "'blue'", "one group"};
        for (size_t k = 0; k < sizeof said / sizeof *said; k++)
            assert_non_null(strstr(err.message, said[k]));
        bench_close(&b);
    }
}

static bool cautioned(const bench *b, const char *what)
{
    for (size_t i = 0; i < b->result.caution_count; i++)
        if (strstr(b->result.cautions[i], what)) return true;
    return false;
}

/* All scores of a group are the same and those of another group other: T_s is infinite and the pair
 * has no spread to be tested with, which are reasons and no numbers; p of T_s is the least that 199
 * permutations allow. With all the same there is nothing to compare. */
static void constant_scores(void **state)
{
    (void)state;
    for (int differ = 0; differ < 2; differ++) {
        bench b;
        char name[8];
        bench_open(&b, 1);
        text_add(&b.csv, head);
        for (int i = 0; i < 40; i++) {
            snprintf(name, sizeof name, "c%02d", i);
            put_image(&b, i, name, i % 2 ? "odd" : "even", differ && i % 2 ? 3 : 1, NULL);
        }
        run(&b);
        const tare_reading *r = bench_reading(&b, NULL, "s", "omnibus", "A");
        if (differ) {
            assert_close(r->estimate, 2);
            assert_close(r->p, 1 / 200.);
            assert_int_equal(r->verdict, TARE_FOUND);
            const tare_reading *pair = bench_reading(&b, NULL, "s", "largest_pair",
                                                     "A: odd - even");
            assert_close(pair->estimate, 2);
            assert_true(isnan(pair->lo) && isnan(pair->hi) && isnan(pair->p));
            assert_string_equal(pair->reason, "no_spread_in_groups");
            assert_string_equal(pair->words, "no answer: the values do not vary inside groups");
            const tare_reading *s = bench_reading(&b, NULL, "s", "omnibus_studentised", "A");
            assert_true(isnan(s->estimate));
            assert_close(s->p, 1 / 200.);
            assert_string_equal(s->reason, "no_spread_in_groups");
            assert_null(strstr(r->marks, "spread"));
        } else {
            assert_string_equal(r->reason, "degenerate");
        }
        bench_close(&b);
    }
}

/* Scores that differ by 1e-6 inside the groups and by 2 between them: Welch's t of 398 degrees of
 * freedom has a p below every double, which is a bound and not 0. */
static void p_of_the_pair_is_never_0(void **state)
{
    (void)state;
    bench b;
    char name[8];
    bench_open(&b, 1);
    text_add(&b.csv, head);
    for (int i = 0; i < 400; i++) {
        snprintf(name, sizeof name, "c%03d", i);
        put_image(&b, i, name, i % 2 ? "odd" : "even", (i % 2 ? 3 : 1) + (i % 4 < 2 ? 1e-6 : 0),
                  NULL);
    }
    run(&b);
    const tare_reading *r = bench_reading(&b, NULL, "s", "largest_pair", "A: odd - even");
    assert_true(r->p > 0 && r->p < 1e-300 && r->p_floor == r->p);
    assert_true(r->lo < r->estimate && r->estimate < r->hi);
    assert_string_equal(r->reason, "");
    bench_close(&b);
}

/* A group that is one cluster has a mean and no spread: neither T nor T_s takes it, and it is said
 * which one that is. */
static void a_group_of_one_cluster(void **state)
{
    (void)state;
    bench b;
    gauss g = {12};
    char name[8];
    bench_open(&b, 1);
    text_add(&b.csv, head);
    for (int i = 0; i < 36; i++) {
        snprintf(name, sizeof name, "c%02d", i < 12 ? 0 : i);
        put_image(&b, i, name, i < 12 ? "one" : i % 2 ? "odd" : "even", i < 12 ? 9 : 0, &g);
    }
    run(&b);
    const tare_reading *pair = NULL;
    for (size_t i = 0; i < b.result.reading_count; i++) {
        const tare_reading *r = &b.result.readings[i];
        if (strcmp(r->name, "largest_pair") != 0) continue;
        assert_null(strstr(r->condition, "one"));
        assert_true(r->p > 0 && r->lo < r->estimate && r->estimate < r->hi);
        pair = r;
    }
    assert_non_null(pair);
    const tare_reading *r = bench_reading(&b, NULL, "s", "omnibus", "A");
    assert_true(r->estimate < 3 && r->n_base == 24 && r->n_cluster == 24);
    assert_int_equal(r->n_missing[TARE_R_EXCLUDED], 12);
    assert_non_null(strstr(r->marks, "left out: one (12 of one cluster)"));
    assert_true(cautioned(&b, "left out: one (12 of one cluster)"));
    assert_close(bench_reading(&b, NULL, "s", "omnibus_studentised", "A")->n_base, 24);
    bench_close(&b);
}

/* What has too few images leaves before anything is counted against the limit. */
static void many_small_groups(void **state)
{
    (void)state;
    bench b;
    gauss g = {13};
    char name[8];
    bench_open(&b, 1);
    text_add(&b.csv, head);
    for (int i = 0; i < 1132; i++) {
        snprintf(name, sizeof name, "c%04d", i);
        for (int dose = -5; dose <= 5; dose += 5) {
            if (i == 40 && dose == 0) continue; /* one is excluded, which is tested by group too */
            text_add_format(&b.csv, "%s,%s,", name, name);
            if (i < 32) text_add_format(&b.csv, "large%d", i % 2);
            else text_add_format(&b.csv, "small%d", i);
            text_add_format(&b.csv, ",%d,s,%.17g\n", dose, gauss_next(&g));
        }
    }
    run(&b);
    const tare_reading *r = bench_reading(&b, NULL, "s", "omnibus", "A");
    assert_true(r->p > 0 && r->n_base == 32);
    assert_int_equal(r->n_missing[TARE_R_EXCLUDED], 1099);
    assert_true(cautioned(&b, "left out: small100 (1), small1000 (1), "));
    assert_true(cautioned(&b, " (1), and 1079 more."));
    assert_int_equal(bench_reading(&b, NULL, "", "exclusion_spread", NULL)->n_base, 32);
    bench_clear(&b);
    text_add(&b.csv, head);
    for (int i = 0; i < 2002; i++)
        for (int dose = -5; dose <= 5; dose += 5)
            text_add_format(&b.csv, "f%04d,c%04d,g%04d,%d,s,%.17g\n", i, i, i / 2, dose,
                            gauss_next(&g));
    b.options.group_min = 2;
    tare_error err = {0};
    assert_int_equal(bench_run(&b, &err), TARE_E_LIMIT);
    static const char *const said[] = {"1001 groups", "at most 1000", "--group ", "--group-min"};
    for (size_t k = 0; k < sizeof said / sizeof *said; k++)
        assert_non_null(strstr(err.message, said[k]));
    bench_close(&b);
}

/* C(40, 20) labelings are 1.4e11. */
static void too_many_labelings(void **state)
{
    (void)state;
    bench b;
    gauss g = {14};
    char name[8];
    tare_error err = {0};
    bench_open(&b, 1);
    text_add(&b.csv, head);
    for (int i = 0; i < 40; i++) {
        snprintf(name, sizeof name, "c%02d", i);
        put_image(&b, i, name, i % 2 ? "odd" : "even", 0, &g);
    }
    b.options.boot_b = b.options.perm_p = 99;
    b.options.perm_exact = "yes";
    assert_int_equal(bench_run(&b, &err), TARE_E_USAGE);
    assert_non_null(strstr(err.message, "--perm-exact"));
    assert_non_null(strstr(err.message, "20000000"));
    assert_non_null(strstr(err.message, "auto"));
    bench_close(&b);
}

static void a_label_varies_in_a_base(void **state)
{
    (void)state;
    bench b;
    tare_error err = {0};
    bench_open(&b, 1);
    text_add(&b.csv, "base,cluster,group,dose,scorer,score\n"
                     "f1,c1,red,0,s,1\nf1,c1,blue,1,s,2\n");
    assert_int_equal(bench_run(&b, &err), TARE_E_DATA);
    static const char *const said[] = {"base f1", "'red'", "'blue'", "one group"};
    for (size_t k = 0; k < sizeof said / sizeof *said; k++)
        assert_non_null(strstr(err.message, said[k]));
    bench_clear(&b);
    text_add(&b.csv, "base,cluster,group,dose,scorer,score\n"
                     "f1,c1,red,0,s,1\nf1,c2,red,1,s,2\n");
    assert_int_equal(bench_run(&b, &err), TARE_E_DATA);
    assert_non_null(strstr(err.message, "base f1 has 'c1' and 'c2'"));
    bench_close(&b);
}

/* A column without any label, and labels that a hand may have typed in two ways. */
static void labels_are_doubted(void **state)
{
    (void)state;
    static const char *const names[3][3] = {
        {"", "", ""}, {"dark", "Dark ", "light"}, {"dark", "darker", "light"}};
    static const char none[] = "no image that can be used has a label in it";
    static const char alike[] = "'Dark ' and 'dark'";
    for (int k = 0; k < 3; k++) {
        bench b;
        gauss g = {15};
        char name[8];
        bench_open(&b, 1);
        text_add(&b.csv, head);
        for (int i = 0; i < 36; i++) {
            snprintf(name, sizeof name, "c%02d", i);
            put_image(&b, i, name, names[k][i % 3], 0, &g);
        }
        run(&b);
        assert_true(cautioned(&b, none) == (k == 0));
        assert_true(cautioned(&b, alike) == (k == 1));
        assert_true(cautioned(&b, "differ only in blanks") == (k == 1));
        bench_close(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(groups_of_one),    cmocka_unit_test(one_group_and_none),
        cmocka_unit_test(no_label),         cmocka_unit_test(a_label_varies_in_a_cluster),
        cmocka_unit_test(constant_scores),  cmocka_unit_test(a_group_of_one_cluster),
        cmocka_unit_test(p_of_the_pair_is_never_0),
        cmocka_unit_test(many_small_groups),
        cmocka_unit_test(too_many_labelings),
        cmocka_unit_test(a_label_varies_in_a_base),
        cmocka_unit_test(labels_are_doubted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
