/* The second walk: all variants of one base at a time, scored by every instrument, and once more
 * around the neutral one. Workers make variants and ask the instruments that may be asked in
 * parallel; the others are asked in plan order by the thread that writes. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "audit/photos/photo_mask.h"
#include "audit/photos/slot_order.h"
#include "audit/photos/variant_lot.h"
#include "audit/photos/variant_seen.h"
#include "base/error.h"

struct score_walk {
    photo_run *run;
    const size_t *todo;
    bool drawn;       /* slot_order.h */
    variant_lot *lots; /* [window] */
    progress progress;
};

static scorer_result *lot_first(const photo_run *run, variant_lot *lot, size_t scorer)
{
    return lot->results + scorer * run->plan->slot_count;
}

static scorer_result *lot_again(const photo_run *run, variant_lot *lot, size_t scorer)
{
    return lot->results + run->scorer_count * run->plan->slot_count + scorer;
}

static bool again_needed(const photo_run *run, size_t scorer, size_t base)
{
    return run->with_noise && !run->plan->bases[base].reason &&
           photo_pass_made(PASS_AGAIN, &run->instrument[scorer]) &&
           !photo_marked(run, scorer, PASS_AGAIN)[base];
}

/* Does the base have anything left to do? */
static bool base_open(const photo_run *run, size_t base)
{
    if (run->plan->bases[base].reason) return false;
    if (!run->measured[base]) return true;
    for (size_t s = 0; s < run->scorer_count; s++) {
        size_t n = photo_batch_count(run, s);
        const unsigned char *marked = photo_marked(run, s, PASS_FIRST) + base * n;
        for (size_t k = 0; k < n; k++)
            if (!marked[k]) return true;
        if (again_needed(run, s, base)) return true;
    }
    return false;
}

static void lot_drop(void *arg, size_t item, size_t slot)
{
    (void)item;
    struct score_walk *w = arg;
    variant_lot_free(&w->lots[slot], w->run);
}

/* Batch k of a base: the place where it begins and how many. */
static size_t batch_begin(const photo_run *run, const variant_lot *lot, size_t scorer,
                          size_t k, size_t *count)
{
    size_t batch = run->instrument[scorer].batch, begin = k * batch;
    size_t left = begin < lot->asked ? lot->asked - begin : 0;
    *count = left < batch ? left : batch;
    return begin;
}

/* `count` places from `begin` on: those that could not be made are not asked, and say why. */
struct question {
    size_t scorer, begin, count;
    bool fresh;
};

static tare_status ask(photo_run *run, variant_lot *lot, const struct question *q,
                       scorer_result *out, tare_error *err)
{
    tare_status status = TARE_OK;
    const mem *m = &run->context->mem;
    size_t n = 0, begin = q->begin, count = q->count;
    scorer_item *items = mem_new(m, count, sizeof *items);
    scorer_result *results = mem_new(m, count, sizeof *results);
    if (!items || !results) FAIL_MEMORY(err);
    for (size_t j = begin; j < begin + count; j++) {
        if (lot->failed[lot->order[j]].reason) continue;
        items[n] = lot->items[j];
        items[n++].fresh = q->fresh;
    }
    if (n) TRY(scorer_score(run->scorers[q->scorer], results, items, n, err));
    n = 0;
    for (size_t j = begin; j < begin + count; j++, out++) {
        const variant_failure *f = &lot->failed[lot->order[j]];
        *out = f->reason ? (scorer_result){NAN, f->reason, ""} : results[n++];
        if (f->reason) snprintf(out->note, sizeof out->note, "%s", f->why);
    }
done:
    mem_free(m, items);
    mem_free(m, results);
    return status;
}

static tare_status score_batch(photo_run *run, variant_lot *lot, size_t scorer, size_t k,
                               tare_error *err)
{
    size_t count, begin = batch_begin(run, lot, scorer, k, &count);
    if (!count) return TARE_OK;
    return ask(run, lot, &(struct question){scorer, begin, count, false},
               lot_first(run, lot, scorer) + begin, err);
}

/* The batch that holds the neutral slot, asked a second time. */
static tare_status score_again(photo_run *run, variant_lot *lot, size_t scorer, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t neutral = lot->neutral, batch = run->instrument[scorer].batch;
    size_t count, begin = batch_begin(run, lot, scorer, neutral / batch, &count);
    const mem *m = &run->context->mem;
    scorer_result *results = mem_new(m, count, sizeof *results);
    if (!results) FAIL_MEMORY(err);
    TRY(ask(run, lot, &(struct question){scorer, begin, count, true}, results, err));
    *lot_again(run, lot, scorer) = results[neutral - begin];
done:
    mem_free(m, results);
    return status;
}

