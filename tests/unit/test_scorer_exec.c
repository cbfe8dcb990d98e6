/* exec: external programs, the good (examples/exec_scorer.py) and the bad
 * (tests/support/bad_instrument.py). */
#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/context.h"
#include "base/os.h"
#include "image/image.h"
#include "scorer/scorer.h"
#include "support/check.h"

#define PROBE "exec:/usr/bin/python3 '" TARE_SOURCE_DIR "/tests/support/bad_instrument.py' "

static tare_context *context;
static tare_error err;
static image picture;
static char folder[64], marker[128], log_file[128];

static int set_up(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/tare-exec-XXXXXX");
    if (!mkdtemp(folder) || tare_context_new(&context, NULL, &err) != TARE_OK) return 1;
    snprintf(marker, sizeof marker, "%s/marker", folder);
    snprintf(log_file, sizeof log_file, "%s/log", folder);
    if (image_new(&picture, &context->mem, 40, 30, &err) != TARE_OK) return 1;
    for (size_t i = 0; i < 3 * image_pixels(&picture); i++) picture.rgb[i] = (unsigned char)(i * 7);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    image_free(&picture, &context->mem);
    tare_context_free(context);
    unlink(marker);
    unlink(log_file);
    return rmdir(folder); /* not empty: a file was left behind */
}

/* No child is left, dead or alive. */
static void assert_no_children(void)
{
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
}

static scorer *open_mode(const char *mode, const scorer_options *options)
{
    char spec[512];
    scorer *s = NULL;
    unlink(marker);
    snprintf(spec, sizeof spec, PROBE "%s %s", mode, marker);
    assert_ok(scorer_open(&s, context, spec, options, &err));
    return s;
}

static tare_status open_fails(const char *mode, double timeout)
{
    char spec[512];
    scorer *s = NULL;
    scorer_options o = SCORER_OPTIONS_DEFAULT;
    o.timeout_seconds = timeout;
    o.log_path = log_file;
    snprintf(spec, sizeof spec, PROBE "%s %s", mode, marker);
    tare_status status = scorer_open(&s, context, spec, &o, &err);
    assert_null(s);
    assert_no_children();
    return status;
}

static tare_status score(scorer *s, scorer_result *results, size_t n)
{
    static const char *const keys[] = {"skin/+5/b1", "skin/+5/b2", "a\"b\n", "d"};
    scorer_item items[4];
    for (size_t i = 0; i < n; i++)
        items[i] = (scorer_item){.key = keys[i], .base = "b", .arm = "skin", .group = "",
                                 .prompt = i == 1 ? "four" : "", .dose = 5, .attribute = NAN,
                                 .artifact = NAN, .pixels = &picture};
    return scorer_score(s, results, items, n, &err);
}

static scorer_options batches_of(size_t n)
{
    scorer_options o = SCORER_OPTIONS_DEFAULT;
    o.batch = n;
    o.timeout_seconds = 20;
    return o;
}

static void test_good(void **state)
{
    (void)state;
    static const char *const modes[] = {"good", "backwards", "pieces", "lower"};
    for (size_t k = 0; k < sizeof modes / sizeof *modes; k++) {
        scorer_result r[4];
        scorer_options o = batches_of(4);
        scorer *s = open_mode(modes[k], &o);
        const scorer_description *d = scorer_describe(s);
        assert_string_equal(d->name, "probe");
        assert_true(d->identified && !d->parallel && d->repeatable && d->needs_pixels);
        assert_true(d->sign == (k == 3 ? -1.0 : 1.0));
        for (size_t n = 1; n <= 4; n++) { /* short batches are filled up */
            assert_ok(score(s, r, n));
            for (size_t i = 0; i < n; i++) assert_true(r[i].value == 40030);
        }
        scorer_close(s);
        assert_no_children();
    }
}

static void test_batch_above_maximum(void **state)
{
    (void)state;
    scorer *s = NULL;
    scorer_options o = batches_of(17);
    assert_int_equal(scorer_open(&s, context, PROBE "good", &o, &err), TARE_E_USAGE);
    assert_string_equal(err.code, "exec.batch");
    assert_no_children();
}

