/* tiff_pixels.h - from the strips and tiles of a TIFF page to the pixels of a decode_job. */
#ifndef IMAGE_TIFF_PIXELS_H
#define IMAGE_TIFF_PIXELS_H

#include <stdbool.h>
#include <stdint.h>

#include <tiffio.h>

#include "image/decode.h"

/* An open page and what its tags say. */
typedef struct tiff_page {
    decode_job *job;
    TIFF *tiff;
    uint64_t at;     /* in the file, where the library reads on         */
    uint16_t bits, samples, photometric, compression, orientation;
    bool planar;     /* each channel in its own strips or tiles         */
    bool inverted;   /* 0 is white                                      */
    bool associated; /* colours are multiplied by alpha                 */
    bool reading;    /* the pixels: what the library warns of is damage */
    char message[100];
} tiff_page;

/* The job says width, height, mode and maximum; its pixels are allocated here. */
tare_status tiff_read_pixels(tiff_page *p);
/* Note what the library said, as damage; a limit of its own is LIMIT. */
tare_status tiff_failure(tiff_page *p);

#endif
