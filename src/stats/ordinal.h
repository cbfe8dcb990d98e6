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
    double *se;           /* [p] model based; NaN where dropped                                  */
    double *se_cluster;   /* [p] sandwich by clusters, times M/(M-1); NULL without clusters      */
    double *se_threshold; /* [K - 1] model based                                                 */
    double log_likelihood;
    size_t iterations;
    bool converged;       /* to a finite maximum                                                 */
    bool separated;       /* levels are separated: some coefficient grows without bound          */
} ordinal_fit;

#define ORDINAL_LEVELS 200
/* x [p][n] column-major, y [n] any numbers (levels = distinct values). A column that depends on
 * earlier ones and the thresholds is dropped by the rule of linear.h. Everything in the arena.
 * A fit that does not converge is no failure: `converged` says so; neither is one level only, whose
 * beta is NaN. model->intercept is ignored, the thresholds are the intercepts. Rows that are mostly
 * 0 are cheap. Errors: DATA (NaN or infinity; a cluster out of range), LIMIT (levels), MEMORY. */
tare_status ordinal_logit(ordinal_fit *out, const linear_model *model,
                          const linear_clusters *clusters, arena *a, tare_error *err);

#endif
