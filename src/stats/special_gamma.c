/* special_gamma.c - gamma, beta, incomplete gamma.
 *
 * Stirling's correction is the quantity that is computed; log gamma and log beta are put together
 * from it, so that for large arguments nothing is subtracted that nearly cancels. */
#include <math.h>

#include "stats/special.h"
#include "stats/special_parts.h"

#define HALF_LOG_2PI 0.91893853320467274178
#define TWO_PI 6.28318530717958647693
#define STIRLING_FROM 12.0

/* Bernoulli B_2k / (2k (2k - 1)), k = 1..8. */
static double stirling_series(double x)
{
    static const double c[] = {
        1.0 / 12, -1.0 / 360, 1.0 / 1260, -1.0 / 1680,
        1.0 / 1188, -691.0 / 360360, 1.0 / 156, -3617.0 / 122400,
    };
    double z = 1.0 / (x * x), sum = 0.0;
    for (int k = 7; k >= 0; k--) sum = sum * z + c[k];
    return sum / x;
}

double log_gamma_correction(double x)
{
    if (!(x > 0.0)) return NAN;
    if (isinf(x)) return 0.0;
    double sum = 0.0;
    for (; x < STIRLING_FROM; x += 1.0) sum += (x + 0.5) * log1p(1.0 / x) - 1.0;
    return sum + stirling_series(x);
}

double log_gamma(double x)
{
    if (!(x > 0.0)) return NAN;
    if (isinf(x)) return x;
    double product = 1.0;
    for (; x < STIRLING_FROM; x += 1.0) product *= x;
    double value = (x - 0.5) * log(x) - x + HALF_LOG_2PI + stirling_series(x);
    return product == 1.0 ? value : value - log(product);
}

double gamma_value(double x)
{
    if (!(x > 0.0)) return NAN;
    if (x > 171.7) return INFINITY;
    double product = 1.0;
    for (; x < STIRLING_FROM; x += 1.0) product *= x;
    double half = pow(x, 0.5 * x - 0.25); /* in two halves: the whole may overflow */
    double value = half * exp(-x) * half * sqrt(TWO_PI) * exp(stirling_series(x));
    return value / product;
}

double gamma_ratio(double a, double b)
{
    if (!(a > 0.0 && b > 0.0)) return NAN;
    if (a < 100.0 && b < 100.0) return gamma_value(a) / gamma_value(b);
    /* log Gamma(a) - log Gamma(b) without the common (b - 1/2) log b */
    double d = a - b;
    double log_ratio = (a - 0.5) * log1p(d / b) + d * (log(b) - 1.0);
    return exp(log_ratio + log_gamma_correction(a) - log_gamma_correction(b));
}

double log_beta(double a, double b)
{
    if (!(a > 0.0 && b > 0.0)) return NAN;
    double s = a + b;
    double correction = log_gamma_correction(a) + log_gamma_correction(b)
                        - log_gamma_correction(s);
    double log_a = b < a ? log1p(-b / s) : log(a / s), log_b = a < b ? log1p(-a / s) : log(b / s);
    return HALF_LOG_2PI + (a - 0.5) * log_a + b * log_b - 0.5 * log(b) + correction;
}

double log_ratio_minus(double ratio, double u)
{
    if (fabs(u) > 0.4) return log(ratio) - u;
    double r = u / (2.0 + u), r2 = r * r, power = 1.0, sum = 0.0;
    for (int k = 3; power > 1e-18; k += 2) {
        sum += power / k;
        power *= r2;
    }
    return r * (2.0 * r2 * sum - u);
}

/* x^a e^-x / Gamma(a), through the deviance of x from a. */
static double gamma_prefactor(double a, double x)
{
    double deviance = a * log_ratio_minus(x / a, (x - a) / a);
    return sqrt(a / TWO_PI) * exp(deviance - log_gamma_correction(a));
}

static double gamma_series(double a, double x)
{
    double term = 1.0 / a, sum = term;
    for (double k = a + 1.0; term > 1e-17 * sum; k += 1.0) {
        term *= x / k;
        sum += term;
    }
    return sum;
}

/* Legendre's continued fraction by Lentz's rule; all partial numerators are negative, x > a. */
static double gamma_fraction(double a, double x)
{
    double b = x + 1.0 - a, c = 1e300, d = 1.0 / b, value = d;
    for (int k = 1; k < 1000000; k++) {
        double numerator = -k * (k - a);
        b += 2.0;
        d = 1.0 / (numerator * d + b);
        c = b + numerator / c;
        double factor = c * d;
        value *= factor;
        if (fabs(factor - 1.0) < 1e-16) break;
    }
    return value;
}

/* The smaller side is computed, the other is its complement. */
static double gamma_side(double a, double x, int upper)
{
    if (!(a > 0.0 && x >= 0.0) || isinf(a)) return NAN;
    if (x == 0.0) return upper ? 1.0 : 0.0;
    if (isinf(x)) return upper ? 0.0 : 1.0;
    double front = gamma_prefactor(a, x);
    if (x < a + 1.0) {
        double lower = fmin(front * gamma_series(a, x), 1.0);
        return upper ? 1.0 - lower : lower;
    }
    double tail = fmin(front * gamma_fraction(a, x), 1.0);
    return upper ? tail : 1.0 - tail;
}

double gamma_inc(double a, double x)
{
    return gamma_side(a, x, 0);
}

double gamma_inc_upper(double a, double x)
{
    return gamma_side(a, x, 1);
}

double chi2_sf(double x, double df)
{
    return x <= 0.0 && df > 0.0 ? 1.0 : gamma_side(0.5 * df, 0.5 * x, 1);
}
