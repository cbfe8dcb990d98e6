/* special_beta.c - incomplete beta, F.
 *
 * x and y = 1 - x travel together, and x^a y^b / B(a, b) is taken through the deviance of x from
 * a/(a + b): at a, b = 1e6 the logarithms themselves would leave four digits fewer. */
#include <math.h>

#include "stats/special.h"
#include "stats/special_parts.h"

#define TWO_PI 6.28318530717958647693

/* (a + b) x - a, one rounding, from the smaller of x and y. */
static double shift(double x, double y, double a, double b)
{
    double s = a + b;
    return x <= y ? fma(s, x, -a) : -fma(s, y, -b);
}

static double beta_prefactor(double x, double y, double a, double b)
{
    double s = a + b, d = shift(x, y, a, b);
    double deviance = a * log_ratio_minus(x / a * s, d / a)
                      + b * log_ratio_minus(y / b * s, -d / b);
    double correction = log_gamma_correction(a) + log_gamma_correction(b)
                        - log_gamma_correction(s);
    return sqrt(a / s * b / TWO_PI) * exp(deviance - correction);
}

/* I_x(a, b) B(a, b) / (x^a y^b) as a power series about 0, all terms positive. */
static double beta_series(double x, double a, double b)
{
    double term = 1.0, sum = 1.0;
    for (int k = 0; k < 100000 && term > 1e-17 * sum; k++) {
        term *= (a + b + k) / (a + 1.0 + k) * x;
        sum += term;
    }
    return sum / a;
}

/* Didonato & Morris (1992), eq. 9, by Lentz's rule: with x <= a/(a + b) and b > 1 its terms are
 * positive until they no longer matter. */
static double beta_fraction(double x, double y, double a, double b)
{
    double lambda = -shift(x, y, a, b);
    double beta = a / (a + 1.0) * (lambda + 1.0);
    double c = beta, d = 0.0, value = beta;
    for (int n = 1; n < 1000000; n++) {
        double odd = a + 2.0 * n - 1.0;
        double share = n * (b - n) * x / odd;
        double alpha = share * (a + n - 1.0) * (a + b + n - 1.0) / odd * x;
        beta = n + share + (a + n) / (odd + 2.0) * (lambda + 1.0 + n * (1.0 + y));
        d = 1.0 / (beta + alpha * d);
        c = beta + alpha / c;
        double factor = c * d;
        value *= factor;
        if (fabs(factor - 1.0) < 2e-16) break;
    }
    return 1.0 / value;
}

/* x <= a/(a + b). */
static double beta_low(double x, double y, double a, double b)
{
    double front = beta_prefactor(x, y, a, b);
    if (front == 0.0) return 0.0;
    double scale = b <= 1.0 && x < 0.9 ? beta_series(x, a, b) : beta_fraction(x, y, a, b);
    return fmin(front * scale, 1.0);
}

double beta_inc_pair(double x, double y, double a, double b)
{
    if (!(a > 0.0 && b > 0.0) || isinf(a) || isinf(b)) return NAN;
    if (!(x >= 0.0 && y >= 0.0)) return NAN;
    if (x == 0.0) return 0.0;
    if (y == 0.0) return 1.0;
    return shift(x, y, a, b) <= 0.0 ? beta_low(x, y, a, b) : 1.0 - beta_low(y, x, b, a);
}

double beta_inc(double x, double a, double b)
{
    return beta_inc_pair(x, 1.0 - x, a, b);
}

double beta_inc_upper(double x, double a, double b)
{
    return beta_inc_pair(1.0 - x, x, b, a);
}

double f_sf(double f, double df1, double df2)
{
    if (!(df1 > 0.0 && df2 > 0.0) || isnan(f)) return NAN;
    if (f <= 0.0) return 1.0;
    if (isinf(f)) return 0.0;
    if (isinf(df2)) return chi2_sf(f * df1, df1);
    double explained = df1 / df2 * f;
    double x = 1.0 / (1.0 + explained), y = isinf(explained) ? 1.0 : explained / (1.0 + explained);
    return beta_inc_pair(x, y, 0.5 * df2, 0.5 * df1);
}
