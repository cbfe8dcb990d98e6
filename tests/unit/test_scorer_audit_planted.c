/* Scorers whose behaviour is known: scorer audit 15.6, as far as tables can hold them. */
#include <string.h>

#include "scorer_tables.h"
#include "support/check.h"

typedef double (*planted)(int base, int dose);

static double by_dose(int base, int dose) { (void)base; return dose; }
static double by_distance(int base, int dose) { (void)base; return -abs(dose); }
static double constant(int base, int dose) { (void)base; (void)dose; return 0.25; }

/* Images differ in their level: there is an SD of neutral scores. */
static double fidelity_over_images(int base, int dose)
{
    return (double)(base * 7 % 13) / 4 - 0.1 * abs(dose) - 0.001 * (base % 5) * abs(dose);
}

/* Grows on both sides of 0 and differs by image, as clipping does (scorer audit 16.1). */
static double clipped(int base, int dose)
{
    double share = 0.002 * (1 + base % 7) * abs(dose) + (dose > 0 ? 0.003 * (base % 3) * dose : 0);
    return dose == 0 ? 0 : share;
}
static double by_artifact(int base, int dose) { return -clipped(base, dose); }

/* 0.27 - 1e-5 |d| rounded to half precision: step 2^-12 here. */
static double half_rounded(int base, int dose)
{
    (void)base;
    return nearbyint((0.27 - 1e-5 * abs(dose)) * 4096) / 4096;
}

static void put(bench *b, const char *scorer, planted f, int bases)
{
    if (b->csv.length == 0) text_add(&b->csv, "base,dose,scorer,score,ita,artifact\n");
    for (int i = 0; i < bases; i++)
        for (int dose = -15; dose <= 15; dose += 5) {
            double ita = 40 + 2 * dose + 0.02 * dose * dose + i % 9;
            text_add_format(&b->csv, "face-%03d,%d,%s,%.17g,%.17g,%.17g\n", i, dose, scorer,
                            f(i, dose), ita, clipped(i, dose));
        }
}

static const tare_reading *get(const bench *b, const char *scorer, const char *name,
                               const char *condition)
{
    return bench_reading(b, "table", scorer, name, condition);
}

static void score_is_the_dose(void **state)
{
    (void)state;
    bench b;
    tare_error err = {0};
    bench_open(&b, 2);
    put(&b, "dose", by_dose, 12);
    assert_ok(bench_run(&b, &err));
    assert_close(get(&b, "dose", "N", "all doses")->estimate, -10);
    assert_close(get(&b, "dose", "P", "all doses")->estimate, 10);
    assert_within(get(&b, "dose", "FI", "all doses")->estimate, 0, 0, 0);
    assert_close(get(&b, "dose", "A", "all doses")->estimate, 20);
    assert_close(get(&b, "dose", "net_drift", "dose")->estimate, 12);
    assert_close(get(&b, "dose", "saturation_share", "dose")->estimate, 1);
    assert_int_equal(get(&b, "dose", "FI", "all doses")->verdict, TARE_NEGLIGIBLE);
    assert_int_equal(get(&b, "dose", "A", "all doses")->verdict, TARE_FOUND);
    assert_string_equal(bench_cell(&b, "shape", "dose", "class")->text,
                        "directional: prefers the + side");
    assert_non_null(strstr(bench_cell(&b, "shape", "dose", "drift")->text, "drifts towards"));
    b.options.bon_replace = true;
    bench_clear(&b);
    put(&b, "dose", by_dose, 12);
    assert_ok(bench_run(&b, &err));
    /* 15 E max of 4 uniform picks of 7: 10.2624 to the four decimals that 15.6 prints */
    assert_within(get(&b, "dose", "net_drift", "dose")->estimate, 10.2624, 0, 5e-5);
    bench_close(&b);
}

static void score_is_minus_the_distance(void **state)
{
    (void)state;
    bench b;
    tare_error err = {0};
    bench_open(&b, 2);
    put(&b, "near", by_distance, 12);
    assert_ok(bench_run(&b, &err));
    assert_close(get(&b, "near", "N", "all doses")->estimate, -10);
    assert_close(get(&b, "near", "P", "all doses")->estimate, -10);
    assert_close(get(&b, "near", "FI", "all doses")->estimate, 10);
    assert_close(get(&b, "near", "FI", "extreme doses")->estimate, 15);
    assert_within(get(&b, "near", "A", "all doses")->estimate, 0, 0, 0);
    assert_within(get(&b, "near", "net_drift", "dose")->estimate, 0, 0, 0);
    assert_string_equal(bench_cell(&b, "shape", "near", "class")->text, "inverted U");
    assert_string_equal(bench_cell(&b, "shape", "near", "symmetry")->text, "symmetric");
    assert_string_equal(bench_cell(&b, "shape", "near", "shorter_rule")->text, "inverted U");
    /* degrees are curved: drift in degrees is not 0, and is explained (hazard 2) */
    assert_true(fabs(get(&b, "near", "net_drift", "ITA")->estimate) > 0.5);
    assert_non_null(strstr(bench_cell(&b, "shape", "near", "drift")->text, "curvature"));
    bench_close(&b);
}

