/* decode.h - what the decoders of the formats share; internal to image/. */
#ifndef IMAGE_DECODE_H
#define IMAGE_DECODE_H

#include "image/colour_numbers.h"
#include "image/image.h"

/* One file on its way to an image. A format's decoder calls decode_may as soon as it knows what the
 * file holds and before it allocates pixels, then fills the second half. The caller frees. What the
 * policy makes of it is decided in decode_settle.c and nowhere else. */
typedef struct decode_job {
    const mem *m;
    const unsigned char *bytes;
    size_t length;
    const char *name;
    image_decoding how;
    image *out;            /* reason and note are written here               */
    tare_error *err;

    int width, height;
    unsigned bits;         /* of a sample or index in the file; 0: as many as `maximum` has   */
    image_mode mode;       /* of the file; grey, palette and CMYK are not expanded by the decoder */
    unsigned maximum;      /* of a sample: 1..255: bytes; above: uint16_t of this machine's order */
    void *pixels;          /* [height][width][channels of mode]; CMYK: 255 is full ink; palette and
                              bilevel: bytes, whatever `maximum` says */
    unsigned char (*palette)[4]; /* [256] RGBA of IMAGE_PALETTE, else NULL; alpha 255 if opaque */
    unsigned frames;       /* pictures or pages in the file; `pixels` is the first */
    const char *doubt;     /* static text, or `saying`. The colours are not what they seem (own
                              gamma): refused under strict, a remark under canonical, not looked at
                              under published */
    char saying[120];      /* where a decoder may write its doubt            */
    const char *never;     /* static text or `saying`: refused but under published (HDR) */
    const char *remark;    /* static text: said under every policy           */
    char unseen[80];       /* what published does not look at, but says; "" : nothing */
    colour_numbers numbers; /* where there is no profile to go by             */
    unsigned char *icc;    /* profile, NULL if none                          */
    size_t icc_length;
    uint64_t beside;       /* bytes a pixel that the library holds beside `pixels`, about */
    uint64_t held;         /* of the room: decode_may takes it, image_decode gives it back */
    bool inside;           /* the room                                       */
    int orientation;       /* by EXIF or TIFF tag; 0: not said, or already applied */
} decode_job;

#define DECODE_HDR_HELP "save it as an 8-bit sRGB PNG or JPEG"

tare_status decode_jpeg(decode_job *job);
tare_status decode_png(decode_job *job);
tare_status decode_webp(decode_job *job);
tare_status decode_tiff(decode_job *job);
tare_status decode_heif(decode_job *job);

/* Refuse by the policy what is known before the pixels are: size and limits, mode, maximum, frames,
 * doubt (all set in `job`); else wait until there is room for them. decode_settle asks again, for
 * what a decoder learns later. */
tare_status decode_may(decode_job *job);
/* From what the decoder left in the job to the image, by the policy. */
tare_status decode_settle(decode_job *job);

/* Note why there is no image, in out->note and the error. status: DATA or LIMIT. */
tare_status decode_refuse(decode_job *job, tare_status status, tare_reason reason,
                          const char *format, ...) __attribute__((format(printf, 4, 5)));
/* Check the sides and the number of pixels, before anything is allocated. */
tare_status decode_check_size(decode_job *job, uint64_t width, uint64_t height);
/* Copy a profile; a longer one than the limit is a refusal. */
tare_status decode_keep_icc(decode_job *job, const void *bytes, size_t length);
/* Add a remark to out->note; one that does not fit becomes "...". */
void decode_remark(image *out, const char *text);

#endif
