/* Below what the instrument resolves nothing is claimed; far above 0 nothing is lost (scorer audit
 * 4). */
#include <string.h>

#include "scorer_tables.h"
#include "support/check.h"

static void put(bench *b)
{
    gauss g = {12};
    text_add(&b->csv, "arm,base,dose,scorer,score,ita,artifact,edit_energy\n");
    for (int arm = 0; arm < 2; arm++)
        for (int i = 0; i < 40; i++)
            for (int dose = -15; dose <= 15; dose += 5)
                text_add_format(&b->csv, "%s,f%02d,%d,s,%.17g,%d,%.17g,%d\n", arm ? "skin" : "sham",
                                i, dose,
                                i % 9 + 0.01 * gauss_next(&g) -
                                    (arm ? 0.01 * abs(dose) - 0.02 * dose : 0.001 * abs(dose)),
                                40 + 2 * dose, dose ? 0.002 * (1 + i % 7) * abs(dose) : 0,
                                abs(dose));
}

/* Analyse the cube again with a scorer that was asked five times; `shift` moves one of them, and
 * `jitter` moves it up and down by turns. */
static void ask_with(bench *b, double shift, double jitter)
{
    static double value[40][5];
    static const char *names[5] = {"first", "again", "alone", "shuffled", "late"};
    tare_error err = {0};
    for (int i = 0; i < 40; i++)
        for (int q = 0; q < 5; q++)
            value[i][q] = i % 9 + (q == 3 ? shift + (i % 2 ? jitter : -jitter) : 0);
    b->c.noise[0] = (cube_noise){true, 40, 5, &value[0][0], names, NULL};
    result_free(&b->result);
    result_init(&b->result, &b->m);
    assert_ok(analyse_cube(&b->result, b->context, &b->c, &b->options, &err));
}

static void ask_again(bench *b, double shift)
{
    ask_with(b, shift, 0);
}

static const struct { const char *arm, *name, *condition; } barred[] = {
    {"skin", "FI", "all doses"},      {"skin", "A", "all doses"},
    {"skin", "FI_adj", NULL},         {"skin", "A_adj", NULL},
    {"skin", "N", "all doses"},       {"skin", "P", "all doses"},
    {"skin", "beta", "with artifact"}, {"skin", "beta", "attribute alone"},
    {"skin", "net_drift", "ITA"},     {"skin", "net_drift", "dose"},
    {"sham", "FI_contrast", NULL},    {"sham", "FI_contrast_per_energy", NULL},
    {"skin", "both_sides", NULL},
};

static void nothing_is_claimed_below_the_floor(void **state)
{
    (void)state;
    bench b;
    tare_error err = {0};
    bench_open(&b, 1);
    b.options.boot_b = b.options.perm_p = 199;
    put(&b);
    assert_ok(bench_run(&b, &err));
    for (size_t k = 0; k < sizeof barred / sizeof *barred; k++) /* all there is, is seen */
        assert_string_equal(bench_reading(&b, barred[k].arm, "s", barred[k].name,
                                          barred[k].condition)->reason, "");
    assert_int_equal(bench_reading(&b, "skin", "s", "FI_adj", NULL)->verdict, TARE_SMALL);
    assert_int_equal(bench_reading(&b, "skin", "s", "A_adj", NULL)->verdict, TARE_FOUND);
    ask_again(&b, 5);
    for (size_t k = 0; k < sizeof barred / sizeof *barred; k++) {
        const tare_reading *r = bench_reading(&b, barred[k].arm, "s", barred[k].name,
                                              barred[k].condition);
        if (strcmp(r->reason, "below_resolution") != 0 || r->verdict != TARE_NO_ANSWER)
            fail_msg("%s (%s): %s %s", r->name, r->condition, tare_verdict_name(r->verdict),
                     r->reason);
    }
    static const char *const adjusted[2][2] = {{"FI", "FI_adj"}, {"A", "A_adj"}};
    for (size_t k = 0; k < 2; k++)
        assert_close(bench_reading(&b, "skin", "s", adjusted[k][1], NULL)->floor,
                     bench_reading(&b, "skin", "s", adjusted[k][0], "all doses")->floor);
    static const char *const claims[] = {
        "prefers", "preference", "higher than", "moves the dose", "drifts", "larger than",
        "carried by", "not distinguishable"};
    bool repeats = true, silent = false;
    for (size_t i = 0; i < b.result.answer_count; i++) {
        const char *s = b.result.answer[i];
        for (size_t n = 0; n < sizeof claims / sizeof *claims; n++)
            if (strstr(s, claims[n])) fail_msg("\"%s\" claims \"%s\"", s, claims[n]);
        silent = silent || !strcmp(s, "s: no answer: below instrument resolution.");
        repeats = repeats && !strstr(s, "s does not give the same image the same score again");
    }
    assert_true(silent);
    assert_false(repeats);
    ask_again(&b, 0); /* a floor of exactly 0 bars nothing */
    for (size_t k = 0; k < sizeof barred / sizeof *barred; k++)
        assert_string_equal(bench_reading(&b, barred[k].arm, "s", barred[k].name,
                                          barred[k].condition)->reason, "");
    bench_close(&b);
}

