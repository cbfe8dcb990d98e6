/* What is called when a stop is asked for. */
#include <pthread.h>
#include <signal.h>
#include <string.h>

#include "base/context.h"
#include "base/os.h"
#include "support/check.h"

typedef struct called {
    pthread_mutex_t lock;
    pthread_cond_t wake;
    int times;
    pthread_t on;
} called;

static void count(void *arg)
{
    called *c = arg;
    pthread_mutex_lock(&c->lock); /* would not be allowed in a signal handler */
    c->times++;
    c->on = pthread_self();
    pthread_cond_broadcast(&c->wake);
    pthread_mutex_unlock(&c->lock);
}

static int wait_for(called *c, int times)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 20;
    pthread_mutex_lock(&c->lock);
    while (c->times < times && pthread_cond_timedwait(&c->wake, &c->lock, &until) == 0) {}
    int n = c->times;
    pthread_mutex_unlock(&c->lock);
    return n;
}

#define CALLED_INIT {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, 0}

static tare_context *interrupted;

static void on_signal(int number)
{
    (void)number;
    tare_context_stop(interrupted);
}

static void hooks_are_called_once_for_a_signal(void **state)
{
    (void)state;
    tare_error err;
    called a = CALLED_INIT, b = CALLED_INIT, gone = CALLED_INIT;
    stop_hook ha = {.act = count, .arg = &a}, hb = {.act = count, .arg = &b};
    stop_hook hg = {.act = count, .arg = &gone};
    assert_ok(tare_context_new(&interrupted, NULL, &err));
    stop_watch_add(&interrupted->watch, &ha);
    stop_watch_add(&interrupted->watch, &hg);
    stop_watch_add(&interrupted->watch, &hb);
    stop_watch_remove(&interrupted->watch, &hg);
    struct sigaction act = {.sa_handler = on_signal}, before;
    sigaction(SIGUSR1, &act, &before);
    raise(SIGUSR1);
    raise(SIGUSR1);
    sigaction(SIGUSR1, &before, NULL);
    assert_int_equal(wait_for(&a, 1), 1);
    assert_int_equal(wait_for(&b, 1), 1);
    assert_false(pthread_equal(a.on, pthread_self()));
    stop_watch_remove(&interrupted->watch, &ha); /* is not in any more */
    tare_context_free(interrupted);
    assert_int_equal(a.times, 1);
    assert_int_equal(b.times, 1);
    assert_int_equal(gone.times, 0);
}

static void a_hook_that_comes_late_is_called_at_once(void **state)
{
    (void)state;
    tare_error err;
    tare_context *c;
    called a = CALLED_INIT;
    stop_hook hook = {.act = count, .arg = &a};
    assert_ok(tare_context_new(&c, NULL, &err));
    tare_context_stop(c);
    stop_watch_add(&c->watch, &hook);
    assert_int_equal(a.times, 1);
    stop_watch_remove(&c->watch, &hook);
    tare_context_free(c);
    assert_int_equal(a.times, 1);
}

/* A stop at any moment while hooks come and go: each is called or was removed before. */
static void *stop_soon(void *arg)
{
    tare_context_stop(arg);
    return NULL;
}

static void a_stop_may_come_at_any_moment(void **state)
{
    (void)state;
    tare_error err;
    for (int round = 0; round < 200; round++) {
        tare_context *c;
        pthread_t stopper;
        called stays = CALLED_INIT, goes = CALLED_INIT;
        stop_hook hs = {.act = count, .arg = &stays}, hg = {.act = count, .arg = &goes};
        assert_ok(tare_context_new(&c, NULL, &err));
        assert_int_equal(pthread_create(&stopper, NULL, stop_soon, c), 0);
        for (int i = 0; i < round; i++) {
            stop_watch_add(&c->watch, &hg);
            stop_watch_remove(&c->watch, &hg);
        }
        stop_watch_add(&c->watch, &hs);
        assert_int_equal(wait_for(&stays, 1), 1);
        pthread_join(stopper, NULL);
        tare_context_free(c);
        assert_int_equal(stays.times, 1);
        assert_true(goes.times <= round);
    }
}

/* Without a stop: late ones in the order of their deadlines, whatever the order they came in. */
static void deadlines_are_kept(void **state)
{
    (void)state;
    tare_error err;
    tare_context *c;
    called far = CALLED_INIT, near = CALLED_INIT, gone = CALLED_INIT, never = CALLED_INIT;
    double now = os_seconds();
    stop_hook hf = {.act = count, .arg = &far, .deadline = now + 0.2};
    stop_hook hn = {.act = count, .arg = &near, .deadline = now + 0.05};
    stop_hook hg = {.act = count, .arg = &gone, .deadline = now + 0.05};
    stop_hook hx = {.act = count, .arg = &never};
    assert_ok(tare_context_new(&c, NULL, &err));
    stop_watch_add(&c->watch, &hx);
    stop_watch_add(&c->watch, &hf);
    stop_watch_add(&c->watch, &hn);
    stop_watch_add(&c->watch, &hg);
    stop_watch_remove(&c->watch, &hg);
    assert_int_equal(wait_for(&near, 1), 1);
    assert_true(os_seconds() - now >= 0.05);
    assert_int_equal(wait_for(&far, 1), 1);
    assert_true(os_seconds() - now >= 0.2);
    stop_watch_remove(&c->watch, &hn);
    stop_watch_remove(&c->watch, &hf);
    assert_true(hf.late && hn.late);
    stop_hook again = {.act = count, .arg = &near, .deadline = os_seconds() + 0.01};
    stop_watch_add(&c->watch, &again); /* the thread has gone to sleep for good meanwhile */
    assert_int_equal(wait_for(&near, 2), 2);
    stop_watch_remove(&c->watch, &again);
    stop_hook stopped = {.act = count, .arg = &far, .deadline = os_seconds() + 1000};
    stop_watch_add(&c->watch, &stopped);
    tare_context_stop(c);
    assert_int_equal(wait_for(&far, 2), 2);
    stop_watch_remove(&c->watch, &stopped);
    assert_false(stopped.late);
    assert_int_equal(wait_for(&never, 1), 1);
    tare_context_free(c);
    assert_int_equal(gone.times, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hooks_are_called_once_for_a_signal),
        cmocka_unit_test(a_hook_that_comes_late_is_called_at_once),
        cmocka_unit_test(a_stop_may_come_at_any_moment),
        cmocka_unit_test(deadlines_are_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
