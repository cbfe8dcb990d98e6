/* Dose grids that are long, or that not every base has (scorer audit 5.1, 5.5). */
#include <string.h>

#include "scorer_tables.h"
#include "support/check.h"

static void run(bench *b)
{
    tare_error err = {0};
    b->options.boot_b = b->options.perm_p = 199;
    assert_ok(bench_run(b, &err));
}

static bool cautioned(const bench *b, const char *words)
{
    for (size_t i = 0; i < b->result.caution_count; i++)
        if (strstr(b->result.cautions[i], words)) return true;
    return false;
}

/* 40 images, doses -half..half, a preference for the original and for the + side. */
static void put_long(bench *b, int half)
{
    gauss g = {8};
    text_add(&b->csv, "arm,base,dose,scorer,score,ita,artifact\n");
    for (int i = 0; i < 40; i++)
        for (int dose = -half; dose <= half; dose++)
            text_add_format(&b->csv, "skin,f%02d,%d,s,%.17g,%d,%.17g\n", i, dose,
                            i % 9 + 0.05 * gauss_next(&g) - 0.02 * abs(dose) + 0.01 * dose,
                            40 + 2 * dose, 0.0001 * (i % 5) * abs(dose));
}

static void a_long_grid_lacks_best_of_n_alone(void **state)
{
    (void)state;
    bench b;
    bench_open(&b, 2);
    put_long(&b, 40);
    run(&b);
    for (size_t k = 0; k < 2; k++) {
        const tare_reading *r = bench_reading(&b, "skin", "s", "net_drift",
                                              k ? b.c.arm[0].attribute_name : "dose");
        assert_int_equal(r->verdict, TARE_NO_ANSWER);
        assert_string_equal(r->reason, "not_run");
        assert_string_equal(r->words,
                            "no answer: not run: the pool of 81 variants is larger than 64");
        assert_string_equal(r->grid, k ? "" : "i"); /* planned, and not among those answered */
    }
    assert_true(cautioned(&b, "the pool of 81 variants is larger than 64"));
    /* 0.02 times the mean distance of a side, 20.5, within 4 SD of the noise: 0.05/sqrt(40) */
    assert_within(bench_reading(&b, "skin", "s", "FI", "all doses")->estimate, .41, 0, .032);
    assert_int_equal(bench_reading(&b, "skin", "s", "FI", "all doses")->verdict, TARE_FOUND);
    assert_int_equal(bench_reading(&b, "skin", "s", "A", "all doses")->verdict, TARE_FOUND);
    /* 0.01 per unit of dose, 2 degrees per unit */
    assert_within(bench_reading(&b, "skin", "s", "beta", "with artifact")->estimate, .005, .05, 0);
    assert_true(bench_reading(&b, "skin", "s", "beta", "with artifact")->p < .05);
    assert_string_equal(bench_cell(&b, "shape", "s", "class")->text, "inverted U");
    /* nothing clips: the bounded readings are the readings */
    assert_close(bench_reading(&b, "skin", "s", "FI", "clip-bounded")->estimate,
                 bench_reading(&b, "skin", "s", "FI", "all doses")->estimate);
    assert_string_equal(bench_reading(&b, "skin", "s", "net_drift", "clip-bounded")->reason,
                        "not_run");
    /* the adjusted curve has a column per dose, and says that these are too many */
    const tare_reading *adjusted = bench_reading(&b, "skin", "s", "FI_adj", NULL);
    assert_string_equal(adjusted->reason, "not_run");
    assert_string_equal(adjusted->words, "no answer: not run: more than 40 doses");
    bench_clear(&b);
    put_long(&b, 19); /* 39 doses: all of it */
    run(&b);
    assert_string_equal(bench_reading(&b, "skin", "s", "net_drift", "dose")->reason, "");
    assert_string_equal(bench_reading(&b, "skin", "s", "FI_adj", NULL)->reason, "");
    assert_false(cautioned(&b, "pool"));
    bench_close(&b);
}

