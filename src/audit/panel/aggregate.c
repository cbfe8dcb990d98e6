#include "audit/panel/aggregate.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/spelling.h"
#include "base/text.h"
#include "stats/moments.h"
#include "stats/rank.h"

static const char *const names[] = {"mean", "zmean", "median", "trim", "max", "min",
                                    "majority", "any", "all", "geomedian", "lmc"};
enum { RULES = sizeof names / sizeof *names };

const char *aggregate_name(aggregate_rule rule)
{
    return names[rule];
}

size_t aggregate_needs(const aggregator *a, size_t n)
{
    return a->at_least && a->at_least < n ? a->at_least : n;
}

bool aggregate_votes(aggregate_rule rule)
{
    return rule == AGGREGATE_MAJORITY || rule == AGGREGATE_ANY || rule == AGGREGATE_ALL ||
           rule == AGGREGATE_LMC;
}

tare_status aggregator_parse(aggregator *out, const char *text, tare_error *err)
{
    tare_status status = TARE_OK;
    const char *colon = strchr(text, ':');
    size_t length = colon ? (size_t)(colon - text) : strlen(text), k = 0;
    *out = (aggregator){.trim = 0.2};
    while (k < RULES && (strlen(names[k]) != length || memcmp(names[k], text, length) != 0)) k++;
    if (k == RULES) {
        const char *near = spelling_nearest(text, names, RULES);
        FAIL(err, TARE_E_USAGE, "panel.aggregate", "--aggregate",
             "\"%.80s\" is no rule%s%s%s; rules: mean, zmean, median, trim:SHARE, max, min, "
             "majority, any, all, geomedian, lmc",
             text, near ? ": did you mean " : "", near ? near : "", near ? "?" : "");
    }
    out->rule = (aggregate_rule)k;
    if (!colon) goto done;
    if (out->rule != AGGREGATE_TRIM || !number_parse(colon + 1, strlen(colon + 1), &out->trim) ||
        !(out->trim >= 0 && out->trim < 0.5))
        FAIL(err, TARE_E_USAGE, "panel.aggregate", "--aggregate",
             "\"%.80s\": only trim takes a number, the share dropped from each end, at least 0 "
             "and below 0.5",
             text);
done:
    return status;
}

static bool zero_one(const double *x, size_t n)
{
    for (size_t k = 0; k < n; k++)
        if (x[k] != 0 && x[k] != 1) return false;
    return true;
}

/* The most frequent value of sorted x[n]. */
static double majority(const aggregator *a, const double *x, size_t n)
{
    size_t most = 0, modes = 0;
    double low = NAN, high = NAN, sum = 0;
    for (size_t i = 0, j; i < n; i = j) {
        for (j = i + 1; j < n && x[j] == x[i];) j++;
        if (j - i < most) continue;
        if (j - i > most) {
            most = j - i;
            modes = 0;
            low = x[i];
            sum = 0;
        }
        modes++;
        sum += x[i];
        high = x[i];
    }
    tie_policy ties = a->ties;
    if (ties == TIES_AUTO) ties = zero_one(x, n) ? TIES_HALF : TIES_LOW;
    if (modes == 1 || ties == TIES_LOW) return low;
    if (ties == TIES_HIGH) return high;
    return ties == TIES_HALF ? sum / (double)modes : NAN;
}

/* Mean of sorted x[n] without `cut` from each end. */
static double mean_of(const double *x, size_t n, size_t cut)
{
    return moments_mean(x + cut, n - 2 * cut);
}

static size_t keep_present(double *x, size_t n)
{
    size_t kept = 0;
    for (size_t k = 0; k < n; k++)
        if (!isnan(x[k])) x[kept++] = x[k];
    return kept;
}

double aggregate(const aggregator *a, double *x, size_t n)
{
    size_t have = keep_present(x, n);
    if (have == 0 || have < aggregate_needs(a, n)) return NAN;
    rank_sort(x, have);
    switch (a->rule) {
    case AGGREGATE_MEAN:
    case AGGREGATE_ZMEAN: return mean_of(x, have, 0);
    case AGGREGATE_TRIM: return mean_of(x, have, (size_t)floor(a->trim * (double)have + 1e-9));
    case AGGREGATE_MEDIAN:
    case AGGREGATE_GEOMEDIAN: return rank_median_sorted(x, have);
    case AGGREGATE_ANY:
    case AGGREGATE_MAX: return x[have - 1];
    case AGGREGATE_ALL:
    case AGGREGATE_MIN: return x[0];
    case AGGREGATE_MAJORITY: return majority(a, x, have);
    case AGGREGATE_LMC: return rint(mean_of(x, have, 0)) + 0.0;
    }
    return NAN;
}
