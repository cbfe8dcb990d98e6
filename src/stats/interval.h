/* interval.h - intervals and p from bootstrap replicates (statistics 4).
 *
 * Functions that take `double *t` reorder it: they select the few ranks they need. t holds no NaN;
 * take the defined replicates with boot_defined first. */
#ifndef STATS_INTERVAL_H
#define STATS_INTERVAL_H

#include <stdbool.h>
#include <stddef.h>

typedef struct interval {
    double lo, hi;
    bool extreme; /* a rank fell outside 1..b: the end is the extreme replicate */
} interval;

/* Copies the finite replicates of t[b] to out[b] (infinite ones count as undefined) and returns how
 * many there are. -0.0 becomes 0.0. */
size_t boot_defined(double *out, const double *t, size_t b);

/* The value at rank (b+1) q, between neighbours interpolated on the normal-quantile scale.
 * 0 < q < 1, b >= 1. *extreme is set if the rank is outside 1..b, else left alone. */
double interval_quantile(double *t, size_t b, double q, bool *extreme);
/* Ends at q = alpha/2 and 1 - alpha/2. b = 0: NaN. */
interval interval_percentile(double *t, size_t b, double alpha);

/* The same for alpha and 2 alpha in one selection. Where the ends are depends on b and alpha alone:
 * once for many estimates. */
typedef struct interval_ends {
    size_t b;
    struct { size_t rank[2]; double share; bool extreme; } end[4]; /* alpha/2, alpha, and 1 - those;
                        rank 0-based; the end is t[rank 0] + share (t[rank 1] - t[rank 0]) */
} interval_ends;
interval_ends interval_ends_of(size_t b, double alpha);                       /* b >= 1 */
void interval_of_ends(interval *outer, interval *inner, double *t, const interval_ends *ends);

/* BCa. influence[m]: (m-1)(theta - theta without c); entries that are NaN are left out. Where it
 * cannot be made (all replicates on one side of theta, no variation of the influence, an adjustment
 * beyond its pole) `ends` is the percentile interval and `fallback` says why; else it is NULL. */
typedef struct interval_bca_result {
    interval ends;
    double z0, a;
    double rank_lo, rank_hi; /* (b+1) q' */
    const char *fallback;
} interval_bca_result;
interval_bca_result interval_bca(double *t, size_t b, double theta, const double *influence,
                                 size_t m, double alpha);

/* p of theta = 0. `scale` is the mean absolute contribution of a cluster: values nearer than
 * 1e-12 max(|theta|, scale) to the bound count as at the bound (statistics 1.6).
 *   centred    (1 + #{|t - theta| >= |theta|}) / (b + 1), two-sided; floor 1/(b+1)
 *   inversion  min(1, 2 min(1 + #{t <= 0}, 1 + #{t >= 0}) / (b + 1)); floor 2/(b+1)
 *   one-sided  of the alternative theta < 0 (less) or theta > 0, centred; floor 1/(b+1)  */
double boot_p_centred(const double *t, size_t b, double theta, double scale);
double boot_p_inversion(const double *t, size_t b, double scale);
double boot_p_one_sided(const double *t, size_t b, double theta, double scale, bool less);

/* Put the values of the given ranks (0-based, ascending, < n) to their places, as a full sort
 * would. */
void select_ranks(double *t, size_t n, const size_t *ranks, size_t count);

#endif
