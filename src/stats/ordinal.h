/* ordinal.h - proportional-odds (cumulative logit) regression by Newton's method, with cluster-
 * robust errors (judge audits A.6, --link ordinal). */
#ifndef STATS_ORDINAL_H
#define STATS_ORDINAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"
#include "stats/linear.h"
#include "tare.h"

typedef struct ordinal_fit {
    size_t n, p, levels;  /* levels K of y: K - 1 thresholds                                     */
    double *beta;         /* [p] logit P(y <= k) = theta_k - x'beta: + means higher; NaN: dropped */
    double *threshold;    /* [K - 1] ascending                                                   */
    double *se;           /* [p] model based                                                     */
    double *se_cluster;   /* [p] sandwich by clusters, times M/(M-1); NULL without clusters      */
    double log_likelihood;
    bool converged, separated;
} ordinal_fit;

/* x [p][n] column-major, y [n] any numbers (levels = distinct values). Everything in the arena.
 * A fit that does not converge is no failure: `converged` says so.
 * Errors: DATA (NaN), LIMIT (levels > 200), MEMORY. */
tare_status ordinal_logit(ordinal_fit *out, const linear_model *model,
                          const linear_clusters *clusters, arena *a, tare_error *err);

#endif
