/* What a run does where memory, rights or photographs are not there: it says of which photograph,
 * and what to do. */
#include <string.h>

#include "audit/photos/photo_look.h"
#include "audit/photos/photo_session.h"
#include "photo_fixture.h"
#include "support/check.h"

static tare_error err;

static int make(void **state)
{
    (void)state;
    memset(&err, 0, sizeof err);
    scratch_make();
    return 0;
}

static int unmake(void **state)
{
    (void)state;
    scratch_remove();
    return 0;
}

/* ---- memory ------------------------------------------------------------------------- */

struct little { size_t most; };

/* A machine on which no block is larger than `most`. */
static void *resize(void *user, void *p, size_t bytes)
{
    if (bytes == 0) {
        free(p);
        return NULL;
    }
    return bytes > ((struct little *)user)->most ? NULL : realloc(p, bytes);
}

static tare_status run(const struct little *little, const char *command, const char *output)
{
    tare_context *context;
    tare_context_options o = TARE_CONTEXT_OPTIONS_INIT;
    o.threads = 2;
    o.user = (void *)little;
    if (little) o.resize = resize;
    memset(&err, 0, sizeof err);
    assert_ok(tare_context_new(&context, &o, &err));
    const char *const options[] = {"output", in_scratch(output), NULL};
    tare_job *job = job_with(context, command, in_scratch("photos"), options);
    tare_status status = tare_job_run(job, &err);
    tare_job_free(job);
    tare_context_free(context);
    return status;
}

static void names_it(const char *photograph)
{
    assert_non_null(strstr(err.where, photograph));
    assert_non_null(strstr(err.message, "--threads"));
    assert_non_null(strstr(err.message, "--max-pixels"));
}

static void test_out_of_memory_names_the_photograph(void **state)
{
    (void)state;
    const size_t bytes = 3 * 1200 * 1200;
    write_photo("photos/a.png", 1, 24, 28);
    write_photo("photos/large.png", 2, 1200, 1200);
    const struct little none = {bytes - 1};
    assert_int_equal(run(&none, "perturb", "survey"), TARE_E_MEMORY); /* cannot be decoded */
    names_it("large.png");
    const struct little some = {bytes + 4096};
    assert_int_equal(run(&some, "perturb", "variants"), TARE_E_MEMORY); /* no room for its Lab */
    names_it("large.png");
}

static void test_flights_are_bounded_by_bytes(void **state)
{
    (void)state;
    tare_context *context;
    tare_context_options o = TARE_CONTEXT_OPTIONS_INIT;
    o.threads = 8;
    assert_ok(tare_context_new(&context, &o, &err));
    plan_base bases[2] = {{.width = 10, .height = 10}, {.width = 10000, .height = 10000}};
    photo_plan plan = {.bases = bases, .base_count = 2};
    photo_run run = {.context = context, .plan = &plan};
    /* 2 GiB are 5.4 pictures of 4 x 10^8 bytes. */
    assert_int_equal(photo_flight_window(&run, 1), 5);
    assert_int_equal(photo_flight_window(&run, 2), 2);
    assert_int_equal(photo_flight_window(&run, 14), 1); /* one there must be */
    bases[1].reason = TARE_R_NO_SKIN; /* is not scored */
    assert_int_equal(photo_flight_window(&run, 14), 18);
    tare_context_free(context);
}

/* ---- photographs that join late ----------------------------------------------------- */

static tare_status audit(const char *output, bool named)
{
    tare_context *context;
    assert_ok(tare_context_new(&context, NULL, &err));
    const char *const options[] = {"output", in_scratch(output), "manifest", in_scratch("m.csv"),
                                   "boot-b", "99", "perm-p", "99", "strips", "0", "scorer",
                                   "planted:dose=1,noise=0.5,position=0.25", "batch", "2", NULL};
    memset(&err, 0, sizeof err);
    tare_job *job = job_with(context, "audit", in_scratch(named ? "photos" : output),
                             named ? options : NULL);
    tare_status status = tare_job_run(job, &err);
    tare_job_free(job);
    tare_context_free(context);
    return status;
}

/* The noise passes count their batches over the usable photographs: one more moves them all. */
static void test_a_late_photograph_leaves_the_rows_of_a_fresh_run(void **state)
{
    (void)state;
    write_photos("photos", 5);
    write_text("m.csv", "file,mask\np0.png,\np1.png,mask.png\np2.png,\np3.png,\np4.png,\n");
    assert_ok(audit("late", true));
    write_half_mask("photos/mask.png", 24, 28);
    assert_ok(audit("late", true));
    assert_ok(audit("late", true)); /* nothing is left to do */
    assert_ok(audit("late", false));
    assert_ok(audit("fresh", true));
    text late, fresh;
    dump_store(&late, in_scratch("late"), 1);
    dump_store(&fresh, in_scratch("fresh"), 1);
    assert_true(fresh.length > 1000);
    assert_string_equal(late.data, fresh.data);
    text_free(&late);
    text_free(&fresh);
}

