/* linear_parts.h - pieces shared by the sources of linear.h only. */
#ifndef STATS_LINEAR_PARTS_H
#define STATS_LINEAR_PARTS_H

#include "stats/linear.h"
#include "stats/moments.h"

/* Eigenvalues of I - S at or below this are taken as 0. */
#define LEVERAGE_LEFT 1e-10

/* w [k] = L' z of row i: k = rank + intercept orthonormal coordinates. */
void linear_row(double *w, const linear_ols *fit, const linear_model *model, size_t i);
/* total [k][k] += t t'. */
void linear_outer_add(neumaier *total, const double *t, size_t k);

/* Arrays of `out` (filled with NaN) and, for every coefficient, its coordinates: [p+1][k+1], the
 * last cell 1 if the coefficient is there. */
tare_status linear_cov_new(linear_cov *out, double **contrasts, const linear_ols *fit, arena *a,
                           tare_error *err);
/* v = contrasts meat contrasts', and se. */
void linear_cov_fill(linear_cov *out, const double *contrasts, const double *meat, size_t k);

/* What the sum over clusters needs. contrasts NULL: CR0, else CR2 and Satterthwaite df into df. */
typedef struct linear_scores {
    const linear_ols *fit;
    const linear_model *model;
    const linear_clusters *clusters;
    const double *contrasts;
    double *df;
} linear_scores;
/* meat [k][k] = sum of the outer products of cluster scores; *used = clusters with rows. */
tare_status linear_meat(double *meat, size_t *used, const linear_scores *scores, const mem *m,
                        tare_error *err);

#endif
