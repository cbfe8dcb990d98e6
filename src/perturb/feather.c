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

IMAGE_WIDE
static void add_pair(double *restrict sum, const double *restrict x, const double *restrict y,
                     double weight, size_t n)
{
    size_t i = 0;
    for (; i + 8 <= n; i += 8)
        for (size_t k = 0; k < 8; k++) sum[i + k] += weight * (x[i + k] + y[i + k]);
    for (; i < n; i++) sum[i] += weight * (x[i] + y[i]);
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

typedef struct feather {
    int width, height, radius;
    const double *kernel, *ones;
    double *row, *wide; /* one row of column sums; the same with its borders mirrored */
    box box;
} feather;

/* One column sum for each x of row y. Far taps first: small terms add up before large ones. */
static void down(const feather *f, int y)
{
    size_t w = (size_t)f->width, from = (size_t)f->box.x0, n = (size_t)(f->box.x1 - f->box.x0);
    const double *ones = f->ones + from;
    double *row = f->row + from;
    memset(row, 0, n * sizeof *row);
    for (int k = f->radius; k >= 1; k--)
        add_pair(row, ones + w * (size_t)mirror((int64_t)y - k, f->height),
                 ones + w * (size_t)mirror((int64_t)y + k, f->height), f->kernel[k], n);
    const double *centre = ones + w * (size_t)y;
    for (size_t x = 0; x < n; x++) row[x] += f->kernel[0] * centre[x];
}

static void along(double *out, const feather *f)
{
    int radius = f->radius, width = f->width;
    int from = f->box.x0 > radius ? f->box.x0 - radius : 0;
    int to = f->box.x1 < width - radius ? f->box.x1 + radius : width;
    size_t n = (size_t)(to - from);
    double *wide = f->wide;
    for (int i = -radius; i < 0; i++) wide[i + radius] = f->row[mirror(i, width)];
    memcpy(wide + radius, f->row, (size_t)width * sizeof *wide);
    for (int i = width; i < width + radius; i++) wide[i + radius] = f->row[mirror(i, width)];
    for (int k = radius; k >= 1; k--)
        add_pair(out + from, wide + from + radius - k, wide + from + radius + k, f->kernel[k], n);
    for (int x = from; x < to; x++) {
        double v = out[x] + f->kernel[0] * f->row[x];
        out[x] = v < 1.0 ? v : 1.0;
    }
}

tare_status mask_feather(double *w, const mem *m, const unsigned char *mask, int width, int height,
                         double sigma, tare_error *err)
{
    tare_status status = TARE_OK;
    double *kernel = NULL, *ones = NULL;
    size_t n = (size_t)width * (size_t)height;
    feather f = {.width = width, .height = height, .box = box_of(mask, width, height)};
    if (!(sigma >= 0 && sigma <= SIGMA_MOST))
        FAIL(err, TARE_E_LIMIT, "perturb.feather", NULL, "a feather of %g pixels (0 to %d)", sigma,
             SIGMA_MOST);
    for (size_t i = 0; i < n; i++) w[i] = mask[i] != 0;
    if (sigma == 0 || f.box.y1 == 0) goto done;
    TRY(kernel_make(&kernel, &f.radius, m, sigma, err));
    TRY_NEW(ones = mem_resize(m, NULL, n, sizeof *ones));
    TRY_NEW(f.row = mem_new(m, (size_t)width, sizeof *f.row));
    TRY_NEW(f.wide = mem_new(m, (size_t)width + 2 * (size_t)f.radius, sizeof *f.wide));
    memcpy(ones, w, n * sizeof *ones);
    memset(w, 0, n * sizeof *w);
    f.kernel = kernel;
    f.ones = ones;
    int from = f.box.y0 > f.radius ? f.box.y0 - f.radius : 0;
    int to = f.box.y1 < height - f.radius ? f.box.y1 + f.radius : height;
    for (int y = from; y < to; y++) {
        down(&f, y);
        along(w + (size_t)y * (size_t)width, &f);
    }
done:
    mem_free(m, kernel);
    mem_free(m, ones);
    mem_free(m, f.row);
    mem_free(m, f.wide);
    return status;
}
