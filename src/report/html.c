#include "report/html.h"

#include "report/plain.h"

#define NAME_SHOWN 80
#define NAME_UNBROKEN 16 /* longer ones may break anywhere */
#define TITLE_SHOWN 2000

static void put_escaped(text *out, uint32_t c)
{
    switch (c) {
    case '&': text_add(out, "&amp;"); break;
    case '<': text_add(out, "&lt;"); break;
    case '>': text_add(out, "&gt;"); break;
    case '"': text_add(out, "&quot;"); break;
    case '\'': text_add(out, "&#39;"); break;
    default: plain_put(out, c);
    }
}

void html_text(text *out, const char *string)
{
    for (uint32_t c; (c = plain_next(&string)) != 0;) put_escaped(out, c);
}

static size_t put_line(text *out, const char *string, size_t limit)
{
    size_t count = 0;
    for (uint32_t c; (c = plain_next(&string)) != 0; count++) {
        if (count == limit) {
            text_add(out, "\xE2\x80\xA6");
            return count + 1;
        }
        put_escaped(out, c == '\n' || c == '\t' ? ' ' : c);
    }
    return count;
}

void html_attribute(text *out, const char *name, const char *value)
{
    text_add_format(out, " %s=\"", name);
    put_line(out, value, TITLE_SHOWN);
    text_add_char(out, '"');
}

void html_name(text *out, const char *string)
{
    size_t count = plain_count(string);
    text_add(out, count > NAME_UNBROKEN ? "<bdi class=\"long\"" : "<bdi");
    if (count > NAME_SHOWN) html_attribute(out, "title", string);
    text_add_char(out, '>');
    put_line(out, string, NAME_SHOWN);
    text_add(out, "</bdi>");
}

void html_json(text *out, const char *json, size_t length)
{
    size_t plain = 0; /* start of the stretch not yet copied */
    for (size_t k = 0; k < length; k++) {
        char c = json[k];
        if (c != '<' && c != '>' && c != '&') continue;
        text_add_bytes(out, json + plain, k - plain);
        text_add_format(out, "\\u%04x", (unsigned)c);
        plain = k + 1;
    }
    text_add_bytes(out, json + plain, length - plain);
}

void html_base64(text *out, const unsigned char *bytes, size_t length)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t k = 0; k < length; k += 3) {
        size_t left = length - k;
        uint32_t word = (uint32_t)bytes[k] << 16 | (left > 1 ? (uint32_t)bytes[k + 1] << 8 : 0u) |
                        (left > 2 ? bytes[k + 2] : 0u);
        char four[4] = {digits[word >> 18], digits[word >> 12 & 63], '=', '='};
        if (left > 1) four[2] = digits[word >> 6 & 63];
        if (left > 2) four[3] = digits[word & 63];
        text_add_bytes(out, four, 4);
    }
}

void html_csp_hash(text *out, const char *content, size_t length)
{
    unsigned char digest[SHA256_BYTES];
    sha256_of(content, length, digest);
    text_add(out, "'sha256-");
    html_base64(out, digest, SHA256_BYTES);
    text_add_char(out, '\'');
}
