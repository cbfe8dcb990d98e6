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

/* All scores of a group are the same and those of another group other: T_s is infinite, the pair's
 * interval has no width; with all the same there is nothing to compare. */
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
            assert_close(pair->lo, 2);
            assert_close(pair->hi, 2);
            assert_close(pair->p, 0);
        } else {
            assert_string_equal(r->reason, "degenerate");
        }
        bench_close(&b);
    }
}

/* A group that is one cluster has a mean and no spread: the pair has no p of its own. */
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
    for (size_t i = 0; i < b.result.reading_count; i++)
        if (strcmp(b.result.readings[i].name, "largest_pair") == 0 &&
            strncmp(b.result.readings[i].condition, "A: one", 6) == 0)
            pair = &b.result.readings[i];
    assert_non_null(pair);
    assert_true(isnan(pair->p) && isnan(pair->lo) && isnan(pair->hi));
    const tare_reading *r = bench_reading(&b, NULL, "s", "omnibus", "A");
    assert_true(r->p > 0 && r->p < .2);
    assert_null(strstr(r->marks, "cherry-picking"));
    bench_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(groups_of_one),    cmocka_unit_test(one_group_and_none),
        cmocka_unit_test(no_label),         cmocka_unit_test(a_label_varies_in_a_cluster),
        cmocka_unit_test(constant_scores),  cmocka_unit_test(a_group_of_one_cluster),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
