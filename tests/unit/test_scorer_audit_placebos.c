/* Placebos: is any edit penalised, or this one (scorer audit 5.7)? */
#include <string.h>

#include "scorer_tables.h"
#include "support/check.h"

#define BASES 40

static void again(bench *b)
{
    tare_error err = {0};
    result_free(&b->result);
    result_init(&b->result, &b->m);
    assert_ok(analyse_cube(&b->result, b->context, &b->c, &b->options, &err));
}

static bool said(const bench *b, const char *words)
{
    char *all = bench_sentences(b);
    bool found = strstr(all, words) != NULL;
    mem_free(&b->m, all);
    return found;
}

static const tare_reading *contrast(const bench *b, const char *placebo, const char *condition)
{
    return bench_reading(b, placebo, "s", "FI_contrast", condition);
}

/* FI = gain x 10 on two sides and on one (doses to 15 either way); energy per unit of dose. */
static void put_arm(bench *b, const char *arm, double gain, double energy, double noise)
{
    gauss g = {(uint64_t)strlen(arm) * 7 + 3};
    bool one = strstr(arm, "blur") != NULL;
    if (b->csv.length == 0) text_add(&b->csv, "arm,base,dose,scorer,score,edit_energy\n");
    for (int i = 0; i < BASES; i++)
        for (int dose = one ? 0 : -15; dose <= 15; dose += 5)
            text_add_format(&b->csv, "%s,f%02d,%d,s,%.17g,%.17g\n", arm, i, dose,
                            i % 9 - gain * abs(dose) + noise * gauss_next(&g),
                            energy * abs(dose));
}

static void run(bench *b)
{
    tare_error err = {0};
    b->options.boot_b = b->options.perm_p = 499;
    b->options.seeds = 0;
    assert_ok(bench_run(b, &err));
}

static void this_edit_or_any_edit(void **state)
{
    (void)state;
    static const struct { double gain, placebo, noise; const char *has, *lacks; } cases[] = {
        {.1, 0, .1, "s: this edit is penalised, not edits as such: it costs more than blur, hue.",
         "other edits are penalised"},
        {.1, .1, .05,
         "s: other edits are penalised as well: this one costs no more than blur, hue.",
         "this edit is penalised"},
        {.1, .2, .1, "s: other edits are penalised as well: this one costs no more than blur, hue.",
         "this edit is penalised"},
        {-.1, 0, .1, "s: this edit is rewarded, not edits as such: it gains more than blur, hue.",
         "penalised"},
        {.1, .1, 9, "", "is penalised"}, /* nothing is resolved: nothing is said */
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        bench b;
        bench_open(&b, 1);
        put_arm(&b, "skin", cases[k].gain, 1, cases[k].noise);
        put_arm(&b, "hue", cases[k].placebo, 1, cases[k].noise);
        put_arm(&b, "blur", cases[k].placebo, 1, cases[k].noise);
        run(&b);
        if (!said(&b, cases[k].has)) fail_msg("case %zu lacks \"%s\"", k, cases[k].has);
        assert_false(said(&b, cases[k].lacks));
        assert_false(said(&b, "the other way round"));
        /* FI of 10 gain on both sides, the same of one side */
        assert_within(contrast(&b, "blur", NULL)->estimate,
                      10 * (cases[k].gain - cases[k].placebo), 0, cases[k].noise);
        bench_close(&b);
    }
}

/* A contrast that is resolved and below the margin is no "no more than": SD0 is 2.6, the margin a
 * tenth of it. */
