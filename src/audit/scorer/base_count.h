/* base_count.h - which bases a reading rests on, and why the others are not in it (statistics
 * 13): expected = n + the sum over missing. */
#ifndef AUDIT_SCORER_BASE_COUNT_H
#define AUDIT_SCORER_BASE_COUNT_H

#include "audit/scorer/study.h"

/* The bases of a view: all that have every score. What readings have that say nothing else. */
base_count count_view(const view *v);
/* Only the bases of `f`, a part of the view's: the others lack a measure (`missing`). */
base_count count_frame(const view *v, const frame *f);
/* Only the bases of the view whose x [bases] is not NaN; the others are out for `why`. */
base_count count_values(const view *v, const double *x, tare_reason why);
/* The bases of an arm that are in `f`, no scorer asked. */
base_count count_arm(const study *t, const cube_arm *arm, const frame *f);
/* The bases of the view in the groups with kept[group]; other groups are not expected at all. */
base_count count_groups(const study *t, const view *v, const bool *kept);
/* k of the bases used are out for `why`; the number of clusters is left to the caller. */
void count_drop(base_count *c, size_t k, tare_reason why);

/* Is this entry of cube.missing about bases of the arm that every scorer lacks? */
bool excluded_from(const result_missing *x, const cube_arm *arm);

#endif
