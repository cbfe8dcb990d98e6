/* Exact weights of a pool against 100,000 draws, with and without ties, within 5 standard errors
 * (statistics 17); the permutation null against all orders. */
#include <math.h>
#include <stdio.h>

#include "audit/scorer/pool_weights.h"
#include "support/check.h"

enum { DRAWS = 100000, M = 7 };

/* SD of the value of one draw: the exact distribution is that of the weights. */
static double spread(const double *w, const double *a)
{
    double mean = 0, square = 0;
    for (size_t d = 0; d < M; d++) mean += w[d] * a[d];
    for (size_t d = 0; d < M; d++) square += w[d] * (a[d] - mean) * (a[d] - mean);
    return sqrt(square);
}

static void compare(const pool_weights *rule, const double *s, const char *what)
{
    static const double dose[M] = {-15, -10, -5, 0, 5, 10, 15};
    double exact[M], sampled[M], ties, drift = 0;
    tare_error err = {0};
    assert_ok(pool_weights_exact(exact, &ties, rule, s, M, &err));
    pool_stream stream = {rng_key_of(1, "test/bestofn"), what};
    assert_ok(pool_weights_sampled(sampled, rule, s, M, stream, &err));
    for (size_t d = 0; d < M; d++) drift += (sampled[d] - exact[d]) * dose[d];
    assert_within(drift, 0, 0, 5 * spread(exact, dose) / sqrt(DRAWS) + 1e-9);
    for (size_t d = 0; d < M; d++) {
        double se = sqrt(exact[d] * (1 - exact[d]) / DRAWS);
        assert_within(sampled[d], exact[d], 0, 5 * se + 1e-9);
    }
}

static void sampled_draws_agree(void **state)
{
    (void)state;
    static const double scores[3][M] = {{3, 1, 4, 1.5, 9, 2.6, 5}, /* no ties             */
                                        {2, 1, 2, 2, 1, 0, 2},     /* four best are tied   */
                                        {1, 1, 1, 1, 1, 1, 1}};
    for (size_t k = 0; k < 3; k++)
        for (size_t n = 1; n <= M; n++)
            for (int way = 0; way < 4; way++) {
                char what[40];
                pool_weights rule = {n, way & 1, way & 2, DRAWS};
                snprintf(what, sizeof what, "%zu/%zu/%d", k, n, way);
                compare(&rule, scores[k], what);
            }
}

/* Tie rate by counting the subsets that hold two of the best they hold. */
static void tie_rate_is_counted(void **state)
{
    (void)state;
    static const double s[M] = {2, 1, 2, 2, 1, 0, 2};
    for (size_t n = 2; n <= M; n++) {
        size_t all = 0, tied = 0;
        for (unsigned set = 0; set < 1u << M; set++) {
            if ((size_t)__builtin_popcount(set) != n) continue;
            double best = -1;
            int held = 0;
            for (size_t d = 0; d < M; d++) {
                if (!(set >> d & 1) || s[d] < best) continue;
                held = s[d] > best ? 1 : held + 1;
                best = s[d];
            }
            all++;
            tied += held > 1;
        }
        double w[M], rate;
        tare_error err = {0};
        assert_ok(pool_weights_exact(w, &rate, &(pool_weights){.n = n}, s, M, &err));
        assert_close(rate, (double)tied / (double)all);
    }
}

static void next_order(double *x, size_t n)
{
    size_t k = n - 1;
    while (k > 0 && x[k - 1] >= x[k]) k--;
    if (k == 0) return;
    size_t j = n - 1;
    while (x[j] <= x[k - 1]) j--;
    double t = x[k - 1];
    x[k - 1] = x[j];
    x[j] = t;
    for (size_t a = k, b = n - 1; a < b; a++, b--) {
        t = x[a];
        x[a] = x[b];
        x[b] = t;
    }
}

/* Over all 5! orders of the scores the net drift has mean 0 and the variance of the closed form,
 * 1/(m-1) sum (w - 1/m)^2 sum (a - mean)^2. */
static void permutation_null_is_exact(void **state)
{
    (void)state;
    enum { POOL = 5, ORDERS = 120 };
    static const double a[POOL] = {-3, -1, 0, 2, 7};
    for (size_t n = 2; n <= POOL; n++) {
        double s[POOL] = {1, 2, 3, 4, 5}, sum = 0, square = 0, w[POOL], ties, spread = 0;
        double cross = 0;
        tare_error err = {0};
        for (int k = 0; k < ORDERS; k++) {
            double net = 0;
            assert_ok(pool_weights_exact(w, &ties, &(pool_weights){.n = n}, s, POOL, &err));
            for (size_t d = 0; d < POOL; d++) net += w[d] * a[d];
            net -= 1; /* the mean of a */
            sum += net;
            square += net * net;
            next_order(s, POOL);
        }
        for (size_t d = 0; d < POOL; d++) {
            spread += (w[d] - 0.2) * (w[d] - 0.2);
            cross += (a[d] - 1) * (a[d] - 1);
        }
        assert_within(sum / ORDERS, 0, 0, 1e-12);
        assert_close(square / ORDERS, spread * cross / (POOL - 1));
    }
}

static void a_pool_is_refused_by_reason(void **state)
{
    (void)state;
    double s[POOL_WEIGHTS_MAX + 1] = {0}, ranks[POOL_WEIGHTS_MAX];
    pool_order order;
    tare_error err = {0};
    assert_int_equal(pool_order_of(&order, s, 0, &err), TARE_E_USAGE);
    assert_int_equal(pool_order_of(&order, s, POOL_WEIGHTS_MAX + 1, &err), TARE_E_LIMIT);
    s[3] = NAN;
    assert_int_equal(pool_order_of(&order, s, 5, &err), TARE_E_BUG);
    assert_int_equal(pool_ranks(ranks, &(pool_weights){.n = 8}, 7, &err), TARE_E_USAGE);
    assert_int_equal(pool_ranks(ranks, &(pool_weights){.n = 0}, 7, &err), TARE_E_USAGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sampled_draws_agree),
        cmocka_unit_test(tie_rate_is_counted),
        cmocka_unit_test(permutation_null_is_exact),
        cmocka_unit_test(a_pool_is_refused_by_reason),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
