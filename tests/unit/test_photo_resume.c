/* Stopped at any moment and opened again, a run's store is that of an uninterrupted run; changed
 * photographs are noticed in every walk. */
#include <stdatomic.h>
#include <string.h>

#include "audit/photos/photo_session.h"
#include "photo_fixture.h"
#include "support/check.h"

#define PHOTOGRAPHS 3
#define SCORERS 2

static tare_error err;

/* A context that asks itself to stop at the k-th allocation: moments inside every walk, on the
 * calling thread and on workers. */
typedef struct stopper {
    tare_context *context;
    atomic_long left; /* <= 0: never, or past it */
    long progress;    /* stop at this call of progress; 0: never */
} stopper;

static void *resize(void *user, void *p, size_t bytes)
{
    stopper *s = user;
    if (bytes == 0) {
        free(p);
        return NULL;
    }
    if (atomic_fetch_sub(&s->left, 1) == 1) tare_context_stop(s->context);
    return realloc(p, bytes);
}

static void see_progress(void *user, const tare_progress *p)
{
    (void)p;
    stopper *s = user;
    if (s->progress && --s->progress == 0) tare_context_stop(s->context);
}

static void open_stopper(stopper *s, unsigned threads)
{
    tare_context_options o = TARE_CONTEXT_OPTIONS_INIT;
    *s = (stopper){0};
    o.threads = threads;
    o.user = s;
    o.resize = resize;
    o.progress = see_progress;
    assert_ok(tare_context_new(&s->context, &o, &err));
}

static int make(void **state)
{
    (void)state;
    memset(&err, 0, sizeof err);
    scratch_make();
    write_photos("photos", PHOTOGRAPHS);
    write_plain("photos/blue.png", 24, 28, 20, 60, 200);
    return 0;
}

static int unmake(void **state)
{
    (void)state;
    scratch_remove();
    return 0;
}

/* One call on `folder`; the input is the photographs, or the run folder itself. */
static tare_status run(stopper *s, const char *folder, bool by_folder, size_t *readings)
{
    const char *const options[] = {"output", in_scratch(folder), "scorer",
                                   "planted:dose=1,noise=0.5,position=0.25", "scorer",
                                   "planted:luminance=3,fail=0.1", "batch", "4", "boot-b", "99",
                                   "perm-p", "99", "strips", "1", NULL};
    tare_job *job = job_with(s->context, "audit", in_scratch(by_folder ? folder : "photos"),
                             by_folder ? NULL : options);
    memset(&err, 0, sizeof err);
    tare_status status = tare_job_run(job, &err);
    if (readings) *readings = tare_job_reading_count(job);
    tare_job_free(job);
    tare_context_free(s->context);
    return status;
}

static void same_stores(const char *x, const char *y)
{
    text a, b;
    dump_store(&a, in_scratch(x), SCORERS);
    dump_store(&b, in_scratch(y), SCORERS);
    assert_true(a.length > 1000);
    if (strcmp(a.data, b.data)) fail_msg("%s and %s hold different rows", x, y);
    text_free(&a);
    text_free(&b);
}

/* Allocations of a whole run. */
static long whole_run(unsigned threads, size_t *readings)
{
    stopper s;
    open_stopper(&s, threads);
    atomic_store(&s.left, 1L << 40);
    assert_ok(run(&s, "whole", false, readings));
    return (1L << 40) - atomic_load(&s.left);
}

static void stop_everywhere(unsigned threads, int moments)
{
    size_t wanted = 0, got = 0;
    long total = whole_run(threads, &wanted);
    int stopped = 0;
    assert_true(wanted > 20);
    for (int k = 0; k < moments; k++) {
        char folder[32];
        stopper s;
        snprintf(folder, sizeof folder, "out%d", k);
        open_stopper(&s, threads);
        atomic_store(&s.left, 1 + total * k / moments);
        tare_status status = run(&s, folder, false, NULL);
        if (status != TARE_OK && status != TARE_E_STOPPED)
            fail_msg("stopped at %d of %d: %s [%s] %s", k, moments, err.where, err.code,
                     err.message);
        stopped += status == TARE_E_STOPPED;
        open_stopper(&s, threads);
        status = run(&s, folder, k % 2, &got);
        if (status == TARE_E_DATA && k % 2 && !strcmp(err.code, "run.input")) {
            open_stopper(&s, threads); /* stopped before it began: it says so, and takes them */
            status = run(&s, folder, false, &got);
        }
        if (status) fail_msg("after %d of %d: [%s] %s", k, moments, err.code, err.message);
        assert_int_equal(got, wanted);
        same_stores("whole", folder);
    }
    assert_true(stopped > moments / 4);
}

