/* variant_seen.h - the user's own variants as they were scored: hashes of their pixels and stamps
 * of their files, kept in the run folder. */
#ifndef AUDIT_PHOTOS_VARIANT_SEEN_H
#define AUDIT_PHOTOS_VARIANT_SEEN_H

#include "audit/photos/photo_run.h"

/* Keep what was scored of a base, hash[slot] "" where there was nothing, or compare: what was
 * scored before must have the same pixels. Errors: DATA (changed), IO, MEMORY. */
tare_status variant_seen_settle(photo_run *run, char (*hash)[65], size_t base, tare_error *err);
/* The photographs are given again: look at each file that has another stamp than when it was
 * scored, or that could not be used then. If one can be used now, its base is to be scored anew.
 * Errors: DATA (changed), IO, MEMORY, STOPPED. */
tare_status variant_seen_look(photo_run *run, tare_error *err);

#endif
