/* feather.c - Gaussian weights around a mask: down the columns, then along the rows. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/error.h"
#include "image/wide.h"
#include "perturb/mask.h"
#include "stats/moments.h"

enum { SIGMA_MOST = 4096 };

/* Index of the half-sample symmetric extension (dcba|abcd|dcba) of n samples. */
static int mirror(int64_t at, int n)
{
    int64_t period = 2 * (int64_t)n, k = at % period;
    if (k < 0) k += period;
    return (int)(k < n ? k : period - 1 - k);
}

/* kernel[0] is the centre, kernel[k] the weight at distance k. */
static tare_status kernel_make(double **kernel, int *radius, const mem *m, double sigma,
                               tare_error *err)
{
    tare_status status = TARE_OK;
    int n = (int)floor(4 * sigma + 0.5);
    double *k;
    neumaier sum = {0, 0};
    TRY_NEW(k = mem_new(m, (size_t)n + 1, sizeof *k));
    for (int i = n; i >= 0; i--) {
        k[i] = exp(-0.5 * ((double)i / sigma) * ((double)i / sigma));
        neumaier_add(&sum, i > 0 ? 2 * k[i] : k[i]);
    }
    for (int i = 0; i <= n; i++) k[i] /= neumaier_total(&sum);
    *kernel = k;
    *radius = n;
done:
    return status;
}

/* What one output is a sum of: its own place, and the places at each distance on both sides. */
typedef struct taps {
    const double **low, **high; /* [radius + 1]; 0: the centre */
    const double *kernel;
    int radius;
} taps;

typedef double four __attribute__((vector_size(32)));
/* The same anywhere in an array of doubles. */
typedef double four_at __attribute__((vector_size(32), aligned(8), may_alias));

enum { TOGETHER = 24 }; /* outputs whose sums stay in registers */

/* Far taps first: small terms add up before large ones. */
static inline void sum_together(double *out, const taps *t, size_t at)
{
    four sum[TOGETHER / 4] = {{0}};
    for (int k = t->radius; k >= 1; k--) {
        const four_at *x = (const four_at *)(t->low[k] + at);
        const four_at *y = (const four_at *)(t->high[k] + at);
        double weight = t->kernel[k];
        for (int j = 0; j < TOGETHER / 4; j++) sum[j] += weight * (x[j] + y[j]);
    }
    const four_at *centre = (const four_at *)(t->low[0] + at);
    four_at *to = (four_at *)(out + at);
    for (int j = 0; j < TOGETHER / 4; j++) to[j] = sum[j] + t->kernel[0] * centre[j];
}

IMAGE_WIDE
static void sum_taps(double *out, const taps *t, size_t n)
{
    size_t at = 0;
    for (; at + TOGETHER <= n; at += TOGETHER) sum_together(out, t, at);
    for (; at < n; at++) {
        double sum = 0;
        for (int k = t->radius; k >= 1; k--)
            sum += t->kernel[k] * (t->low[k][at] + t->high[k][at]);
        out[at] = sum + t->kernel[0] * t->low[0][at];
    }
}

/* Where a mask has its ones: [x0, x1) x [y0, y1). */
typedef struct box { int x0, x1, y0, y1; } box;

static box box_of(const unsigned char *mask, int width, int height)
{
    box b = {width, 0, height, 0};
    for (int y = 0; y < height; y++) {
        const unsigned char *row = mask + (size_t)y * (size_t)width;
        int first = 0, last = width;
        while (first < width && !row[first]) first++;
        if (first == width) continue;
        while (!row[last - 1]) last--;
        if (first < b.x0) b.x0 = first;
        if (last > b.x1) b.x1 = last;
        if (y < b.y0) b.y0 = y;
        b.y1 = y + 1;
    }
    return b;
}

/* Columns that are summed together: all rows in reach of one then fit into a near cache. */
enum { STRIP = 4 * TOGETHER };

typedef struct feather {
    int width, height;
    taps taps;
    double *strip; /* [height][STRIP], zeros and ones */
    double *wide;  /* one row with its borders mirrored */
    box box;
} feather;

