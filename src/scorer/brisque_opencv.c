/* Rows of BRISQUE in the float32 of OpenCV 4.6 (scorers 3.5, "Arithmetic"): which steps are fused
 * and in which order decides low bits, and on flat patches more than that. */
#include <math.h>
#include <stdint.h>

#include "scorer/brisque.h"

static const float kernel[4] = {(float)0.3426315154652495, (float)0.23729607711717063,
                                (float)0.07882796468173003, (float)0.012560200468474616};

static void bytes_row(void *out, const unsigned char *grey, size_t n)
{
    float *x = out;
    for (size_t i = 0; i < n; i++) x[i] = (float)grey[i] * (float)(1.0 / 255.0);
}

static void cubic_taps(brisque_tap *taps, size_t in, size_t out)
{
    const float a = -0.75f;
    for (size_t d = 0; d < out; d++) {
        float u = (float)(((double)d + 0.5) * ((double)in / (double)out) - 0.5);
        float i = floorf(u), f = u - i, c = f + 1.0f, g = 1.0f - f;
        float w0 = ((a * c - 5.0f * a) * c + 8.0f * a) * c - 4.0f * a;
        float w1 = ((a + 2.0f) * f - (a + 3.0f)) * f * f + 1.0f;
        float w2 = ((a + 2.0f) * g - (a + 3.0f)) * g * g + 1.0f;
        float w3 = 1.0f - w0 - w1 - w2;
        const float w[4] = {w0, w1, w2, w3};
        for (int k = 0; k < 4; k++) {
            int64_t at = (int64_t)i - 1 + k;
            taps[d].at[k] = at < 0 ? 0 : at >= (int64_t)in ? in - 1 : (size_t)at;
            taps[d].weight[k] = (double)w[k];
        }
    }
}

static void half_row(void *out, const void *in, const brisque_tap *t, size_t n)
{
    float *o = out;
    const float *x = in;
    for (size_t i = 0; i < n; i++, t++)
        o[i] = x[t->at[0]] * (float)t->weight[0] + x[t->at[1]] * (float)t->weight[1] +
               x[t->at[2]] * (float)t->weight[2] + x[t->at[3]] * (float)t->weight[3];
}

/* From the last tap to the first where OpenCV takes four columns at once, else from the first. */
static void half_column(void *out, const void *const rows[4], const double w[4], size_t n)
{
    float *o = out;
    const float *a = rows[0], *b = rows[1], *c = rows[2], *d = rows[3];
    const float w0 = (float)w[0], w1 = (float)w[1], w2 = (float)w[2], w3 = (float)w[3];
    size_t i = 0;
    for (; i < n - n % 4; i++) o[i] = d[i] * w3 + c[i] * w2 + b[i] * w1 + a[i] * w0;
    for (; i < n; i++) o[i] = a[i] * w0 + b[i] * w1 + c[i] * w2 + d[i] * w3;
}

static void blur_row(void *blurred, void *blurred_squares, const void *in, size_t n)
{
    static const int distance[7] = {3, 2, 1, 0, 1, 2, 3};
    float *b = blurred, *bb = blurred_squares;
    const float *x = in;
    for (size_t i = 0; i < n; i++) {
        const float *p = x + i - 3;
        float s = p[0] * kernel[3], q = (p[0] * p[0]) * kernel[3];
        for (int k = 1; k < 7; k++) {
            s = fmaf(p[k], kernel[distance[k]], s);
            q = fmaf(p[k] * p[k], kernel[distance[k]], q);
        }
        b[i] = s;
        bb[i] = q;
    }
}

static inline float column(const float *const r[7], size_t i)
{
    float s = r[3][i] * kernel[0];
    for (int k = 1; k < 4; k++) s = fmaf(r[3 + k][i] + r[3 - k][i], kernel[k], s);
    return s;
}

static void map_row(double *map, const void *in, const void *const b[7], const void *const bb[7],
                    size_t n)
{
    const float *x = in;
    const float *r[7], *q[7];
    for (int k = 0; k < 7; k++) {
        r[k] = b[k];
        q[k] = bb[k];
    }
    for (size_t i = 0; i < n; i++) {
        float mu = column(r, i), v = column(q, i) - mu * mu;
        float sd = v < 0.0f ? NAN : sqrtf(v); /* NaN where v < 0 is kept, as there */
        map[i] = (double)((x[i] - mu) / (sd + (float)(1.0 / 255.0)));
    }
}

const brisque_arithmetic brisque_opencv = {
    "opencv", sizeof(float), true, bytes_row, cubic_taps, half_row, half_column, blur_row,
    map_row};
