/* icc.h - from the colour space of an embedded profile to sRGB. */
#ifndef IMAGE_ICC_H
#define IMAGE_ICC_H

#include "image/image.h"

typedef struct icc_profile {
    const unsigned char *bytes; /* NULL: none */
    size_t length;
} icc_profile;

/* What the samples are, and whether `to` may be `from`:
 *   GREY  from[n], to[n][3]                        never
 *   RGB   from[n][3], to[n][3]                     yes
 *   RGBA  from[n][4], to[n][4], alpha stays        always
 *   CMYK  from[n][4] (255: full ink), to[n][3]     yes */
typedef enum icc_samples { ICC_GREY, ICC_RGB, ICC_RGBA, ICC_CMYK } icc_samples;

/* Relative colorimetric with black point compensation, 8 bit. An RGB or grey profile under which no
 * probe colour moves by more than one step counts as sRGB and changes nothing (ours). Pixels
 * without a profile, or with one that cannot be used, are taken as sRGB: grey is repeated, RGB
 * copied. CMYK that is not CONVERTED is left alone: the formula is the caller's. */
image_icc icc_to_srgb(unsigned char *to, const unsigned char *from, icc_samples samples, size_t n,
                      icc_profile profile);

/* Would it be converted by, rather than found UNREADABLE? */
bool icc_usable(icc_samples samples, icc_profile profile);
/* "PQ" or "HLG" where the profile says so by H.273 (tag cicp of ICC 4.4); else NULL. */
const char *icc_hdr(icc_profile profile);

#endif
