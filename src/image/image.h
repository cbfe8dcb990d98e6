/* image.h - photographs in: JPEG, PNG, WebP, TIFF, HEIC and AVIF to 8-bit sRGB, upright. Scorer
 * audit 2.1, scorers 5.
 *
 * One policy per run. Strict (audits) refuses with a reason what silently changes colours in common
 * tools: alpha that is not fully opaque, CMYK, more than 8 bits, a PNG with its own gamma and no
 * profile, animation. Canonical (scoring) converts it in one documented way, with a remark.
 * Published reproduces what a scorer's own loader sees, in the file's own mode. */
#ifndef IMAGE_IMAGE_H
#define IMAGE_IMAGE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"
#include "tare.h"

typedef enum image_format {
    IMAGE_NOT,  /* not an image by its first bytes: to be ignored and counted */
    IMAGE_JPEG,
    IMAGE_PNG,
    IMAGE_WEBP, IMAGE_TIFF, IMAGE_GIF, IMAGE_HEIF, IMAGE_BMP, IMAGE_JPEG2000, IMAGE_JPEGXL,
    IMAGE_OPENEXR, IMAGE_RADIANCE, IMAGE_PSD, IMAGE_ICO, IMAGE_JPEGXR,
    IMAGE_RAW /* of a camera, where it is not TIFF by its first bytes */
} image_format;

/* By the first bytes, never by name; this many are enough. */
#define IMAGE_SNIFF_BYTES 32
image_format image_sniff(const void *bytes, size_t length);
const char *image_format_name(image_format format); /* "jpeg"; "not an image" */
/* Can image_decode read it? Images of the other formats are refused as unsupported_pixels. HEIC and
 * AVIF need libheif, which is opened at run time: image_heif_check. */
bool image_readable(image_format format);
/* TARE_OK, with the version in err->message; or what is missing and how to get it. Errors: DATA. */
tare_status image_heif_check(tare_error *err);

typedef enum image_icc {
    IMAGE_ICC_NONE,       /* no profile: taken as sRGB                             */
    IMAGE_ICC_SRGB,       /* a profile that converts every probe within one step    */
    IMAGE_ICC_CONVERTED,  /* to sRGB: relative colorimetric, black point compensation */
    IMAGE_ICC_UNREADABLE, /* damaged, or for another colour model: taken as sRGB    */
    IMAGE_ICC_IGNORED     /* there is one, and the policy is published              */
} image_icc;
const char *image_icc_name(image_icc icc); /* "none", "srgb", ... */

/* How samples are kept. Strict and canonical decoding give IMAGE_RGB only. In CMYK 255 is full
 * ink. */
typedef enum image_mode {
    IMAGE_RGB, IMAGE_GREY, IMAGE_GREY_ALPHA, IMAGE_RGBA, IMAGE_CMYK, IMAGE_PALETTE,
    IMAGE_BILEVEL, /* one byte a pixel, 0 or 255 */
    IMAGE_GREY32,  /* int32_t of this machine's order, 0..65535, after a resize beyond: Pillow's
                      "I", published decoding of 16-bit grey PNG; a channel is a byte of it */
    IMAGE_SOUND    /* no picture: [width] mono samples of float32, [1] high; image_of_sound */
} image_mode;
const char *image_mode_name(image_mode mode); /* Pillow's names: "RGB", "L", "LA", "RGBA", ... */
int image_mode_channels(image_mode mode);

#define IMAGE_NOTE_MAX 160

typedef struct image {
    int width, height;
    int channels;        /* of `mode`: 3 for RGB                                  */
    unsigned char *rgb;  /* [height][width][channels], rows from the top without padding; NULL if
                            there is no image */
    image_mode mode;     /* IMAGE_RGB but under published decoding; IMAGE_SOUND   */
    double rate;         /* of IMAGE_SOUND: samples a second                      */
    unsigned char (*palette)[4]; /* [256] RGBA of IMAGE_PALETTE, else NULL         */
    /* Seen while decoding; zero for images made otherwise. */
    image_format format;
    int orientation;     /* EXIF 1..8 that was applied; 1: none                   */
    image_icc icc;
    image_mode stored;   /* mode in the file, whatever `mode` has become; with `bits`: */
    unsigned bits;       /* of a sample in the file (palette: of an index); 0: not known */
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

typedef enum image_policy { IMAGE_STRICT, IMAGE_CANONICAL, IMAGE_PUBLISHED } image_policy;
const char *image_policy_name(image_policy policy); /* "strict", ...; NULL past the end */

/* What becomes of alpha that is not fully opaque, under canonical decoding. */
typedef enum image_alpha { IMAGE_ALPHA_OVER, IMAGE_ALPHA_DROP, IMAGE_ALPHA_REFUSE } image_alpha;

/* A budget of bytes that decodes on several threads share, so that large pictures wait for one
 * another instead of taking all memory at once. A decode takes what its samples, the result and
 * the library below need by its reckoning, before it allocates pixels, and gives it back at its
 * end: the image that it returns is not counted any more. One that needs more than the whole
 * budget is let in alone. Those who wait are let in in the order in which they came. */
typedef struct image_room {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    uint64_t bytes, taken;
    uint64_t inside, tickets, served;
} image_room;
void image_room_init(image_room *r, uint64_t bytes);
void image_room_free(image_room *r); /* nobody is in; NULL ok */

typedef struct image_decoding {
    image_policy policy;
    image_alpha alpha;
    unsigned char background[3]; /* of IMAGE_ALPHA_OVER */
    image_limits limits;
    image_room *room;            /* NULL: no budget     */
} image_decoding;
#define IMAGE_DECODING_DEFAULT \
    ((image_decoding){IMAGE_STRICT, IMAGE_ALPHA_OVER, {255, 255, 255}, IMAGE_LIMITS_DEFAULT, NULL})
/* "white", "black", "#rrggbb", "drop", "refuse" into `how`; false: none of these. */
bool image_alpha_parse(image_decoding *how, const char *word);

/* Decode `length` bytes; `name` stands in errors. how NULL: the defaults, strict. A file that
 * cannot be used gives DATA (or LIMIT) with out->reason and out->note set and no pixels; `out` is
 * overwritten, not freed. Errors: DATA, LIMIT, MEMORY (reason none). */
tare_status image_decode(image *out, const mem *m, const void *bytes, size_t length,
                         const char *name, const image_decoding *how, tare_error *err);

/* To IMAGE_RGB as Pillow's convert("RGB") does it: grey repeated, alpha dropped, palette looked up,
 * CMYK by the formula, 32-bit grey cut to 0..255. RGB: nothing changes. Errors: MEMORY. */
tare_status image_to_rgb(image *i, const mem *m, tare_error *err);

/* An image of uninitialised pixels. Errors: MEMORY, USAGE (sides below 1 or above 65,535). */
tare_status image_new(image *out, const mem *m, int width, int height, tare_error *err);
/* A recording, which goes where a photograph goes: instruments need not be of images. Takes over
 * the samples, of which there are at most INT_MAX. */
void image_of_sound(image *out, float *sample, size_t count, double rate);
void image_free(image *i, const mem *m); /* leaves it empty; NULL ok */
static inline size_t image_pixels(const image *i)
{
    return (size_t)i->width * (size_t)i->height;
}

#endif
