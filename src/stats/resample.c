#include "stats/resample.h"

#include <string.h>

#include "base/error.h"
#include "stats/draws.h"
#include "stats/moments.h"
#include "stats/resample_kernel.h"
#include "stats/resample_whole.h"

enum { BLOCK = 32, DRAW_GRAIN = 64 }; /* replicates per piece of work */

/* ---- Draws ----------------------------------------------------------------------------------- */

tare_status resample_weights(uint8_t *w, const resample_draws *d, uint32_t replicate,
                             tare_error *err)
{
    switch (d->kind) {
    case RESAMPLE_POISSON:
        draws_poisson(w, d->key, replicate, d->h64, d->clusters);
        break;
    case RESAMPLE_SIGNS:
        draws_flips(w, d->key, replicate, d->h64, d->clusters);
        break;
    case RESAMPLE_MULTINOMIAL:
        if (!draws_multinomial(w, d->key, replicate, d->h64, d->clusters))
            return error_set(err, TARE_E_BUG, "resample.count", NULL,
                             "one cluster was drawn more than 255 times in replicate %u",
                             replicate);
        break;
    }
    return TARE_OK;
}

typedef struct keeping {
    const resample_draws *d;
    uint8_t *w;
} keeping;

static tare_status keep_range(void *arg, size_t begin, size_t end, unsigned worker,
                              tare_error *err)
{
    const keeping *job = arg;
    tare_status status = TARE_OK;
    (void)worker;
    for (size_t r = begin; r < end; r++)
        TRY(resample_weights(job->w + r * job->d->clusters, job->d, (uint32_t)r, err));
done:
    return status;
}

tare_status resample_keep(resample_draws *d, tare_error *err)
{
    tare_status status = TARE_OK;
    keeping job = {d, NULL};
    if (d->clusters > RESAMPLE_KEEP_BYTES / (d->replicates ? d->replicates : 1)) return TARE_OK;
    TRY_NEW(job.w = mem_resize(d->m, NULL, d->replicates, d->clusters));
    TRY(pool_for(d->pool, d->replicates, DRAW_GRAIN, keep_range, &job, err));
    d->kept = job.w;
    job.w = NULL;
done:
    mem_free(d->m, job.w);
    return status;
}

void resample_forget(resample_draws *d)
{
    mem_free(d->m, d->kept);
    d->kept = NULL;
}

/* ---- Product --------------------------------------------------------------------------------- */

typedef struct scratch {
    double *totals;        /* [BLOCK][p]                          */
    double *panels;        /* [BLOCK][stride], aligned to 64      */
    kernel_entry *entries; /* [BLOCK][clusters]                   */
    size_t *bounds;        /* [BLOCK][slices + 1]                 */
    uint8_t *weights;      /* [BLOCK][clusters], if none are kept */
} scratch;

typedef struct product {
    const resample_draws *d;
    size_t p, panels, slices, stride;
    size_t *column;   /* [fractions] of z, which go into panels; all others are whole */
    size_t fractions;
    double *packed;   /* [panels][clusters][KERNEL_COLUMNS], centred, 0 past the last */
    double *offset;   /* [fractions]: the mean of a column, or its sum under signs    */
    double value[256];
    kernel_fn kernel;
    whole_columns whole;
    whole_fn whole_kernel;
    scratch *scratch; /* [workers] */
    resample_visit visit;
    void *arg;
} product;

void resample_column_sums(double *total, const double *z, size_t clusters, size_t p)
{
    enum { WIDTH = 64 }; /* columns at a time: whole cache lines of each row */
    neumaier sums[WIDTH];
    for (size_t first = 0; first < p; first += WIDTH) {
        size_t width = p - first < WIDTH ? p - first : WIDTH;
        memset(sums, 0, sizeof sums);
        for (size_t k = 0; k < clusters; k++)
            for (size_t j = 0; j < width; j++) neumaier_add(&sums[j], z[k * p + first + j]);
        for (size_t j = 0; j < width; j++) total[first + j] = neumaier_total(&sums[j]);
    }
}

