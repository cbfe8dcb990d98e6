/* omnibus_null.h - what the largest difference between groups looks like where labels are shuffled,
 * as a histogram for table and figures. Beside it: what would be expected of the pair that turned
 * out to lie furthest apart, had it been named beforehand. The distance of the two is what picking
 * costs. */
#ifndef AUDIT_SCORER_OMNIBUS_NULL_H
#define AUDIT_SCORER_OMNIBUS_NULL_H

#include "audit/scorer/study.h"
#include "stats/permute.h"

#define NULL_BINS 40

struct omnibus_null {
    struct omnibus_null *next;
    const view *v;
    int metric;
    double observed, top;          /* T; upper end of the last bin, the first begins at 0 */
    uint32_t count[NULL_BINS];     /* of the replicates */
    uint32_t replicates;
    double pair_share[NULL_BINS];  /* |difference| of the one pair, from Welch's t */
};

/* From T of all sampled permutations [replicates]. */
tare_status omnibus_null_add(study *t, const view *v, int metric, const omnibus_result *r,
                             const double *replicates, tare_error *err);

#endif
