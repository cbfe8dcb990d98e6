#include <string.h>

#include "base/mem.h"
#include "stats/ordinal.h"
#include "support/check.h"

enum { N = 240, P = 3 };

/* Five levels that lean on three columns. */
static void fill(double *x, double *y, uint32_t *cluster)
{
    for (int i = 0; i < N; i++) {
        x[i] = ((7 * i) % 11 - 5) / 3.;
        x[N + i] = (i * i + 3 * i) % 7 == 0;
        x[2 * N + i] = ((5 * i * i + i) % 13) / 6.;
        double latent = .9 * x[i] - .7 * x[N + i] + .4 * x[2 * N + i]
                        + ((i * 37 + i * i * 11) % 29 - 14) / 6.;
        y[i] = 1 + (latent >= -2) + (latent >= -.5) + (latent >= .6) + (latent >= 2.2);
        cluster[i] = (uint32_t)(i % 20);
    }
}

/* Coefficients and thresholds: statsmodels OrderedModel (logit) agrees to 9 digits with Newton's
 * method in NumPy on the same likelihood, whose digits these are; errors from its Hessian by
 * differences of the gradient, and from its scores summed by cluster times 20/19. */
static void test_reference(void **state)
{
    (void)state;
    tare_error err;
    mem m = mem_system();
    arena a;
    double x[N * P], y[N];
    uint32_t cluster[N];
    ordinal_fit fit;
    arena_init(&a, &m);
    fill(x, y, cluster);
    linear_model model = {.n = N, .p = P, .x = x, .y = y};
    linear_clusters by = {cluster, 20, 0};
    assert_ok(ordinal_logit(&fit, &model, &by, &a, &err));
    const double threshold[4] = {-2.03567659217, -.199381424623, .753881499767, 2.32815251966};
    const double beta[3] = {.965488033433, -.774821431046, .366707823727};
    const double se[3] = {.1248117392, .2670449173, .2229412338};
    const double se_cluster[3] = {.1443995787, .3303308893, .2589743516};
    const double se_threshold[4] = {.2865472169, .2468619283, .2487541495, .2947397299};
    assert_true(fit.converged && !fit.separated);
    assert_int_equal(fit.levels, 5);
    assert_within(fit.log_likelihood, -338.49592336958, 1e-12, 0);
    for (size_t k = 0; k < 4; k++) assert_within(fit.threshold[k], threshold[k], 1e-10, 0);
    for (size_t k = 0; k < 4; k++) assert_within(fit.se_threshold[k], se_threshold[k], 1e-7, 0);
    for (size_t j = 0; j < 3; j++) {
        assert_within(fit.beta[j], beta[j], 1e-10, 0);
        assert_within(fit.se[j], se[j], 1e-7, 0);
        assert_within(fit.se_cluster[j], se_cluster[j], 1e-7, 0);
    }
    arena_free(&a);
}

/* Only the order of the scores matters; mirrored scores turn the signs. */
static void test_invariance(void **state)
{
    (void)state;
    tare_error err;
    mem m = mem_system();
    arena a;
    double x[N * P], y[N], z[N];
    uint32_t cluster[N];
    ordinal_fit fit, other;
    arena_init(&a, &m);
    fill(x, y, cluster);
    linear_model model = {.n = N, .p = P, .x = x, .y = y};
    assert_ok(ordinal_logit(&fit, &model, NULL, &a, &err));
    assert_null(fit.se_cluster);
    for (size_t i = 0; i < N; i++) z[i] = exp(3 * y[i]) - 1e6;
    model.y = z;
    assert_ok(ordinal_logit(&other, &model, NULL, &a, &err));
    for (size_t j = 0; j < 3; j++) assert_true(other.beta[j] == fit.beta[j]);
    for (size_t i = 0; i < N; i++) z[i] = -y[i];
    assert_ok(ordinal_logit(&other, &model, NULL, &a, &err));
    for (size_t j = 0; j < 3; j++) assert_within(other.beta[j], -fit.beta[j], 1e-9, 0);
    for (size_t k = 0; k < 4; k++)
        assert_within(other.threshold[k], -fit.threshold[3 - k], 1e-9, 1e-12);
    arena_free(&a);
}

