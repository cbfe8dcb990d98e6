/* gauss.c - the kernel, the border and the sums of Gaussian blurs. */
#include "perturb/gauss.h"

#include <math.h>

#include "base/error.h"
#include "image/wide.h"
#include "stats/moments.h"

enum { SIGMA_MOST = 4096 };

int gauss_mirror(int64_t at, int n)
{
    int64_t period = 2 * (int64_t)n, k = at % period;
    if (k < 0) k += period;
    return (int)(k < n ? k : period - 1 - k);
}

tare_status gauss_make(gauss *out, const mem *m, double sigma, tare_error *err)
{
    tare_status status = TARE_OK;
    neumaier sum = {0, 0};
    *out = (gauss){.radius = 0};
    if (!(sigma > 0 && sigma <= SIGMA_MOST))
        FAIL(err, TARE_E_LIMIT, "perturb.feather", NULL, "a blur of %g pixels (0 to %d)", sigma,
             SIGMA_MOST);
    int n = (int)floor(4 * sigma + 0.5);
    size_t places = (size_t)n + 1;
    out->radius = n;
    TRY_NEW(out->kernel = mem_new(m, places, sizeof *out->kernel));
    TRY_NEW(out->low = mem_new(m, places, sizeof *out->low));
    TRY_NEW(out->high = mem_new(m, places, sizeof *out->high));
    for (int i = n; i >= 0; i--) {
        double *k = &out->kernel[i];
        *k = exp(-0.5 * ((double)i / sigma) * ((double)i / sigma));
        neumaier_add(&sum, i > 0 ? 2 * *k : *k);
    }
    for (int i = 0; i <= n; i++) out->kernel[i] /= neumaier_total(&sum);
done:
    if (status != TARE_OK) gauss_free(out, m);
    return status;
}

void gauss_free(gauss *g, const mem *m)
{
    mem_free(m, g->kernel);
    mem_free(m, g->low);
    mem_free(m, g->high);
    *g = (gauss){.radius = 0};
}

typedef double four __attribute__((vector_size(32)));
/* The same anywhere in an array of doubles. */
typedef double four_at __attribute__((vector_size(32), aligned(8), may_alias));

/* Far taps first: small terms add up before large ones. */
static inline void sum_together(double *out, const gauss *t, size_t at)
{
    four sum[GAUSS_TOGETHER / 4] = {{0}};
    for (int k = t->radius; k >= 1; k--) {
        const four_at *x = (const four_at *)(t->low[k] + at);
        const four_at *y = (const four_at *)(t->high[k] + at);
        double weight = t->kernel[k];
        for (int j = 0; j < GAUSS_TOGETHER / 4; j++) sum[j] += weight * (x[j] + y[j]);
    }
    const four_at *centre = (const four_at *)(t->low[0] + at);
    four_at *to = (four_at *)(out + at);
    for (int j = 0; j < GAUSS_TOGETHER / 4; j++) to[j] = sum[j] + t->kernel[0] * centre[j];
}

IMAGE_WIDE
void gauss_sum(double *out, const gauss *t, size_t n)
{
    size_t at = 0;
    for (; at + GAUSS_TOGETHER <= n; at += GAUSS_TOGETHER) sum_together(out, t, at);
    for (; at < n; at++) {
        double sum = 0;
        for (int k = t->radius; k >= 1; k--)
            sum += t->kernel[k] * (t->low[k][at] + t->high[k][at]);
        out[at] = sum + t->kernel[0] * t->low[0][at];
    }
}
