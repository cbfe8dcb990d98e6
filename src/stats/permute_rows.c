/* permute_rows.c - flags move within blocks.
 *
 * Replicates go by chunks and blocks inside a chunk, so that a block's labels stay in the cache
 * while its flags are drawn again and again. Rows that bear the same labels in every way are of one
 * *kind*: a draw counts one kind, and the counts of kinds become those of labels once per
 * replicate. */
#include "stats/permute_rows.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/hash.h"

enum { CHUNK = 32, CHUNK_COUNTS = 1 << 18, SLOTS_MAX = 1 << 24 };

/* A block in which something can move. */
typedef struct moving {
    size_t block, first; /* first: of its rows in `kind` */
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
    map *kinds;          /* key: the labels of a row in all ways */
    uint32_t *kind;      /* [rows of moving blocks] */
    uint32_t *slot;      /* [kinds][k] */
    double *bound;       /* [k] what replicates must reach */
    size_t slots, words; /* words: 64 rows each, of the longest moving block */
    size_t kind_count, chunk; /* chunk: replicates at once; fewer where kinds are many */
    /* of each worker */
    int64_t *drawn;      /* [chunk][kinds]             */
    int64_t *tally;      /* [slots]                    */
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
static void draw_block(int64_t *drawn, uint64_t *taken, const rows_job *job, const moving *x,
                       uint32_t replicate)
{
    const uint32_t *kind = job->kind + x->first;
    rng_stream stream;
    memset(taken, 0, (x->rows / 64 + 1) * sizeof *taken);
    rng_start(&stream, job->plan->key, replicate, job->plan->h64[x->block]);
    for (uint32_t j = x->rows - x->draws; j < x->rows; j++) {
        uint32_t at = rng_bounded(&stream, j + 1);
        if (taken[at / 64] >> (at % 64) & 1) at = j;
        taken[at / 64] |= (uint64_t)1 << (at % 64);
        drawn[kind[at]] += x->sign;
    }
}

static void count_replicate(uint64_t *count, int64_t *tally, const rows_job *job,
                            const int64_t *drawn)
{
    const permute_rows_data *data = job->data;
    memcpy(tally, job->fixed, job->slots * sizeof *tally);
    for (size_t x = 0; x < job->kind_count; x++)
        for (size_t i = 0; i < data->k; i++) tally[job->slot[x * data->k + i]] += drawn[x];
    for (size_t i = 0; i < data->k; i++) {
        size_t at = job->offset[i];
        count[i] += spread(tally + at, job->total + at, data->labels[i]) >= job->bound[i];
    }
}

static tare_status rows_range(void *arg, size_t begin, size_t end, unsigned worker,
                              tare_error *err)
{
    const rows_job *job = arg;
    size_t kinds = job->kind_count;
    int64_t *drawn = job->drawn + worker * job->chunk * kinds;
    int64_t *tally = job->tally + worker * job->slots;
    uint64_t *taken = job->taken + worker * job->words;
    (void)err;
    memset(drawn, 0, (end - begin) * kinds * sizeof *drawn);
    for (size_t b = 0; b < job->moving_count; b++)
        for (size_t r = begin; r < end; r++)
            draw_block(drawn + (r - begin) * kinds, taken, job, &job->moving[b], (uint32_t)r);
    for (size_t r = begin; r < end; r++)
        count_replicate(job->count + worker * job->data->k, tally, job,
                        drawn + (r - begin) * kinds);
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

/* The kind of a row of a moving block. */
static tare_status name_kind(rows_job *job, size_t at, size_t row, uint32_t *labels,
                             tare_error *err)
{
    const permute_rows_data *d = job->data;
    for (size_t i = 0; i < d->k; i++) labels[i] = d->label[i][row];
    size_t kind = map_add(job->kinds, (const char *)labels, d->k * sizeof *labels, NULL);
    if (kind == SIZE_MAX) return error_memory(err);
    job->kind[at] = (uint32_t)kind;
    return TARE_OK;
}

static tare_status load_rows(rows_job *job, int64_t *observed, uint32_t *labels, tare_error *err)
{
    tare_status status = TARE_OK;
    const permute_rows_data *d = job->data;
    size_t next = 0;
    for (size_t b = 0; b < d->blocks; b++) {
        const moving *x = next < job->moving_count && job->moving[next].block == b
                              ? &job->moving[next++]
                              : NULL;
        for (size_t r = d->start[b]; r < d->start[b + 1]; r++) {
            for (size_t i = 0; i < d->k; i++) {
                size_t at = job->offset[i] + d->label[i][r];
                job->total[at]++;
                observed[at] += d->flag[r] != 0;
                job->fixed[at] += x ? x->sign < 0 : d->flag[r] != 0;
            }
            if (x) TRY(name_kind(job, x->first + (r - d->start[b]), r, labels, err));
        }
    }
done:
    return status;
}

static tare_status load(rows_job *job, int64_t *observed, arena *a, tare_error *err)
{
    tare_status status = TARE_OK;
    const permute_rows_data *d = job->data;
    size_t rows = 0;
    uint32_t *labels;
    TRY(find_moving(job, &rows, a, err));
    TRY_NEW(job->total = arena_new(a, job->slots, sizeof *job->total));
    TRY_NEW(job->fixed = arena_new(a, job->slots, sizeof *job->fixed));
    TRY_NEW(job->kind = arena_new(a, rows, sizeof *job->kind));
    TRY_NEW(labels = arena_new(a, d->k, sizeof *labels));
    TRY_NEW(job->kinds = map_new(a->m));
    TRY(load_rows(job, observed, labels, err));
    job->kind_count = map_count(job->kinds);
    TRY_NEW(job->slot = arena_new(a, job->kind_count, d->k * sizeof *job->slot));
    for (size_t x = 0; x < job->kind_count; x++) {
        memcpy(labels, map_key(job->kinds, x, NULL), d->k * sizeof *labels);
        for (size_t i = 0; i < d->k; i++)
            job->slot[x * d->k + i] = (uint32_t)(job->offset[i] + labels[i]);
    }
done:
    return status;
}

static tare_status make_places(rows_job *job, unsigned workers, arena *a, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t kinds = job->kind_count + 1;
    job->chunk = CHUNK_COUNTS / kinds < 1 ? 1 : CHUNK_COUNTS / kinds;
    if (job->chunk > CHUNK) job->chunk = CHUNK;
    TRY_NEW(job->drawn = arena_new(a, workers, job->chunk * kinds * sizeof *job->drawn));
    TRY_NEW(job->tally = arena_new(a, workers, job->slots * sizeof *job->tally));
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
        TRY(pool_for(plan->pool, plan->replicates, job.chunk, rows_range, &job, err));
    for (size_t i = 0; i < data->k; i++) {
        permute_result *x = &out[i];
        for (unsigned w = 0; w < workers; w++) x->count += job.count[w * data->k + i];
        if (!job.moving_count) x->count = x->total;
        x->p_floor = 1 / ((double)x->total + 1);
        x->p = (1 + (double)x->count) * x->p_floor;
    }
done:
    map_free(job.kinds);
    arena_free(&a);
    return status;
}
