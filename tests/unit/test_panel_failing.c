/* Memory that runs out at any point of the panel audit gives MEMORY, no crash and no leak. */
#include "support/check.h"

#include "panel_fixture.h"
#include "support/failing_mem.h"

/* The k-th allocation fails, counted from the end of making the context; 0: none. */
static tare_status run_once(panel_bench *b, long k)
{
    tare_context_options o = TARE_CONTEXT_OPTIONS_INIT;
    tare_error err = {0};
    failing_mem f;
    mem m = failing_mem_start(&f, 0);
    o.threads = 1;
    o.user = m.user;
    o.resize = m.resize;
    assert_ok(tare_context_new(&b->context, &o, &err));
    atomic_store(&f.left, k);
    tare_status status = PANEL_RUN(b, "search=yes", "panel=x=w0,w1", "sequence=w1,w2", "boot-b=99",
                                   "perm-p=99", "folds=2");
    if (status != TARE_OK) assert_int_equal(err.status, status);
    tare_job_free(b->job);
    b->job = NULL;
    tare_context_free(b->context);
    b->context = NULL;
    assert_int_equal(failing_mem_live(&f), 0);
    return status;
}

/* Every allocation of the first hundreds, where things are set up; then every seventh. */
static void allocations_may_fail(void **state)
{
    (void)state;
    panel_bench b;
    panel_bench_open(&b, 1);
    tare_context_free(b.context);
    text_add(&b.csv, "item,author,judge,score,gold\n");
    for (int i = 0; i < 8; i++)
        for (int a = 0; a < 2; a++)
            for (int j = 0; j < 3; j++)
                text_add_format(&b.csv, "i%d,w%d,w%d,%d,%d\n", i, a, j, (i * (3 + j) + a) % 5,
                                (i + a) % 3);
    assert_int_equal(run_once(&b, 0), TARE_OK);
    long failures = 0;
    for (long n = 1;; n += n < 300 ? 1 : 7) {
        tare_status status = run_once(&b, n);
        if (status == TARE_OK) break;
        assert_int_equal(status, TARE_E_MEMORY);
        failures++;
    }
    assert_true(failures > 100);
    panel_bench_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(allocations_may_fail)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
