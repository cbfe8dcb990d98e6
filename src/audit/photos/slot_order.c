#include "audit/photos/slot_order.h"

#include <string.h>

#include "base/error.h"
#include "base/rng.h"

#define ORDER_KEY "slot.order"
#define ORDER_DRAWN "drawn"
#define ORDER_SLOTS "slots"

static bool has_begun(const photo_run *run)
{
    for (size_t s = 0; s < run->scorer_count; s++) {
        size_t n = photo_mark_count(run, s, PASS_FIRST);
        if (n && memchr(photo_marked(run, s, PASS_FIRST), 1, n)) return true;
    }
    return false;
}

tare_status slot_order_settle(bool *drawn, photo_run *run, tare_error *err)
{
    tare_status status = TARE_OK;
    const char *kept = NULL;
    TRY(store_get(&kept, run->store, run->a, ORDER_KEY, err));
    if (!kept) {
        kept = has_begun(run) ? ORDER_SLOTS : ORDER_DRAWN;
        TRY(store_set(run->store, ORDER_KEY, kept, err));
    }
    *drawn = !strcmp(kept, ORDER_DRAWN);
    if (!*drawn && strcmp(kept, ORDER_SLOTS))
        FAIL(err, TARE_E_DATA, "run.order", kept,
             "the run folder asks its instruments in an order that this version does not know: "
             "start anew in another folder");
done:
    return status;
}

/* Those that are asked first, in the order in which they stand. */
static size_t asked_first(size_t *order, const photo_plan *plan, size_t base)
{
    size_t asked = 0;
    for (size_t k = 0; k < plan->slot_count; k++) {
        size_t slot = order[k];
        if (plan_slot_reason(plan, base, slot)) continue;
        memmove(order + asked + 1, order + asked, (k - asked) * sizeof *order);
        order[asked++] = slot;
    }
    return asked;
}

size_t slot_order_draw(size_t *order, const photo_plan *plan, size_t base, bool drawn)
{
    for (size_t k = 0; k < plan->slot_count; k++) order[k] = k;
    const char *id = plan->bases[base].id;
    rng_stream s;
    rng_start(&s, rng_key_of(plan->perturb.seed, "slot order"), 0, rng_h64(id, strlen(id)));
    for (size_t k = drawn ? plan->slot_count : 0; k > 1; k--) {
        size_t j = rng_bounded(&s, (uint32_t)k), last = order[k - 1];
        order[k - 1] = order[j];
        order[j] = last;
    }
    return asked_first(order, plan, base);
}
