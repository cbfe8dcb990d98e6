/* Exclusion by group is a finding (scorer audit 9; 16, 5). Expected p: the hypergeometric tail on
 * both sides, by hand. */
#include <string.h>

#include "scorer_tables.h"
#include "support/check.h"

/* Two groups of eight; the first `lost` of g0 have no neutral image. */
static void put(bench *b, int lost)
{
    gauss g = {21};
    text_add(&b->csv, "base,group,dose,scorer,score\n");
    for (int i = 0; i < 16; i++)
        for (int dose = -5; dose <= 5; dose += 5)
            if (dose || i >= lost)
                text_add_format(&b->csv, "f%02d,g%d,%d,s,%.17g\n", i, i / 8, dose,
                                gauss_next(&g));
}

static void run(bench *b)
{
    tare_error err = {0};
    b->options.boot_b = b->options.perm_p = 199;
    b->options.group_min = 3;
    assert_ok(bench_run(b, &err));
}

static bool said(const bench *b, const char *what)
{
    for (size_t i = 0; i < b->result.answer_count; i++)
        if (strstr(b->result.answer[i], what)) return true;
    return false;
}

/* 4 of 8 against 0 of 8: 2 C(8,4)/C(16,4) = 140/1820; 5 of 8: 2 C(8,5)/C(16,5) = 112/4368. */
static void exclusion_is_tested(void **state)
{
    (void)state;
    static const struct { int lost; double p; } want[2] = {{4, 140 / 1820.}, {5, 112 / 4368.}};
    for (int k = 0; k < 2; k++) {
        bench b;
        bool informative = want[k].p <= .05;
        bench_open(&b, 1);
        put(&b, want[k].lost);
        run(&b);
        const tare_reading *r = bench_reading(&b, NULL, "", "exclusion_spread", "groups");
        assert_close(r->p, want[k].p);
        assert_close(r->estimate, want[k].lost / 8.);
        assert_int_equal(r->n_base, 16);
        assert_int_equal(r->verdict, informative ? TARE_FOUND : TARE_INCONCLUSIVE);
        r = bench_reading(&b, NULL, "", "exclusion_rate", "g0");
        assert_close(r->estimate, want[k].lost / 8.);
        assert_true(r->lo > 0 && r->hi < 1 && r->lo < r->estimate && r->hi > r->estimate);
        r = bench_reading(&b, NULL, "s", "omnibus", "FI");
        if (informative) assert_int_equal(r->verdict, TARE_INCONCLUSIVE);
        assert_true(informative ==
                    (strstr(r->marks, "missing scores depend on the group") != NULL));
        bench_close(&b);
    }
}

static void it_has_words(void **state)
{
    (void)state;
    bench b;
    bench_open(&b, 1);
    put(&b, 5);
    run(&b);
    assert_string_equal(bench_reading(&b, NULL, "", "exclusion_spread", NULL)->words,
                        "exclusion depends on the group: g0 5 of 8 (62 %), g1 0 of 8 (0 %); mostly "
                        "no_neutral");
    assert_true(said(&b, "g0 5 of 8 (62 %), g1 0 of 8 (0 %); mostly no_neutral (p = 0.026)."));
    size_t cautions = 0;
    for (size_t i = 0; i < b.result.caution_count; i++)
        cautions += strstr(b.result.cautions[i], "exclusion depends on the group") != NULL;
    assert_int_equal(cautions, 1);
    bench_close(&b);
}

/* Twelve images more bear no label, two of them without a neutral image and two without a score:
 * neither the tests nor their numbers of bases know them. */
