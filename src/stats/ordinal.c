#include "stats/ordinal.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "stats/moments.h"
#include "stats/ordinal_parts.h"
#include "stats/rank.h"

/* A coefficient that can move a score across everything, with an SE that says it is not known:
 * the maximum is at infinity. */
#define SEPARATED_REACH 12.0
#define SEPARATED_SE 50.0

/* ---- Levels and columns ---------------------------------------------------------------------- */

static tare_status code_levels(ordinal_case *c, const linear_model *model, arena *a,
                               tare_error *err)
{
    tare_status status = TARE_OK;
    uint32_t *order, *level;
    if (c->n >= UINT32_MAX) FAIL(err, TARE_E_LIMIT, "ordinal.rows", NULL, "%zu rows", c->n);
    TRY_NEW(order = arena_new(a, c->n + 1, sizeof *order));
    TRY_NEW(level = arena_new(a, c->n + 1, sizeof *level));
    rank_order(order, model->y, (uint32_t)c->n);
    for (size_t i = 0; i < c->n; i++) {
        if (i == 0 || model->y[order[i]] != model->y[order[i - 1]]) c->K++;
        level[order[i]] = (uint32_t)(c->K - 1);
    }
    if (c->K > ORDINAL_LEVELS)
        FAIL(err, TARE_E_LIMIT, "ordinal.levels", NULL, "%zu distinct scores; %d are the most",
             c->K, ORDINAL_LEVELS);
    c->level = level;
done:
    return status;
}

static tare_status list_values(ordinal_case *c, const linear_model *model, const linear_ols *ols,
                               arena *a, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t *start, at = 0;
    uint32_t *column;
    double *value;
    TRY_NEW(start = arena_new(a, c->n + 1, sizeof *start));
    for (size_t k = 0; k < ols->rank; k++)
        for (size_t i = 0; i < c->n; i++)
            start[i + 1] += model->x[ols->kept[k] * c->n + i] != 0;
    for (size_t i = 0; i < c->n; i++) start[i + 1] += start[i];
    TRY_NEW(column = arena_new(a, start[c->n] + 1, sizeof *column));
    TRY_NEW(value = arena_new(a, start[c->n] + 1, sizeof *value));
    for (size_t i = 0; i < c->n; i++)
        for (size_t k = 0; k < ols->rank; k++) {
            double x = model->x[ols->kept[k] * c->n + i];
            if (x == 0) continue;
            column[at] = (uint32_t)k;
            value[at++] = x;
        }
    c->start = start;
    c->column = column;
    c->value = value;
done:
    return status;
}

/* Thresholds at the logits of the shares below, coefficients 0. */
static void start_at(double *parameter, const ordinal_case *c)
{
    for (size_t k = 0; k + 1 < c->K; k++) {
        double below = 0;
        for (size_t i = 0; i < c->n; i++) below += c->level[i] <= k;
        parameter[k] = log(below / ((double)c->n - below));
    }
}

/* ---- Errors ---------------------------------------------------------------------------------- */

/* Rows of each cluster together: order by counting. */
static tare_status group_rows(size_t **start, uint32_t **row, const linear_clusters *clusters,
                              size_t n, arena *a, tare_error *err)
{
    tare_status status = TARE_OK;
    TRY_NEW(*start = arena_new(a, clusters->count + 2, sizeof **start));
    TRY_NEW(*row = arena_new(a, n + 1, sizeof **row));
    size_t *next = *start + 1;
    for (size_t i = 0; i < n; i++) {
        if (clusters->id[i] >= clusters->count)
            FAIL(err, TARE_E_DATA, "ordinal.cluster", NULL, "row %zu has cluster %u of %zu", i,
                 clusters->id[i], clusters->count);
        next[clusters->id[i] + 1]++;
    }
    for (size_t k = 0; k < clusters->count; k++) next[k + 1] += next[k];
    for (size_t i = 0; i < n; i++) (*row)[next[clusters->id[i]]++] = (uint32_t)i;
done:
    return status;
}

/* Variances of the kept coefficients: sum over clusters of (H^-1 s)^2. */
static tare_status cluster_variance(double *variance, const ordinal_case *c,
                                    const double *parameter, const double *root,
                                    const linear_clusters *clusters, arena *a, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t *start = NULL, used = 0;
    uint32_t *row = NULL;
    double *score;
    neumaier *sum;
    TRY(group_rows(&start, &row, clusters, c->n, a, err));
    TRY_NEW(score = arena_new(a, c->q, sizeof *score));
    TRY_NEW(sum = arena_new(a, c->q, sizeof *sum));
    for (size_t k = 0; k < clusters->count; k++) {
        if (start[k + 1] == start[k]) continue;
        used++;
        memset(score, 0, c->q * sizeof *score);
        for (size_t i = start[k]; i < start[k + 1]; i++) {
            ordinal_row r;
            ordinal_row_of(&r, c, parameter, row[i]);
            ordinal_score_add(score, c, &r, row[i]);
        }
        ordinal_solve(score, root, c->q);
        for (size_t j = 0; j < c->q; j++) neumaier_add(&sum[j], score[j] * score[j]);
    }
    double factor = used > 1 ? (double)used / (double)(used - 1) : NAN;
    for (size_t j = 0; j < c->p; j++)
        variance[j] = factor * neumaier_total(&sum[c->K - 1 + j]);
done:
    return status;
}

