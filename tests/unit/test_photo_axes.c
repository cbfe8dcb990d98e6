/* Axes, placebos, stress axes and doses: what the options become, and what is refused. */
#include "audit/photos/photo_plan.h"

#include <stdio.h>
#include <string.h>

#include "photo_fixture.h"
#include "support/check.h"

static tare_context *context;
static tare_error err;
static arena a;
static photo_plan plan;

static int open_context(void **state)
{
    (void)state;
    memset(&err, 0, sizeof err);
    if (tare_context_new(&context, NULL, &err)) return -1;
    arena_init(&a, &context->mem);
    return 0;
}

static int close_context(void **state)
{
    (void)state;
    arena_free(&a);
    tare_context_free(context);
    return 0;
}

static tare_status plan_with(const char *const *options)
{
    tare_job *job = job_with(context, "audit", NULL, options);
    photo_plan_init(&plan, &a);
    tare_status status = photo_plan_slots(&plan, job, &err);
    tare_job_free(job);
    return status;
}

#define PLAN(...) plan_with((const char *const[]){__VA_ARGS__, NULL})

/* "skin, sham" */
static const char *names(void)
{
    static char list[512];
    *list = '\0';
    for (size_t x = 0; x < plan.axis_count; x++)
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", x ? ", " : "",
                 plan.axes[x].name);
    return list;
}

static void refused(tare_status status, const char *words)
{
    assert_int_equal(status, TARE_E_USAGE);
    if (!strstr(err.message, words)) print_error("%s\n", err.message);
    assert_non_null(strstr(err.message, words));
}

/* ---- axes and placebos ------------------------------------------------------------- */

static void test_the_default_is_skin_and_its_sham(void **state)
{
    (void)state;
    assert_ok(plan_with(NULL));
    assert_string_equal(names(), "skin, sham");
    assert_int_equal(plan.slot_count, 13);
    assert_int_equal(plan.neutral_slot, 3);
    assert_int_equal(plan.axes[1].partner, 0);
    assert_int_equal(plan.axes[1].role, PLAN_PLACEBO);
    assert_true(plan.axes[0].slot[3] == 3 && plan.axes[1].slot[3] == 3); /* one neutral slot */
    assert_false(plan.perturb.whole);
}

static void test_placebos_stand_beside_their_axis(void **state)
{
    (void)state;
    assert_ok(PLAN("placebo", "all"));
    assert_string_equal(names(), "skin, sham, nonskin, hue, blur, codec");
    assert_ok(PLAN("placebo", "none"));
    assert_string_equal(names(), "skin");
    assert_ok(PLAN("placebo", "none", "placebo", "blur"));
    assert_string_equal(names(), "skin, blur");
    assert_ok(PLAN("axis", "skin", "axis", "warp", "placebo", "warp:blur"));
    assert_string_equal(names(), "skin, sham, warp, warpsham, blur");
    assert_int_equal(plan.axes[4].partner, 2);
    assert_true(plan.perturb.whole);
}

/* A placebo that another axis has is made once; one that is an axis itself has its slots. */
static void test_equal_variants_are_one_slot(void **state)
{
    (void)state;
    assert_ok(PLAN("axis", "skin", "axis", "nonskin"));
    assert_string_equal(names(), "skin, sham, nonskin");
    assert_int_equal(plan.slot_count, 13 + 6);
    assert_ok(PLAN("axis", "skin", "axis", "nonskin", "placebo", "skin:nonskin"));
    assert_string_equal(names(), "skin, sham, nonskin for skin, nonskin");
    assert_int_equal(plan.slot_count, 13 + 6);
    for (size_t d = 0; d < 7; d++)
        assert_int_equal(plan.axes[2].slot[d], plan.axes[3].slot[d]);
    assert_false(plan.slots[plan.axes[3].slot[0]].placebo); /* it is asked as the axis */
    assert_int_equal(plan.slots[plan.axes[3].slot[0]].axis, 3);
}

static size_t placebos_named(const char *operator_name)
{
    size_t n = 0;
    for (size_t x = 0; x < plan.axis_count; x++)
        n += plan.axes[x].role == PLAN_PLACEBO && !strcmp(plan.axes[x].op->name, operator_name);
    return n;
}

