/* The cube of a run on photographs: arms, clusters and groups of a manifest, the shared neutral
 * variant, signs, what is missing, and the noise of each instrument. */
#include "audit/scorer/cube_from_run.h"

#include <string.h>

#include "audit/photos/photo_session.h"
#include "audit/photos/slot_order.h"
#include "photo_fixture.h"
#include "support/check.h"

static tare_context *context;
static tare_error err;
static photo_session session;
static cube c;
static tare_job *job;

/* Real photographs of two clusters and two groups; synthetic ones of which one has no skin and one
 * is damaged. In the manifest's order clusters are mixed. */
static const char manifest[] = "base,file,arm,kind,cluster,group\n"
                               "r2,p0.png,real,real,k2,ash\n"
                               "r1,p1.png,real,real,k1,elm\n"
                               "r3,p2.png,real,real,k1,elm\n"
                               "s1,p3.png,made,synthetic,,elm\n"
                               "s2,blue.png,made,synthetic,,elm\n"
                               "s3,blue2.png,made,synthetic,,elm\n"
                               "s4,broken.png,made,synthetic,,ash\n";

static int make(void **state)
{
    (void)state;
    memset(&err, 0, sizeof err);
    scratch_make();
    write_photos("photos", 4);
    write_plain("photos/blue.png", 24, 28, 20, 60, 200);
    write_plain("photos/blue2.png", 24, 28, 20, 60, 210);
    write_text("photos/broken.png", "\x89PNG\r\n\x1a\n and no more");
    write_text("m.csv", manifest);
    return tare_context_new(&context, NULL, &err) != TARE_OK;
}

static int unmake(void **state)
{
    (void)state;
    photo_session_close(&session);
    tare_job_free(job);
    tare_context_free(context);
    scratch_remove();
    return 0;
}

static void build(const char *const *options)
{
    static const photo_session_options all = {.intervene = true, .score = true, .noise = true};
    const char *const output[] = {"output", in_scratch("out"), NULL};
    job = job_with(context, "audit", in_scratch("photos"), output);
    for (; *options; options += 2) assert_ok(tare_job_set(job, options[0], options[1], &err));
    result_init(&job->result, &context->mem);
    assert_ok(photo_session_run(&session, job, &all, &err));
    assert_ok(cube_from_run(&c, session.run.a, &session.scores, &err));
}

static void build_manifest(const char *scorer, const char *lower)
{
    build((const char *[]){"manifest", in_scratch("m.csv"), "scorer", scorer, "scorer",
                           "planted:offset=7,position=1", "batch", "4", "lower-is-better", lower,
                           NULL});
}

static void test_arms_of_a_manifest(void **state)
{
    (void)state;
    static const char *const names[] = {"made/skin", "made/sham", "real/skin", "real/sham"};
    build_manifest("planted:dose=2", "none");
    assert_int_equal(c.arms, 4);
    for (size_t k = 0; k < 4; k++) {
        const cube_arm *arm = &c.arm[k];
        assert_string_equal(arm->name, names[k]);
        assert_string_equal(arm->operator_name, k % 2 ? "sham" : "skin");
        assert_string_equal(arm->kind, k < 2 ? "synthetic" : "real");
        assert_int_equal(arm->placebo, k % 2);
        assert_true(arm->partner == (k % 2 ? k - 1 : SIZE_MAX));
        assert_true(arm->two_sided && arm->attribute_independent);
        assert_true(arm->intervened); /* seen: the neutral variant has the bytes of the base */
        assert_int_equal(arm->doses, 7);
        assert_int_equal(arm->neutral, 3);
        assert_true(arm->dose[3] == 0 && arm->dose[0] == (k % 2 ? -3 : -15));
        assert_int_equal(arm->bases, k < 2 ? 1 : 3);
        assert_int_equal(arm->excluded, k < 2 ? 3 : 0);
    }
}

/* The user's column may be a copy of the dose, which is no measurement (C2). */
static void test_an_attribute_of_the_user_is_not_known_to_be_independent(void **state)
{
    (void)state;
    write_text("m.csv", "base,file,dose,attribute\na,p0.png,0,0\na,p1.png,1,1\n"
                        "b,p2.png,0,0\nb,p3.png,1,1\n");
    build_manifest("planted:dose=2", "none");
    assert_int_equal(c.arms, 1);
    assert_non_null(c.arm[0].attribute);
    assert_false(c.arm[0].attribute_independent);
    assert_false(c.arm[0].edited_here);
}

