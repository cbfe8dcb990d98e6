/* multiple.c - step-up and step-down adjustments of p (see multiple.h). */
#include "stats/multiple.h"

#include <math.h>

#include "base/error.h"
#include "stats/moments.h"
#include "stats/rank.h"

/* c_m = 1 + 1/2 + ... + 1/m, smallest terms first. */
static double harmonic(size_t m)
{
    neumaier s = {0.0, 0.0};
    for (size_t k = m; k > 0; k--) neumaier_add(&s, 1.0 / (double)k);
    return neumaier_total(&s);
}

/* sorted[k] ascending becomes its q, k = 0..m-1. */
static void adjust_sorted(double *sorted, size_t m, multiple_method method)
{
    if (method == MULTIPLE_HOLM) {
        double running = 0.0;
        for (size_t k = 0; k < m; k++) {
            running = fmax(running, fmin(1.0, (double)(m - k) * sorted[k]));
            sorted[k] = running;
        }
        return;
    }
    double factor = method == MULTIPLE_BY ? harmonic(m) : 1.0;
    double running = 1.0;
    for (size_t k = m; k-- > 0;) {
        /* m c/k first: then q >= p, BH <= BY and BH <= Holm hold to the last bit */
        running = fmin(running, (double)m * factor / (double)(k + 1) * sorted[k]);
        sorted[k] = running;
    }
}

tare_status multiple_adjust(double *q, multiple_family *family, const double *p, size_t n,
                            multiple_method method, const mem *m, tare_error *err)
{
    tare_status status = TARE_OK;
    double *values = NULL;
    uint32_t *order = NULL, *index = NULL;
    uint32_t tested = 0;
    if (n >= UINT32_MAX) FAIL(err, TARE_E_LIMIT, "multiple.size", NULL, "%zu hypotheses", n);
    TRY_NEW(values = mem_new(m, 2 * n, sizeof *values));
    TRY_NEW(order = mem_new(m, n, sizeof *order));
    TRY_NEW(index = mem_new(m, n, sizeof *index));
    for (size_t i = 0; i < n; i++) {
        if (isnan(p[i])) continue;
        if (!(p[i] >= 0.0 && p[i] <= 1.0))
            FAIL(err, TARE_E_DATA, "multiple.p", NULL, "p-value %zu is %g, outside 0 to 1", i,
                 p[i]);
        values[tested] = p[i];
        index[tested++] = (uint32_t)i;
    }
    if (!rank_order(order, values, tested))
        FAIL(err, TARE_E_BUG, "multiple.order", NULL, "a NaN was not set apart");
    double *sorted = values + n;
    for (uint32_t k = 0; k < tested; k++) sorted[k] = values[order[k]];
    adjust_sorted(sorted, tested, method);
    for (size_t i = 0; i < n; i++) q[i] = NAN;
    for (uint32_t k = 0; k < tested; k++) q[index[order[k]]] = sorted[k];
    if (family) *family = (multiple_family){n, tested};
done:
    mem_free(m, values);
    mem_free(m, order);
    mem_free(m, index);
    return status;
}

uint64_t multiple_replicates_needed(size_t m, double alpha, unsigned floor_count)
{
    if (m == 0 || !(alpha > 0.0)) return 0;
    double whole = (double)m * floor_count / alpha;
    double needed = ceil(whole - 1e-9 * whole) - 1.0;
    return needed <= 0.0 ? 0 : needed >= 1.8e19 ? UINT64_MAX : (uint64_t)needed;
}
