#include "audit/photos/photo_missing.h"

#include <string.h>

#include "base/error.h"
#include "base/hash.h"

/* Bases of the same arm and group: what the count is out of. */
static size_t count_of(const photo_plan *plan, const plan_base *like)
{
    size_t n = 0;
    for (size_t j = 0; j < plan->base_count; j++)
        n += !strcmp(plan->bases[j].arm, like->arm) && !strcmp(plan->bases[j].group, like->group);
    return n;
}

/* Rows of one kind of exclusion, by arm, reason and group, in order of appearance. */
struct missing_rows {
    result_missing *row;
    size_t count;
    map *seen;
    const photo_plan *plan;
    arena *a;
};

static tare_status add_missing(struct missing_rows *x, const plan_base *b, const char *arm,
                               tare_reason reason, const char *why, tare_error *err)
{
    tare_status status = TARE_OK;
    bool is_new;
    const char *key = arena_printf(x->a, "%s\n%d\n%s", arm, (int)reason, b->group);
    size_t k = key ? map_add(x->seen, key, strlen(key), &is_new) : SIZE_MAX;
    if (k == SIZE_MAX) FAIL_MEMORY(err);
    if (is_new) {
        x->row[k] = (result_missing){"base", arm, "", b->group, reason, 0, count_of(x->plan, b),
                                     ""};
        TRY_NEW(x->row[k].example = arena_printf(x->a, "%s%s%s", b->id, *why ? ": " : "", why));
        x->count++;
    }
    x->row[k].count++;
done:
    return status;
}

/* Bases that lack what one axis needs: they are in the others. */
static tare_status add_barred(struct missing_rows *x, size_t axis, tare_error *err)
{
    tare_status status = TARE_OK;
    const photo_plan *plan = x->plan;
    const plan_axis *series = &plan->axes[axis];
    for (size_t i = 0; i < plan->base_count; i++) {
        const plan_base *b = &plan->bases[i];
        tare_reason reason = plan_axis_reason(plan, i, axis);
        const char *arm = NULL;
        if (b->reason || !reason || (series->only && strcmp(series->only, b->arm))) continue;
        TRY(photo_arm_name(&arm, x->a, b->arm, series->name, err));
        TRY(add_missing(x, b, arm, reason, plan_axis_why(plan, i, axis), err));
    }
done:
    return status;
}

tare_status photo_missing_bases(result_missing **out, size_t *count, const photo_plan *plan,
                                arena *a, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t room = 0;
    for (size_t i = 0; i < plan->base_count; i++) {
        const plan_base *b = &plan->bases[i];
        room += b->reason != TARE_R_NONE;
        for (size_t x = 0; x < plan->axis_count && !b->reason; x++)
            room += plan_axis_reason(plan, i, x) != TARE_R_NONE;
    }
    struct missing_rows x = {.plan = plan, .a = a, .seen = map_new(a->m)};
    if (!x.seen) FAIL_MEMORY(err);
    TRY_NEW(x.row = arena_new(a, room, sizeof *x.row));
    for (size_t i = 0; i < plan->base_count; i++) {
        const plan_base *b = &plan->bases[i];
        if (b->reason) TRY(add_missing(&x, b, b->arm, b->reason, b->why, err));
    }
    for (size_t k = 0; k < plan->axis_count; k++) TRY(add_barred(&x, k, err));
    *out = x.row;
    *count = x.count;
done:
    map_free(x.seen);
    return status;
}

tare_status photo_missing(photo_session *s, audit_result *result, tare_error *err)
{
    result_missing *rows = NULL;
    size_t n = 0;
    tare_status status = photo_missing_bases(&rows, &n, &s->plan, &result->a, err);
    for (size_t i = 0; status == TARE_OK && i < n; i++) {
        result_missing *x = result_add_missing(result);
        if (!x) return error_memory(err);
        *x = rows[i];
    }
    return status;
}

/* NULL: nothing was said. */
static const char *words_of(const photo_session *s, const result_missing *row)
{
    for (size_t k = 0; k < s->run.scorer_count; k++)
        for (size_t b = 0; b < s->plan.base_count; b++) {
            if (strcmp(s->run.instrument[k].name, row->instrument) != 0 ||
                strcmp(s->plan.bases[b].id, row->example) != 0)
                continue;
            for (size_t slot = 0; slot < s->plan.slot_count; slot++) {
                size_t at = photo_score_at(&s->run, k, b, slot);
                const char *words = s->scores.status[at] == row->reason
                                        ? photo_score_said(&s->scores, at) : NULL;
                if (words) return words;
            }
        }
    return NULL;
}

tare_status photo_missing_words(const photo_session *s, audit_result *result, tare_error *err)
{
    tare_status status = TARE_OK;
    for (size_t i = 0; i < result->missing_count; i++) {
        result_missing *row = &result->missing[i];
        const char *words = *row->instrument ? words_of(s, row) : NULL;
        if (!words) continue;
        TRY_NEW(row->example = arena_printf(&result->a, "%s: %s", row->example, words));
    }
done:
    return status;
}

tare_status photo_failures(photo_session *s, audit_result *result, tare_error *err)
{
    tare_status status = TARE_OK;
    const photo_scores *x = &s->scores;
    for (size_t k = 0; k < s->run.scorer_count; k++) {
        size_t count[TARE_REASON_COUNT] = {0}, first[TARE_REASON_COUNT];
        const char *why[TARE_REASON_COUNT] = {NULL};
        for (size_t b = 0; b < s->plan.base_count; b++)
            for (size_t slot = 0; !s->plan.bases[b].reason && slot < s->plan.slot_count; slot++) {
                if (plan_slot_reason(&s->plan, b, slot)) continue; /* nobody was asked */
                size_t at = photo_score_at(&s->run, k, b, slot);
                int reason = x->status[at];
                if (reason && count[reason]++ == 0) first[reason] = b;
                const char *words = reason && !why[reason] ? photo_score_said(x, at) : NULL;
                if (words) {
                    why[reason] = words;
                    first[reason] = b;
                }
            }
        for (int reason = 1; reason < TARE_REASON_COUNT; reason++)
            if (why[reason])
                TRY(result_caution(result, err, "%s: %s, %zu score%s; the first, of %s: %s.",
                                   s->run.instrument[k].name,
                                   tare_reason_name((tare_reason)reason), count[reason],
                                   count[reason] == 1 ? "" : "s",
                                   s->plan.bases[first[reason]].shown, why[reason]));
    }
done:
    return status;
}
