/* cell_regression.h - least squares on rows that differ by a cell and two numbers (judge audits
 * A.6; statistics 9).
 *
 * Every row belongs to one of few cells (author, judge, dim). The cell decides which indicator
 * columns are 1 and which column the row's gold enters; all rows share one column for length. So
 * sums per cell hold everything that X'X and X'y need, and no design matrix is ever formed: a row
 * costs some ten additions, whatever the number of columns. Columns are eliminated in their order
 * and dropped by the rule of linear.h; gold is centred by judge, length and score as a whole, which
 * the results do not show. One step of refinement makes up for the normal equations. There must be
 * no intercept but the one that the indicators span. */
#ifndef AUDIT_MATRIX_CELL_REGRESSION_H
#define AUDIT_MATRIX_CELL_REGRESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"
#include "base/pool.h"
#include "tare.h"

#define NO_COLUMN SIZE_MAX

typedef struct cell_rows {
    size_t n, cells, clusters; /* clusters without rows are allowed                              */
    size_t *start;             /* [clusters + 1] rows, cluster by cluster                        */
    uint32_t *cell;            /* [n] < cells                                                    */
    double *y;                 /* [n] less y_shift                                               */
    double *gold;              /* [n] less gold_shift of its cell; NULL: none                    */
    double *length;            /* [n] less length_shift; NULL: none                              */
    double y_shift, length_shift;
    double *gold_shift;        /* [cells] the same for all cells that share a slope              */
} cell_rows;

/* Sums over the rows of one cell, of numbers as they are stored in cell_rows. */
enum { CELL_N, CELL_Y, CELL_YY, CELL_G, CELL_GG, CELL_GY, CELL_L, CELL_LL, CELL_LY, CELL_LG,
       CELL_SUMS };
/* sums [cells][CELL_SUMS]. The same bits for any number of threads. Errors: MEMORY. */
tare_status cell_sums(double *sums, const cell_rows *rows, const mem *m, pool *p,
                      tare_error *err);

typedef struct cell_design {
    size_t p;
    const uint32_t *start;     /* [cells + 1]                                                    */
    const uint32_t *column;    /* indicator columns of cell c: column[start[c] .. start[c + 1])  */
    const size_t *slope;       /* [cells] column of gold, or NO_COLUMN; NULL: none               */
    size_t length;             /* column of length, or NO_COLUMN                                 */
} cell_design;

typedef struct cell_fit {
    size_t n, p, rank, clusters; /* clusters with rows                                           */
    double *beta;              /* [p] of the columns as stored (centred); NaN where dropped      */
    bool *dropped;             /* [p]                                                            */
    double *depends;           /* [p][p] row j, for dropped j: weights of earlier columns        */
    double *hc0, *cr0;         /* [p][p] covariances; NaN where dropped                          */
    double rss, tss;           /* tss about the mean                                             */
} cell_fit;

/* All arrays in the arena. Degenerate input (no rows, all columns dropped) is no failure.
 * Errors: LIMIT (columns), MEMORY. */
tare_status cell_regression(cell_fit *out, const cell_rows *rows, const cell_design *design,
                            const double *sums, arena *a, pool *p, tare_error *err);
/* CR1 / CR0 and HC1 / HC0 of variances: M/(M-1) (n-1)/(n-p), n/(n-p). NaN where undefined. */
double cell_cr1_factor(const cell_fit *fit);
double cell_hc1_factor(const cell_fit *fit);

/* A row of the design, as stored; x [p] is filled with 0 first. */
void cell_design_row(double *x, const cell_rows *rows, const cell_design *design, size_t row);

/* ---- between the sources (cell_meat.c) ---- */
/* Sums of squares around the residuals y - X beta: meat of clusters and of rows [p][p], and the sum
 * of the scores X'e [p]. */
typedef struct cell_meat {
    double *clusters, *rows, *score, rss;
    size_t used;               /* clusters with rows */
} cell_meat;
tare_status cell_meat_of(cell_meat *out, const cell_rows *rows, const cell_design *design,
                         const double *beta, arena *a, pool *p, tare_error *err);
/* How many pieces a walk over the rows is cut into: by the data alone, never by the threads. */
size_t cell_pieces(const cell_rows *rows, size_t bytes_each);
/* Adds to the upper triangle total [p][p] what the moments of a cell give: m of 1 (indicators),
 * gold and length, in the order 11 1g gg 1l lg ll. */
typedef struct cell_moments { double one, g, gg, l, lg, ll; } cell_moments;
void cell_outer_add(double *sum, double *low, const cell_design *design, size_t cell,
                    const cell_moments *m);

#endif