/* Whole batches fail; the process is kept, and what comes late is not taken for what comes next. */
static void test_wrong_replies_fail_their_batch(void **state)
{
    (void)state;
    static const char *const modes[] = {"garbage", "text", "missing", "doubled", "unknown",
                                        "surplus", "wrong_id", "array", "whole_error"};
    for (size_t k = 0; k < sizeof modes / sizeof *modes; k++) {
        scorer_options o = batches_of(2);
        scorer *s = open_mode(modes[k], &o);
        for (int again = 0; again < 3; again++) {
            scorer_result r[2];
            assert_ok(score(s, r, 2));
            for (int i = 0; i < 2; i++) {
                assert_int_equal(r[i].status, TARE_R_SCORER_ERROR);
                assert_true(isnan(r[i].value) && *r[i].note);
            }
        }
        scorer_close(s);
        assert_no_children();
    }
}

static void test_single_items_fail(void **state)
{
    (void)state;
    static const struct { const char *mode; tare_reason reason; const char *note; } modes[] = {
        {"nan", TARE_R_SCORE_NONFINITE, "the scorer gave a number that is not finite"},
        {"infinity", TARE_R_SCORE_NONFINITE, "the scorer gave a number that is not finite"},
        {"null", TARE_R_SCORE_NONFINITE, "the scorer gave null"},
        {"errors", TARE_R_SCORER_ERROR, "no face ?found"}};
    for (size_t k = 0; k < sizeof modes / sizeof *modes; k++) {
        scorer_result r[2];
        scorer_options o = batches_of(2);
        scorer *s = open_mode(modes[k].mode, &o);
        assert_ok(score(s, r, 2));
        assert_int_equal(r[0].status, modes[k].reason);
        assert_string_equal(r[0].note, modes[k].note);
        assert_true(isnan(r[0].value));
        assert_true(r[1].status == TARE_R_NONE && r[1].value == 40030);
        scorer_close(s);
    }
}

/* A process that dies is started twice more and then given up; no batch is sent again. */
static void test_crashes(void **state)
{
    (void)state;
    static const char *const modes[] = {"crash", "abort", "flood", "huge", "close_stdout"};
    static const char *const notes[] = {"exit status 3", "signal 9", "16 MiB", "16 MiB", "ended"};
    for (size_t k = 0; k < sizeof modes / sizeof *modes; k++) {
        scorer_result r[1];
        scorer_options o = batches_of(1);
        scorer *s = open_mode(modes[k], &o);
        for (int again = 0; again < 5; again++) {
            assert_ok(score(s, r, 1));
            assert_int_equal(r[0].status, TARE_R_SCORER_ERROR);
            if (!strstr(r[0].note, notes[k])) fail_msg("%s: %s", modes[k], r[0].note);
            assert_true((again >= 3) == !strncmp(r[0].note, "given up", 8));
        }
        scorer_close(s);
        assert_no_children();
    }
}

static void test_one_crash_costs_one_batch(void **state)
{
    (void)state;
    scorer_result r[2];
    scorer_options o = batches_of(2);
    scorer *s = open_mode("crash_once", &o);
    assert_ok(score(s, r, 2));
    assert_int_equal(r[0].status, TARE_R_SCORER_ERROR);
    assert_int_equal(r[1].status, TARE_R_SCORER_ERROR);
    for (int again = 0; again < 3; again++) {
        assert_ok(score(s, r, 2));
        assert_true(r[0].value == 40030 && r[1].value == 40030);
    }
    scorer_close(s);
}

static void test_time_limit(void **state)
{
    (void)state;
    scorer_result r[1];
    scorer_options o = batches_of(1);
    o.timeout_seconds = 0.6;
    scorer *s = open_mode("hang_once", &o);
    double start = os_seconds();
    assert_ok(score(s, r, 1));
    assert_int_equal(r[0].status, TARE_R_TIMEOUT);
    assert_true(os_seconds() - start < 5);
    assert_ok(score(s, r, 1));
    assert_true(r[0].value == 40030);
    scorer_close(s);
    assert_no_children();
}

static void test_another_instrument_comes_back(void **state)
{
    (void)state;
    scorer_result r[1];
    scorer_options o = batches_of(1);
    scorer *s = open_mode("changed", &o);
    for (int again = 0; again < 3; again++) {
        assert_ok(score(s, r, 1));
        assert_int_equal(r[0].status, TARE_R_SCORER_ERROR);
    }
    assert_non_null(strstr(r[0].note, "another instrument"));
    scorer_close(s);
    assert_no_children();
}

