/* colour.h - sRGB bytes <-> CIE L*a*b* in double precision: D65, 2 degree observer.
 * Scorer audit 2.2.
 *
 * Only +, -, x, / and tables are used, so that the bits are the same on every machine. All
 * functions are pure. */
#ifndef IMAGE_COLOUR_H
#define IMAGE_COLOUR_H

#include <stddef.h>

/* lin(k/255). */
extern const double colour_linear[256];
/* colour_step[k] = least u with floor(255 clamp(enc(u), 0, 1) + 0.5) >= k; [0] = -inf,
 * [256] = +inf. */
extern const double colour_step[257];
/* Byte of the lower edge of each of 4096 equal bins of [0, 1): a bin holds at most one step. */
extern const unsigned char colour_bin[4096];
/* Greatest u with enc(u) <= 1 + 1e-6; enc(u) < -1e-6 is 12.92 u < -1e-6. */
extern const double colour_clip_above;
extern const double colour_inverse[9]; /* XYZ to linear RGB, by rows */

/* enc(u), unclipped; negative u stays on the linear branch. */
double colour_encode(double u);

/* floor(255 clamp(enc(u), 0, 1) + 0.5): exact, without a power. u is finite. */
static inline unsigned char colour_byte(double u)
{
    double c = u > 0.0 ? u : 0.0;
    int i = c < 1.0 ? (int)(c * 4096.0) : 4095;
    unsigned k = colour_bin[i];
    return (unsigned char)(k + (c >= colour_step[k + 1]));
}
/* The same for u in [0, 1). */
static inline unsigned char colour_byte_inside(double u)
{
    unsigned k = colour_bin[(int)(u * 4096.0)];
    return (unsigned char)(k + (u >= colour_step[k + 1]));
}
/* Is enc(u) outside [-1e-6, 1 + 1e-6]? */
static inline int colour_clipped(double u)
{
    return (12.92 * u < -1e-6) | (u > colour_clip_above);
}

/* Cube root of x >= 0, within one unit in the last place. */
double colour_cbrt(double x);

void colour_lab_of_rgb(double lab[3], const unsigned char rgb[3]);
/* Lab of encoded values in [0, 1] that are no bytes (mean colours). */
void colour_lab_of_encoded(double lab[3], const double rgb[3]);
/* Unclipped linear RGB. */
void colour_linear_of_lab(double linear[3], const double lab[3]);
void colour_rgb_of_lab(unsigned char rgb[3], const double lab[3]);

/* The same over rows of n pixels, bit for bit. */
typedef struct colour_planes { double *p[3]; } colour_planes;
void colour_lab_of_rgb_row(colour_planes lab, const unsigned char *rgb, size_t n);
/* In place: the planes hold Lab on entry and unclipped linear RGB on return. */
void colour_linear_of_lab_row(colour_planes planes, size_t n);

#endif
