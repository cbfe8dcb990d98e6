/* Kappa, alpha and ICC of the three experts of Flickr8k-Expert. Expected: judge audits C.9 golden
 * 3. */
#include "stats/agreement.h"
#include "unit/expert_fixture.h"

static experts data;

/* Categories 1..4. */
static double kappa_of(int a, int b, kappa_weights weights)
{
    double table[4][4] = {{0}};
    for (int i = 0; i < CAPTIONS; i++)
        table[(int)data.rating[i][a] - 1][(int)data.rating[i][b] - 1]++;
    return kappa_table(&table[0][0], 4, weights);
}

static void test_kappas(void **state)
{
    (void)state;
    assert_within(kappa_of(0, 1, KAPPA_NOMINAL), .632257, 0, 5e-7);
    assert_within(kappa_of(0, 1, KAPPA_LINEAR), .720691, 0, 5e-7);
    assert_within(kappa_of(0, 1, KAPPA_QUADRATIC), .819153, 0, 5e-7);
    assert_within(kappa_of(0, 2, KAPPA_NOMINAL), .302677, 0, 5e-7);
    assert_within(kappa_of(1, 2, KAPPA_NOMINAL), .582161, 0, 5e-7);
}

static void test_alphas(void **state)
{
    (void)state;
    mem m = mem_system();
    tare_error err;
    alpha_rows *r;
    alpha_result a;
    assert_ok(alpha_rows_new(&r, &data.rating[0][0], CAPTIONS, EXPERTS, &m, &err));
    void *scratch = malloc(alpha_scratch_bytes(r));
    alpha_weighted(&a, r, NULL, scratch);
    assert_within(a.alpha[ALPHA_NOMINAL], .488281, 0, 5e-7);
    assert_within(a.alpha[ALPHA_ORDINAL], .661394, 0, 5e-7);
    assert_within(a.alpha[ALPHA_INTERVAL], .737934, 0, 5e-7);
    assert_true(a.units == CAPTIONS && a.ratings == RATINGS && a.values == 4);
    free(scratch);
    alpha_rows_free(r);
}

static void test_iccs(void **state)
{
    (void)state;
    icc_result r;
    icc_weighted(&r, &data.rating[0][0], NULL, CAPTIONS, EXPERTS);
    assert_within(r.single[0], .7379564, 0, 5e-8);
    assert_within(r.single[1], .7450771, 0, 5e-8);
    assert_within(r.single[2], .8112082, 0, 5e-8);
    assert_within(r.mean[1], .8976277, 0, 5e-8);
    assert_within(r.mean[2], .9280084, 0, 5e-8);
}

int main(void)
{
    NEED_SHARED();
    experts_read(&data);
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_kappas),
                                       cmocka_unit_test(test_alphas), cmocka_unit_test(test_iccs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
