/* multiple_columns.c - single-step max-T over columns of replicates (see multiple.h). */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "stats/multiple.h"

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static void raise_maxima(double *maxima, const multiple_column *c, size_t count)
{
    for (size_t r = 0; r < count; r++) {
        double t = c->spread > 0 ? fabs(c->replicates[r] - c->centre) / c->spread : 0;
        if (isnan(t) || isnan(c->replicates[r])) t = INFINITY;
        if (t > maxima[r]) maxima[r] = t;
    }
}

/* Of `count` ascending values those that are at least `limit`. */
static size_t at_least(const double *sorted, size_t count, double limit)
{
    size_t lo = 0, hi = count;
    while (lo < hi) {
        size_t middle = lo + (hi - lo) / 2;
        if (sorted[middle] < limit)
            lo = middle + 1;
        else
            hi = middle;
    }
    return count - lo;
}

tare_status multiple_maxt_columns(double *q, const multiple_column *columns, size_t n, size_t count,
                                  const mem *m, tare_error *err)
{
    tare_status status = TARE_OK;
    double *maxima = NULL;
    TRY_NEW(maxima = mem_new(m, count, sizeof *maxima));
    for (size_t i = 0; i < n; i++)
        if (!isnan(columns[i].t)) raise_maxima(maxima, &columns[i], count);
    qsort(maxima, count, sizeof *maxima, by_size);
    for (size_t i = 0; i < n; i++) {
        double t = fabs(columns[i].t);
        double limit = isinf(t) ? t : t - 1e-12 * fmax(t, 1);
        q[i] = isnan(t) ? NAN
                        : (double)(1 + at_least(maxima, count, limit)) / ((double)count + 1);
    }
done:
    mem_free(m, maxima);
    return status;
}
