/* permute_labels.c - how many labelings there are, and the permutation of conditions. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "stats/draws.h"
#include "stats/permute.h"

/* total * n! / (k! (n-k)!), saturating. Each partial product C(n-k+i, i) * total is an integer. */
static uint64_t times_choose(uint64_t total, uint64_t n, uint64_t k)
{
    unsigned __int128 value = 1, limit = (unsigned __int128)1 << 63;
    if (k > n - k) k = n - k;
    for (uint64_t i = 1; i <= k; i++) {
        value = value * (n - k + i) / i;
        if (value > limit) return UINT64_MAX;
    }
    value *= total;
    return value > limit ? UINT64_MAX : (uint64_t)value;
}

uint64_t permute_labelings(const uint32_t *label, const uint32_t *stratum, size_t n, size_t labels,
                           size_t strata, uint64_t *scratch)
{
    uint64_t total = 1;
    memset(scratch, 0, labels * strata * sizeof *scratch);
    for (size_t i = 0; i < n; i++) scratch[(stratum ? stratum[i] : 0) * labels + label[i]]++;
    for (size_t s = 0; s < strata; s++) {
        uint64_t placed = 0;
        for (size_t g = 0; g < labels; g++) {
            placed += scratch[s * labels + g];
            total = times_choose(total, placed, scratch[s * labels + g]);
            if (total == UINT64_MAX) return total;
        }
    }
    return total;
}

/* ---- Conditions within clusters -------------------------------------------------------------- */

typedef struct conditions {
    const permute_plan *plan;
    const uint8_t *missing;
    const size_t *partial; /* clusters where something can move */
    size_t partial_count, n;
    const uint64_t *fixed; /* [n] missing in the other clusters */
    int64_t observed;      /* max - min, in counts: exact       */
    uint64_t *scratch;     /* [workers][words]                  */
    size_t words;
    uint64_t *count;       /* [workers] */
} conditions;

static int64_t spread_of(const uint64_t *totals, size_t n)
{
    uint64_t low = totals[0], high = totals[0];
    for (size_t j = 1; j < n; j++) {
        if (totals[j] < low) low = totals[j];
        if (totals[j] > high) high = totals[j];
    }
    return (int64_t)(high - low);
}

static tare_status conditions_range(void *arg, size_t begin, size_t end, unsigned worker,
                                    tare_error *err)
{
    conditions *job = arg;
    size_t n = job->n;
    uint64_t *totals = job->scratch + worker * job->words, *keys = totals + n, *sort = keys + n;
    uint32_t *order = (uint32_t *)(void *)(sort + 2 * n + 1);
    (void)err;
    for (size_t r = begin; r < end; r++) {
        memcpy(totals, job->fixed, n * sizeof *totals);
        for (size_t i = 0; i < job->partial_count; i++) {
            size_t c = job->partial[i];
            rng_stream stream;
            rng_start(&stream, job->plan->key, (uint32_t)r, job->plan->h64[c]);
            for (size_t j = 0; j < n; j++) keys[j] = rng_u64(&stream);
            draws_order_keys(order, sort, keys, n);
            for (size_t j = 0; j < n; j++) totals[order[j]] += job->missing[c * n + j];
        }
        job->count[worker] += spread_of(totals, n) >= job->observed;
    }
    return TARE_OK;
}

tare_status permute_conditions(permute_result *out, const permute_plan *plan,
                               const uint8_t *missing, size_t n, tare_error *err)
{
    tare_status status = TARE_OK;
    unsigned workers = pool_threads(plan->pool);
    conditions job = {.plan = plan, .missing = missing, .n = n, .words = 5 * n + 1};
    uint64_t *totals, *fixed;
    size_t *partial;
    arena a;
    arena_init(&a, plan->m);
    *out = (permute_result){.statistic = NAN, .p = NAN, .p_floor = NAN};
    if (n == 0 || plan->clusters == 0) goto done;
    TRY_NEW(totals = arena_new(&a, n, sizeof *totals));
    TRY_NEW(fixed = arena_new(&a, n, sizeof *fixed));
    TRY_NEW(partial = arena_new(&a, plan->clusters, sizeof *partial));
    TRY_NEW(job.scratch = arena_new(&a, workers, job.words * sizeof *job.scratch));
    TRY_NEW(job.count = arena_new(&a, workers, sizeof *job.count));
    for (size_t c = 0; c < plan->clusters; c++) {
        size_t sum = 0;
        for (size_t j = 0; j < n; j++) sum += missing[c * n + j];
        if (sum > 0 && sum < n) partial[job.partial_count++] = c;
        for (size_t j = 0; j < n; j++) {
            totals[j] += missing[c * n + j];
            if (sum == n) fixed[j]++;
        }
    }
    job.partial = partial;
    job.fixed = fixed;
    job.observed = spread_of(totals, n);
    out->statistic = (double)job.observed / (double)plan->clusters;
    TRY(pool_for(plan->pool, plan->replicates, 64, conditions_range, &job, err));
    for (unsigned w = 0; w < workers; w++) out->count += job.count[w];
    out->total = plan->replicates;
    out->p = (double)(1 + out->count) / ((double)out->total + 1);
    out->p_floor = 1 / ((double)out->total + 1);
done:
    arena_free(&a);
    return status;
}