static void test_bad_starts(void **state)
{
    (void)state;
    assert_int_equal(open_fails("exit_at_start", 20), TARE_E_INSTRUMENT);
    assert_non_null(strstr(err.message, "exit status 2"));
    char *log = NULL;
    size_t length;
    assert_ok(os_read_file(&log, &length, &context->mem, log_file, 1 << 20, &err));
    assert_non_null(strstr(log, "no module named aesthetics"));
    mem_free(&context->mem, log);
    assert_int_equal(open_fails("silent", 0.3), TARE_E_INSTRUMENT);
    assert_int_equal(open_fails("talks_first", 20), TARE_E_INSTRUMENT);
    assert_non_null(strstr(err.message, "Loading model..."));
    assert_int_equal(open_fails("hello_error", 20), TARE_E_INSTRUMENT);
    assert_non_null(strstr(err.message, "no GPU here"));
    scorer *s = NULL;
    assert_int_equal(scorer_open(&s, context, "exec:/nonexistent/program", NULL, &err),
                     TARE_E_INSTRUMENT);
    assert_int_equal(scorer_open(&s, context, "exec:/bin/true", NULL, &err), TARE_E_INSTRUMENT);
    assert_int_equal(scorer_open(&s, context, "exec:/bin/cat", NULL, &err), TARE_E_INSTRUMENT);
    assert_int_equal(scorer_open(&s, context, "exec:", NULL, &err), TARE_E_USAGE);
    assert_int_equal(scorer_open(&s, context, "exec:a 'b", NULL, &err), TARE_E_USAGE);
    scorer_options o = SCORER_OPTIONS_DEFAULT;
    o.log_path = "/nonexistent/folder/log";
    assert_int_equal(scorer_open(&s, context, "exec:/bin/cat", &o, &err), TARE_E_IO);
    assert_null(s);
    assert_no_children();
}

/* Output without end, or no ear for the request: nothing blocks, and no SIGPIPE. */
static void test_floods(void **state)
{
    (void)state;
    static const char *const modes[] = {"deaf_flood", "flood_lines", "deaf"};
    for (size_t k = 0; k < 3; k++) {
        scorer_result r[1];
        scorer_options o = batches_of(1);
        if (k == 2) o.timeout_seconds = 1; /* the request may have left before the ear closed */
        scorer *s = open_mode(modes[k], &o);
        for (int again = 0; again < 5; again++) {
            assert_ok(score(s, r, 1));
            assert_true(r[0].status == TARE_R_SCORER_ERROR ||
                        (k == 2 && r[0].status == TARE_R_TIMEOUT));
        }
        scorer_close(s);
        assert_no_children();
    }
}

static void test_prompt(void **state)
{
    (void)state;
    scorer_result r[2];
    scorer_options o = batches_of(2);
    scorer *s = open_mode("prompt", &o);
    assert_ok(score(s, r, 2));
    assert_true(r[0].value == strlen("a photo")); /* the default, scorers 3.1 */
    assert_true(r[1].value == strlen("four"));    /* the item's own */
    assert_non_null(strstr(scorer_describe(s)->identity, "\"prompt\":\"a photo\""));
    scorer_close(s);
}

static void test_files(void **state)
{
    (void)state;
    scorer_result r[2];
    scorer *s = NULL;
    scorer_options o = batches_of(2);
    assert_int_equal(scorer_open(&s, context, PROBE "path", &o, &err), TARE_E_USAGE);
    assert_string_equal(err.code, "exec.scratch");
    o.scratch = folder;
    s = open_mode("path", &o);
    assert_ok(score(s, r, 2));
    assert_true(r[0].value == 40030 && r[1].value == 40030);
    scorer_close(s); /* tear_down sees whether the files are gone */
}

/* A file name that is not UTF-8 still gets its score. */
static void test_odd_key(void **state)
{
    (void)state;
    scorer_result r;
    scorer *s = open_mode("good", NULL);
    scorer_item item = {.key = "skin/+5/b\xff.jpg", .base = "b", .arm = "skin", .group = "",
                        .prompt = "", .pixels = &picture};
    assert_ok(scorer_score(s, &r, &item, 1, &err));
    assert_true(r.value == 40030);
    scorer_close(s);
}

