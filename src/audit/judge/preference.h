/* preference.h - from cell means to the three numbers beside every cell (judge audits A.2, A.3).
 *
 *     Phi[g][e]                                        cell means, rows authors, columns judges
 *     R    = Phi, double-centred                       residual, raw score units
 *     Phi' = (Phi - mean of column) / sd of column     every judge on its own scale
 *     Z    = Phi', double-centred                      judge-standardised residual
 *     Phi~ = (Phi' - mean of row) / sd of row          standardised twice (Philautia-Eval)
 *
 * One pass, columns first. All cells enter the means, the self cells included. Means are
 * compensated by a second pass. A column or row that is constant to 12 significant digits is
 * flagged; its Phi' or Phi~ is 0. What rounding leaves of a residual that is 0 on paper is 0
 * (below 16 eps of the largest |Phi|; ours), so that a mean panel of all judges has R = 0 exactly.
 * A NaN or infinite cell makes what it enters NaN; the caller looks first. */
#ifndef AUDIT_JUDGE_PREFERENCE_H
#define AUDIT_JUDGE_PREFERENCE_H

#include <stddef.h>
#include <stdint.h>

typedef struct preference_shape {
    size_t authors, judges; /* G rows, E columns; both at least 1                           */
    size_t ddof;            /* of the SDs: 0 (default) or 1; 1 needs G, E >= 2              */
} preference_shape;

/* Where results go, each row-major; NULL: not wanted. */
typedef struct preference {
    double *residual;       /* R    [G][E] */
    double *scaled;         /* Phi' [G][E] */
    double *z;              /* Z    [G][E] */
    double *standardised;   /* Phi~ [G][E] */
    uint8_t *constant_judge;  /* [E] 1: sd of the column is 0 */
    uint8_t *constant_author; /* [G] 1: sd of the row of Phi' is 0 */
} preference;

/* Doubles of scratch that preference_of needs. */
#define PREFERENCE_SCRATCH(authors, judges) (2 * (authors) * (judges) + 4 * ((authors) + (judges)))
/* Enough for any shape of at most that many cells. */
#define PREFERENCE_SCRATCH_MOST(cells) (6 * (cells) + 4)

/* phi [G][E]. `out` may not overlap phi or scratch. No allocation: a 12 x 13 matrix takes about a
 * microsecond, so that it can be made for every replicate of every panel. */
void preference_of(const preference *out, const double *phi, const preference_shape *shape,
                   double *scratch);

#endif
