/* The three walks: batches, marks, noise passes, and the scores of planted instruments, which are
 * known in advance. */
#include <string.h>

#include "audit/photos/photo_session.h"
#include "audit/photos/slot_order.h"
#include "photo_fixture.h"
#include "support/check.h"

static tare_context *context;
static tare_error err;

static int open_context(void **state)
{
    (void)state;
    memset(&err, 0, sizeof err);
    scratch_make();
    return tare_context_new(&context, NULL, &err) != TARE_OK;
}

static int close_context(void **state)
{
    (void)state;
    tare_context_free(context);
    scratch_remove();
    return 0;
}

static const photo_session_options everything = {.intervene = true, .score = true, .noise = true};

/* A session on photos/ into out/, left open; "name", "value" options up to NULL. */
static tare_job *start(photo_session *s, const char *const *options,
                       const photo_session_options *what)
{
    const char *const output[] = {"output", in_scratch("out"), NULL};
    tare_job *job = job_with(context, what->score && !what->intervene ? "score" : "audit",
                             in_scratch("photos"), output);
    for (; *options; options += 2) assert_ok(tare_job_set(job, options[0], options[1], &err));
    result_init(&job->result, &context->mem);
    assert_ok(photo_session_run(s, job, what, &err));
    return job;
}

static void stop(photo_session *s, tare_job *job)
{
    photo_session_close(s);
    tare_job_free(job);
}

/* ---- batches ----------------------------------------------------------------------- */

static unsigned count_marks(photo_session *s, size_t scorer, int pass)
{
    unsigned char marks[64];
    unsigned n = 0;
    assert_ok(store_marked_batches(marks, sizeof marks, s->run.store, (int64_t)scorer, pass,
                                   &err));
    for (size_t k = 0; k < sizeof marks; k++) n += marks[k];
    return n;
}

/* Place of a slot in the order of asking of a base (test_slot_order has its numbers). */
static size_t place_of(const photo_session *s, size_t base, size_t slot)
{
    size_t order[13], place = 0;
    assert_int_equal(s->plan.slot_count, 13);
    slot_order_draw(order, &s->plan, base, true);
    while (order[place] != slot) place++;
    return place;
}

/* Batch 4 over 13 slots is 4 + 4 + 4 + 1, and position=K shows each item's place in it. */
static void test_batches_are_cut_as_documented(void **state)
{
    (void)state;
    photo_session s;
    const char *const options[] = {"scorer", "planted:position=1", "batch", "4", NULL};
    write_photos("photos", 2);
    tare_job *job = start(&s, options, &everything);
    assert_int_equal(photo_batch_count(&s.run, 0), 4);
    assert_int_equal(photo_mark_count(&s.run, 0, PASS_FIRST), 8);
    assert_int_equal(count_marks(&s, 0, PASS_FIRST), 8);
    for (size_t b = 0; b < 2; b++)
        for (size_t k = 0; k < 13; k++)
            assert_true(s.scores.value[photo_score_at(&s.run, 0, b, k)] ==
                        (double)(place_of(&s, b, k) % 4));
    /* The neutral slot 3 stands where it falls in its batch, first where it is alone; the shuffled
     * and the late pass make batches of neutral images. */
    double places = 0;
    for (size_t b = 0; b < 2; b++) {
        const double *noise = &s.scores.noise[b * PASS_COUNT];
        double place = (double)(place_of(&s, b, 3) % 4);
        assert_true(noise[PASS_FIRST] == place && noise[PASS_AGAIN] == place);
        assert_true(noise[PASS_ALONE] == 0);
        assert_true(noise[PASS_LATE] == (double)b);
        places += noise[PASS_SHUFFLED];
    }
    assert_true(places == 1); /* 0 and 1, in either order */
    assert_int_equal(count_marks(&s, 0, PASS_ALONE), 2);
    assert_int_equal(count_marks(&s, 0, PASS_SHUFFLED), 1);
    assert_int_equal(count_marks(&s, 0, PASS_LATE), 1);
    assert_int_equal(count_marks(&s, 0, PASS_AGAIN), 2);
    stop(&s, job);
}

static void test_a_batch_longer_than_a_base(void **state)
{
    (void)state;
    photo_session s;
    const char *const options[] = {"scorer", "planted:position=1", "batch", "64", NULL};
    write_photos("photos", 3);
    tare_job *job = start(&s, options, &everything);
    assert_int_equal(photo_batch_count(&s.run, 0), 1); /* never shared with another base */
    for (size_t b = 0; b < 3; b++)
        for (size_t k = 0; k < 13; k++)
            assert_true(s.scores.value[photo_score_at(&s.run, 0, b, k)] ==
                        (double)place_of(&s, b, k));
    stop(&s, job);
}

/* ---- noise passes -------------------------------------------------------------------- */

static void test_which_noise_passes_are_made(void **state)
{
    (void)state;
    scorer_description d = {.batch = 1, .repeatable = true};
    static const bool one[] = {true, true, false, false, true};
    for (int pass = 0; pass < PASS_COUNT; pass++) {
        d.repeatable = true;
        d.batch = 1;
        assert_int_equal(photo_pass_made(pass, &d), one[pass]);
        d.batch = 2;
        assert_true(photo_pass_made(pass, &d));
        d.repeatable = false;
        assert_int_equal(photo_pass_made(pass, &d), pass == PASS_FIRST);
        assert_true(*photo_pass_name(pass));
    }
    assert_string_equal(photo_pass_name(-1), "");
    assert_string_equal(photo_pass_name(PASS_COUNT), "");
}

