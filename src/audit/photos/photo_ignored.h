/* photo_ignored.h - what lies in a folder of photographs and is none, file by file: what was left
 * out must be there to be read. */
#ifndef AUDIT_PHOTOS_PHOTO_IGNORED_H
#define AUDIT_PHOTOS_PHOTO_IGNORED_H

#include "audit/photos/photo_plan.h"
#include "audit/result.h"

/* Those beyond are counted without a name: a folder may hold anything. */
#define PHOTO_IGNORED_NAMED 10000

/* Count a file, and name it while there is room. path and why outlive the plan. Errors: MEMORY. */
tare_status photo_ignored_add(photo_plan *plan, const char *path, const char *why,
                              tare_error *err);
/* The named ones, in and out of the run folder. */
tare_status photo_ignored_keep(const photo_plan *plan, store *s, tare_error *err);
tare_status photo_ignored_recall(photo_plan *plan, store *s, tare_error *err);
/* The table `ignored`, if there are any. */
tare_status photo_ignored_table(const photo_plan *plan, audit_result *r, tare_error *err);

#endif
