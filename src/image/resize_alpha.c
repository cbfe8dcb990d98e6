#include "image/resize_alpha.h"

#include <stdint.h>
#include <string.h>

#include "image/wide.h"

enum { CHUNK = 256 };

/* colour x alpha / 255 to the nearest. */
static inline unsigned char times(unsigned colour, unsigned alpha)
{
    unsigned v = colour * alpha + 128;
    return (unsigned char)((v + (v >> 8)) >> 8);
}

/* A pixel as a number whose highest byte is alpha. */
static inline uint32_t alpha_high(uint32_t pixel)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    return __builtin_bswap32(pixel);
#else
    return pixel;
#endif
}

/* Two colours at a time, each in 16 bits of its own; CHUNK is a number that the compiler knows. */
IMAGE_WIDE
static void multiply_chunk(uint32_t *pixel)
{
    const uint32_t two = 0x00ff00ff, halves = 0x00800080;
    for (int k = 0; k < CHUNK; k++) {
        uint32_t v = alpha_high(pixel[k]), alpha = v >> 24;
        uint32_t even = (v & two) * alpha + halves;
        uint32_t odd = (v >> 8 & 0xff) * alpha + 128;
        even = (even + (even >> 8 & two)) >> 8 & two;
        odd = (odd + (odd >> 8)) >> 8;
        pixel[k] = alpha_high(even | odd << 8 | alpha << 24);
    }
}

void alpha_multiply(unsigned char *out, const unsigned char *in, size_t pixels, int channels)
{
    if (channels == 2)
        for (size_t k = 0; k < pixels; k++) {
            out[2 * k] = times(in[2 * k], in[2 * k + 1]);
            out[2 * k + 1] = in[2 * k + 1];
        }
    else
        for (size_t k = 0; k < pixels; k += CHUNK) {
            uint32_t chunk[CHUNK];
            size_t bytes = (pixels - k < CHUNK ? pixels - k : CHUNK) * 4;
            if (bytes < sizeof chunk) memset(chunk, 0, sizeof chunk);
            memcpy(chunk, in + 4 * k, bytes);
            multiply_chunk(chunk);
            memcpy(out + 4 * k, chunk, bytes);
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
