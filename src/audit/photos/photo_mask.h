/* photo_mask.h - pictures that users drew beside a photograph: of its skin, and of the person in it
 * (photo_silhouette.h). Inside is where the mean of R, G, B is 128 or more.
 *
 * Masks are numbers, not colours. They are read as stored: a profile would move their border, so it
 * is not looked at; nor is the EXIF orientation, for a mask belongs to the photograph as it is
 * after it was turned (ours). */
#ifndef AUDIT_PHOTOS_PHOTO_MASK_H
#define AUDIT_PHOTOS_PHOTO_MASK_H

#include "audit/photos/photo_run.h"

/* Such a picture, resized like its photograph; out->rgb NULL if there is none. */
typedef struct photo_drawn {
    const char *what; /* in words: "mask", "silhouette" */
    const char *path; /* NULL: none                     */
} photo_drawn;
tare_status photo_drawn_load(image *out, tare_reason *reason, char *why, const photo_run *run,
                             const photo_drawn *drawn, const image *photo, tare_error *err);
/* As the manifest names it: below the folder of the photographs, if it is there. */
const char *photo_drawn_shown(const photo_plan *plan, const char *path);

/* The mask of a base, resized like its photograph; out->rgb NULL if there is none. A mask that
 * cannot be used (transparent somewhere: it would become skin where it is not seen (ours); of
 * another size than `photo`; not to be read) is TARE_OK with *reason and *why, a buffer of
 * PHOTO_WHY_MAX. Remarks are in out->note. Errors: MEMORY. */
tare_status photo_mask_load(image *out, tare_reason *reason, char *why, const photo_run *run,
                            const plan_base *base, const image *photo, tare_error *err);
/* The same of a base that the survey could use. Errors: also DATA (not to be used any more). */
tare_status photo_mask_load_again(image *out, const photo_run *run, const plan_base *base,
                                  const image *photo, tare_error *err);
/* Masks and silhouettes must be the files that this run began with: keep their hashes, or compare.
 * Asked for before anything is scored, since variants of two masks must not stand in one arm.
 * Errors: DATA (changed), IO, MEMORY. */
tare_status photo_masks_settle(photo_run *run, tare_error *err);
/* As the manifest names it: below the folder of the photographs, if it is there. */
const char *photo_mask_shown(const photo_plan *plan, const plan_base *base);

#endif
