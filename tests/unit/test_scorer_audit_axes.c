/* Criterion, margins, words and cautions of every axis (scorer audit 5.3, 10, 12, 16). */
#include <string.h>

#include "scorer_tables.h"
#include "support/check.h"

#define BASES 40

static const tare_reading *get(const bench *b, const char *name, const char *condition)
{
    return bench_reading(b, NULL, "s", name, condition);
}

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

static bool stated(const bench *b, const char *words)
{
    for (size_t i = 0; i < b->result.fact_count; i++)
        if (strstr(b->result.facts[i].key, words) || strstr(b->result.facts[i].value, words))
            return true;
    return false;
}

/* The first answer that begins with `start`; fails if there is none. */
static const char *answer(const bench *b, const char *start)
{
    for (size_t i = 0; i < b->result.answer_count; i++)
        if (strncmp(b->result.answer[i], start, strlen(start)) == 0) return b->result.answer[i];
    fail_msg("no answer begins with \"%s\"", start);
    return NULL;
}

/* An arm over `doses`: a score that falls with the distance from the neutral dose and rises with
 * the dose; a measure that follows it by `slope`; the artifact radius(i) |dose - neutral|. */
typedef struct axis {
    const char *arm;
    double dose[7], neutral, by_distance, by_dose, slope;
    double radius[3]; /* of bases i % 3; 0: no artifact */
    const char *measure;
} axis;

static void put_axis(bench *b, const axis *x)
{
    gauss g = {41};
    bool artifact = x->radius[0] > 0;
    text_add_format(&b->csv, "arm,base,dose,scorer,score%s%s%s\n", artifact ? ",artifact" : "",
                    x->slope ? "," : "", x->slope ? x->measure : "");
    for (int i = 0; i < BASES; i++)
        for (int d = 0; d < 7; d++) {
            double shift = x->dose[d] - x->neutral;
            text_add_format(&b->csv, "%s,f%02d,%.17g,s,%.17g", x->arm, i, x->dose[d],
                            i % 9 - x->by_distance * fabs(shift) + x->by_dose * shift +
                                0.05 * gauss_next(&g));
            if (artifact) text_add_format(&b->csv, ",%.17g", x->radius[i % 3] * fabs(shift));
            if (x->slope) text_add_format(&b->csv, ",%.17g", 30 + i % 5 + x->slope * shift);
            text_add_char(&b->csv, '\n');
        }
    tare_error err = {0};
    b->options.boot_b = b->options.perm_p = 199;
    b->options.seeds = 0;
    assert_ok(bench_run(b, &err));
}

static const axis warp = {"warp", {.8, .87, .93, 1, 1.07, 1.13, 1.2}, 1, 5, 2, 40,
                          {.1, .15, .2}, "width_ratio"};
static const axis blur = {"blur", {0, .5, 1, 1.5, 2, 2.5, 3}, 0, 1, 0, 0, {0}, ""};
static const axis codec = {"codec", {0, 2, 5, 8, 10, 15, 20}, 0, .1, 0, 0, {0}, ""};
static const axis custom = {"age", {-3, -2, -1, 0, 1, 2, 3}, 0, .2, .3, 2, {.01, .02, .03},
                            "years"};
static const axis hue = {"hue", {-30, -20, -10, 0, 10, 20, 30}, 0, .05, .02, -.13,
                         {.001, .002, .003}, "ita"};
static const axis nonskin = {"nonskin", {-15, -10, -5, 0, 5, 10, 15}, 0, .05, .02, .1,
                             {.001, .002, .003}, "ita"};

static void make_warp(bench *b)
{
    b->c.arm[0].artifact_name = "warp_artifact";
    b->c.arm[0].intervened = true;
    b->c.arm[0].edited_here = true;
    again(b);
}

/* R^2 on dose dummies is 1/(1 + CV^2) with the CV of R_i over 40 bases: 14 of .1, 13 each of .15
 * and .2 (scorer audit 10). */
