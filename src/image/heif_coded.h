/* heif_coded.h - how large the pictures are that the coded data of a HEIF file asks for, and which
 * colours AV1 says they are.
 *
 * What the file says of its pictures is one thing, and what the decoders below libheif allocate
 * another: they go by the data alone, and are told of no limit. */
#ifndef IMAGE_HEIF_CODED_H
#define IMAGE_HEIF_CODED_H

#include <stdbool.h>

#include "base/mem.h"
#include "image/colour_numbers.h"
#include "tare.h"

typedef struct heif_coded {
    uint64_t width, height; /* of the largest; 0: nothing was understood            */
    colour_numbers numbers; /* the first that AV1 data say; zeros: none             */
    bool too_much;          /* more data to look through than twice the file: left there */
} heif_coded;

/* Looks through the sequence headers of AV1 and the parameter sets of HEVC in all items. Data that
 * is not understood is passed over. Errors: MEMORY. */
tare_status heif_coded_look(heif_coded *out, const mem *m, const unsigned char *bytes,
                            size_t length, tare_error *err);

/* One piece of coded data; the larger of what it asks for and *out. */
void heif_coded_av1(heif_coded *out, const unsigned char *bytes, size_t length);
void heif_coded_hevc(heif_coded *out, const unsigned char *bytes, size_t length);

#endif
