/* photo_silhouette.h - the person in a photograph, for the body axis (scorer audit 2.6, 3): a mask
 * file that the manifest names, or what the run's segmenter sees.
 *
 * A mask file guides the warp, but it cannot be measured on a variant: there the mask is warped
 * along ("geometric"), which repeats the dose. With a segmenter every variant is segmented anew. */
#ifndef AUDIT_PHOTOS_PHOTO_SILHOUETTE_H
#define AUDIT_PHOTOS_PHOTO_SILHOUETTE_H

#include "audit/photos/photo_run.h"

typedef struct photo_silhouette {
    unsigned char *mask; /* [height][width] 0/1; NULL: none, then why */
    tare_reason reason;  /* NO_SILHOUETTE, UNSUPPORTED_PIXELS, UNREADABLE, SCORER_ERROR, TIMEOUT */
    char why[PHOTO_WHY_MAX];
} photo_silhouette;

/* Of a base: its file, else the segmenter's, else reason NO_SILHOUETTE. A silhouette without a
 * torso (torso_find) is NO_SILHOUETTE too. Errors: MEMORY, STOPPED. */
tare_status photo_silhouette_load(photo_silhouette *out, const photo_run *run,
                                  const plan_base *base, const image *photo, tare_error *err);
void photo_silhouette_free(photo_silhouette *s, const mem *m);

/* width_ratio of a variant of `made`, and nothing else, into its measures: of what the segmenter
 * sees on it, else of the base's silhouette warped along (not independent). The band and H are
 * those of the base. Variants of operators without this attribute are left alone, but for the
 * plan's neutral slot; NaN where the segmenter failed. Errors: MEMORY, STOPPED. */
tare_status photo_silhouette_measure(perturb_measures *x, const photo_run *run,
                                     const perturb_base *made, const plan_slot *slot,
                                     const image *picture, tare_error *err);

#endif