static void no_label_is_not_counted(void **state)
{
    (void)state;
    bench b;
    bench_open(&b, 1);
    put(&b, 5);
    for (int i = 16; i < 28; i++)
        for (int dose = -5; dose <= 5; dose += 5)
            if (dose || i >= 18) {
                text_add_format(&b.csv, "f%02d,,%d,s,", i, dose);
                if (i < 26) text_add_format(&b.csv, "%d.5", i % 5);
                text_add(&b.csv, "\n");
            }
    run(&b);
    const tare_reading *r[2] = {bench_reading(&b, NULL, "", "exclusion_spread", "groups"),
                                bench_reading(&b, NULL, "s", "rate_spread", "groups")};
    for (int k = 0; k < 2; k++) {
        assert_close(r[k]->estimate, 5 / 8.);
        assert_int_equal(r[k]->n_base, 16);
        assert_int_equal(r[k]->n_expected, 16);
        assert_int_equal(r[k]->n_cluster, 16);
    }
    bench_close(&b);
}

/* The same with faces that the mask found no skin on: they are in the list of what is missing, and
 * in no arm. */
static void the_mask_loses_people(void **state)
{
    (void)state;
    bench b;
    tare_error err = {0};
    bench_open(&b, 1);
    put(&b, 0);
    run(&b); /* builds b.c */
    for (size_t i = 0; i < b.result.reading_count; i++)
        assert_string_not_equal(b.result.readings[i].name, "exclusion_rate");
    result_missing missing[2] = {
        {"base", b.c.arm[0].name, "", "g1", TARE_R_NO_SKIN, 9, 17, "dark.png"},
        {"base", b.c.arm[0].name, "", "g2", TARE_R_NO_SKIN, 3, 3, "darker.png"}};
    b.c.missing = missing;
    b.c.missing_count = 2;
    b.c.arm[0].excluded = 12;
    result_free(&b.result);
    result_init(&b.result, &b.m);
    assert_ok(analyse_cube(&b.result, b.context, &b.c, &b.options, &err));
    const tare_reading *r = bench_reading(&b, NULL, "", "exclusion_spread", NULL);
    assert_close(r->estimate, 1); /* of g2 nobody is left */
    assert_true(r->p <= .05);
    assert_int_equal(r->verdict, TARE_FOUND);
    assert_non_null(strstr(r->marks, "missing_informative"));
    assert_string_equal(r->words, "the mask loses people: g0 0 of 8 (0 %), g1 9 of 17 (53 %), g2 3 "
                                  "of 3 (100 %); mostly no_skin");
    assert_true(said(&b, "the mask loses people: g0 0 of 8 (0 %), g1 9 of 17 (53 %)"));
    assert_int_equal(bench_reading(&b, NULL, "s", "omnibus", "A")->verdict, TARE_INCONCLUSIVE);
    bench_close(&b);
}

/* Labels that differ inside a cluster: drawn from one skeleton, no population, and no error. */
static void drawn_images_share_a_cluster(void **state)
{
    (void)state;
    bench b;
    gauss g = {22};
    bench_open(&b, 1);
    text_add(&b.csv, "kind,base,cluster,group,dose,scorer,score\n");
    for (int i = 0; i < 40; i++)
        for (int dose = -5; dose <= 5; dose += 5)
            if (dose || i % 4 != 0)
                text_add_format(&b.csv, "synthetic,f%02d,c%02d,g%d,%d,s,%.17g\n", i, i / 2, i % 2,
                                dose, gauss_next(&g));
    run(&b);
    /* 10 of the 20 of g0, none of g1: each image by itself */
    const tare_reading *r = bench_reading(&b, NULL, "s", "rate_spread", "groups");
    assert_close(r->estimate, .5);
    assert_int_equal(r->n_cluster, 40);
    for (size_t i = 0; i < b.result.reading_count; i++)
        assert_string_not_equal(b.result.readings[i].name, "exclusion_rate");
    bench_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exclusion_is_tested),
        cmocka_unit_test(it_has_words),
        cmocka_unit_test(no_label_is_not_counted),
        cmocka_unit_test(the_mask_loses_people),
        cmocka_unit_test(drawn_images_share_a_cluster),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
