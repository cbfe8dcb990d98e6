/* special_t.c - Student's t. */
#include <math.h>

#include "stats/special.h"
#include "stats/special_parts.h"

#define NORMAL_FROM 1e7

/* The normal deviate with the tail of t: Cornish-Fisher, error of order df^-4. */
static double normal_deviate(double t, double df)
{
    double t2 = t * t, n = 1.0 / df;
    double first = (t2 + 1.0) / 4.0;
    double second = ((13.0 * t2 + 8.0) * t2 + 3.0) / 96.0;
    double third = (((35.0 * t2 + 19.0) * t2 + 1.0) * t2 - 15.0) / 384.0;
    return t * (1.0 - n * (first - n * (second - n * third)));
}

/* P(|T| >= t), t >= 0. */
static double two_tails(double t, double df)
{
    if (isinf(t)) return 0.0;
    if (df > NORMAL_FROM) return 2.0 * norm_sf(t > 40.0 ? t : normal_deviate(t, df));
    if (t > 1e150) { /* t^2 overflows: the leading term of the tail is exact here */
        double log_p = df * (0.5 * log(df) - log(t)) - log(0.5 * df) - log_beta(0.5 * df, 0.5);
        return exp(log_p);
    }
    double ratio = t * t / df;
    return beta_inc_pair(1.0 / (1.0 + ratio), isinf(ratio) ? 1.0 : ratio / (1.0 + ratio), 0.5 * df,
                         0.5);
}

/* P(|T| < t): no cancellation for small t. */
static double between(double t, double df)
{
    if (df > NORMAL_FROM) {
        double z = t > 40.0 ? t : normal_deviate(t, df);
        return z < 1.0 ? 1.0 - 2.0 * norm_sf(z) : 1.0 - two_tails(t, df);
    }
    double ratio = t * t / df;
    if (isinf(ratio)) return 1.0;
    return beta_inc_pair(ratio / (1.0 + ratio), 1.0 / (1.0 + ratio), 0.5, 0.5 * df);
}

double t_p(double t, double df)
{
    return isnan(t) || !(df > 0.0) ? NAN : two_tails(fabs(t), df);
}

double t_sf(double t, double df)
{
    double tail = 0.5 * t_p(t, df);
    return t > 0.0 ? tail : 1.0 - tail;
}

double t_cdf(double t, double df)
{
    return t_sf(-t, df);
}

static double log_density(double t, double df)
{
    if (df > NORMAL_FROM) return log(norm_pdf(t));
    return -log_beta(0.5 * df, 0.5) - 0.5 * log(df) - 0.5 * (df + 1.0) * log1p(t / df * t);
}

/* Root of P(T > e^s) = p in s, p <= 1/4: the tail is nearly linear in s. */
static double quantile_tail(double p, double df)
{
    double z = -norm_quantile(p), s, lo = -INFINITY, hi = INFINITY;
    double wilson = df - 2.0 / 3.0 + 0.1 / df;
    double power = df > 2.0 ? z * z * (df - 5.0 / 6.0) / (wilson * wilson) : INFINITY;
    if (power < 600.0 && isfinite(df)) {
        s = 0.5 * (log(df) + log(expm1(power)));
    } else if (isfinite(df)) {
        s = 0.5 * log(df) - (log(p * df) + log_beta(0.5 * df, 0.5)) / df;
    } else {
        return z;
    }
    for (int i = 0; i < 200; i++) {
        double t = exp(s), tail = 0.5 * two_tails(t, df);
        double gap = log(tail) - log(p);
        if (fabs(gap) < 0.1) gap = log1p((tail - p) / p);
        if (gap > 0.0) lo = s; else hi = s;
        double slope = -exp(s + log_density(t, df) - log(tail));
        double next = s - gap / slope;
        if (!(next > lo && next < hi)) next = isinf(hi) ? s + 1.0 : isinf(lo) ? s - 1.0
                                                                      : 0.5 * (lo + hi);
        double step = next - s;
        s = next;
        if (fabs(step) < 1e-15 * fmax(fabs(s), 1.0)) break;
    }
    return exp(s);
}

/* Root of P(0 < T < t) = c, c < 1/4. Concave: Newton climbs from 0 without overshooting. */
static double quantile_centre(double c, double df)
{
    double t = c / exp(log_density(0.0, df));
    for (int i = 0; i < 100; i++) {
        double step = (c - 0.5 * between(t, df)) / exp(log_density(t, df));
        t += step;
        if (fabs(step) < 1e-15 * t) break;
    }
    return t;
}

double t_quantile(double p, double df)
{
    if (!(p >= 0.0 && p <= 1.0) || !(df > 0.0)) return NAN;
    if (p == 0.0) return -INFINITY;
    if (p == 1.0) return INFINITY;
    if (p == 0.5) return 0.0;
    if (isinf(df)) return norm_quantile(p);
    if (p > 0.5) return -t_quantile(1.0 - p, df);
    return p <= 0.25 ? -quantile_tail(p, df) : -quantile_centre(0.5 - p, df);
}
