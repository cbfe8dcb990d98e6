/* gauss.h - Gaussian kernels and sums, shared by the feather and the blur; internal to perturb/.
 * Radius floor(4 sigma + 0.5), kernel of sum 1, half-sample symmetric border (scorer audit 2.4). */
#ifndef PERTURB_GAUSS_H
#define PERTURB_GAUSS_H

#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"
#include "tare.h"

enum {
    GAUSS_TOGETHER = 24,             /* outputs whose sums stay in registers                 */
    GAUSS_STRIP = 4 * GAUSS_TOGETHER /* columns summed together: all rows in reach of one then fit
                                        into a near cache                                    */
};

/* What one output is a sum of: its own place, and the places at each distance on both sides. */
typedef struct gauss {
    int radius;
    double *kernel;            /* [radius + 1]; 0: the centre                     */
    const double **low, **high; /* [radius + 1], to be set before each sum; 0: the centre */
} gauss;

/* Errors: LIMIT (sigma not above 0 or above 4096), MEMORY. */
tare_status gauss_make(gauss *out, const mem *m, double sigma, tare_error *err);
void gauss_free(gauss *g, const mem *m);
/* Index of the half-sample symmetric extension (dcba|abcd|dcba) of n samples. */
int gauss_mirror(int64_t at, int n);
/* n outputs; out may be what the centre points to. */
void gauss_sum(double *out, const gauss *t, size_t n);

#endif
