/* Which arms get population readings, and which cells the grids hold (scorer audit 9, 11). */
#include <string.h>

#include "scorer_tables.h"
#include "support/check.h"

static void run(bench *b)
{
    tare_error err = {0};
    b->options.boot_b = b->options.perm_p = 199;
    assert_ok(bench_run(b, &err));
}

static size_t of_family(const bench *b, const char *family, const char *arm)
{
    size_t n = 0;
    for (size_t i = 0; i < b->result.reading_count; i++)
        n += !strcmp(b->result.readings[i].family, family) &&
             !strcmp(b->result.readings[i].arm, arm);
    return n;
}

/* Row of the grid in the table fdr: planned, answered. */
static void grid_size(const bench *b, const char *grid, int64_t planned, int64_t answered)
{
    const result_table *t = bench_table(b, "fdr");
    for (size_t i = 0; i < t->row_count; i++) {
        const cell *row = &t->cells[i * t->column_count];
        if (strcmp(row[0].text, grid) != 0) continue;
        assert_int_equal(row[2].integer, planned);
        assert_int_equal(row[3].integer, answered);
        return;
    }
    fail_msg("no grid %s", grid);
}

/* Arms by kind, each with two groups of 15 images. */
static void put_kinds(bench *b)
{
    static const char *const arms[3][2] = {
        {"real/skin", "real"}, {"drawn/skin", "synthetic"}, {"some/skin", ""}};
    gauss g = {4};
    text_add(&b->csv, "arm,kind,base,group,dose,scorer,score\n");
    for (int arm = 0; arm < 3; arm++)
        for (int i = 0; i < 30; i++)
            for (int dose = -5; dose <= 5; dose += 5)
                text_add_format(&b->csv, "%s,%s,f%02d,g%d,%d,s,%.17g\n", arms[arm][0],
                                arms[arm][1], i, i % 2, dose, gauss_next(&g) + i % 2 * dose);
}

/* 30 images of two groups, and `more` that bear no label and score quite differently. */
static void put_unlabelled(bench *b, int more)
{
    gauss g = {4};
    text_add(&b->csv, "base,group,dose,scorer,score\n");
    for (int i = 0; i < 30 + more; i++)
        for (int dose = -5; dose <= 5; dose += 5)
            text_add_format(&b->csv, "f%02d,%s,%d,s,%.17g\n", i,
                            i >= 30 ? "" : i % 2 ? "odd" : "even", dose,
                            gauss_next(&g) + (i >= 30 ? 50 * dose : i % 2 * dose));
}

static void no_label_is_no_group(void **state)
{
    (void)state;
    double range[2];
    for (int more = 0; more < 2; more++) {
        bench b;
        bench_open(&b, 1);
        put_unlabelled(&b, 15 * more);
        run(&b);
        range[more] = bench_reading(&b, NULL, "s", "omnibus", "A")->estimate;
        for (size_t i = 0; i < b.result.reading_count; i++)
            if (!strcmp(b.result.readings[i].name, "mean_A"))
                assert_true(b.result.readings[i].condition[0] != '\0');
        bench_close(&b);
    }
    assert_true(range[0] == range[1]);
}

static void drawn_images_are_no_population(void **state)
{
    (void)state;
    bench b;
    bench_open(&b, 1);
    put_kinds(&b);
    run(&b);
    assert_int_equal(of_family(&b, "population", "drawn/skin"), 0);
    assert_true(of_family(&b, "population", "real/skin") > 0);
    assert_true(of_family(&b, "population", "some/skin") > 0); /* nobody says what they are */
    grid_size(&b, "iii", 4, 4); /* two arms x FI, A */
    for (size_t i = 0; i < b.result.answer_count; i++)
        assert_false(strstr(b.result.answer[i], "(drawn/skin)") &&
                     strstr(b.result.answer[i], "groups of images"));
    bench_close(&b);
}

static void groups_may_all_be_too_small(void **state)
{
    (void)state;
    bench b;
    bench_open(&b, 1);
    b.options.group_min = 16; /* of 15 each */
    put_kinds(&b);
    run(&b);
    const tare_reading *r = bench_reading(&b, "real/skin", "s", "omnibus", "FI");
    assert_int_equal(r->verdict, TARE_NO_ANSWER);
    assert_string_equal(r->reason, "groups_too_small");
    assert_string_equal(r->words, "no answer: fewer than two groups are large enough");
    assert_int_equal(r->n_base, 0);
    assert_int_equal(r->n_missing[TARE_R_EXCLUDED], 30);
    grid_size(&b, "iii", 4, 0);
    bool cautioned = false;
    for (size_t i = 0; i < b.result.caution_count; i++)
        cautioned = cautioned || strstr(b.result.cautions[i], "left out: g0 (15), g1 (15)");
    assert_true(cautioned);
    bench_close(&b);
}

static double level(int scorer, int i, gauss *g)
{
    return scorer + i % 5 + 0.2 * gauss_next(g);
}

/* Two scorers, a skin arm on two sides with its sham, a blur alone on one side; only the skin arm
 * and its sham have an artifact. */
static void put_arms(bench *b)
{
    static const char *const arms[3] = {"skin", "sham", "fog"};
    gauss g = {6};
    text_add(&b->csv, "arm,base,dose,scorer,score,artifact\n");
    for (int arm = 0; arm < 3; arm++)
        for (int i = 0; i < 30; i++)
            for (int dose = arm == 2 ? 0 : -5; dose <= 5; dose += 5)
                for (int scorer = 0; scorer < 2; scorer++) {
                    text_add_format(&b->csv, "%s,f%02d,%d,s%d,%.17g,", arms[arm], i, dose, scorer,
                                    level(scorer, i, &g));
                    if (arm < 2)
                        text_add_format(&b->csv, "%.17g", dose ? .01 * (1 + i % 3 + dose % 2) : 0);
                    text_add(&b->csv, "\n");
                }
}

static void the_adjusted_readings_have_their_grid(void **state)
{
    (void)state;
    bench b;
    bench_open(&b, 1);
    put_arms(&b);
    run(&b);
    size_t fi = 0, a = 0;
    for (size_t i = 0; i < b.result.reading_count; i++) {
        const tare_reading *r = &b.result.readings[i];
        if (strcmp(r->grid, "ii adjusted") != 0) continue;
        assert_string_equal(r->arm, "skin");
        assert_true(r->q >= r->p);
        fi += strcmp(r->name, "FI_adj") == 0;
        a += strcmp(r->name, "A_adj") == 0;
    }
    assert_int_equal(fi, 2);
    assert_int_equal(a, 2);
    grid_size(&b, "ii adjusted", 4, 4);
    grid_size(&b, "ii", 2 * 2 + 2, 6); /* FI and A of skin, FI of the fog, two scorers */
    grid_size(&b, "iv", 2, 2);
    grid_size(&b, "vi", 2, 2);
    assert_string_equal(bench_reading(&b, "sham", "s0", "FI_adj", NULL)->grid, "");
    bench_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_label_is_no_group),
        cmocka_unit_test(drawn_images_are_no_population),
        cmocka_unit_test(groups_may_all_be_too_small),
        cmocka_unit_test(the_adjusted_readings_have_their_grid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
