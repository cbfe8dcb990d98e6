#include "audit/photos/photo_scores.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

static tare_status keep_note(photo_scores *x, size_t at, const char *note, tare_error *err)
{
    tare_status status = TARE_OK;
    /* The same words often come again, one after the other. */
    const char *words = x->said_count ? x->said[x->said_count - 1].words : NULL;
    if (!words || strcmp(words, note) != 0) TRY_NEW(words = arena_copy(x->a, note));
    if (x->said_count == x->said_room) {
        size_t room = 2 * x->said_room + 64;
        photo_note *more;
        TRY_NEW(more = arena_raw(x->a, room, sizeof *more));
        if (x->said_count) memcpy(more, x->said, x->said_count * sizeof *more);
        x->said = more;
        x->said_room = room;
    }
    x->said[x->said_count++] = (photo_note){at, words};
done:
    return status;
}

static int compare_notes(const void *x, const void *y)
{
    size_t a = ((const photo_note *)x)->at, b = ((const photo_note *)y)->at;
    return (a > b) - (a < b);
}

const char *photo_score_said(const photo_scores *x, size_t at)
{
    const photo_note key = {at, NULL}, *found = NULL;
    if (x->said_count)
        found = bsearch(&key, x->said, x->said_count, sizeof key, compare_notes);
    return found ? found->words : NULL;
}

static tare_status read_score(void *arg, const store_score *row, tare_error *err)
{
    tare_status status = TARE_OK;
    photo_scores *x = arg;
    const photo_run *run = x->run;
    size_t s = (size_t)row->scorer, b = (size_t)row->base, k = (size_t)row->slot;
    if (s >= run->scorer_count || b >= run->plan->base_count || k >= run->plan->slot_count ||
        row->pass < 0 || row->pass >= PASS_COUNT)
        return error_set(err, TARE_E_DATA, "run.plan", NULL,
                         "the run folder holds a score that is not in its plan");
    if (row->status < 0 || row->status >= TARE_REASON_COUNT ||
        (row->status == TARE_R_NONE) != (isfinite(row->value) != 0))
        return error_set(err, TARE_E_DATA, "run.score", run->plan->bases[b].id,
                         "the run folder holds a score that is neither a number nor a reason");
    if (plan_slot_reason(run->plan, b, k)) return TARE_OK; /* of before it was left out */
    if (row->status && !*x->note[s] && *row->note) {
        x->note[s] = arena_copy(x->a, row->note);
        if (!x->note[s]) return error_memory(err);
    }
    if (row->status && *row->note && row->pass == PASS_FIRST)
        snprintf(x->last_note[s], sizeof *x->last_note, "%s", row->note);
    if (k == run->plan->neutral_slot) {
        size_t image = (s * run->plan->base_count + b) * PASS_COUNT + (size_t)row->pass;
        x->noise[image] = row->value;
        x->noise_status[image] = (uint8_t)row->status;
    }
    if (row->pass != PASS_FIRST) return TARE_OK;
    size_t at = photo_score_at(run, s, b, k);
    x->value[at] = row->value;
    x->status[at] = (uint8_t)row->status;
    if (row->status && *row->note) TRY(keep_note(x, at, row->note, err));
    x->scored += row->status == TARE_R_NONE;
done:
    return status;
}

tare_status photo_scores_read(photo_scores *out, const photo_run *run, arena *a, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t bases = run->plan->base_count, n = run->scorer_count * bases;
    *out = (photo_scores){.run = run, .a = a};
    TRY_NEW(out->value = arena_new(a, n * run->plan->slot_count, sizeof *out->value));
    TRY_NEW(out->status = arena_new(a, n * run->plan->slot_count, sizeof *out->status));
    TRY_NEW(out->noise = arena_new(a, n * PASS_COUNT, sizeof *out->noise));
    TRY_NEW(out->noise_status = arena_new(a, n * PASS_COUNT, sizeof *out->noise_status));
    TRY_NEW(out->note = arena_new(a, run->scorer_count, sizeof *out->note));
    TRY_NEW(out->last_note = arena_new(a, run->scorer_count, sizeof *out->last_note));
    for (size_t s = 0; s < run->scorer_count; s++) out->note[s] = "";
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < run->plan->slot_count; k++) {
            tare_reason bar = plan_slot_reason(run->plan, i % bases, k);
            out->value[i * run->plan->slot_count + k] = NAN;
            out->status[i * run->plan->slot_count + k] = (uint8_t)(bar ? bar : TARE_R_MISSING);
        }
    for (size_t i = 0; i < n * PASS_COUNT; i++) {
        out->noise[i] = NAN;
        out->noise_status[i] = TARE_R_MISSING;
    }
    TRY(store_each_score(run->store, read_score, out, err));
    if (out->said_count) qsort(out->said, out->said_count, sizeof *out->said, compare_notes);
done:
    return status;
}
