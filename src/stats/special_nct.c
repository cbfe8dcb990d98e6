/* special_nct.c - noncentral t by quadrature over the scale.
 *
 * P(T <= t) = E Phi(t S - ncp). The series in incomplete betas lose their digits, or underflow, for
 * large ncp; the integral does not. Where Phi is 0 or 1 the tail of chi-squared is exact; what is
 * left is integrated in u = S^(1/4), in which the density of S has no singular end for df >= 1. */
#include <math.h>

#include "stats/power.h"
#include "stats/special.h"
#include "stats/special_parts.h"

#define PANELS 32
#define FLAT 9.0          /* Phi(-9) = 1e-19 */
#define LEAST_LOG (-45.0) /* of the density, about its peak */
#define NORMAL_FROM 1e10
#define TWO_PI 6.28318530717958647693

/* Gauss-Legendre, 16 points, the positive half. */
static const double node[8][2] = {
    {0.095012509837637441, 0.18945061045506864}, {0.28160355077925892, 0.18260341504492364},
    {0.45801677765722737, 0.16915651939500265},  {0.61787624440264377, 0.14959598881657671},
    {0.755404408355003, 0.12462897125553407},    {0.86563120238783176, 0.095158511682492605},
    {0.9445750230732326, 0.062253523938647456},  {0.98940093499164994, 0.027152459411754176}};

/* log of the density at s over that at 1, without the factor 1/s. */
static double log_fall(double s, double df)
{
    double square = s * s;
    return 0.5 * df * log_ratio_minus(square, square - 1.0);
}

/* Where the density has fallen to nothing, on the side of `outer` (0 or beyond the spread). */
static double edge(double outer, double df)
{
    double in = 1.0;
    for (int k = 0; k < 200 && fabs(outer - in) > 1e-6 * fmin(1.0, sqrt(1.0 / df)); k++) {
        double middle = 0.5 * (in + outer);
        if (log_fall(middle, df) < LEAST_LOG) outer = middle;
        else in = middle;
    }
    return outer;
}

typedef struct chi_law {
    double df, constant; /* density = constant / s * exp(log_fall) */
} chi_law;

static double at(const chi_law *law, double (*g)(double, const void *), const void *user, double u)
{
    double square = u * u, s = square * square;
    if (!(s > 0.0)) return 0.0;
    double density = law->constant / s * exp(log_fall(s, law->df));
    return density > 0.0 ? g(s, user) * density * 4.0 * square * u : 0.0;
}

double chi_mean(double (*g)(double s, const void *user), const void *user, double df, double lo,
                double hi)
{
    if (!(df >= 1.0) || isinf(df) || isnan(lo) || isnan(hi)) return NAN;
    chi_law law = {df, 2.0 * sqrt(0.5 * df / TWO_PI) * exp(-log_gamma_correction(0.5 * df))};
    double from = fmax(lo, edge(0.0, df)), to = fmin(hi, edge(2.0 + sqrt(200.0 / df), df));
    if (!(from < to)) return 0.0;
    double first = sqrt(sqrt(fmax(from, 0.0))), half = 0.5 * (sqrt(sqrt(to)) - first) / PANELS;
    double sum = 0.0;
    for (int k = 0; k < PANELS; k++) {
        double middle = first + (2.0 * k + 1.0) * half, part = 0.0;
        for (int j = 0; j < 8; j++) {
            double d = half * node[j][0];
            part += node[j][1] * (at(&law, g, user, middle - d) + at(&law, g, user, middle + d));
        }
        sum += part * half;
    }
    return sum;
}

typedef struct line {
    double slope, offset; /* Phi(slope s + offset) */
} line;

static double normal_at(double s, const void *user)
{
    const line *l = user;
    return norm_cdf(l->slope * s + l->offset);
}

/* P(S <= s). */
static double chi_below(double s, double df)
{
    return s > 0.0 ? gamma_inc(0.5 * df, 0.5 * df * s * s) : 0.0;
}

double nct_cdf(double t, double df, double ncp)
{
    if (isnan(t) || isnan(ncp) || isinf(ncp) || !(df >= 1.0)) return NAN;
    if (isinf(t)) return t > 0.0 ? 1.0 : 0.0;
    if (t == 0.0) return norm_cdf(-ncp);
    if (df >= NORMAL_FROM) return norm_cdf(t - ncp);
    if (t < 0.0) return nct_sf(-t, df, -ncp);
    double from = (ncp - FLAT) / t, to = (ncp + FLAT) / t;
    line l = {t, -ncp};
    double all = to > 0.0 ? chi2_sf(df * to * to, df) : 1.0;
    return fmin(1.0, chi_mean(normal_at, &l, df, from, to) + all);
}

double nct_sf(double t, double df, double ncp)
{
    if (isnan(t) || isnan(ncp) || isinf(ncp) || !(df >= 1.0)) return NAN;
    if (isinf(t)) return t > 0.0 ? 0.0 : 1.0;
    if (t == 0.0) return norm_cdf(ncp);
    if (df >= NORMAL_FROM) return norm_cdf(ncp - t);
    if (t < 0.0) return nct_cdf(-t, df, -ncp);
    double from = (ncp - FLAT) / t, to = (ncp + FLAT) / t;
    line l = {-t, ncp};
    return fmin(1.0, chi_mean(normal_at, &l, df, from, to) + chi_below(from, df));
}
