#include "image/resize_alpha.h"

#include "image/wide.h"

/* colour x alpha / 255 to the nearest. */
static inline unsigned char times(unsigned colour, unsigned alpha)
{
    unsigned v = colour * alpha + 128;
    return (unsigned char)((v + (v >> 8)) >> 8);
}

IMAGE_WIDE
void alpha_multiply(unsigned char *out, const unsigned char *in, size_t pixels, int channels)
{
    if (channels == 2)
        for (size_t k = 0; k < pixels; k++) {
            out[2 * k] = times(in[2 * k], in[2 * k + 1]);
            out[2 * k + 1] = in[2 * k + 1];
        }
    else
        for (size_t k = 0; k < pixels; k++) {
            unsigned alpha = in[4 * k + 3];
            for (size_t c = 0; c < 3; c++) out[4 * k + c] = times(in[4 * k + c], alpha);
            out[4 * k + 3] = (unsigned char)alpha;
        }
}

void alpha_divide(unsigned char *pixels, size_t count, int channels)
{
    int colours = channels - 1;
    for (unsigned char *p = pixels, *end = p + count * (size_t)channels; p < end; p += channels) {
        unsigned alpha = p[colours];
        if (alpha == 0 || alpha == 255) continue;
        for (int c = 0; c < colours; c++) {
            unsigned v = 255u * p[c] / alpha;
            p[c] = (unsigned char)(v > 255 ? 255 : v);
        }
    }
}
