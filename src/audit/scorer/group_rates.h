/* group_rates.h - which share of each group's bases is missing, and whether that depends on the
 * group (statistics 13). */
#ifndef AUDIT_SCORER_GROUP_RATES_H
#define AUDIT_SCORER_GROUP_RATES_H

#include "audit/scorer/study.h"
#include "stats/permute.h"

/* Groups of the arm, then those of which every base was excluded. In a rate the missing bases count
 * among the n. */
typedef struct group_rates {
    const char **name;
    size_t groups;
    base_count *count, all;   /* [groups]; of those that were tested */
    double *missing, *rate;   /* [groups] */
    permute_result test;      /* of the largest difference between rates */
    double spread;
} group_rates;

/* Groups that have a label. */
size_t group_rates_known(study *t, const cube_arm *arm);
/* Missing are the bases of the arm that are not `used` [bases] (NULL: none) and those that were
 * excluded from it. Labels move between clusters; an excluded base is a cluster of its own (ours:
 * which one it belonged to is not known), and where the label varies inside a cluster every base is
 * (ours). Bases without a label have a rate and do not enter the test; where more groups have a
 * label than can be tested, those of fewer than group_min bases do not either (ours). */
tare_status group_rates_test(group_rates *g, study *t, const cube_arm *arm, const bool *used,
                             tare_error *err);

/* Permutations of an arm's clusters, or bases, and of `extra` units more. */
tare_status missing_plan(permute_plan *plan, study *t, const cube_arm *arm, size_t extra,
                         bool by_base, tare_error *err);
/* A rate with Wilson's interval (ours: it has a width where nothing or everything is missing, and
 * takes the bases of one cluster for independent). */
inference group_rate(double missing, double n, double alpha);

#endif
