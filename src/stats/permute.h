/* permute.h - tests by sign flips and by permuted labels (statistics 5).
 *
 * Exact: count / total, the identity included. Sampled: (1 + count) / (P + 1), never 0 (Phipson and
 * Smyth). A replicate counts when it is at least the observed statistic within the tolerance of
 * statistics 1.6. */
#ifndef STATS_PERMUTE_H
#define STATS_PERMUTE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"
#include "base/pool.h"
#include "base/rng.h"
#include "stats/resample.h"
#include "tare.h"

typedef enum permute_mode { PERMUTE_AUTO, PERMUTE_EXACT, PERMUTE_SAMPLED } permute_mode;

typedef struct permute_result {
    double statistic, p;
    double p_floor;         /* no p can be smaller; two-sided for exact sign flips      */
    uint64_t count, total;  /* replicates at least as large; all (exact: with identity) */
    bool exact;
} permute_result;

/* Sign flip of k columns over M = signs->clusters clusters: column j is x[j * M ...], the cluster
 * sums; NaN where a cluster has no data. H0: contrasts are symmetric about 0; statistic
 * |sum_c s_c x_c|. AUTO is exact up to FLIP_EXACT_CLUSTERS clusters with data. Without
 * any: p NaN. Errors: USAGE (exact asked for with more), MEMORY. */
#define FLIP_EXACT_CLUSTERS 20
tare_status permute_flip(permute_result *out, const resample_draws *signs, permute_mode mode,
                         const double *x, size_t k, tare_error *err);

/* Labels that move between clusters, only within strata if these are given. */
typedef struct permute_plan {
    const mem *m;
    pool *pool;
    rng_key key;
    const uint64_t *h64;     /* [clusters] in canonical order */
    size_t clusters;
    const uint32_t *stratum; /* [clusters], < strata; or NULL: one */
    size_t strata;
    uint32_t replicates;
    permute_mode mode;       /* AUTO: exact up to LABELS_EXACT distinct labelings */
    double *const *null;     /* [k] of permute_omnibus: null[j] [replicates] receives T of every
                                sampled permutation, which are made even where p is exact;
                                null[j] or null itself NULL: not wanted. A degenerate column
                                leaves its place as it was */
} permute_plan;
#define LABELS_EXACT 50000
#define LABELS_EXACT_FORCED 20000000
/* Number of distinct labelings; UINT64_MAX if above 2^63. label[n] < labels. */
uint64_t permute_labelings(const uint32_t *label, const uint32_t *stratum, size_t n, size_t labels,
                           size_t strata, uint64_t *scratch /* [labels * strata] */);

/* Do the means of G groups of clusters differ? A cluster has a sum over `count` values; a group's
 * mean is its sum over its count. Clusters of count 0 or group OMNIBUS_NONE are left out; so is, by
 * the caller, every group that is too small. */
#define OMNIBUS_NONE UINT32_MAX
#define OMNIBUS_GROUPS_MAX 1000
typedef struct omnibus_column {
    const double *sum, *count; /* [clusters]; count NULL: 1 everywhere */
    const uint32_t *group;     /* [clusters]                           */
    size_t groups;             /* labels are below this; at most OMNIBUS_GROUPS_MAX may occur */
} omnibus_column;

typedef struct omnibus_result {
    permute_result range;      /* T = max mean - min mean; its p is the selection-free p of the
                                  most different pair                                          */
    permute_result student;    /* T_s = max over pairs |m_g - m_h| / sqrt(v_g + v_h), v = s^2/n for
                                  one value per cluster, its cluster-robust form otherwise; NaN if
                                  no two groups have two clusters, infinite if two that differ have
                                  no spread                                                    */
    size_t clusters, groups;   /* used                                                         */
    uint32_t high, low;        /* groups of the largest and smallest mean                      */
    double pair_t, pair_df, pair_p; /* Welch's test of that pair alone: cherry-picked          */
    double pair_se;            /* of its difference; NaN: a group of one cluster. 0, neither group
                                  varies: t, df and p are NaN                                  */
    bool degenerate;           /* fewer than two groups, or all values equal: p is NaN         */
} omnibus_result;
/* k columns over the same permutations. Errors: USAGE (a label >= groups, exact asked for with more
 * than LABELS_EXACT_FORCED labelings), LIMIT (groups), MEMORY. */
tare_status permute_omnibus(omnibus_result *out, const permute_plan *plan,
                            const omnibus_column *columns, size_t k, tare_error *err);

/* Is anything missing more often under one condition? missing[clusters][conditions] is 0 or 1;
 * values move within their cluster by its own stream (ours: the j-th value goes to the j-th
 * condition in the order of the stream's first words). T = largest minus smallest rate. Always
 * sampled. The same question for groups is permute_omnibus on the counts of missing values.
 * Nothing or everything missing: p 1. */
tare_status permute_conditions(permute_result *out, const permute_plan *plan,
                               const uint8_t *missing, size_t conditions, tare_error *err);

#endif
