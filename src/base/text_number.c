/* text_number.c - decimal to double, correctly rounded.
 *
 * A decimal of at most 19 digits with a small power of ten is an integer times or over a
 * power of five that fits 64 bits; 128-bit arithmetic then rounds exactly. The rest goes to strtod
 * as digits and exponent without a decimal point, so that no locale matters. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

_Static_assert(FLT_EVAL_METHOD == 0, "doubles must be computed as doubles (statistics 1)");

typedef unsigned __int128 u128;

enum {
    DIGITS_MAX = 770, /* a midpoint of two doubles has at most 767 significant digits */
    FIVE_MAX = 27     /* 5^27 < 2^63 */
};

/* 5^k, k = 0 .. 27. */
static const uint64_t FIVE[FIVE_MAX + 1] = {
    1u, 5u, 25u, 125u, 625u, 3125u, 15625u, 78125u, 390625u, 1953125u, 9765625u, 48828125u,
    244140625u, 1220703125u, 6103515625u, 30517578125u, 152587890625u, 762939453125u,
    3814697265625u, 19073486328125u, 95367431640625u, 476837158203125u, 2384185791015625u,
    11920928955078125u, 59604644775390625u, 298023223876953125u, 1490116119384765625u,
    7450580596923828125u};

/* floor(2^(63 + b) / 5^k), b the bits of 5^k, k = 1 .. 27: between 2^63 and 2^64. */
static const uint64_t FIFTH[FIVE_MAX] = {
    0xccccccccccccccccu, 0xa3d70a3d70a3d70au, 0x83126e978d4fdf3bu, 0xd1b71758e219652bu,
    0xa7c5ac471b478423u, 0x8637bd05af6c69b5u, 0xd6bf94d5e57a42bcu, 0xabcc77118461cefcu,
    0x89705f4136b4a597u, 0xdbe6fecebdedd5beu, 0xafebff0bcb24aafeu, 0x8cbccc096f5088cbu,
    0xe12e13424bb40e13u, 0xb424dc35095cd80fu, 0x901d7cf73ab0acd9u, 0xe69594bec44de15bu,
    0xb877aa3236a4b449u, 0x9392ee8e921d5d07u, 0xec1e4a7db69561a5u, 0xbce5086492111aeau,
    0x971da05074da7beeu, 0xf1c90080baf72cb1u, 0xc16d9a0095928a27u, 0x9abe14cd44753b52u,
    0xf79687aed3eec551u, 0xc612062576589ddau, 0x9e74d1b791e07e48u};

/* 1, 10, ..., 10^22: all exact. */
static const double TEN[] = {1,    1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                             1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

static const uint64_t POWER[8] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000};

/* v 2^exponent for results far from the ends of the range: exact. */
static double scale_by_two(uint64_t v, int exponent)
{
    uint64_t bits = (uint64_t)(exponent + 1023) << 52;
    double power;
    memcpy(&power, &bits, sizeof power);
    return (double)v * power;
}

static int bits_of(u128 v)
{
    uint64_t high = (uint64_t)(v >> 64);
    if (high != 0) return 128 - __builtin_clzll(high);
    return v == 0 ? 0 : 64 - __builtin_clzll((uint64_t)v);
}

/* v 2^exponent rounded to nearest even; `sticky`: the true value is a little larger. v has at least
 * 55 bits when sticky. Normal range only. */
static double round_scaled(u128 v, int exponent, bool sticky)
{
    int extra = bits_of(v) - 53;
    if (extra <= 0) return scale_by_two((uint64_t)v, exponent);
    uint64_t mantissa = (uint64_t)(v >> extra);
    u128 rest = v & (((u128)1 << extra) - 1), half = (u128)1 << (extra - 1);
    if (rest > half || (rest == half && (sticky || (mantissa & 1)))) mantissa++;
    return scale_by_two(mantissa, exponent + extra);
}

/* w / 5^k by multiplication with a reciprocal that is too small by less than one unit: the upper
 * half of the product is right or one too small. False if that could change the rounding to 53
 * bits. */