/* With two levels it is logistic regression: one column of 0 and 1 has the log odds ratio. */
static void test_two_levels(void **state)
{
    (void)state;
    tare_error err;
    mem m = mem_system();
    arena a;
    double x[100], y[100];
    ordinal_fit fit;
    arena_init(&a, &m);
    for (size_t i = 0; i < 100; i++) {
        x[i] = i < 40; /* 30 of 40 above, 15 of 60 */
        y[i] = i < 40 ? i < 30 : i < 55;
    }
    linear_model model = {.n = 100, .p = 1, .x = x, .y = y};
    assert_ok(ordinal_logit(&fit, &model, NULL, &a, &err));
    assert_true(fit.converged);
    assert_within(fit.beta[0], log(30. / 10) - log(15. / 45), 1e-12, 0);
    assert_within(fit.threshold[0], -log(15. / 45), 1e-12, 0);
    assert_within(fit.se[0], sqrt(1. / 30 + 1. / 10 + 1. / 15 + 1. / 45), 1e-12, 0);
    arena_free(&a);
}

static void test_separated(void **state)
{
    (void)state;
    tare_error err;
    mem m = mem_system();
    arena a;
    double x[60], y[60];
    uint32_t cluster[60];
    ordinal_fit fit;
    arena_init(&a, &m);
    for (size_t i = 0; i < 60; i++) {
        x[i] = i >= 30;
        y[i] = i >= 30 ? 3 : (double)(i % 3);
        cluster[i] = (uint32_t)(i % 10);
    }
    linear_model model = {.n = 60, .p = 1, .x = x, .y = y};
    linear_clusters by = {cluster, 10, 0};
    assert_ok(ordinal_logit(&fit, &model, &by, &a, &err));
    assert_true(!fit.converged && fit.separated);
    arena_free(&a);
}

static void test_collinear(void **state)
{
    (void)state;
    tare_error err;
    mem m = mem_system();
    arena a;
    double x[N * 6], y[N];
    uint32_t cluster[N];
    ordinal_fit fit, plain;
    arena_init(&a, &m);
    fill(x, y, cluster);
    linear_model model = {.n = N, .p = P, .x = x, .y = y};
    assert_ok(ordinal_logit(&plain, &model, NULL, &a, &err));
    for (size_t i = 0; i < N; i++) {
        x[3 * N + i] = 1;                        /* what the thresholds are */
        x[4 * N + i] = 2 * x[i] - x[N + i] + 3;  /* depends on the first two */
        x[5 * N + i] = 0;
    }
    model.p = 6;
    assert_ok(ordinal_logit(&fit, &model, NULL, &a, &err));
    for (size_t j = 0; j < 6; j++)
        if (j < 3) assert_within(fit.beta[j], plain.beta[j], 1e-12, 0);
        else assert_true(isnan(fit.beta[j]) && isnan(fit.se[j]));
    assert_true(fit.converged);
    arena_free(&a);
}

static void test_degenerate(void **state)
{
    (void)state;
    tare_error err;
    mem m = mem_system();
    arena a;
    double x[N * P], y[N];
    uint32_t cluster[N];
    ordinal_fit fit;
    arena_init(&a, &m);
    fill(x, y, cluster);
    linear_model model = {.n = N, .p = P, .x = x, .y = y};
    linear_clusters by = {cluster, 20, 0};
    for (size_t i = 0; i < N; i++) y[i] = 4;
    assert_ok(ordinal_logit(&fit, &model, &by, &a, &err)); /* one level */
    assert_true(!fit.converged && fit.levels == 1 && isnan(fit.beta[0]));
    for (size_t i = 0; i < N; i++) y[i] = (double)i;
    assert_int_equal(ordinal_logit(&fit, &model, &by, &a, &err), TARE_E_LIMIT);
    y[7] = NAN;
    assert_int_equal(ordinal_logit(&fit, &model, &by, &a, &err), TARE_E_DATA);
    fill(x, y, cluster);
    cluster[3] = 20;
    assert_int_equal(ordinal_logit(&fit, &model, &by, &a, &err), TARE_E_DATA);
    model.n = 0;
    assert_ok(ordinal_logit(&fit, &model, &by, &a, &err));
    assert_true(fit.levels == 0 && !fit.converged);
    model.n = N; /* no column: thresholds alone */
    model.p = 0;
    fill(x, y, cluster);
    assert_ok(ordinal_logit(&fit, &model, NULL, &a, &err));
    assert_true(fit.converged);
    assert_within(fit.threshold[0], log(34. / (N - 34)), 1e-12, 0);
    arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reference), cmocka_unit_test(test_invariance),
        cmocka_unit_test(test_two_levels), cmocka_unit_test(test_separated),
        cmocka_unit_test(test_collinear), cmocka_unit_test(test_degenerate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
