/* transfer_difference.h - compared less reference of one reading (scorer audit 8), by what both
 * sides have in common:
 *
 *   the same bases     differences by base, complete cases (statistics 13)
 *   some bases         one statistic of the clusters of both: (sum, n) of either side (ours)
 *   no base            independent sets (statistics 4)
 *
 * Clusters of both sides are one by their name where the sides agree on all common bases, else if
 * they have a base in common (ours): the difference is the same whichever side is the reference. */
#ifndef AUDIT_SCORER_TRANSFER_DIFFERENCE_H
#define AUDIT_SCORER_TRANSFER_DIFFERENCE_H

#include "audit/scorer/study.h"

typedef struct cell_difference {
    inference inf;
    base_count count;  /* of the bases that it rests on        */
    const char *how;   /* "paired", "partly paired"; "": apart */
} cell_difference;

/* One side: its view, and a value for each base of it; NaN: none. */
typedef struct difference_side {
    const view *v;
    const double *x;
} difference_side;
tare_status transfer_difference(cell_difference *out, study *t, difference_side reference,
                                difference_side compared, tare_error *err);

#endif
