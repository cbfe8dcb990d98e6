/* permute_rows.c - flags move within blocks. Replicates go by chunks and blocks inside a chunk, so
 * that a block's labels stay in the cache while its flags are drawn again and again. */
#include "stats/permute_rows.h"

#include <math.h>
#include <string.h>

#include "base/error.h"

enum { CHUNK = 32, SLOTS_MAX = 1 << 24 };

/* A block in which something can move. */
typedef struct moving {
    size_t block, first; /* first: of its rows in `slot` */
    uint32_t rows, draws;
    int32_t sign;        /* +1: draws are the flags; -1: they are the rows without one */
} moving;

typedef struct rows_job {
    const permute_plan *plan;
    const permute_rows_data *data;
    size_t *offset;      /* [k + 1] places of a way's labels among all slots */
    uint64_t *total;     /* [slots] rows by label                                        */
    int64_t *fixed;      /* [slots] flags that stay, and all rows of blocks of sign -1   */
    moving *moving;
    size_t moving_count;
    uint32_t *slot;      /* [rows of moving blocks][k] */
    double *bound;       /* [k] what replicates must reach */
    size_t slots, words; /* words: 64 rows each, of the longest moving block */
    /* of each worker */
    int64_t *tally;      /* [CHUNK][slots]             */
    uint64_t *taken;     /* [words]                    */
    uint64_t *count;     /* [k]                        */
} rows_job;

static double spread(const int64_t *flags, const uint64_t *total, size_t n)
{
    double low = INFINITY, high = -INFINITY;
    for (size_t g = 0; g < n; g++) {
        if (total[g] == 0) continue;
        double rate = (double)flags[g] / (double)total[g];
        low = rate < low ? rate : low;
        high = rate > high ? rate : high;
    }
    return high > low ? high - low : 0;
}

/* ---- Replicates ------------------------------------------------------------------------------ */

/* Floyd: j runs over the last m of n; a place that is taken is replaced by j itself. */
static void draw_block(int64_t *tally, uint64_t *taken, const rows_job *job, const moving *x,
                       uint32_t replicate)
{
    size_t k = job->data->k;
    const uint32_t *slot = job->slot + x->first * k;
    rng_stream stream;
    memset(taken, 0, (x->rows / 64 + 1) * sizeof *taken);
    rng_start(&stream, job->plan->key, replicate, job->plan->h64[x->block]);
    for (uint32_t j = x->rows - x->draws; j < x->rows; j++) {
        uint32_t at = rng_bounded(&stream, j + 1);
        if (taken[at / 64] >> (at % 64) & 1) at = j;
        taken[at / 64] |= (uint64_t)1 << (at % 64);
        const uint32_t *place = slot + (size_t)at * k;
        for (size_t i = 0; i < k; i++) tally[place[i]] += x->sign;
    }
}

static tare_status rows_range(void *arg, size_t begin, size_t end, unsigned worker,
                              tare_error *err)
{
    const rows_job *job = arg;
    const permute_rows_data *data = job->data;
    int64_t *tally = job->tally + worker * CHUNK * job->slots;
    uint64_t *taken = job->taken + worker * job->words, *count = job->count + worker * data->k;
    (void)err;
    for (size_t r = begin; r < end; r++)
        memcpy(tally + (r - begin) * job->slots, job->fixed, job->slots * sizeof *tally);
    for (size_t b = 0; b < job->moving_count; b++)
        for (size_t r = begin; r < end; r++)
            draw_block(tally + (r - begin) * job->slots, taken, job, &job->moving[b], (uint32_t)r);
    for (size_t r = begin; r < end; r++)
        for (size_t i = 0; i < data->k; i++) {
            size_t at = job->offset[i];
            double t = spread(tally + (r - begin) * job->slots + at, job->total + at,
                              data->labels[i]);
            count[i] += t >= job->bound[i];
        }
    return TARE_OK;
}

/* ---- Data ------------------------------------------------------------------------------------ */

static tare_status check_labels(rows_job *job, arena *a, tare_error *err)
{
    tare_status status = TARE_OK;
    const permute_rows_data *d = job->data;
    TRY_NEW(job->offset = arena_new(a, d->k + 1, sizeof *job->offset));
    for (size_t i = 0; i < d->k; i++) {
        if (d->labels[i] > SLOTS_MAX - job->offset[i])
            FAIL(err, TARE_E_LIMIT, "permute.labels", NULL, "more than %d labels", SLOTS_MAX);
        job->offset[i + 1] = job->offset[i] + d->labels[i];
        for (size_t r = d->start[0]; r < d->start[d->blocks]; r++)
            if (d->label[i][r] >= d->labels[i])
                FAIL(err, TARE_E_USAGE, "permute.label", NULL, "label %u of %zu", d->label[i][r],
                     d->labels[i]);
    }
    job->slots = job->offset[d->k];
done:
    return status;
}