static void a_warp_is_separable_or_fails(void **state)
{
    (void)state;
    static const double radii[2][3] = {{.1, .15, .2}, {.01, .15, .3}};
    for (int k = 0; k < 2; k++) {
        bench b;
        axis x = warp;
        bench_open(&b, 1);
        memcpy(x.radius, radii[k], sizeof x.radius);
        put_axis(&b, &x);
        make_warp(&b);
        double mean = 0, square = 0;
        for (int i = 0; i < BASES; i++) {
            mean += radii[k][i % 3] / BASES;
            square += radii[k][i % 3] * radii[k][i % 3] / BASES;
        }
        double cv2 = square / (mean * mean) - 1;
        assert_close(get(&b, "warp_radius_CV", NULL)->estimate, sqrt(cv2));
        assert_close(get(&b, "artifact_on_dose_R2", NULL)->estimate, 1 / (1 + cv2));
        assert_true((1 / (1 + cv2) <= .9) == (k == 1));
        assert_true(get(&b, "C1", NULL)->estimate == k);
        assert_string_equal(
            get(&b, "C1", NULL)->marks,
            k ? "separable: the artifact (warp_artifact) differs by image, so it can be taken out"
              : "the artifact (warp_artifact) follows the dose and cannot be taken out");
        assert_string_equal(get(&b, "FI", "clip-bounded")->words,
                            "no answer: not run: not applicable to a warp");
        bench_close(&b);
    }
}

/* A displacement of under 2 % is no clean edit, but a small one. */
static void a_small_warp_is_not_clean(void **state)
{
    (void)state;
    bench b;
    axis x = warp;
    bench_open(&b, 1);
    for (int k = 0; k < 3; k++) x.radius[k] = .02 + .001 * k;
    put_axis(&b, &x);
    make_warp(&b);
    assert_true(get(&b, "artifact_max_mean", NULL)->estimate < .02);
    assert_true(get(&b, "C1", NULL)->estimate == 0);
    b.c.arm[0].artifact_name = "clip_frac"; /* the same numbers as clipping: clean */
    again(&b);
    assert_string_equal(get(&b, "C1", NULL)->marks,
                        "clean: the mean artifact (clip_frac) is small at every dose");
    bench_close(&b);
}

static void instruments_of_axes(void **state)
{
    (void)state;
    bench b;
    bench_open(&b, 1);
    put_axis(&b, &warp);
    make_warp(&b);
    assert_string_equal(get(&b, "C2", NULL)->marks, "the measure repeats the dose: its shape was "
                                                    "edited along with the pixels");
    b.c.arm[0].attribute_independent = true;
    again(&b);
    assert_true(get(&b, "C2", NULL)->estimate == 1);
    bench_clear(&b);
    put_axis(&b, &blur);
    assert_string_equal(get(&b, "C2", NULL)->marks, "no attribute is measured");
    b.c.arm[0].intervened = true;
    again(&b);
    assert_string_equal(get(&b, "C1", NULL)->marks, "no artifact was measured");
    bench_close(&b);
}

static void margins_follow_the_axis(void **state)
{
    (void)state;
    static const struct { const axis *of; double margin; } cases[] = {
        {&nonskin, 1.5}, {&warp, .02}, {&hue, 3}, {&custom, .3}, {&blur, .3}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        bench b;
        bench_open(&b, 1);
        put_axis(&b, cases[k].of);
        assert_close(get(&b, "net_drift", "dose")->margin, cases[k].margin);
        b.options.margin_drift_dose = .7; /* what the user says is for all */
        again(&b);
        assert_close(get(&b, "net_drift", "dose")->margin, .7);
        b.options.margins = false;
        again(&b);
        assert_true(isnan(get(&b, "net_drift", "dose")->margin));
        bench_close(&b);
    }
}

/* Nothing that is said of these speaks of skin or its lightness. */
static void other_axes_do_not_speak_of_skin(void **state)
{
    (void)state;
    static const axis *const axes[] = {&warp, &blur, &codec, &custom};
    static const char *const words[] = {"skin", "lighter", "darker", "ITA", "clip", "L*"};
    for (size_t k = 0; k < sizeof axes / sizeof *axes; k++) {
        bench b;
        bench_open(&b, 1);
        put_axis(&b, axes[k]);
        b.c.arm[0].edited_here = true;
        b.c.arm[0].artifact_name = axes[k] == &warp ? "warp_artifact" : "";
        again(&b);
        assert_int_equal(get(&b, "FI", "all doses")->verdict, TARE_FOUND);
        for (size_t w = 0; w < sizeof words / sizeof *words; w++)
            if (said(&b, words[w])) fail_msg("%s speaks of %s", axes[k]->arm, words[w]);
        assert_false(stated(&b, "mask.set") || stated(&b, "skin share"));
        assert_true(stated(&b, "torso band") == (axes[k] == &warp));
        bench_close(&b);
    }
}

