/* decode.h - what the decoders of the formats share; internal to image/. */
#ifndef IMAGE_DECODE_H
#define IMAGE_DECODE_H

#include "image/image.h"

/* One file on its way to an image. A format's decoder fills the second half; the caller frees. */
typedef struct decode_job {
    const mem *m;
    const unsigned char *bytes;
    size_t length;
    const char *name;
    image_limits limits;
    image *out;            /* reason and note are written here               */
    tare_error *err;

    int width, height;
    int channels;          /* of `pixels`: 1 grey, 3 RGB                     */
    unsigned char *pixels; /* [height][width][channels], as stored in the file */
    unsigned char *icc;    /* profile, NULL if none                          */
    size_t icc_length;
    int orientation;       /* 0: not said                                    */
} decode_job;

tare_status decode_jpeg(decode_job *job);
tare_status decode_png(decode_job *job);

/* Note why there is no image, in out->note and the error. status: DATA or LIMIT. */
tare_status decode_refuse(decode_job *job, tare_status status, tare_reason reason,
                          const char *format, ...) __attribute__((format(printf, 4, 5)));
/* Check the sides and the number of pixels, before anything is allocated. */
tare_status decode_check_size(decode_job *job, uint64_t width, uint64_t height);
/* Copy a profile; a longer one than the limit is a refusal. */
tare_status decode_keep_icc(decode_job *job, const void *bytes, size_t length);
/* Add a remark to out->note. */
void decode_remark(image *out, const char *text);

#endif