static tare_status pack_columns(product *q, const double *z, arena *a, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t clusters = q->d->clusters, n = q->fractions;
    int signs = q->d->kind == RESAMPLE_SIGNS;
    double *sums;
    TRY_NEW(sums = arena_new(a, q->p, sizeof *sums));
    TRY_NEW(q->packed = arena_new(a, q->stride / 8 * clusters, 64)); /* 64: aligned to that */
    TRY_NEW(q->offset = arena_new(a, n, sizeof *q->offset));
    resample_column_sums(sums, z, clusters, q->p);
    for (size_t j = 0; j < n; j++)
        q->offset[j] = sums[q->column[j]] / (signs ? 1 : (double)clusters);
    for (size_t panel = 0; panel < q->panels; panel++) {
        size_t first = panel * KERNEL_COLUMNS;
        size_t width = n - first < KERNEL_COLUMNS ? n - first : KERNEL_COLUMNS;
        double *to = q->packed + panel * clusters * KERNEL_COLUMNS;
        for (size_t k = 0; k < clusters; k++, to += KERNEL_COLUMNS)
            for (size_t j = 0; j < width; j++)
                to[j] = z[k * q->p + q->column[first + j]] - (signs ? 0 : q->offset[first + j]);
    }
done:
    return status;
}

/* Which columns are whole, which go into panels. Signs have weights below 0: no bytes. */
static tare_status sort_columns(product *q, const double *z, arena *a, tare_error *err)
{
    tare_status status = TARE_OK;
    uint8_t *is_whole;
    TRY_NEW(is_whole = arena_new(a, q->p + 1, 1));
    TRY_NEW(q->column = arena_new(a, q->p + 1, sizeof *q->column));
    if (q->d->kind != RESAMPLE_SIGNS)
        TRY(whole_open(&q->whole, is_whole, z, q->d->clusters, q->p, a, err));
    for (size_t j = 0; j < q->p; j++)
        if (!is_whole[j]) q->column[q->fractions++] = j;
done:
    return status;
}

static tare_status product_prepare(product *q, const double *z, unsigned workers, arena *a,
                                   tare_error *err)
{
    tare_status status = TARE_OK;
    size_t clusters = q->d->clusters;
    TRY(sort_columns(q, z, a, err));
    q->panels = (q->fractions + KERNEL_COLUMNS - 1) / KERNEL_COLUMNS;
    q->slices = (clusters + KERNEL_CLUSTERS - 1) / KERNEL_CLUSTERS;
    q->stride = q->panels * KERNEL_COLUMNS;
    q->kernel = kernel_choose();
    q->whole_kernel = whole_choose();
    for (int w = 0; w < 256; w++) q->value[w] = q->d->kind == RESAMPLE_SIGNS ? -2.0 * w : w;
    if (q->panels > 0) TRY(pack_columns(q, z, a, err));
    TRY_NEW(q->scratch = arena_new(a, workers, sizeof *q->scratch));
    for (unsigned i = 0; i < workers; i++) {
        scratch *s = &q->scratch[i];
        TRY_NEW(s->totals = arena_new(a, q->p, BLOCK * sizeof *s->totals));
        if (!q->d->kept) TRY_NEW(s->weights = arena_new(a, clusters, BLOCK));
        if (q->panels == 0) continue;
        TRY_NEW(s->panels = arena_new(a, q->stride / 8 * BLOCK, 64));
        TRY_NEW(s->entries = arena_new(a, clusters, BLOCK * sizeof *s->entries));
        TRY_NEW(s->bounds = arena_new(a, q->slices + 1, BLOCK * sizeof *s->bounds));
    }
done:
    return status;
}

/* Weights of a replicate as a list without zeros, cut into slices. Returns the sum of weights. */
static uint64_t list_entries(kernel_entry *entries, size_t *bounds, const uint8_t *w,
                             size_t clusters)
{
    uint64_t sum = 0;
    size_t count = 0, slice = 0;
    for (size_t begin = 0; begin < clusters; begin += KERNEL_CLUSTERS) {
        size_t width = clusters - begin < KERNEL_CLUSTERS ? clusters - begin : KERNEL_CLUSTERS;
        bounds[slice++] = count;
        for (size_t i = 0; i < width; i++) {
            uint8_t weight = w[begin + i];
            entries[count] = (kernel_entry){(uint16_t)i, weight};
            count += weight != 0;
            sum += weight;
        }
    }
    bounds[slice] = count;
    return sum;
}