/* ---- what a run folder may not do by itself, and what it cannot ---------------------- */

static void stop_at_once(void *user, const tare_progress *p)
{
    (void)p;
    tare_context_stop(*(tare_context **)user);
}

static void test_a_folder_starts_no_program(void **state)
{
    (void)state;
    static tare_context *context;
    static const char spec[] = "exec:false";
    tare_context_options o = TARE_CONTEXT_OPTIONS_INIT;
    o.user = &context;
    o.progress = stop_at_once; /* it is not finished, and would need its instrument */
    write_photos("photos", 2);
    assert_ok(tare_context_new(&context, &o, &err));
    const char *const options[] = {"output", in_scratch("out"), "scorer", "planted:luminance=1",
                                   NULL};
    tare_job *job = job_with(context, "score", in_scratch("photos"), options);
    assert_int_equal(tare_job_run(job, &err), TARE_E_STOPPED);
    tare_job_free(job);
    tare_context_free(context);
    assert_ok(tare_context_new(&context, NULL, &err));
    store *s = NULL; /* what somebody else may write into a folder */
    assert_ok(store_open(&s, &context->mem, in_scratch("out"), false, &err));
    assert_ok(store_set(s, "option.scorer.0", spec, &err));
    store_close(s);
    job = job_with(context, "score", in_scratch("out"), NULL);
    tare_status status = tare_job_run(job, &err);
    tare_job_free(job);
    tare_context_free(context);
    assert_int_equal(status, TARE_E_USAGE);
    assert_string_equal(err.code, "run.program");
    assert_non_null(strstr(err.message, spec));
}

static void test_a_strip_that_cannot_be_drawn_is_named(void **state)
{
    (void)state;
    tare_context *context;
    write_photos("photos", 3);
    write_text("m.csv", "file\np0.png\np1.png\np2.png\n");
    assert_ok(audit("out", true));
    remove(in_scratch("photos/p1.png"));
    assert_ok(tare_context_new(&context, NULL, &err));
    tare_job *job = job_with(context, "audit", in_scratch("out"),
                             (const char *[]){"strips", "3", "show", "p1.png", NULL});
    assert_ok(tare_job_run(job, &err));
    bool cautioned = false, logged = false;
    for (size_t k = 0; k < job->result.caution_count; k++)
        cautioned |= strstr(job->result.cautions[k], "p1.png cannot be shown") != NULL;
    for (size_t k = 0; k < job->result.log_count; k++)
        logged |= !strcmp(job->result.log[k].key, "p1.png") &&
                  strstr(job->result.log[k].value, "No such file") != NULL;
    tare_job_free(job);
    tare_context_free(context);
    assert_true(cautioned && logged);
}

/* ---- what is recorded ---------------------------------------------------------------- */

static void test_looks_are_words(void **state)
{
    (void)state;
    static const char *const words[][6] = {
        {"png RGBA;16 6 converted", "png", "RGBA;16", "6", "converted"},
        {"gif - - -", "gif", "", "", ""},
        {"", "", "", "", ""},          /* a folder of before */
        {"a b", "a", "b", "", ""}};    /* of nobody knows whom */
    mem m = mem_system();
    arena a;
    arena_init(&a, &m);
    for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
        const char *got[LOOK_COUNT];
        assert_ok(photo_look_words(got, words[k][0], &a, &err));
        for (size_t j = 0; j < LOOK_COUNT; j++) assert_string_equal(got[j], words[k][1 + j]);
    }
    arena_free(&a);
    char out[PHOTO_LOOK_MAX];
    unsigned char pixel[3] = {0};
    photo_look_write(out, &(image){.format = IMAGE_TIFF, .stored = IMAGE_CMYK, .bits = 16,
                                   .rgb = pixel, .orientation = 8, .icc = IMAGE_ICC_UNREADABLE});
    assert_string_equal(out, "tiff CMYK;16 8 unreadable");
    photo_look_write(out, &(image){.format = IMAGE_NOT});
    assert_string_equal(out, "- - - -");
}

int main(void)
{
#define IN_SCRATCH(test) cmocka_unit_test_setup_teardown(test, make, unmake)
    const struct CMUnitTest tests[] = {
        IN_SCRATCH(test_out_of_memory_names_the_photograph),
        IN_SCRATCH(test_flights_are_bounded_by_bytes),
        IN_SCRATCH(test_a_late_photograph_leaves_the_rows_of_a_fresh_run),
        IN_SCRATCH(test_a_folder_starts_no_program),
        IN_SCRATCH(test_a_strip_that_cannot_be_drawn_is_named),
        IN_SCRATCH(test_looks_are_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
