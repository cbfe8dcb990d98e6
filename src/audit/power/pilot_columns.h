/* pilot_columns.h - what each base of a view contributes to beta, drift and contrasts; NaN where a
 * base does not enter. */
#ifndef AUDIT_POWER_PILOT_COLUMNS_H
#define AUDIT_POWER_PILOT_COLUMNS_H

#include "audit/scorer/study.h"

/* beta + n times the base's share of its error: the mean is beta, the SD over sqrt(n) its standard
 * error (the sandwich). The artifact is taken out first where there is one. False: the attribute
 * does not vary, or not apart from the artifact. */
bool pilot_beta(double *x, const view *v);
/* Net drift of the best of n, ties shared, exact. */
tare_status pilot_drift(double *x, const view *v, bool attribute, size_t n, tare_error *err);
/* FI of the base less its FI in the placebo arm. */
tare_status pilot_contrast(double *x, study *t, const view *main, const view *placebo,
                           tare_error *err);

#endif