static bool divide_quickly(uint64_t w, int k, double *out)
{
    int shift = __builtin_clzll(w), five_bits = bits_of(FIVE[k]);
    uint64_t high = (uint64_t)((u128)(w << shift) * FIFTH[k - 1] >> 64);
    int extra = (int)(high >> 63) + 10; /* high has 63 or 64 bits */
    uint64_t rest = high & ((UINT64_C(1) << extra) - 1), half = UINT64_C(1) << (extra - 1);
    if (rest == half || rest == half - 1 || rest == 2 * half - 1) return false;
    uint64_t mantissa = (high >> extra) + (rest > half);
    *out = scale_by_two(mantissa, extra + 1 - five_bits - shift - k);
    return true;
}

/* w 10^e, |e| <= 27, correctly rounded. */
static double scale_small(uint64_t w, int e)
{
    if (w == 0) return 0;
    if (w <= UINT64_C(1) << 53 && e >= -22 && e <= 22) { /* both exact: one rounding */
        return e < 0 ? (double)w / TEN[-e] : (double)w * TEN[e];
    }
    if (e >= 0) return round_scaled((u128)w * FIVE[e], e, false);
    double quick;
    if (divide_quickly(w, -e, &quick)) return quick;
    /* The quotient gets at least 64 bits: dividend of 127 bits over less than 2^63. */
    int shift = __builtin_clzll(w) + 63;
    u128 dividend = (u128)w << shift;
    u128 quotient = dividend / FIVE[-e];
    return round_scaled(quotient, e - shift, quotient * FIVE[-e] != dividend);
}

/* The parts of a decimal: digits without leading zeros, value = 0.DIGITS x 10^point. */
typedef struct decimal {
    bool negative;
    const char *first;   /* first significant digit in the text */
    size_t digits;       /* significant digits, trailing zeros included */
    int64_t exponent;    /* value = DIGITS x 10^exponent */
    uint64_t w;          /* DIGITS, if digits <= 19 */
} decimal;

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* The last `count` of the eight characters at s as digits at once: three multiplications instead of
 * eight, on little-endian machines. */
static inline bool eight_digits(const char *s, int count, uint64_t *out)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    uint64_t v;
    memcpy(&v, s, 8);
    if (count < 8) { /* those before become 0 */
        uint64_t kept = UINT64_MAX << 8 * (8 - count);
        v = (v & kept) | (0x3030303030303030u & ~kept);
    }
    if (((v & 0xF0F0F0F0F0F0F0F0u) | (((v + 0x0606060606060606u) & 0xF0F0F0F0F0F0F0F0u) >> 4))
        != 0x3333333333333333u) {
        return false;
    }
    v -= 0x3030303030303030u;
    v = v * 10 + (v >> 8); /* pairs in every other byte */
    *out = ((v & 0x000000FF000000FFu) * 0x000F424000000064u
            + (v >> 16 & 0x000000FF000000FFu) * 0x0000271000000001u) >> 32;
    return true;
#else
    (void)s, (void)count, (void)out;
    return false;
#endif
}

/* A run of digits into d: w wraps beyond 19 digits and is not used then. */
static const char *scan_digits(decimal *d, const char *s, const char *end)
{
    const char *start = s;
    uint64_t eight;
    if (d->digits == 0) {
        while (s < end && *s == '0') s++;
        d->first = start = s;
    }
    while (end - s >= 8 && eight_digits(s, 8, &eight)) {
        d->w = d->w * 100000000 + eight;
        s += 8;
    }
    for (; s < end && is_digit(*s); s++) d->w = d->w * 10 + (uint64_t)(*s - '0');
    d->digits += (size_t)(s - start);
    return s;
}

static bool scan_exponent(decimal *d, const char *s, const char *end)
{
    bool down = false;
    int64_t written = 0;
    if (s < end && (*s == '-' || *s == '+')) down = *s++ == '-';
    if (s == end) return false;
    for (; s < end && is_digit(*s); s++) {
        if (written < 1000000000000) written = written * 10 + (*s - '0');
    }
    d->exponent += down ? -written : written;
    return s == end;
}

static bool scan_decimal(decimal *d, const char *s, const char *end)
{
    *d = (decimal){false, s, 0, 0, 0};
    if (s < end && (*s == '-' || *s == '+')) d->negative = *s++ == '-';
    const char *start = s;
    s = scan_digits(d, s, end);
    bool any = s > start;
    if (s < end && *s == '.') {
        start = ++s;
        s = scan_digits(d, s, end);
        d->exponent = start - s;
        any |= s > start;
    }
    if (!any) return false;
    if (s < end && (*s == 'e' || *s == 'E')) return scan_exponent(d, s + 1, end);
    return s == end;
}

