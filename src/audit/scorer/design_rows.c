#include <float.h>
#include <math.h>
#include <string.h>

#include "audit/scorer/regression.h"
#include "base/error.h"
#include "stats/verdict.h"

/* Demean within the base; a column that is constant there but for rounding becomes exactly 0. */
static double demean(double *v, const design *d, size_t *counts, double *sums)
{
    double before = 0, after = 0;
    for (size_t r = 0; r < d->n; r++) before = fmax(before, fabs(v[r]));
    linear_demean(v, d->effect, d->n, d->bases, counts, sums);
    for (size_t r = 0; r < d->n; r++) after = fmax(after, fabs(v[r]));
    if (after > 8 * DBL_EPSILON * before) return after;
    for (size_t r = 0; r < d->n; r++) v[r] = 0;
    return 0;
}

tare_status design_make(design *d, study *t, const view *v, const frame *f,
                        const design_columns *columns, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t m = v->arm->doses;
    memset(d, 0, sizeof *d);
    d->f = f;
    d->n = f->n * m;
    d->p = columns->p;
    d->bases = f->n;
    size_t *counts;
    double *sums;
    TRY_NEW(d->x = arena_new(&t->brief, d->n * d->p + 1, sizeof *d->x));
    TRY_NEW(d->y = arena_new(&t->brief, d->n + 1, sizeof *d->y));
    TRY_NEW(d->effect = arena_new(&t->brief, d->n + 1, sizeof *d->effect));
    TRY_NEW(d->cluster = arena_new(&t->brief, d->n + 1, sizeof *d->cluster));
    TRY_NEW(counts = arena_new(&t->brief, d->bases + 1, sizeof *counts));
    TRY_NEW(sums = arena_new(&t->brief, 3 * d->bases + 1, sizeof *sums));
    size_t r = 0;
    uint32_t base = 0;
    for (size_t i = 0; i < f->bases; i++) {
        if (!f->used[i]) continue;
        for (size_t k = 0; k < m; k++, r++) {
            d->y[r] = v->scores->s[i * m + k];
            d->effect[r] = base;
            d->cluster[r] = f->cluster[i];
            for (size_t j = 0; j < d->p; j++)
                d->x[j * d->n + r] = j < columns->per_base_count
                                         ? columns->per_base[j][i * m + k]
                                         : columns->per_dose[(j - columns->per_base_count) * m + k];
        }
        base++;
    }
    if (d->n == 0) goto done;
    d->y_scale = demean(d->y, d, counts, sums);
    for (size_t j = 0; j < d->p; j++) demean(d->x + j * d->n, d, counts, sums);
done:
    return status;
}

static void solve_all(double *values, const double *total, size_t p, const void *user)
{
    (void)p;
    size_t columns = *(const size_t *)user;
    if (!linear_solve_spd(values, total, columns))
        for (size_t j = 0; j < columns; j++) values[j] = NAN;
}

/* An exact fit leaves coefficients that are rounding error: they are 0 with certainty. */
static void snap_coefficient(inference *x, double x_scale, double y_scale)
{
    double limit = 1e-12 * y_scale;
    if (fabs(x->estimate) * x_scale > limit || !(fabs(x->lo) * x_scale <= limit) ||
        !(fabs(x->hi) * x_scale <= limit))
        return;
    x->lo = x->hi = x->lo90 = x->hi90 = x->se = 0;
    x->estimate = 0;
    x->p = 1;
    x->zero_variance = true;
    x->under_cover = x->extreme = false;
}

static const char *dropped_reason(const design *d, size_t j)
{
    for (size_t r = 0; r < d->n; r++)
        if (d->x[j * d->n + r] != 0) return REASON_INSEPARABLE;
    return REASON_DEGENERATE;
}

static double column_scale(const double *x, size_t n)
{
    double scale = 0;
    for (size_t r = 0; r < n; r++) scale = fmax(scale, fabs(x[r]));
    return scale;
}

