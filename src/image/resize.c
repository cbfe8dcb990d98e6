/* resize.c - Pillow's resampling: double weights rounded to 22 bits, bytes between the passes. */
#include "image/resize.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "image/resize_kernels.h"
#include "image/wide.h"

enum { WEIGHT_BITS = 22, HALF = 1 << (WEIGHT_BITS - 1), CHUNK = 256 };

/* Weights of one axis: output i takes input [first[i], first[i] + count[i]). */
typedef struct taps {
    int *first, *count, *weight; /* weight[i * width + j] */
    double *exact;
    int width;
} taps;

static void taps_free(taps *t, const mem *m)
{
    mem_free(m, t->first);
    mem_free(m, t->count);
    mem_free(m, t->weight);
    mem_free(m, t->exact);
}

static tare_status taps_make(taps *t, const mem *m, int in, int out, resize_kernel kernel,
                             tare_error *err)
{
    tare_status status = TARE_OK;
    double scale = (double)in / out, f = scale < 1.0 ? 1.0 : scale;
    double support = resize_support(kernel) * f, shrink = 1.0 / f;
    t->width = (int)ceil(support) * 2 + 1;
    TRY_NEW(t->first = mem_new(m, (size_t)out, sizeof *t->first));
    TRY_NEW(t->count = mem_new(m, (size_t)out, sizeof *t->count));
    TRY_NEW(t->weight = mem_new(m, (size_t)out * (size_t)t->width, sizeof *t->weight));
    TRY_NEW(t->exact = mem_new(m, (size_t)t->width, sizeof *t->exact));
    for (int i = 0; i < out; i++) {
        double c = (i + 0.5) * scale, sum = 0;
        int lo = (int)(c - support + 0.5), hi = (int)(c + support + 0.5);
        if (lo < 0) lo = 0;
        if (hi > in) hi = in;
        for (int j = 0; j < hi - lo; j++)
            sum += t->exact[j] = resize_weight(kernel, (j + lo - c + 0.5) * shrink);
        int *weight = t->weight + (size_t)i * (size_t)t->width;
        for (int j = 0; j < hi - lo; j++) {
            double w = (sum != 0.0 ? t->exact[j] / sum : t->exact[j]) * (1 << WEIGHT_BITS);
            weight[j] = (int)(w < 0 ? w - 0.5 : w + 0.5);
        }
        t->first[i] = lo;
        t->count[i] = hi - lo;
    }
done:
    return status;
}

static inline unsigned char to_byte(int sum)
{
    int v = sum >> WEIGHT_BITS;
    return (unsigned char)(v < 0 ? 0 : v > 255 ? 255 : v);
}

IMAGE_WIDE
static void pass_row(unsigned char *out, const unsigned char *in, const taps *t, int width)
{
    for (int i = 0; i < width; i++) {
        const unsigned char *p = in + 3 * t->first[i];
        const int *weight = t->weight + (size_t)i * (size_t)t->width;
        int r = HALF, g = HALF, b = HALF;
        for (int j = 0; j < t->count[i]; j++, p += 3) {
            r += p[0] * weight[j];
            g += p[1] * weight[j];
            b += p[2] * weight[j];
        }
        out[3 * i] = to_byte(r);
        out[3 * i + 1] = to_byte(g);
        out[3 * i + 2] = to_byte(b);
    }
}

static void pass_across(unsigned char *out, const image *in, const taps *t, int width)
{
    for (int y = 0; y < in->height; y++)
        pass_row(out + (size_t)y * (size_t)width * 3, in->rgb + (size_t)y * (size_t)in->width * 3,
                 t, width);
}

IMAGE_WIDE
static void add_row(int *restrict sum, const unsigned char *restrict p, int weight)
{
    for (int k = 0; k < CHUNK; k++) sum[k] += p[k] * weight;
}