static void test_noise_without_batches(void **state)
{
    (void)state;
    photo_session s;
    const char *const options[] = {"scorer", "planted:noise=1", NULL};
    write_photos("photos", 3);
    tare_job *job = start(&s, options, &everything);
    for (size_t b = 0; b < 3; b++) {
        const double *noise = &s.scores.noise[b * PASS_COUNT];
        assert_true(isfinite(noise[PASS_FIRST]));
        assert_true(noise[PASS_AGAIN] == noise[PASS_FIRST] &&
                    noise[PASS_LATE] == noise[PASS_FIRST]); /* a pure function of the image */
        assert_true(isnan(noise[PASS_ALONE]) && isnan(noise[PASS_SHUFFLED]));
    }
    assert_int_equal(count_marks(&s, 0, PASS_ALONE), 0);
    assert_int_equal(count_marks(&s, 0, PASS_LATE), 3);
    stop(&s, job);
}

/* ---- scores ------------------------------------------------------------------------- */

static void test_planted_scores_arrive(void **state)
{
    (void)state;
    photo_session s;
    const char *const options[] = {"scorer", "planted:dose=2,offset=1", "scorer",
                                   "planted:attribute=1", "scorer", "planted:luminance=1",
                                   "batch", "3", NULL};
    write_photos("photos", 3);
    tare_job *job = start(&s, options, &everything);
    assert_int_equal(s.scores.scored, 3 * 3 * 13);
    for (size_t b = 0; b < 3; b++)
        for (size_t k = 0; k < 13; k++) {
            size_t at = b * 13 + k;
            double dose = k < 7 ? s.plan.slots[k].dose : 0; /* a sham replicate is no dose */
            assert_close(s.scores.value[at], 2 * dose + 1);
            assert_close(s.scores.value[39 + at], photo_slot_measures(&s.run, b, k).tone.ita);
            double before = k ? s.scores.value[78 + at - 1] : -INFINITY;
            if (k < 7) assert_true(s.scores.value[78 + at] > before); /* lighter by each dose */
        }
    for (size_t b = 0; b < 3; b++) /* by the path of each operator */
        for (size_t x = 0; x < 2; x++)
            assert_int_equal(s.run.measures.state[photo_row(&s.run, b, x, 3)], MEASURED_EQUAL);
    stop(&s, job);
}

static void test_failures_are_statuses(void **state)
{
    (void)state;
    photo_session s;
    const char *const options[] = {"scorer", "planted:offset=1,fail=0.5", NULL};
    write_photos("photos", 3);
    tare_job *job = start(&s, options, &everything);
    size_t failed = 0;
    for (size_t k = 0; k < 39; k++) {
        failed += s.scores.status[k] == TARE_R_SCORER_ERROR;
        assert_int_equal(isnan(s.scores.value[k]), s.scores.status[k] != TARE_R_NONE);
    }
    assert_true(failed > 5 && failed < 34); /* of 39, half of them drawn */
    assert_int_equal(s.scores.scored + failed, 39);
    assert_string_equal(s.scores.note[0], "planted failure");
    stop(&s, job);
    const char *const all[] = {"output", in_scratch("out2"), "scorer", "planted:fail=1", NULL};
    job = job_with(context, "audit", in_scratch("photos"), all);
    assert_int_equal(tare_job_run(job, &err), TARE_E_INSTRUMENT);
    assert_non_null(strstr(err.message, "planted failure"));
    tare_job_free(job);
}

/* ---- tare score on a table of variants ------------------------------------------------- */

static void test_variants_are_scored_as_the_table_says(void **state)
{
    (void)state;
    photo_session s;
    write_photos("photos", 2);
    write_text("photos/v.csv", "base,arm,file,dose,attribute,artifact\n"
                               "a,skin,p0.png,-5,10,0.5\nb,skin,p1.png,5,20,0.25\n");
    const char *const options[] = {"output", in_scratch("out"), "scorer",
                                   "planted:dose=1,attribute=100,clip=-4", NULL};
    tare_job *job = job_with(context, "score", in_scratch("photos/v.csv"), options);
    result_init(&job->result, &context->mem);
    assert_ok(photo_session_run(&s, job, &(photo_session_options){.score = true}, &err));
    assert_int_equal(s.plan.slot_count, 1);
    assert_close(s.scores.value[0], -5 + 1000 + 2);
    assert_close(s.scores.value[1], 5 + 2000 + 1);
    assert_true(isnan(s.scores.noise[PASS_AGAIN])); /* scoring alone asks once */
    stop(&s, job);
}

int main(void)
{
#define WITH_CONTEXT(test) cmocka_unit_test_setup_teardown(test, open_context, close_context)
    const struct CMUnitTest tests[] = {
        WITH_CONTEXT(test_batches_are_cut_as_documented),
        WITH_CONTEXT(test_a_batch_longer_than_a_base),
        WITH_CONTEXT(test_which_noise_passes_are_made),
        WITH_CONTEXT(test_noise_without_batches),
        WITH_CONTEXT(test_planted_scores_arrive),
        WITH_CONTEXT(test_failures_are_statuses),
        WITH_CONTEXT(test_variants_are_scored_as_the_table_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
