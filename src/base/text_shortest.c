/* text_shortest.c - doubles to the shortest decimal.
 *
 * 15 digits name every decimal of up to 15 digits; if they do not read back, 16, then 17. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

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
    char buffer[32];
    double back;
    memcpy(buffer, digits, (size_t)count);
    int n = count + snprintf(buffer + count, sizeof buffer - (size_t)count, "e%d",
                             ten - count + 1);
    return number_parse(buffer, (size_t)n, &back) && back == v;
}

/* v > 0 to `count` digits, correctly rounded; returns the power of ten of the first. */
static int to_digits(double v, int count, char digits[24])
{
    char buffer[48];
    snprintf(buffer, sizeof buffer, "%.*e", count - 1, v);
    int n = 0;
    const char *s = buffer;
    for (; *s != 'e'; s++) {
        if (*s >= '0' && *s <= '9') digits[n++] = *s; /* the locale's point is left out */
    }
    return atoi(s + 1);
}

/* The 17 digits rounded to `count`, as v itself would be. False where they are half way between
 * two: v may lie on either side of them. */
static bool round_digits(char *digits, int count, int *ten, const char seventeen[24])
{
    int rest = 0, half = 5;
    for (int i = count; i < 17; i++) rest = rest * 10 + (seventeen[i] - '0');
    for (int i = count + 1; i < 17; i++) half *= 10;
    if (rest == half) return false;
    memcpy(digits, seventeen, (size_t)count);
    int i = count - 1;
    while (rest > half && i >= 0 && digits[i] == '9') digits[i--] = '0';
    if (rest > half && i >= 0) digits[i]++;
    if (i >= 0) return true;
    digits[0] = '1';
    ++*ten;
    return true;
}

/* The next decimal up: the gap below a power of two is half the gap above, so the nearest decimal
 * may fail where its upper neighbour reads back. False if it would need a digit more. */
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
        char all[24] = "";
        int first = to_digits(v, 17, all);
        for (count = v < DBL_MIN ? 1 : 15; count <= 17; count++) {
            ten = first;
            if (count == 17) memcpy(digits, all, 17);
            else if (count < 15 || !round_digits(digits, count, &ten, all))
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
