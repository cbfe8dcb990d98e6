/* resize_deep.c - in 32-bit grey Pillow adds exact weights in double, in the order of the taps,
 * rounds to whole numbers after each pass and cuts nothing off: values below 0 and above what the
 * file can hold stand between the passes and in the result. */
#include "image/resize_deep.h"

#include <string.h>

#include "base/error.h"
#include "image/resize_taps.h"

enum { CHUNK = 256 };

/* Half away from zero. Sums of 16-bit samples are far from the ends of 32 bits. */
static int32_t whole(double sum)
{
    return (int32_t)(sum >= 0.0 ? sum + 0.5 : sum - 0.5);
}

static void across(int32_t *out, const int32_t *in, int rows, int in_width, const taps *t)
{
    for (int y = 0; y < rows; y++, in += in_width, out += t->out)
        for (int i = 0; i < t->out; i++) {
            const int32_t *v = in + t->first[i];
            const double *weight = t->exact + (size_t)i * (size_t)t->width;
            double sum = 0.0;
            for (int j = 0; j < t->count[i]; j++) sum += v[j] * weight[j];
            out[i] = whole(sum);
        }
}

/* CHUNK columns together, so that rows are read as they lie. */
static void down(int32_t *out, const int32_t *in, int columns, const taps *t)
{
    size_t width = (size_t)columns;
    double sum[CHUNK];
    for (int i = 0; i < t->out; i++, out += width) {
        const double *weight = t->exact + (size_t)i * (size_t)t->width;
        for (size_t at = 0; at < width; at += CHUNK) {
            size_t n = width - at < CHUNK ? width - at : CHUNK;
            const int32_t *v = in + (size_t)t->first[i] * width + at;
            memset(sum, 0, sizeof sum);
            for (int j = 0; j < t->count[i]; j++, v += width)
                for (size_t k = 0; k < n; k++) sum[k] += v[k] * weight[j];
            for (size_t k = 0; k < n; k++) out[at + k] = whole(sum[k]);
        }
    }
}

tare_status deep_resample(image *out, const mem *m, const image *in, resize_kernel kernel,
                          bool down_first, tare_error *err)
{
    tare_status status = TARE_OK;
    const int32_t *from = (const void *)in->rgb;
    int32_t *to = (void *)out->rgb, *middle = NULL;
    bool wider = out->width != in->width, higher = out->height != in->height;
    taps x = {0}, y = {0};
    if (wider) TRY(taps_exact(&x, m, in->width, out->width, kernel, err));
    if (higher) TRY(taps_exact(&y, m, in->height, out->height, kernel, err));
    if (wider && higher)
        TRY_NEW(middle = mem_resize(m, NULL, down_first ? (size_t)in->width * (size_t)out->height
                                                        : (size_t)out->width * (size_t)in->height,
                                    sizeof *middle));
    if (!higher) across(to, from, in->height, in->width, &x);
    else if (!wider) down(to, from, in->width, &y);
    else if (down_first) {
        down(middle, from, in->width, &y);
        across(to, middle, out->height, in->width, &x);
    } else {
        across(middle, from, in->height, in->width, &x);
        down(to, middle, out->width, &y);
    }
done:
    taps_free(&x, m);
    taps_free(&y, m);
    mem_free(m, middle);
    return status;
}