static void test_clusters_and_groups(void **state)
{
    (void)state;
    static const char *const ids[] = {"r1", "r3", "r2"}; /* by cluster, then by base */
    static const uint32_t clusters[] = {0, 0, 1}, groups[] = {1, 1, 0};
    build_manifest("planted:dose=2", "none");
    const cube_arm *real = &c.arm[2];
    assert_int_equal(real->clusters, 2);
    assert_string_equal(real->cluster_id[0], "k1");
    assert_string_equal(real->cluster_id[1], "k2");
    assert_int_equal(real->groups, 2);
    assert_string_equal(real->group_id[0], "ash");
    assert_string_equal(real->group_id[1], "elm");
    for (int i = 0; i < 3; i++) {
        assert_string_equal(real->base[i], ids[i]);
        assert_int_equal(real->cluster[i], clusters[i]);
        assert_int_equal(real->group[i], groups[i]);
    }
    const cube_arm *made = &c.arm[0];
    assert_int_equal(made->clusters, 1);
    assert_string_equal(made->cluster_id[0], "s1"); /* its own */
    assert_int_equal(made->groups, 1);
    assert_string_equal(made->group_id[0], "elm");
}

/* Place in its batch of four of a slot of this base, in the order in which it is asked. */
static double place_of(const char *id, size_t slot)
{
    size_t order[13], base = 0, place = 0;
    while (strcmp(session.plan.bases[base].id, id)) base++;
    assert_int_equal(session.plan.slot_count, 13);
    slot_order_draw(order, &session.plan, base, true);
    while (order[place] != slot) place++;
    return (double)(place % 4);
}

static void test_scores_and_the_shared_neutral(void **state)
{
    (void)state;
    build_manifest("planted:dose=2", "none");
    assert_string_equal(c.scorer[0], "planted:dose=2");
    for (size_t arm = 0; arm < 4; arm++) {
        size_t doses = c.arm[arm].doses;
        const double *s = cube_at(&c, arm, 0)->s, *place = cube_at(&c, arm, 1)->s;
        for (size_t i = 0; i < c.arm[arm].bases; i++)
            for (size_t d = 0; d < doses; d++) {
                assert_int_equal(cube_at(&c, arm, 0)->status[i * doses + d], TARE_R_NONE);
                assert_close(s[i * doses + d], arm % 2 ? 0 : 2 * c.arm[arm].dose[d]);
            }
        /* Slots 0..6 are the doses, 7..12 the sham's; its neutral one is slot 3. */
        for (size_t i = 0; i < c.arm[arm].bases; i++)
            for (size_t d = 0; d < doses; d++) {
                size_t slot = arm % 2 == 0 || d == 3 ? d : d < 3 ? 7 + d : 6 + d;
                assert_close(place[i * doses + d], 7 + place_of(c.arm[arm].base[i], slot));
            }
    }
    /* The sham's neutral variant is that of the doses; the others are changed a little. */
    const cube_arm *skin = &c.arm[2], *sham = &c.arm[3];
    for (size_t i = 0; i < 3; i++) {
        assert_string_equal(skin->base[i], sham->base[i]);
        assert_true(skin->attribute[i * 7 + 3] == sham->attribute[i * 7 + 3]);
        assert_true(sham->edit_energy[i * 7 + 3] == 0 && sham->edit_energy[i * 7] > 0);
        assert_true(skin->edit_energy[i * 7] > sham->edit_energy[i * 7]);
        assert_true(skin->attribute[i * 7] < skin->attribute[i * 7 + 6]); /* lighter: larger ITA */
        assert_true(skin->artifact[i * 7 + 3] == 0);
    }
}

static void test_lower_is_better(void **state)
{
    (void)state;
    build_manifest("planted:dose=2,offset=1", "planted:dose=2,offset=1");
    assert_true(c.sign[0] == -1 && c.sign[1] == 1);
    for (size_t d = 0; d < 7; d++) {
        assert_close(cube_at(&c, 2, 0)->s[d], -(2 * c.arm[2].dose[d] + 1));
        assert_close(session.scores.value[photo_score_at(&session.run, 0, 0, d)],
                     2 * c.arm[2].dose[d] + 1); /* raw stays raw */
    }
    assert_close(c.noise[0].value[0], -1); /* noise has the sign too */
    assert_true(cube_at(&c, 2, 1)->s[0] == 7 + place_of(c.arm[2].base[0], 0));
}

