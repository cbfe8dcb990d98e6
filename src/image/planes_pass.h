/* planes_pass.h - one axis of a resize of planes; internal to image/. Products and sums in double
 * and in the order of the taps, so that the width of a processor's vectors changes no bit; float
 * between the passes, as torch keeps it. */
#ifndef IMAGE_PLANES_PASS_H
#define IMAGE_PLANES_PASS_H

#include "image/resize_taps.h"

enum { PLANES_COUNT = 3 };

/* Planes, or the bytes of an RGB image with the value of each byte. */
typedef struct planes_source {
    const float *v; /* NULL: bytes */
    const unsigned char *bytes;
    const float *share; /* [256] */
    int width, height;
} planes_source;

/* All rows of all planes become rows of t->out. `scratch`: width x planes_scratch_bytes(). */
size_t planes_scratch_bytes(void);
void planes_across(float *out, const planes_source *in, const taps *t, float *scratch);
/* Rows of `row` numbers become t->out rows. */
void planes_down(float *out, const float *in, size_t row, const taps *t);

#endif