static void fill_strip(const feather *f, const unsigned char *mask, size_t from, size_t n)
{
    for (int y = 0; y < f->height; y++) {
        const unsigned char *row = mask + (size_t)y * (size_t)f->width + from;
        double *to = f->strip + (size_t)y * STRIP;
        for (size_t x = 0; x < n; x++) to[x] = row[x] != 0;
    }
}

/* Sums down the columns of one strip, for the rows [y0, y1), into w. */
static void down(double *w, const feather *f, size_t from, size_t n, int y0, int y1)
{
    const taps *t = &f->taps;
    for (int y = y0; y < y1; y++) {
        for (int k = 0; k <= t->radius; k++) {
            t->low[k] = f->strip + (size_t)mirror((int64_t)y - k, f->height) * STRIP;
            t->high[k] = f->strip + (size_t)mirror((int64_t)y + k, f->height) * STRIP;
        }
        sum_taps(w + (size_t)y * (size_t)f->width + from, t, n);
    }
}

/* A row of column sums in place to weights. */
static void along(double *row, const feather *f)
{
    const taps *t = &f->taps;
    int radius = t->radius, width = f->width;
    int from = f->box.x0 > radius ? f->box.x0 - radius : 0;
    int to = f->box.x1 < width - radius ? f->box.x1 + radius : width;
    double *wide = f->wide;
    for (int i = -radius; i < 0; i++) wide[i + radius] = row[mirror(i, width)];
    memcpy(wide + radius, row, (size_t)width * sizeof *wide);
    for (int i = width; i < width + radius; i++) wide[i + radius] = row[mirror(i, width)];
    for (int k = 0; k <= radius; k++) {
        t->low[k] = wide + from + radius - k;
        t->high[k] = wide + from + radius + k;
    }
    sum_taps(row + from, t, (size_t)(to - from));
    for (int x = from; x < to; x++) row[x] = row[x] < 1.0 ? row[x] : 1.0;
}

static void feather_rows(double *w, const feather *f, const unsigned char *mask)
{
    int radius = f->taps.radius;
    int y0 = f->box.y0 > radius ? f->box.y0 - radius : 0;
    int y1 = f->box.y1 < f->height - radius ? f->box.y1 + radius : f->height;
    for (size_t x = (size_t)f->box.x0; x < (size_t)f->box.x1; x += STRIP) {
        size_t left = (size_t)f->box.x1 - x, n = left < STRIP ? left : STRIP;
        fill_strip(f, mask, x, n);
        down(w, f, x, n, y0, y1);
    }
    for (int y = y0; y < y1; y++) along(w + (size_t)y * (size_t)f->width, f);
}

tare_status mask_feather(double *w, const mem *m, const unsigned char *mask, int width, int height,
                         double sigma, tare_error *err)
{
    tare_status status = TARE_OK;
    double *kernel = NULL;
    size_t n = (size_t)width * (size_t)height;
    feather f = {.width = width, .height = height, .box = box_of(mask, width, height)};
    if (!(sigma >= 0 && sigma <= SIGMA_MOST))
        FAIL(err, TARE_E_LIMIT, "perturb.feather", NULL, "a feather of %g pixels (0 to %d)", sigma,
             SIGMA_MOST);
    if (sigma == 0 || f.box.y1 == 0) {
        for (size_t i = 0; i < n; i++) w[i] = mask[i] != 0;
        goto done;
    }
    TRY(kernel_make(&kernel, &f.taps.radius, m, sigma, err));
    f.taps.kernel = kernel;
    size_t places = (size_t)f.taps.radius + 1;
    TRY_NEW(f.taps.low = mem_new(m, places, sizeof *f.taps.low));
    TRY_NEW(f.taps.high = mem_new(m, places, sizeof *f.taps.high));
    TRY_NEW(f.strip = mem_new(m, (size_t)height, STRIP * sizeof *f.strip));
    TRY_NEW(f.wide = mem_new(m, (size_t)width + 2 * (places - 1), sizeof *f.wide));
    memset(w, 0, n * sizeof *w);
    feather_rows(w, &f, mask);
done:
    mem_free(m, kernel);
    mem_free(m, f.taps.low);
    mem_free(m, f.taps.high);
    mem_free(m, f.strip);
    mem_free(m, f.wide);
    return status;
}
