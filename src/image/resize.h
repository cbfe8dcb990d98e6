/* resize.h - resizing with the bytes of Pillow, and crops. Scorers 6.1. */
#ifndef IMAGE_RESIZE_H
#define IMAGE_RESIZE_H

#include "image/image.h"

typedef enum resize_kernel {
    RESIZE_NEAREST, RESIZE_BOX, RESIZE_BILINEAR, RESIZE_HAMMING, RESIZE_BICUBIC, RESIZE_LANCZOS
} resize_kernel;
/* "nearest", "box", ...; NULL past the end. */
const char *resize_kernel_name(resize_kernel kernel);

/* Which pass runs first: across the rows always (Pillow up to 12), or as Pillow 13 decides: down
 * the columns when the height loses pixels, and more than twice as many as the width loses. */
typedef enum resize_order { RESIZE_ACROSS_FIRST, RESIZE_PILLOW13 } resize_order;
const char *resize_order_name(resize_order order); /* "h-first", "pillow13"; NULL past the end */

typedef struct resize_how {
    resize_kernel kernel;
    resize_order order;
} resize_how;

/* Equal size: a copy. What was seen while decoding goes along. Any mode, as Pillow does it: RGBA
 * and LA are premultiplied before and divided after; palette and bilevel always take the nearest;
 * 32-bit grey is not clipped, and its samples are those of 16 bits or as near to 0.
 * `out` is overwritten, not freed, and must be another image; on failure it has no pixels. Errors:
 * USAGE (side, kernel), MEMORY, LIMIT. */
tare_status image_resize(image *out, const mem *m, const image *in, int width, int height,
                         resize_how how, tare_error *err);

typedef struct image_rect { int x, y, width, height; } image_rect;
/* Errors: USAGE (not inside), MEMORY. */
tare_status image_crop(image *out, const mem *m, const image *in, image_rect rect,
                       tare_error *err);

/* prepare.size: bicubic until the short side is `side` (the other int(side long/short)), then the
 * centre square; offsets round((n - side)/2), ties to even. Scorer audit 2.1. */
tare_status image_prepare_size(image *out, const mem *m, const image *in, int side,
                               tare_error *err);

#endif