/* Leave the sums of the last column, if it was kept: it is the last of those kept. */
static void leave_sums(const design *d, const linear_ols *fit, design_sums sums, const double *x)
{
    if (!d->sums || fit->kept[sums.kept - 1] != d->p - 1) return;
    sums.column = sums.kept - 1;
    sums.x_scale = column_scale(x + sums.column * d->n, d->n);
    sums.rows = d->n;
    sums.bases = d->bases;
    sums.y_scale = d->y_scale;
    sums.f = *d->f;
    *d->sums = sums;
}

tare_status design_again(inference *out, const design_sums *sums, const infer_plan *plan,
                         tare_error *err)
{
    inference part[LINEAR_SOLVE_MAX];
    infer_smooth all = {.many = solve_all, .user = &sums->kept, .cr2 = sums->cr2,
                        .outputs = sums->kept, .n = sums->rows};
    tare_status status =
        infer_totals(part, plan, &(infer_sums){sums->z, sums->width}, &all, 1, NULL, err);
    if (status != TARE_OK) return status;
    *out = part[sums->column];
    out->n = sums->bases;
    snap_coefficient(out, sums->x_scale, sums->y_scale);
    return TARE_OK;
}

tare_status design_infer(inference *out, linear_ols *fit, study *t, const design *d,
                         tare_error *err)
{
    tare_status status = TARE_OK;
    for (size_t j = 0; j < d->p; j++) out[j] = inference_none(REASON_TOO_FEW_CLUSTERS);
    memset(fit, 0, sizeof *fit);
    if (d->n == 0) return TARE_OK;
    linear_model full = {.n = d->n, .p = d->p, .x = d->x, .y = d->y, .absorbed = d->bases,
                         .effect = d->effect, .effects = d->bases};
    linear_clusters clusters = {.id = d->cluster, .count = d->f->plan.clusters};
    TRY(linear_fit(fit, &full, &t->brief, err));
    for (size_t j = 0; j < d->p; j++)
        if (fit->dropped[j]) out[j] = inference_none(dropped_reason(d, j));
    size_t kept = fit->rank;
    if (kept == 0) goto done;
    linear_cov cov;
    TRY(linear_covariance(&cov, fit, &full, LINEAR_CR2, &clusters, &t->brief, err));
    double *x = d->x, *z, *cr2;
    inference *part;
    if (kept < d->p) TRY_NEW(x = arena_raw(&t->brief, kept * d->n, sizeof *x));
    arena *last = d->sums ? &t->scratch : &t->brief;
    TRY_NEW(cr2 = arena_new(last, 2 * kept, sizeof *cr2));
    TRY_NEW(part = arena_new(&t->brief, kept, sizeof *part));
    for (size_t k = 0; k < kept; k++) {
        size_t j = fit->kept[k];
        if (x != d->x) memcpy(x + k * d->n, d->x + j * d->n, d->n * sizeof *x);
        cr2[2 * k] = cov.se[j];
        cr2[2 * k + 1] = cov.df[j];
    }
    linear_model reduced = full;
    reduced.p = kept;
    reduced.x = x;
    size_t width = LINEAR_SUMS_WIDTH(kept);
    TRY_NEW(z = arena_new(last, d->f->plan.clusters * width, sizeof *z));
    TRY(linear_sums(z, &reduced, &clusters, t->m, err));
    infer_smooth all = {.many = solve_all, .user = &kept, .cr2 = cr2, .outputs = kept, .n = d->n};
    TRY(infer_totals(part, &d->f->plan, &(infer_sums){z, width}, &all, 1, t->keep,
                     err));
    for (size_t k = 0; k < kept; k++) {
        size_t j = fit->kept[k];
        out[j] = part[k];
        out[j].n = d->bases;
        snap_coefficient(&out[j], column_scale(x + k * d->n, d->n), d->y_scale);
    }
    leave_sums(d, fit, (design_sums){.z = z, .cr2 = cr2, .width = width, .kept = kept}, x);
done:
    return status;
}
