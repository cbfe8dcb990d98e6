/* infer.h where things go wrong: bad calls, odd numbers, no memory. */
#include "unit/infer_fixture.h"

static void test_bad_calls(void **state)
{
    (void)state;
    static const uint32_t outside[2] = {0, 9};
    fixture f;
    tare_error err;
    inference a, d;
    double x[8];
    infer_column column = {x, NULL};
    infer_smooth g = {.g = ratio, .first = 1, .count = 2};
    fixture_init(&f, "bad", 8, 1);
    normals(x, 8, "bad", 0);
    assert_int_equal(infer_mean(&a, &f.plan, &column, &(infer_rows){outside, 2}, NULL, &err),
                     TARE_E_USAGE);
    a = mean_of(&f.plan, x, NULL, f.each, 8, NULL);
    assert_int_equal(infer_difference(&d, &a, &a, &f.plan, true, NULL, &err), TARE_E_USAGE);
    assert_int_equal(infer_totals(&a, &f.plan, &(infer_sums){x, 1}, &g, 1, NULL, &err),
                     TARE_E_USAGE);
    infer_draws *draws = NULL;
    assert_ok(infer_plan_prepare(&draws, &f.plan, &err));
    f.plan.draws = draws;
    f.plan.boot_b = 500; /* not what the draws were made for */
    assert_int_equal(infer_mean(&a, &f.plan, &column, &(infer_rows){f.each, 8}, NULL, &err),
                     TARE_E_USAGE);
    infer_draws_free(draws);
    f.plan.draws = NULL;
    f.plan.boot_b = 0;
    assert_int_equal(infer_mean(&a, &f.plan, &column, &(infer_rows){f.each, 8}, NULL, &err),
                     TARE_E_USAGE);
    infer_draws_free(NULL);
    fixture_free(&f);
}

/* Whatever the numbers are: an answer is complete and in order, or there is a reason. */
static void assert_complete(const inference *r)
{
    if (r->reason[0] != '\0') {
        assert_true(isnan(r->p) && isnan(r->lo));
        return;
    }
    assert_true(isfinite(r->estimate) && isfinite(r->se) && isfinite(r->df));
    assert_true(r->lo <= r->lo90 && r->lo90 <= r->hi90 && r->hi90 <= r->hi);
    assert_true(r->p >= r->p_floor && r->p >= 0 && r->p <= 1);
    assert_true(r->interval_method[0] != '\0' && r->p_method[0] != '\0');
}

static void test_any_numbers(void **state)
{
    (void)state;
    static const double odd[8] = {0, -0.0, 1, 1e-300, -1e300, 1e300, NAN, INFINITY};
    fixture f;
    tare_error err;
    rng_stream s;
    fixture_init(&f, "any", 35, 1);
    f.plan.boot_b = f.plan.perm_p = 39;
    rng_start(&s, rng_key_of(1, "any"), 0, 0);
    for (int round = 0; round < 3000; round++) {
        double x[70], z[35 * 2];
        uint32_t cluster[70];
        size_t n = rng_bounded(&s, 71);
        inference r;
        uint32_t kind = rng_bounded(&s, 4), most = 1 + rng_bounded(&s, 35);
        f.plan.interval = rng_bounded(&s, 4);
        f.plan.boot_p = rng_bounded(&s, 2);
        for (size_t i = 0; i < n; i++) {
            cluster[i] = rng_bounded(&s, most);
            x[i] = kind == 0   ? odd[rng_bounded(&s, 6)]
                   : kind == 1 ? odd[rng_bounded(&s, 8)]
                   : kind == 2 ? rng_bounded(&s, 3)
                               : rng_uniform(&s) - .5;
        }
        r = mean_of(&f.plan, x, NULL, cluster, n, NULL);
        assert_complete(&r);
        for (int i = 0; i < 70; i++)
            z[i] = kind < 2 ? odd[rng_bounded(&s, 8)] : rng_bounded(&s, kind == 2 ? 2 : 1000);
        infer_smooth g = {.g = ratio};
        assert_ok(infer_totals(&r, &f.plan, &(infer_sums){z, 2}, &g, 1, NULL, &err));
        assert_complete(&r);
    }
    fixture_free(&f);
}

/* ---- Memory ---------------------------------------------------------------------------------- */

typedef struct rationed {
    mem system;
    long left;
} rationed;

static void *resize_rationed(void *user, void *pointer, size_t bytes)
{
    rationed *r = user;
    if (bytes > 0 && r->left-- <= 0) return NULL;
    return r->system.resize(r->system.user, pointer, bytes);
}

/* Fail the first, the second, ... allocation until none fails. */
static void test_every_allocation(void **state)
{
    (void)state;
    fixture f;
    tare_error err;
    rationed r = {mem_system(), 0};
    mem m = {resize_rationed, &r};
    double x[40], z[80];
    infer_column columns[2] = {{x, NULL}, {x, NULL}};
    fixture_init(&f, "mem", 40, 1);
    normals(x, 40, "mem", 0);
    normals(z, 80, "mem z", 3);
    f.plan.m = &m;
    f.plan.boot_b = f.plan.perm_p = 60;
    infer_rows rows = {f.each, 40};
    infer_smooth g = {.g = ratio, .count = 2};
    tare_status status = TARE_E_MEMORY;
    long ration = 0;
    for (; status != TARE_OK; ration++) {
        inference out[2], d;
        arena keep;
        arena_init(&keep, &m);
        r.left = ration;
        status = infer_means(out, &f.plan, columns, 2, &rows, &keep, &err);
        if (status == TARE_OK)
            status = infer_difference(&d, &out[0], &out[1], &f.plan, true, &keep, &err);
        if (status == TARE_OK)
            status = infer_totals(out, &f.plan, &(infer_sums){z, 2}, &g, 1, &keep, &err);
        assert_true(status == TARE_OK || status == TARE_E_MEMORY);
        arena_free(&keep);
    }
    assert_true(ration > 20);
    fixture_free(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bad_calls),
        cmocka_unit_test(test_any_numbers),
        cmocka_unit_test(test_every_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
