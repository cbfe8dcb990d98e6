/* resize_alpha.h - premultiplied alpha in bytes, as Pillow's modes "La" and "RGBa"; internal to
 * image/. */
#ifndef IMAGE_RESIZE_ALPHA_H
#define IMAGE_RESIZE_ALPHA_H

#include <stddef.h>

/* Pixels of 2 or 4 channels, alpha last. `in` and `out` may be the same. */
void alpha_multiply(unsigned char *out, const unsigned char *in, size_t pixels, int channels);
/* Back, rounding down; pixels of alpha 0 keep their colour. */
void alpha_divide(unsigned char *pixels, size_t count, int channels);

#endif
