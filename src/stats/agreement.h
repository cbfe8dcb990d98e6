/* agreement.h - chance-corrected agreement and reliability (judge audits C.4, statistics 11). Pure
 * functions; intervals come from infer_weights over units. A weight of units or rows is how often
 * each stands in the table: results are those of the table with its rows repeated. */
#ifndef STATS_AGREEMENT_H
#define STATS_AGREEMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"
#include "tare.h"

/* Pearson's r of x and y under weights (w NULL: 1); two-pass. Rows of weight 0 are not looked at.
 * NaN without variation or with a value that is not finite. */
double agree_pearson(const double *x, const double *y, const uint32_t *w, size_t n);
/* Spearman's rho under weights (w NULL: 1), from exact integer sums of doubled average ranks; for
 * many sets of weights kendall_spearman (kendall.h) sorts once. NaN without variation.
 * Errors: DATA (a NaN), LIMIT (n >= 2^31), MEMORY. */
tare_status agree_spearman(double *out, const double *x, const double *y, const uint32_t *w,
                           size_t n, const mem *m, tare_error *err);

/* ---- Cohen's kappa ---- */
typedef enum kappa_weights { KAPPA_NOMINAL, KAPPA_LINEAR, KAPPA_QUADRATIC } kappa_weights;
/* From a k x k table of counts (rows: first rater), row-major. Linear and quadratic weights are by
 * place among the sorted categories. NaN: expected disagreement 0. */
double kappa_table(const double *table, size_t k, kappa_weights weights);

/* ---- Krippendorff's alpha ---- */
typedef enum alpha_level { ALPHA_NOMINAL, ALPHA_ORDINAL, ALPHA_INTERVAL, ALPHA_RATIO } alpha_level;
#define ALPHA_LEVELS 4
/* Ratings x[units][raters], NaN: missing; from the counts of distinct values, never all pairs.
 * Prepared once, evaluated under weights of units (w NULL: 1).
 *
 * The disagreement within a unit is a constant of the unit (of ordinal: twice the variance of mid-
 * ranks, as the ordinal distance is a difference of mid-ranks), the expected one a variance over
 * all values. So an evaluation costs one look at each rating; only ratio has a term for each pair
 * of distinct values, and has no answer (`ratio_limited`) where these are more than
 * ALPHA_RATIO_VALUES. Ratio is NaN where a value is negative (ours). */
#define ALPHA_RATIO_VALUES 1024
typedef struct alpha_rows alpha_rows;
typedef struct alpha_result {
    double alpha[ALPHA_LEVELS];   /* NaN: no variation                                    */
    size_t units, units_single;   /* with two ratings or more; dropped with one           */
    size_t ratings, values;       /* pairable ratings; distinct values among them         */
    bool ratio_limited;
} alpha_result;
/* Errors: LIMIT (2^31 cells or more), MEMORY. */
tare_status alpha_rows_new(alpha_rows **out, const double *x, size_t units, size_t raters,
                           const mem *m, tare_error *err);
void alpha_rows_free(alpha_rows *r);
/* Evaluate only the levels of the mask (bit 1 << ALPHA_INTERVAL, ...); the others are NaN. At first
 * all. */
void alpha_rows_levels(alpha_rows *r, unsigned mask);
size_t alpha_scratch_bytes(const alpha_rows *r);
/* `scratch`: any content, aligned to 8. */
void alpha_weighted(alpha_result *out, const alpha_rows *r, const uint32_t *w, void *scratch);

/* ---- Intraclass correlation (Shrout and Fleiss) ---- */
typedef struct icc_result {
    double bms, wms, jms, ems;
    double single[3]; /* (1,1) (2,1) (3,1) */
    double mean[3];   /* (1,k) (2,k) (3,k) */
} icc_result;
/* x[targets][raters] complete; weights of targets (NULL: 1). NaN where undefined: fewer than two
 * targets or raters, no variation, a value that is not finite. */
void icc_weighted(icc_result *out, const double *x, const uint32_t *w, size_t targets,
                  size_t raters);

/* ---- Effective number of judges (statistics 12, judge audits B.5) ---- */
typedef struct effective_votes {
    size_t judges, constant;   /* with variation; left out                                     */
    double rho, kish, kish_raw, eigen; /* kish is cut to [1, n], kish_raw is not               */
} effective_votes;
/* Errors of judges: e[units][judges]; NaN: the unit is left out of the pairs it is missing in. */
typedef struct judge_errors {
    const double *e;
    const uint32_t *w; /* [units] weights; NULL: 1 */
    size_t units, judges;
} judge_errors;
/* correlation [judges][judges] (may be NULL) gets the matrix; NaN for constant judges. */
tare_status effective_votes_of(effective_votes *out, double *correlation,
                               const judge_errors *errors, const mem *m, tare_error *err);
/* The same from the matrix: for replicates, whose correlations come from resampled sums. A judge
 * whose diagonal is NaN is constant; a pair that is NaN (no common units) is left out of the mean
 * of correlations and, in `eigen`, of the mean of their squares. NaN without judges; 1 for one. */
void effective_votes_matrix(effective_votes *out, const double *correlation, size_t judges);

#endif