/* The j-th diagonal cell of H^-1. */
static double inverse_diagonal(const double *root, size_t q, size_t j, double *scratch)
{
    memset(scratch, 0, q * sizeof *scratch);
    scratch[j] = 1;
    ordinal_solve(scratch, root, q);
    return scratch[j];
}

static double reach(const linear_model *model, size_t j)
{
    double lo = INFINITY, hi = -INFINITY;
    for (size_t i = 0; i < model->n; i++) {
        lo = fmin(lo, model->x[j * model->n + i]);
        hi = fmax(hi, model->x[j * model->n + i]);
    }
    return hi - lo;
}

static void fill(ordinal_fit *out, const ordinal_case *c, const linear_model *model,
                 const linear_ols *ols, const double *parameter)
{
    memcpy(out->threshold, parameter, (c->K - 1) * sizeof *parameter);
    for (size_t k = 0; k < c->p; k++) out->beta[ols->kept[k]] = parameter[c->K - 1 + k];
    for (size_t k = 0; k < c->p; k++) {
        size_t j = ols->kept[k];
        double width = reach(model, j);
        bool known = out->se[j] * width <= SEPARATED_SE;
        if (fabs(out->beta[j]) * width > SEPARATED_REACH && !known) out->separated = true;
    }
    if (out->separated) out->converged = false;
}

/* ---- The fit --------------------------------------------------------------------------------- */

static tare_status allocate(ordinal_fit *out, const linear_model *model, bool clusters, size_t K,
                            arena *a, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t p = model->p;
    *out = (ordinal_fit){.n = model->n, .p = p, .levels = K, .log_likelihood = NAN};
    TRY_NEW(out->beta = arena_new(a, p + 1, sizeof(double)));
    TRY_NEW(out->se = arena_new(a, p + 1, sizeof(double)));
    TRY_NEW(out->threshold = arena_new(a, K + 1, sizeof(double)));
    TRY_NEW(out->se_threshold = arena_new(a, K + 1, sizeof(double)));
    if (clusters) TRY_NEW(out->se_cluster = arena_new(a, p + 1, sizeof(double)));
    for (size_t j = 0; j < p; j++) {
        out->beta[j] = out->se[j] = NAN;
        if (clusters) out->se_cluster[j] = NAN;
    }
    for (size_t k = 0; k < K; k++) out->threshold[k] = out->se_threshold[k] = NAN;
done:
    return status;
}

static tare_status run(ordinal_fit *out, ordinal_case *c, const linear_model *model,
                       const linear_ols *ols, const linear_clusters *clusters, arena *a,
                       tare_error *err)
{
    tare_status status = TARE_OK;
    double *parameter, *root, *work, *variance;
    c->q = c->K - 1 + c->p;
    TRY_NEW(parameter = arena_new(a, c->q + 1, sizeof *parameter));
    TRY_NEW(root = arena_new(a, c->q * c->q + 1, sizeof *root));
    TRY_NEW(work = arena_new(a, c->q * 4 + 1, sizeof *work));
    TRY_NEW(variance = arena_new(a, c->p + 1, sizeof *variance));
    TRY(list_values(c, model, ols, a, err));
    start_at(parameter, c);
    out->converged = ordinal_newton(parameter, root, &out->log_likelihood, &out->iterations, c,
                                    work);
    bool factored = root[c->q * c->q - 1] > 0;
    for (size_t k = 0; factored && k + 1 < c->K; k++)
        out->se_threshold[k] = sqrt(inverse_diagonal(root, c->q, k, work));
    for (size_t k = 0; factored && k < c->p; k++)
        out->se[ols->kept[k]] = sqrt(inverse_diagonal(root, c->q, c->K - 1 + k, work));
    if (clusters && out->converged) {
        TRY(cluster_variance(variance, c, parameter, root, clusters, a, err));
        for (size_t k = 0; k < c->p; k++) out->se_cluster[ols->kept[k]] = sqrt(variance[k]);
    }
    fill(out, c, model, ols, parameter);
done:
    return status;
}

tare_status ordinal_logit(ordinal_fit *out, const linear_model *model,
                          const linear_clusters *clusters, arena *a, tare_error *err)
{
    tare_status status = TARE_OK;
    ordinal_case c = {.n = model->n};
    linear_model centred = *model;
    linear_ols ols;
    arena work;
    arena_init(&work, a->m);
    centred.intercept = true; /* the thresholds span it */
    centred.absorbed = 0;
    TRY(linear_fit(&ols, &centred, &work, err));
    c.p = ols.rank;
    TRY(code_levels(&c, model, &work, err));
    TRY(allocate(out, model, clusters != NULL, c.K, a, err));
    if (c.K >= 2) TRY(run(out, &c, model, &ols, clusters, &work, err));
done:
    arena_free(&work);
    return status;
}