static void small_contrasts_are_said_to_be_small(void **state)
{
    (void)state;
    static const struct { double gain, placebo; const char *has, *words; } cases[] = {
        {.1, .09, "s: other edits are penalised as well: this one costs more than hue, by less "
                  "than the margin.", "different: more than the placebo"},
        {.09, .1, "s: other edits are penalised as well: this one costs no more than hue.",
         "different: less than the placebo"},
        {-.1, -.09, "s: other edits are rewarded as well: this one gains more than hue, by less "
                    "than the margin.", "different: more than the placebo"},
        {-.09, -.1, "s: other edits are rewarded as well: this one gains no more than hue.",
         "different: less than the placebo"},
        {.01, 0, "s: this edit costs more than hue, by less than the margin.",
         "different: more than the placebo"},
        {-.01, 0, "s: this edit gains more than hue, by less than the margin.",
         "different: more than the placebo"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        bench b;
        bench_open(&b, 1);
        put_arm(&b, "skin", cases[k].gain, 1, .03);
        put_arm(&b, "hue", cases[k].placebo, 1, .03);
        run(&b);
        assert_int_equal(contrast(&b, "hue", NULL)->verdict, TARE_SMALL);
        assert_non_null(strstr(contrast(&b, "hue", NULL)->words, cases[k].words));
        if (!said(&b, cases[k].has)) fail_msg("case %zu lacks \"%s\"", k, cases[k].has);
        bench_close(&b);
    }
}

/* More and less are those of the preference: of the edits, a more negative FI is more. */
static void more_is_in_the_direction_of_the_preference(void **state)
{
    (void)state;
    static const struct { double gain, sham; const char *words; bool larger; } cases[] = {
        {.1, 0, "different: more than the placebo", true},
        {-.1, 0, "different: more than the placebo", true},
        {-.1, -.2, "different: less than the placebo", false},
        {0, .1, "different: FI is below that of the placebo", false},
        {0, -.1, "different: FI is above that of the placebo", false},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        bench b;
        bench_open(&b, 1);
        put_arm(&b, "skin", cases[k].gain, 1, .1);
        put_arm(&b, "sham", cases[k].sham, 1, .1);
        run(&b);
        assert_string_equal(contrast(&b, "sham", NULL)->words, cases[k].words);
        assert_true(said(&b, "the preference is larger than for the sham") == cases[k].larger);
        bench_close(&b);
    }
}

/* The contrast is open where the noise of the placebo hides it. */
static void open_contrasts_are_said_to_be_open(void **state)
{
    (void)state;
    bench b;
    bench_open(&b, 1);
    put_arm(&b, "skin", .1, 1, .1);
    put_arm(&b, "hue", .1, 1, 6);
    run(&b);
    assert_int_equal(contrast(&b, "hue", NULL)->verdict, TARE_INCONCLUSIVE);
    assert_true(said(&b, "s: whether this edit matters more to it than hue is not resolved."));
    assert_false(said(&b, "is penalised") || said(&b, "indistinguishable"));
    bench_close(&b);
}

static void a_weak_placebo_may_cost_more_per_energy(void **state)
{
    (void)state;
    bench b;
    bench_open(&b, 1);
    put_arm(&b, "skin", .1, 1, .05);
    put_arm(&b, "hue", .05, .1, .05); /* half the cost for a tenth of the energy */
    run(&b);
    const tare_reading *e = bench_reading(&b, "hue", "s", "FI_contrast_per_energy", NULL);
    /* .1 / 1 - .05 / .1 */
    assert_within(e->estimate, -.4, 0, .05);
    assert_string_equal(e->words, "different: less than the placebo per unit of edit energy");
    assert_true(isnan(e->margin));
    assert_string_equal(contrast(&b, "hue", NULL)->words, "different: more than the placebo");
    assert_true(said(&b, "s: this edit is penalised, not edits as such: it costs more than hue."));
    assert_true(said(&b, "s: per unit of edit energy it is the other way round for hue."));
    bench_close(&b);
}

static void arms_without_a_common_image(void **state)
{
    (void)state;
    bench b;
    bench_open(&b, 1);
    put_arm(&b, "skin", .1, 1, .1);
    put_arm(&b, "hue", .1, 1, .1);
    run(&b);
    for (size_t a = 0; a < b.c.arms; a++)
        for (size_t i = 0; i < BASES && !strcmp(b.c.arm[a].name, "hue"); i++) {
            char id[16];
            snprintf(id, sizeof id, "other%02zu", i);
            b.c.arm[a].base[i] = arena_copy(&b.a, id);
            b.c.arm[a].cluster_id[i] = b.c.arm[a].base[i];
        }
    again(&b);
    const tare_reading *c = contrast(&b, "hue", NULL);
    assert_int_equal(c->verdict, TARE_NO_ANSWER);
    assert_string_equal(c->words, "no answer: not run: the two arms share no image");
    assert_int_equal(c->n_base, 0);
    assert_false(said(&b, "is penalised"));
    bench_close(&b);
}

/* Two axes over the same photographs share a blur; each has the sham that is its own. */
static void a_placebo_stands_beside_every_axis(void **state)
{
    (void)state;
    bench b;
    bench_open(&b, 1);
    put_arm(&b, "skin", .1, 1, .1);
    put_arm(&b, "warp", .1, 1, .1);
    put_arm(&b, "sham", 0, 1, .1);
    put_arm(&b, "blur", 0, 1, .1);
    put_arm(&b, "main blur", .1, 1, .1);
    run(&b);
    for (size_t a = 0; a < b.c.arms; a++) {
        cube_arm *arm = &b.c.arm[a];
        arm->edited_here = true;
        arm->label = "";
        if (!strcmp(arm->name, "main blur")) arm->operator_name = "blur";
    }
    again(&b);
    assert_string_equal(contrast(&b, "blur", "skin - blur")->grid, "vi");
    assert_string_equal(contrast(&b, "blur", "warp - blur")->grid, "vi");
    assert_string_equal(contrast(&b, "sham", "skin - sham")->grid, "vi");
    for (size_t i = 0; i < b.result.reading_count; i++)
        assert_true(strcmp(b.result.readings[i].condition, "warp - sham") != 0 &&
                    strcmp(b.result.readings[i].condition, "main blur - blur") != 0);
    assert_true(said(&b, "s (skin): this edit is penalised, not edits as such: it costs more than "
                         "blur."));
    assert_true(said(&b, "s (warp): this edit is penalised"));
    assert_true(said(&b, "s (skin): the preference is larger than for the sham edit, which only "
                         "adds rounding noise."));
    bench_close(&b);
}

/* High-frequency energy, as a table can hold it: any change of the pixels raises it alike, so that
 * FI of the skin is not above that of the sham (15.6); the warp's sham resamples. */
static void the_sham_of_a_warp_resamples(void **state)
{
    (void)state;
    static const char *const arms[2][2] = {{"skin", "sham"}, {"warp", "warpsham"}};
    static const char *const words[2] = {"not distinguishable from rounding noise",
                                         "not distinguishable from resampling noise"};
    for (size_t k = 0; k < 2; k++) {
        bench b;
        bench_open(&b, 1);
        put_arm(&b, arms[k][0], .1, 1, .1);
        put_arm(&b, arms[k][1], .1, 1, .1);
        run(&b);
        assert_string_equal(contrast(&b, arms[k][1], NULL)->words,
                            "indistinguishable from the placebo within the margin");
        assert_non_null(strstr(bench_reading(&b, arms[k][0], "s", "FI", "all doses")->marks,
                               words[k]));
        assert_true(said(&b, words[k]));
        assert_false(said(&b, words[1 - k]));
        bench_close(&b);
    }
}

static void surroundings_at_other_doses(void **state)
{
    (void)state;
    bench b;
    bench_open(&b, 1);
    put_arm(&b, "skin", .1, 1, .1);
    put_arm(&b, "nonskin", .1, 1, .1);
    run(&b);
    assert_null(strstr(contrast(&b, "nonskin", NULL)->marks, "other doses"));
    for (size_t a = 0; a < b.c.arms; a++)
        if (!strcmp(b.c.arm[a].name, "nonskin")) b.c.arm[a].dose[0] = -20;
    again(&b);
    assert_non_null(strstr(contrast(&b, "nonskin", NULL)->marks,
                           "other doses than the main arm: compare per edit energy"));
    bench_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(this_edit_or_any_edit),
        cmocka_unit_test(small_contrasts_are_said_to_be_small),
        cmocka_unit_test(more_is_in_the_direction_of_the_preference),
        cmocka_unit_test(open_contrasts_are_said_to_be_open),
        cmocka_unit_test(a_weak_placebo_may_cost_more_per_energy),
        cmocka_unit_test(arms_without_a_common_image),
        cmocka_unit_test(a_placebo_stands_beside_every_axis),
        cmocka_unit_test(the_sham_of_a_warp_resamples),
        cmocka_unit_test(surroundings_at_other_doses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