/* A placebo for one arm and for all is made for all, whichever axis is named first. */
static void test_the_order_of_axes_makes_no_arm_more(void **state)
{
    (void)state;
    assert_ok(PLAN("axis", "hue", "axis", "real:skin", "placebo", "blur"));
    assert_string_equal(names(), "hue, sham, blur, skin");
    size_t slots = plan.slot_count;
    assert_ok(PLAN("axis", "real:skin", "axis", "hue", "placebo", "blur"));
    assert_string_equal(names(), "skin, hue, sham, blur");
    assert_int_equal(plan.slot_count, slots);
    assert_int_equal(plan.axes[2].partner, 1);
    assert_null(plan.axes[2].only);
    assert_ok(PLAN("axis", "real:skin", "axis", "synth:skin", "axis", "hue", "placebo", "blur"));
    assert_int_equal(placebos_named("blur"), 1);
    assert_int_equal(placebos_named("sham"), 1);
    /* Of one arm each, none is for the images of the other. */
    assert_ok(PLAN("axis", "real:skin", "axis", "synth:hue", "placebo", "blur"));
    assert_int_equal(placebos_named("blur"), 2);
    /* What the wider axis does not want is made for the narrower. */
    assert_ok(PLAN("axis", "real:skin", "axis", "hue", "placebo", "skin:blur"));
    assert_string_equal(names(), "skin, blur, hue, sham");
    assert_string_equal(plan.axes[1].only, "real");
}

static void test_stress_axes(void **state)
{
    (void)state;
    assert_ok(PLAN("axis", "skin", "axis", "blur", "stress-masks", "yes"));
    assert_string_equal(names(), "skin, sham, skin tight, skin loose, blur");
    assert_int_equal(plan.axes[2].set, MASK_TIGHT);
    assert_int_equal(plan.axes[3].role, PLAN_STRESS);
    assert_int_equal(plan.axes[3].partner, 0);
    assert_ok(PLAN("mask-set", "loose", "stress-masks", "yes", "placebo", "none"));
    assert_string_equal(names(), "skin, skin tight, skin default");
}

static void test_axes_of_one_arm(void **state)
{
    (void)state;
    assert_ok(PLAN("axis", "real:skin", "axis", "a:b:hue"));
    assert_string_equal(plan.axes[0].only, "real");
    assert_string_equal(plan.axes[1].only, "real"); /* and so its sham */
    assert_string_equal(plan.axes[2].only, "a:b");
    refused(PLAN("axis", "skin", "axis", "real:skin"), "there twice");
    refused(PLAN("axis", "real:skin", "axis", "real:skin"), "there twice");
    assert_ok(PLAN("axis", "real:skin", "axis", "synth:skin"));
    assert_int_equal(plan.slot_count, 13); /* the same variants, of other photographs */
}

static void test_axes_that_are_none(void **state)
{
    (void)state;
    refused(PLAN("axis", "nose"), "there are: ");
    refused(PLAN("axis", "sham"), "stands beside an axis");
    refused(PLAN("placebo", "nose"), "no such operator");
    refused(PLAN("placebo", "hue:blur"), "no axis of this run");
    refused(PLAN("placebo", "skin:skin"), "no placebo of its own");
    refused(PLAN("placebo", "skin"), "no placebo of its own");
    refused(PLAN("placebo", "warpsham"), "the sham of another axis");
    refused(PLAN("axis", "skin", "axis", "warp", "placebo", "skin:warpsham"),
            "the sham of another axis");
    assert_ok(PLAN("axis", "skin", "axis", "hue", "placebo", "skin")); /* beside the hue */
    assert_string_equal(names(), "skin, sham, hue, skin for hue");
}

/* ---- doses -------------------------------------------------------------------------- */

static void test_doses_of_the_user(void **state)
{
    (void)state;
    assert_ok(PLAN("doses", "skin=5, -5,0,2.5e0"));
    assert_int_equal(plan.axes[0].n_doses, 4);
    assert_int_equal(plan.axes[0].neutral, 1);
    assert_true(plan.axes[0].doses[0] == -5 && plan.axes[0].doses[2] == 2.5);
    assert_int_equal(plan.neutral_slot, 1);
    assert_ok(PLAN("doses", "skin=0,5,10")); /* one-sided */
    assert_int_equal(plan.axes[0].neutral, 0);
    assert_ok(PLAN("axis", "blur", "axis", "warp", "doses", "warp=0.9,1,1.1", "doses", "blur=0,2"));
    assert_int_equal(plan.axes[0].n_doses, 2);
}

