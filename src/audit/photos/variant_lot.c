#include "audit/photos/variant_lot.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "audit/photos/measures_json.h"
#include "audit/photos/photo_mask.h"
#include "audit/photos/photo_silhouette.h"
#include "base/error.h"

tare_status variant_lot_new(variant_lot *lot, const photo_run *run, tare_error *err)
{
    tare_status status = TARE_OK;
    const mem *m = &run->context->mem;
    size_t slots = run->plan->slot_count, rows = plan_rows(run->plan);
    TRY_NEW(lot->variants = mem_new(m, rows, sizeof *lot->variants));
    TRY_NEW(lot->hash = mem_new(m, rows, sizeof *lot->hash));
    TRY_NEW(lot->failed = mem_new(m, slots, sizeof *lot->failed));
    TRY_NEW(lot->key = mem_new(m, slots, sizeof *lot->key));
    TRY_NEW(lot->order = mem_new(m, slots, sizeof *lot->order));
    TRY_NEW(lot->items = mem_new(m, slots, sizeof *lot->items));
    TRY_NEW(lot->results = mem_new(m, run->scorer_count * (slots + 1), sizeof *lot->results));
done:
    return status;
}

void variant_lot_free(variant_lot *lot, const photo_run *run)
{
    const mem *m = &run->context->mem;
    for (size_t k = 0; lot->variants && k < plan_rows(run->plan); k++)
        perturb_variant_free(&lot->variants[k], m);
    image_free(&lot->photo, m);
    mem_free(m, lot->variants);
    mem_free(m, lot->hash);
    mem_free(m, lot->failed);
    mem_free(m, lot->key);
    mem_free(m, lot->order);
    mem_free(m, lot->items);
    mem_free(m, lot->results);
    memset(lot, 0, sizeof *lot);
}

const image *variant_lot_pixels(const variant_lot *lot, const photo_run *run, size_t slot)
{
    bool made = lot->variants[slot].picture.rgb != NULL;
    return made || slot != run->plan->neutral_slot ? &lot->variants[slot].picture : &lot->photo;
}

/* ---- what variants are made from ---------------------------------------------------- */

/* A base as operators see it, once for each set of thresholds that some axis has. */
struct easels {
    variant_lot *lot;
    const photo_run *run;
    size_t base;
    image user;
    photo_silhouette person;
    perturb_base made[MASK_LOOSE + 1];
    bool ready[MASK_LOOSE + 1];
};

static bool any_axis(const struct easels *e, perturb_needs needs)
{
    const photo_plan *plan = e->run->plan;
    for (size_t x = 0; x < plan->axis_count; x++) {
        const perturb_operator *op = plan->axes[x].op;
        if (op && op->needs == needs && !plan_axis_reason(plan, e->base, x)) return true;
    }
    return false;
}

static tare_status easels_open(struct easels *e, tare_error *err)
{
    tare_status status = TARE_OK;
    const plan_base *base = &e->run->plan->bases[e->base];
    if (any_axis(e, PERTURB_NEEDS_SKIN))
        TRY(photo_mask_load_again(&e->user, e->run, base, &e->lot->photo, err));
    if (any_axis(e, PERTURB_NEEDS_TORSO))
        TRY(photo_silhouette_load(&e->person, e->run, base, &e->lot->photo, err));
done:
    return status;
}

static void easels_close(struct easels *e)
{
    const mem *m = &e->run->context->mem;
    for (int set = 0; set <= MASK_LOOSE; set++)
        if (e->ready[set]) perturb_base_free(&e->made[set]);
    image_free(&e->user, m);
    photo_silhouette_free(&e->person, m);
}

static tare_status easel_of(perturb_base **out, struct easels *e, mask_set set, tare_error *err)
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
    TRY(perturb_base_make(*out, &e->run->context->mem, &e->lot->photo, &guides, base->id, &options,
                          err));
    e->ready[set] = true;
    /* The photograph is the same: another share is another mask. */
    if (e->user.rgb && (*out)->skin_share != base->skin_share)
        FAIL(err, TARE_E_DATA, "run.changed", base->mask,
             "the mask of %s changed since the run began: start anew in another folder", base->id);
done:
    return status;
}

/* ---- one variant ---------------------------------------------------------------------- */

