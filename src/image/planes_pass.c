#include "image/planes_pass.h"

#include <string.h>

#include "image/wide.h"

enum { LANES = 16, QUAD = 4, QUADS = LANES / QUAD, BLOCK = 64 };

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

/* One row's places [begin, end) of the scratch. */
static void turn_row(float *to, const planes_source *in, size_t row, size_t begin, size_t end)
{
    size_t width = (size_t)in->width, height = (size_t)in->height;
    if (in->v != NULL) {
        const float *from = in->v + row * width;
        for (size_t x = begin; x < end; x++) to[x * LANES] = from[x];
    } else {
        const unsigned char *from = in->bytes + row % height * width * 3 + row / height;
        for (size_t x = begin; x < end; x++) to[x * LANES] = in->share[from[3 * x]];
    }
}

/* LANES rows, on end: place x holds their x-th numbers; BLOCK places at a time, which stay in the
 * nearest cache. Past the last row it is taken again. */
static void turn_rows(float *scratch, const planes_source *in, size_t first)
{
    size_t width = (size_t)in->width, last = PLANES_COUNT * (size_t)in->height - 1;
    for (size_t x = 0; x < width; x += BLOCK)
        for (size_t r = 0; r < LANES; r++)
            turn_row(scratch + r, in, first + r < last ? first + r : last, x,
                     x + BLOCK < width ? x + BLOCK : width);
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
