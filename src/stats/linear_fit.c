/* linear_fit.c - least squares by Householder QR (see linear.h). */
#include <math.h>

#include "base/error.h"
#include "stats/eigen.h"
#include "stats/linear.h"
#include "stats/moments.h"

#define DROP_BELOW 1e-5
#define CONSTANT_BELOW 1e-13 /* of the column's length: what is left is rounding */

typedef struct qr {
    size_t n, p, rank;
    double *a;      /* [p][n] centred unit columns, then reflectors below, R above          */
    double *y;      /* [n] centred, then Q'y                                                */
    double *norm;   /* [p] length of the centred column                                     */
    double *r;      /* [p][p] R of the kept columns, r[row * p + place]                     */
    double *inverse;/* [p][p] its inverse                                                   */
    double *scale;  /* [p] 2/(v'v) of each reflector                                        */
} qr;

void linear_demean(double *v, const uint32_t *effect, size_t n, size_t effects, size_t *counts,
                   double *sums)
{
    double *first = sums, *total = sums + effects, *low = total + effects;
    for (size_t g = 0; g < effects; g++) {
        counts[g] = 0;
        total[g] = low[g] = 0.0;
    }
    for (size_t i = 0; i < n; i++) {
        uint32_t g = effect[i];
        if (counts[g]++ == 0) first[g] = v[i];
        neumaier s = {total[g], low[g]};
        neumaier_add(&s, v[i] - first[g]);
        total[g] = s.sum;
        low[g] = s.low;
    }
    for (size_t g = 0; g < effects; g++)
        if (counts[g] > 0) total[g] = (total[g] + low[g]) / (double)counts[g];
    for (size_t i = 0; i < n; i++) v[i] = (v[i] - first[effect[i]]) - total[effect[i]];
}

/* Copy `from`, less its mean if asked for (through a shift, so that equal values give exact 0).
 * Returns the mean taken out. */
static double copy_centred(double *to, const double *from, size_t n, bool centre)
{
    double shift = centre && n > 0 ? from[0] : 0.0;
    for (size_t i = 0; i < n; i++) to[i] = from[i] - shift;
    if (!centre || n == 0) return 0.0;
    double rest = moments_mean(to, n);
    for (size_t i = 0; i < n; i++) to[i] -= rest;
    return shift + rest;
}

static tare_status check_finite(const linear_model *model, tare_error *err)
{
    for (size_t i = 0; i < model->n; i++)
        if (!isfinite(model->y[i]))
            return error_set(err, TARE_E_DATA, "linear.nonfinite", NULL,
                             "the response of row %zu is not a finite number", i);
    for (size_t i = 0; i < model->n * model->p; i++)
        if (!isfinite(model->x[i]))
            return error_set(err, TARE_E_DATA, "linear.nonfinite", NULL,
                             "column %zu, row %zu is not a finite number", i / model->n,
                             i % model->n);
    return TARE_OK;
}

/* v <- (I - s u u') v on rows from.. of column vectors. */
static void reflect(double *v, const double *u, double s, size_t from, size_t n)
{
    double factor = s * moments_dot(u + from, v + from, n - from);
    for (size_t i = from; i < n; i++) v[i] -= factor * u[i];
}

/* Weights of the kept columns in the dropped column j, whose reflected top is in its storage. */
static void describe_drop(linear_ols *out, const qr *q, size_t j)
{
    const double *top = q->a + j * q->n;
    double *row = out->depends + j * q->p;
    for (size_t k = q->rank; k-- > 0;) {
        double c = top[k];
        for (size_t m = k + 1; m < q->rank; m++) c -= q->r[k * q->p + m] * row[out->kept[m]];
        row[out->kept[k]] = c / q->r[k * q->p + k];
    }
    for (size_t k = 0; k < q->rank; k++) {
        size_t i = out->kept[k];
        row[i] = fabs(row[i]) < DROP_BELOW ? 0.0 : row[i] * q->norm[j] / q->norm[i];
    }
}

static void factor_column(linear_ols *out, qr *q, size_t j, const double *raw)
{
    size_t n = q->n, k = q->rank;
    double *column = q->a + j * n;
    double length = sqrt(moments_dot(raw, raw, n));
    q->norm[j] = sqrt(moments_dot(column, column, n));
    out->dropped[j] = !(q->norm[j] > CONSTANT_BELOW * length);
    if (out->dropped[j]) return;
    for (size_t i = 0; i < n; i++) column[i] /= q->norm[j];
    for (size_t m = 0; m < k; m++) reflect(column, q->a + out->kept[m] * n, q->scale[m], m, n);

    double rest = k < n ? sqrt(moments_dot(column + k, column + k, n - k)) : 0.0;
    if (rest < DROP_BELOW) {
        out->dropped[j] = true;
        describe_drop(out, q, j);
        return;
    }
    double diagonal = column[k] > 0.0 ? -rest : rest;
    for (size_t m = 0; m < k; m++) {
        q->r[m * q->p + k] = column[m];
        column[m] = 0.0;
    }
    q->r[k * q->p + k] = diagonal;
    column[k] -= diagonal;
    q->scale[k] = 2.0 / moments_dot(column + k, column + k, n - k);
    reflect(q->y, column, q->scale[k], k, n);
    out->kept[q->rank++] = j;
}

