/* A stop of the context ends a call that is under way. */
#include <pthread.h>
#include <signal.h>
#include <string.h>

#include "base/os.h"
#include "support/ort_fixture.h"

/* Of slow.onnx to its end: the slowest of all machines is meant to take longer than a tenth. */
static double whole_time;

static tare_status ask(ort_session *s, tare_error *err)
{
    float x[ORT_IMAGE];
    ort_output out;
    mem m = mem_system();
    ort_pixels(x, ORT_IMAGE);
    const ort_tensor in = {"image", ORT_F32, 4, {1, 3, 8, 8}, x};
    tare_status status = ort_session_run(&out, s, &in, 1, "score", err);
    if (status != TARE_OK) assert_null(out.value);
    mem_free(&m, out.value);
    return status;
}

static void it_runs_to_its_end_if_nobody_stops_it(void **state)
{
    (void)state;
    tare_error err;
    tare_context *c = ort_context();
    ort_session *s = ort_model(c, "slow.onnx");
    double begin = os_seconds();
    assert_ok(ask(s, &err));
    whole_time = os_seconds() - begin;
    assert_true(whole_time > 0.2);
    ort_session_close(s);
    tare_context_free(c);
}

static void *stop_later(void *arg)
{
    usleep(100000);
    tare_context_stop(arg);
    return NULL;
}

static void a_stop_of_another_thread_ends_it(void **state)
{
    (void)state;
    tare_error err;
    pthread_t stopper;
    tare_context *c = ort_context();
    ort_session *s = ort_model(c, "slow.onnx"), *other = ort_model(c, "mean.onnx");
    double begin = os_seconds();
    assert_int_equal(pthread_create(&stopper, NULL, stop_later, c), 0);
    assert_int_equal(ask(s, &err), TARE_E_STOPPED);
    assert_true(os_seconds() - begin < 0.1 + whole_time / 2);
    pthread_join(stopper, NULL);
    assert_int_equal(ask(s, &err), TARE_E_STOPPED); /* and stays stopped */
    assert_int_equal(ask(other, &err), TARE_E_STOPPED);
    ort_session_close(other);
    ort_session_close(s);
    tare_context_free(c);
}

static tare_context *interrupted;

static void on_alarm(int number)
{
    (void)number;
    tare_context_stop(interrupted);
}

/* As Ctrl-C: the handler runs on the very thread that computes. */
static void a_signal_ends_it(void **state)
{
    (void)state;
    tare_error err;
    struct sigaction act = {.sa_handler = on_alarm}, before;
    interrupted = ort_context();
    ort_session *s = ort_model(interrupted, "slow.onnx");
    sigaction(SIGALRM, &act, &before);
    ualarm(100000, 0);
    double begin = os_seconds();
    assert_int_equal(ask(s, &err), TARE_E_STOPPED);
    assert_true(os_seconds() - begin < 0.1 + whole_time / 2);
    sigaction(SIGALRM, &before, NULL);
    ort_session_close(s);
    tare_context_free(interrupted);
}

static void a_stopped_context_opens_and_closes_sessions(void **state)
{
    (void)state;
    tare_error err;
    tare_context *c = ort_context();
    tare_context_stop(c);
    ort_session *s = NULL;
    const ort_open what = {NULL, ort_place("mean.onnx"), NULL, 0, NULL};
    assert_int_equal(ort_session_open(&s, c, &what, &err), TARE_E_STOPPED);
    assert_null(s);
    tare_context_free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_runs_to_its_end_if_nobody_stops_it),
        cmocka_unit_test(a_stop_of_another_thread_ends_it),
        cmocka_unit_test(a_signal_ends_it),
        cmocka_unit_test(a_stopped_context_opens_and_closes_sessions),
    };
    NEED_ORT();
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    ort_fixture_end();
    return failed;
}
