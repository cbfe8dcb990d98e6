/* Rows of BRISQUE in double precision (scorers 3.5): the default, which does not depend on fused
 * multiply-adds and keeps flat patches at exactly 0. */
#include <math.h>
#include <stdint.h>

#include "scorer/brisque.h"

/* exp(-k^2 / (2 (7/6)^2)) for k = 0..3, divided by the sum over -3..3. */
static const double kernel[4] = {0.3426315154652495, 0.23729607711717063, 0.07882796468173003,
                                 0.012560200468474616};

static void bytes_row(void *out, const unsigned char *grey, size_t n)
{
    double *x = out;
    for (size_t i = 0; i < n; i++) x[i] = grey[i] * (1.0 / 255.0);
}

/* Cubic taps, a = -0.75, without antialias (step 2). */
static void cubic_taps(brisque_tap *taps, size_t in, size_t out)
{
    const double a = -0.75;
    for (size_t d = 0; d < out; d++) {
        double u = ((double)d + 0.5) * ((double)in / (double)out) - 0.5;
        double i = floor(u), f = u - i, c = f + 1.0, g = 1.0 - f;
        double *w = taps[d].weight;
        w[0] = ((a * c - 5.0 * a) * c + 8.0 * a) * c - 4.0 * a;
        w[1] = ((a + 2.0) * f - (a + 3.0)) * f * f + 1.0;
        w[2] = ((a + 2.0) * g - (a + 3.0)) * g * g + 1.0;
        w[3] = 1.0 - w[0] - w[1] - w[2];
        for (int k = 0; k < 4; k++) {
            int64_t at = (int64_t)i - 1 + k;
            taps[d].at[k] = at < 0 ? 0 : at >= (int64_t)in ? in - 1 : (size_t)at;
        }
    }
}

static void half_row(void *out, const void *in, const brisque_tap *t, size_t n)
{
    double *o = out;
    const double *x = in;
    for (size_t i = 0; i < n; i++, t++)
        o[i] = x[t->at[0]] * t->weight[0] + x[t->at[1]] * t->weight[1] +
               x[t->at[2]] * t->weight[2] + x[t->at[3]] * t->weight[3];
}

static void half_column(void *out, const void *const rows[4], const double w[4], size_t n)
{
    double *o = out;
    const double *a = rows[0], *b = rows[1], *c = rows[2], *d = rows[3];
    for (size_t i = 0; i < n; i++) o[i] = a[i] * w[0] + b[i] * w[1] + c[i] * w[2] + d[i] * w[3];
}

static void blur_row(void *blurred, void *blurred_squares, const void *in, size_t n)
{
    double *restrict b = blurred, *restrict bb = blurred_squares;
    const double *x = in;
    for (size_t i = 0; i < n; i++) {
        const double *p = x + i;
        double p1 = p[-1], p2 = p[-2], p3 = p[-3], n1 = p[1], n2 = p[2], n3 = p[3];
        b[i] = kernel[0] * p[0] + kernel[1] * (p1 + n1) + kernel[2] * (p2 + n2) +
               kernel[3] * (p3 + n3);
        bb[i] = kernel[0] * (p[0] * p[0]) + kernel[1] * (p1 * p1 + n1 * n1) +
                kernel[2] * (p2 * p2 + n2 * n2) + kernel[3] * (p3 * p3 + n3 * n3);
    }
}

static inline double column(const double *const r[7], size_t i)
{
    return kernel[0] * r[3][i] + kernel[1] * (r[2][i] + r[4][i]) +
           kernel[2] * (r[1][i] + r[5][i]) + kernel[3] * (r[0][i] + r[6][i]);
}

static void map_row(double *map, const void *in, const void *const b[7], const void *const bb[7],
                    size_t n)
{
    const double *x = in;
    const double *r[7], *q[7];
    for (int k = 0; k < 7; k++) {
        r[k] = b[k];
        q[k] = bb[k];
    }
    for (size_t i = 0; i < n; i++) {
        double mu = column(r, i), v = column(q, i) - mu * mu;
        double m = (x[i] - mu) / (sqrt(v > 0.0 ? v : 0.0) + 1.0 / 255.0);
        /* Below this only rounding is left: the exact value of a flat patch is 0. */
        map[i] = fabs(m) < 1e-9 ? 0.0 : m;
    }
}

const brisque_arithmetic brisque_portable = {
    "portable", sizeof(double), false, bytes_row, cubic_taps, half_row, half_column, blur_row,
    map_row};
