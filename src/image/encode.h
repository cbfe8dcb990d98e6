/* encode.h - lossless out: PNG without ancillary chunks, in memory. */
#ifndef IMAGE_ENCODE_H
#define IMAGE_ENCODE_H

#include "image/image.h"

#define PNG_FAST 1    /* zlib level for variants that are read once */
#define PNG_SMALL 9

/* 8-bit RGB. level 0..9. *out (of *length bytes) is released with mem_free(m, ...).
 * Errors: USAGE (no image, level), MEMORY. */
tare_status image_png_encode(unsigned char **out, size_t *length, const mem *m, const image *in,
                             int level, tare_error *err);

#endif
