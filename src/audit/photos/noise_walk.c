/* The third walk: the neutral images once more, alone, in a shuffled order, and late, to see what
 * the instrument itself adds (scorer audit 4). A neutral image is the photograph itself. Scores
 * here never come from a cache. */
#include <stdlib.h>
#include <string.h>

#include "audit/photos/photo_run.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/rng.h"

/* One batch in flight: at most `batch` photographs. */
struct noise_lot {
    image *photos;
    scorer_item *items;
    char (*key)[PHOTO_KEY_MAX];
    scorer_result *results;
};

struct noise_walk {
    photo_run *run;
    size_t scorer, batch; /* items in one batch of this pass */
    int pass;
    const size_t *order;  /* [n] bases; batch k holds order[k batch ...] */
    size_t n;
    const size_t *todo;   /* batches still to do */
    struct noise_lot *lots;
    progress *progress;
};

static size_t lot_size(const struct noise_walk *w, size_t k)
{
    size_t begin = k * w->batch, left = w->n - begin;
    return left < w->batch ? left : w->batch;
}

static void noise_drop(void *arg, size_t item, size_t slot)
{
    (void)item;
    struct noise_walk *w = arg;
    const mem *m = &w->run->context->mem;
    struct noise_lot *lot = &w->lots[slot];
    for (size_t j = 0; lot->photos && j < w->batch; j++) image_free(&lot->photos[j], m);
    mem_free(m, lot->photos);
    mem_free(m, lot->items);
    mem_free(m, lot->key);
    mem_free(m, lot->results);
    memset(lot, 0, sizeof *lot);
}

static tare_status noise_make(void *arg, size_t item, size_t slot, unsigned worker,
                              tare_error *err)
{
    (void)worker;
    tare_status status = TARE_OK;
    struct noise_walk *w = arg;
    photo_run *run = w->run;
    const mem *m = &run->context->mem;
    struct noise_lot *lot = &w->lots[slot];
    size_t k = w->todo[item], count = lot_size(w, k), at = w->order[k * w->batch];
    TRY_NEW(lot->photos = mem_new(m, w->batch, sizeof *lot->photos));
    TRY_NEW(lot->items = mem_new(m, w->batch, sizeof *lot->items));
    TRY_NEW(lot->key = mem_new(m, w->batch, sizeof *lot->key));
    TRY_NEW(lot->results = mem_new(m, w->batch, sizeof *lot->results));
    for (size_t j = 0; j < count; j++) {
        at = w->order[k * w->batch + j];
        TRY(photo_load_unchanged(&lot->photos[j], run, &run->plan->bases[at], err));
        perturb_measures x = photo_slot_measures(run, at, run->plan->neutral_slot);
        lot->items[j] = photo_item(run, at, run->plan->neutral_slot, &lot->photos[j], &x,
                                   lot->key[j]);
        lot->items[j].fresh = true;
    }
    if (run->instrument[w->scorer].parallel)
        TRY(scorer_score(run->scorers[w->scorer], lot->results, lot->items, count, err));
done:
    if (status) noise_drop(arg, item, slot);
    return photo_name_memory(status, &run->plan->bases[at], err);
}

static tare_status noise_take(void *arg, size_t item, size_t slot, tare_error *err)
{
    tare_status status = TARE_OK;
    struct noise_walk *w = arg;
    photo_run *run = w->run;
    struct noise_lot *lot = &w->lots[slot];
    size_t k = w->todo[item], count = lot_size(w, k);
    if (!run->instrument[w->scorer].parallel)
        TRY(scorer_score(run->scorers[w->scorer], lot->results, lot->items, count, err));
    TRY(photo_group_enter(run, err));
    for (size_t j = 0; j < count; j++) {
        store_score row = {(int64_t)w->order[k * w->batch + j], (int64_t)run->plan->neutral_slot,
                           (int64_t)w->scorer, w->pass, lot->results[j].value,
                           (int)lot->results[j].status, lot->results[j].note};
        TRY(store_put_score(run->store, &row, err));
    }
    TRY(store_mark_batch(run->store, (int64_t)w->scorer, w->pass, (int64_t)k, err));
    TRY(photo_group_leave(run, false, err));
    progress_add(w->progress, count);
    TRY(context_check(run->context, err));
done:
    noise_drop(arg, item, slot);
    return status;
}

/* ---- orders ------------------------------------------------------------------- */

struct shuffled { uint64_t key; size_t base; };

