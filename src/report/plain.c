#include "report/plain.h"

#include <stdbool.h>

#define REPLACEMENT 0xFFFDu

/* Length that the first byte promises, 0 if it cannot be first. */
static unsigned promised(unsigned char first, uint32_t *code)
{
    if (first < 0x80) return *code = first, 1;
    if (first >= 0xC2 && first <= 0xDF) return *code = first & 0x1Fu, 2;
    if (first >= 0xE0 && first <= 0xEF) return *code = first & 0x0Fu, 3;
    if (first >= 0xF0 && first <= 0xF4) return *code = first & 0x07u, 4;
    return 0;
}

static bool barred(uint32_t c)
{
    if (c == '\n' || c == '\t') return false;
    if (c < 0x20 || (c >= 0x7F && c <= 0x9F)) return true;
    if ((c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069)) return true;
    if (c == 0x200E || c == 0x200F || c == 0x061C) return true; /* direction marks */
    if (c == 0x2028 || c == 0x2029) return true;                /* other line ends  */
    return (c & 0xFFFEu) == 0xFFFEu || (c >= 0xFDD0 && c <= 0xFDEF); /* noncharacters */
}

uint32_t plain_next(const char **at)
{
    const unsigned char *s = (const unsigned char *)*at;
    if (*s == 0) return 0;
    uint32_t code = 0;
    unsigned length = promised(*s, &code);
    if (length == 0) {
        *at += 1;
        return REPLACEMENT;
    }
    for (unsigned k = 1; k < length; k++) {
        if ((s[k] & 0xC0u) != 0x80u) { /* also stops at the NUL */
            *at += k;
            return REPLACEMENT;
        }
        code = code << 6 | (s[k] & 0x3Fu);
    }
    *at += length;
    bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
    if (overlong || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) return REPLACEMENT;
    return barred(code) ? REPLACEMENT : code;
}

void plain_put(text *out, uint32_t c)
{
    char bytes[4];
    size_t n = 0;
    if (c < 0x80) {
        bytes[n++] = (char)c;
    } else if (c < 0x800) {
        bytes[n++] = (char)(0xC0u | c >> 6);
        bytes[n++] = (char)(0x80u | (c & 0x3Fu));
    } else if (c < 0x10000) {
        bytes[n++] = (char)(0xE0u | c >> 12);
        bytes[n++] = (char)(0x80u | (c >> 6 & 0x3Fu));
        bytes[n++] = (char)(0x80u | (c & 0x3Fu));
    } else {
        bytes[n++] = (char)(0xF0u | c >> 18);
        bytes[n++] = (char)(0x80u | (c >> 12 & 0x3Fu));
        bytes[n++] = (char)(0x80u | (c >> 6 & 0x3Fu));
        bytes[n++] = (char)(0x80u | (c & 0x3Fu));
    }
    text_add_bytes(out, bytes, n);
}

static uint32_t on_one_line(uint32_t c) { return c == '\n' || c == '\t' ? ' ' : c; }

void plain_line(text *out, const char *string, size_t limit)
{
    size_t count = 0;
    for (uint32_t c; (c = plain_next(&string)) != 0; count++) {
        if (limit > 0 && count == limit) {
            text_add(out, "\xE2\x80\xA6");
            return;
        }
        plain_put(out, on_one_line(c));
    }
}

void plain_text(text *out, const char *string)
{
    for (uint32_t c; (c = plain_next(&string)) != 0;) plain_put(out, c);
}

size_t plain_count(const char *string)
{
    size_t count = 0;
    while (plain_next(&string) != 0) count++;
    return count;
}

struct span { uint32_t first, last; };

static bool within(const struct span *spans, size_t count, uint32_t c)
{
    for (size_t k = 0; k < count; k++) {
        if (c >= spans[k].first && c <= spans[k].last) return true;
    }
    return false;
}

/* Unicode 15 EastAsianWidth W and F, and general categories Mn, Me, Cf, joined into blocks: a
 * terminal's own table differs in more places than these two. */
static const struct span wide[] = {
    {0x1100, 0x115F}, {0x231A, 0x231B}, {0x2329, 0x232A}, {0x23E9, 0x23EC}, {0x25FD, 0x25FE},
    {0x2E80, 0x303E}, {0x3041, 0x33FF}, {0x3400, 0x4DBF}, {0x4E00, 0x9FFF}, {0xA000, 0xA4CF},
    {0xA960, 0xA97C}, {0xAC00, 0xD7A3}, {0xF900, 0xFAFF}, {0xFE10, 0xFE19}, {0xFE30, 0xFE6F},
    {0xFF01, 0xFF60}, {0xFFE0, 0xFFE6}, {0x16FE0, 0x18CFF}, {0x1B000, 0x1B2FF}, {0x1F300, 0x1F64F},
    {0x1F680, 0x1F6FF}, {0x1F900, 0x1FAFF}, {0x20000, 0x3FFFD}};
static const struct span narrowest[] = {
    {0x0300, 0x036F}, {0x0483, 0x0489}, {0x0591, 0x05BD}, {0x05BF, 0x05BF}, {0x05C1, 0x05C2},
    {0x0610, 0x061A}, {0x064B, 0x065F}, {0x0670, 0x0670}, {0x06D6, 0x06DC}, {0x0900, 0x0902},
    {0x093C, 0x093C}, {0x0941, 0x0948}, {0x094D, 0x094D}, {0x0E31, 0x0E31}, {0x0E34, 0x0E3A},
    {0x0E47, 0x0E4E}, {0x1AB0, 0x1AFF}, {0x1DC0, 0x1DFF}, {0x200B, 0x200D}, {0x2060, 0x2064},
    {0x20D0, 0x20FF}, {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F}, {0xFEFF, 0xFEFF}, {0xE0100, 0xE01EF}};

unsigned plain_columns(uint32_t c)
{
    if (c < 0x300) return 1;
    if (within(narrowest, sizeof narrowest / sizeof *narrowest, c)) return 0;
    return within(wide, sizeof wide / sizeof *wide, c) ? 2 : 1;
}

size_t plain_width(const char *string)
{
    size_t width = 0;
    for (uint32_t c; (c = plain_next(&string)) != 0;) width += plain_columns(on_one_line(c));
    return width;
}
