/* image.h - photographs in: JPEG and PNG to 8-bit sRGB, upright. Scorer audit 2.1, scorers 5.
 *
 * What silently changes colours in common tools is refused with a reason: alpha that is not fully
 * opaque, CMYK, more than 8 bits, a PNG with its own gamma and no profile, animation. */
#ifndef IMAGE_IMAGE_H
#define IMAGE_IMAGE_H

#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"
#include "tare.h"

typedef enum image_format {
    IMAGE_NOT,  /* not an image by its first bytes: to be ignored and counted */
    IMAGE_JPEG,
    IMAGE_PNG,
    IMAGE_WEBP, IMAGE_TIFF, IMAGE_GIF, IMAGE_HEIF, IMAGE_BMP, IMAGE_JPEG2000, IMAGE_JPEGXL
} image_format;

/* By the first bytes, never by name; this many are enough. */
#define IMAGE_SNIFF_BYTES 32
image_format image_sniff(const void *bytes, size_t length);
const char *image_format_name(image_format format); /* "jpeg"; "not an image" */
/* Can image_decode read it? Images of the other formats are refused as unsupported_pixels. */
static inline int image_readable(image_format format)
{
    return format == IMAGE_JPEG || format == IMAGE_PNG;
}

typedef enum image_icc {
    IMAGE_ICC_NONE,       /* no profile: taken as sRGB                             */
    IMAGE_ICC_SRGB,       /* a profile that converts every probe within one step    */
    IMAGE_ICC_CONVERTED,  /* to sRGB: relative colorimetric, black point compensation */
    IMAGE_ICC_UNREADABLE  /* damaged, or for another colour model: taken as sRGB    */
} image_icc;
const char *image_icc_name(image_icc icc); /* "none", "srgb", "converted", "unreadable" */

#define IMAGE_NOTE_MAX 160

typedef struct image {
    int width, height;
    int channels;        /* 3: interleaved RGB, rows from the top without padding */
    unsigned char *rgb;  /* [height][width][3]; NULL if there is no image         */
    /* Seen while decoding; zero for images made otherwise. */
    image_format format;
    int orientation;     /* EXIF 1..8 that was applied; 1: none                   */
    image_icc icc;
    tare_reason reason;  /* why there is no image: TARE_R_DECODE or TARE_R_UNSUPPORTED_PIXELS */
    char note[IMAGE_NOTE_MAX]; /* for reason: a text why; else remarks joined by "; ", or "" */
} image;

typedef struct image_limits {
    uint64_t pixels;     /* width x height                             */
    uint32_t side;
    size_t file, icc, chunk; /* bytes; chunk: one ancillary PNG chunk  */
    unsigned scans;      /* of a progressive JPEG                      */
} image_limits;
#define IMAGE_LIMITS_DEFAULT \
    ((image_limits){100000000, 65535, (size_t)512 << 20, (size_t)4 << 20, (size_t)8 << 20, 500})

/* Decode `length` bytes; `name` stands in errors. limits NULL: the defaults. Policy: strict.
 * A file that cannot be used gives DATA (or LIMIT) with out->reason and out->note set and no
 * pixels; `out` is overwritten, not freed. Errors: DATA, LIMIT, MEMORY (reason none). */
tare_status image_decode(image *out, const mem *m, const void *bytes, size_t length,
                         const char *name, const image_limits *limits, tare_error *err);

/* An image of uninitialised pixels. Errors: MEMORY, USAGE (sides below 1 or above 65,535). */
tare_status image_new(image *out, const mem *m, int width, int height, tare_error *err);
void image_free(image *i, const mem *m); /* leaves it empty; NULL ok */
static inline size_t image_pixels(const image *i)
{
    return (size_t)i->width * (size_t)i->height;
}

#endif
