/* Each allocation of ours fails in turn, while a session is opened and asked: MEMORY, and nothing
 * is left behind. */
#include <string.h>

#include "support/failing_mem.h"
#include "support/ort_fixture.h"

static void *resize(void *user, void *p, size_t bytes)
{
    return failing_mem_resize(user, p, bytes);
}

/* The k-th allocation after the context is made fails. */
static tare_status open_and_ask(failing_mem *f, long k, const char *model, tare_error *err)
{
    tare_context *c = NULL;
    tare_context_options o = TARE_CONTEXT_OPTIONS_INIT;
    ort_session *s = NULL;
    ort_output out = {.value = NULL};
    float x[ORT_IMAGE];
    ort_pixels(x, ORT_IMAGE);
    failing_mem_start(f, 0);
    o.user = f;
    o.resize = resize;
    assert_int_equal(tare_context_new(&c, &o, err), TARE_OK);
    atomic_store(&f->left, k);
    const ort_open what = {NULL, ort_place(model), NULL, 0, NULL};
    const ort_tensor in = {"image", ORT_F32, 4, {1, 3, 8, 8}, x};
    tare_status status = ort_session_open(&s, c, &what, err);
    if (status == TARE_OK) status = ort_session_run(&out, s, &in, 1, "embedding", err);
    if (status == TARE_OK) status = ort_check(c, NULL, NULL, NULL, err);
    mem_free(&c->mem, out.value);
    ort_session_close(s);
    tare_context_free(c);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    static const char *const models[] = {"tower.onnx", "beside.onnx"};
    tare_error err;
    failing_mem f;
    assert_int_equal(open_and_ask(&f, 0, "tower.onnx", &err), TARE_OK);
    size_t open_files = ort_open_files();
    for (size_t i = 0; i < 2; i++) {
        long k = 1;
        for (; k < 1000; k++) {
            tare_status status = open_and_ask(&f, k, models[i], &err);
            assert_int_equal(failing_mem_live(&f), 0);
            assert_int_equal(ort_open_files(), open_files);
            if (!failing_mem_failed(&f)) {
                assert_int_equal(status, TARE_OK);
                break;
            }
            if (status != TARE_E_MEMORY) fail_msg("allocation %ld: status %d", k, (int)status);
        }
        assert_true(k > 20 && k < 1000);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_allocation_may_fail)};
    NEED_ORT();
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    ort_fixture_end();
    return failed;
}
