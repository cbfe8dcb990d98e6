#include "audit/judge/preference.h"

#include <float.h>
#include <math.h>

#define CONSTANT_DIGITS 1e-12 /* a spread below this share of the largest value is none */

typedef struct columns {
    size_t rows, count;
    double *sum, *rest, *most; /* [count] scratch of centring */
} columns;

/* x minus the mean of its column; the mean is corrected by the mean of what it leaves. `most` gets
 * the largest |x| of each column. */
static void centre_columns(double *out, const double *x, const columns *c)
{
    size_t n = c->count;
    double rows = (double)c->rows;
    for (size_t k = 0; k < n; k++) c->sum[k] = c->rest[k] = c->most[k] = 0;
    for (size_t r = 0; r < c->rows; r++) {
        for (size_t k = 0; k < n; k++) {
            double v = x[r * n + k], a = fabs(v);
            c->sum[k] += v;
            c->most[k] = a > c->most[k] ? a : c->most[k];
        }
    }
    for (size_t k = 0; k < n; k++) c->sum[k] /= rows;
    for (size_t r = 0; r < c->rows; r++)
        for (size_t k = 0; k < n; k++) c->rest[k] += x[r * n + k] - c->sum[k];
    for (size_t k = 0; k < n; k++) c->rest[k] /= rows;
    for (size_t r = 0; r < c->rows; r++)
        for (size_t k = 0; k < n; k++) out[r * n + k] = (x[r * n + k] - c->sum[k]) - c->rest[k];
}

/* Divide centred columns by their SDs. `flag` (may be NULL) marks the constant ones. */
static void scale_columns(double *x, const columns *c, size_t ddof, uint8_t *flag)
{
    size_t n = c->count;
    double *square = c->sum, *far = c->rest;
    for (size_t k = 0; k < n; k++) square[k] = far[k] = 0;
    for (size_t r = 0; r < c->rows; r++) {
        for (size_t k = 0; k < n; k++) {
            double v = x[r * n + k], a = fabs(v);
            square[k] += v * v;
            far[k] = a > far[k] ? a : far[k];
        }
    }
    for (size_t k = 0; k < n; k++) {
        /* A NaN is no constant: it stays NaN in the division. */
        int constant = far[k] <= CONSTANT_DIGITS * c->most[k] && square[k] == square[k];
        if (flag) flag[k] = (uint8_t)constant;
        square[k] = constant ? 0 : 1 / sqrt(square[k] / (double)(c->rows - ddof));
    }
    for (size_t r = 0; r < c->rows; r++)
        for (size_t k = 0; k < n; k++) x[r * n + k] = square[k] == 0 ? 0 : x[r * n + k] * square[k];
}

static void transpose(double *out, const double *x, size_t rows, size_t cols)
{
    for (size_t r = 0; r < rows; r++)
        for (size_t k = 0; k < cols; k++) out[k * rows + r] = x[r * cols + k];
}

static void drop_rounding(double *x, size_t n, double most)
{
    double least = 16 * DBL_EPSILON * most;
    for (size_t k = 0; k < n; k++)
        if (fabs(x[k]) <= least) x[k] = 0;
}

static double largest(const double *x, size_t n)
{
    double most = 0;
    for (size_t k = 0; k < n; k++) most = fabs(x[k]) > most ? fabs(x[k]) : most;
    return most;
}

/* Rows of the centred matrix `c`, centred in turn, into `out`; leaves the transposed result in
 * `t`. */
static void centre_rows(double *out, double *t, const double *c, const columns *by_row, double most)
{
    size_t judges = by_row->rows, authors = by_row->count;
    transpose(t, c, authors, judges);
    centre_columns(t, t, by_row);
    if (!out) return;
    transpose(out, t, judges, authors);
    drop_rounding(out, authors * judges, most);
}

void preference_of(const preference *out, const double *phi, const preference_shape *shape,
                   double *scratch)
{
    size_t G = shape->authors, E = shape->judges, n = G * E, wide = G + E;
    double *c = scratch, *t = scratch + n, *v = scratch + 2 * n;
    columns by_column = {G, E, v, v + wide, v + 2 * wide};
    columns by_row = {E, G, v, v + wide, v + 2 * wide};
    centre_columns(c, phi, &by_column);
    /* The scale step needs `most` of the columns, which centring rows overwrites: R comes first and
     * keeps its own. */
    double *column_most = v + 3 * wide;
    for (size_t k = 0; k < E; k++) column_most[k] = by_column.most[k];
    if (out->residual) centre_rows(out->residual, t, c, &by_row, largest(phi, n));
    if (!out->scaled && !out->z && !out->standardised && !out->constant_judge &&
        !out->constant_author)
        return;
    by_column.most = column_most;
    scale_columns(c, &by_column, shape->ddof, out->constant_judge);
    if (out->scaled)
        for (size_t k = 0; k < n; k++) out->scaled[k] = c[k];
    if (!out->z && !out->standardised && !out->constant_author) return;
    centre_rows(out->z, t, c, &by_row, largest(c, n));
    scale_columns(t, &by_row, shape->ddof, out->constant_author);
    if (out->standardised) transpose(out->standardised, t, E, G);
}
