/* multiple.h - many tests at once (statistics 6).
 *
 * p NaN means "no answer": the hypothesis is not in the family, the size m shrinks, its q is NaN.
 */
#ifndef STATS_MULTIPLE_H
#define STATS_MULTIPLE_H

#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"
#include "tare.h"

typedef enum multiple_method {
    MULTIPLE_BH,  /* false discovery rate, independence or positive dependence */
    MULTIPLE_BY,  /* false discovery rate, any dependence                      */
    MULTIPLE_HOLM /* family-wise error                                         */
} multiple_method;

typedef struct multiple_family {
    size_t given;  /* hypotheses handed in               */
    size_t tested; /* of these with a p: the m of the q  */
} multiple_family;

/* q[i] of p[i], i < n; q may be p. `family` may be NULL.
 * Errors: DATA (p outside [0, 1]), LIMIT (n >= 2^32), MEMORY. */
tare_status multiple_adjust(double *q, multiple_family *family, const double *p, size_t n,
                            multiple_method method, const mem *m, tare_error *err);

/* Observed statistics and their replicates from common draws under the null, studentised unless the
 * caller wants the unstudentised omnibus. */
typedef struct multiple_maxt {
    const double *t;          /* [n] observed; NaN: not in the family               */
    const double *replicates; /* [count][n] row-major; NaN in a tested column counts
                                 as exceeding everything (ours: conservative)       */
    size_t n, count;
    double scale;             /* for ties: t* >= t means t* >= t - 1e-12 max(t, scale) */
} multiple_maxt;

/* q[i] = (1 + #{max_j |t*_j| >= |t_i|}) / (count + 1). */
tare_status multiple_maxt_single(double *q, multiple_family *family, const multiple_maxt *data,
                                 const mem *m, tare_error *err);
/* Westfall-Young step-down: the maximum runs over hypotheses not yet rejected. */
tare_status multiple_maxt_stepdown(double *q, multiple_family *family, const multiple_maxt *data,
                                   const mem *m, tare_error *err);

/* One hypothesis of a single step whose replicates lie together, as bootstrap and permutation leave
 * them: t* = |replicate - centre| / spread. A spread of 0 makes every t* 0; a replicate that is NaN
 * exceeds everything (ours: conservative). */
typedef struct multiple_column {
    double t;                 /* observed, studentised; NaN: not in the family */
    const double *replicates; /* [count] common draws: replicate r of all      */
    double centre, spread;
} multiple_column;
/* multiple_maxt_single without a copy of the replicates. Errors: MEMORY. */
tare_status multiple_maxt_columns(double *q, const multiple_column *columns, size_t n, size_t count,
                                  const mem *m, tare_error *err);

/* Smallest number of replicates at which a p at its floor, floor_count/(B + 1), can still be
 * significant in a family of m: floor m <= alpha. floor_count is 1 (centred) or 2 (inversion). */
uint64_t multiple_replicates_needed(size_t m, double alpha, unsigned floor_count);

#endif
