/* linear.h - least squares with cluster-robust errors (statistics 9).
 *
 * Design matrices are column-major: column j of x [p][n] starts at x + j n. The intercept is a
 * flag, never a column. Fixed effects are absorbed beforehand by linear_demean; the model then says
 * how many were absorbed, because a dummy model would have counted them. */
#ifndef STATS_LINEAR_H
#define STATS_LINEAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"
#include "tare.h"

typedef struct linear_model {
    size_t n, p;            /* rows, columns of x                                       */
    const double *x;        /* [p][n]                                                   */
    const double *y;        /* [n]                                                      */
    bool intercept;         /* false after demeaning                                    */
    size_t absorbed;        /* effects taken out of x and y: as many as a dummy model
                               would estimate; 0 if none                                */
    const uint32_t *effect; /* [n] the effect of each row, < effects, if x and y were
                               demeaned within one factor; else NULL. HC2 and HC3 need
                               it for the leverage the effects have                     */
    size_t effects;
} linear_model;

/* All arrays live in the arena given to linear_fit. Coefficients are addressed 0..p-1 as the
 * columns of x, and LINEAR_INTERCEPT. */
#define LINEAR_INTERCEPT SIZE_MAX
typedef struct linear_ols {
    size_t n, p, rank;   /* rank: columns kept, without the intercept                     */
    bool intercept;
    size_t absorbed;
    double *beta;        /* [p], NaN where dropped                                        */
    double constant;     /* intercept; NaN if there is none                               */
    bool *dropped;       /* [p] |R_kk| < 1e-5: depends on earlier columns                 */
    double *depends;     /* [p][p] row j, for dropped j: weight of each column it depends on,
                            x_j = sum_i depends[j][i] x_i + constant but for 1e-5; 0 where the
                            share of column i is below 1e-5 of column j's length, and for
                            kept j. A constant column depends on none                     */
    double *residual;    /* [n]                                                           */
    double rss, tss, r2; /* tss about the mean with an intercept, about 0 without (within
                            R2 for demeaned data). r2 NaN if tss is 0                     */
    double *vif;         /* [p] 1/(1 - R2_j) among kept columns; NaN where dropped        */
    double condition;    /* largest over smallest singular value of the centred columns of
                            unit length; NaN if none is kept                              */
    size_t *kept;        /* [rank] column of x                                            */
    double *mean;        /* [p] column means with an intercept, else 0                    */
    double *basis;       /* [k][k] upper triangular L, k = rank + intercept: the rows of
                            [1, x - mean] L are orthonormal columns; (X'X)^-1 = L L'      */
} linear_ols;

/* Householder QR of the centred columns of unit length in the stated order. Degenerate input (no
 * rows, every column dropped) is no failure: rank says so.
 * Errors: DATA (NaN or infinity in x or y), LIMIT, MEMORY. */
tare_status linear_fit(linear_ols *out, const linear_model *model, arena *a, tare_error *err);

/* Subtract from v[n] the mean of its effect, effect[i] < effects. Values that are all equal become
 * exactly 0. `counts` [effects] and `sums` [3 effects] are scratch; counts holds the sizes
 * afterwards. */
void linear_demean(double *v, const uint32_t *effect, size_t n, size_t effects, size_t *counts,
                   double *sums);

/* A factor: clusters of rows, or one of two crossed effects. */
typedef struct linear_clusters {
    const uint32_t *id; /* [n], < count. Clusters without rows are allowed            */
    size_t count;
    size_t nested;      /* absorbed effects nested in the clusters and therefore left out of p in
                           N - p of CR1 and HC1 (option `nested`); 0 is the default: count all */
} linear_clusters;

/* The same for two crossed factors (statistics 10): both means are taken out in turn until no value
 * changes by 1e-13 of the SD of v; *converged is false after 10,000 sweeps. A complete table needs
 * one sweep. Together they absorb levels of A + levels of B - components. Errors: DATA, MEMORY. */
