/* wilcoxon.h - Wilcoxon's signed-rank test of symmetry about 0 (Wilcoxon 1945); zeros are left out,
 * as he did. */
#ifndef STATS_WILCOXON_H
#define STATS_WILCOXON_H

#include <stdbool.h>
#include <stddef.h>

#include "base/mem.h"
#include "tare.h"

typedef struct wilcoxon_result {
    double plus, minus;  /* sums of the average ranks of positive and negative values       */
    double p, p_floor;   /* two-sided; NaN where every value is 0 or missing                */
    size_t n, zeros;     /* values that are ranked; zeros left out                          */
    bool exact;
} wilcoxon_result;

/* Up to so many values p is exact, given the ranks, ties included; beyond it is the normal
 * approximation with the variance corrected for ties, without continuity correction. */
#define WILCOXON_EXACT 50

/* x[n]; NaN entries are left out. Ranks tie at 12 significant digits (ours). Errors: MEMORY, LIMIT.
 */
tare_status wilcoxon_signed_rank(wilcoxon_result *out, const double *x, size_t n, const mem *m,
                                 tare_error *err);

#endif
