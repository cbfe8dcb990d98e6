/* matrix_ranks.h - where a judge ranks its own model, and where the others rank it (judge audits
 * E.2). */
#ifndef AUDIT_MATRIX_MATRIX_RANKS_H
#define AUDIT_MATRIX_MATRIX_RANKS_H

#include "audit/matrix/matrix_study.h"

/* Of every self cell: its rank by the judge itself and by the mean score of the others (1 = best,
 * ties share the average rank; means rounded to 12 digits first), (rank_peers - rank_own) / authors
 * (positive: favours itself, definition 2), and the rank by itself minus the mean of its ranks by
 * each other judge (negative: favours itself, definition 1). */
void matrix_view_ranks(matrix_view *v);

#endif
