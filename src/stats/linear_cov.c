/* linear_cov.c - sandwich covariances (see linear.h).
 *
 * Everything is done in coordinates in which the design is orthonormal: w_i = L' z_i, where z_i is
 * the centred row with a leading 1 and L the basis of the fit. Let S = sum w_i w_i' over a cluster.
 * I - X B X' restricted to the cluster is I - W W', whose root acts on the columns of W as
 * F = (I - S)^(-1/2): a k x k matrix, whatever the size of the cluster. With s = sum w_i e_i:
 *     score of the cluster  F s
 *     c'c and X'c of the degrees of freedom, for a contrast with coordinates q = L'l:
 *     v = F q, X'c -> S v, c'c = v'S v. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "stats/linear_parts.h"
#include "stats/moments.h"
#include "stats/special.h"


void linear_row(double *w, const linear_ols *fit, const linear_model *model, size_t i)
{
    size_t lead = fit->intercept ? 1 : 0, k = fit->rank + lead;
    if (lead) w[0] = fit->basis[0];
    for (size_t b = lead; b < k; b++) {
        neumaier s = {0.0, 0.0};
        for (size_t a = lead; a <= b; a++) {
            size_t j = fit->kept[a - lead];
            neumaier_add(&s, (model->x[j * fit->n + i] - fit->mean[j]) * fit->basis[a * k + b]);
        }
        w[b] = neumaier_total(&s);
    }
}

void linear_outer_add(neumaier *total, const double *t, size_t k)
{
    for (size_t a = 0; a < k; a++)
        for (size_t b = 0; b < k; b++) neumaier_add(total + a * k + b, t[a] * t[b]);
}

/* Coordinates of coefficient j (column of x, or p for the intercept). False: it is not there. */
static bool contrast(double *q, const linear_ols *fit, size_t j)
{
    size_t lead = fit->intercept ? 1 : 0, k = fit->rank + lead;
    memset(q, 0, k * sizeof *q);
    if (j == fit->p && !fit->intercept) return false;
    if (j == fit->p) q[0] = fit->basis[0];
    bool found = j == fit->p;
    for (size_t a = lead; a < k; a++) {
        size_t column = fit->kept[a - lead];
        double weight = j == fit->p ? -fit->mean[column] : column == j ? 1.0 : 0.0;
        found = found || column == j;
        for (size_t b = a; b < k; b++) q[b] += weight * fit->basis[a * k + b];
    }
    return found;
}

tare_status linear_cov_new(linear_cov *out, double **contrasts, const linear_ols *fit, arena *a,
                           tare_error *err)
{
    tare_status status = TARE_OK;
    size_t p = fit->p + 1, k = fit->rank + (fit->intercept ? 1 : 0);
    *out = (linear_cov){.p = fit->p};
    TRY_NEW(out->v = arena_new(a, p * p, sizeof(double)));
    TRY_NEW(out->se = arena_new(a, p, sizeof(double)));
    TRY_NEW(out->df = arena_new(a, p, sizeof(double)));
    TRY_NEW(*contrasts = arena_new(a, p * (k + 1), sizeof(double)));
    for (size_t j = 0; j < p * p; j++) out->v[j] = NAN;
    for (size_t j = 0; j < p; j++) {
        out->se[j] = out->df[j] = NAN;
        /* the last cell of each row says whether the coefficient is there */
        (*contrasts)[j * (k + 1) + k] = contrast(*contrasts + j * (k + 1), fit, j) ? 1.0 : 0.0;
    }
done:
    return status;
}

void linear_cov_fill(linear_cov *out, const double *contrasts, const double *meat, size_t k)
{
    size_t p = out->p + 1;
    for (size_t i = 0; i < p; i++) {
        for (size_t j = 0; j < p; j++) {
            const double *q = contrasts + i * (k + 1), *r = contrasts + j * (k + 1);
            if (q[k] == 0.0 || r[k] == 0.0) continue;
            neumaier s = {0.0, 0.0};
            for (size_t a = 0; a < k; a++)
                for (size_t b = 0; b < k; b++) neumaier_add(&s, q[a] * meat[a * k + b] * r[b]);
            out->v[i * p + j] = neumaier_total(&s);
        }
        out->se[i] = sqrt(out->v[i * p + i]);
    }
}

/* ---- Rows: HC0 to HC3 ------------------------------------------------------------------------ */

static tare_status leverage_of_effects(double *share, const linear_model *model, const mem *m,
                                       tare_error *err)
{
    tare_status status = TARE_OK;
    size_t *counts = NULL;
    TRY_NEW(counts = mem_new(m, model->effects, sizeof *counts));
    for (size_t i = 0; i < model->n; i++) {
        if (model->effect[i] >= model->effects)
            FAIL(err, TARE_E_DATA, "linear.effect", NULL, "row %zu has effect %u of %zu", i,
                 model->effect[i], model->effects);
        counts[model->effect[i]]++;
    }
    for (size_t i = 0; i < model->n; i++) share[i] = 1.0 / (double)counts[model->effect[i]];
done:
    mem_free(m, counts);
    return status;
}

