/* colour_numbers.h - colours by the numbers of ITU-T H.273: cICP in PNG, nclx in HEIF. */
#ifndef IMAGE_COLOUR_NUMBERS_H
#define IMAGE_COLOUR_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/mem.h"

typedef struct colour_numbers {
    int primaries, transfer; /* 0: the file says none */
} colour_numbers;

/* "PQ" or "HLG", the curves of high dynamic range; NULL: another one. */
const char *colour_numbers_hdr(colour_numbers n);
/* Is it the curve of sRGB, or that of BT.709, which cameras write where they mean sRGB? */
bool colour_numbers_plain_curve(colour_numbers n);
bool colour_numbers_plain_primaries(colour_numbers n); /* those of sRGB, or unsaid */

/* The profile of an RGB space with these primaries, their white and this curve; NULL, with
 * *no_memory unchanged: none is made for such numbers. mem_free. */
unsigned char *colour_numbers_profile(size_t *length, const mem *m, colour_numbers n,
                                      bool *no_memory);

#endif
