/* Agreement from cells: judge audits B.5, C.2; against kendall.h, SciPy and NumPy. */
#include "support/check.h"

#include <string.h>

#include "audit/panel/agree_cells.h"
#include "audit/panel/panel_study.h"
#include "panel_fixture.h"
#include "stats/kendall.h"
#include "stats/rank.h"

static tare_error err;
static mem m;
static arena a;

static int open(void **state)
{
    (void)state;
    m = mem_system();
    arena_init(&a, &m);
    return 0;
}

static int closed(void **state)
{
    (void)state;
    arena_free(&a);
    return 0;
}

static double agree(agree_kind kind, const double *x, const double *gold, size_t n,
                    const uint8_t *w, const agree_labels *labels)
{
    agree_column c;
    uint32_t *cluster = arena_new(&a, n, sizeof *cluster);
    for (size_t i = 0; i < n; i++) cluster[i] = (uint32_t)i;
    agree_rows r = {gold, cluster, n};
    assert_ok(agree_column_make(&c, &a, x, NULL, &r, &err));
    void *scratch = arena_new(&a, agree_column_scratch(&c, labels ? labels->count : 0), 1);
    return agree_of_column(kind, &c, w, labels, scratch);
}

/* scipy.stats.kendalltau (variants b and c), spearmanr, numpy.corrcoef; the weighted tau-b by a
 * double loop over pairs of distinct rows in NumPy. */
static void test_scipy(void **state)
{
    (void)state;
    static const double x[] = {3, 1, 2, 2, 5, 4, 4, 1, 3, 2.5};
    static const double y[] = {2, 1, 1, 3, 4, 4, 5, 2, 3, 2};
    static const uint8_t w[] = {2, 0, 1, 3, 1, 1, 0, 2, 1, 1};
    assert_close(agree(AGREE_TAU_B, x, y, 10, NULL, NULL), 0.6752110364284797);
    assert_close(agree(AGREE_TAU_C, x, y, 10, NULL, NULL), 0.675);
    assert_close(agree(AGREE_SPEARMAN, x, y, 10, NULL, NULL), 0.8056782621274001);
    assert_close(agree(AGREE_PEARSON, x, y, 10, NULL, NULL), 0.8038726143638826);
    assert_close(agree(AGREE_TAU_B, x, y, 10, w, NULL), 0.4199819515766669);
}

/* The same counts as kendall.h on random tied rows, weighted and not, few values and many. */
static void test_kendall(void **state)
{
    (void)state;
    enum { N = 60 };
    double x[N], y[N];
    uint8_t w[N];
    uint32_t w32[N];
    for (uint32_t round = 0; round < 60; round++) {
        double values = round % 3 == 0 ? 3 : round % 3 == 1 ? 12 : 1000;
        for (uint32_t i = 0; i < N; i++) {
            x[i] = floor(values * panel_uniform(1, round * 1000 + i));
            y[i] = floor(values * panel_uniform(2, round * 1000 + i));
            w32[i] = w[i] = (uint8_t)(3 * panel_uniform(3, round * 1000 + i));
        }
        kendall k;
        kendall_rows *rows;
        assert_ok(kendall_rows_new(&rows, x, y, N, &m, &err));
        void *scratch = arena_new(&a, kendall_scratch_bytes(rows), 1);
        kendall_weighted(&k, rows, NULL, scratch);
        assert_close(agree(AGREE_TAU_B, x, y, N, NULL, NULL), k.tau_b);
        assert_close(agree(AGREE_TAU_C, x, y, N, NULL, NULL), k.tau_c);
        kendall_weighted(&k, rows, w32, scratch);
        assert_close(agree(AGREE_TAU_B, x, y, N, w, NULL), k.tau_b);
        assert_close(agree(AGREE_TAU_C, x, y, N, w, NULL), k.tau_c);
        assert_close(agree(AGREE_SPEARMAN, x, y, N, w, NULL), kendall_spearman(rows, w32, scratch));
        kendall_rows_free(rows);
    }
}

