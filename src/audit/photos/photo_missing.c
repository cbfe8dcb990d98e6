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

tare_status photo_missing_bases(result_missing **out, size_t *count, const photo_plan *plan,
                                arena *a, tare_error *err)
{
    tare_status status = TARE_OK;
    map *seen = map_new(a->m);
    if (!seen) FAIL_MEMORY(err);
    TRY_NEW(*out = arena_new(a, plan->base_count, sizeof **out));
    for (size_t i = 0; i < plan->base_count; i++) {
        const plan_base *b = &plan->bases[i];
        bool is_new;
        if (!b->reason) continue;
        const char *key = arena_printf(a, "%s\n%d\n%s", b->arm, (int)b->reason, b->group);
        size_t k = key ? map_add(seen, key, strlen(key), &is_new) : SIZE_MAX;
        if (k == SIZE_MAX) FAIL_MEMORY(err);
        if (is_new) {
            (*out)[k] = (result_missing){"base", b->arm, "", b->group, b->reason, 0,
                                         count_of(plan, b), ""};
            TRY_NEW((*out)[k].example = arena_printf(a, "%s: %s", b->id, b->why));
        }
        (*out)[k].count++;
    }
    *count = map_count(seen);
done:
    map_free(seen);
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
                if (s->scores.status[at] == row->reason && s->scores.why[at])
                    return s->scores.why[at];
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
                size_t at = photo_score_at(&s->run, k, b, slot);
                int reason = x->status[at];
                if (reason && count[reason]++ == 0) first[reason] = b;
                if (reason && !why[reason] && x->why[at]) {
                    why[reason] = x->why[at];
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
