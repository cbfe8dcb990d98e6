/* mode_samples.h - loops over the samples of a picture: to 8 bits, and from other modes to RGB.
 * Scorers 5. */
#ifndef IMAGE_MODE_SAMPLES_H
#define IMAGE_MODE_SAMPLES_H

#include "image/image.h"

/* n samples of 0 .. maximum to bytes at the front of the buffer; maximum above 255: uint16_t of
 * this machine's order. A sample above the maximum counts as the maximum. */
void samples_to_bytes(void *samples, size_t n, unsigned maximum); /* (v 255 + M/2) div M */
void samples_high_byte(void *samples, size_t n, unsigned maximum); /* v div (M+1)/256; M > 255 */
void samples_clip(void *samples, size_t n);                        /* uint16_t; min(v, 255) */

/* What becomes of a colour c with alpha a: (c a + b (255-a) + 127) div 255; or, dropped, c. */
typedef struct samples_ground {
    bool drop;
    unsigned char colour[3];
} samples_ground;

/* rgba[n][4] to [n][3] at the front of the buffer. The number of pixels with alpha below 255. */
size_t samples_flatten(unsigned char *rgba, size_t n, samples_ground ground);

/* Bytes that stand for colours: grey, grey with alpha, palette, bilevel. `table` is changed: its
 * colours are laid over the ground. rgb[n][3] from index[n], or index[n][2] of which the second is
 * alpha. The number of pixels with alpha below 255. */
typedef struct samples_indexed {
    const unsigned char *index;
    bool alpha; /* follows each index */
    unsigned char (*table)[4];
} samples_indexed;
size_t samples_look_up(unsigned char *rgb, samples_indexed from, size_t n, samples_ground ground);
/* table[k] = k, k, k, 255. */
void samples_grey_table(unsigned char table[256][4]);

/* cmyk[n][4] to RGB [n][3] at the front of the buffer: k' - c k'/255 rounded, k' = 255 - K; 255 is
 * full ink. Pillow's formula. */
void samples_cmyk_formula(unsigned char *cmyk, size_t n);

/* n numbers of int32_t to RGB [n][3] at the front of the buffer: cut to 0..255, repeated. */
void samples_grey32(unsigned char *grey, size_t n);

#endif