static void sides_are_called_as_the_arm_says(void **state)
{
    (void)state;
    bench b;
    bench_open(&b, 1);
    put_axis(&b, &custom);
    assert_string_equal(b.result.title, "Does s prefer one side of the edit?");
    b.c.arm[0].plus = "an older face";
    b.c.arm[0].minus = "a younger face";
    again(&b);
    assert_string_equal(b.result.title, "Does s prefer an older face or a younger face?");
    assert_non_null(strstr(answer(&b, "s "), "prefers an older face over a younger face"));
    assert_true(said(&b, "edited towards an older face or a younger face"));
    assert_true(said(&b, "picking the best moves the result towards an older face"));
    bench_close(&b);
}

/* A blur has more and less, and no two directions. */
static void one_sided_edits_have_no_direction(void **state)
{
    (void)state;
    bench b;
    bench_open(&b, 1);
    put_axis(&b, &blur);
    assert_string_equal(b.result.title, "Does s prefer the original?");
    assert_string_equal(answer(&b, "s "), "s prefers the original to the edited image.");
    assert_true(said(&b, "scores the original image higher than the same image blurred"));
    assert_false(said(&b, "two directions") || said(&b, "direction"));
    assert_true(said(&b, "drifts towards the original (dose units only)"));
    bench_close(&b);
}

