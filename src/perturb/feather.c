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

/* One column sum for each x of row y. Far taps first: small terms add up before large ones. */
static void down(double *row, const double *ones, int width, int height, int y,
                 const double *kernel, int radius)
{
    size_t w = (size_t)width;
    memset(row, 0, w * sizeof *row);
    for (int k = radius; k >= 1; k--)
        add_pair(row, ones + w * (size_t)mirror((int64_t)y - k, height),
                 ones + w * (size_t)mirror((int64_t)y + k, height), kernel[k], w);
    const double *centre = ones + w * (size_t)y;
    for (size_t x = 0; x < w; x++) row[x] += kernel[0] * centre[x];
}

static void along(double *out, double *wide, const double *row, int width, const double *kernel,
                  int radius)
{
    size_t w = (size_t)width;
    for (int i = -radius; i < 0; i++) wide[i + radius] = row[mirror(i, width)];
    memcpy(wide + radius, row, w * sizeof *row);
    for (int i = width; i < width + radius; i++) wide[i + radius] = row[mirror(i, width)];
    memset(out, 0, w * sizeof *out);
    for (int k = radius; k >= 1; k--)
        add_pair(out, wide + radius - k, wide + radius + k, kernel[k], w);
    for (size_t x = 0; x < w; x++) {
        double v = out[x] + kernel[0] * row[x];
        out[x] = v < 1.0 ? v : 1.0;
    }
}

tare_status mask_feather(double *w, const mem *m, const unsigned char *mask, int width, int height,
                         double sigma, tare_error *err)
{
    tare_status status = TARE_OK;
    double *kernel = NULL, *ones = NULL, *row = NULL, *wide = NULL;
    size_t n = (size_t)width * (size_t)height;
    int radius = 0;
    if (!(sigma >= 0 && sigma <= SIGMA_MOST))
        FAIL(err, TARE_E_LIMIT, "perturb.feather", NULL, "a feather of %g pixels (0 to %d)", sigma,
             SIGMA_MOST);
    for (size_t i = 0; i < n; i++) w[i] = mask[i] != 0;
    if (sigma == 0) goto done;
    TRY(kernel_make(&kernel, &radius, m, sigma, err));
    TRY_NEW(ones = mem_resize(m, NULL, n, sizeof *ones));
    TRY_NEW(row = mem_new(m, (size_t)width, sizeof *row));
    TRY_NEW(wide = mem_new(m, (size_t)width + 2 * (size_t)radius, sizeof *wide));
    memcpy(ones, w, n * sizeof *ones);
    for (int y = 0; y < height; y++) {
        down(row, ones, width, height, y, kernel, radius);
        along(w + (size_t)y * (size_t)width, wide, row, width, kernel, radius);
    }
done:
    mem_free(m, kernel);
    mem_free(m, ones);
    mem_free(m, row);
    mem_free(m, wide);
    return status;
}
