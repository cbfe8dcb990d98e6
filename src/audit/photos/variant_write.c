/* What was made of a base, into the run folder. */
#include <string.h>

#include "audit/photos/measures_json.h"
#include "audit/photos/variant_lot.h"
#include "base/error.h"
#include "image/encode.h"

static tare_status keep_picture(photo_run *run, const variant_lot *lot, size_t slot,
                                tare_error *err)
{
    tare_status status = TARE_OK;
    const mem *m = &run->context->mem;
    unsigned char *png = NULL;
    size_t length = 0;
    char blob[65];
    TRY(image_png_encode(&png, &length, m, variant_lot_pixels(lot, run, slot), PNG_FAST, err));
    TRY(store_put_blob(run->store, blob, png, length, ".png", err));
    TRY(photo_remember_file(run, lot->hash[slot], blob, err));
done:
    mem_free(m, png);
    return status;
}

/* The operator and dose of a row, as the store names them. */
static store_variant describe(const photo_run *run, size_t base, size_t row)
{
    const photo_plan *plan = run->plan;
    bool slot = row < plan->slot_count;
    size_t axis = slot ? photo_item_axis(run, base, row) : row - plan->slot_count;
    const plan_axis *x = axis == SIZE_MAX ? NULL : &plan->axes[axis];
    bool neutral = !slot || row == plan->neutral_slot;
    return (store_variant){.base = (int64_t)base,
                           .slot = (int64_t)row,
                           .operator_name = !x ? "" : x->op ? x->op->name : x->name,
                           .dose = x && neutral ? x->doses[x->neutral] : plan->slots[row].dose};
}

tare_status variant_lot_write(photo_run *run, variant_lot *lot, size_t base, tare_error *err)
{
    tare_status status = TARE_OK;
    const photo_plan *plan = run->plan;
    const char *pixels = plan->bases[base].pixels_hash;
    text json;
    text_init(&json, &run->context->mem);
    for (size_t k = 0; k < plan_rows(plan); k++) {
        if (!*lot->hash[k]) continue;
        const perturb_measures *x = &lot->variants[k].measures;
        measured_state state = strcmp(lot->hash[k], pixels) ? MEASURED_OTHER : MEASURED_EQUAL;
        TRY(photo_measures_put(&run->measures, base * plan_rows(plan) + k, x, state, err));
        text_clear(&json);
        measures_write(&json, x);
        if (json.failed) FAIL_MEMORY(err);
        store_variant row = describe(run, base, k);
        row.pixels_hash = lot->hash[k];
        row.measures = json.data;
        TRY(store_put_variant(run->store, &row, err));
        if (plan->keep_variants && k < plan->slot_count) TRY(keep_picture(run, lot, k, err));
    }
    run->measured[base] = true;
done:
    text_free(&json);
    return status;
}