static void test_identity(void **state)
{
    (void)state;
    scorer *a = open_mode("good", NULL), *b = open_mode("backwards", NULL),
           *c = open_mode("no_fingerprint", NULL);
    assert_string_equal(scorer_describe(a)->identity_hash, scorer_describe(b)->identity_hash);
    assert_string_not_equal(scorer_describe(a)->identity_hash, scorer_describe(c)->identity_hash);
    assert_true(scorer_describe(a)->identified);
    assert_false(scorer_describe(c)->identified);
    assert_null(strstr(scorer_describe(c)->identity, "python")); /* no paths in files */
    scorer_close(a);
    scorer_close(b);
    scorer_close(c);
}

/* ---- processes and descriptors ---------------------------------------------------- */

static int open_descriptors(void)
{
    int n = 0;
    DIR *d = opendir("/proc/self/fd");
    assert_non_null(d);
    while (readdir(d)) n++;
    closedir(d);
    return n;
}

static void test_descriptors(void **state)
{
    (void)state;
    int before = open_descriptors(), leaked = dup(0); /* inheritable */
    scorer_result r[1];
    scorer *a = open_mode("good", NULL), *b = open_mode("descriptors", NULL);
    assert_ok(score(b, r, 1));
    assert_true(r[0].value == 3); /* input, output, messages */
    scorer_close(a);
    scorer_close(b);
    close(leaked);
    assert_int_equal(open_descriptors(), before);
}

static void test_the_whole_group_is_killed(void **state)
{
    (void)state;
    scorer_result r[1];
    scorer_options o = batches_of(1);
    o.timeout_seconds = 1.5;
    scorer *s = open_mode("grandchild", &o);
    assert_ok(score(s, r, 1));
    assert_int_equal(r[0].status, TARE_R_TIMEOUT);
    char *text = NULL;
    size_t length;
    assert_ok(os_read_file(&text, &length, &context->mem, marker, 100, &err));
    int pid = atoi(text);
    mem_free(&context->mem, text);
    assert_true(pid > 1);
    char path[64], state_of[256] = "";
    snprintf(path, sizeof path, "/proc/%d/stat", pid);
    for (int wait = 0; wait < 100; wait++, usleep(20000)) {
        FILE *f = fopen(path, "r");
        if (!f) break; /* reaped by init */
        if (!fgets(state_of, sizeof state_of, f)) *state_of = '\0';
        fclose(f);
        if (strstr(state_of, ") Z")) break; /* dead, and nobody has looked yet */
    }
    assert_true(access(path, F_OK) != 0 || strstr(state_of, ") Z"));
    scorer_close(s);
    assert_no_children();
}

static void test_a_child_that_stays_is_killed(void **state)
{
    (void)state;
    scorer_result r[1];
    scorer *s = open_mode("stays", NULL);
    assert_ok(score(s, r, 1));
    double start = os_seconds();
    scorer_close(s);
    assert_true(os_seconds() - start < 5);
    assert_no_children();
}

static void *stop_soon(void *arg)
{
    usleep(150000);
    tare_context_stop(arg);
    return NULL;
}

static void test_stop_while_waiting(void **state)
{
    (void)state;
    scorer_result r[1];
    pthread_t thread;
    tare_context *other = NULL;
    scorer *s = NULL;
    assert_ok(tare_context_new(&other, NULL, &err));
    assert_ok(scorer_open(&s, other, PROBE "hang", NULL, &err));
    assert_int_equal(pthread_create(&thread, NULL, stop_soon, other), 0);
    double start = os_seconds();
    assert_int_equal(score(s, r, 1), TARE_E_STOPPED);
    assert_true(os_seconds() - start < 3);
    assert_true(isnan(r[0].value) && r[0].status != TARE_R_NONE);
    pthread_join(thread, NULL);
    scorer_close(s);
    tare_context_free(other);
    assert_no_children();
}

static void *score_in_thread(void *arg)
{
    scorer_result r;
    tare_error mine;
    scorer_item item = {.key = "k", .base = "b", .arm = "", .group = "", .prompt = "",
                        .pixels = &picture};
    for (int k = 0; k < 20; k++)
        if (scorer_score(arg, &r, &item, 1, &mine) != TARE_OK || r.value != 40030) return arg;
    return NULL;
}

/* It says parallel = false; a caller that does not listen gets a queue, not a mess. */
static void test_threads_queue(void **state)
{
    (void)state;
    pthread_t thread[4];
    scorer *s = open_mode("good", NULL);
    for (int k = 0; k < 4; k++)
        assert_int_equal(pthread_create(&thread[k], NULL, score_in_thread, s), 0);
    for (int k = 0; k < 4; k++) {
        void *failed;
        pthread_join(thread[k], &failed);
        assert_null(failed);
    }
    scorer_close(s);
}