static void test_stopped_at_many_moments(void **state)
{
    (void)state;
    stop_everywhere(1, 40);
}

static void test_stopped_with_threads(void **state)
{
    (void)state;
    stop_everywhere(4, 16);
}

/* Stopped again and again, each time a little later, the run still ends. */
static void test_stopped_again_and_again(void **state)
{
    (void)state;
    long total = whole_run(1, NULL);
    tare_status status = TARE_E_STOPPED;
    int turns = 0;
    for (; status == TARE_E_STOPPED && turns < 100; turns++) {
        stopper s;
        open_stopper(&s, 1);
        atomic_store(&s.left, (turns + 1) * total / 8);
        status = run(&s, "out", false, NULL);
    }
    assert_ok(status);
    assert_true(turns >= 3);
    same_stores("whole", "out");
}

static void test_stopped_from_progress(void **state)
{
    (void)state;
    whole_run(2, NULL);
    for (long k = 1; k <= 3; k++) { /* the end of looking, of scoring, of the noise passes */
        stopper s;
        char folder[32];
        snprintf(folder, sizeof folder, "out%ld", k);
        open_stopper(&s, 2);
        s.progress = k;
        assert_int_equal(run(&s, folder, false, NULL), TARE_E_STOPPED);
        assert_string_equal(err.code, "stopped");
        open_stopper(&s, 2);
        assert_ok(run(&s, folder, true, NULL));
        same_stores("whole", folder);
    }
}

/* ---- changed photographs ------------------------------------------------------------- */

/* Stop at the k-th progress, change the first photograph, go on. */
static void change_after(long k, bool gone)
{
    stopper s;
    char folder[32];
    snprintf(folder, sizeof folder, "out%ld%d", k, gone);
    write_photo("photos/p0.png", 0, 24, 28);
    open_stopper(&s, 2);
    s.progress = k;
    assert_int_equal(run(&s, folder, false, NULL), TARE_E_STOPPED);
    if (gone) remove(in_scratch("photos/p0.png"));
    else write_photo("photos/p0.png", 1, 24, 28);
    open_stopper(&s, 2);
    assert_int_equal(run(&s, folder, true, NULL), TARE_E_DATA);
    assert_string_equal(err.code, "run.changed");
    assert_non_null(strstr(err.where, "p0.png"));
    write_photo("photos/p0.png", 0, 24, 28); /* put back, the run goes on */
    open_stopper(&s, 2);
    assert_ok(run(&s, folder, true, NULL));
}

static void test_changed_photographs_are_noticed(void **state)
{
    (void)state;
    change_after(1, false); /* before scoring */
    change_after(1, true);
    change_after(2, false); /* before the noise passes */
    change_after(2, true);
}

static void test_changed_mask_is_noticed(void **state)
{
    (void)state;
    stopper s;
    write_half_mask("photos/mask/p1.png", 24, 28);
    write_text("m.csv", "file,mask\np0.png,\np1.png,mask/p1.png\n");
    for (int turn = 0; turn < 2; turn++) {
        open_stopper(&s, 1);
        s.progress = !turn; /* p0 is finished, p1 is not begun */
        tare_job *job = job_with(s.context, "perturb", in_scratch("photos"),
                                 (const char *[]){"output", in_scratch("masked"), "manifest",
                                                  in_scratch("m.csv"), NULL});
        assert_int_equal(tare_job_run(job, &err), turn ? TARE_E_DATA : TARE_E_STOPPED);
        tare_job_free(job);
        tare_context_free(s.context);
        write_plain("photos/mask/p1.png", 24, 28, 255, 255, 255);
    }
    assert_string_equal(err.code, "run.changed");
    assert_non_null(strstr(err.where, "mask/p1.png"));
}

int main(void)
{
#define IN_SCRATCH(test) cmocka_unit_test_setup_teardown(test, make, unmake)
    const struct CMUnitTest tests[] = {
        IN_SCRATCH(test_stopped_at_many_moments),
        IN_SCRATCH(test_stopped_with_threads),
        IN_SCRATCH(test_stopped_again_and_again),
        IN_SCRATCH(test_stopped_from_progress),
        IN_SCRATCH(test_changed_photographs_are_noticed),
        IN_SCRATCH(test_changed_mask_is_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
