/* The second walk: all variants of one base at a time, scored by every instrument, and once more
 * around the neutral one. Workers make variants and ask the instruments that may be asked in
 * parallel; the others are asked in plan order by the thread that writes. */
#include <string.h>

#include "audit/photos/measures_json.h"
#include "audit/photos/photo_mask.h"
#include "audit/photos/slot_order.h"
#include "base/error.h"
#include "image/encode.h"

/* One base in flight. What is asked, and what comes back, lies in the order of asking. */
struct lot {
    image photo;
    perturb_variant *variants; /* [slots] */
    char (*hash)[65];          /* [slots] */
    char (*key)[PHOTO_KEY_MAX];
    size_t *order;             /* [slots] the slot that is asked k-th */
    size_t neutral;            /* place of the neutral slot in it */
    scorer_item *items;        /* [slots] by place; the numbers come from the variants */
    scorer_result *results;    /* [scorers][slots] first, by place, then [scorers] again */
};

struct score_walk {
    photo_run *run;
    const size_t *todo;
    bool drawn;       /* slot_order.h */
    struct lot *lots; /* [window] */
    progress progress;
};

static scorer_result *lot_first(const photo_run *run, struct lot *lot, size_t scorer)
{
    return lot->results + scorer * run->plan->slot_count;
}

static scorer_result *lot_again(const photo_run *run, struct lot *lot, size_t scorer)
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
    const mem *m = &w->run->context->mem;
    struct lot *lot = &w->lots[slot];
    for (size_t k = 0; lot->variants && k < w->run->plan->slot_count; k++)
        perturb_variant_free(&lot->variants[k], m);
    image_free(&lot->photo, m);
    mem_free(m, lot->variants);
    mem_free(m, lot->hash);
    mem_free(m, lot->key);
    mem_free(m, lot->order);
    mem_free(m, lot->items);
    mem_free(m, lot->results);
    memset(lot, 0, sizeof *lot);
}

static tare_status lot_allocate(struct lot *lot, const photo_run *run, tare_error *err)
{
    tare_status status = TARE_OK;
    const mem *m = &run->context->mem;
    size_t slots = run->plan->slot_count, scorers = run->scorer_count;
    TRY_NEW(lot->variants = mem_new(m, slots, sizeof *lot->variants));
    TRY_NEW(lot->hash = mem_new(m, slots, sizeof *lot->hash));
    TRY_NEW(lot->key = mem_new(m, slots, sizeof *lot->key));
    TRY_NEW(lot->order = mem_new(m, slots, sizeof *lot->order));
    TRY_NEW(lot->items = mem_new(m, slots, sizeof *lot->items));
    TRY_NEW(lot->results = mem_new(m, scorers * (slots + 1), sizeof *lot->results));
done:
    return status;
}

static tare_status make_variants(struct lot *lot, const photo_run *run, size_t index,
                                 tare_error *err)
{
    tare_status status = TARE_OK;
    const photo_plan *plan = run->plan;
    const plan_base *base = &plan->bases[index];
    perturb_base made = {0};
    image user = {0};
    if (plan->slots[0].op) {
        TRY(photo_mask_load_again(&user, run, base, &lot->photo, err));
        const perturb_guides guides = {.mask = user.rgb ? &user : NULL};
        TRY(perturb_base_make(&made, &run->context->mem, &lot->photo, &guides, base->id,
                              &plan->perturb, err));
    }
    /* The photograph is the same: another share is another mask. */
    if (user.rgb && made.skin_share != base->skin_share)
        FAIL(err, TARE_E_DATA, "run.changed", base->mask,
             "the mask of %s changed since the run began: start anew in another folder", base->id);
    for (size_t place = 0; place < plan->slot_count; place++) {
        size_t k = lot->order[place];
        const plan_slot *slot = &plan->slots[k];
        perturb_variant *v = &lot->variants[k];
        if (slot->op) TRY(perturb_variant_make(v, &made, slot->op, slot->dose, err));
        else measures_clear(&v->measures);
        const image *pixels = slot->op ? &v->picture : &lot->photo;
        photo_hash(lot->hash[k], pixels);
        scorer_item *item = &lot->items[place];
        *item = photo_item(run, index, k, pixels, lot->key[k], PHOTO_KEY_MAX);
        if (k == plan->neutral_slot) lot->neutral = place;
        if (!slot->op) continue;
        item->attribute = v->measures.tone.ita;
        item->artifact = v->measures.clip_frac;
    }
done:
    perturb_base_free(&made);
    image_free(&user, &run->context->mem);
    return status;
}

/* Batch k of a base: the place where it begins and how many. */
static size_t batch_begin(const photo_run *run, size_t scorer, size_t k, size_t *count)
{
    size_t batch = run->instrument[scorer].batch, begin = k * batch;
    size_t left = run->plan->slot_count - begin;
    *count = left < batch ? left : batch;
    return begin;
}

