/* orient.h - turn an image upright by its EXIF orientation. */
#ifndef IMAGE_ORIENT_H
#define IMAGE_ORIENT_H

#include "image/image.h"

/* orientation 1..8; 1 leaves the image alone. Errors: MEMORY. */
tare_status image_orient(image *i, const mem *m, int orientation, tare_error *err);

#endif
