#include "audit/photos/variant_lot.h"

#include <string.h>

#include "audit/photos/measures_json.h"
#include "audit/photos/photo_easel.h"
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

/* ---- one variant ---------------------------------------------------------------------- */

static tare_status make_slot(variant_lot *lot, photo_easel *e, size_t place, tare_error *err)
{
    tare_status status = TARE_OK;
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
        TRY(photo_easel_variant(v, &lot->failed[k], e, x, &slot, err));
    } else if (base->variant_file && k != plan->neutral_slot) {
        TRY(photo_easel_file(v, &lot->failed[k], e, k, err));
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
static tare_status make_neutral(variant_lot *lot, photo_easel *e, size_t axis, tare_error *err)
{
    tare_status status = TARE_OK;
    const photo_plan *plan = e->run->plan;
    const plan_axis *x = &plan->axes[axis];
    size_t row = plan->slot_count + axis;
    perturb_variant *v = &lot->variants[row];
    variant_failure failed = {TARE_R_NONE, ""};
    if (!x->op || plan_axis_reason(plan, e->base, axis) ||
        plan_row(plan, e->base, axis, x->neutral) != row)
        return TARE_OK;
    const plan_slot slot = {x->op, x->doses[x->neutral], false, axis};
    measures_clear(&v->measures);
    TRY(photo_easel_variant(v, &failed, e, x, &slot, err));
    if (!failed.reason) photo_hash(lot->hash[row], &v->picture);
    image_free(&v->picture, &e->run->context->mem);
done:
    return status;
}

tare_status variant_lot_make(variant_lot *lot, const photo_run *run, size_t base, tare_error *err)
{
    tare_status status = TARE_OK;
    photo_easel e = {.run = run, .base = base, .photo = &lot->photo};
    TRY(photo_easel_open(&e, err));
    for (size_t place = 0; place < lot->asked; place++) TRY(make_slot(lot, &e, place, err));
    for (size_t x = 0; x < run->plan->axis_count; x++) TRY(make_neutral(lot, &e, x, err));
done:
    photo_easel_close(&e);
    return status;
}