static void test_missing_by_reason_and_group(void **state)
{
    (void)state;
    build_manifest("planted:dose=2", "none");
    assert_int_equal(c.missing_count, 2);
    const result_missing *skinless = &c.missing[0], *broken = &c.missing[1];
    assert_int_equal(skinless->reason, TARE_R_NO_SKIN);
    assert_string_equal(skinless->what, "base");
    assert_string_equal(skinless->arm, "made");
    assert_string_equal(skinless->group, "elm");
    assert_int_equal(skinless->count, 2);
    assert_int_equal(skinless->of, 3);
    assert_non_null(strstr(skinless->example, "s2: skin covers"));
    assert_int_equal(broken->reason, TARE_R_DECODE);
    assert_string_equal(broken->group, "ash");
    assert_int_equal(broken->count, 1);
    assert_int_equal(broken->of, 1);
}

static void test_noise_matrix(void **state)
{
    (void)state;
    static const char *const names[] = {"first", "again", "alone", "shuffled", "late"};
    build_manifest("planted:dose=2", "none");
    const cube_noise *x = &c.noise[1];
    assert_true(x->known);
    assert_int_equal(x->configurations, 5); /* batch 4: all of them */
    assert_int_equal(x->images, 4);         /* usable bases of all arms */
    for (size_t k = 0; k < 5; k++) assert_string_equal(x->configuration[k], names[k]);
    static const char *const usable[] = {"r1", "r2", "r3", "s1"};
    double shuffled = 0;
    for (size_t i = 0; i < 4; i++) {
        const double *v = x->value + 5 * i, first = 7 + place_of(usable[i], 3);
        assert_true(v[0] == first && v[1] == first && v[2] == 7 && v[4] == 7 + (double)i);
        for (size_t k = 0; k < 5; k++) assert_int_equal(x->status[5 * i + k], TARE_R_NONE);
        shuffled += v[3];
    }
    assert_true(shuffled == 4 * 7 + 0 + 1 + 2 + 3);
}

static void test_missing_scores_are_no_numbers(void **state)
{
    (void)state;
    build((const char *[]){"scorer", "planted:offset=1,fail=0.5", NULL});
    assert_int_equal(c.arms, 2); /* no manifest: the operators */
    assert_string_equal(c.arm[0].name, "skin");
    assert_string_equal(c.arm[1].name, "sham");
    assert_string_equal(c.arm[0].kind, "");
    assert_null(c.arm[0].group);
    assert_int_equal(c.noise[0].configurations, 3); /* no batches */
    size_t missing = 0;
    for (size_t arm = 0; arm < 2; arm++)
        for (size_t i = 0; i < 28; i++) {
            const cube_scores *s = cube_at(&c, arm, 0);
            missing += s->status[i] != TARE_R_NONE;
            assert_int_equal(isnan(s->s[i]), s->status[i] != TARE_R_NONE);
            assert_true(s->status[i] == TARE_R_NONE || s->status[i] == TARE_R_SCORER_ERROR);
        }
    assert_true(missing > 10 && missing < 46);
    for (size_t i = 0; i < c.noise[0].images; i++) /* the same image fails in every pass */
        assert_int_equal(isnan(c.noise[0].value[3 * i]), isnan(c.noise[0].value[3 * i + 2]));
}

/* Every photograph left out is an answer with empty arms. */
static void test_no_base_can_be_used(void **state)
{
    (void)state;
    write_text("m.csv", "file,group\nblue.png,a\nblue2.png,b\n");
    build_manifest("planted:dose=2", "none");
    assert_int_equal(c.arms, 2);
    assert_int_equal(c.arm[0].bases, 0);
    assert_int_equal(c.arm[0].excluded, 2);
    assert_int_equal(c.arm[0].clusters, 0);
    assert_int_equal(c.missing_count, 2);
    assert_int_equal(c.noise[0].images, 0);
}

int main(void)
{
#define OF_A_RUN(test) cmocka_unit_test_setup_teardown(test, make, unmake)
    const struct CMUnitTest tests[] = {
        OF_A_RUN(test_arms_of_a_manifest),
        OF_A_RUN(test_an_attribute_of_the_user_is_not_known_to_be_independent),
        OF_A_RUN(test_clusters_and_groups),
        OF_A_RUN(test_scores_and_the_shared_neutral),
        OF_A_RUN(test_lower_is_better),
        OF_A_RUN(test_missing_by_reason_and_group),
        OF_A_RUN(test_noise_matrix),
        OF_A_RUN(test_missing_scores_are_no_numbers),
        OF_A_RUN(test_no_base_can_be_used),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
