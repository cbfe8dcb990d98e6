/* multiple_maxt.c - Westfall and Young's maximum statistic (see multiple.h). */
#include <math.h>

#include "base/error.h"
#include "stats/multiple.h"
#include "stats/rank.h"

typedef struct maxt {
    uint32_t tested;
    uint32_t *column; /* [tested] columns by falling |t|, ties by index     */
    double *limit;    /* [tested] |t| less the tolerance of statistics 1.6  */
    uint64_t *count;  /* [tested] replicates at or above it                 */
    double *key;      /* [n] scratch                                        */
} maxt;

static void maxt_free(maxt *work, const mem *m)
{
    mem_free(m, work->column);
    mem_free(m, work->limit);
    mem_free(m, work->count);
    mem_free(m, work->key);
}

static tare_status maxt_prepare(maxt *work, const multiple_maxt *data, const mem *m,
                                tare_error *err)
{
    tare_status status = TARE_OK;
    size_t n = data->n;
    uint32_t *index = NULL;
    if (n >= UINT32_MAX) FAIL(err, TARE_E_LIMIT, "multiple.size", NULL, "%zu hypotheses", n);
    TRY_NEW(work->column = mem_new(m, n, sizeof *work->column));
    TRY_NEW(work->limit = mem_new(m, n, sizeof *work->limit));
    TRY_NEW(work->count = mem_new(m, n, sizeof *work->count));
    TRY_NEW(work->key = mem_new(m, n, sizeof *work->key));
    TRY_NEW(index = mem_new(m, n, sizeof *index));
    for (size_t i = 0; i < n; i++) {
        if (isnan(data->t[i])) continue;
        index[work->tested] = (uint32_t)i;
        work->key[work->tested++] = -fabs(data->t[i]);
    }
    if (!rank_order(work->column, work->key, work->tested))
        FAIL(err, TARE_E_BUG, "multiple.order", NULL, "a NaN was not set apart");
    for (uint32_t k = 0; k < work->tested; k++) {
        double t = -work->key[work->column[k]];
        work->limit[k] = isinf(t) ? t : t - 1e-12 * fmax(t, data->scale);
        work->column[k] = index[work->column[k]];
    }
done:
    mem_free(m, index);
    return status;
}

/* The replicate's maximum over the columns from place k on, for falling k; counted where it reaches
 * the observed value of place k (single step: the maximum over all places). */
static void maxt_count(maxt *work, const double *row, bool stepdown)
{
    double running = -1.0;
    for (uint32_t k = work->tested; k-- > 0;) {
        double t = fabs(row[work->column[k]]);
        running = isnan(t) ? INFINITY : fmax(running, t);
        if (stepdown && running >= work->limit[k]) work->count[k]++;
    }
    if (stepdown) return;
    for (uint32_t k = 0; k < work->tested; k++)
        if (running >= work->limit[k]) work->count[k]++;
}

static tare_status maxt_adjust(double *q, multiple_family *family, const multiple_maxt *data,
                               bool stepdown, const mem *m, tare_error *err)
{
    tare_status status = TARE_OK;
    maxt work = {0, NULL, NULL, NULL, NULL};
    TRY(maxt_prepare(&work, data, m, err));
    for (size_t r = 0; r < data->count; r++)
        maxt_count(&work, data->replicates + r * data->n, stepdown);
    for (size_t i = 0; i < data->n; i++) q[i] = NAN;
    double running = 0.0;
    for (uint32_t k = 0; k < work.tested; k++) {
        running = fmax(running, (double)(1 + work.count[k]) / (double)(data->count + 1));
        q[work.column[k]] = running;
    }
    if (family) *family = (multiple_family){data->n, work.tested};
done:
    maxt_free(&work, m);
    return status;
}

tare_status multiple_maxt_single(double *q, multiple_family *family, const multiple_maxt *data,
                                 const mem *m, tare_error *err)
{
    return maxt_adjust(q, family, data, false, m, err);
}

tare_status multiple_maxt_stepdown(double *q, multiple_family *family, const multiple_maxt *data,
                                   const mem *m, tare_error *err)
{
    return maxt_adjust(q, family, data, true, m, err);
}
