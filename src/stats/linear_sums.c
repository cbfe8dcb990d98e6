/* linear_sums.c - per-cluster sums and the solver of replicates (see linear.h). */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "stats/linear.h"
#include "stats/moments.h"

static void add_slot(double *sum, double *low, double x)
{
    neumaier s = {*sum, *low};
    neumaier_add(&s, x);
    *sum = s.sum;
    *low = s.low;
}

/* Add one row to its cluster's sums. row [p] holds the columns. */
static void add_row(double *sum, double *low, const double *row, size_t p, double y)
{
    for (size_t i = 0; i < p; i++)
        for (size_t j = i; j < p; j++) add_slot(sum++, low++, row[i] * row[j]);
    for (size_t i = 0; i < p; i++) add_slot(sum++, low++, row[i] * y);
    add_slot(sum++, low++, y * y);
    *sum += 1.0;
}

tare_status linear_sums(double *z, const linear_model *model, const linear_clusters *clusters,
                        const mem *m, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t lead = model->intercept ? 1 : 0, p = model->p + lead, n = model->n;
    size_t width = LINEAR_SUMS_WIDTH(p);
    double *low = NULL, *row = NULL;
    TRY_NEW(low = mem_new(m, clusters->count, width * sizeof *low));
    TRY_NEW(row = mem_new(m, p, sizeof *row));
    memset(z, 0, clusters->count * width * sizeof *z);
    if (lead) row[0] = 1.0;
    for (size_t i = 0; i < n; i++) {
        uint32_t g = clusters->id[i];
        if (g >= clusters->count)
            FAIL(err, TARE_E_DATA, "linear.cluster", NULL, "row %zu has cluster %u of %zu", i, g,
                 clusters->count);
        for (size_t j = 0; j < model->p; j++) row[lead + j] = model->x[j * n + i];
        add_row(z + g * width, low + g * width, row, p, model->y[i]);
    }
    for (size_t k = 0; k < clusters->count * width; k++) z[k] += low[k];
done:
    mem_free(m, low);
    mem_free(m, row);
    return status;
}

/* below, the triangle under `row` [size], loses the outer product of row[1..]. */
static void subtract_row(double *restrict below, const double *restrict row, size_t size)
{
    for (size_t k = 1; k < size; k++) {
        double factor = row[k];
        for (size_t j = k; j < size; j++) below[j - k] -= factor * row[j];
        below += size - k;
    }
}

bool linear_solve_spd(double *beta, const double *total, size_t p)
{
    double root[LINEAR_SOLVE_MAX * (LINEAR_SOLVE_MAX + 1) / 2]; /* upper triangle by rows */
    double scale[LINEAR_SOLVE_MAX];
    if (p == 0 || p > LINEAR_SOLVE_MAX) return false;
    const double *cell = total;
    for (size_t i = 0; i < p; cell += p - i, i++) {
        beta[i] = NAN;
        scale[i] = 1.0 / sqrt(*cell);
        if (!(*cell > 0.0) || !isfinite(scale[i])) goto loss;
    }
    /* R'R = correlation matrix, right-looking: row i is final when it is reached */
    cell = total;
    double *to = root;
    for (size_t i = 0; i < p; i++)
        for (size_t j = i; j < p; j++) *to++ = *cell++ * scale[i] * scale[j];
    const double *xy = cell;
    for (size_t i = 0; i < p; i++) beta[i] = xy[i] * scale[i];
    double *row = root;
    for (size_t i = 0; i < p; row += p - i, i++) {
        if (!(row[0] >= 1e-10)) goto loss;
        double pivot = sqrt(row[0]);
        for (size_t j = 0; j < p - i; j++) row[j] /= pivot;
        beta[i] /= pivot;
        subtract_row(row + (p - i), row, p - i);
        for (size_t k = 1; k < p - i; k++) beta[i + k] -= row[k] * beta[i];
    }
    for (size_t i = p; i-- > 0;) {
        row -= p - i;
        for (size_t j = 1; j < p - i; j++) beta[i] -= row[j] * beta[i + j];
        beta[i] /= row[0];
    }
    bool finite = true;
    for (size_t i = 0; i < p; i++) {
        beta[i] *= scale[i];
        finite = finite && isfinite(beta[i]);
    }
    if (finite) return true;
loss:
    for (size_t i = 0; i < p; i++) beta[i] = NAN;
    return false;
}

double linear_solve_rss(const double *beta, const double *total, size_t p)
{
    const double *xy = total + p * (p + 1) / 2;
    neumaier s = {xy[p], 0.0};
    for (size_t i = 0; i < p; i++) neumaier_add(&s, -beta[i] * xy[i]);
    double rss = neumaier_total(&s);
    return rss < 0.0 ? 0.0 : rss;
}
