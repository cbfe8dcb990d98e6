/* regression_rows.h - the rows that the regressions of judge audits A.6 see: every ok score of one
 * setting, its dims together, with gold and length beside it. */
#ifndef AUDIT_MATRIX_REGRESSION_ROWS_H
#define AUDIT_MATRIX_REGRESSION_ROWS_H

#include "audit/matrix/cell_regression.h"
#include "audit/matrix/matrix_study.h"

typedef enum gold_source { GOLD_NONE, GOLD_COLUMN, GOLD_PEERS } gold_source;

/* Who and what takes part: places a, j, d below number these lists; cell (a J + j) D + d. */
typedef struct regression_cast {
    size_t setting;                  /* index into the table's settings                          */
    size_t A, J, D;
    const size_t *author, *judge;    /* [A], [J] indices into the table's axes, ascending        */
    const size_t *layer;             /* [D] layers of the table                                  */
} regression_cast;

typedef struct regression_rows {
    const regression_cast *cast;
    cell_rows rows;
    double *sums;                    /* [cells][CELL_SUMS]                                       */
    double scale, offset;            /* stored scores are (score - offset) / scale, then centred */
    gold_source gold;
    /* As score_table_missing counts: a row is expected for every unit and judge that occur in the
     * layer. Scores that cannot have two peers are excluded, those whose peers' scores are missing
     * or that lack gold or length are missing. */
    missing_counts missing;
    uint64_t no_gold, no_length;     /* scores left out for want of these                        */
    uint64_t no_peers;               /* of no_gold: there are not two peers                      */
} regression_rows;

/* rescale max: scores and gold by their joint maximum; range: to 0..1 by their joint range; none.
 * (ours) a maximum that is not positive, or a range of 0, divides by 1. Peers (ours): the mean
 * score that the text got from the other judges that are neither its author nor of its family;
 * fewer than two of them: no gold. length: tanh((length - mean)/sd) within the item. Rows without
 * what is asked for are left out and counted. Errors: LIMIT, MEMORY. */
typedef struct regression_ask {
    gold_source gold;
    bool length;
    const char *rescale;
} regression_ask;
tare_status regression_rows_make(regression_rows *out, matrix_study *s,
                                 const regression_cast *cast, const regression_ask *ask,
                                 tare_error *err);
/* Do author a and judge j (places) share a family, without being one model? */
bool regression_kin(const matrix_study *s, const regression_cast *cast, size_t a, size_t j);
bool regression_self(const matrix_study *s, const regression_cast *cast, size_t a, size_t j);

#endif
