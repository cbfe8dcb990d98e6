/* resize_frame.h - an image like another one, of another size; internal to image/. */
#ifndef IMAGE_RESIZE_FRAME_H
#define IMAGE_RESIZE_FRAME_H

#include "image/image.h"

/* Uninitialised pixels in the mode of `like`, its palette copied, what was seen while decoding
 * kept. On failure neither pixels nor palette. Errors: MEMORY, USAGE (sides below 1 or above
 * 65,535). */
tare_status frame_like(image *out, const mem *m, const image *like, int width, int height,
                       tare_error *err);

#endif
