#include "audit/photos/photo_easel.h"

#include <stdio.h>
#include <string.h>

#include "audit/photos/photo_mask.h"
#include "base/error.h"

static bool any_axis(const photo_easel *e, perturb_needs needs)
{
    const photo_plan *plan = e->run->plan;
    for (size_t x = 0; x < plan->axis_count; x++) {
        const perturb_operator *op = plan->axes[x].op;
        if (op && op->needs == needs && !plan_axis_reason(plan, e->base, x)) return true;
    }
    return false;
}

tare_status photo_easel_open(photo_easel *e, tare_error *err)
{
    tare_status status = TARE_OK;
    const plan_base *base = &e->run->plan->bases[e->base];
    if (any_axis(e, PERTURB_NEEDS_SKIN))
        TRY(photo_mask_load_again(&e->user, e->run, base, e->photo, err));
    if (any_axis(e, PERTURB_NEEDS_TORSO))
        TRY(photo_silhouette_load(&e->person, e->run, base, e->photo, err));
done:
    return status;
}

void photo_easel_close(photo_easel *e)
{
    const mem *m = &e->run->context->mem;
    for (int set = 0; set <= MASK_LOOSE; set++)
        if (e->ready[set]) perturb_base_free(&e->made[set]);
    image_free(&e->user, m);
    photo_silhouette_free(&e->person, m);
}

tare_status photo_easel_base(perturb_base **out, photo_easel *e, mask_set set, tare_error *err)
{
    tare_status status = TARE_OK;
    const photo_plan *plan = e->run->plan;
    const plan_base *base = &plan->bases[e->base];
    perturb_options options = plan->perturb;
    options.set = set;
    *out = &e->made[set];
    if (e->ready[set]) goto done;
    const perturb_guides guides = {.mask = e->user.rgb ? &e->user : NULL,
                                   .silhouette = e->person.mask,
                                   .band_top = base->band_top,
                                   .band_bottom = base->band_bottom};
    TRY(perturb_base_make(*out, &e->run->context->mem, e->photo, &guides, base->id, &options,
                          err));
    e->ready[set] = true;
    /* The photograph is the same: another share is another mask. */
    if (e->user.rgb && (*out)->skin_share != base->skin_share)
        FAIL(err, TARE_E_DATA, "run.changed", base->mask,
             "the mask of %s changed since the run began: start anew in another folder", base->id);
done:
    return status;
}

/* What the survey could not know: other thresholds leave too little skin, a model failed. */
static bool cannot(variant_failure *out, const photo_easel *e, const perturb_base *made,
                   const plan_axis *axis)
{
    if (axis->op->needs == PERTURB_NEEDS_SKIN && made->reason) {
        out->reason = made->reason;
        snprintf(out->why, sizeof out->why, "the %s thresholds leave %.1f %% of the image as skin",
                 mask_set_name(axis->set), 100 * made->skin_share);
    }
    if (axis->op->needs == PERTURB_NEEDS_TORSO && (e->person.reason || made->torso_reason)) {
        out->reason = e->person.reason ? e->person.reason : made->torso_reason;
        snprintf(out->why, sizeof out->why, "%.150s", e->person.why);
    }
    return out->reason != TARE_R_NONE;
}

/* `slot` says which operator and dose; it is one of the plan's, or an axis's own neutral one. */
tare_status photo_easel_variant(perturb_variant *out, variant_failure *failed, photo_easel *e,
                            const plan_axis *axis, const plan_slot *slot, tare_error *err)
{
    tare_status status = TARE_OK;
    perturb_base *made = NULL;
    TRY(photo_easel_base(&made, e, axis->set, err));
    if (cannot(failed, e, made, axis)) goto done;
    TRY(perturb_variant_make(out, made, slot->op, slot->dose, err));
    if (slot->op->needs == PERTURB_NEEDS_TORSO)
        TRY(photo_silhouette_measure(&out->measures, e->run, made, slot, &out->picture, err));
done:
    return status;
}

/* A file that the user made: decoded as the photograph is, and of its size. */
tare_status photo_easel_file(perturb_variant *out, variant_failure *failed, const photo_easel *e,
                            size_t slot, tare_error *err)
{
    tare_status status = TARE_OK;
    const photo_source source = {e->run->plan->bases[e->base].variant_file[slot],
                                 e->run->plan->decoding, NULL};
    const image *photo = e->photo;
    image *picture = &out->picture;
    char why[PHOTO_WHY_MAX] = "";
    TRY(photo_load_file(picture, &failed->reason, why, e->run, &source, err));
    bool heard = photo->mode == IMAGE_SOUND; /* of any length */
    if (picture->rgb && heard != (picture->mode == IMAGE_SOUND)) {
        failed->reason = TARE_R_UNSUPPORTED_PIXELS;
        snprintf(why, sizeof why, "of this base one file is a recording and the other a picture");
        image_free(picture, &e->run->context->mem);
    }
    if (picture->rgb && !heard
        && (picture->width != photo->width || picture->height != photo->height)) {
        failed->reason = TARE_R_UNSUPPORTED_PIXELS;
        snprintf(why, sizeof why, "this variant has %d x %d pixels, the neutral one %d x %d",
                 picture->width, picture->height, photo->width, photo->height);
        image_free(picture, &e->run->context->mem);
    }
    if (failed->reason) {
        snprintf(failed->why, sizeof failed->why, "%.150s", why);
        goto done;
    }
    if (heard) goto done; /* there are no pixels to compare */
    out->measures.edit_image = measure_difference(photo, picture, NULL);
    out->measures.edit_support = out->measures.edit_image;
done:
    return status;
}
