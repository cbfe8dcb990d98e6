#include "report/wrap.h"

#include "report/plain.h"

void wrap_spaces(text *out, size_t count)
{
    while (count-- > 0) text_add_char(out, ' ');
}

/* Bytes and columns up to the next place where the line may break. */
static size_t next_piece(const char *string, size_t *columns)
{
    const char *at = string;
    *columns = 0;
    while (*at) {
        const char *before = at;
        uint32_t c = plain_next(&at);
        if (c == ' ' || c == '\n' || c == '\t') return (size_t)(before - string);
        unsigned wide = plain_columns(c);
        if (wide == 2 && before != string) return (size_t)(before - string);
        *columns += wide;
        if (wide == 2) {
            /* marks and closing punctuation that follow stay with it; the next character may not */
            const char *after = at;
            if (plain_columns(plain_next(&after)) != 0 || *at == 0) return (size_t)(at - string);
        }
    }
    return (size_t)(at - string);
}

struct line { text *out; size_t at, rest, columns; };

static void break_line(struct line *l)
{
    text_add_char(l->out, '\n');
    wrap_spaces(l->out, l->rest);
    l->at = l->rest;
}

static void put_piece(struct line *l, const char *piece, size_t bytes)
{
    for (const char *end = piece + bytes; piece < end;) {
        uint32_t c = plain_next(&piece);
        unsigned wide = plain_columns(c);
        if (l->at + wide > l->columns && l->at > l->rest) break_line(l);
        plain_put(l->out, c);
        l->at += wide;
    }
}

void wrap_text(text *out, const char *string, size_t first, size_t rest, size_t columns)
{
    if (columns < rest + 2) columns = rest + 2;
    struct line l = {out, first, rest, columns};
    bool space = false, begun = false;
    while (*string) {
        if (*string == ' ' || *string == '\n' || *string == '\t') {
            space = begun;
            string++;
            continue;
        }
        size_t width, bytes = next_piece(string, &width);
        if (begun && l.at + space + width > columns) {
            break_line(&l);
        } else if (space) {
            text_add_char(out, ' ');
            l.at++;
        }
        put_piece(&l, string, bytes);
        string += bytes;
        space = false;
        begun = true;
    }
}

void wrap_cell(text *out, const char *string, size_t width, bool right)
{
    size_t whole = plain_width(string);
    if (whole <= width) {
        if (right) wrap_spaces(out, width - whole);
        plain_line(out, string, 0);
        if (!right) wrap_spaces(out, width - whole);
        return;
    }
    if (width == 0) return;
    size_t at = 0;
    for (uint32_t c; (c = plain_next(&string)) != 0;) {
        unsigned wide = plain_columns(c);
        if (at + wide > width - 1) break;
        plain_put(out, c == '\n' || c == '\t' ? ' ' : c);
        at += wide;
    }
    text_add(out, "\xE2\x80\xA6");
    wrap_spaces(out, width - 1 - at);
}
