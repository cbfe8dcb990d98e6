#include "stats/wilcoxon.h"

#include <math.h>
#include <stdint.h>

#include "base/error.h"
#include "stats/moments.h"
#include "stats/rank.h"
#include "stats/special.h"

/* Number of sign patterns whose doubled rank sum is s, for every s: one rank after the other. Below
 * 2^50 they are exact in doubles. */
static tare_status count_patterns(double **out, const int64_t *rank2, size_t n, size_t sum,
                                  const mem *m, tare_error *err)
{
    tare_status status = TARE_OK;
    double *ways = NULL;
    TRY_NEW(ways = mem_new(m, sum + 1, sizeof *ways));
    ways[0] = 1;
    size_t reach = 0;
    for (size_t i = 0; i < n; i++) {
        size_t r = (size_t)rank2[i];
        reach += r;
        for (size_t s = reach; s >= r; s--) ways[s] += ways[s - r];
    }
    *out = ways;
done:
    return status;
}

static tare_status exact_p(wilcoxon_result *out, const int64_t *rank2, const mem *m,
                           tare_error *err)
{
    tare_status status = TARE_OK;
    double *ways = NULL;
    size_t sum = out->n * (out->n + 1), least = (size_t)(2 * fmin(out->plus, out->minus));
    TRY(count_patterns(&ways, rank2, out->n, sum, m, err));
    double tail = 0;
    for (size_t s = 0; s <= least; s++) tail += ways[s];
    out->p = fmin(1, ldexp(tail, 1 - (int)out->n));
    out->p_floor = ldexp(1, 1 - (int)out->n);
    out->exact = true;
done:
    mem_free(m, ways);
    return status;
}

/* Variance of the rank sum under sign changes: the sum of squared ranks over 4. */
static void normal_p(wilcoxon_result *out, const int64_t *rank2)
{
    neumaier squares = {0, 0};
    for (size_t i = 0; i < out->n; i++) {
        double r = (double)rank2[i] / 2;
        neumaier_add(&squares, r * r);
    }
    double sd = sqrt(neumaier_total(&squares) / 4);
    out->p = 2 * norm_sf(fabs(out->plus - out->minus) / 2 / sd);
    out->p_floor = 0;
}

tare_status wilcoxon_signed_rank(wilcoxon_result *out, const double *x, size_t n, const mem *m,
                                 tare_error *err)
{
    tare_status status = TARE_OK;
    double *size = NULL;
    int64_t *rank2 = NULL;
    uint32_t *order = NULL;
    bool *positive = NULL;
    *out = (wilcoxon_result){.p = NAN, .p_floor = NAN};
    if (n > UINT32_MAX / 2)
        FAIL(err, TARE_E_LIMIT, "wilcoxon.size", NULL, "%zu values are too many to rank", n);
    TRY_NEW(size = mem_new(m, n + 1, sizeof *size));
    TRY_NEW(rank2 = mem_new(m, n + 1, sizeof *rank2));
    TRY_NEW(order = mem_new(m, n + 1, sizeof *order));
    TRY_NEW(positive = mem_new(m, n + 1, sizeof *positive));
    for (size_t i = 0; i < n; i++) {
        if (isnan(x[i])) continue;
        if (x[i] == 0) {
            out->zeros++;
            continue;
        }
        positive[out->n] = x[i] > 0;
        size[out->n++] = rank_key(fabs(x[i]));
    }
    if (out->n == 0) goto done;
    rank_average_doubled(rank2, order, size, (uint32_t)out->n);
    int64_t plus2 = 0, minus2 = 0;
    for (size_t i = 0; i < out->n; i++) *(positive[i] ? &plus2 : &minus2) += rank2[i];
    out->plus = (double)plus2 / 2;
    out->minus = (double)minus2 / 2;
    if (out->n <= WILCOXON_EXACT) TRY(exact_p(out, rank2, m, err));
    else normal_p(out, rank2);
done:
    mem_free(m, size);
    mem_free(m, rank2);
    mem_free(m, order);
    mem_free(m, positive);
    return status;
}