tare_status linear_demean_two(bool *converged, double *v, const linear_clusters by[2], size_t n,
                              const mem *m, tare_error *err);
/* Connected parts of the graph whose edges are the rows (level of A, level of B); levels without
 * rows are no part. More than one: the parts have to be analysed apart. `part` [n] (may be NULL)
 * gets the part of each row, numbered by first row. Errors: DATA, MEMORY. */
tare_status linear_components(size_t *count, uint32_t *part, const linear_clusters by[2], size_t n,
                              const mem *m, tare_error *err);

/* ---- Covariance ------------------------------------------------------------------------------ */

typedef enum linear_kind {
    LINEAR_HC0, LINEAR_HC1, LINEAR_HC2, LINEAR_HC3, /* rows; cluster ids are not used */
    LINEAR_CR0, LINEAR_CR1, LINEAR_CR2
} linear_kind;

typedef struct linear_cov {
    size_t p;
    double *v;         /* [p+1][p+1] covariance of beta, last row and column the intercept; NaN for
                          dropped columns and for an intercept that is not there */
    double *se;        /* [p+1] */
    double *df;        /* [p+1] Satterthwaite for CR2; clusters - 1 for CR0, CR1 and two-way (the
                          smaller one); N - p for HC  */
    size_t clusters;   /* with rows */
    bool clipped;      /* two-way: negative eigenvalues were set to 0 */
} linear_cov;

/* Covariance of `fit`, which came from `model`. Per row the work is O(k^2), per cluster O(k^3), the
 * memory O(clusters k^2): A_g is never formed, only its action on the columns' span.
 * Errors: USAGE (HC2/HC3 with absorbed effects whose ids are not given; CR without ids), MEMORY.
 * Fewer than two clusters: NaN. */
tare_status linear_covariance(linear_cov *out, const linear_ols *fit, const linear_model *model,
                              linear_kind kind, const linear_clusters *clusters, arena *a,
                              tare_error *err);
/* Cameron, Gelbach and Miller: V_A + V_B - V_AB, each CR0. The eigenvalues clipped are those of all
 * coefficients of the model: absorb the effects that are not of interest first. */
tare_status linear_covariance_two(linear_cov *out, const linear_ols *fit,
                                  const linear_model *model, const linear_clusters by[2], arena *a,
                                  tare_error *err);
/* p of beta_j = 0, two-sided by t with df; NaN stays NaN. */
double linear_p(const linear_ols *fit, const linear_cov *cov, size_t j);

/* Mean over rows in M clusters, from per-cluster sums and counts: intercept-only CR2 with its
 * Satterthwaite df (= the t of M - 1 df for equal sizes). No row: NaN; one cluster: se, df NaN. */
typedef struct linear_mean {
    double mean, se, df;
} linear_mean;
linear_mean linear_mean_cr2(const double *sum, const double *count, size_t m);

/* ---- Sufficient statistics for replicates (statistics 3) ------------------------------------- */

/* One row per cluster: upper triangle of X'X by rows, X'y, y'y, count. */
#define LINEAR_SUMS_WIDTH(p) ((p) * ((p) + 1) / 2 + (p) + 2)
/* z [clusters][LINEAR_SUMS_WIDTH(p)] from columns that are already demeaned; an intercept becomes a
 * leading column of ones (p + 1 columns). Errors: DATA (id out of range), MEMORY. */
tare_status linear_sums(double *z, const linear_model *model, const linear_clusters *clusters,
                        const mem *m, tare_error *err);

/* Solve the normal equations of one total of such rows for p coefficients. Cholesky of the
 * correlation form; a pivot below 1e-10, a column of length 0 or a NaN is rank loss: beta NaN,
 * false. No allocation; for millions of calls. p <= LINEAR_SOLVE_MAX. */
#define LINEAR_SOLVE_MAX 40
bool linear_solve_spd(double *beta, const double *total, size_t p);
/* y'y - b'X'y of the same total, not below 0. */
double linear_solve_rss(const double *beta, const double *total, size_t p);

#endif
