/* agree_cells.h - agreement with gold from a table of counts: rows that share panel score and gold
 * are one cell (judge audits B.5, C.2, C.4).
 *
 * Panels of a few coarse judges have few cells, so that thousands of panels, folds and replicates
 * cost little more than the counting of their rows. Ties are exact equality of the score rounded to
 * 12 significant digits (0.8). A pair of rows weighs w_i w_j over distinct rows (C.2). */
#ifndef AUDIT_PANEL_AGREE_CELLS_H
#define AUDIT_PANEL_AGREE_CELLS_H

#include <stddef.h>
#include <stdint.h>

#include "audit/panel/aggregate.h"
#include "base/mem.h"
#include "tare.h"

typedef enum agree_kind {
    AGREE_TAU_B, AGREE_TAU_C, AGREE_PEARSON, AGREE_SPEARMAN, AGREE_ACCURACY, AGREE_KAPPA
} agree_kind;

/* What a score counts as where labels are compared: the nearest label; halfway between two, by the
 * tie policy of the vote: half of each, the lower, the higher, or no vote (ours). */
typedef struct agree_labels {
    const double *value; /* [count] ascending */
    size_t count;
    tie_policy ties;
} agree_labels;
#define AGREE_LABELS_MAX 100

typedef struct agree_cells {
    size_t cells, kx, ky;
    uint32_t *x, *y;       /* [cells] by (x, y): index of the score, of the gold */
    double *vx, *vy;       /* [kx], [ky] values, ascending                       */
} agree_cells;

/* Bytes of scratch for agree_of_cells. */
size_t agree_scratch_bytes(size_t kx, size_t ky, size_t labels);
/* weight[cells]; `squares`: sum of the squared weights of the rows (equal to the sum of weights
 * where these are 0 and 1); `rows` with weight. NaN where it is not defined (no variation). */
typedef struct agree_weights {
    const uint32_t *weight;
    uint64_t squares;
} agree_weights;
double agree_of_cells(agree_kind kind, const agree_cells *c, const agree_weights *w,
                      const agree_labels *labels, void *scratch);

/* One column of scores against gold, its rows sorted into cells once. */
typedef struct agree_column {
    agree_cells c;
    size_t rows;           /* with a score and a gold                             */
    uint32_t *cluster;     /* [rows] in order of cells                            */
    uint32_t *end;         /* [cells] where the rows of a cell end                */
} agree_column;
/* Rows in which x or gold is NaN, or `also` (may be NULL) is, are left out. Lives in `a`.
 * Errors: MEMORY. */
typedef struct agree_rows {
    const double *gold;
    const uint32_t *cluster;
    size_t rows;
} agree_rows;
tare_status agree_column_make(agree_column *out, arena *a, const double *x, const double *also,
                              const agree_rows *r, tare_error *err);
/* Under weights of clusters (NULL: all 1). `scratch`: agree_column_scratch bytes. */
size_t agree_column_scratch(const agree_column *c, size_t labels);
double agree_of_column(agree_kind kind, const agree_column *c, const uint8_t *w,
                       const agree_labels *labels, void *scratch);

/* Sorted distinct values of x[n] without NaN, by key; `order` [n] (may be NULL) gets for each x the
 * place of its key, UINT32_MAX for NaN. */
tare_status agree_code(double **values, size_t *count, uint32_t *order, arena *a, const double *x,
                       size_t n, tare_error *err);

#endif
