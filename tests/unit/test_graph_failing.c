/* Each allocation fails in turn while graphs and heads are made: MEMORY, no graph, nothing left. */
#include <string.h>

#include "support/failing_mem.h"
#include "unit/tower_fixture.h"

static void *resize(void *user, void *p, size_t bytes)
{
    return failing_mem_resize(user, p, bytes);
}

static const char *const FIVE[] = {"0", "2", "4", "6", "7"};

/* All that is made of a BLIP file whose weights are unaligned, so that all are copied. */
static tare_status make(arena *a, const checkpoint *c, graph_model *image, graph_model *words,
                        tare_error *err)
{
    tower_plan p = plan_blip(), q = plan_bert();
    affine_head head;
    relu_head layers;
    const double x[48] = {1};
    double value;
    tare_status status = graph_plan_vision(&p, c, err);
    if (status == TARE_OK) status = graph_plan_bert(&q, c, err);
    if (status == TARE_OK) status = graph_vision(image, a, c, &p, 2, err);
    if (status == TARE_OK) status = graph_bert(words, a, c, &q, err);
    if (status == TARE_OK) status = affine_head_fold(&head, a, c, "mlp.layers.", FIVE, 5, err);
    if (status == TARE_OK) status = relu_head_read(&layers, a, c, "mlp.layers.", FIVE, 5, err);
    if (status == TARE_OK) status = relu_head_value(&value, &layers, a->m, x, err);
    return status;
}

/* The k-th allocation after the file was opened fails. */
static tare_status one_round(failing_mem *f, long k, tare_error *err)
{
    tare_context *context = NULL;
    tare_context_options o = TARE_CONTEXT_OPTIONS_INIT;
    checkpoint *c = NULL;
    graph_model image = {.bytes = NULL}, words = {.bytes = NULL};
    arena a;
    failing_mem_start(f, 0);
    o.user = f;
    o.resize = resize;
    assert_int_equal(tare_context_new(&context, &o, err), TARE_OK);
    assert_int_equal(checkpoint_open(&c, context, ort_place("odd.safetensors"), err), TARE_OK);
    arena_init(&a, &context->mem);
    atomic_store(&f->left, k);
    tare_status status = make(&a, c, &image, &words, err);
    if (status == TARE_OK) assert_true(image.length > 0 && words.length > 0);
    if (image.bytes == NULL) assert_true(image.externals.count == 0 && image.data == NULL);
    arena_free(&a);
    checkpoint_close(c);
    tare_context_free(context);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    tare_error err;
    failing_mem f;
    formula_list l = list_blip();
    formula_save(&l, ort_place("odd.safetensors"), TENSOR_F16, 1);
    formula_free(&l);
    long k = 1, step = 1, seen = 0;
    for (;; k += step) {
        tare_status status = one_round(&f, k, &err);
        assert_int_equal(failing_mem_live(&f), 0);
        if (!failing_mem_failed(&f)) {
            assert_int_equal(status, TARE_OK);
            break;
        }
        if (status != TARE_E_MEMORY) fail_msg("allocation %ld: status %d", k, (int)status);
        assert_int_equal(err.status, TARE_E_MEMORY);
        seen++;
        step = k < 300 ? 1 : 17; /* thousands of small texts, all alike */
    }
    assert_true(seen > 300);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_allocation_may_fail)};
    NEED_ORT();
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    ort_fixture_end();
    return failed;
}
