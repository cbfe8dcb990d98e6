/* ordinal_parts.h - what ordinal.c and ordinal_newton.c share. */
#ifndef STATS_ORDINAL_PARTS_H
#define STATS_ORDINAL_PARTS_H

#include "stats/ordinal.h"

/* Parameters: K - 1 thresholds, then the coefficients of the kept columns. */
typedef struct ordinal_case {
    size_t n, K, p, q;       /* rows, levels, kept columns, parameters K - 1 + p                 */
    const uint32_t *level;   /* [n] 0..K-1                                                       */
    /* the values of the kept columns that are not 0, row by row */
    const size_t *start;     /* [n + 1]                                                          */
    const uint32_t *column;  /* < p                                                              */
    const double *value;
} ordinal_case;

/* One row's log-likelihood and derivatives. Parameters of the row: upper threshold (level),
 * lower threshold (level - 1), eta. */
typedef struct ordinal_row {
    double log, d[3], dd[3][3]; /* dd: second derivatives, negative */
} ordinal_row;
/* False: the thresholds are not ascending there. */
bool ordinal_row_of(ordinal_row *out, const ordinal_case *c, const double *parameter, size_t i);

/* Maximum by Newton's method with halved steps. root [q][q] is the Cholesky factor (lower) of the
 * information there. False: no maximum was reached, and the last cell of root is NaN. */
bool ordinal_newton(double *parameter, double *root, double *log_likelihood, size_t *iterations,
                    const ordinal_case *c, double *work /* [3 q] */);
/* The row's derivatives by its parameters, added to v [q]. */
void ordinal_score_add(double *v, const ordinal_case *c, const ordinal_row *row, size_t i);
/* b <- (L L')^-1 b. */
void ordinal_solve(double *b, const double *root, size_t q);

#endif
