/* png_chunks.h - what stands in PNG chunks that the library does not look at. */
#ifndef IMAGE_PNG_CHUNKS_H
#define IMAGE_PNG_CHUNKS_H

#include "image/decode.h"

typedef struct png_chunks {
    bool has_profile;
    unsigned frames;           /* 0: not animated                                    */
    const unsigned char *cicp; /* 4 numbers: primaries, curve, matrix, full range; NULL: none */
} png_chunks;

/* Walks to IEND, without which the file is not whole. Errors: DATA, LIMIT (a chunk too long: the
 * library would leave it out without a word). */
tare_status png_chunks_walk(decode_job *job, png_chunks *out);

#endif