static void multiply(const product *q, const scratch *s, size_t count)
{
    size_t clusters = q->d->clusters;
    for (size_t panel = 0; panel < q->panels; panel++) {
        const double *packed = q->packed + panel * clusters * KERNEL_COLUMNS;
        for (size_t slice = 0; slice < q->slices; slice++) {
            const double *z = packed + slice * KERNEL_CLUSTERS * KERNEL_COLUMNS;
            for (size_t i = 0; i < count; i++) {
                const size_t *bounds = s->bounds + i * (q->slices + 1) + slice;
                q->kernel(s->panels + i * q->stride + panel * KERNEL_COLUMNS, z,
                          s->entries + i * clusters + bounds[0], bounds[1] - bounds[0], q->value);
            }
        }
    }
}

/* The columns in panels: totals of what is left of the mean, then the mean. */
static void multiply_fractions(const product *q, const scratch *s, const uint8_t *const *weights,
                               size_t count)
{
    double mass[BLOCK];
    for (size_t i = 0; i < count; i++) {
        uint64_t sum = list_entries(s->entries + i * q->d->clusters,
                                    s->bounds + i * (q->slices + 1), weights[i], q->d->clusters);
        mass[i] = q->d->kind == RESAMPLE_SIGNS ? 1.0 : (double)sum;
    }
    memset(s->panels, 0, count * q->stride * sizeof *s->panels);
    multiply(q, s, count);
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < q->fractions; j++)
            s->totals[i * q->p + q->column[j]] =
                s->panels[i * q->stride + j] + mass[i] * q->offset[j];
}

static tare_status product_range(void *arg, size_t begin, size_t end, unsigned worker,
                                 tare_error *err)
{
    const product *q = arg;
    const scratch *s = &q->scratch[worker];
    tare_status status = TARE_OK;
    size_t clusters = q->d->clusters, count = end - begin;
    const uint8_t *weights[BLOCK];
    for (size_t i = 0; i < count; i++) {
        weights[i] = q->d->kept ? q->d->kept + (begin + i) * clusters : s->weights + i * clusters;
        if (!q->d->kept)
            TRY(resample_weights(s->weights + i * clusters, q->d, (uint32_t)(begin + i), err));
    }
    memset(s->totals, 0, count * q->p * sizeof *s->totals);
    if (q->panels > 0) multiply_fractions(q, s, weights, count);
    if (q->whole.count > 0)
        whole_multiply(s->totals, q->p, &q->whole, q->whole_kernel, weights, count);
    resample_block block = {begin, count, q->p, s->totals};
    TRY(q->visit(q->arg, &block, worker, err));
done:
    return status;
}

tare_status resample_product(const resample_draws *d, const double *z, size_t p,
                             resample_visit visit, void *arg, tare_error *err)
{
    tare_status status = TARE_OK;
    product q = {.d = d, .p = p, .visit = visit, .arg = arg};
    arena a;
    arena_init(&a, d->m);
    TRY(product_prepare(&q, z, pool_threads(d->pool), &a, err));
    TRY(pool_for(d->pool, d->replicates, BLOCK, product_range, &q, err));
done:
    arena_free(&a);
    return status;
}

typedef struct whole {
    double *totals;
    size_t p;
} whole;

static tare_status store_block(void *arg, const resample_block *block, unsigned worker,
                               tare_error *err)
{
    const whole *to = arg;
    (void)worker;
    (void)err;
    for (size_t i = 0; i < block->count; i++)
        memcpy(to->totals + (block->first + i) * to->p, block->totals + i * block->stride,
               to->p * sizeof *to->totals);
    return TARE_OK;
}

tare_status resample_totals(double *totals, const resample_draws *d, const double *z, size_t p,
                            tare_error *err)
{
    whole to = {totals, p};
    return resample_product(d, z, p, store_block, &to, err);
}
