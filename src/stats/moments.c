/* moments.c - see moments.h. */
#include "stats/moments.h"

double moments_sum(const double *x, size_t n)
{
    neumaier s = {0.0, 0.0};
    for (size_t i = 0; i < n; i++) neumaier_add(&s, x[i]);
    return neumaier_total(&s);
}

double moments_mean(const double *x, size_t n)
{
    return n == 0 ? NAN : moments_sum(x, n) / (double)n;
}

/* Sum of powers of x - mean, with the correction for the rounding of the mean left out: it is below
 * the rounding of the result. */
static double power_about(const double *x, size_t n, double mean, int power)
{
    neumaier s = {0.0, 0.0};
    for (size_t i = 0; i < n; i++) {
        double d = x[i] - mean;
        neumaier_add(&s, power == 3 ? d * d * d : d * d);
    }
    return neumaier_total(&s);
}

double moments_variance(const double *x, size_t n, size_t ddof)
{
    if (n <= ddof || n == 0) return NAN;
    return power_about(x, n, moments_mean(x, n), 2) / (double)(n - ddof);
}

double moments_sd(const double *x, size_t n, size_t ddof)
{
    return sqrt(moments_variance(x, n, ddof));
}

static int all_equal(const double *x, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (x[i] != x[0]) return 0;
    return 1;
}

double moments_skewness(const double *x, size_t n)
{
    if (n == 0 || all_equal(x, n)) return NAN;
    double mean = moments_mean(x, n);
    double m2 = power_about(x, n, mean, 2) / (double)n, m3 = power_about(x, n, mean, 3) / (double)n;
    return m2 > 0.0 ? m3 / (m2 * sqrt(m2)) : NAN;
}

double moments_cross(const double *x, const double *y, size_t n)
{
    if (n == 0) return NAN;
    double mean_x = moments_mean(x, n), mean_y = moments_mean(y, n);
    neumaier s = {0.0, 0.0};
    for (size_t i = 0; i < n; i++) neumaier_add(&s, (x[i] - mean_x) * (y[i] - mean_y));
    return neumaier_total(&s);
}

double moments_dot(const double *x, const double *y, size_t n)
{
    neumaier s = {0.0, 0.0};
    for (size_t i = 0; i < n; i++) neumaier_add(&s, x[i] * y[i]);
    return neumaier_total(&s);
}

double moments_correlation(const double *x, const double *y, size_t n)
{
    if (n < 2 || all_equal(x, n) || all_equal(y, n)) return NAN;
    double xx = moments_cross(x, x, n), yy = moments_cross(y, y, n);
    if (!(xx > 0.0 && yy > 0.0)) return NAN;
    double r = moments_cross(x, y, n) / sqrt(xx) / sqrt(yy);
    return isnan(r) ? r : fmax(-1.0, fmin(1.0, r));
}
