/* plan_axes.h - which doses an operator is given; shared by the files that make the plan. */
#ifndef AUDIT_PHOTOS_PLAN_AXES_H
#define AUDIT_PHOTOS_PLAN_AXES_H

#include "audit/photos/photo_plan.h"

#define PLAN_DOSES_MOST 64
#define PLAN_AXES_MOST 64
/* The axis where none is named: a list of options has no default of its own. */
#define PLAN_AXIS_DEFAULT "skin"

/* doses, n_doses and neutral of axis->op: those of the option `doses` (NAME=D,D,...), else its
 * own. Errors: USAGE (no number, no neutral dose, twice, refused by the operator, too many). */
tare_status plan_doses_read(plan_axis *axis, const tare_job *job, arena *a, tare_error *err);
/* Every list must be of an operator that some axis has. Errors: USAGE. */
tare_status plan_doses_used(const photo_plan *plan, const tare_job *job, tare_error *err);

/* "operators: skin, hue, ..." of those that may be an axis (shams: or beside one). */
const char *plan_operator_names(bool shams, arena *a);

#endif
