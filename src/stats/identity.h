/* identity.h - permutations of who is who in a matrix of judges and authors (judge audits A.4, A.5;
 * statistics 5).
 *
 * Both tests see every order of the K models up to IDENTITY_EXACT, and p is count / K! with the
 * identity included. Beyond, replicate r sorts the models by the 64-bit words of the stream
 * (key, r, cluster ""), one word each, and p is (1 + count) / (draws + 1). Replicates tie with the
 * observed value within the tolerance of statistics 1.6. */
#ifndef STATS_IDENTITY_H
#define STATS_IDENTITY_H

#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"
#include "base/rng.h"
#include "tare.h"

typedef struct identity_plan {
    const mem *m;
    rng_key key;                 /* of "<base set>/perm": see draws_key                           */
    uint32_t draws;
} identity_plan;

typedef struct identity_result {
    double statistic, mean;      /* observed mean of the self cells; mean over all permutations,
                                    which is the mean of all cells                               */
    double p_one, p_two;         /* at least as large; at least as far from the mean              */
    double p_floor;              /* 1/K! exact, else 1/(draws + 1)                                */
    uint64_t total;              /* permutations, identity included if exact                      */
    int exact;                   /* K <= IDENTITY_EXACT                                           */
} identity_result;
#define IDENTITY_EXACT 8

/* r[K][K]: value of (author of identity a, judge of identity b). T = mean_j r[pi(j)][j]. The
 * `count` matrices at r + i K K share the permutations. Values that are not finite: p NaN. Errors:
 * USAGE (K < 2, or no draws where they are needed), MEMORY. */
tare_status identity_permutation(identity_result *out, const double *r, size_t K, size_t count,
                                 const identity_plan *plan, tare_error *err);

/* Quadratic assignment: T = mean of off-diagonal same-block cells minus mean of off-diagonal
 * different-block cells; block labels move over models, rows and columns together; p one-sided.
 * same[K][K] 1: the models share a block (labels may be lists: any symmetric relation). `mean` is
 * the expectation of T, 0. The exact floor counts the orders that change no block. NaN where all or
 * no cells are within blocks or a value is not finite. Errors as above. */
typedef struct block_result { double statistic, mean, p, p_floor; uint64_t total; } block_result;
tare_status block_permutation(block_result *out, const double *r, const uint8_t *same, size_t K,
                              size_t count, const identity_plan *plan, tare_error *err);

#endif
