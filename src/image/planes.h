/* planes.h - images as float tensors, resized without rounding. Scorers 6.2. */
#ifndef IMAGE_PLANES_H
#define IMAGE_PLANES_H

#include "image/resize.h"

typedef struct image_planes {
    int width, height;
    float *v; /* [3][height][width]; NULL: none */
} image_planes;

/* Bytes of an RGB image over 255. Errors: MEMORY, USAGE (mode), LIMIT. */
tare_status planes_of_image(image_planes *out, const mem *m, const image *in, tare_error *err);
typedef struct planes_how {
    resize_kernel kernel;
    bool antialias;
    bool aligned; /* without antialias, bilinear: the centres of the corner pixels stay on the
                     corners, as TF.js's resizeBilinear with alignCorners has it */
} planes_how;
/* Resized as torch's interpolate does it, no clamping. antialias: the weights of image_resize in
 * double, without rounding to fixed point (any kernel but nearest); without: bilinear two taps,
 * bicubic four taps with a = -0.75, indices clamped to the edge. Equal size: a copy. Errors: USAGE
 * (side, kernel), MEMORY, LIMIT. */
tare_status planes_resize(image_planes *out, const mem *m, const image_planes *in, int width,
                          int height, planes_how how, tare_error *err);
/* planes_of_image and planes_resize in one, to the same bits, without the planes of the whole
 * image: those of 12 megapixels are 144 MB. Errors: as both. */
tare_status planes_resize_image(image_planes *out, const mem *m, const image *in, int width,
                                int height, planes_how how, tare_error *err);
void planes_free(image_planes *p, const mem *m);

#endif
