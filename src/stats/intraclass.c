/* intraclass.c - the six forms of Shrout and Fleiss from two-way mean squares. */
#include <math.h>

#include "stats/agreement.h"
#include "stats/moments.h"

enum { TOGETHER = 16 }; /* raters per walk over the targets */

typedef struct table {
    const double *x;
    const uint32_t *w;
    size_t targets, raters;
    double count, scale; /* targets by weight; a power of two, so that no square overflows */
} table;

static double weight_of(const table *t, size_t i)
{
    return t->w ? t->w[i] : 1;
}

static double value_of(const table *t, size_t i, size_t j)
{
    return t->x[i * t->raters + j] * t->scale;
}

static double target_mean(const table *t, size_t i)
{
    neumaier sum = {0, 0};
    for (size_t j = 0; j < t->raters; j++) neumaier_add(&sum, value_of(t, i, j));
    return neumaier_total(&sum) / (double)t->raters;
}

/* False if nothing varies or something is not finite. */
static bool prepare(table *t)
{
    double largest = 0, first = NAN;
    bool varies = false;
    t->scale = 1;
    t->count = 0;
    for (size_t i = 0; i < t->targets; i++) {
        if (weight_of(t, i) == 0) continue;
        t->count += weight_of(t, i);
        for (size_t j = 0; j < t->raters; j++) {
            double x = value_of(t, i, j);
            if (!isfinite(x)) return false;
            if (isnan(first)) first = x;
            varies = varies || x != first;
            largest = fmax(largest, fabs(x));
        }
    }
    if (!varies) return false;
    int exponent = -ilogb(largest);
    if (exponent > 400 || exponent < -400) t->scale = ldexp(1, exponent > 1000 ? 1000 : exponent);
    return t->count >= 2 && t->raters >= 2;
}

/* Sums of squares of raters (about the grand mean) and of residuals, raters begin.. */
static void rater_squares(const table *t, size_t begin, neumaier *raters, neumaier *residuals)
{
    size_t count = t->raters - begin < TOGETHER ? t->raters - begin : TOGETHER;
    neumaier effect[TOGETHER] = {{0, 0}};
    double mean[TOGETHER];
    for (size_t i = 0; i < t->targets; i++) {
        double weight = weight_of(t, i), centre = weight == 0 ? 0 : target_mean(t, i);
        for (size_t j = 0; j < count && weight != 0; j++)
            neumaier_add(&effect[j], weight * (value_of(t, i, begin + j) - centre));
    }
    for (size_t j = 0; j < count; j++) {
        mean[j] = neumaier_total(&effect[j]) / t->count;
        neumaier_add(raters, t->count * mean[j] * mean[j]);
    }
    for (size_t i = 0; i < t->targets; i++) {
        double weight = weight_of(t, i), centre = weight == 0 ? 0 : target_mean(t, i);
        for (size_t j = 0; j < count && weight != 0; j++) {
            double d = value_of(t, i, begin + j) - centre - mean[j];
            neumaier_add(residuals, weight * d * d);
        }
    }
}

static double target_squares(const table *t)
{
    neumaier sum = {0, 0}, squares = {0, 0};
    for (size_t i = 0; i < t->targets; i++)
        if (weight_of(t, i) != 0) neumaier_add(&sum, weight_of(t, i) * target_mean(t, i));
    double grand = neumaier_total(&sum) / t->count;
    for (size_t i = 0; i < t->targets; i++) {
        if (weight_of(t, i) == 0) continue;
        double d = target_mean(t, i) - grand;
        neumaier_add(&squares, weight_of(t, i) * d * d);
    }
    return (double)t->raters * neumaier_total(&squares);
}

static double share(double part, double whole)
{
    return whole != 0 ? part / whole : NAN;
}

void icc_weighted(icc_result *out, const double *x, const uint32_t *w, size_t targets,
                  size_t raters)
{
    table t = {x, w, targets, raters, 0, 1};
    neumaier of_raters = {0, 0}, of_residuals = {0, 0};
    *out = (icc_result){NAN, NAN, NAN, NAN, {NAN, NAN, NAN}, {NAN, NAN, NAN}};
    if (!prepare(&t)) return;
    double n = t.count, k = (double)raters;
    for (size_t j = 0; j < raters; j += TOGETHER)
        rater_squares(&t, j, &of_raters, &of_residuals);
    double ssj = neumaier_total(&of_raters), sse = neumaier_total(&of_residuals);
    double b = target_squares(&t) / (n - 1), within = (ssj + sse) / (n * (k - 1));
    double j = ssj / (k - 1), e = sse / ((n - 1) * (k - 1));
    out->single[0] = share(b - within, b + (k - 1) * within);
    out->single[1] = share(b - e, b + (k - 1) * e + k * (j - e) / n);
    out->single[2] = share(b - e, b + (k - 1) * e);
    out->mean[0] = share(b - within, b);
    out->mean[1] = share(b - e, b + (j - e) / n);
    out->mean[2] = share(b - e, b);
    double unscale = 1 / t.scale;
    out->bms = b * unscale * unscale;
    out->wms = within * unscale * unscale;
    out->jms = j * unscale * unscale;
    out->ems = e * unscale * unscale;
}
