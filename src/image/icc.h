/* icc.h - from the colour space of an embedded profile to sRGB. */
#ifndef IMAGE_ICC_H
#define IMAGE_ICC_H

#include "image/image.h"

typedef struct icc_profile {
    const unsigned char *bytes; /* NULL: none */
    size_t length;
} icc_profile;

/* rgb[n][3] from pixels[n][channels], channels 1 or 3; for 3 they may be the same buffer. Relative
 * colorimetric with black point compensation, 8 bit. A profile under which no probe colour moves by
 * more than one step counts as sRGB and changes nothing (ours). Pixels with one that cannot be used
 * are taken as sRGB. Grey that needs no conversion is repeated. */
image_icc icc_to_srgb(unsigned char *rgb, const unsigned char *pixels, int channels, size_t n,
                      icc_profile profile);

#endif
