/* identity.h - permutations of who is who in a matrix of judges and authors (judge audits A.4, A.5;
 * statistics 5). */
#ifndef STATS_IDENTITY_H
#define STATS_IDENTITY_H

#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"
#include "base/rng.h"
#include "tare.h"

typedef struct identity_result {
    double statistic, mean;      /* observed mean of the self cells; mean over the permutations   */
    double p_one, p_two;         /* at least as large; at least as far from the mean              */
    double p_floor;              /* 1/K! exact, else 1/(draws + 1)                                */
    uint64_t total;              /* permutations, identity included if exact                      */
    int exact;                   /* K <= IDENTITY_EXACT                                           */
} identity_result;
#define IDENTITY_EXACT 8

/* r[K][K]: value of (author of identity a, judge of identity b). T = mean_j r[pi(j)][j]. The k
 * matrices at r + i K K share the permutations. `key`: stream of the draws (cluster ""). Errors:
 * USAGE (K < 2), MEMORY. */
tare_status identity_permutation(identity_result *out, const double *r, size_t K, size_t count,
                                 rng_key key, uint32_t draws, const mem *m, tare_error *err);

/* Quadratic assignment: T = mean of off-diagonal same-block cells minus mean of off-diagonal
 * different-block cells; block labels move over models, rows and columns together; p one-sided.
 * same[K][K] 1: the models share a block (labels may be lists: any symmetric relation). Always
 * sampled for K > IDENTITY_EXACT. NaN where all or no cells are within blocks. */
typedef struct block_result { double statistic, mean, p, p_floor; uint64_t total; } block_result;
tare_status block_permutation(block_result *out, const double *r, const uint8_t *same, size_t K,
                              size_t count, rng_key key, uint32_t draws, const mem *m,
                              tare_error *err);

#endif
