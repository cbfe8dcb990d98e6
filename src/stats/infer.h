/* infer.h - one estimate with everything that is said beside it.
 *
 * The interval and p that lead are chosen by the number of clusters M (statistics 4):
 *   M >= 30      percentile bootstrap interval, centred bootstrap p
 *   6 <= M < 30  means: t interval (equal cluster sizes: M-1 df; unequal: intercept-only CR2 with
 *                Satterthwaite df) and sign-flip p; regression coefficients: CR2 with its df;
 *                other smooth statistics: jackknife SE with t(M-1)
 *   M < 6        estimate only, reason "too_few_clusters"
 * M counts the clusters that have data for the statistic. plan->interval other than CI_AUTO takes
 * that interval at any M >= 6, and the p of the same method then leads.
 * Contributions that are all equal: see "Zero variance" in statistics 8. Values that are not
 * finite: reason "degenerate"; more than 1 % of undefined replicates: "degenerate_replicates". */
#ifndef STATS_INFER_H
#define STATS_INFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"
#include "base/pool.h"
#include "tare.h"

/* Clusters from which anything is inferred, and from which the bootstrap leads (statistics 4). */
#define INFER_CLUSTERS_MIN 6
#define INFER_CLUSTERS_BOOT 30

/* How to infer: the draws of one base set, shared by all its analyses. */
typedef struct infer_plan {
    const mem *m;
    pool *pool;
    uint64_t seed;
    const char *analysis;      /* base set: "skin"; methods append "/boot", "/flip", "/perm" */
    size_t clusters;           /* M                                                          */
    const char *const *ids;    /* [M] cluster ids in canonical order (bytes ascending)       */
    uint32_t boot_b, perm_p;   /* replicates: 9999 each by default                           */
    double alpha, power;       /* .05, .80                                                   */
    enum { CI_AUTO, CI_PERCENTILE, CI_BCA, CI_T } interval;
    enum { P_CENTRED, P_INVERSION } boot_p;
    const struct infer_draws *draws; /* NULL: made for each call; or from infer_plan_prepare */
} infer_plan;

/* Draw the weights and signs of the plan once, for all calls that use it: `*out` is what the
 * caller puts into plan->draws. Results have the same bits with and without. A plan with other
 * clusters or replicates is refused (USAGE). Errors: MEMORY, USAGE (no clusters, no replicates). */
typedef struct infer_draws infer_draws;
tare_status infer_plan_prepare(infer_draws **out, const infer_plan *plan, tare_error *err);
/* Without the signs: calls that flip signs draw them again, with the same bits. For many clusters
 * of which only totals are made. */
tare_status infer_plan_prepare_weights(infer_draws **out, const infer_plan *plan, tare_error *err);
void infer_draws_free(infer_draws *d); /* NULL ok */

typedef struct inference {
    double estimate, se, df;
    double lo, hi;             /* 1 - alpha                                                  */
    double lo90, hi90;         /* 1 - 2 alpha: for TOST with bootstrap intervals             */
    double p, p_floor;         /* leading p and the smallest it can be                       */
    double p_boot, p_t, p_flip;/* printed second; NaN where not made                         */
    double skewness;           /* of cluster contributions                                   */
    bool under_cover, extreme, zero_variance;
    size_t n, clusters, undefined; /* rows, clusters used, undefined replicates              */
    size_t left_out;           /* replicates left out by infer_crossed.least                 */
    const char *interval_method, *p_method; /* static text: "percentile", "t", "CR2", ...    */
    const char *reason;        /* "" or why there is no answer                               */
    double *replicates;        /* [B] if asked for, owned by the caller's arena; else NULL   */
    double *influence;         /* [M] with the replicates: (M-1)(theta - theta without c), or for
                                  means its first-order form; NaN: cluster without data      */
} inference;

/* Mean of x over rows; row i belongs to cluster[i] < plan->clusters. Rows with used[i] == false are
 * left out (used NULL: all). `keep` (may be NULL): arena that receives the replicates. Degenerate
 * data gives `reason`. Errors: USAGE (a cluster out of range), MEMORY. */
typedef struct infer_column {
    const double *x;           /* [n]                                                        */
    const bool *used;          /* [n] or NULL: all                                           */
} infer_column;
typedef struct infer_rows {
    const uint32_t *cluster;   /* [n]                                                        */
    size_t n;
} infer_rows;
tare_status infer_mean(inference *out, const infer_plan *plan, const infer_column *column,
                       const infer_rows *rows, arena *keep, tare_error *err);
/* The same for k columns over the same rows and clusters, in one product. out[j] has the bits that
 * infer_mean gives for column j alone. */
tare_status infer_means(inference *out, const infer_plan *plan, const infer_column *columns,
                        size_t k, const infer_rows *rows, arena *keep, tare_error *err);

/* A smooth function g of p summed columns: sums.z is [M][p]; g(total, p, user) returns the
 * statistic or NaN where undefined. Regression coefficients pass CR2 values by `cr2` (se, df;
 * NULL: use the jackknife below 30 clusters). One product serves k functions: out[k]. */