/* What the survey could not know: other thresholds leave too little skin, a model failed. */
static bool cannot(variant_failure *out, const struct easels *e, const perturb_base *made,
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
static tare_status make_one(perturb_variant *out, variant_failure *failed, struct easels *e,
                            const plan_axis *axis, const plan_slot *slot, tare_error *err)
{
    tare_status status = TARE_OK;
    perturb_base *made = NULL;
    TRY(easel_of(&made, e, axis->set, err));
    if (cannot(failed, e, made, axis)) goto done;
    TRY(perturb_variant_make(out, made, slot->op, slot->dose, err));
    if (slot->op->needs == PERTURB_NEEDS_TORSO)
        TRY(photo_silhouette_measure(&out->measures, e->run, made, slot, &out->picture, err));
done:
    return status;
}

/* A file that the user made: decoded as the photograph is, and of its size. */
static tare_status load_one(perturb_variant *out, variant_failure *failed, const struct easels *e,
                            const char *file, tare_error *err)
{
    tare_status status = TARE_OK;
    const photo_source source = {file, e->run->plan->decoding, NULL};
    const image *photo = &e->lot->photo;
    image *picture = &out->picture;
    char why[PHOTO_WHY_MAX] = "";
    TRY(photo_load_file(picture, &failed->reason, why, e->run, &source, err));
    if (picture->rgb && (picture->width != photo->width || picture->height != photo->height)) {
        failed->reason = TARE_R_UNSUPPORTED_PIXELS;
        snprintf(why, sizeof why, "this variant has %d x %d pixels, the neutral one %d x %d",
                 picture->width, picture->height, photo->width, photo->height);
        image_free(picture, &e->run->context->mem);
    }
    if (failed->reason) {
        snprintf(failed->why, sizeof failed->why, "%.150s", why);
        goto done;
    }
    out->measures.edit_image = measure_difference(photo, picture, NULL);
    out->measures.edit_support = out->measures.edit_image;
done:
    return status;
}

static tare_status make_slot(struct easels *e, size_t place, tare_error *err)
{
    tare_status status = TARE_OK;
    variant_lot *lot = e->lot;
    const photo_run *run = e->run;
    const photo_plan *plan = run->plan;
    const plan_base *base = &plan->bases[e->base];
    size_t k = lot->order[place], axis = photo_item_axis(run, e->base, k);
    perturb_variant *v = &lot->variants[k];
    plan_slot slot = plan->slots[k];
    measures_clear(&v->measures);
    if (k == plan->neutral_slot) lot->neutral = place;
    if (axis != SIZE_MAX && plan->axes[axis].op) {
        const plan_axis *x = &plan->axes[axis];
        if (k == plan->neutral_slot)
            slot = (plan_slot){x->op, x->doses[x->neutral], false, axis};
        TRY(make_one(v, &lot->failed[k], e, x, &slot, err));
    } else if (base->variant_file && k != plan->neutral_slot) {
        TRY(load_one(v, &lot->failed[k], e, base->variant_file[k], err));
    } else if (base->variant_file) {
        v->measures.edit_image = v->measures.edit_support = 0; /* the photograph itself */
    }
    if (lot->failed[k].reason) goto done;
    const image *pixels = variant_lot_pixels(lot, run, k);
    photo_hash(lot->hash[k], pixels);
    lot->items[place] = photo_item(run, e->base, k, pixels, &v->measures, lot->key[k]);
done:
    return status;
}

/* Its bytes are compared with the photograph's, its numbers kept; nobody is shown it. */
static tare_status make_neutral(struct easels *e, size_t axis, tare_error *err)
{
    tare_status status = TARE_OK;
    const photo_plan *plan = e->run->plan;
    const plan_axis *x = &plan->axes[axis];
    size_t row = plan->slot_count + axis;
    perturb_variant *v = &e->lot->variants[row];
    variant_failure failed = {TARE_R_NONE, ""};
    if (!x->op || plan_axis_reason(plan, e->base, axis) ||
        plan_row(plan, e->base, axis, x->neutral) != row)
        return TARE_OK;
    const plan_slot slot = {x->op, x->doses[x->neutral], false, axis};
    measures_clear(&v->measures);
    TRY(make_one(v, &failed, e, x, &slot, err));
    if (!failed.reason) photo_hash(e->lot->hash[row], &v->picture);
    image_free(&v->picture, &e->run->context->mem);
done:
    return status;
}

tare_status variant_lot_make(variant_lot *lot, const photo_run *run, size_t base, tare_error *err)
{
    tare_status status = TARE_OK;
    struct easels e = {.lot = lot, .run = run, .base = base};
    TRY(easels_open(&e, err));
    for (size_t place = 0; place < lot->asked; place++) TRY(make_slot(&e, place, err));
    for (size_t x = 0; x < run->plan->axis_count; x++) TRY(make_neutral(&e, x, err));
done:
    easels_close(&e);
    return status;
}
