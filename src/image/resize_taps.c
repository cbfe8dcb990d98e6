#include "image/resize_taps.h"

#include <math.h>

#include "base/error.h"
#include "image/resize_kernels.h"

enum { SLACK = 16 }; /* a vector load of four numbers may run over the end */

void taps_free(taps *t, const mem *m)
{
    mem_free(m, t->first);
    mem_free(m, t->count);
    mem_free(m, t->exact);
    mem_free(m, t->weight);
    mem_free(m, t->halves);
    *t = (taps){0};
}

tare_status taps_exact(taps *t, const mem *m, int in, int out, resize_kernel kernel,
                       tare_error *err)
{
    tare_status status = TARE_OK;
    double scale = (double)in / out, f = scale < 1.0 ? 1.0 : scale;
    double support = resize_support(kernel) * f, shrink = 1.0 / f;
    t->out = out;
    t->width = (int)ceil(support) * 2 + 1;
    TRY_NEW(t->first = mem_new(m, (size_t)out, sizeof *t->first));
    TRY_NEW(t->count = mem_new(m, (size_t)out, sizeof *t->count));
    TRY_NEW(t->exact = mem_resize(m, NULL, (size_t)out * (size_t)t->width, sizeof *t->exact));
    for (int i = 0; i < out; i++) {
        double c = (i + 0.5) * scale, sum = 0;
        double *exact = t->exact + (size_t)i * (size_t)t->width;
        int lo = (int)(c - support + 0.5), hi = (int)(c + support + 0.5);
        if (lo < 0) lo = 0;
        if (hi > in) hi = in;
        for (int j = 0; j < hi - lo; j++)
            sum += exact[j] = resize_weight(kernel, (j + lo - c + 0.5) * shrink);
        for (int j = 0; j < hi - lo && sum != 0.0; j++) exact[j] /= sum;
        t->first[i] = lo;
        t->count[i] = hi - lo;
    }
done:
    return status;
}

tare_status taps_round(taps *t, const mem *m, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t width = (size_t)t->width;
    TRY_NEW(t->weight = mem_resize(m, NULL, (size_t)t->out * width, sizeof *t->weight));
    for (int i = 0; i < t->out; i++) {
        const double *exact = t->exact + (size_t)i * width;
        int *weight = t->weight + (size_t)i * width;
        for (int j = 0; j < t->count[i]; j++) {
            double w = exact[j] * (1 << TAPS_BITS);
            weight[j] = (int)(w < 0 ? w - 0.5 : w + 0.5);
        }
    }
    mem_free(m, t->exact);
    t->exact = NULL;
done:
    return status;
}

tare_status taps_split(taps *t, const mem *m, int group, tare_error *err)
{
    const int most = 32767 << TAPS_LOW_BITS, half = 1 << (TAPS_LOW_BITS - 1);
    tare_status status = TARE_OK;
    size_t groups = ((size_t)t->width + (size_t)group - 1) / (size_t)group;
    t->group = group;
    t->stride = (int)groups * 2 * group;
    TRY_NEW(t->halves = mem_new(m, (size_t)t->out * (size_t)t->stride + SLACK, sizeof *t->halves));
    for (int i = 0; i < t->out; i++) {
        const int *weight = t->weight + (size_t)i * (size_t)t->width;
        short *halves = t->halves + (size_t)i * (size_t)t->stride;
        for (int j = 0; j < t->count[i]; j++) {
            if (weight[j] >= most || weight[j] <= -most) {
                mem_free(m, t->halves);
                t->halves = NULL;
                goto done;
            }
            int high = (weight[j] + half) >> TAPS_LOW_BITS;
            short *place = halves + j / group * 2 * group + j % group;
            place[0] = (short)high;
            place[group] = (short)(weight[j] - high * (1 << TAPS_LOW_BITS));
        }
    }
done:
    return status;
}
