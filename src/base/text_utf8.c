#include <string.h>

#include "base/text.h"

/* Bytes of the valid character at `s` (Unicode table 3-7); 0 if there is none. */
static size_t utf8_character(const unsigned char *s, size_t length)
{
    unsigned char c = s[0], low = 0x80, high = 0xBF;
    size_t need;
    if (c < 0x80) return 1;
    if (c >= 0xC2 && c <= 0xDF) {
        need = 2;
    } else if (c >= 0xE0 && c <= 0xEF) {
        need = 3;
        if (c == 0xE0) low = 0xA0;  /* overlong */
        if (c == 0xED) high = 0x9F; /* surrogates */
    } else if (c >= 0xF0 && c <= 0xF4) {
        need = 4;
        if (c == 0xF0) low = 0x90;
        if (c == 0xF4) high = 0x8F; /* beyond U+10FFFF */
    } else {
        return 0;
    }
    if (length < need || s[1] < low || s[1] > high) return 0;
    for (size_t i = 2; i < need; i++) {
        if ((s[i] & 0xC0) != 0x80) return 0;
    }
    return need;
}

size_t utf8_valid_prefix(const char *bytes, size_t length)
{
    const unsigned char *s = (const unsigned char *)bytes;
    size_t i = 0;
    while (i < length) {
        if (s[i] < 0x80) { /* runs of ASCII, eight at a time */
            uint64_t word;
            while (length - i >= 8) {
                memcpy(&word, s + i, 8);
                if (word & 0x8080808080808080u) break;
                i += 8;
            }
            while (i < length && s[i] < 0x80) i++;
            continue;
        }
        size_t n = utf8_character(s + i, length - i);
        if (n == 0) break;
        i += n;
    }
    return i;
}

void text_add_visible(text *t, const char *bytes, size_t length, size_t limit)
{
    const unsigned char *s = (const unsigned char *)bytes;
    size_t start = t->length;
    for (size_t i = 0; i < length;) {
        char shown[8];
        const char *piece = shown;
        size_t n = utf8_character(s + i, length - i), size;
        if (n == 0) {
            piece = "\xEF\xBF\xBD";
            size = 3;
            n = 1;
        } else if (s[i] < 0x20 || s[i] == 0x7F) {
            static const char hex[] = "0123456789ABCDEF";
            shown[0] = '\\';
            shown[1] = 'x';
            shown[2] = hex[s[i] >> 4];
            shown[3] = hex[s[i] & 15];
            size = 4;
        } else {
            piece = bytes + i;
            size = n;
        }
        if (t->length - start + size > limit) {
            text_add(t, "...");
            return;
        }
        text_add_bytes(t, piece, size);
        i += n;
        if (t->failed) return;
    }
}

void text_make_plain(char *line)
{
    const size_t length = strlen(line);
    const unsigned char *s = (const unsigned char *)line;
    char *out = line;
    for (size_t i = 0; i < length;) {
        size_t n = utf8_character(s + i, length - i);
        bool blank = s[i] == '\n' || s[i] == '\t';
        bool control = s[i] < 0x20 || s[i] == 0x7F || (s[i] == 0xC2 && n == 2 && s[i + 1] < 0xA0);
        if (n == 0 || control) {
            *out++ = blank ? ' ' : '?';
        } else {
            memmove(out, line + i, n);
            out += n;
        }
        i += n > 0 ? n : 1;
    }
    *out = '\0';
}