static void invert_upper(qr *q)
{
    size_t p = q->p;
    for (size_t c = 0; c < q->rank; c++) {
        q->inverse[c * p + c] = 1.0 / q->r[c * p + c];
        for (size_t k = c; k-- > 0;) {
            neumaier s = {0.0, 0.0};
            for (size_t m = k + 1; m <= c; m++)
                neumaier_add(&s, q->r[k * p + m] * q->inverse[m * p + c]);
            q->inverse[k * p + c] = -neumaier_total(&s) / q->r[k * p + k];
        }
    }
}

/* Largest eigenvalue of T T' for the leading rank x rank block of upper triangular T. work:
 * 3 rank^2. */
static double largest_square(const double *t, size_t p, size_t rank, double *work)
{
    double *a = work, *vectors = a + rank * rank, *values = vectors + rank * rank;
    for (size_t i = 0; i < rank; i++) {
        for (size_t j = 0; j < rank; j++) {
            size_t from = i > j ? i : j;
            a[i * rank + j] = moments_dot(t + i * p + from, t + j * p + from, rank - from);
        }
    }
    if (!eigen_symmetric(values, vectors, a, rank)) return NAN;
    double top = 0.0;
    for (size_t k = 0; k < rank; k++) top = fmax(top, values[k]);
    return top;
}

static void finish_coefficients(linear_ols *out, const qr *q)
{
    size_t p = q->p;
    neumaier constant = {out->constant, 0.0};
    for (size_t k = 0; k < q->rank; k++) {
        size_t j = out->kept[k];
        const double *row = q->inverse + k * p;
        out->beta[j] = moments_dot(row + k, q->y + k, q->rank - k) / q->norm[j];
        out->vif[j] = moments_dot(row + k, row + k, q->rank - k);
        neumaier_add(&constant, -out->beta[j] * out->mean[j]);
    }
    out->constant = out->intercept && q->n > 0 ? neumaier_total(&constant) : NAN;
}

static void finish_basis(linear_ols *out, const qr *q)
{
    size_t lead = out->intercept ? 1 : 0, k = q->rank + lead;
    if (lead) out->basis[0] = 1.0 / sqrt((double)q->n);
    for (size_t a = 0; a < q->rank; a++)
        for (size_t b = a; b < q->rank; b++)
            out->basis[(a + lead) * k + b + lead] = q->inverse[a * q->p + b]
                                                    / q->norm[out->kept[a]];
}

/* Residuals: what the columns do not span of y, turned back by Q. */
static void finish_residuals(linear_ols *out, const qr *q)
{
    size_t n = q->n, rank = q->rank < n ? q->rank : n;
    for (size_t i = 0; i < n; i++) out->residual[i] = i < rank ? 0.0 : q->y[i];
    for (size_t k = rank; k-- > 0;)
        reflect(out->residual, q->a + out->kept[k] * n, q->scale[k], k, n);
    out->rss = moments_dot(out->residual, out->residual, n);
    out->r2 = out->tss > 0.0 ? 1.0 - out->rss / out->tss : NAN;
}

static tare_status allocate_out(linear_ols *out, const linear_model *model, arena *a,
                                tare_error *err)
{
    tare_status status = TARE_OK;
    size_t n = model->n, p = model->p;
    *out = (linear_ols){.n = n, .p = p, .intercept = model->intercept,
                        .absorbed = model->absorbed, .constant = NAN, .condition = NAN};
    TRY_NEW(out->beta = arena_new(a, p, sizeof(double)));
    TRY_NEW(out->dropped = arena_new(a, p, sizeof(bool)));
    TRY_NEW(out->depends = arena_new(a, p * p, sizeof(double)));
    TRY_NEW(out->residual = arena_new(a, n, sizeof(double)));
    TRY_NEW(out->vif = arena_new(a, p, sizeof(double)));
    TRY_NEW(out->kept = arena_new(a, p, sizeof(size_t)));
    TRY_NEW(out->mean = arena_new(a, p, sizeof(double)));
    TRY_NEW(out->basis = arena_new(a, (p + 1) * (p + 1), sizeof(double)));
    for (size_t j = 0; j < p; j++) out->beta[j] = out->vif[j] = NAN;
done:
    return status;
}

tare_status linear_fit(linear_ols *out, const linear_model *model, arena *a, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t n = model->n, p = model->p;
    qr q = {.n = n, .p = p};
    double *work = NULL;
    if (p > 4096 || (p > 0 && n > SIZE_MAX / 16 / p))
        FAIL(err, TARE_E_LIMIT, "linear.size", NULL, "%zu rows by %zu columns", n, p);
    TRY(check_finite(model, err));
    TRY(allocate_out(out, model, a, err));
    TRY_NEW(work = mem_new(a->m, n * p + n + 5 * p * p + 2 * p, sizeof(double)));
    q.a = work;
    q.y = q.a + n * p;
    q.norm = q.y + n;
    q.scale = q.norm + p;
    q.r = q.scale + p;
    q.inverse = q.r + p * p;

    double mean_y = copy_centred(q.y, model->y, n, model->intercept);
    out->tss = moments_dot(q.y, q.y, n);
    out->constant = mean_y;
    for (size_t j = 0; j < p; j++) {
        const double *raw = model->x + j * n;
        out->mean[j] = copy_centred(q.a + j * n, raw, n, model->intercept);
        factor_column(out, &q, j, raw);
    }
    out->rank = q.rank;
    invert_upper(&q);
    finish_coefficients(out, &q);
    finish_basis(out, &q);
    finish_residuals(out, &q);
    if (q.rank > 0)
        out->condition = sqrt(largest_square(q.r, p, q.rank, q.inverse + p * p))
                         * sqrt(largest_square(q.inverse, p, q.rank, q.inverse + p * p));
done:
    mem_free(a->m, work);
    return status;
}