/* Correctly rounded by strtod, from at most DIGITS_MAX digits and a sticky one. */
static double scale_large(const decimal *d)
{
    char buffer[DIGITS_MAX + 32];
    size_t n = 0, seen = 0;
    bool more = false;
    int64_t exponent = d->exponent;
    for (const char *s = d->first; seen < d->digits; s++) {
        if (*s == '.') continue;
        seen++;
        if (n < DIGITS_MAX) {
            buffer[n++] = *s;
        } else {
            more |= *s != '0';
            exponent++;
        }
    }
    if (more) {
        buffer[n++] = '1';
        exponent--;
    }
    if (exponent > 100000) exponent = 100000;
    if (exponent < -100000) exponent = -100000;
    snprintf(buffer + n, sizeof buffer - n, "e%d", (int)exponent);
    return strtod(buffer, NULL);
}

static bool word_is(const char *s, size_t length, const char *word)
{
    if (strlen(word) != length) return false;
    for (size_t i = 0; i < length; i++) {
        if ((s[i] | 0x20) != word[i]) return false;
    }
    return true;
}

static bool parse_word(const char *s, size_t length, double *out)
{
    bool negative = false;
    if (length > 0 && (*s == '-' || *s == '+')) {
        negative = *s == '-';
        s++;
        length--;
    }
    double value;
    if (word_is(s, length, "nan")) {
        value = (double)NAN;
    } else if (word_is(s, length, "inf") || word_is(s, length, "infinity")) {
        value = (double)INFINITY;
    } else {
        return false;
    }
    *out = negative ? -value : value;
    return true;
}

/* The form that nearly all numbers have: sign, digits, point, digits; 19 digits at most. False for
 * any other form. */
static bool parse_plain(const char *s, const char *end, double *out)
{
    uint64_t w = 0, eight;
    bool negative = s < end && *s == '-';
    const char *start = s += negative;
    while (s < end && is_digit(*s)) w = w * 10 + (uint64_t)(*s++ - '0');
    int decimals = 0;
    if (s < end && *s == '.' && s > start) {
        decimals = end - ++s < 20 ? (int)(end - s) : 20;
        if (decimals >= 8 && eight_digits(s, 8, &eight)) {
            w = w * 100000000 + eight;
            s += 8;
            int rest = (int)(end - s);
            if (rest > 0 && rest < 8 && eight_digits(end - 8, rest, &eight)) {
                w = w * POWER[rest] + eight;
                s = end;
            }
        }
        while (s < end && is_digit(*s)) w = w * 10 + (uint64_t)(*s++ - '0');
    }
    if (s != end || s == start || end - start - (decimals > 0) > 19) return false;
    double value = w <= UINT64_C(1) << 53 ? (double)w / TEN[decimals] : scale_small(w, -decimals);
    *out = negative ? -value : value;
    return true;
}

bool number_parse(const char *s, size_t length, double *out)
{
    if (parse_plain(s, s + length, out)) return true;
    decimal d;
    if (!scan_decimal(&d, s, s + length)) return parse_word(s, length, out);
    double value;
    if (d.digits == 0) {
        value = 0;
    } else if (d.digits <= 19 && d.exponent >= -FIVE_MAX && d.exponent <= FIVE_MAX) {
        value = scale_small(d.w, (int)d.exponent);
    } else {
        value = scale_large(&d);
    }
    *out = d.negative ? -value : value;
    return true;
}

bool integer_parse(const char *s, size_t length, int64_t *out)
{
    size_t i = 0;
    bool negative = false;
    int64_t value = 0;
    if (length > 0 && (s[0] == '-' || s[0] == '+')) negative = s[i++] == '-';
    if (i == length) return false;
    for (; i < length; i++) {
        if (!is_digit(s[i])) return false;
        int digit = s[i] - '0';
        if (__builtin_mul_overflow(value, 10, &value)
            || __builtin_add_overflow(value, negative ? -digit : digit, &value)) {
            return false;
        }
    }
    *out = value;
    return true;
}