static int compare_shuffled(const void *x, const void *y)
{
    const struct shuffled *a = x, *b = y;
    if (a->key != b->key) return a->key < b->key ? -1 : 1;
    return a->base < b->base ? -1 : a->base > b->base;
}

/* An order that depends on the seed and the ids of the bases only. */
static tare_status shuffle(size_t *order, size_t n, const photo_run *run, tare_error *err)
{
    const mem *m = &run->context->mem;
    struct shuffled *pairs = mem_new(m, n, sizeof *pairs);
    if (!pairs) return error_memory(err);
    rng_key key = rng_key_of(run->plan->perturb.seed, "noise/shuffled");
    for (size_t i = 0; i < n; i++) {
        const char *id = run->plan->bases[order[i]].id;
        rng_stream s;
        rng_start(&s, key, 0, rng_h64(id, strlen(id)));
        pairs[i] = (struct shuffled){rng_u64(&s), order[i]};
    }
    qsort(pairs, n, sizeof *pairs, compare_shuffled);
    for (size_t i = 0; i < n; i++) order[i] = pairs[i].base;
    mem_free(m, pairs);
    return TARE_OK;
}

static tare_status run_pass(struct noise_walk *w, tare_error *err)
{
    tare_status status = TARE_OK;
    photo_run *run = w->run;
    const mem *m = &run->context->mem;
    size_t batches = (w->n + w->batch - 1) / w->batch, n = 0;
    size_t window = photo_flight_window(run, w->batch);
    const unsigned char *marked = photo_marked(run, w->scorer, w->pass);
    size_t *todo = mem_new(m, batches, sizeof *todo);
    if (!todo) FAIL_MEMORY(err);
    TRY_NEW(w->lots = mem_new(m, window, sizeof *w->lots));
    for (size_t k = 0; k < batches; k++) {
        if (!marked[k]) todo[n++] = k;
        else progress_add(w->progress, lot_size(w, k));
    }
    TRY(photo_need_instruments(run, n, err));
    w->todo = todo;
    pool_flow flow = {n, window, noise_make, noise_take, noise_drop, w};
    status = photo_run_flow(run, &flow, err);
done:
    mem_free(m, w->lots);
    mem_free(m, todo);
    return status;
}

/* Marks of passes over other photographs than now say nothing. */
static tare_status forget_marks(bool *anew, photo_run *run, tare_error *err)
{
    tare_status status = TARE_OK;
    const char *value = NULL;
    TRY(store_get(&value, run->store, run->a, NOISE_ANEW, err));
    *anew = value && !strcmp(value, "yes");
    for (size_t s = 0; *anew && s < run->scorer_count; s++)
        for (int pass = PASS_ALONE; pass < PASS_COUNT; pass++)
            memset(photo_marked(run, s, pass), 0, photo_mark_count(run, s, pass));
done:
    return status;
}

tare_status photo_run_noise(photo_run *run, tare_error *err)
{
    tare_status status = TARE_OK;
    const mem *m = &run->context->mem;
    bool anew = false;
    size_t *order = mem_new(m, run->plan->base_count, sizeof *order), n = 0, passes = 0;
    progress bar;
    if (!order) FAIL_MEMORY(err);
    TRY(forget_marks(&anew, run, err));
    for (size_t i = 0; i < run->plan->base_count; i++) n += !run->plan->bases[i].reason;
    for (size_t s = 0; s < run->scorer_count; s++)
        for (int pass = PASS_ALONE; pass < PASS_COUNT; pass++)
            passes += photo_pass_made(pass, &run->instrument[s]);
    progress_start(&bar, run->context, "noise", "image", passes * n, 0);
    for (int pass = PASS_ALONE; pass < PASS_COUNT; pass++) {
        size_t k = 0;
        for (size_t i = 0; i < run->plan->base_count; i++)
            if (!run->plan->bases[i].reason) order[k++] = i;
        if (pass == PASS_SHUFFLED) TRY(shuffle(order, n, run, err));
        for (size_t s = 0; s < run->scorer_count; s++) {
            const scorer_description *d = &run->instrument[s];
            if (!photo_pass_made(pass, d)) continue;
            struct noise_walk w = {.run = run, .scorer = s, .pass = pass, .order = order, .n = n,
                                   .batch = pass == PASS_ALONE ? 1 : d->batch, .progress = &bar};
            TRY(run_pass(&w, err));
        }
    }
    progress_end(&bar);
    if (anew) TRY(store_set(run->store, NOISE_ANEW, "no", err));
done:
    mem_free(m, order);
    return status;
}
