/* warp_rows.h - rows of the torso band taken from other columns; what the warps share. Scorer audit
 * 2.6: 1-D cubic with a = -0.5 on encoded bytes, edge columns repeated. */
#ifndef PERTURB_WARP_ROWS_H
#define PERTURB_WARP_ROWS_H

#include "perturb/perturb.h"

/* The column that the pixel at x of a row of window h comes from. */
typedef double (*warp_source)(const torso *t, double x, double h, double dose);

/* Rewrite the band's rows of edit->rgb; fills edit->farthest. */
void warp_rows(perturb_edit *edit, const perturb_base *base, warp_source source, double dose);
/* Weights of the places floor(x) - 1 .. floor(x) + 2 for a fraction in [0, 1). */
void warp_taps(double taps[4], double fraction);

#endif