static tare_status lot_make(void *arg, size_t item, size_t slot, unsigned worker, tare_error *err)
{
    (void)worker;
    tare_status status = TARE_OK;
    struct score_walk *w = arg;
    photo_run *run = w->run;
    variant_lot *lot = &w->lots[slot];
    size_t base = w->todo[item];
    TRY(variant_lot_new(lot, run, err));
    lot->asked = slot_order_draw(lot->order, run->plan, base, w->drawn);
    TRY(photo_load_unchanged(&lot->photo, run, &run->plan->bases[base], err));
    TRY(variant_lot_make(lot, run, base, err));
    for (size_t s = 0; s < run->scorer_count; s++) {
        if (!run->instrument[s].parallel) continue;
        size_t n = photo_batch_count(run, s);
        for (size_t k = 0; k < n; k++)
            if (!photo_marked(run, s, PASS_FIRST)[base * n + k])
                TRY(score_batch(run, lot, s, k, err));
        if (again_needed(run, s, base)) TRY(score_again(run, lot, s, err));
    }
done:
    if (status) lot_drop(arg, item, slot);
    return photo_name_memory(status, &run->plan->bases[base], err);
}

static tare_status write_result(photo_run *run, size_t base, size_t slot, size_t scorer, int pass,
                                const scorer_result *r, tare_error *err)
{
    store_score row = {(int64_t)base, (int64_t)slot, (int64_t)scorer, pass, r->value,
                       (int)r->status, r->note};
    return store_put_score(run->store, &row, err);
}

static tare_status write_batch(photo_run *run, variant_lot *lot, size_t base, size_t scorer,
                               size_t k, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t count, begin = batch_begin(run, lot, scorer, k, &count);
    size_t n = photo_batch_count(run, scorer);
    for (size_t j = begin; j < begin + count; j++)
        TRY(write_result(run, base, lot->order[j], scorer, PASS_FIRST,
                         &lot_first(run, lot, scorer)[j], err));
    TRY(store_mark_batch(run->store, (int64_t)scorer, PASS_FIRST, (int64_t)(base * n + k), err));
    photo_marked(run, scorer, PASS_FIRST)[base * n + k] = 1;
done:
    return status;
}

/* All that one instrument owes one base: asked now if it is not asked in parallel. */
static tare_status finish_scorer(struct score_walk *w, variant_lot *lot, size_t base, size_t scorer,
                                 tare_error *err)
{
    tare_status status = TARE_OK;
    photo_run *run = w->run;
    bool serial = !run->instrument[scorer].parallel;
    size_t n = photo_batch_count(run, scorer);
    for (size_t k = 0; k < n; k++) {
        if (photo_marked(run, scorer, PASS_FIRST)[base * n + k]) continue;
        if (serial) TRY(score_batch(run, lot, scorer, k, err));
        TRY(write_batch(run, lot, base, scorer, k, err));
        TRY(photo_group_leave(run, false, err));
        TRY(photo_group_enter(run, err));
        TRY(context_check(run->context, err));
    }
    if (!again_needed(run, scorer, base)) goto done;
    if (serial) TRY(score_again(run, lot, scorer, err));
    TRY(write_result(run, base, run->plan->neutral_slot, scorer, PASS_AGAIN,
                     lot_again(run, lot, scorer), err));
    TRY(store_mark_batch(run->store, (int64_t)scorer, PASS_AGAIN, (int64_t)base, err));
    photo_marked(run, scorer, PASS_AGAIN)[base] = 1;
done:
    return status;
}

static tare_status lot_take(void *arg, size_t item, size_t slot, tare_error *err)
{
    tare_status status = TARE_OK;
    struct score_walk *w = arg;
    photo_run *run = w->run;
    variant_lot *lot = &w->lots[slot];
    size_t base = w->todo[item];
    TRY(photo_group_enter(run, err));
    TRY(variant_seen_settle(run, lot->hash, base, err));
    if (!run->measured[base]) TRY(variant_lot_write(run, lot, base, err));
    for (size_t s = 0; s < run->scorer_count; s++) TRY(finish_scorer(w, lot, base, s, err));
    TRY(photo_group_leave(run, false, err));
    progress_add(&w->progress, run->plan->slot_count);
    TRY(context_check(run->context, err));
done:
    lot_drop(arg, item, slot);
    return status;
}

tare_status photo_run_score(photo_run *run, tare_error *err)
{
    tare_status status = TARE_OK;
    const mem *m = &run->context->mem;
    /* One lot holds a photograph and all its variants. */
    size_t window = photo_flight_window(run, run->plan->slot_count + 1), n = 0, usable = 0;
    size_t *todo = mem_new(m, run->plan->base_count, sizeof *todo);
    struct score_walk w = {.run = run, .todo = todo};
    if (!todo) FAIL_MEMORY(err);
    TRY_NEW(w.lots = mem_new(m, window, sizeof *w.lots));
    for (size_t i = 0; i < run->plan->base_count; i++) {
        if (base_open(run, i)) todo[n++] = i;
        usable += !run->plan->bases[i].reason;
    }
    TRY(photo_need_instruments(run, n, err));
    if (n) TRY(slot_order_settle(&w.drawn, run, err));
    if (n) TRY(photo_masks_settle(run, err));
    progress_start(&w.progress, run->context, run->scorer_count ? "score" : "perturb", "image",
                   usable * run->plan->slot_count, (usable - n) * run->plan->slot_count);
    pool_flow flow = {n, window, lot_make, lot_take, lot_drop, &w};
    status = photo_run_flow(run, &flow, err);
    progress_end(&w.progress);
done:
    mem_free(m, w.lots);
    mem_free(m, todo);
    return status;
}
