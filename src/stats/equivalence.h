/* equivalence.h - two one-sided tests and the smallest detectable effect (statistics 7). */
#ifndef STATS_EQUIVALENCE_H
#define STATS_EQUIVALENCE_H

#include <stdbool.h>

typedef struct equivalence {
    double p_lower;  /* H0: theta <= -margin */
    double p_upper;  /* H0: theta >= +margin */
    double p;        /* the larger of both   */
    bool equivalent; /* p <= alpha           */
} equivalence;

/* TOST by t. df > 0 (infinity: normal). se 0: p is 0 inside the margin, else 1. No margin (NaN or
 * <= 0), or a NaN input: p NaN and not equivalent. */
equivalence equivalence_t(double estimate, double se, double df, double margin, double alpha);
/* TOST by a (1 - 2 alpha) interval: lies inside (-margin, margin)? False for any NaN. A point
 * interval [x, x] counts. */
bool equivalence_interval(double lo, double hi, double margin);
/* (t(1 - alpha/2, df) + t(power, df)) se: an effect of this size would have been found in `power`
 * of such studies. A property of the design, not observed power. */
double detectable_effect(double se, double df, double alpha, double power);

#endif