typedef struct infer_smooth {
    double (*g)(const double *total, size_t p, const void *user);
    const void *user;
    const double *cr2;         /* NULL or {se, df}; with `many` [outputs][2]                 */
    size_t first, count;       /* the columns it sees, as total[0..count-1]; count 0: all.
                                  A cluster whose z is 0 in all of them has no data for it   */
    /* Instead of g (then NULL): `outputs` statistics from one evaluation, which then has that
     * many entries in `out`. */
    void (*many)(double *values, const double *total, size_t p, const void *user);
    size_t outputs;
    size_t n;                  /* rows, for inference.n                                      */
} infer_smooth;
typedef struct infer_sums {
    const double *z;           /* [M][p], one row for each cluster                           */
    size_t p;
} infer_sums;
tare_status infer_totals(inference *out, const infer_plan *plan, const infer_sums *sums,
                         const infer_smooth *functions, size_t k, arena *keep, tare_error *err);

/* Any statistic of cluster weights that is not smooth in sums (Kendall, Spearman, medians): it is
 * computed again for each replicate. `evaluate` fills `values` [outputs] (NaN: undefined) from the
 * weight of each cluster; `w` NULL: all 1, the estimate itself. It is called B times for the
 * bootstrap, with the weights of all other analyses of the plan, and M times with one cluster left
 * out for the influences when M < 30 or BCa or t is asked for (`jackknife` also otherwise; a paired
 * infer_difference needs them). Called from workers; `scratch` is private to one, zeroed once,
 * aligned to 64 bytes. p and intervals follow the rules above (other smooth statistics).
 *
 * No variation means here that neither the replicates nor the influences vary. Where only the
 * influences are all 0 (the median of tied values) the SD of the replicates stands in for the
 * jackknife SE: "bootstrap SE, t" (ours). */
typedef struct infer_weighted {
    void (*evaluate)(double *values, const uint8_t *w, const void *user, void *scratch);
    const void *user;
    size_t outputs, scratch_bytes;
    size_t n;                  /* rows, for inference.n                                      */
    bool jackknife;
    const bool *data;          /* [outputs][M] clusters that have data for it; NULL: all     */
    /* For INFER_LANES replicates at once, with the same values; NULL: one by one. values
     * [INFER_LANES][outputs]. Lanes have the weights by cluster, [M][INFER_LANES], w by replicate,
     * [INFER_LANES][M]. */
    void (*evaluate_lanes)(double *values, const uint8_t *lanes, const uint8_t *w,
                           const void *user, void *scratch);
} infer_weighted;
#define INFER_LANES 16
tare_status infer_weights(inference *out, const infer_plan *plan, const infer_weighted *what,
                          arena *keep, tare_error *err);

/* Two crossed factors, e.g. items (the plan's clusters) and judges: independent Poisson(1) weights
 * of both are multiplied (pigeonhole bootstrap, Owen 2007; conservative). `evaluate` gets one
 * weight per cluster of the plan and per level of the second factor, or NULL for both. Percentile
 * interval, SE and centred p; no verdict of its own is drawn from fewer than 6 levels or clusters:
 * reason too_few_clusters. df is the smaller number of levels less 1.
 *
 * Streams: analysis + "/pigeonhole" by ids for the plan's clusters, analysis + "/pigeonhole2" by
 * ids2 for the levels. They do not depend on which other clusters or levels there are, so that two
 * calls of one plan are paired; a difference is best made an output of its own, as there are no
 * influences. plan->draws is not used. */
typedef struct infer_crossed {
    void (*evaluate)(double *values, const uint8_t *w, const uint8_t *w2, const void *user,
                     void *scratch);
    const void *user;
    size_t outputs, scratch_bytes, n;
    const char *const *ids2;   /* [levels] canonical order                                   */
    size_t levels;
    /* (ours) Replicates in which fewer levels than this have a weight are left out and counted in
     * `left_out`: that few are drawn says nothing of the data. Up to 5 % of them; more are
     * degenerate_replicates. Of 6 levels fewer than two are drawn 2.8 times in a hundred. */
    size_t least;
    /* Instead of evaluate (then NULL): a function of the weighted sums of columns, which come from
     * one product; w2 NULL: all 1. */
    const infer_sums *sums;
    void (*of_totals)(double *values, const double *total, const uint8_t *w2, const void *user);
} infer_crossed;
tare_status infer_two_way(inference *out, const infer_plan *plan, const infer_crossed *what,
                          arena *keep, tare_error *err);

/* a - b, paired when both come from one plan (replicates subtracted; below 30 clusters the
 * influences, with t(M-1)), independent otherwise (statistics 4: both M >= 30 replicate by
 * replicate, else Welch-Satterthwaite t). Both need their replicates. */
tare_status infer_difference(inference *out, const inference *a, const inference *b,
                             const infer_plan *plan, bool paired, arena *keep, tare_error *err);

#endif
