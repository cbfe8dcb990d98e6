/* shift.h - the colour of each site changed in Lab, then back to bytes; what operators share. */
#ifndef PERTURB_SHIFT_H
#define PERTURB_SHIFT_H

#include "perturb/perturb.h"

enum { SHIFT_BLOCK = 256 };

/* Lab of `count` sites from `first` on, to be changed in place: by the dose and weight w[i], which
 * is all 1 when the blend is done in RGB. */
typedef void (*shift_fn)(double *l, double *a, double *b, const double *w, size_t count,
                         double dose);

/* Apply `change` to all sites that it moves, with the feather as weight (or, off skin, one minus
 * it), by the feather mode of the base. Counts clipped pixels of the mask (off skin: the rest). */
void perturb_shift(perturb_edit *edit, const perturb_base *base, shift_fn change, double dose,
                   bool off_skin);

/* L* + dose w, for the skin and for all else (scorer audit 2.5), and the doses of both. */
void shift_lightness(double *l, double *a, double *b, const double *w, size_t count, double dose);
#define SHIFT_LIGHTNESS_DOSES {-15, -10, -5, 0, 5, 10, 15}

#endif
