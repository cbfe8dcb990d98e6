#include "audit/photos/photo_retry.h"

#include <string.h>

#include "base/error.h"

static bool may_end_otherwise(int status)
{
    return status == TARE_R_SCORER_ERROR || status == TARE_R_TIMEOUT;
}

static tare_status forget(void *arg, const store_score *row, tare_error *err)
{
    (void)err;
    const photo_run *run = arg;
    size_t scorer = (size_t)row->scorer, base = (size_t)row->base;
    bool known = row->scorer >= 0 && scorer < run->scorer_count && row->base >= 0 &&
                 base < run->plan->base_count && row->pass >= 0 && row->pass < PASS_COUNT;
    if (!known || !may_end_otherwise(row->status)) return TARE_OK;
    unsigned char *marks = photo_marked(run, scorer, (int)row->pass);
    size_t n = photo_batch_count(run, scorer);
    if (row->pass == PASS_FIRST) memset(marks + base * n, 0, n);
    else if (row->pass == PASS_AGAIN) marks[base] = 0;
    else memset(marks, 0, photo_mark_count(run, scorer, (int)row->pass));
    return TARE_OK;
}

tare_status photo_retry(photo_run *run, tare_error *err)
{
    return store_each_score(run->store, forget, run, err);
}

tare_status photo_forget_base(photo_run *run, size_t index, tare_error *err)
{
    tare_status status = TARE_OK;
    run->measured[index] = false;
    TRY(store_forget_variants(run->store, (int64_t)index, err));
    for (size_t s = 0; s < run->scorer_count; s++) {
        size_t n = photo_batch_count(run, s);
        memset(photo_marked(run, s, PASS_FIRST) + index * n, 0, n);
        photo_marked(run, s, PASS_AGAIN)[index] = 0;
        TRY(store_unmark_batches(run->store, (int64_t)s, PASS_FIRST, (int64_t)(index * n),
                                 (int64_t)n, err));
        TRY(store_unmark_batches(run->store, (int64_t)s, PASS_AGAIN, (int64_t)index, 1, err));
    }
done:
    return status;
}
