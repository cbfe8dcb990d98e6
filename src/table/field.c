/* field.c - quoted fields. */
#include "table/field.h"

#include <string.h>

const char *field_closing(const char *s, const char *end, bool *escaped)
{
    for (;;) {
        s = memchr(s, '"', (size_t)(end - s));
        if (s == NULL || s + 1 == end || s[1] != '"') return s;
        *escaped = true;
        s += 2;
    }
}

field_fault field_read_quoted(field *f, const char *s, const char *end, char delimiter)
{
    f->start = s + 1;
    f->length = 0;
    f->escaped = false;
    f->next = s;
    const char *closing = field_closing(s + 1, end, &f->escaped);
    if (closing == NULL) return FIELD_UNCLOSED;
    f->length = (size_t)(closing - f->start);
    f->next = closing + 1;
    if (f->next == end || *f->next == delimiter || *f->next == '\n') return FIELD_GOOD;
    if (*f->next != '\r' || f->next + 1 == end || f->next[1] != '\n') return FIELD_AFTER_QUOTE;
    f->next++;
    return FIELD_GOOD;
}

size_t field_unescape(const field *f, char *out)
{
    size_t n = 0;
    for (size_t i = 0; i < f->length; i++) {
        out[n++] = f->start[i];
        if (f->start[i] == '"') i++;
    }
    return n;
}
