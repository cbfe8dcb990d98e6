/* photo_easel.h - a photograph with all that operators must know of it, from which variants are
 * made: for scoring, and for looking at. */
#ifndef AUDIT_PHOTOS_PHOTO_EASEL_H
#define AUDIT_PHOTOS_PHOTO_EASEL_H

#include "audit/photos/photo_silhouette.h"
#include "audit/photos/variant_lot.h"

/* Set run, base and photo, zero the rest. A perturb_base for each set of thresholds that is asked
 * for, made when it is. */
typedef struct photo_easel {
    const photo_run *run;
    size_t base;
    const image *photo;
    image user;
    photo_silhouette person;
    perturb_base made[MASK_LOOSE + 1];
    bool ready[MASK_LOOSE + 1];
} photo_easel;

/* Mask and silhouette, if an axis that is for this base needs them. Errors: DATA (mask changed),
 * MEMORY, STOPPED. */
tare_status photo_easel_open(photo_easel *e, tare_error *err);
void photo_easel_close(photo_easel *e);
tare_status photo_easel_base(perturb_base **out, photo_easel *e, mask_set set, tare_error *err);

/* A variant, measured; or failed->reason. `slot` says which operator and dose: of the plan, or
 * an axis's own neutral one. */
tare_status photo_easel_variant(perturb_variant *out, variant_failure *failed, photo_easel *e,
                                const plan_axis *axis, const plan_slot *slot, tare_error *err);
/* The user's own: decoded as the photograph is, and of its size. */
tare_status photo_easel_file(perturb_variant *out, variant_failure *failed, const photo_easel *e,
                             size_t slot, tare_error *err);

#endif
