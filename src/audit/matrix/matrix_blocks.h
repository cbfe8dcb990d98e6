/* matrix_blocks.h - families and other blocks of models (judge audits A.4).
 *
 * A block is a value of a grouping of the roster ("family: Qwen"). Its cells are the (author,
 * judge) that share the value and are not one model; "outside" are the authors without the value,
 * as judged by the block's judges. A model may be in several blocks of a grouping. */
#ifndef AUDIT_MATRIX_MATRIX_BLOCKS_H
#define AUDIT_MATRIX_MATRIX_BLOCKS_H

#include "audit/matrix/matrix_study.h"
#include "stats/identity.h"

enum { BLOCK_R, BLOCK_Z, BLOCK_PHI2, BLOCK_KINDS }; /* residuals of which kind */

typedef struct matrix_block {
    size_t grouping;           /* place in the view's groupings                                  */
    const char *value;         /* "Qwen"                                                         */
    uint8_t *cell;             /* [G][E] 1: of the block, 2: outside, 0: neither                 */
    size_t cells, outside;
    size_t models;             /* judges of the block that are authors                           */
    size_t positive;           /* cells with Phi~ > 0                                            */
    double mean[BLOCK_KINDS], mean_outside[BLOCK_KINDS];
    /* The mean of the block's cells less that of the outside cells, as weights on cell means, less
     * their row and column means over all cells that are no self cells: so the difference of R
     * after an additive fit of judges and authors to those cells (ours). A bonus for the own model,
     * which shifts self cells and with them the margins of R, does not enter. NULL: the fit leaves
     * nothing. */
    double *contrast;
    double apart;              /* the difference; NaN                                             */
    inference *no_self;        /* of it; NULL with `within`                                       */
    inference *within, *difference; /* [BLOCK_KINDS] of the mean, and less the outside's; NULL:
                                       nothing was resampled                                     */
    size_t entry[BLOCK_KINDS]; /* of the difference, in book.entries; BOOK_NONE                  */
} matrix_block;

typedef struct matrix_assignment { /* one grouping as a whole */
    size_t grouping, models, related; /* models both judge and author; ordered pairs of kin      */
    block_result result[2];    /* on R and on Z; p NaN: not run                                  */
    size_t entry[2];
    const char *reason;        /* why not                                                        */
} matrix_assignment;

typedef struct matrix_blocks {
    matrix_block *block;
    size_t count;
    matrix_assignment *assignment; /* one per grouping asked for                                 */
    size_t assignments;
    size_t ddof;
    const matrix_view *view;
    double *values;            /* [count][BLOCK_VALUES] as estimated                             */
} matrix_blocks;
#define BLOCK_VALUES (2 * BLOCK_KINDS + 1)

/* Find the blocks of a view, so that v->blocks is there, and describe their resampled means as one
 * function of the view's sums: whoever makes the product adds it to his own and hands its
 * `outputs` inferences to matrix_blocks_take. outputs 0: nothing to resample. Errors: USAGE
 * (--block names no grouping), MEMORY. */
tare_status matrix_blocks_describe(infer_smooth *out, matrix_study *s, matrix_view *v,
                                   tare_error *err);
void matrix_blocks_take(matrix_view *v, inference *inf);

#endif
