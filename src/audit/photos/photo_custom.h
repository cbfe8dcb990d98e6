/* photo_custom.h - a custom axis: variants that the user made elsewhere, named by a manifest with a
 * dose for each file. */
#ifndef AUDIT_PHOTOS_PHOTO_CUSTOM_H
#define AUDIT_PHOTOS_PHOTO_CUSTOM_H

#include "audit/photos/photo_plan.h"

/* Does the manifest have a column `dose`? Not looked at on standard input and pipes, read once.
 * Errors: those of the table. */
tare_status photo_custom_is(bool *custom, tare_context *context, const char *path,
                            tare_error *err);
/* Jobs that know nothing of custom axes have not their options. */
bool photo_custom_option(const tare_job *job, const char *name);
/* Bases, one axis (named by the option `axis-name`, else "custom") and its slots, in the order of
 * the doses, from a manifest of variants: base, file, dose; optional arm, kind, cluster, group,
 * attribute, artifact. The neutral dose is the option `neutral`, else 0 if there is one, else 1, as
 * in score tables; the file of a base is its neutral variant. A base without it is kept with reason
 * NO_NEUTRAL, one without another dose has no file in that slot. Errors: those of the table; DATA
 * (a base twice at one dose, a dose that is no number, labels that vary inside a base, more than 64
 * doses, or one), USAGE (no neutral dose). */
tare_status photo_custom_plan(photo_plan *plan, const tare_job *job, const char *path,
                              const char *folder, tare_error *err);
/* A run that goes on has the neutral dose that it began with. Errors: USAGE. */
tare_status photo_custom_check_neutral(const photo_plan *plan, const tare_job *job,
                                       tare_error *err);

#endif
