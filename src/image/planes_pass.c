#include "image/planes_pass.h"

#include <string.h>

#include "image/wide.h"

enum { LANES = 16, QUAD = 4, QUADS = LANES / QUAD };

typedef double quad __attribute__((vector_size(QUAD * sizeof(double))));
typedef float quad_float __attribute__((vector_size(QUAD * sizeof(float))));

/* LANES sums side by side: lane k adds weight[j] x from[j * step + k] in the order of j. */
static inline __attribute__((always_inline)) void
sum_lanes(float *out, const float *from, size_t step, const double *weight, int count)
{
    quad sum[QUADS] = {{0}};
    for (int j = 0; j < count; j++, from += step) {
        quad w = {weight[j], weight[j], weight[j], weight[j]};
#pragma GCC unroll 4
        for (int k = 0; k < QUADS; k++) {
            quad_float v;
            memcpy(&v, from + QUAD * k, sizeof v);
            sum[k] += __builtin_convertvector(v, quad) * w;
        }
    }
#pragma GCC unroll 4
    for (int k = 0; k < QUADS; k++) {
        quad_float v = __builtin_convertvector(sum[k], quad_float);
        memcpy(out + QUAD * k, &v, sizeof v);
    }
}

size_t planes_scratch_bytes(void)
{
    return LANES * sizeof(float);
}

/* LANES rows, on end: place x holds their x-th numbers. Past the last row it is taken again. */
static void turn_rows(float *scratch, const planes_source *in, size_t first)
{
    size_t width = (size_t)in->width, height = (size_t)in->height;
    for (size_t r = 0; r < LANES; r++) {
        size_t row = first + r < PLANES_COUNT * height ? first + r : PLANES_COUNT * height - 1;
        float *to = scratch + r;
        if (in->v != NULL) {
            const float *from = in->v + row * width;
            for (size_t x = 0; x < width; x++) to[x * LANES] = from[x];
        } else {
            const unsigned char *from = in->bytes + row % height * width * 3 + row / height;
            for (size_t x = 0; x < width; x++) to[x * LANES] = in->share[from[3 * x]];
        }
    }
}

IMAGE_WIDE
static void across_rows(float *out, const float *scratch, const taps *t, size_t rows)
{
    for (int i = 0; i < t->out; i++) {
        float made[LANES];
        sum_lanes(made, scratch + (size_t)t->first[i] * LANES, LANES,
                  t->exact + (size_t)i * (size_t)t->width, t->count[i]);
        for (size_t r = 0; r < rows; r++) out[r * (size_t)t->out + (size_t)i] = made[r];
    }
}

void planes_across(float *out, const planes_source *in, const taps *t, float *scratch)
{
    size_t rows = PLANES_COUNT * (size_t)in->height;
    for (size_t y = 0; y < rows; y += LANES) {
        turn_rows(scratch, in, y);
        across_rows(out + y * (size_t)t->out, scratch, t, rows - y < LANES ? rows - y : LANES);
    }
}

IMAGE_WIDE
void planes_down(float *out, const float *in, size_t row, const taps *t)
{
    for (int i = 0; i < t->out; i++, out += row) {
        const float *from = in + (size_t)t->first[i] * row;
        const double *weight = t->exact + (size_t)i * (size_t)t->width;
        size_t at = 0;
        for (; at + LANES <= row; at += LANES)
            sum_lanes(out + at, from + at, row, weight, t->count[i]);
        for (; at < row; at++) {
            double sum = 0.0;
            for (int j = 0; j < t->count[i]; j++)
                sum += (double)from[(size_t)j * row + at] * weight[j];
            out[at] = (float)sum;
        }
    }
}
