/* field.h - one field of a delimited line: found, and its faults. What unquoted fields need is in
 * the header because it is the inner loop of everything that reads. */
#ifndef TABLE_FIELD_H
#define TABLE_FIELD_H

#include <stdbool.h>
#include <stddef.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

typedef enum field_fault {
    FIELD_GOOD,
    FIELD_UNCLOSED,        /* at: the opening quote          */
    FIELD_AFTER_QUOTE,     /* at: the byte after the closing */
    FIELD_CARRIAGE_RETURN  /* at: the carriage return        */
} field_fault;

typedef struct field {
    const char *start;
    size_t length;
    bool escaped;     /* holds "" for " */
    const char *next; /* the delimiter, line feed or end after it; the fault's place */
} field;

/* First delimiter, LF or CR at or after s; else end. 16 bytes beyond the end may be read. */
static inline const char *field_stop(const char *s, const char *end, char delimiter)
{
#if defined(__SSE2__)
    const __m128i d = _mm_set1_epi8(delimiter), n = _mm_set1_epi8('\n'), r = _mm_set1_epi8('\r');
    for (; s < end; s += 16) {
        __m128i v = _mm_loadu_si128((const __m128i *)(const void *)s);
        __m128i hit = _mm_or_si128(_mm_cmpeq_epi8(v, d),
                                   _mm_or_si128(_mm_cmpeq_epi8(v, n), _mm_cmpeq_epi8(v, r)));
        unsigned mask = (unsigned)_mm_movemask_epi8(hit);
        if (mask != 0) {
            s += __builtin_ctz(mask);
            return s < end ? s : end;
        }
    }
    return end;
#else
    while (s < end && *s != delimiter && *s != '\n' && *s != '\r') s++;
    return s;
#endif
}

/* The closing quote of a field whose text begins at s, or NULL. */
const char *field_closing(const char *s, const char *end, bool *escaped);

/* A field that begins with a quote. */
field_fault field_read_quoted(field *f, const char *s, const char *end, char delimiter);

static inline __attribute__((always_inline)) field_fault
field_read(field *f, const char *s, const char *end, char delimiter)
{
    if (__builtin_expect(s < end && *s == '"', 0)) return field_read_quoted(f, s, end, delimiter);
    const char *stop = field_stop(s, end, delimiter);
    f->start = s;
    f->length = (size_t)(stop - s);
    f->escaped = false;
    f->next = stop;
    if (stop == end || *stop != '\r') return FIELD_GOOD;
    if (stop + 1 == end || stop[1] != '\n') return FIELD_CARRIAGE_RETURN;
    f->next = stop + 1;
    return FIELD_GOOD;
}

/* Writes the text of an escaped field to `out` (room for f->length); returns its length. */
size_t field_unescape(const field *f, char *out);

#endif
