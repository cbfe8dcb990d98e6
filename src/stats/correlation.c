/* correlation.c - Pearson's and Spearman's correlation under weights. */
#include <math.h>

#include "base/error.h"
#include "stats/agreement.h"
#include "stats/kendall.h"
#include "stats/moments.h"

/* One variable's weighted mean, after scaling by a power of two (exact) so that no square
 * overflows. False if it does not vary or is not finite. */
typedef struct centre {
    double scale, mean;
} centre;

static bool centre_of(centre *out, const double *x, const uint32_t *w, size_t n)
{
    neumaier sum = {0, 0};
    double count = 0, largest = 0, first = NAN;
    bool varies = false;
    for (size_t i = 0; i < n; i++) {
        if (w && w[i] == 0) continue;
        if (!isfinite(x[i])) return false;
        if (isnan(first)) first = x[i];
        varies = varies || x[i] != first;
        largest = fmax(largest, fabs(x[i]));
    }
    if (!varies) return false;
    int exponent = -ilogb(largest);
    out->scale = ldexp(1, exponent > 1000 ? 1000 : exponent);
    for (size_t i = 0; i < n; i++) {
        double weight = w ? w[i] : 1;
        if (weight == 0) continue;
        neumaier_add(&sum, weight * (x[i] * out->scale));
        count += weight;
    }
    out->mean = neumaier_total(&sum) / count;
    return true;
}

double agree_pearson(const double *x, const double *y, const uint32_t *w, size_t n)
{
    centre cx, cy;
    neumaier xx = {0, 0}, yy = {0, 0}, xy = {0, 0};
    if (!centre_of(&cx, x, w, n) || !centre_of(&cy, y, w, n)) return NAN;
    for (size_t i = 0; i < n; i++) {
        double weight = w ? w[i] : 1;
        if (weight == 0) continue;
        double dx = x[i] * cx.scale - cx.mean, dy = y[i] * cy.scale - cy.mean;
        neumaier_add(&xx, weight * (dx * dx));
        neumaier_add(&yy, weight * (dy * dy));
        neumaier_add(&xy, weight * (dx * dy));
    }
    double r = neumaier_total(&xy) / sqrt(neumaier_total(&xx)) / sqrt(neumaier_total(&yy));
    return isnan(r) ? r : fmax(-1, fmin(1, r));
}

tare_status agree_spearman(double *out, const double *x, const double *y, const uint32_t *w,
                           size_t n, const mem *m, tare_error *err)
{
    tare_status status = TARE_OK;
    kendall_rows *rows = NULL;
    void *scratch = NULL;
    TRY(kendall_rows_new(&rows, x, y, n, m, err));
    TRY_NEW(scratch = mem_new(m, kendall_scratch_bytes(rows), 1));
    *out = kendall_spearman(rows, w, scratch);
done:
    mem_free(m, scratch);
    kendall_rows_free(rows);
    return status;
}
