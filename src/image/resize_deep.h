/* resize_deep.h - Pillow's resampling of 32-bit grey; internal to image/. */
#ifndef IMAGE_RESIZE_DEEP_H
#define IMAGE_RESIZE_DEEP_H

#include "image/resize.h"

/* `in` of IMAGE_GREY32, in any kernel but the nearest, into a frame of its own mode that is made
 * already. down_first: the order where both sides change. Errors: MEMORY. */
tare_status deep_resample(image *out, const mem *m, const image *in, resize_kernel kernel,
                          bool down_first, tare_error *err);

#endif
