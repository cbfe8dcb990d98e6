/* text_number.c - doubles to decimal and back.
 *
 * Reading: a decimal of at most 19 digits with a small power of ten is an integer times or over a
 * power of five that fits 64 bits; 128-bit arithmetic then rounds exactly. The rest goes to strtod
 * as digits and exponent without a decimal point, so that no locale matters.
 *
 * Writing: 15 digits name every decimal of up to 15 digits; if they do not read back, 16, then 17. */
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
    if (extra <= 0) return ldexp((double)(uint64_t)v, exponent);
    uint64_t mantissa = (uint64_t)(v >> extra);
    u128 rest = v & (((u128)1 << extra) - 1), half = (u128)1 << (extra - 1);
    if (rest > half || (rest == half && (sticky || (mantissa & 1)))) mantissa++;
    return ldexp((double)mantissa, exponent + extra);
}

/* w 10^e, |e| <= 27, exact. */
static double scale_small(uint64_t w, int e)
{
    if (w == 0) return 0;
    if (e >= 0) return round_scaled((u128)w * FIVE[e], e, false);
    uint64_t divisor = FIVE[-e];
    /* The quotient gets at least 64 bits: dividend of 127 or 128 bits over less than 2^63. */
    int shift = __builtin_clzll(w) + 63;
    u128 dividend = (u128)w << shift;
    u128 quotient = dividend / divisor;
    return round_scaled(quotient, e - shift, quotient * divisor != dividend);
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

static bool scan_decimal(decimal *d, const char *s, const char *end)
{
    int64_t exponent = 0;
    bool any = false, point = false, negative = false;
    uint64_t w = 0;
    size_t digits = 0;
    const char *first = NULL;
    if (s < end && (*s == '-' || *s == '+')) negative = *s++ == '-';
    for (; s < end; s++) {
        if (is_digit(*s)) {
            any = true;
            if (point) exponent--;
            if (digits == 0 && *s == '0') continue;
            if (digits == 0) first = s;
            digits++;
            w = w * 10 + (uint64_t)(*s - '0'); /* wraps beyond 19 digits: not used then */
        } else if (*s == '.' && !point) {
            point = true;
        } else {
            break;
        }
    }
    if (!any) return false;
    if (s < end && (*s == 'e' || *s == 'E')) {
        bool down = false;
        int64_t written = 0;
        s++;
        if (s < end && (*s == '-' || *s == '+')) down = *s++ == '-';
        if (s == end) return false;
        for (; s < end && is_digit(*s); s++) {
            if (written < 1000000000000) written = written * 10 + (*s - '0');
        }
        exponent += down ? -written : written;
    }
    *d = (decimal){negative, first, digits, exponent, w};
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

bool number_parse(const char *s, size_t length, double *out)
{
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

/* ---- Writing -------------------------------------------------------------- */

/* DIGITS (count of them, no trailing zeros) x 10^(ten - count + 1), 0 not included: fixed from 1e-5
 * up to below 1e17, else d.ddde-7. Returns the length. */
static size_t lay_out(char *out, bool negative, const char *digits, int count, int ten)
{
    char *o = out;
    if (negative) *o++ = '-';
    if (ten < -5 || ten >= 17) {
        *o++ = digits[0];
        if (count > 1) {
            *o++ = '.';
            memcpy(o, digits + 1, (size_t)count - 1);
            o += count - 1;
        }
        o += snprintf(o, 8, "e%d", ten);
        return (size_t)(o - out);
    }
    if (ten < 0) {
        *o++ = '0';
        *o++ = '.';
        for (int i = -1; i > ten; i--) *o++ = '0';
    }
    for (int i = 0; i < count; i++) {
        *o++ = digits[i];
        if (ten >= 0 && i == ten && i + 1 < count) *o++ = '.';
    }
    for (int i = count; i <= ten; i++) *o++ = '0';
    *o = '\0';
    return (size_t)(o - out);
}

static int trim_zeros(const char *digits, int count)
{
    while (count > 1 && digits[count - 1] == '0') count--;
    return count;
}

/* Does DIGITS x 10^(ten - count + 1) read back as v? */
static bool reads_back(const char *digits, int count, int ten, double v)
{
    decimal d = {false, digits, (size_t)count, ten - count + 1, 0};
    for (int i = 0; i < count; i++) d.w = d.w * 10 + (uint64_t)(digits[i] - '0');
    if (d.exponent >= -FIVE_MAX && d.exponent <= FIVE_MAX) {
        return scale_small(d.w, (int)d.exponent) == v;
    }
    return scale_large(&d) == v;
}

/* v > 0 to `count` digits, correctly rounded; returns the power of ten of the first. */
static int to_digits(double v, int count, char digits[24])
{
    char buffer[48];
    snprintf(buffer, sizeof buffer, "%.*e", count - 1, v);
    int n = 0;
    const char *s = buffer;
    for (; *s != 'e'; s++) {
        if (is_digit(*s)) digits[n++] = *s; /* whatever the locale's point is, it is left out */
    }
    return atoi(s + 1);
}

/* The next decimal up: the gap below a power of two is half the gap above, so the nearest decimal may
 * fail where its upper neighbour reads back. False if it would need a digit more. */
static bool step_up(char *digits, int count)
{
    int i = count - 1;
    while (i >= 0 && digits[i] == '9') digits[i--] = '0';
    if (i < 0) return false;
    digits[i]++;
    return true;
}

/* Few decimals, as most scores have: i / 10^k in one exact division. */
static bool format_few(double v, char digits[24], int *count, int *ten)
{
    static const double power[] = {1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8};
    for (int k = 0; k <= 8; k++) {
        double scaled = v * power[k];
        if (!(scaled < 1e15)) return false;
        double whole = rint(scaled);
        if (whole < 1 || whole / power[k] != v) continue;
        char back[24];
        int n = 0;
        for (uint64_t w = (uint64_t)whole; w != 0; w /= 10) back[n++] = (char)('0' + w % 10);
        for (int i = 0; i < n; i++) digits[i] = back[n - 1 - i];
        *ten = n - 1 - k;
        *count = trim_zeros(digits, n);
        return true;
    }
    return false;
}

size_t number_format(double value, char out[NUMBER_TEXT_MAX])
{
    if (!(fabs(value) <= DBL_MAX)) { /* never in files; a bug must still not read past the end */
        return (size_t)snprintf(out, NUMBER_TEXT_MAX, "%s", value != value ? "nan" : "inf");
    }
    if (value == 0) {
        memcpy(out, "0", 2);
        return 1;
    }
    double v = fabs(value);
    char digits[24] = "";
    int count, ten;
    if (!format_few(v, digits, &count, &ten)) {
        int exponent;
        bool uneven = frexp(v, &exponent) == 0.5;
        /* Below the normal range 15 digits are more than the number has. */
        for (count = v < DBL_MIN ? 1 : 15; count <= 17; count++) {
            ten = to_digits(v, count, digits);
            if (count == 17 || reads_back(digits, count, ten, v)) break;
            if (uneven && step_up(digits, count) && reads_back(digits, count, ten, v)) break;
        }
        count = trim_zeros(digits, count);
    }
    size_t length = lay_out(out, value < 0, digits, count, ten);
    out[length] = '\0';
    return length;
}
