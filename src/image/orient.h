/* orient.h - turn an image upright by its EXIF orientation. */
#ifndef IMAGE_ORIENT_H
#define IMAGE_ORIENT_H

#include "image/image.h"

/* Pixels of `size` bytes each, in a block of `m` that is replaced by another. */
typedef struct orient_block {
    void *pixels;
    size_t width, height, size;
} orient_block;

/* orientation 1..8; else and 1: nothing changes. false: out of memory. */
bool orient_pixels(orient_block *b, const mem *m, int orientation);
/* The same of RGB. Errors: MEMORY. */
tare_status image_orient(image *i, const mem *m, int orientation, tare_error *err);

#endif
