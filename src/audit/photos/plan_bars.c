/* What is asked of which base, and why not. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "audit/photos/photo_plan.h"
#include "base/error.h"

tare_reason plan_axis_reason(const photo_plan *plan, size_t base, size_t axis)
{
    const plan_base *b = &plan->bases[base];
    const plan_axis *x = &plan->axes[axis];
    if (b->reason) return b->reason;
    if (x->only && strcmp(x->only, b->arm)) return TARE_R_EXCLUDED;
    if (x->role == PLAN_STRESS && b->mask) return TARE_R_EXCLUDED;
    if (!x->op) return TARE_R_NONE;
    switch (x->op->needs) {
    case PERTURB_NEEDS_SKIN: return b->skin_reason;
    case PERTURB_NEEDS_TORSO: return b->torso_reason;
    case PERTURB_NEEDS_NOTHING: break;
    }
    return TARE_R_NONE;
}

const char *plan_axis_why(const photo_plan *plan, size_t base, size_t axis)
{
    const plan_base *b = &plan->bases[base];
    const plan_axis *x = &plan->axes[axis];
    if (b->reason) return b->why;
    if (x->only && strcmp(x->only, b->arm)) return "";
    if (x->role == PLAN_STRESS && b->mask)
        return "its mask is its own: other thresholds change nothing";
    if (x->op && x->op->needs == PERTURB_NEEDS_SKIN && b->skin_reason) return b->skin_why;
    if (x->op && x->op->needs == PERTURB_NEEDS_TORSO && b->torso_reason) return b->torso_why;
    return "";
}

static bool same_variants(const plan_axis *x, const plan_axis *y)
{
    return x->op == y->op && x->set == y->set;
}

static bool has_slot(const plan_axis *x, size_t slot)
{
    for (size_t d = 0; d < x->n_doses; d++)
        if (x->slot[d] == slot) return true;
    return false;
}

tare_reason plan_slot_reason(const photo_plan *plan, size_t base, size_t slot)
{
    const plan_base *b = &plan->bases[base];
    if (b->reason || !plan->axis_count || slot == plan->neutral_slot) return b->reason;
    if (!plan->slots[slot].op)
        return b->variant_file && b->variant_file[slot] ? TARE_R_NONE : TARE_R_MISSING;
    tare_reason first = TARE_R_NONE;
    for (size_t x = plan->slots[slot].axis, seen = 0; seen < plan->axis_count;
         x = (x + 1) % plan->axis_count, seen++) {
        if (!has_slot(&plan->axes[x], slot)) continue;
        tare_reason reason = plan_axis_reason(plan, base, x);
        if (!reason) return TARE_R_NONE;
        if (!first) first = reason;
    }
    return first;
}

size_t plan_first_axis(const photo_plan *plan, size_t base)
{
    for (size_t x = 0; x < plan->axis_count; x++)
        if (!plan_axis_reason(plan, base, x)) return x;
    return SIZE_MAX;
}

bool plan_needs(const photo_plan *plan, perturb_needs needs)
{
    for (size_t x = 0; x < plan->axis_count; x++)
        if (plan->axes[x].op && plan->axes[x].op->needs == needs) return true;
    return false;
}

void plan_settle_base(photo_plan *plan, size_t base)
{
    plan_base *b = &plan->bases[base];
    if (b->reason || !plan->axis_count || plan_first_axis(plan, base) != SIZE_MAX) return;
    size_t x = 0; /* the first that is for its arm, if there is one */
    while (x + 1 < plan->axis_count && plan_axis_reason(plan, base, x) == TARE_R_EXCLUDED) x++;
    tare_reason reason = plan_axis_reason(plan, base, x);
    /* Of the whole base now, and not of some axes. */
    b->why = reason == TARE_R_EXCLUDED ? "no axis is for its arm" : plan_axis_why(plan, base, x);
    b->reason = reason;
    b->skin_reason = b->torso_reason = TARE_R_NONE;
    b->skin_why = b->torso_why = "";
}

size_t plan_row(const photo_plan *plan, size_t base, size_t axis, size_t dose)
{
    const plan_axis *x = &plan->axes[axis];
    size_t first = plan_first_axis(plan, base);
    if (dose != x->neutral) return x->slot[dose];
    if (first == SIZE_MAX || same_variants(x, &plan->axes[first])) return plan->neutral_slot;
    for (size_t y = 0; y < plan->axis_count; y++)
        if (same_variants(x, &plan->axes[y]) && !plan_axis_reason(plan, base, y))
            return plan->slot_count + y;
    return plan->slot_count + axis;
}

/* ---- in the run folder ------------------------------------------------------------ */

static tare_status keep_one(store *s, const char *kind, size_t base, tare_reason reason,
                            const char *why, tare_error *err)
{
    char key[48], value[1024];
    const char *kept = "";
    snprintf(key, sizeof key, "bars.%s.%zu", kind, base);
    if (reason) {
        snprintf(value, sizeof value, "%d %s", (int)reason, why);
        kept = value;
    }
    return store_set(s, key, kept, err);
}

tare_status plan_bars_keep(const plan_base *b, size_t base, store *s, tare_error *err)
{
    tare_status status = TARE_OK;
    TRY(keep_one(s, "skin", base, b->skin_reason, b->skin_why, err));
    TRY(keep_one(s, "torso", base, b->torso_reason, b->torso_why, err));
done:
    return status;
}

static tare_status recall_one(tare_reason *reason, const char **why, store *s, arena *a,
                              const char *key, tare_error *err)
{
    tare_status status = TARE_OK;
    const char *kept = NULL;
    char *end = NULL;
    *reason = TARE_R_NONE;
    *why = "";
    TRY(store_get(&kept, s, a, key, err));
    if (!kept || !*kept) goto done;
    long number = strtol(kept, &end, 10);
    if (number <= 0 || number >= TARE_REASON_COUNT || *end != ' ')
        FAIL(err, TARE_E_DATA, "run.plan", key,
             "the run folder gives no known reason why a photograph is not in an axis");
    *reason = (tare_reason)number;
    *why = end + 1;
done:
    return status;
}

tare_status plan_bars_recall(plan_base *b, size_t base, store *s, arena *a, tare_error *err)
{
    tare_status status = TARE_OK;
    char key[48];
    snprintf(key, sizeof key, "bars.skin.%zu", base);
    TRY(recall_one(&b->skin_reason, &b->skin_why, s, a, key, err));
    snprintf(key, sizeof key, "bars.torso.%zu", base);
    TRY(recall_one(&b->torso_reason, &b->torso_why, s, a, key, err));
done:
    return status;
}
