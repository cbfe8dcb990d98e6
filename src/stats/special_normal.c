/* special_normal.c - error function and the normal distribution.
 *
 * Everything rests on the scaled tail exp(y^2) erfc(y), which is insensitive to errors of y, so
 * that the exponential can be taken of the caller's exact argument. */
#include <float.h>
#include <math.h>
#include <stddef.h>

#include "stats/special.h"

_Static_assert(FLT_EVAL_METHOD == 0, "results must not depend on extended precision");

#define SQRT_HALF 0.70710678118654752440
#define SQRT_2PI 2.50662827463100050242
#define SQRT_PI 1.77245385090551602730

/* Where the continued fraction takes over from the series. */
#define TAIL_FROM 1.25

/* exp(y^2) erfc(y) for y >= TAIL_FROM: Laplace's continued fraction, evaluated backwards, where all
 * terms are positive and errors shrink at every step. */
static double scaled_tail(double y)
{
    if (y > 1e8) return 1.0 / (SQRT_PI * y);
    int terms = 12 + (int)(230.0 / (y * y));
    double t = y;
    for (int k = terms; k >= 1; k--) t = y + 0.5 * k / t;
    return 1.0 / (SQRT_PI * t);
}

/* exp(-scale x^2): x^2 is split so that its rounding error is not magnified. */
static double exp_minus_square(double x, double scale)
{
    if (fabs(x) > 60.0) return 0.0;
    double head = rint(x * 16.0) / 16.0;
    return exp(-scale * head * head) * exp(-scale * (x - head) * (x + head));
}

/* erf(y) / (2/sqrt(pi) y): Kummer's form, all terms positive. */
static double erf_series(double y)
{
    double z = 2.0 * y * y, term = 1.0, sum = 1.0;
    for (int k = 1; term > 1e-18 * sum; k++) {
        term *= z / (2.0 * k + 1.0);
        sum += term;
    }
    return exp(-y * y) * sum;
}

double erfc_precise(double x)
{
    if (isnan(x)) return x;
    if (fabs(x) < TAIL_FROM) return 1.0 - 2.0 / SQRT_PI * x * erf_series(x);
    double tail = scaled_tail(fabs(x)) * exp_minus_square(x, 1.0);
    return x > 0.0 ? tail : 2.0 - tail;
}

double norm_pdf(double x)
{
    return isnan(x) ? x : exp_minus_square(x, 0.5) / SQRT_2PI;
}

/* P(0 < Z <= x) for |x| below the tail: no cancellation near 0. */
static double central(double x)
{
    return x / SQRT_2PI * erf_series(x * SQRT_HALF);
}

double norm_sf(double x)
{
    if (isnan(x)) return x;
    double y = fabs(x) * SQRT_HALF;
    if (y < TAIL_FROM) return 0.5 - central(x);
    double tail = 0.5 * scaled_tail(y) * exp_minus_square(x, 0.5);
    return x > 0.0 ? tail : 1.0 - tail;
}

double norm_cdf(double x)
{
    return norm_sf(-x);
}

/* Start for p <= 1/2: Abramowitz & Stegun 26.2.23. */
static double quantile_start(double p)
{
    double t = sqrt(-2.0 * log(p));
    double top = 2.515517 + t * (0.802853 + t * 0.010328);
    double bottom = 1.0 + t * (1.432788 + t * (0.189269 + t * 0.001308));
    return top / bottom - t;
}

/* Halley's step for P(Z <= x) - p over the density, f''/f' = -x. */
static double quantile_centre(double p)
{
    double x = quantile_start(p);
    for (int i = 0; i < 4; i++) {
        double r = (central(x) - (p - 0.5)) / norm_pdf(x);
        double step = r / (1.0 + 0.5 * x * r);
        x -= step;
        if (fabs(step) <= 1e-9 * fabs(x)) break;
    }
    return x;
}

/* In the tail Newton and Halley run on log P, which is nearly a parabola. */
static double quantile_tail(double p)
{
    double x = quantile_start(p);
    for (int i = 0; i < 12; i++) {
        double mills = 0.5 * SQRT_2PI * scaled_tail(-x * SQRT_HALF); /* P / density */
        double log_ratio = log(0.5 * scaled_tail(-x * SQRT_HALF)) - 0.5 * x * x - log(p);
        if (fabs(log_ratio) < 1e-3) {
            double r = (norm_cdf(x) - p) / norm_pdf(x);
            double step = r / (1.0 + 0.5 * x * r);
            x -= step;
            if (fabs(step) <= 1e-9 * fabs(x)) break;
        } else {
            x -= log_ratio * mills;
        }
    }
    return x;
}

double norm_quantile(double p)
{
    if (!(p >= 0.0 && p <= 1.0)) return NAN;
    if (p == 0.0) return -INFINITY;
    if (p == 1.0) return INFINITY;
    if (p == 0.5) return 0.0;
    if (p > 0.5) return -norm_quantile(1.0 - p);
    return p > 0.1 ? quantile_centre(p) : quantile_tail(p < DBL_MIN ? DBL_MIN : p);
}