static tare_status score_batch(photo_run *run, struct lot *lot, size_t scorer, size_t k,
                               tare_error *err)
{
    size_t count, begin = batch_begin(run, scorer, k, &count);
    return scorer_score(run->scorers[scorer], lot_first(run, lot, scorer) + begin,
                        lot->items + begin, count, err);
}

/* The batch that holds the neutral slot, asked a second time. */
static tare_status score_again(photo_run *run, struct lot *lot, size_t scorer, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t neutral = lot->neutral, batch = run->instrument[scorer].batch;
    size_t count, begin = batch_begin(run, scorer, neutral / batch, &count);
    const mem *m = &run->context->mem;
    scorer_item *items = mem_new(m, count, sizeof *items);
    scorer_result *results = mem_new(m, count, sizeof *results);
    if (!items || !results) FAIL_MEMORY(err);
    for (size_t k = 0; k < count; k++) {
        items[k] = lot->items[begin + k];
        items[k].fresh = true;
    }
    TRY(scorer_score(run->scorers[scorer], results, items, count, err));
    *lot_again(run, lot, scorer) = results[neutral - begin];
done:
    mem_free(m, items);
    mem_free(m, results);
    return status;
}

static tare_status lot_make(void *arg, size_t item, size_t slot, unsigned worker, tare_error *err)
{
    (void)worker;
    tare_status status = TARE_OK;
    struct score_walk *w = arg;
    photo_run *run = w->run;
    struct lot *lot = &w->lots[slot];
    size_t base = w->todo[item];
    TRY(lot_allocate(lot, run, err));
    slot_order_draw(lot->order, run->plan, base, w->drawn);
    TRY(photo_load_unchanged(&lot->photo, run, &run->plan->bases[base], err));
    TRY(make_variants(lot, run, base, err));
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

static tare_status write_variants(photo_run *run, struct lot *lot, size_t base, tare_error *err)
{
    tare_status status = TARE_OK;
    const mem *m = &run->context->mem;
    unsigned char *png = NULL;
    text json;
    text_init(&json, m);
    for (size_t k = 0; k < run->plan->slot_count; k++) {
        const plan_slot *slot = &run->plan->slots[k];
        run->measures[base * run->plan->slot_count + k] = lot->variants[k].measures;
        text_clear(&json);
        measures_write(&json, &lot->variants[k].measures);
        if (json.failed) FAIL_MEMORY(err);
        store_variant row = {(int64_t)base, (int64_t)k, slot->op ? slot->op->name : "",
                             slot->dose, lot->hash[k], json.data};
        TRY(store_put_variant(run->store, &row, err));
        if (!run->plan->keep_variants) continue;
        size_t length = 0;
        char blob[65];
        const image *pixels = slot->op ? &lot->variants[k].picture : &lot->photo;
        TRY(image_png_encode(&png, &length, m, pixels, PNG_FAST, err));
        TRY(store_put_blob(run->store, blob, png, length, ".png", err));
        TRY(photo_remember_file(run, lot->hash[k], blob, err));
        mem_free(m, png);
        png = NULL;
    }
    run->measured[base] = true;
done:
    mem_free(m, png);
    text_free(&json);
    return status;
}

static tare_status write_result(photo_run *run, size_t base, size_t slot, size_t scorer, int pass,
                                const scorer_result *r, tare_error *err)
{
    store_score row = {(int64_t)base, (int64_t)slot, (int64_t)scorer, pass, r->value,
                       (int)r->status, r->note};
    return store_put_score(run->store, &row, err);
}

static tare_status write_batch(photo_run *run, struct lot *lot, size_t base, size_t scorer,
                               size_t k, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t count, begin = batch_begin(run, scorer, k, &count), n = photo_batch_count(run, scorer);
    for (size_t j = begin; j < begin + count; j++)
        TRY(write_result(run, base, lot->order[j], scorer, PASS_FIRST,
                         &lot_first(run, lot, scorer)[j], err));
    TRY(store_mark_batch(run->store, (int64_t)scorer, PASS_FIRST, (int64_t)(base * n + k), err));
    photo_marked(run, scorer, PASS_FIRST)[base * n + k] = 1;
done:
    return status;
}

/* All that one instrument owes one base: asked now if it is not asked in parallel. */
static tare_status finish_scorer(struct score_walk *w, struct lot *lot, size_t base, size_t scorer,
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
    struct lot *lot = &w->lots[slot];
    size_t base = w->todo[item];
    TRY(photo_group_enter(run, err));
    if (!run->measured[base]) TRY(write_variants(run, lot, base, err));
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