/* FI below, A above: beta and drift stay, and so does A_adj. */
static void a_floor_bars_what_it_is_above(void **state)
{
    (void)state;
    bench b;
    tare_error err = {0};
    bench_open(&b, 1);
    b.options.boot_b = b.options.perm_p = 199;
    put(&b); /* FI near 0.1, A near 0.4 */
    assert_ok(bench_run(&b, &err));
    ask_again(&b, .2);
    assert_string_equal(bench_reading(&b, "skin", "s", "FI", "all doses")->reason,
                        "below_resolution");
    assert_string_equal(bench_reading(&b, "skin", "s", "FI_adj", NULL)->reason,
                        "below_resolution");
    assert_string_equal(bench_reading(&b, "skin", "s", "A", "all doses")->reason, "");
    assert_string_equal(bench_reading(&b, "skin", "s", "A_adj", NULL)->reason, "");
    assert_string_equal(bench_reading(&b, "skin", "s", "beta", "with artifact")->reason, "");
    assert_string_equal(bench_reading(&b, "skin", "s", "net_drift", "dose")->reason, "");
    bench_close(&b);
}

/* The sentence on noise names the floors of FI and A themselves: 2 sd sqrt(v/40) with v = 7/6 and
 * 2/3, sd = sqrt(.1^2 (4/5)/4) (scorer audit 4). */
static void the_sentence_names_the_floors(void **state)
{
    (void)state;
    bench b;
    tare_error err = {0};
    bench_open(&b, 1);
    b.options.boot_b = b.options.perm_p = 199;
    put(&b);
    assert_ok(bench_run(&b, &err));
    ask_with(&b, 0, .1);
    assert_close(bench_reading(&b, "skin", "s", "FI", "all doses")->floor,
                 2 * sqrt(.002) * sqrt(7. / 6 / 40));
    assert_close(bench_reading(&b, "skin", "s", "A", "all doses")->floor,
                 2 * sqrt(.002) * sqrt(2. / 3 / 40));
    /* a difference of two FI: the variances add up */
    assert_close(bench_reading(&b, "sham", "s", "FI_contrast", NULL)->floor,
                 2 * sqrt(.002) * sqrt(2 * 7. / 6 / 40));
    bool found = false;
    for (size_t i = 0; i < b.result.answer_count; i++)
        found = found || !strcmp(b.result.answer[i],
                                 "s gives the same image about the same score again: effects below "
                                 "about 0.0115 to 0.0153 (by arm and reading) count as below its "
                                 "resolution.");
    assert_true(found);
    bench_close(&b);
}

static bool is_said(const char *const *list, size_t count, const char *words)
{
    bool found = false;
    for (size_t i = 0; i < count; i++) found = found || strstr(list[i], words);
    return found;
}

/* A scorer that was asked five times and gave `images` images a score in `configurations`. */
static void ask_in_part(bench *b, size_t images, size_t configurations)
{
    static double value[40][5];
    static uint8_t status[40][5];
    static const char *names[5] = {"first", "again", "alone", "shuffled", "late"};
    tare_error err = {0};
    for (size_t i = 0; i < 40; i++)
        for (size_t q = 0; q < 5; q++) {
            bool there = q == 0 || (i < images && q < configurations);
            value[i][q] = there ? (double)(i % 9) : NAN;
            status[i][q] = there ? TARE_R_NONE : i % 4 ? TARE_R_SCORER_ERROR : TARE_R_TIMEOUT;
        }
    b->c.noise[0] = (cube_noise){true, 40, 5, &value[0][0], names, &status[0][0]};
    result_free(&b->result);
    result_init(&b->result, &b->m);
    assert_ok(analyse_cube(&b->result, b->context, &b->c, &b->options, &err));
}