/* How many blocks can move, how many rows they have, and the longest. */
static tare_status find_moving(rows_job *job, size_t *rows, arena *a, tare_error *err)
{
    tare_status status = TARE_OK;
    const permute_rows_data *d = job->data;
    size_t longest = 0;
    *rows = 0;
    TRY_NEW(job->moving = arena_new(a, d->blocks, sizeof *job->moving));
    for (size_t b = 0; b < d->blocks; b++) {
        size_t n = d->start[b + 1] - d->start[b], flags = 0;
        if (n >= UINT32_MAX)
            FAIL(err, TARE_E_LIMIT, "permute.block", NULL, "%zu rows in one block", n);
        for (size_t r = d->start[b]; r < d->start[b + 1]; r++) flags += d->flag[r] != 0;
        if (flags == 0 || flags == n) continue;
        bool few = flags <= n / 2;
        job->moving[job->moving_count++] =
            (moving){b, *rows, (uint32_t)n, (uint32_t)(few ? flags : n - flags), few ? 1 : -1};
        *rows += n;
        if (n > longest) longest = n;
    }
    job->words = longest / 64 + 1;
done:
    return status;
}

static tare_status load(rows_job *job, int64_t *observed, arena *a, tare_error *err)
{
    tare_status status = TARE_OK;
    const permute_rows_data *d = job->data;
    size_t rows = 0, next = 0;
    TRY(find_moving(job, &rows, a, err));
    TRY_NEW(job->total = arena_new(a, job->slots, sizeof *job->total));
    TRY_NEW(job->fixed = arena_new(a, job->slots, sizeof *job->fixed));
    TRY_NEW(job->slot = arena_new(a, rows, d->k * sizeof *job->slot));
    for (size_t b = 0; b < d->blocks; b++) {
        const moving *x = next < job->moving_count && job->moving[next].block == b
                              ? &job->moving[next++]
                              : NULL;
        for (size_t r = d->start[b]; r < d->start[b + 1]; r++)
            for (size_t i = 0; i < d->k; i++) {
                size_t at = job->offset[i] + d->label[i][r];
                job->total[at]++;
                observed[at] += d->flag[r] != 0;
                job->fixed[at] += x ? x->sign < 0 : d->flag[r] != 0;
                if (x)
                    job->slot[(x->first + (r - d->start[b])) * d->k + i] = (uint32_t)at;
            }
    }
done:
    return status;
}

static tare_status make_places(rows_job *job, unsigned workers, arena *a, tare_error *err)
{
    tare_status status = TARE_OK;
    TRY_NEW(job->tally = arena_new(a, workers, CHUNK * job->slots * sizeof *job->tally));
    TRY_NEW(job->taken = arena_new(a, workers, job->words * sizeof *job->taken));
    TRY_NEW(job->count = arena_new(a, workers, job->data->k * sizeof *job->count));
done:
    return status;
}

tare_status permute_rows(permute_result *out, const permute_plan *plan,
                         const permute_rows_data *data, tare_error *err)
{
    tare_status status = TARE_OK;
    unsigned workers = pool_threads(plan->pool);
    rows_job job = {.plan = plan, .data = data};
    int64_t *observed;
    arena a;
    arena_init(&a, plan->m);
    TRY(check_labels(&job, &a, err));
    TRY_NEW(observed = arena_new(&a, job.slots, sizeof *observed));
    TRY_NEW(job.bound = arena_new(&a, data->k, sizeof *job.bound));
    TRY(load(&job, observed, &a, err));
    TRY(make_places(&job, workers, &a, err));
    for (size_t i = 0; i < data->k; i++) {
        double t = spread(observed + job.offset[i], job.total + job.offset[i], data->labels[i]);
        out[i] = (permute_result){.statistic = t, .total = plan->replicates};
        job.bound[i] = t - 1e-12 * fmax(t, 1);
    }
    if (job.moving_count)
        TRY(pool_for(plan->pool, plan->replicates, CHUNK, rows_range, &job, err));
    for (size_t i = 0; i < data->k; i++) {
        permute_result *x = &out[i];
        for (unsigned w = 0; w < workers; w++) x->count += job.count[w * data->k + i];
        if (!job.moving_count) x->count = x->total;
        x->p_floor = 1 / ((double)x->total + 1);
        x->p = (1 + (double)x->count) * x->p_floor;
    }
done:
    arena_free(&a);
    return status;
}
