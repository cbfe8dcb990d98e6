/* matrix_view.h - how views are made: who takes part, which items, then the numbers. */
#ifndef AUDIT_MATRIX_MATRIX_VIEW_H
#define AUDIT_MATRIX_MATRIX_VIEW_H

#include "audit/matrix/matrix_study.h"

tare_status matrix_views_open(matrix_study *s, tare_error *err); /* matrix_view.c */

/* Fill a view whose authors, judges and items are chosen: scores, clusters, plan, sums, matrices
 * (matrix_cube.c). */
tare_status matrix_view_fill(matrix_view *v, matrix_study *s, tare_error *err);
/* The same authors and judges on other items, for two settings together; `item` ascending, all of
 * them complete. */
tare_status matrix_view_restrict(matrix_view *out, const matrix_view *v, matrix_study *s,
                                 uint32_t *item, size_t items, tare_error *err);
/* The judges that are authors, and who is kin to whom (matrix_kin.c). */
tare_status matrix_view_kin(matrix_view *v, matrix_study *s, tare_error *err);
/* Everything that is resampled (matrix_cells.c). */
tare_status matrix_view_totals(matrix_view *v, matrix_study *s, tare_error *err);
/* The status of (item, author, judge); TARE_R_ABSENT where there is no row. */
tare_reason matrix_cell_status(const matrix_study *s, const matrix_view *v, uint32_t item,
                               size_t author, size_t judge);

#endif
