/* bestofn.h - best-of-n (scorer audit 5.5): the tested reading (bestofn.c), the curve over n
 * (bestofn_curve.c), pools that mix bases (bestofn_mixed.c), the table and figures
 * (bestofn_outputs.c). */
#ifndef AUDIT_SCORER_BESTOFN_H
#define AUDIT_SCORER_BESTOFN_H

#include "audit/scorer/base_drift.h"
#include "audit/scorer/study.h"

typedef struct drift_point {
    size_t n, reading;       /* net drift with its interval: index into the result */
    double lo, hi;           /* of the band that holds for all n at once           */
    double saturation_share, permutation_z, tie_rate, reference;
} drift_point;

/* Net drift over n of one scorer in one arm. */
typedef struct drift_curve {
    const char *quantity, *unit;
    double random, most;     /* means: a random pick; the most the pool allows at bon.n */
    size_t count;
    drift_point *at;         /* [count] */
} drift_curve;

/* Why the drift has no answer: "degenerate", "instrument_failed"; "" where it has one. */
const char *drift_reason(const study *t, const view *v, bool attribute);
/* z of the within-base permutation of scores, in closed form; NaN: nothing can vary. */
double drift_permutation_z(const view *v, const drift_column *x);

tare_status bestofn_curve(study *t, view *v, const drift_set *x, bool attribute, tare_error *err);
tare_status bestofn_mixed(study *t, view *v, tare_error *err);
tare_status bestofn_table(study *t, tare_error *err);
tare_status bestofn_figures(study *t, tare_error *err);

#endif
