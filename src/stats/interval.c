#include "stats/interval.h"

#include <math.h>

#include "stats/moments.h"
#include "stats/special.h"

size_t boot_defined(double *out, const double *t, size_t b)
{
    size_t count = 0;
    for (size_t i = 0; i < b; i++)
        if (isfinite(t[i])) out[count++] = t[i] + 0.0;
    return count;
}

/* ---- Intervals ------------------------------------------------------------------------------- */

double interval_quantile(double *t, size_t b, double q, bool *extreme)
{
    double size = (double)b + 1, rank = size * q;
    /* (B+1) alpha/2 is an integer by design; q and 1 - q carry roundings of their own. */
    double whole = nearbyint(rank);
    if (fabs(rank - whole) <= 1e-9 * size * (q < 0.5 ? q : 1)) rank = whole;
    double j = floor(rank);
    size_t ranks[2];
    if (j < 1 || rank > (double)b) {
        *extreme = true;
        ranks[0] = j < 1 ? 0 : b - 1;
        select_ranks(t, b, ranks, 1);
        return t[ranks[0]];
    }
    ranks[0] = (size_t)j - 1;
    ranks[1] = ranks[0] + 1;
    select_ranks(t, b, ranks, rank == j ? 1 : 2);
    double low = t[ranks[0]];
    if (rank == j) return low;
    double z = norm_quantile(q), z0 = norm_quantile(j / size), z1 = norm_quantile((j + 1) / size);
    return low + (z - z0) / (z1 - z0) * (t[ranks[1]] - low);
}

interval interval_percentile(double *t, size_t b, double alpha)
{
    interval out = {NAN, NAN, false};
    if (b == 0) return out;
    out.lo = interval_quantile(t, b, alpha / 2, &out.extreme);
    out.hi = interval_quantile(t, b, 1 - alpha / 2, &out.extreme);
    return out;
}

/* sum L^3 / (6 (sum L^2)^1.5) about the mean; NaN where L has no variation. */
static double acceleration(const double *influence, size_t m)
{
    neumaier sum = {0, 0}, square = {0, 0}, cube = {0, 0};
    size_t count = 0;
    for (size_t c = 0; c < m; c++) {
        if (isnan(influence[c])) continue;
        neumaier_add(&sum, influence[c]);
        count++;
    }
    double mean = neumaier_total(&sum) / (double)count, largest = 0;
    for (size_t c = 0; c < m; c++) {
        if (isnan(influence[c])) continue;
        double l = influence[c] - mean;
        largest = fmax(largest, fabs(l));
        neumaier_add(&square, l * l);
        neumaier_add(&cube, l * l * l);
    }
    if (!(largest > 1e-12 * fabs(mean))) return NAN;
    double s = neumaier_total(&square);
    return neumaier_total(&cube) / (6 * s * sqrt(s));
}

static bool adjusted(double *q, double z0, double a, double level)
{
    if (z0 == 0 && a == 0) { /* the level itself, which Phi(z(level)) misses by a rounding */
        *q = level;
        return true;
    }
    double z = z0 + norm_quantile(level), pole = 1 - a * z;
    if (!(pole > 0)) return false;
    *q = norm_cdf(z0 + z / pole);
    return *q > 0 && *q < 1;
}

interval_bca_result interval_bca(double *t, size_t b, double theta, const double *influence,
                                 size_t m, double alpha)
{
    interval_bca_result out = {.rank_lo = NAN, .rank_hi = NAN};
    double below = 0, lo, hi;
    for (size_t i = 0; i < b; i++) below += t[i] < theta ? 1 : t[i] == theta ? 0.5 : 0;
    out.z0 = norm_quantile(below / (double)b);
    out.a = acceleration(influence, m);
    if (!isfinite(out.z0)) out.fallback = "all replicates are on one side of the estimate";
    else if (isnan(out.a)) out.fallback = "the influence of clusters does not vary";
    else if (!adjusted(&lo, out.z0, out.a, alpha / 2) ||
             !adjusted(&hi, out.z0, out.a, 1 - alpha / 2))
        out.fallback = "the acceleration is too large";
    if (out.fallback) {
        out.ends = interval_percentile(t, b, alpha);
        return out;
    }
    out.rank_lo = ((double)b + 1) * lo;
    out.rank_hi = ((double)b + 1) * hi;
    out.ends.lo = interval_quantile(t, b, lo, &out.ends.extreme);
    out.ends.hi = interval_quantile(t, b, hi, &out.ends.extreme);
    return out;
}

/* ---- p --------------------------------------------------------------------------------------- */

static double slack(double theta, double scale)
{
    return 1e-12 * fmax(fabs(theta), scale);
}

double boot_p_centred(const double *t, size_t b, double theta, double scale)
{
    double bound = fabs(theta) - slack(theta, scale);
    size_t count = 0;
    for (size_t i = 0; i < b; i++) count += fabs(t[i] - theta) >= bound;
    return (double)(count + 1) / ((double)b + 1);
}

double boot_p_inversion(const double *t, size_t b, double scale)
{
    double tolerance = slack(0, scale);
    size_t below = 0, above = 0;
    for (size_t i = 0; i < b; i++) {
        below += t[i] <= tolerance;
        above += t[i] >= -tolerance;
    }
    size_t least = below < above ? below : above;
    return fmin(1, 2 * (double)(least + 1) / ((double)b + 1));
}

double boot_p_one_sided(const double *t, size_t b, double theta, double scale, bool less)
{
    double tolerance = slack(theta, scale);
    size_t count = 0;
    for (size_t i = 0; i < b; i++)
        count += less ? t[i] - theta <= theta + tolerance : t[i] - theta >= theta - tolerance;
    return (double)(count + 1) / ((double)b + 1);
}