static void constant_scorer_has_no_answer(void **state)
{
    (void)state;
    bench b;
    tare_error err = {0};
    bench_open(&b, 2);
    put(&b, "flat", constant, 12);
    assert_ok(bench_run(&b, &err));
    size_t tested = 0;
    for (size_t i = 0; i < b.result.reading_count; i++) {
        const tare_reading *r = &b.result.readings[i];
        bool of_scores = !strcmp(r->family, "fidelity") || !strcmp(r->family, "shape") ||
                         !strcmp(r->family, "curve") || !strcmp(r->name, "beta") ||
                         !strcmp(r->name, "net_drift") || !strcmp(r->family, "crossimage");
        if (!of_scores || !strcmp(r->name, "dose_of_maximum")) continue;
        assert_int_equal(r->verdict, TARE_NO_ANSWER);
        assert_string_equal(r->reason, "degenerate");
        tested++;
    }
    assert_true(tested > 10);
    const result_table *fdr = bench_table(&b, "fdr");
    for (size_t g = 0; g < fdr->row_count; g++) /* all left their grids */
        assert_int_equal(fdr->cells[g * fdr->column_count + 3].integer, 0);
    bench_close(&b);
}

static void artifact_carries_the_inverted_u(void **state)
{
    (void)state;
    bench b;
    tare_error err = {0};
    bench_open(&b, 2);
    put(&b, "clip", by_artifact, 60);
    assert_ok(bench_run(&b, &err));
    assert_string_equal(bench_cell(&b, "shape", "clip", "class")->text, "inverted U");
    assert_int_equal(get(&b, "clip", "FI", "all doses")->verdict, TARE_FOUND);
    const tare_reading *adjusted = get(&b, "clip", "FI_adj", NULL);
    assert_within(adjusted->estimate, 0, 0, 1e-12);
    assert_true(adjusted->verdict == TARE_NEGLIGIBLE);
    assert_non_null(strstr(get(&b, "clip", "FI", "all doses")->marks, "carried by the artifact"));
    char *said = bench_sentences(&b);
    assert_non_null(strstr(said, "carried by the artifact"));
    mem_free(&b.m, said);
    assert_close(get(&b, "clip", "gamma", NULL)->estimate, -1);
    bench_close(&b);
}

static void half_precision_is_below_resolution(void **state)
{
    (void)state;
    bench b;
    tare_error err = {0};
    bench_open(&b, 2);
    put(&b, "half", half_rounded, 60);
    assert_ok(bench_run(&b, &err));
    const tare_reading *fi = get(&b, "half", "FI", "all doses");
    assert_close(fi->floor, 0x1p-13);
    assert_int_equal(fi->verdict, TARE_NO_ANSWER);
    assert_string_equal(fi->reason, "below_resolution");
    const char *also[][2] = {{"net_drift", "dose"}, {"net_drift", "ITA"},
                             {"beta", "with artifact"}, {"FI_adj", "all doses"},
                             {"A_adj", "all doses"}};
    for (size_t k = 0; k < 5; k++)
        assert_string_equal(get(&b, "half", also[k][0], also[k][1])->reason, "below_resolution");
    assert_true(get(&b, "half", "tie_rate", NULL)->estimate > 0.9);
    assert_non_null(strstr(get(&b, "half", "noise.quantum", NULL)->marks, "half precision output"));
    bench_close(&b);
}

/* Noise of a scorer that is called again: a shift by configuration is caught (15.6, batch
 * position). */
static void shift_between_configurations_is_caught(void **state)
{
    (void)state;
    bench b;
    tare_error err = {0};
    bench_open(&b, 2);
    put(&b, "small", fidelity_over_images, 40);
    assert_ok(bench_run(&b, &err)); /* builds b.c */
    assert_int_equal(get(&b, "small", "FI", "all doses")->verdict, TARE_FOUND);
    double fi = get(&b, "small", "FI", "all doses")->estimate;
    double value[40][5];
    const char *names[5] = {"first", "again", "alone", "shuffled", "late"};
    for (int i = 0; i < 40; i++)
        for (int q = 0; q < 5; q++) value[i][q] = i + (q == 3 ? 2 * fi : 0);
    b.c.noise[0] = (cube_noise){true, 40, 5, &value[0][0], names, NULL};
    result_free(&b.result);
    result_init(&b.result, &b.m);
    assert_ok(analyse_cube(&b.result, b.context, &b.c, &b.options, &err));
    assert_close(get(&b, "small", "noise.shift", NULL)->estimate, 2 * fi);
    /* one configuration of five is off by 2 FI: variance (2 FI)^2 / 5 in every image */
    assert_close(get(&b, "small", "noise.sd", NULL)->estimate, 2 * fi / sqrt(5));
    assert_string_equal(get(&b, "small", "FI", "all doses")->reason, "below_resolution");
    const char *also[][2] = {{"A", "all doses"}, {"beta", "with artifact"},
                             {"net_drift", "dose"}, {"net_drift", "ITA"}};
    for (size_t k = 0; k < 4; k++)
        assert_string_equal(get(&b, "small", also[k][0], also[k][1])->reason, "below_resolution");
    bench_close(&b);
}