/* Means that are equal on paper are ties: 0.1 + 0.2 and 0.3. */
static void test_ties_on_paper(void **state)
{
    (void)state;
    static const double x[] = {.1 + .2, .3, .5, .6}, exact[] = {.3, .3, .5, .6};
    static const double y[] = {1, 2, 3, 4};
    double got = agree(AGREE_TAU_B, x, y, 4, NULL, NULL);
    assert_true(got == agree(AGREE_TAU_B, exact, y, 4, NULL, NULL));
    assert_true(got < 1);
}

static void test_undefined(void **state)
{
    (void)state;
    static const double x[] = {1, 1, 1}, y[] = {1, 2, 3}, gaps[] = {NAN, 2, NAN};
    for (int kind = AGREE_TAU_B; kind <= AGREE_SPEARMAN; kind++) {
        assert_true(isnan(agree((agree_kind)kind, x, y, 3, NULL, NULL)));
        assert_true(isnan(agree((agree_kind)kind, y, gaps, 3, NULL, NULL)));
    }
    static const uint8_t none[] = {0, 0, 0};
    assert_true(isnan(agree(AGREE_TAU_B, y, y, 3, none, NULL)));
}

/* Votes .5 and means are labels: the nearest, halves by the policy. Worked by hand. */
static void test_labels(void **state)
{
    (void)state;
    static const double value[] = {0, 1};
    static const double x[] = {1, .5, 0, .75, .5, .2}, y[] = {1, 1, 0, 0, 0, 0};
    agree_labels l = {value, 2, TIES_AUTO};
    assert_close(agree(AGREE_ACCURACY, x, y, 6, NULL, &l), 4. / 6);
    l.ties = TIES_LOW;
    assert_close(agree(AGREE_ACCURACY, x, y, 6, NULL, &l), 4. / 6);
    l.ties = TIES_HIGH;
    assert_close(agree(AGREE_ACCURACY, x, y, 6, NULL, &l), 4. / 6);
    l.ties = TIES_DROP;
    assert_close(agree(AGREE_ACCURACY, x, y, 6, NULL, &l), 3. / 4);
    /* Ties to 1: votes 1 1 0 1 1 0; agree 4/6, by chance (4/6)(2/6) + (2/6)(4/6) = 4/9. */
    l.ties = TIES_HIGH;
    assert_close(agree(AGREE_KAPPA, x, y, 6, NULL, &l), (4. / 6 - 4. / 9) / (1 - 4. / 9));
}

/* Poisson-binomial by numpy.convolve. */
static void test_independent(void **state)
{
    (void)state;
    static const double four[] = {.6, .7, .8, .55}, three[] = {.9, .6, .7};
    double scratch[8];
    assert_close(votes_independent(four, 4, scratch), 0.738);
    assert_close(votes_independent(three, 3, scratch), 0.834);
    assert_close(votes_independent(three, 1, scratch), .9);
}

/* Phi = a + q is recovered exactly, whatever the self cells say (B.4). */
static void test_effects(void **state)
{
    (void)state;
    static const double a_true[] = {5, 3, 8}, q_true[] = {1, -2, .5, .5};
    static const size_t self[] = {0, 3, SIZE_MAX};
    double phi[12], effect[3], scratch[7 * 8];
    for (size_t g = 0; g < 4; g++)
        for (size_t k = 0; k < 3; k++)
            phi[g * 3 + k] = self[k] == g ? 1000 : a_true[k] + q_true[g];
    effects_input in = {phi, self, 4, 3};
    assert_true(leave_self_effects(effect, &in, scratch));
    for (size_t k = 0; k < 3; k++) assert_close(effect[k], a_true[k]);
    /* One judge, one author: only the self cell. */
    static const size_t only[] = {0};
    effects_input alone = {phi, only, 1, 1};
    assert_false(leave_self_effects(effect, &alone, scratch));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scipy),       cmocka_unit_test(test_kendall),
        cmocka_unit_test(test_ties_on_paper), cmocka_unit_test(test_undefined),
        cmocka_unit_test(test_labels),      cmocka_unit_test(test_independent),
        cmocka_unit_test(test_effects),
    };
    return cmocka_run_group_tests(tests, open, closed);
}