/* Down the columns: whole rows at a time, CHUNK bytes together. */
static void pass_down(unsigned char *out, const unsigned char *in, const taps *t, int height,
                      size_t row)
{
    int sum[CHUNK];
    for (int i = 0; i < height; i++) {
        const unsigned char *p = in + (size_t)t->first[i] * row;
        const int *weight = t->weight + (size_t)i * (size_t)t->width;
        for (size_t at = 0; at < row; at += CHUNK) {
            size_t n = row - at < CHUNK ? row - at : CHUNK;
            for (size_t k = 0; k < CHUNK; k++) sum[k] = HALF;
            for (int j = 0; j < t->count[i]; j++) {
                const unsigned char *q = p + (size_t)j * row + at;
                if (n == CHUNK) add_row(sum, q, weight[j]);
                else
                    for (size_t k = 0; k < n; k++) sum[k] += q[k] * weight[j];
            }
            for (size_t k = 0; k < n; k++) out[(size_t)i * row + at + k] = to_byte(sum[k]);
        }
    }
}

/* Pillow's nearest neighbour walks in steps that add up. */
static void pick_nearest(image *out, const image *in)
{
    double step_x = (double)in->width / out->width, step_y = (double)in->height / out->height;
    double at_y = step_y * 0.5;
    unsigned char *q = out->rgb;
    for (int y = 0; y < out->height; y++, at_y += step_y) {
        int from_y = (int)at_y < in->height ? (int)at_y : in->height - 1;
        const unsigned char *row = in->rgb + (size_t)from_y * (size_t)in->width * 3;
        double at_x = step_x * 0.5;
        for (int x = 0; x < out->width; x++, at_x += step_x, q += 3) {
            int from_x = (int)at_x < in->width ? (int)at_x : in->width - 1;
            memcpy(q, row + 3 * (size_t)from_x, 3);
        }
    }
}

static tare_status resample(image *out, const mem *m, const image *in, resize_kernel kernel,
                            tare_error *err)
{
    tare_status status = TARE_OK;
    taps across = {0}, down = {0};
    unsigned char *middle = NULL;
    size_t row = (size_t)out->width * 3;
    int both = out->width != in->width && out->height != in->height;
    if (both) TRY_NEW(middle = mem_resize(m, NULL, (size_t)in->height, row));
    if (out->width != in->width) {
        TRY(taps_make(&across, m, in->width, out->width, kernel, err));
        pass_across(both ? middle : out->rgb, in, &across, out->width);
    }
    if (out->height != in->height) {
        TRY(taps_make(&down, m, in->height, out->height, kernel, err));
        pass_down(out->rgb, both ? middle : in->rgb, &down, out->height, row);
    }
done:
    taps_free(&across, m);
    taps_free(&down, m);
    mem_free(m, middle);
    return status;
}

tare_status image_resize(image *out, const mem *m, const image *in, int width, int height,
                         resize_how how, tare_error *err)
{
    tare_status status = TARE_OK;
    resize_kernel kernel = how.kernel;
    image made = {0};
    if ((unsigned)kernel > RESIZE_LANCZOS)
        FAIL(err, TARE_E_USAGE, "image.kernel", NULL, "no kernel of number %d", (int)kernel);
    if (width > 0 && height > 0 && (uint64_t)width * (uint64_t)height > IMAGE_LIMITS_DEFAULT.pixels)
        FAIL(err, TARE_E_LIMIT, "image.limit", NULL, "a resized image of %d x %d pixels", width,
             height);
    TRY(image_new(&made, m, width, height, err));
    if (width == in->width && height == in->height)
        memcpy(made.rgb, in->rgb, image_pixels(in) * 3);
    else if (kernel == RESIZE_NEAREST) pick_nearest(&made, in);
    else TRY(resample(&made, m, in, kernel, err));
done:
    if (status != TARE_OK) image_free(&made, m);
    *out = *in;
    out->width = made.width;
    out->height = made.height;
    out->rgb = made.rgb;
    return status;
}
