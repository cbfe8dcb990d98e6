#include "base/base64.h"

#include <stdint.h>

/* 0..63, or -1 for what is no digit. */
static int digit(char c)
{
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

/* The last four characters: one or two of them may be padding. */
static bool decode_last(unsigned char *out, size_t *count, const char *four, size_t *bad)
{
    size_t digits = four[3] != '=' ? 4 : four[2] != '=' ? 3 : 2;
    uint32_t bits = 0;
    for (size_t k = 0; k < digits; k++) {
        int d = digit(four[k]);
        if (d < 0) {
            *bad += k;
            return false;
        }
        bits |= (uint32_t)d << (18 - 6 * k);
    }
    if (bits & (digits == 2 ? 0xffffu : digits == 3 ? 0xffu : 0u)) {
        *bad += digits - 1;
        return false;
    }
    for (size_t k = 0; k + 1 < digits; k++) out[k] = (unsigned char)(bits >> (16 - 8 * k));
    *count += digits - 1;
    return true;
}

bool base64_decode(unsigned char *out, size_t *count, const char *text, size_t length,
                   size_t *bad)
{
    *count = 0;
    *bad = 0;
    if (length == 0) return true;
    for (; *bad + 4 < length; *bad += 4, out += 3, *count += 3) {
        uint32_t bits = 0;
        for (size_t k = 0; k < 4; k++) {
            int d = digit(text[*bad + k]);
            if (d < 0) {
                *bad += k;
                return false;
            }
            bits = bits << 6 | (uint32_t)d;
        }
        out[0] = (unsigned char)(bits >> 16);
        out[1] = (unsigned char)(bits >> 8);
        out[2] = (unsigned char)bits;
    }
    if (length % 4 != 0) {
        *bad = length;
        return false;
    }
    return decode_last(out, count, text + *bad, bad);
}
