#include "stats/power.h"

#include <math.h>

#include "stats/special.h"

#define SHIFT_STEPS 60
#define SD_KNOWN_FROM 1e6 /* df: the SD is as good as known (ours) */

double power_two_sided(double shift, double df, double alpha)
{
    if (!(alpha > 0.0 && alpha < 1.0) || !(df >= 1.0)) return NAN;
    double bound = t_quantile(1.0 - 0.5 * alpha, df);
    return fmin(1.0, nct_sf(bound, df, shift) + nct_cdf(-bound, df, shift));
}

/* |Z + shift| < width - t s, for s where that is possible; less |Z| < floor. */
typedef struct band {
    double shift, width, t, floor;
} band;

static double central(double x)
{
    return 1.0 - 2.0 * norm_sf(x);
}

static double constant(double s, const void *user)
{
    (void)s;
    return *(const double *)user;
}

static double outside(double s, const void *user)
{
    const band *b = user;
    return norm_sf(b->t * s - b->shift) + norm_cdf(-b->t * s - b->shift);
}

double power_beyond(double shift, double floor, double df, double alpha)
{
    double all = power_two_sided(shift, df, alpha);
    if (isnan(all) || isnan(floor) || isnan(shift)) return NAN;
    if (!(floor > 0.0)) return all;
    band b = {shift, 0.0, t_quantile(1.0 - 0.5 * alpha, df), 0.0};
    band at_floor = {shift, 0.0, floor, 0.0};
    if (df >= SD_KNOWN_FROM) return outside(1.0, b.t > floor ? &b : &at_floor);
    /* Below this SD the floor decides, above it the test. */
    double change = floor / b.t;
    double low = chi_mean(constant, &(double){outside(1.0, &at_floor)}, df, 0.0, change);
    return fmin(1.0, low + chi_mean(outside, &b, df, change, INFINITY));
}

static double inside(double s, const void *user)
{
    const band *b = user;
    double half = b->width - b->t * s;
    if (!(half > b->floor)) return 0.0;
    return norm_cdf(half - b->shift) - norm_cdf(-half - b->shift) - central(b->floor);
}

double power_equivalence(double shift, double width, double df, double alpha)
{
    if (!(alpha > 0.0 && alpha < 0.5) || !(df >= 1.0) || !(width > 0.0) || isnan(shift)) return NAN;
    band b = {fabs(shift), width, t_quantile(1.0 - alpha, df), 0.0};
    return fmin(1.0, chi_mean(inside, &b, df, 0.0, width / b.t));
}

static double below(double s, const void *user)
{
    const band *b = user; /* floor < |Z| < t s */
    return b->t * s > b->floor ? central(b->t * s) - central(b->floor) : 0.0;
}

double power_negligible(double width, double floor, double df, double alpha, double level)
{
    if (!(alpha > 0.0 && alpha < 0.5) || !(level > 0.0 && level < 1.0) || !(df >= 1.0) ||
        !(width > 0.0) || isnan(floor))
        return NAN;
    double least = fmax(0.0, floor);
    band tost = {0.0, width, t_quantile(1.0 - alpha, df), least};
    band test = {0.0, 0.0, t_quantile(1.0 - 0.5 * level, df), least};
    /* Small s: the test decides; large s: the margin does. */
    double first = least / test.t, change = width / (tost.t + test.t);
    double last = (width - least) / tost.t;
    if (!(last > first)) return 0.0;
    return fmin(1.0, chi_mean(below, &test, df, first, change) +
                         chi_mean(inside, &tost, df, change, last));
}

double power_shift(double power, double df, double alpha)
{
    if (!(power > 0.0 && power < 1.0) || isnan(power_two_sided(0.0, df, alpha))) return NAN;
    double low = 0.0, high = t_quantile(1.0 - 0.5 * alpha, df) + fabs(t_quantile(power, df)) + 1.0;
    while (power_two_sided(high, df, alpha) < power) high *= 2.0;
    for (int k = 0; k < SHIFT_STEPS && high - low > 1e-13 * high; k++) {
        double middle = 0.5 * (low + high);
        if (power_two_sided(middle, df, alpha) < power) low = middle;
        else high = middle;
    }
    return low > 0.0 ? 0.5 * (low + high) : 0.0;
}

size_t least_enough(int (*enough)(size_t n, const void *user), const void *user, size_t first,
                    size_t last)
{
    /* Steps that double, then halves of the last one: most designs are small. */
    size_t low = first, step = 1, high = first;
    while (!enough(high, user)) {
        if (high >= last) return last + 1;
        low = high + 1;
        high = last - high < step ? last : high + step;
        step *= 2;
    }
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (enough(middle, user)) high = middle;
        else low = middle + 1;
    }
    return high;
}
