/* matrix_numbers.h - pure functions of a matrix of cell means [G authors][E judges], cell (g, e) at
 * phi[g * E + e] (judge audits A.3); R, Z and Phi~ themselves are in judge/preference.h. */
#ifndef AUDIT_MATRIX_MATRIX_NUMBERS_H
#define AUDIT_MATRIX_MATRIX_NUMBERS_H

#include <stddef.h>
#include <stdint.h>

#include "audit/judge/preference.h"

/* So that a replicate finds room on the stack: authors and judges each, and cells. */
#define MATRIX_MOST 256
#define MATRIX_CELLS_MOST 4096
#define MATRIX_SCRATCH (2 * MATRIX_CELLS_MOST + 8 * MATRIX_MOST)

/* Who enters the self contrast of (author a, judge j): all others, or those that are no kin. */
typedef struct matrix_contrast {
    size_t author, judge;
    const uint8_t *kin;      /* [G][E] or NULL: nobody is left out */
    const double *judge_sd;  /* [E]: scores divided by these; NULL: as they are */
} matrix_contrast;
/* D of A.3; NaN where nobody is left to compare with, or a judge has SD 0. */
double matrix_contrast_of(const double *phi, size_t G, size_t E, const matrix_contrast *c);

/* R[j][j] of a complete table times this is the mean of D. */
double matrix_contrast_factor(size_t G, size_t E);

/* R, Z and Phi~ [G][E - 1] without one judge; NULL: not wanted. */
typedef struct matrix_dropped { size_t G, E, judge, ddof; } matrix_dropped;
void matrix_without(double *r, double *z, double *phi2, const double *phi,
                    const matrix_dropped *what);

#endif
