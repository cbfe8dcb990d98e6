/* answer_axis.h - what must be known of an axis and its doses before its answer is used (scorer
 * audit 16). */
#ifndef AUDIT_SCORER_ANSWER_AXIS_H
#define AUDIT_SCORER_ANSWER_AXIS_H

#include "audit/scorer/study.h"

/* The doses multiply, round 1; every one of them has its inverse among them. */
bool doses_are_factors(const cube_arm *arm);
bool doses_are_inverse(const cube_arm *arm);
/* Cautions of one main arm, none of which depends on the scorer. */
tare_status say_axis(study *t, size_t arm, tare_error *err);

#endif
