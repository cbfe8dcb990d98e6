/* photo_decoding.h - how the photographs of a run are decoded: the policy from the job's options,
 * and what decoding did to them all, in words. Scorers 5. */
#ifndef AUDIT_PHOTOS_PHOTO_DECODING_H
#define AUDIT_PHOTOS_PHOTO_DECODING_H

#include "audit/photos/photo_session.h"

/* Options decoding, transparent, max-pixels and prepare-size together. Errors: USAGE (a background
 * that is none, or under a policy that has no use for it; a size under the published policy). */
tare_status photo_decoding_read(image_decoding *out, const tare_job *job, tare_error *err);
/* The limits of photographs, and samples as they are stored: see photo_mask.h. */
image_decoding photo_decoding_mask(const image_decoding *photos);

/* Facts: the policy in words, and each remark of decoding with how many photographs it was made
 * of. A caution for those that may have changed colours. */
tare_status photo_decoding_facts(const photo_session *s, audit_result *r, tare_error *err);

#endif