static double row_weight(linear_kind kind, double leverage)
{
    double left = 1.0 - leverage;
    if (kind != LINEAR_HC2 && kind != LINEAR_HC3) return 1.0;
    if (left <= LEVERAGE_LEFT) return 0.0;
    return kind == LINEAR_HC2 ? 1.0 / sqrt(left) : 1.0 / left;
}

static tare_status meat_rows(double *meat, const linear_ols *fit, const linear_model *model,
                             linear_kind kind, const mem *m, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t n = fit->n, k = fit->rank + (fit->intercept ? 1 : 0);
    double *w = NULL, *share = NULL;
    neumaier *sum = NULL;
    bool leverage = kind == LINEAR_HC2 || kind == LINEAR_HC3;
    if (leverage && fit->absorbed > 0 && !model->effect)
        FAIL(err, TARE_E_USAGE, "linear.leverage", NULL,
             "HC2 and HC3 need to know the effects that were absorbed");
    TRY_NEW(w = mem_new(m, k, sizeof *w));
    TRY_NEW(share = mem_new(m, n, sizeof *share));
    TRY_NEW(sum = mem_new(m, k * k, sizeof *sum));
    if (leverage && model->effect) TRY(leverage_of_effects(share, model, m, err));
    for (size_t i = 0; i < n; i++) {
        linear_row(w, fit, model, i);
        double factor = fit->residual[i] * row_weight(kind, moments_dot(w, w, k) + share[i]);
        for (size_t a = 0; a < k; a++) w[a] *= factor;
        linear_outer_add(sum, w, k);
    }
    for (size_t a = 0; a < k * k; a++) meat[a] = neumaier_total(sum + a);
done:
    mem_free(m, w);
    mem_free(m, share);
    mem_free(m, sum);
    return status;
}

/* ---- The public function --------------------------------------------------------------------- */

static double small_sample_factor(const linear_ols *fit, linear_kind kind, size_t clusters,
                                  size_t nested)
{
    double n = (double)fit->n, m = (double)clusters;
    double p = (double)(fit->rank + (fit->intercept ? 1 : 0))
               + (fit->absorbed > nested ? (double)(fit->absorbed - nested) : 0.0);
    if (kind == LINEAR_HC1) return n > p ? n / (n - p) : NAN;
    if (kind == LINEAR_CR1) return n > p && m > 1.0 ? m / (m - 1.0) * ((n - 1.0) / (n - p)) : NAN;
    return 1.0;
}

static void set_df(linear_cov *out, const linear_ols *fit, linear_kind kind)
{
    double used = (double)(fit->rank + (fit->intercept ? 1 : 0) + fit->absorbed);
    double left = kind >= LINEAR_CR0 ? (double)out->clusters - 1.0 : (double)fit->n - used;
    for (size_t j = 0; j <= fit->p; j++)
        if (!isnan(out->se[j])) out->df[j] = left > 0.0 ? left : NAN;
}

tare_status linear_covariance(linear_cov *out, const linear_ols *fit, const linear_model *model,
                              linear_kind kind, const linear_clusters *clusters, arena *a,
                              tare_error *err)
{
    tare_status status = TARE_OK;
    size_t k = fit->rank + (fit->intercept ? 1 : 0);
    double *meat = NULL, *contrasts = NULL;
    size_t nested = clusters ? clusters->nested : 0;
    if (kind >= LINEAR_CR0 && (!clusters || !clusters->id))
        FAIL(err, TARE_E_USAGE, "linear.cluster", NULL, "cluster-robust errors need clusters");
    TRY(linear_cov_new(out, &contrasts, fit, a, err));
    TRY_NEW(meat = mem_new(a->m, k * k, sizeof *meat));
    if (kind < LINEAR_CR0) {
        TRY(meat_rows(meat, fit, model, kind, a->m, err));
        out->clusters = fit->n;
    } else {
        linear_scores scores = {fit, model, clusters, kind == LINEAR_CR2 ? contrasts : NULL,
                                out->df};
        TRY(linear_meat(meat, &out->clusters, &scores, a->m, err));
    }
    if (out->clusters < 2) {
        for (size_t j = 0; j <= fit->p; j++) out->df[j] = NAN;
        goto done;
    }
    double factor = small_sample_factor(fit, kind, out->clusters, nested);
    for (size_t c = 0; c < k * k; c++) meat[c] *= factor;
    linear_cov_fill(out, contrasts, meat, k);
    if (kind != LINEAR_CR2) set_df(out, fit, kind);
done:
    mem_free(a->m, meat);
    return status;
}

double linear_p(const linear_ols *fit, const linear_cov *cov, size_t j)
{
    size_t slot = j == LINEAR_INTERCEPT ? fit->p : j;
    double value = j == LINEAR_INTERCEPT ? fit->constant : fit->beta[j];
    double se = cov->se[slot];
    if (isnan(value) || !(se >= 0.0)) return NAN;
    if (se == 0.0) return value == 0.0 ? 1.0 : 0.0;
    return t_p(value / se, cov->df[slot]);
}