static void test_doses_that_cannot_be(void **state)
{
    (void)state;
    char many[512] = "skin=0";
    for (int k = 1; k <= 64; k++) snprintf(many + strlen(many), 8, ",%d", k);
    refused(PLAN("doses", "skin=-5,5"), "neutral dose of skin, 0, is not among them");
    refused(PLAN("axis", "warp", "doses", "warp=0,1.1"), "warp");
    refused(PLAN("doses", "skin=0,5,5"), "there twice");
    refused(PLAN("doses", "skin=-0,0,5"), "there twice");
    refused(PLAN("doses", "skin=0,nan"), "no number");
    refused(PLAN("doses", "skin=0,inf"), "no number");
    refused(PLAN("doses", "skin=0,,5"), "no number");
    refused(PLAN("doses", "skin=0,1000"), "skin");
    refused(PLAN("doses", "sham=0,.5"), "sham");
    refused(PLAN("doses", "skin=0"), "one dose");
    refused(PLAN("doses", "skin"), "NAME=D");
    refused(PLAN("doses", "hue=0,5"), "no axis or placebo of this run");
    refused(PLAN("doses", "skin=0,5", "doses", "skin=0,10"), "has a list already");
    refused(plan_with((const char *const[]){"doses", many, NULL}), "at most 64");
}

/* ---- what is asked of which base ---------------------------------------------------- */

static plan_base bare(const char *arm)
{
    return (plan_base){.id = "b", .shown = "b", .arm = arm, .group = "", .kind = "",
                       .cluster = "", .why = "", .skin_why = "", .torso_why = ""};
}

static void test_a_base_lacks_only_what_it_lacks(void **state)
{
    (void)state;
    plan_base bases[3] = {bare("real"), bare("real"), bare("synth")};
    assert_ok(PLAN("axis", "skin", "axis", "warp", "axis", "synth:codec"));
    assert_string_equal(names(), "skin, sham, warp, warpsham, codec");
    plan.bases = bases;
    plan.base_count = 3;
    bases[0].skin_reason = TARE_R_NO_SKIN;
    bases[0].skin_why = "no skin";
    bases[1].skin_reason = TARE_R_NO_SKIN;
    bases[1].skin_why = "none";
    bases[1].torso_reason = TARE_R_NO_SILHOUETTE;
    for (size_t i = 0; i < 3; i++) plan_settle_base(&plan, i);
    assert_int_equal(bases[0].reason, TARE_R_NONE); /* has a torso */
    assert_int_equal(bases[1].reason, TARE_R_NO_SKIN);
    assert_string_equal(bases[1].why, "none");
    assert_int_equal(plan_slot_reason(&plan, 0, plan.axes[0].slot[0]), TARE_R_NO_SKIN);
    assert_int_equal(plan_slot_reason(&plan, 0, plan.axes[2].slot[0]), TARE_R_NONE);
    assert_int_equal(plan_slot_reason(&plan, 0, plan.neutral_slot), TARE_R_NONE);
    assert_int_equal(plan_axis_reason(&plan, 0, 4), TARE_R_EXCLUDED);
    assert_int_equal(plan_axis_reason(&plan, 2, 4), TARE_R_NONE);
    assert_int_equal(plan_first_axis(&plan, 0), 2); /* its operator makes the neutral variant */
    assert_int_equal(plan_row(&plan, 0, 2, plan.axes[2].neutral), plan.neutral_slot);
    assert_int_equal(plan_row(&plan, 2, 2, plan.axes[2].neutral), plan.slot_count + 2);
}

static void test_own_masks_are_not_stressed(void **state)
{
    (void)state;
    plan_base base = bare("");
    base.mask = "m.png";
    assert_ok(PLAN("stress-masks", "yes"));
    plan.bases = &base;
    plan.base_count = 1;
    assert_int_equal(plan_axis_reason(&plan, 0, 0), TARE_R_NONE);
    assert_int_equal(plan_axis_reason(&plan, 0, 2), TARE_R_EXCLUDED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_the_default_is_skin_and_its_sham, open_context,
                                        close_context),
        cmocka_unit_test_setup_teardown(test_the_order_of_axes_makes_no_arm_more, open_context,
                                        close_context),
        cmocka_unit_test_setup_teardown(test_placebos_stand_beside_their_axis, open_context,
                                        close_context),
        cmocka_unit_test_setup_teardown(test_equal_variants_are_one_slot, open_context,
                                        close_context),
        cmocka_unit_test_setup_teardown(test_stress_axes, open_context, close_context),
        cmocka_unit_test_setup_teardown(test_axes_of_one_arm, open_context, close_context),
        cmocka_unit_test_setup_teardown(test_axes_that_are_none, open_context, close_context),
        cmocka_unit_test_setup_teardown(test_doses_of_the_user, open_context, close_context),
        cmocka_unit_test_setup_teardown(test_doses_that_cannot_be, open_context, close_context),
        cmocka_unit_test_setup_teardown(test_a_base_lacks_only_what_it_lacks, open_context,
                                        close_context),
        cmocka_unit_test_setup_teardown(test_own_masks_are_not_stressed, open_context,
                                        close_context),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
