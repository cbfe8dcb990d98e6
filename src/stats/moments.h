/* moments.h - compensated sums and the moments made from them (statistics 1.2).
 *
 * Neumaier's variant of Kahan summation: exact to about one rounding for any order of magnitudes.
 * Variances are two-pass about the compensated mean. A NaN or infinity anywhere in the input makes
 * the result NaN. Empty input: sum 0, everything else NaN. */
#ifndef STATS_MOMENTS_H
#define STATS_MOMENTS_H

#include <math.h>
#include <stddef.h>

typedef struct neumaier {
    double sum, low;
} neumaier;

static inline void neumaier_add(neumaier *s, double x)
{
    double total = s->sum + x;
    s->low += fabs(s->sum) >= fabs(x) ? (s->sum - total) + x : (x - total) + s->sum;
    s->sum = total;
}

static inline double neumaier_total(const neumaier *s)
{
    return s->sum + s->low;
}

double moments_sum(const double *x, size_t n);
double moments_mean(const double *x, size_t n);
/* Sum of squares about the mean divided by n - ddof; NaN if n <= ddof. */
double moments_variance(const double *x, size_t n, size_t ddof);
double moments_sd(const double *x, size_t n, size_t ddof);
/* g1 = m3 / m2^1.5 with divisors n; NaN where all values are equal. */
double moments_skewness(const double *x, size_t n);
/* Sum of (x - mean x)(y - mean y). */
double moments_cross(const double *x, const double *y, size_t n);
/* Sum of x y as it stands. */
double moments_dot(const double *x, const double *y, size_t n);
/* Pearson; NaN where x or y has no variation. In [-1, 1]. */
double moments_correlation(const double *x, const double *y, size_t n);

#endif