static void there_is_a_limit_to_the_grid(void **state)
{
    (void)state;
    bench b;
    tare_error err = {0};
    bench_open(&b, 1);
    text_add(&b.csv, "base,dose,score\n");
    for (int dose = 0; dose <= 1000; dose++) text_add_format(&b.csv, "a,%d,1\n", dose);
    assert_int_equal(bench_run(&b, &err), TARE_E_LIMIT);
    assert_string_equal(err.code, "table.doses");
    bench_close(&b);
}

static void a_short_pool_says_so(void **state)
{
    (void)state;
    bench b;
    bench_open(&b, 1);
    text_add(&b.csv, "base,dose,score\n");
    for (int i = 0; i < 12; i++)
        for (int dose = -1; dose <= 1; dose++)
            text_add_format(&b.csv, "%d,%d,%d\n", i, dose, i * 7 % 5 + dose * (i % 3));
    run(&b);
    assert_string_equal(bench_reading(&b, NULL, NULL, "net_drift", "dose")->words,
                        "no answer: not run: the pool of 3 variants is smaller than n = 4");
    bench_close(&b);
}

/* Scorers s and t over 20 images; `extra`: this many of them also have dose 20. */
static void put_uneven(bench *b, int extra, bool scorer_t_too)
{
    text_add(&b->csv, "arm,base,dose,scorer,score\n");
    for (int i = 0; i < 20; i++)
        for (int dose = -10; dose <= 20; dose += 10)
            for (int scorer = 0; scorer < 2; scorer++)
                if (dose < 20 || (i < extra && (scorer == 0 || scorer_t_too)) ||
                    (scorer == 1 && !scorer_t_too))
                    text_add_format(&b->csv, "skin,f%02d,%d,%s,%.17g\n", i, dose,
                                    scorer ? "t" : "s", i + sin(i * 7.0 + dose) - abs(dose) / 9.0);
}

static void a_dose_that_few_bases_have_is_named(void **state)
{
    (void)state;
    bench b;
    bench_open(&b, 1);
    put_uneven(&b, 1, true);
    run(&b);
    assert_int_equal(bench_reading(&b, NULL, "s", "FI", "all doses")->n_base, 1); /* the rule */
    assert_true(cautioned(&b, "skin: dose 20 has scores for 1 of 20 images only"));
    size_t named = 0; /* both scorers lack it: said once */
    for (size_t i = 0; i < b.result.caution_count; i++)
        named += strstr(b.result.cautions[i], "dose 20") != NULL;
    assert_int_equal(named, 1);
    bench_clear(&b);
    put_uneven(&b, 9, false);
    run(&b);
    assert_true(cautioned(&b, "s, skin: dose 20 has scores for 9 of 20 images only"));
    assert_false(cautioned(&b, "t, skin"));
    bench_clear(&b);
    put_uneven(&b, 10, true); /* half are left: missing, and no caution */
    run(&b);
    assert_int_equal(bench_reading(&b, NULL, "s", "FI", "all doses")->n_base, 10);
    assert_false(cautioned(&b, "images only"));
    bench_close(&b);
}

/* Half of the images at -10, 0, 10, the others at -20, 0, 20: together the doses leave none. */
static void two_grids_in_one_arm(void **state)
{
    (void)state;
    bench b;
    bench_open(&b, 1);
    text_add(&b.csv, "base,dose,score\n");
    for (int i = 0; i < 20; i++)
        for (int side = -1; side <= 1; side++)
            text_add_format(&b.csv, "%02d,%d,%d\n", i, side * (i < 10 ? 10 : 20), i + side);
    run(&b);
    assert_int_equal(bench_reading(&b, NULL, NULL, "FI", "all doses")->n_base, 0);
    assert_true(cautioned(&b, "dose -20 has scores for 10 of 20 images only, dose -10 for 10, "
                              "dose 10 for 10, dose 20 for 10"));
    bench_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_long_grid_lacks_best_of_n_alone),
        cmocka_unit_test(there_is_a_limit_to_the_grid),
        cmocka_unit_test(a_short_pool_says_so),
        cmocka_unit_test(a_dose_that_few_bases_have_is_named),
        cmocka_unit_test(two_grids_in_one_arm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
