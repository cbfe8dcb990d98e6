/* aggregate.h - from the members' scores of one thing to the panel's score (judge audits B.2). */
#ifndef AUDIT_PANEL_AGGREGATE_H
#define AUDIT_PANEL_AGGREGATE_H

#include <stdbool.h>
#include <stddef.h>

#include "tare.h"

typedef enum aggregate_rule {
    AGGREGATE_MEAN, AGGREGATE_ZMEAN, AGGREGATE_MEDIAN, AGGREGATE_TRIM, AGGREGATE_MAX, AGGREGATE_MIN,
    AGGREGATE_MAJORITY, AGGREGATE_ANY, AGGREGATE_ALL, AGGREGATE_GEOMEDIAN, AGGREGATE_LMC
} aggregate_rule;
typedef enum tie_policy { TIES_AUTO, TIES_HALF, TIES_LOW, TIES_HIGH, TIES_DROP } tie_policy;

typedef struct aggregator {
    aggregate_rule rule;
    double trim;       /* share dropped from each end                                             */
    tie_policy ties;   /* of a majority; TIES_AUTO: half for votes of 0 and 1, else low           */
    size_t at_least;   /* members that must have a score; 0, or more than there are: all of them  */
} aggregator;

/* "mean", "trim:0.25", ... Errors: USAGE (no such rule, a trim outside [0, .5)). */
tare_status aggregator_parse(aggregator *out, const char *text, tare_error *err);
const char *aggregate_name(aggregate_rule rule);
/* Scores that n members must have between them. */
size_t aggregate_needs(const aggregator *a, size_t n);
/* Rules that return one of the labels that were voted: scores are labels, not amounts. */
bool aggregate_votes(aggregate_rule rule);

/* The panel's score from x[n], which is sorted by the call; NaN entries are missing. NaN: too few
 * are there, or a dropped tie. ZMEAN expects z-scores; GEOMEDIAN of one dimension is the median.
 * LMC: the mean of -2..2, rounded half to even. */
double aggregate(const aggregator *a, double *x, size_t n);

/* Geometric median of n points x[n][dims] (Weiszfeld from the coordinatewise median, the step of
 * Vardi and Zhang at a data point; stops at a move of 1e-10 or after 1000 steps). Data points are
 * tried first, so that a minimum on one of them is exact. Points with a NaN are left out.
 * out[dims]: NaN if too few points are left. scratch: n + 3 dims doubles. */
void aggregate_geomedian(double *out, const aggregator *a, const double *x, size_t n, size_t dims,
                         double *scratch);

#endif
