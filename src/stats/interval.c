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

/* Where the value at rank (b+1) q lies: between ranks, 0-based, that are the same if share is 0. */
static void place_of(size_t rank[2], double *share, bool *extreme, size_t b, double q)
{
    double size = (double)b + 1, at = size * q;
    /* (B+1) alpha/2 is an integer by design; q and 1 - q carry roundings of their own. */
    double whole = nearbyint(at);
    if (fabs(at - whole) <= 1e-9 * size * (q < 0.5 ? q : 1)) at = whole;
    double j = floor(at);
    *share = 0;
    *extreme = j < 1 || at > (double)b;
    rank[0] = rank[1] = j < 1 ? 0 : at > (double)b ? b - 1 : (size_t)j - 1;
    if (*extreme || at == j) return;
    rank[1]++;
    double z = norm_quantile(q), z0 = norm_quantile(j / size), z1 = norm_quantile((j + 1) / size);
    *share = (z - z0) / (z1 - z0);
}

static double value_at(const double *t, const size_t rank[2], double share)
{
    double low = t[rank[0]];
    return rank[1] == rank[0] ? low : low + share * (t[rank[1]] - low);
}

double interval_quantile(double *t, size_t b, double q, bool *extreme)
{
    size_t rank[2];
    double share;
    bool out;
    place_of(rank, &share, &out, b, q);
    if (out) *extreme = true;
    select_ranks(t, b, rank, rank[1] == rank[0] ? 1 : 2);
    return value_at(t, rank, share);
}

interval interval_percentile(double *t, size_t b, double alpha)
{
    interval out = {NAN, NAN, false};
    if (b == 0) return out;
    out.lo = interval_quantile(t, b, alpha / 2, &out.extreme);
    out.hi = interval_quantile(t, b, 1 - alpha / 2, &out.extreme);
    return out;
}

interval_ends interval_ends_of(size_t b, double alpha)
{
    const double q[4] = {alpha / 2, alpha, 1 - alpha, 1 - alpha / 2};
    interval_ends out = {.b = b};
    for (int k = 0; k < 4; k++)
        place_of(out.end[k].rank, &out.end[k].share, &out.end[k].extreme, b, q[k]);
    return out;
}

void interval_of_ends(interval *outer, interval *inner, double *t, const interval_ends *ends)
{
    size_t rank[8], count = 0;
    double value[4];
    for (int k = 0; k < 4; k++) /* ascending: alpha < 1/2 */
        for (int i = 0; i < 2; i++) {
            size_t r = ends->end[k].rank[i];
            if (count == 0 || r > rank[count - 1]) rank[count++] = r;
        }
    select_ranks(t, ends->b, rank, count);
    for (int k = 0; k < 4; k++) value[k] = value_at(t, ends->end[k].rank, ends->end[k].share);
    *outer = (interval){value[0], value[3], ends->end[0].extreme || ends->end[3].extreme};
    *inner = (interval){value[1], value[2], ends->end[1].extreme || ends->end[2].extreme};
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
