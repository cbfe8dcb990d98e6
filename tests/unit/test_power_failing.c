/* Memory that runs out at any point of tare power gives MEMORY, no crash and no leak. */
#include "support/check.h"

#include "power_fixture.h"
#include "support/failing_mem.h"

/* The k-th allocation fails, counted from the end of making the context; 0: none. */
static tare_status run_once(power_bench *b, const char *const *options, long k)
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
    tare_status status = power_bench_run(b, options, &err);
    if (status != TARE_OK) assert_int_equal(err.status, status);
    tare_job_free(b->job);
    b->job = NULL;
    tare_context_free(b->context);
    b->context = NULL;
    assert_int_equal(failing_mem_live(&f), 0);
    return status;
}

static void fail_each(power_bench *b, const char *const *options)
{
    long failures = 0;
    assert_int_equal(run_once(b, options, 0), TARE_OK);
    for (long n = 1;; n += n < 60 ? 1 : 11) {
        tare_status status = run_once(b, options, n);
        if (status == TARE_OK) break;
        assert_int_equal(status, TARE_E_MEMORY);
        failures++;
    }
    assert_true(failures > 20);
}

static void allocations_may_fail(void **state)
{
    (void)state;
    static const char *const stated[] = {"bases=24", "clusters=12", "icc=0.2", "sd-base=0.1",
                                         "effect=0.1", "grid=-1,0,1", "simulate=2", "boot-b=99",
                                         "perm-p=99", "groups=2", "group-effect=0.1", NULL};
    static const char *const pilot[] = {"effect=0.5", "effect=beta=0.1", "bases=20", NULL};
    power_bench b;
    power_bench_open(&b, 1);
    tare_context_free(b.context);
    fail_each(&b, stated);
    text_add(&b.csv, "base,dose,scorer,score,attribute,artifact\n");
    for (int i = 0; i < 8; i++)
        for (int j = -1; j <= 1; j++)
            text_add_format(&b.csv, "b%d,%d,s,%d,%d,%d\n", i, j, (i * 5 + j * 3 + 9) % 7,
                            10 * j + i % 3 * j * j, j * j * (i % 4));
    fail_each(&b, pilot);
    power_bench_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(allocations_may_fail)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
