#include "scorer/onnx/onnx_half.h"

#include <math.h>
#include <string.h>

/* value >> bits, ties to even; bits 1..31. */
static uint32_t shift_even(uint32_t value, unsigned bits)
{
    uint32_t half = UINT32_C(1) << (bits - 1), rest = value & (2 * half - 1);
    uint32_t kept = value >> bits;
    return kept + (rest > half || (rest == half && (kept & 1)));
}

uint16_t onnx_half(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    uint16_t sign = (uint16_t)(bits >> 16 & 0x8000);
    uint32_t exponent = bits >> 23 & 0xff, fraction = bits & 0x7fffff;
    if (exponent == 0xff) return (uint16_t)(sign | 0x7c00 | (fraction ? 0x200 : 0));
    if (exponent >= 143) return (uint16_t)(sign | 0x7c00); /* 2^16 and more */
    /* Rounding up carries into the exponent, and from there to infinity, by itself. */
    if (exponent >= 113)
        return (uint16_t)(sign | shift_even((exponent - 112) << 23 | fraction, 13));
    if (exponent < 102) return sign; /* at most half of the smallest, which is even: 0 */
    return (uint16_t)(sign | shift_even(0x800000 | fraction, 126 - exponent));
}

double onnx_half_value(uint16_t half)
{
    int exponent = half >> 10 & 31;
    double fraction = (half & 1023) / 1024.0;
    double size = exponent == 0    ? ldexp(fraction, -14)
                  : exponent < 31  ? ldexp(1 + fraction, exponent - 15)
                  : fraction == 0  ? INFINITY
                                   : NAN;
    return half >> 15 ? -size : size;
}