/* ---- the example of the manual ------------------------------------------------------ */

static void test_example(void **state)
{
    (void)state;
    if (system("/usr/bin/python3 -c 'import PIL' 2>/dev/null") != 0) {
        printf("skipped: /usr/bin/python3 has no PIL\n");
        skip();
    }
    scorer_result r[2];
    scorer *s = NULL;
    scorer_options o = batches_of(2);
    o.log_path = log_file;
    assert_ok(scorer_open(&s, context,
                          "exec:/usr/bin/python3 '" TARE_SOURCE_DIR "/examples/exec_scorer.py'",
                          &o, &err));
    assert_string_equal(scorer_describe(s)->name, "brightness");
    assert_true(scorer_describe(s)->identified);
    assert_ok(score(s, r, 2));
    /* Pillow's luma of the same pixels: (19595 R + 38470 G + 7471 B + 32768) >> 16. */
    double sum = 0;
    for (size_t i = 0; i < image_pixels(&picture); i++) {
        const unsigned char *c = picture.rgb + 3 * i;
        sum += (double)((19595u * c[0] + 38470u * c[1] + 7471u * c[2] + 32768u) >> 16);
    }
    assert_close(r[0].value, sum / (double)image_pixels(&picture));
    assert_close(r[1].value, r[0].value);
    scorer_close(s);
    assert_no_children();
}

/* A scorer of the user's own, in a module of its own. */
static void test_example_with_a_module(void **state)
{
    (void)state;
    if (system("/usr/bin/python3 -c 'import PIL' 2>/dev/null") != 0) {
        printf("skipped: /usr/bin/python3 has no PIL\n");
        skip();
    }
    static const char module[] =
        "def build():\n"
        "    print('loading weights')\n" /* must not reach the protocol */
        "    def width(images, prompts):\n"
        "        return [i.width + len(p) / 10 for i, p in zip(images, prompts)]\n"
        "    width.higher_is_better = False\n"
        "    return width\n";
    char path[160], spec[512];
    scorer_result r[2];
    scorer *s = NULL;
    scorer_options o = batches_of(2);
    snprintf(path, sizeof path, "%s/my_scorer.py", folder);
    assert_ok(os_write_file(path, module, strlen(module), &err));
    snprintf(spec, sizeof spec, "exec:/usr/bin/env PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=%s "
             "/usr/bin/python3 '" TARE_SOURCE_DIR "/examples/exec_scorer.py' my_scorer:build",
             folder);
    assert_ok(scorer_open(&s, context, spec, &o, &err));
    assert_string_equal(scorer_describe(s)->name, "width");
    assert_true(scorer_describe(s)->sign == -1.0);
    assert_false(scorer_describe(s)->identified); /* it names no fingerprint */
    assert_ok(score(s, r, 2));
    assert_close(r[0].value, 40.7); /* "a photo" */
    assert_close(r[1].value, 40.4); /* "four"    */
    scorer_close(s);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_good), cmocka_unit_test(test_batch_above_maximum),
        cmocka_unit_test(test_wrong_replies_fail_their_batch),
        cmocka_unit_test(test_single_items_fail), cmocka_unit_test(test_crashes),
        cmocka_unit_test(test_one_crash_costs_one_batch), cmocka_unit_test(test_time_limit),
        cmocka_unit_test(test_another_instrument_comes_back), cmocka_unit_test(test_bad_starts),
        cmocka_unit_test(test_floods), cmocka_unit_test(test_prompt), cmocka_unit_test(test_files),
        cmocka_unit_test(test_odd_key), cmocka_unit_test(test_identity),
        cmocka_unit_test(test_descriptors),
        cmocka_unit_test(test_the_whole_group_is_killed),
        cmocka_unit_test(test_a_child_that_stays_is_killed),
        cmocka_unit_test(test_stop_while_waiting), cmocka_unit_test(test_threads_queue),
        cmocka_unit_test(test_example),
        cmocka_unit_test(test_example_with_a_module),
    };
    if (access("/usr/bin/python3", X_OK) != 0) {
        printf("skipped: no /usr/bin/python3\n");
        return 77;
    }
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