/* An instrument that died while it was asked again has not shown that it repeats itself. */
static void noise_measured_in_part_is_said(void **state)
{
    (void)state;
    bench b;
    tare_error err = {0};
    bench_open(&b, 1);
    b.options.boot_b = b.options.perm_p = 199;
    put(&b);
    assert_ok(bench_run(&b, &err));
    assert_true(isnan(bench_reading(&b, "skin", "s", "FI", "all doses")->floor)); /* a table */
    ask_in_part(&b, 5, 2);
    const tare_reading *sd = bench_reading(&b, "skin", "s", "noise.sd", NULL);
    assert_int_equal(sd->n_base, 5);
    assert_int_equal(sd->n_missing[TARE_R_SCORER_ERROR], 27); /* of 5..39, 8 by fours */
    assert_int_equal(sd->n_missing[TARE_R_TIMEOUT], 8);
    assert_int_equal(sd->n_missing[TARE_R_MISSING], 0);
    assert_true(is_said(b.result.cautions, b.result.caution_count,
                        "s: noise measured on 5 of 40 images and 1 of 4 configurations only"));
    assert_false(is_said(b.result.answer, b.result.answer_count, "no effect is lost"));
    ask_in_part(&b, 40, 4); /* one configuration is missing */
    assert_true(is_said(b.result.cautions, b.result.caution_count,
                        "s: noise measured on 40 of 40 images and 3 of 4 configurations only"));
    assert_false(is_said(b.result.answer, b.result.answer_count, "no effect is lost"));
    ask_in_part(&b, 39, 5); /* enough */
    assert_false(is_said(b.result.cautions, b.result.caution_count, "noise measured on"));
    assert_true(is_said(b.result.answer, b.result.answer_count, "no effect is lost"));
    assert_close(bench_reading(&b, "skin", "s", "FI", "all doses")->floor, 0);
    ask_in_part(&b, 0, 1); /* nothing at all */
    const tare_reading *fi = bench_reading(&b, "skin", "s", "FI", "all doses");
    assert_true(isnan(fi->floor));
    assert_non_null(strstr(fi->marks, "noise floor unknown"));
    assert_true(isnan(bench_reading(&b, "skin", "s", "noise.shift", NULL)->estimate));
    assert_true(is_said(b.result.cautions, b.result.caution_count,
                        "both at first and when it was asked again"));
    bench_close(&b);
}

/* Scores in steps of 1/8: most differences are 0, and half a step is lost in both arms. */
static void a_step_is_said(void **state)
{
    (void)state;
    bench b;
    tare_error err = {0};
    bench_open(&b, 1);
    b.options.boot_b = b.options.perm_p = 199;
    text_add(&b.csv, "arm,base,dose,scorer,score,edit_energy\n");
    for (int arm = 0; arm < 2; arm++)
        for (int i = 0; i < 40; i++)
            for (int dose = -15; dose <= 15; dose += 5)
                text_add_format(&b.csv, "%s,f%02d,%d,s,%.17g,%d\n", arm ? "skin" : "sham", i, dose,
                                arm ? 3 - (dose == 15) / 8. : 3, abs(dose));
    assert_ok(bench_run(&b, &err));
    ask_in_part(&b, 40, 5);
    assert_close(bench_reading(&b, "skin", "s", "FI", "all doses")->floor, 1 / 16.);
    const tare_reading *contrast = bench_reading(&b, "sham", "s", "FI_contrast", NULL);
    assert_close(contrast->estimate, 1 / 48.);
    assert_close(contrast->floor, 1 / 16.);
    assert_string_equal(contrast->reason, "below_resolution");
    assert_string_equal(bench_reading(&b, "sham", "s", "FI_contrast_per_energy", NULL)->reason,
                        "below_resolution");
    assert_true(is_said(b.result.answer, b.result.answer_count,
                        "s gave the same scores when it was asked again, but its numbers come in "
                        "steps of about 0.125: effects below about 0.0625 are lost in them."));
    assert_false(is_said(b.result.answer, b.result.answer_count, "no effect is lost"));
    bench_close(&b);
}

/* 10^15 + 10 base + dose, exact in doubles: the step of 1/8 there is no rounding error of 0. */
static void a_huge_offset_hides_nothing(void **state)
{
    (void)state;
    bench b;
    tare_error err = {0};
    bench_open(&b, 1);
    b.options.boot_b = b.options.perm_p = 199;
    text_add(&b.csv, "base,dose,score,ita\n");
    for (int i = 0; i < 40; i++)
        for (int dose = -15; dose <= 15; dose += 5)
            text_add_format(&b.csv, "f%02d,%d,%.17g,%d\n", i, dose, 1e15 + 10 * i + dose,
                            40 + 2 * dose);
    assert_ok(bench_run(&b, &err));
    const tare_reading *beta = bench_reading(&b, NULL, NULL, "beta", "no artifact known");
    assert_close(beta->estimate, 0.5); /* 1 per dose, 2 degrees per dose */
    assert_int_equal(beta->verdict, TARE_FOUND);
    const tare_reading *drift = bench_reading(&b, NULL, NULL, "net_drift", "dose");
    assert_close(drift->estimate, 12); /* saturation of n = 4 of 7 (15.6) */
    assert_int_equal(drift->verdict, TARE_FOUND);
    assert_close(bench_reading(&b, NULL, NULL, "net_drift", "ITA")->estimate, 24);
    assert_close(bench_reading(&b, NULL, NULL, "A", "all doses")->estimate, 20);
    assert_within(bench_reading(&b, NULL, NULL, "FI", "all doses")->estimate, 0, 0, 0);
    bench_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_claimed_below_the_floor),
        cmocka_unit_test(a_floor_bars_what_it_is_above),
        cmocka_unit_test(the_sentence_names_the_floors),
        cmocka_unit_test(noise_measured_in_part_is_said),
        cmocka_unit_test(a_step_is_said),
        cmocka_unit_test(a_huge_offset_hides_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