/* Where all doses lie below the neutral one, a drift to higher doses goes to the original. */
static void the_original_may_have_the_largest_dose(void **state)
{
    (void)state;
    static const axis darker = {"skin", {-30, -25, -20, -15, -10, -5, 0}, 0, .1, 0, 0, {0}, ""};
    static const axis lighter = {"skin", {0, 5, 10, 15, 20, 25, 30}, 0, .1, 0, 0, {0}, ""};
    static const axis quality = {"quality", {70, 75, 80, 85, 90, 95, 100}, 100, .1, 0, 0, {0}, ""};
    static const struct { const axis *of; const char *edit; } cases[] = {
        {&darker, "with the skin made darker"}, {&lighter, "with the skin made lighter"},
        {&quality, "edited by dose"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        bench b;
        bench_open(&b, 1);
        b.table.neutral = cases[k].of->neutral;
        put_axis(&b, cases[k].of);
        assert_true((get(&b, "net_drift", "dose")->estimate > 0) == (k != 1));
        assert_true(said(&b, "drifts towards the original (dose units only)"));
        assert_true(said(&b, "picking the best moves the result towards the original"));
        assert_false(said(&b, "towards the edited images") || said(&b, "lighter or darker"));
        assert_true(said(&b, cases[k].edit));
        assert_string_equal(b.result.title, "Does s prefer the original?");
        bench_close(&b);
    }
}

/* An artifact that only knows whether there was an edit; 5 doses. */
static void put_constant_artifact(bench *b, double artifact, double spread)
{
    gauss g = {47};
    text_add(&b->csv, "arm,base,dose,scorer,score,artifact\n");
    for (int i = 0; i < BASES; i++)
        for (int dose = -2; dose <= 2; dose++)
            text_add_format(&b->csv, "skin,f%02d,%d,s,%.17g,%.17g\n", i, dose,
                            i % 9 - abs(dose) + .05 * gauss_next(&g),
                            dose ? artifact + spread * (i % 5) : 0);
    tare_error err = {0};
    b->options.boot_b = b->options.perm_p = 199;
    b->options.seeds = 0;
    assert_ok(bench_run(b, &err));
}

static void an_artifact_that_is_the_edit_is_cautioned(void **state)
{
    (void)state;
    static const struct { double artifact, spread; bool collinear, clipped; } cases[] = {
        {.06, 0, true, true}, {.001, 0, true, false}, {.06, .01, false, true},
        {.0, .001, false, false}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        bench b;
        bench_open(&b, 1);
        put_constant_artifact(&b, cases[k].artifact, cases[k].spread);
        assert_true(cases[k].collinear ==
                    !strcmp(get(&b, "FI_adj", NULL)->reason, "inseparable"));
        assert_true(cases[k].clipped == (get(&b, "FI", "clip-bounded")->n_base == 0));
        assert_true(said(&b, "cannot be told from the edit in this design") ==
                    (cases[k].collinear || cases[k].clipped));
        assert_true(said(&b, "it is a function of the dose") == cases[k].collinear);
        assert_true(said(&b, "too large at every dose of every image") == cases[k].clipped);
        bench_close(&b);
    }
}

/* ITA falls where the hue is turned forward (15.4: -30 degrees raise it by 7.8). */
static void ita_follows_the_hue(void **state)
{
    (void)state;
    bench b;
    bench_open(&b, 1);
    put_axis(&b, &hue);
    assert_true(said(&b, "hue: ITA moves with the hue, at the same L*"));
    const char *also[][2] = {{"beta", "with artifact"}, {"net_drift", "ITA"}};
    for (size_t k = 0; k < 2; k++)
        assert_non_null(strstr(get(&b, also[k][0], also[k][1])->marks, "ITA moves with the hue"));
    /* both drifts go forward: that ITA falls with the dose is no contradiction */
    assert_true(get(&b, "net_drift", "ITA")->estimate < 0);
    assert_true(get(&b, "net_drift", "dose")->estimate > 0);
    assert_false(said(&b, "drift to opposite sides"));
    bench_clear(&b);
    put_axis(&b, &nonskin);
    assert_false(said(&b, "ITA moves with the hue"));
    bench_close(&b);
}

/* .80 and 1.20: log -.223 and +.182 (16, 12). */
static void factors_need_their_inverses(void **state)
{
    (void)state;
    bench b;
    axis x = warp;
    bench_open(&b, 1);
    put_axis(&b, &x);
    assert_true(said(&b, "0.8 and 1.2 are not each other's inverse (log -0.223 and +0.182)"));
    assert_false(said(&b, "pushes of unequal size"));
    bench_clear(&b);
    for (int d = 0; d < 3; d++) x.dose[d] = 1 / x.dose[6 - d];
    put_axis(&b, &x);
    assert_false(said(&b, "each other's inverse"));
    assert_false(said(&b, "pushes of unequal size"));
    bench_clear(&b);
    x = warp;
    x.arm = "zoom"; /* no operator of ours, and its doses multiply all the same */
    put_axis(&b, &x);
    assert_true(said(&b, "0.8 and 1.2 are not each other's inverse (log -0.223 and +0.182)"));
    bench_close(&b);
}

/* A width has no margin of its own: what the dose shows decides. */
static void an_insensitive_scorer_of_widths(void **state)
{
    (void)state;
    bench b;
    axis x = warp;
    bench_open(&b, 1);
    x.by_distance = x.by_dose = 0;
    put_axis(&b, &x);
    b.options.margin_drift_dose = .1;
    again(&b);
    assert_true(isnan(get(&b, "net_drift", "width_ratio")->margin));
    assert_string_equal(bench_cell(&b, "shape", "s", "words")->text,
                        "practically insensitive at this scale, not unbiased");
    bench_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_warp_is_separable_or_fails),
        cmocka_unit_test(a_small_warp_is_not_clean),
        cmocka_unit_test(instruments_of_axes),
        cmocka_unit_test(margins_follow_the_axis),
        cmocka_unit_test(other_axes_do_not_speak_of_skin),
        cmocka_unit_test(sides_are_called_as_the_arm_says),
        cmocka_unit_test(one_sided_edits_have_no_direction),
        cmocka_unit_test(the_original_may_have_the_largest_dose),
        cmocka_unit_test(an_artifact_that_is_the_edit_is_cautioned),
        cmocka_unit_test(ita_follows_the_hue),
        cmocka_unit_test(factors_need_their_inverses),
        cmocka_unit_test(an_insensitive_scorer_of_widths),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
