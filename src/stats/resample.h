/* resample.h - the product: totals of resampled clusters, never a refit (statistics 3).
 *
 *     total[b][p] = sum_k w[b][k] (z[k][p] - mean_k z[k][p]) + sum_k w[b][k] mean_k z[k][p]
 *
 * The first sum runs over the clusters in canonical order by plain additions, each column by
 * itself. So a total has the same bits for any number of threads, any blocking, any vector width
 * and whatever other columns are there. Terms of weight 0 are skipped, which changes no bit. For
 * signs the total is sum_k z[k][p] - 2 sum over flipped clusters. Columns of whole numbers, halves
 * or other small multiples of a power of two are added up exactly, in integers (not under signs).
 */
#ifndef STATS_RESAMPLE_H
#define STATS_RESAMPLE_H

#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"
#include "base/pool.h"
#include "base/rng.h"
#include "tare.h"

typedef enum resample_kind {
    RESAMPLE_MULTINOMIAL, /* the bootstrap                                */
    RESAMPLE_POISSON,     /* independent Poisson(1) weights               */
    RESAMPLE_SIGNS        /* weights +1 and -1                            */
} resample_kind;

/* Draws of `replicates` x `clusters`, shared by all analyses of one base set. */
typedef struct resample_draws {
    const mem *m;
    pool *pool;
    resample_kind kind;
    rng_key key;
    const uint64_t *h64;   /* [clusters] in canonical order, borrowed                          */
    size_t clusters;       /* 1 .. 2^32-1                                                      */
    uint32_t replicates;
    uint8_t *kept;         /* [replicates][clusters] weights (1: sign -1), or NULL: drawn again
                              for each product, with the same values                           */
} resample_draws;

/* Fill `kept`, if it takes at most RESAMPLE_KEEP_BYTES. Errors: MEMORY, BUG. */
#define RESAMPLE_KEEP_BYTES ((size_t)256 << 20)
tare_status resample_keep(resample_draws *d, tare_error *err);
void resample_forget(resample_draws *d); /* frees kept */
/* Weights of one replicate. Errors: BUG. */
tare_status resample_weights(uint8_t *w, const resample_draws *d, uint32_t replicate,
                             tare_error *err);

/* Where totals go: rows first..first+count-1, row i of this block at totals + i * stride. Rows must
 * be put away before returning. Called from workers, one block by one of them. */
typedef struct resample_block {
    size_t first, count, stride;
    const double *totals;
} resample_block;
typedef tare_status (*resample_visit)(void *arg, const resample_block *block, unsigned worker,
                                      tare_error *err);

/* z is [clusters][p], finite. Errors: MEMORY, those of `visit`. */
tare_status resample_product(const resample_draws *d, const double *z, size_t p,
                             resample_visit visit, void *arg, tare_error *err);
/* The whole product: totals [replicates][p]. */
tare_status resample_totals(double *totals, const resample_draws *d, const double *z, size_t p,
                            tare_error *err);

/* total[p] of z [clusters][p], compensated. */
void resample_column_sums(double *total, const double *z, size_t clusters, size_t p);

#endif
