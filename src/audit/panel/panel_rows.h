/* panel_rows.h - one layer of the score table as the panel audit sees it: rows (item, author), the
 * judges that can be used, the scores that enter the aggregation, gold, folds. */
#ifndef AUDIT_PANEL_PANEL_ROWS_H
#define AUDIT_PANEL_PANEL_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "audit/judge/score_table.h"
#include "audit/panel/aggregate.h"

/* Fewest items, and smallest share of them, that a balanced matrix may keep (A.1; ours). */
#define BALANCED_ITEMS 30
#define BALANCED_SHARE 0.5
#define PANEL_CELLS_MOST 4096 /* cells of an augmented matrix (ours) */

typedef struct panel_rows {
    const score_table *t;
    size_t layer;
    size_t rows, judges, authors;
    const double *raw;      /* [rows][judges] as they were given                                  */
    const double *score;    /* [rows][judges] what is aggregated: z-scores under zmean            */
    size_t dims;            /* dims of geomedian; else 1                                          */
    size_t own_dim;         /* which of them this layer is                                        */
    const double **dim_score; /* [dims] scores of each dim, of the same setting                   */
    const double *gold;     /* [rows] NaN: none                                                   */
    uint32_t *cluster;      /* [rows]                                                             */
    uint8_t *in_matrix;     /* [rows] enters cell means                                           */
    uint8_t *usable;        /* [judges] scored, and not constant under zmean                      */
    size_t *author_of;      /* [judges] SIZE_MAX: writes nothing here                             */
    size_t scored;          /* rows with any score: others are of another setting or dim          */
    size_t usable_count, with_gold, matrix_items, items; /* of those rows                         */
    bool binary;            /* all scores and golds are 0 or 1                                    */
    bool matrix;            /* there are cell means to be had: why not, in `no_matrix`            */
    const char *no_matrix;
} panel_rows;

/* Everything lives in `a`. `available`: cell means over what is there. Errors: DATA ("panel.lmc": a
 * verdict outside the five, "panel.binary": any/all on scores other than 0 and 1, "panel.nobody":
 * no judge can be used, "panel.no_gold", "panel.constant_gold"), MEMORY. */
tare_status panel_rows_make(panel_rows *out, arena *a, const score_table *t, size_t layer,
                            const aggregator *g, bool available, tare_error *err);

/* Has the row a score of each of these judges, in every dim that is aggregated? The rows on which
 * panels are compared. */
bool panel_row_complete(const panel_rows *r, const size_t *judge, size_t judges, size_t row);

/* Is the panel the mean of all judges of the matrix, row by row, whatever its rule is called?
 * Preference is measured from that mean: R of such a panel is 0 by construction (B.3). */
bool panel_is_yardstick(const panel_rows *r, const double *score);

/* Panel score of every row, NaN where there is none: `out` [rows]. Doubles of scratch: see
 * PANEL_SCRATCH. Without the members for which leave_out says so (may be NULL): the row's author is
 * the member; then `shift` [dims][judges] (may be NULL) is taken from each score. */
#define PANEL_SCRATCH(members, dims) ((members) * (dims) + (members) + 3 * (dims))
typedef struct panel_members {
    const size_t *judge;
    size_t count;
    bool leave_self_out;
    const double *shift;
} panel_members;
void panel_score(double *out, const panel_rows *r, const aggregator *g, const panel_members *m,
                 double *scratch);

#endif
