/* resize_taps.h - the weights of one axis, exact and in Pillow's fixed point; internal to image/.
 * Output i takes input [first[i], first[i] + count[i]). */
#ifndef IMAGE_RESIZE_TAPS_H
#define IMAGE_RESIZE_TAPS_H

#include "image/resize.h"

enum { TAPS_BITS = 22, TAPS_HALF = 1 << (TAPS_BITS - 1), TAPS_LOW_BITS = 11 };

typedef struct taps {
    int out, width;        /* width: places of one output, at least its count         */
    int *first, *count;    /* [out]                                                   */
    double *exact;         /* [out][width], sum 1; NULL once rounded                  */
    int *weight;           /* [out][width], exact times 2^22; NULL: not rounded       */
    short *halves;         /* taps_split; NULL: none                                  */
    int group, stride;     /* taps in a group; numbers of one output in `halves`      */
} taps;

/* Scorers 6.1, in double. Errors: MEMORY. */
tare_status taps_exact(taps *t, const mem *m, int in, int out, resize_kernel kernel,
                       tare_error *err);
/* Round what taps_exact made, half away from zero. Errors: MEMORY. */
tare_status taps_round(taps *t, const mem *m, tare_error *err);
/* Write each weight as high 2^11 + low, both of 16 bits, so that two products of a byte are one
 * multiply-add: groups of `group` taps, first their highs, then their lows, zeros where there is no
 * tap. Makes nothing when a weight is too large for that. Errors: MEMORY. */
tare_status taps_split(taps *t, const mem *m, int group, tare_error *err);
void taps_free(taps *t, const mem *m);

#endif