static void put_groups(bench *b, double shift, const int *label, uint64_t seed)
{
    gauss g = {seed};
    text_add(&b->csv, "base,dose,scorer,score,group\n");
    for (int i = 0; i < 120; i++) {
        double level = gauss_next(&g);
        for (int dose = -15; dose <= 15; dose += 5)
            text_add_format(&b->csv, "%03d,%d,s,%.17g,g%d\n", i, dose,
                            level + 0.3 * gauss_next(&g) + (i % 4 == 3 ? shift * dose : 0),
                            label[i]);
    }
}

static void a_group_shift_is_found_and_shuffled_labels_are_not(void **state)
{
    (void)state;
    bench b;
    tare_error err = {0};
    bench_open(&b, 2);
    b.options.perm_p = b.options.boot_b = 1999;
    int label[120], shuffled[120];
    for (int i = 0; i < 120; i++) label[i] = i % 4;
    for (int i = 0; i < 120; i++) shuffled[i] = (i * 7 % 120) / 30; /* each fourth falls into all */
    put_groups(&b, 0.03, label, 5);
    assert_ok(bench_run(&b, &err));
    const tare_reading *a = get(&b, "s", "omnibus", "A");
    assert_int_equal(a->verdict, TARE_FOUND);
    assert_non_null(strstr(get(&b, "s", "largest_pair", NULL)->marks, "cherry-picked"));
    const tare_reading *pair = NULL;
    for (size_t i = 0; i < b.result.reading_count; i++)
        if (!strcmp(b.result.readings[i].name, "largest_pair") &&
            b.result.readings[i].condition[0] == 'A')
            pair = &b.result.readings[i];
    assert_non_null(pair);
    assert_non_null(strstr(pair->condition, "g3"));
    assert_close(pair->estimate, a->estimate);
    bench_clear(&b);
    put_groups(&b, 0.03, shuffled, 5);
    assert_ok(bench_run(&b, &err));
    assert_int_equal(get(&b, "s", "omnibus", "A")->verdict, TARE_INCONCLUSIVE);
    bench_close(&b);
}

static double like_skin(int base, int dose)
{
    return fidelity_over_images(base, dose);
}

static void put_arms(bench *b, double sham_share)
{
    text_add(&b->csv, "arm,base,dose,scorer,score,edit_energy\n");
    gauss g = {99};
    for (int i = 0; i < 40; i++)
        for (int dose = -15; dose <= 15; dose += 5) {
            double level = like_skin(i, 0), drop = like_skin(i, dose) - level;
            text_add_format(&b->csv, "skin,f%02d,%d,s,%.17g,%d\n", i, dose,
                            level + drop + 0.01 * gauss_next(&g), abs(dose));
            text_add_format(&b->csv, "sham,f%02d,%d,s,%.17g,%d\n", i, dose,
                            level + sham_share * drop + 0.01 * gauss_next(&g), abs(dose));
        }
}

static void the_sham_decides(void **state)
{
    (void)state;
    bench b;
    tare_error err = {0};
    bench_open(&b, 2);
    put_arms(&b, 0.2);
    assert_ok(bench_run(&b, &err));
    assert_true(b.c.arm[0].placebo); /* arms by bytes: sham, skin */
    const tare_reading *contrast = bench_reading(&b, "sham", "s", "FI_contrast", NULL);
    assert_string_equal(contrast->grid, "vi");
    assert_int_equal(contrast->verdict, TARE_FOUND);
    assert_string_equal(bench_reading(&b, "sham", "s", "FI", "all doses")->grid, "");
    assert_true(bench_reading(&b, "sham", "s", "FI_contrast_per_energy", NULL)->estimate > 0);
    bench_clear(&b);
    put_arms(&b, 1);
    assert_ok(bench_run(&b, &err));
    contrast = bench_reading(&b, "sham", "s", "FI_contrast", NULL);
    assert_int_equal(contrast->verdict, TARE_NEGLIGIBLE);
    assert_string_equal(contrast->words, "indistinguishable from the placebo within the margin");
    assert_non_null(strstr(bench_reading(&b, "skin", "s", "FI", "all doses")->marks,
                           "not distinguishable from rounding noise"));
    bench_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(score_is_the_dose),
        cmocka_unit_test(score_is_minus_the_distance),
        cmocka_unit_test(constant_scorer_has_no_answer),
        cmocka_unit_test(artifact_carries_the_inverted_u),
        cmocka_unit_test(half_precision_is_below_resolution),
        cmocka_unit_test(shift_between_configurations_is_caught),
        cmocka_unit_test(a_group_shift_is_found_and_shuffled_labels_are_not),
        cmocka_unit_test(the_sham_decides),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
