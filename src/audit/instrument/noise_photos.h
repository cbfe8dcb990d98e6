/* noise_photos.h - photographs that are asked for again and again: decoded once, kept in memory. */
#ifndef AUDIT_INSTRUMENT_NOISE_PHOTOS_H
#define AUDIT_INSTRUMENT_NOISE_PHOTOS_H

#include "audit/job.h"
#include "image/image.h"

typedef struct noise_photos {
    image *picture;        /* [count]                                  */
    const char **name;     /* [count] as given, or within its folder   */
    const char **key;      /* [count] no two alike                     */
    size_t count;
    size_t found;          /* before some were drawn                   */
    size_t left_out;       /* that cannot be used                      */
    const char *first_left_out, *first_why;
    image_decoding how;
} noise_photos;

/* Of the job's inputs from `first` on, by its options for decoding, `most` of them. Errors: DATA
 * (none), LIMIT (too many pixels to keep), USAGE, IO, MEMORY. noise_photos_free in any case. */
tare_status noise_photos_load(noise_photos *p, tare_job *job, size_t first, tare_error *err);
void noise_photos_free(noise_photos *p, const mem *m);

/* The same pixels through a file in memory and back: PNG, or JPEG of a quality if it is not 0.
 * *out stays empty where the pixels are not RGB. Errors: MEMORY, DATA. */
tare_status noise_photo_again(image *out, const mem *m, const image *picture, int quality,
                              const image_decoding *how, tare_error *err);

#endif
