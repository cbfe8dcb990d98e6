/* linear_two.c - two crossed clusterings, and the mean in clusters (see linear.h). */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "stats/eigen.h"
#include "stats/linear_parts.h"
#include "stats/rank.h"

/* Ids of the pairs that occur, numbered in the order of (a, b). */
static tare_status pair_ids(uint32_t *id, size_t *count, const linear_clusters by[2], size_t n,
                            const mem *m, tare_error *err)
{
    tare_status status = TARE_OK;
    double *key = NULL;
    uint32_t *order = NULL;
    if (n >= UINT32_MAX || (double)by[0].count * (double)by[1].count > 9e15)
        FAIL(err, TARE_E_LIMIT, "linear.size", NULL, "too many pairs of clusters");
    TRY_NEW(key = mem_new(m, n, sizeof *key));
    TRY_NEW(order = mem_new(m, n, sizeof *order));
    for (size_t i = 0; i < n; i++) {
        if (by[0].id[i] >= by[0].count || by[1].id[i] >= by[1].count)
            FAIL(err, TARE_E_DATA, "linear.cluster", NULL, "row %zu has an unknown cluster", i);
        key[i] = (double)by[0].id[i] * (double)by[1].count + (double)by[1].id[i]; /* exact */
    }
    rank_order(order, key, (uint32_t)n);
    *count = 0;
    for (size_t k = 0; k < n; k++) {
        if (k == 0 || key[order[k]] != key[order[k - 1]]) ++*count;
        id[order[k]] = (uint32_t)(*count - 1);
    }
done:
    mem_free(m, key);
    mem_free(m, order);
    return status;
}

/* The nearest matrix without negative eigenvalues, over the coefficients that are there. */
static tare_status clip(linear_cov *out, const mem *m, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t p = out->p + 1, k = 0;
    double *block = NULL;
    size_t *slot = NULL;
    TRY_NEW(slot = mem_new(m, p, sizeof *slot));
    TRY_NEW(block = mem_new(m, 2 * p * p + p, sizeof *block));
    double *a = block, *vectors = a + p * p, *values = vectors + p * p;
    for (size_t j = 0; j < p; j++)
        if (!isnan(out->v[j * p + j])) slot[k++] = j;
    for (size_t i = 0; i < k; i++)
        for (size_t j = 0; j < k; j++) a[i * k + j] = out->v[slot[i] * p + slot[j]];
    if (!eigen_symmetric(values, vectors, a, k))
        FAIL(err, TARE_E_BUG, "linear.eigen", NULL, "no eigenvalues of the covariance");
    double largest = 0.0;
    for (size_t c = 0; c < k; c++) largest = fmax(largest, fabs(values[c]));
    for (size_t c = 0; c < k; c++)
        out->clipped = out->clipped || values[c] < -1e-12 * largest;
    if (!out->clipped) goto done;
    for (size_t i = 0; i < k; i++) {
        for (size_t j = 0; j < k; j++) {
            neumaier s = {0.0, 0.0};
            for (size_t c = 0; c < k; c++)
                neumaier_add(&s, vectors[i * k + c] * fmax(values[c], 0.0) * vectors[j * k + c]);
            out->v[slot[i] * p + slot[j]] = neumaier_total(&s);
        }
    }
done:
    mem_free(m, slot);
    mem_free(m, block);
    return status;
}

tare_status linear_covariance_two(linear_cov *out, const linear_ols *fit,
                                  const linear_model *model, const linear_clusters by[2], arena *a,
                                  tare_error *err)
{
    tare_status status = TARE_OK;
    size_t k = fit->rank + (fit->intercept ? 1 : 0), p = fit->p + 1;
    double *contrasts = NULL, *meat = NULL, *part = NULL;
    uint32_t *id = NULL;
    linear_clusters set[3] = {by[0], by[1], {0}};
    size_t used[3] = {0, 0, 0};
    TRY(linear_cov_new(out, &contrasts, fit, a, err));
    TRY_NEW(meat = mem_new(a->m, k * k, sizeof *meat));
    TRY_NEW(part = mem_new(a->m, k * k, sizeof *part));
    TRY_NEW(id = mem_new(a->m, fit->n, sizeof *id));
    TRY(pair_ids(id, &set[2].count, by, fit->n, a->m, err));
    set[2].id = id;
    for (int s = 0; s < 3; s++) {
        linear_scores scores = {fit, model, set + s, NULL, NULL};
        TRY(linear_meat(part, used + s, &scores, a->m, err));
        for (size_t c = 0; c < k * k; c++) meat[c] += s < 2 ? part[c] : -part[c];
    }
    out->clusters = used[0] < used[1] ? used[0] : used[1];
    if (out->clusters < 2) goto done;
    linear_cov_fill(out, contrasts, meat, k);
    TRY(clip(out, a->m, err));
    for (size_t j = 0; j < p; j++) {
        out->se[j] = sqrt(fmax(out->v[j * p + j], 0.0));
        if (isnan(out->v[j * p + j])) out->se[j] = NAN;
        else out->df[j] = (double)out->clusters - 1.0;
    }
done:
    mem_free(a->m, meat);
    mem_free(a->m, part);
    mem_free(a->m, id);
    return status;
}

linear_mean linear_mean_cr2(const double *sum, const double *count, size_t m)
{
    linear_mean out = {NAN, NAN, NAN};
    neumaier total = {0.0, 0.0}, rows = {0.0, 0.0};
    size_t used = 0;
    for (size_t g = 0; g < m; g++) {
        if (!(count[g] > 0.0)) continue;
        used++;
        neumaier_add(&total, sum[g]);
        neumaier_add(&rows, count[g]);
    }
    double n = neumaier_total(&rows);
    if (used == 0) return out;
    out.mean = neumaier_total(&total) / n;
    if (used < 2) return out;
    neumaier v = {0.0, 0.0}, trace = {0.0, 0.0}, square = {0.0, 0.0}, cross = {0.0, 0.0},
             u = {0.0, 0.0};
    for (size_t g = 0; g < m; g++) {
        if (!(count[g] > 0.0)) continue;
        double s = count[g] / n, f2 = 1.0 / (1.0 - s); /* S and F^2 of linear_cov.c, k = 1 */
        double score = (sum[g] - count[g] * out.mean) / n;
        double d = f2 * s, w2 = f2 * s * s;            /* times 1/n, which cancels */
        neumaier_add(&v, f2 * score * score);
        neumaier_add(&trace, d - w2);
        neumaier_add(&square, d * d);
        neumaier_add(&cross, d * w2);
        neumaier_add(&u, w2);
    }
    double t = neumaier_total(&trace), uu = neumaier_total(&u);
    out.se = sqrt(neumaier_total(&v));
    out.df = t * t / (neumaier_total(&square) - 2.0 * neumaier_total(&cross) + uu * uu);
    return out;
}
