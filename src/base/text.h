/* text.h - growing byte buffers, numbers to text and back, UTF-8. Locale-independent. */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"

/* A buffer that remembers failure: append as you like, ask `failed` once at the end. `data` is
 * NUL-terminated as soon as anything was appended. */
typedef struct text {
    const mem *m;
    char *data;
    size_t length, capacity;
    bool failed;
} text;

void text_init(text *t, const mem *m);
void text_free(text *t);
void text_clear(text *t);
void text_add(text *t, const char *string);
void text_add_bytes(text *t, const void *bytes, size_t count);
void text_add_char(text *t, char c);
void text_add_format(text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The shortest decimal that reads back to the same double; "-0" becomes "0". Not for NaN or
 * infinity (assertion). */
void text_add_number(text *t, double value);
/* Give up the buffer to the caller (release with mem_free); NULL if failed. */
char *text_take(text *t);

#define NUMBER_TEXT_MAX 32
size_t number_format(double value, char out[NUMBER_TEXT_MAX]);
/* The whole of `text` as a decimal number (optional sign, digits, point, exponent; also nan, inf,
 * infinity in any case). Correctly rounded. False if it is anything else. */
bool number_parse(const char *text, size_t length, double *out);
bool integer_parse(const char *text, size_t length, int64_t *out);

/* Length of the longest valid UTF-8 prefix (no surrogates, no overlong forms). */
size_t utf8_valid_prefix(const char *text, size_t length);
static inline bool utf8_valid(const char *bytes, size_t length)
{
    return utf8_valid_prefix(bytes, length) == length;
}
/* A copy in which invalid bytes are U+FFFD and control characters are shown as \xNN: for putting
 * bytes of others into messages. Cut at `limit` bytes with "...". */
void text_add_visible(text *t, const char *bytes, size_t length, size_t limit);

/* In place, never longer: control characters (C0, DEL, C1) and bytes that are no UTF-8 become '?',
 * line ends and tabs a space. For one line that a terminal is to show. */
void text_make_plain(char *line);

#endif
