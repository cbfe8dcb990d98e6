/* Kendall on published data. Expected: judge audits C.9 golden 2 and 3, statistics 16.4; more
 * digits from scipy.stats.kendalltau on the same file. */
#include "stats/kendall.h"
#include "unit/expert_fixture.h"

static experts data;

static kendall tau_of(const double *x, const double *y, size_t n)
{
    mem m = mem_system();
    tare_error err;
    kendall k;
    assert_ok(kendall_tau(&k, x, y, n, &m, &err));
    return k;
}

/* The judge's score once per rating, and against the sum of the three. */
static void check_judge(const double *score, const double want[4], size_t distinct)
{
    static double x[RATINGS], y[RATINGS], sum[CAPTIONS];
    for (int i = 0; i < CAPTIONS; i++) {
        sum[i] = 0;
        for (int r = 0; r < EXPERTS; r++) {
            x[i * EXPERTS + r] = score[i];
            y[i * EXPERTS + r] = data.rating[i][r];
            sum[i] += data.rating[i][r];
        }
    }
    kendall rows = tau_of(x, y, RATINGS), mean = tau_of(score, sum, CAPTIONS);
    assert_close(rows.tau_b, want[0]);
    assert_close(rows.tau_c, want[1]);
    assert_close(mean.tau_b, want[2]);
    assert_close(mean.tau_c, want[3]);
    assert_true(rows.distinct_y == 4 && mean.distinct_y == 10 && rows.distinct_x == distinct);
}

static void test_judge(void **state)
{
    (void)state;
    static const double smooth[4] = {.5266601449313081, .5302570102780172, .5769787138015692,
                                     .5598595362035884};
    static const double raw[4] = {.5608223074284965, .3491122313162695, .5609925298703143,
                                  .3365582086263703};
    size_t distinct = tau_of(data.smooth, data.raw, CAPTIONS).distinct_x;
    assert_true(distinct > 1000);
    check_judge(data.smooth, smooth, distinct);
    check_judge(data.raw, raw, 10);
}

static void test_experts(void **state)
{
    (void)state;
    static const double pairs[3] = {.774730, .655243, .778514};
    static const double rest[3] = {.691853, .807760, .762805};
    static double x[EXPERTS][CAPTIONS], others[CAPTIONS];
    double mean[4] = {0};
    for (int r = 0; r < EXPERTS; r++)
        for (int i = 0; i < CAPTIONS; i++) x[r][i] = data.rating[i][r];
    assert_within(tau_of(x[0], x[1], CAPTIONS).tau_b, pairs[0], 0, 5e-7);
    assert_within(tau_of(x[0], x[2], CAPTIONS).tau_b, pairs[1], 0, 5e-7);
    assert_within(tau_of(x[1], x[2], CAPTIONS).tau_b, pairs[2], 0, 5e-7);
    for (int r = 0; r < EXPERTS; r++) {
        for (int i = 0; i < CAPTIONS; i++)
            others[i] = x[0][i] + x[1][i] + x[2][i] - x[r][i];
        kendall one = tau_of(x[r], others, CAPTIONS);
        kendall judge = tau_of(data.smooth, others, CAPTIONS);
        assert_within(one.tau_b, rest[r], 0, 5e-7);
        mean[0] += one.tau_b / 3;
        mean[1] += one.tau_c / 3;
        mean[2] += judge.tau_b / 3;
        mean[3] += judge.tau_c / 3;
    }
    assert_within(mean[0], .754139, 0, 1e-6);
    assert_within(mean[1], .613227, 0, 1e-6);
    assert_within(mean[2], .572952, 0, 1e-6);
    assert_within(mean[3], .553834, 0, 1e-6);
}

int main(void)
{
    NEED_SHARED();
    experts_read(&data);
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_judge),
                                       cmocka_unit_test(test_experts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
