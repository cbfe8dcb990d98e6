/* missing.c - see missing.h. */
#include "stats/missing.h"

#include <math.h>
#include <string.h>

void missing_add(missing_counts *counts, tare_reason reason)
{
    counts->expected++;
    if (reason == TARE_R_NONE)
        counts->used++;
    else if ((unsigned)reason < TARE_REASON_COUNT)
        counts->by_reason[reason]++;
    else
        counts->by_reason[TARE_R_MISSING]++;
}

void missing_merge(missing_counts *into, const missing_counts *from)
{
    into->expected += from->expected;
    into->used += from->used;
    for (int i = 0; i < TARE_REASON_COUNT; i++) into->by_reason[i] += from->by_reason[i];
}

uint64_t missing_total(const missing_counts *counts)
{
    uint64_t total = 0;
    for (int i = 0; i < TARE_REASON_COUNT; i++) total += counts->by_reason[i];
    return total;
}

bool missing_reason_parse(tare_reason *out, const char *name)
{
    for (int i = 0; i < TARE_REASON_COUNT; i++) {
        if (strcmp(name, tare_reason_name((tare_reason)i)) != 0) continue;
        *out = (tare_reason)i;
        return true;
    }
    return false;
}

double missing_rate_spread(const double *rates, size_t n)
{
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < n; i++) {
        if (isnan(rates[i])) continue;
        low = fmin(low, rates[i]);
        high = fmax(high, rates[i]);
    }
    return high > low ? high - low : 0.0;
}

bool missing_informative(double q, double alpha, double spread)
{
    /* rates are ratios of counts: .12 - .10 must count as 2 points */
    return q <= alpha && spread >= 0.02 - 1e-12;
}

void missing_bounds(double *lo, double *hi, double mean, uint64_t used, uint64_t missing,
                    const double ends[2])
{
    double n = (double)used + (double)missing;
    double seen = used > 0 ? mean * ((double)used / n) : 0.0;
    *lo = n > 0.0 ? seen + ends[0] * ((double)missing / n) : NAN;
    *hi = n > 0.0 ? seen + ends[1] * ((double)missing / n) : NAN;
}
