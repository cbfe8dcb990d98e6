#include "image/mode_samples.h"

#include <string.h>

/* x / M as x times the least number not below 2^40 / M, over 2^40: exact for x < 2^24 and
 * M < 2^16, since what it is too large by, at most x M / 2^40 of 1/M, does not reach the next
 * whole number. */
static uint64_t reciprocal(unsigned maximum)
{
    return ((UINT64_C(1) << 40) + maximum - 1) / maximum;
}

void samples_to_bytes(void *samples, size_t n, unsigned maximum)
{
    unsigned char *to = samples;
    const uint16_t *from = samples;
    uint64_t over = reciprocal(maximum);
    if (maximum == 255) return;
    if (maximum < 255) {
        unsigned char table[256];
        for (unsigned v = 0; v < 256; v++)
            table[v] = (unsigned char)(((v < maximum ? v : maximum) * 255 + maximum / 2) / maximum);
        for (size_t i = 0; i < n; i++) to[i] = table[to[i]];
        return;
    }
    for (size_t i = 0; i < n; i++) {
        uint64_t v = from[i] < maximum ? from[i] : maximum;
        to[i] = (unsigned char)(((v * 255 + maximum / 2) * over) >> 40);
    }
}

void samples_high_byte(void *samples, size_t n, unsigned maximum)
{
    unsigned char *to = samples;
    const uint16_t *from = samples;
    int shift = 0;
    while (maximum >> shift > 255) shift++;
    for (size_t i = 0; i < n; i++) {
        unsigned v = (unsigned)from[i] >> shift;
        to[i] = (unsigned char)(v < 255 ? v : 255);
    }
}

void samples_clip(void *samples, size_t n)
{
    unsigned char *to = samples;
    const uint16_t *from = samples;
    for (size_t i = 0; i < n; i++) to[i] = (unsigned char)(from[i] < 255 ? from[i] : 255);
}

static void lay_over(unsigned char *out, const unsigned char *colour, unsigned alpha,
                     const samples_ground *ground)
{
    for (int k = 0; k < 3; k++)
        out[k] = (unsigned char)((colour[k] * alpha + ground->colour[k] * (255 - alpha) + 127) /
                                 255);
}

static uint32_t load(const unsigned char *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static void store(unsigned char *p, uint32_t v)
{
    p[0] = (unsigned char)v;
    p[1] = (unsigned char)(v >> 8);
    p[2] = (unsigned char)(v >> 16);
    p[3] = (unsigned char)(v >> 24);
}

/* Two colours at a time, 16 bits apart: c a + ground (255-a) + 127, which is below 65535; of such
 * an x, x div 255 is (x + 1 + x div 256) div 256. */
static uint32_t two_over(uint32_t two, uint32_t alpha, uint32_t two_of_ground)
{
    uint32_t x = two * alpha + two_of_ground * (255 - alpha) + 0x7f007f;
    return (x + 0x10001 + (x >> 8 & 0xff00ff)) >> 8 & 0xff00ff;
}

size_t samples_flatten(unsigned char *rgba, size_t n, samples_ground ground)
{
    size_t transparent = 0;
    uint32_t ends = ground.colour[0] | (uint32_t)ground.colour[2] << 16, middle = ground.colour[1];
    for (size_t i = 0; i < n; i++) {
        uint32_t pixel = load(rgba + 4 * i), alpha = pixel >> 24;
        if (alpha != 255) {
            transparent++;
            if (!ground.drop)
                pixel = two_over(pixel & 0xff00ff, alpha, ends) |
                        two_over(pixel >> 8 & 0xff, alpha, middle) << 8;
        }
        store(rgba + 3 * i, pixel); /* the fourth byte is the next pixel's first, or spare */
    }
    return transparent;
}

void samples_grey_table(unsigned char table[256][4])
{
    for (int k = 0; k < 256; k++) {
        memset(table[k], k, 3);
        table[k][3] = 255;
    }
}

/* Grey with alpha: the ground shows by the pixel. */
static size_t look_up_alpha(unsigned char *rgb, samples_indexed from, size_t n,
                            const samples_ground *ground)
{
    size_t transparent = 0;
    for (size_t i = 0; i < n; i++) {
        const unsigned char *colour = from.table[from.index[2 * i]];
        unsigned alpha = from.index[2 * i + 1];
        transparent += alpha != 255;
        if (alpha == 255 || ground->drop) memcpy(rgb + 3 * i, colour, 3);
        else lay_over(rgb + 3 * i, colour, alpha, ground);
    }
    return transparent;
}

size_t samples_look_up(unsigned char *rgb, samples_indexed from, size_t n, samples_ground ground)
{
    size_t transparent = 0;
    int any = 0;
    if (from.alpha) return look_up_alpha(rgb, from, n, &ground);
    for (int k = 0; k < 256; k++) {
        any |= from.table[k][3] != 255;
        if (!ground.drop) lay_over(from.table[k], from.table[k], from.table[k][3], &ground);
    }
    if (any)
        for (size_t i = 0; i < n; i++) transparent += from.table[from.index[i]][3] != 255;
    for (size_t i = 0; i + 1 < n; i++) memcpy(rgb + 3 * i, from.table[from.index[i]], 4);
    if (n > 0) memcpy(rgb + 3 * (n - 1), from.table[from.index[n - 1]], 3);
    return transparent;
}

/* x / 255 rounded, for x to 255 x 255. */
static unsigned over_255(unsigned x)
{
    return (x + 128 + ((x + 128) >> 8)) >> 8;
}

void samples_cmyk_formula(unsigned char *cmyk, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        unsigned char ink[4];
        memcpy(ink, cmyk + 4 * i, 4);
        unsigned light = 255u - ink[3];
        for (int k = 0; k < 3; k++)
            cmyk[3 * i + (size_t)k] = (unsigned char)(light - over_255(ink[k] * light));
    }
}

void samples_grey32(unsigned char *grey, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        int32_t v;
        memcpy(&v, grey + sizeof v * i, sizeof v);
        memset(grey + 3 * i, v < 0 ? 0 : v > 255 ? 255 : (int)v, 3);
    }
}
