/* mask.h - which pixels are skin, and how softly an intervention ends at its border.
 * Scorer audit 2.3, 2.4. A mask is [height][width] bytes, 0 or 1. */
#ifndef PERTURB_MASK_H
#define PERTURB_MASK_H

#include <stddef.h>

#include "image/image.h"

typedef enum mask_set { MASK_DEFAULT, MASK_TIGHT, MASK_LOOSE } mask_set;
const char *mask_set_name(mask_set set); /* "default", "tight", "loose"; NULL past the end */

/* YCbCr thresholds (full-range BT.601, unrounded, bounds inclusive), compared in integers. */
void mask_of_skin(unsigned char *mask, const image *in, mask_set set);
/* Ones where the mean of the three bytes of `user` is >= 128. Errors: DATA (another size). */
tare_status mask_of_image(unsigned char *mask, const image *in, const image *user, tare_error *err);

size_t mask_count(const unsigned char *mask, size_t pixels);
#define MASK_SHARE_LEAST 0.05 /* below: reason no_skin */
#define MASK_SHARE_MOST 0.95  /* above: flagged        */

/* sigma in pixels: sigma_at_224 x short side / 224. */
double mask_sigma(const image *in, double sigma_at_224);
/* w in [0,1]: Gaussian blur of the mask; radius floor(4 sigma + 0.5), kernel of sum 1, half-sample
 * symmetric border. sigma 0: the mask itself. w is exactly 0 beyond the radius.
 * Errors: MEMORY, LIMIT (sigma above 4096 or not a number). */
tare_status mask_feather(double *w, const mem *m, const unsigned char *mask, int width, int height,
                         double sigma, tare_error *err);

#endif
