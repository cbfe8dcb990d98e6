/* exec: programs that mean harm or are badly broken (tests/support/bad_instrument.py): each ends as
 * a reason within the time limit, and nothing of it is left. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/context.h"
#include "base/os.h"
#include "image/image.h"
#include "scorer/scorer.h"
#include "support/check.h"

#define PROBE "exec:/usr/bin/python3 '" TARE_SOURCE_DIR "/tests/support/bad_instrument.py' "
#define LIMIT 1.5 /* seconds of a batch */
#define LATE 40.0 /* seconds for all restarts, on a slow machine */

static tare_context *context;
static tare_error err;
static image picture;
static char folder[64], marker[128];

static int set_up(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/tare-exec-XXXXXX");
    if (!mkdtemp(folder) || tare_context_new(&context, NULL, &err) != TARE_OK) return 1;
    snprintf(marker, sizeof marker, "%s/marker", folder);
    return image_new(&picture, &context->mem, 8, 6, &err) != TARE_OK;
}

static int tear_down(void **state)
{
    (void)state;
    image_free(&picture, &context->mem);
    tare_context_free(context);
    unlink(marker);
    return rmdir(folder);
}

/* One image to a program of this mode, and the end of the program. */
static scorer_result ask(const char *mode, double limit)
{
    char spec[512];
    scorer *s = NULL;
    scorer_result r;
    scorer_options o = SCORER_OPTIONS_DEFAULT;
    scorer_item item = {.key = "k", .base = "b", .arm = "", .group = "", .prompt = "",
                        .attribute = NAN, .artifact = NAN, .pixels = &picture};
    o.timeout_seconds = 30;
    snprintf(spec, sizeof spec, PROBE "%s %s", mode, marker);
    unlink(marker);
    double began = os_seconds();
    /* The limit holds for the start too, which a slow machine may need more for. */
    o.timeout_seconds = limit;
    for (int k = 0; k < 5 && scorer_open(&s, context, spec, &o, &err) != TARE_OK; k++)
        o.timeout_seconds *= 2;
    assert_non_null(s);
    memset(&r, 0, sizeof r);
    assert_ok(scorer_score(s, &r, &item, 1, &err));
    scorer_close(s);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
    if (os_seconds() - began > LATE) fail_msg("%s: %.0f seconds", mode, os_seconds() - began);
    return r;
}

static void expect(const char *mode, tare_reason reason)
{
    scorer_result r = ask(mode, reason == TARE_R_TIMEOUT ? LIMIT : 30);
    if (r.status != reason) fail_msg("%s: %s: %s", mode, tare_reason_name(r.status), r.note);
    assert_true(isnan(r.value) && *r.note);
    for (const char *c = r.note; *c; c++) assert_true((unsigned char)*c >= 0x20);
}

static void test_never_an_answer(void **state)
{
    (void)state;
    static const char *const modes[] = {"stopped", "drip", "many_children"};
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) expect(modes[i], TARE_R_TIMEOUT);
}

static void test_no_answer_at_all(void **state)
{
    (void)state;
    static const char *const modes[] = {"blank_drip", "half_line", "nul", "deep", "twice_a_key",
                                        "not_utf8"};
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
        expect(modes[i], TARE_R_SCORER_ERROR);
}

/* A number that no double holds is none. */
static void test_a_number_beyond_all_bounds(void **state)
{
    (void)state;
    scorer_result r = ask("huge_number", 30);
    assert_true(r.status == TARE_R_SCORER_ERROR || r.status == TARE_R_SCORE_NONFINITE);
    assert_true(isnan(r.value));
}

/* It has ended, and what it left behind holds its output open: nobody waits for that. */
static void test_a_child_that_left_the_group(void **state)
{
    (void)state;
    expect("escapes", TARE_R_TIMEOUT);
    long pid = 0;
    FILE *f = fopen(marker, "r");
    assert_non_null(f);
    assert_int_equal(fscanf(f, "%ld", &pid), 1);
    fclose(f);
    if (pid > 1) kill((pid_t)pid, SIGKILL);
}

/* Words on stderr go nowhere without a log, and hold nothing up. */
static void test_chatter_is_no_harm(void **state)
{
    (void)state;
    scorer_result r = ask("chatter", 30);
    assert_int_equal(r.status, TARE_R_NONE);
    assert_true(r.value == 8006);
}

int main(void)
{
#define ALONE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        ALONE(test_never_an_answer),          ALONE(test_no_answer_at_all),
        ALONE(test_a_number_beyond_all_bounds), ALONE(test_a_child_that_left_the_group),
        ALONE(test_chatter_is_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
