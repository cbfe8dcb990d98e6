/* The context: options, messages, stopping, progress. */
#include "base/context.h"

#include <string.h>

#include "support/check.h"
#include "support/failing_mem.h"

typedef struct heard {
    failing_mem memory;
    int messages, shown;
    char last[4096];
    tare_progress progress;
} heard;

static void *resize(void *user, void *p, size_t bytes)
{
    return failing_mem_resize(&((heard *)user)->memory, p, bytes);
}

static void hear(void *user, tare_level level, const char *words)
{
    heard *h = user;
    h->messages++;
    snprintf(h->last, sizeof h->last, "%d %s", (int)level, words);
}

static void watch(void *user, const tare_progress *now)
{
    heard *h = user;
    h->shown++;
    h->progress = *now;
}

static void messages_and_progress_arrive(void **state)
{
    (void)state;
    heard h = {.messages = 0};
    failing_mem_start(&h.memory, 0);
    tare_context_options o = TARE_CONTEXT_OPTIONS_INIT;
    o.threads = 3;
    o.user = &h;
    o.resize = resize;
    o.message = hear;
    o.progress = watch;
    tare_context *c;
    tare_error err;
    assert_ok(tare_context_new(&c, &o, &err));
    assert_int_equal(pool_threads(c->pool), 3);
    assert_true(failing_mem_live(&h.memory) > 0);
    context_message(c, TARE_WARNING, "%s has %d", "it", 5);
    assert_string_equal(h.last, "1 it has 5");
    context_message(c, TARE_NOTE, "%s\xC2\x9B" "1m", "\x1B[31mred");
    assert_string_equal(h.last, "0 ?[31mred?1m");
    char filler[3000];
    memset(filler, 'x', sizeof filler);
    memcpy(filler + 2045, "\xE2\x82\xAC", 3); /* the cut falls into this character */
    filler[sizeof filler - 1] = '\0';
    context_message(c, TARE_NOTE, "%s", filler);
    assert_int_equal(strlen(h.last), 2 + 2045);
    progress p;
    progress_start(&p, c, "score", "image", 100, 40);
    for (int i = 0; i < 60; i++) progress_add(&p, 1);
    progress_end(&p);
    assert_true(h.shown >= 1 && h.shown < 60);
    assert_int_equal(h.progress.done, 100);
    assert_int_equal(h.progress.total, 100);
    assert_true(h.progress.seconds_left == 0);
    tare_context_free(c);
    assert_int_equal(failing_mem_live(&h.memory), 0);
}

static void a_stop_is_seen(void **state)
{
    (void)state;
    tare_context *c;
    tare_error err;
    assert_ok(tare_context_new(&c, NULL, &err));
    assert_ok(context_check(c, &err));
    tare_context_stop(c);
    assert_true(context_stopped(c));
    assert_int_equal(context_check(c, &err), TARE_E_STOPPED);
    context_message(c, TARE_NOTE, "nobody listens");
    tare_context_free(c);
    tare_context_free(NULL);
}

static void foreign_options_are_refused(void **state)
{
    (void)state;
    tare_context_options o = TARE_CONTEXT_OPTIONS_INIT;
    tare_context *c;
    tare_error err;
    o.size = 8;
    assert_int_equal(tare_context_new(&c, &o, &err), TARE_E_USAGE);
    assert_null(c);
    assert_string_equal(tare_version(), "0.1.0");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_and_progress_arrive),
        cmocka_unit_test(a_stop_is_seen),
        cmocka_unit_test(foreign_options_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
