#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"

void json_begin(json_writer *w, text *out, int indent)
{
    *w = (json_writer){out, indent, 0, false, false};
}

static void new_line(json_writer *w)
{
    if (w->indent <= 0) return;
    text_add_char(w->out, '\n');
    for (int i = 0; i < w->depth * w->indent; i++) text_add_char(w->out, ' ');
}

/* What goes before a value or a key. */
static void before(json_writer *w)
{
    if (w->after_key) {
        w->after_key = false;
        return;
    }
    if (w->comma) text_add_char(w->out, ',');
    if (w->depth > 0) new_line(w);
}

static void open_with(json_writer *w, char c)
{
    before(w);
    text_add_char(w->out, c);
    w->depth++;
    w->comma = false;
}

static void close_with(json_writer *w, char c)
{
    w->depth--;
    if (w->comma) new_line(w); /* nothing inside: [] */
    text_add_char(w->out, c);
    w->comma = true;
}

void json_object(json_writer *w)
{
    open_with(w, '{');
}

void json_object_end(json_writer *w)
{
    close_with(w, '}');
}

void json_array(json_writer *w)
{
    open_with(w, '[');
}

void json_array_end(json_writer *w)
{
    close_with(w, ']');
}

static void add_escape(text *out, unsigned char c)
{
    switch (c) {
    case '"': text_add(out, "\\\""); break;
    case '\\': text_add(out, "\\\\"); break;
    case '\n': text_add(out, "\\n"); break;
    case '\r': text_add(out, "\\r"); break;
    case '\t': text_add(out, "\\t"); break;
    default: text_add_format(out, "\\u%04x", c); break;
    }
}

static void add_quoted(text *out, const char *bytes, size_t length)
{
    text_add_char(out, '"');
    while (length > 0) {
        size_t valid = utf8_valid_prefix(bytes, length), start = 0;
        for (size_t i = 0; i < valid; i++) {
            unsigned char c = (unsigned char)bytes[i];
            if (c >= 0x20 && c != '"' && c != '\\' && c != 0x7F) continue;
            text_add_bytes(out, bytes + start, i - start);
            add_escape(out, c);
            start = i + 1;
        }
        text_add_bytes(out, bytes + start, valid - start);
        if (valid == length) break;
        text_add(out, "\xEF\xBF\xBD");
        bytes += valid + 1;
        length -= valid + 1;
    }
    text_add_char(out, '"');
}

void json_key(json_writer *w, const char *key)
{
    before(w);
    add_quoted(w->out, key, strlen(key));
    text_add(w->out, w->indent > 0 ? ": " : ":");
    w->comma = true;
    w->after_key = true;
}

void json_string_bytes(json_writer *w, const char *bytes, size_t length)
{
    before(w);
    add_quoted(w->out, bytes, length);
    w->comma = true;
}

void json_string(json_writer *w, const char *string)
{
    json_string_bytes(w, string, strlen(string));
}

void json_number(json_writer *w, double value)
{
    before(w);
    if (isfinite(value)) {
        text_add_number(w->out, value);
    } else {
        text_add(w->out, "null");
    }
    w->comma = true;
}

void json_integer(json_writer *w, int64_t value)
{
    char digits[24];
    before(w);
    text_add_bytes(w->out, digits, (size_t)snprintf(digits, sizeof digits, "%lld",
                                                    (long long)value));
    w->comma = true;
}

static void add_word(json_writer *w, const char *word)
{
    before(w);
    text_add(w->out, word);
    w->comma = true;
}

void json_bool(json_writer *w, bool value)
{
    add_word(w, value ? "true" : "false");
}

void json_null(json_writer *w)
{
    add_word(w, "null");
}
