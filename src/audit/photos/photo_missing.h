/* photo_missing.h - photographs that were left out: by arm, reason and group, with an example. */
#ifndef AUDIT_PHOTOS_PHOTO_MISSING_H
#define AUDIT_PHOTOS_PHOTO_MISSING_H

#include "audit/photos/photo_session.h"

/* Rows in order of the first of each kind; in the arena. */
tare_status photo_missing_bases(result_missing **out, size_t *count, const photo_plan *plan,
                                arena *a, tare_error *err);
/* The same into a result. */
tare_status photo_missing(photo_session *s, audit_result *result, tare_error *err);

/* What was said of the first base of each row that names an instrument goes behind its name. */
tare_status photo_missing_words(const photo_session *s, audit_result *result, tare_error *err);
/* A caution for each instrument and reason that scores are missing for: how many, and what was said
 * of the first. */
tare_status photo_failures(photo_session *s, audit_result *result, tare_error *err);

#endif
