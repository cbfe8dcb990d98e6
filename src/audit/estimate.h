/* estimate.h - from an inference to the numbers of a reading; shared by all audits. */
#ifndef AUDIT_ESTIMATE_H
#define AUDIT_ESTIMATE_H

#include <stdbool.h>

#include "audit/result.h"
#include "stats/infer.h"

/* Larger scores cannot be squared and summed (ours): their readings get no answer. */
#define SCORE_MOST 1e150
/* Nor can differences that are not 0 but smaller: their squares lose digits, then vanish (ours). */
#define SCORE_LEAST 1e-150
#define REASON_OUT_OF_RANGE "out_of_range"

/* No estimate, and why. */
inference inference_none(const char *reason);
/* A share: its interval stays in [0, 1] and it is not tested against 0. */
void inference_share(inference *x);
/* Intervals at 1 - alpha and 1 - 2 alpha and p by t from the estimate, se > 0 and df of x. */
void inference_by_t(inference *x, double alpha);
/* Estimate, interval, p, counts and the smallest detectable effect. */
void estimate_fill(tare_reading *r, const inference *inf, double alpha);
/* "interval may under-cover", ...; "" for none. */
const char *estimate_marks(const inference *inf);
/* The (1 - 2 alpha) interval lies inside the margin, or the estimate is 0 in every cluster. */
bool estimate_equivalent(const inference *inf, double margin);

#endif
