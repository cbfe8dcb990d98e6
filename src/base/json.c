/* json.c - the pull reader. */
#include "base/json.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

enum { STATE_VALUE, STATE_FIRST_KEY, STATE_KEY, STATE_FIRST_VALUE, STATE_AFTER, STATE_DONE,
       STATE_FAILED };

void json_open(json_reader *r, const mem *m, const char *name, const char *bytes, size_t length,
               const json_limits *limits)
{
    memset(r, 0, sizeof *r);
    r->name = name;
    r->limits = limits != NULL ? *limits : JSON_LIMITS_DEFAULT;
    if (r->limits.depth > sizeof r->stack) r->limits.depth = sizeof r->stack;
    text_init(&r->scratch, m);
    json_open_next(r, bytes, length);
    if (length >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0) {
        r->token = r->line_start = r->counted = r->at += 3;
    }
}

void json_open_next(json_reader *r, const char *bytes, size_t length)
{
    r->bytes = r->at = r->token = r->line_start = r->counted = bytes;
    r->end = bytes + length;
    r->line = 1;
    r->string = "";
    r->string_length = r->lone_surrogates = r->values = r->depth = 0;
    r->state = STATE_VALUE;
}

void json_close(json_reader *r)
{
    text_free(&r->scratch);
}

static void position_of(const json_reader *r, const char *at, size_t *line, size_t *column)
{
    const char *start = r->line_start, *s = r->counted;
    size_t n = r->line;
    while (s < at && (s = memchr(s, '\n', (size_t)(at - s))) != NULL) {
        start = ++s;
        n++;
    }
    *line = n;
    *column = (size_t)(at - start) + 1;
}

/* Lines are counted once: positions of later tokens start from here. */
void json_position(json_reader *r, size_t *line, size_t *column)
{
    position_of(r, r->token, line, column);
    r->line = *line;
    r->line_start = r->token - (*column - 1);
    r->counted = r->token;
}

static tare_status fail(json_reader *r, const char *at, tare_status status, const char *code,
                        const char *message, tare_error *err)
{
    size_t line, column;
    char where[320];
    position_of(r, at, &line, &column);
    snprintf(where, sizeof where, "%s:%zu:%zu", r->name, line, column);
    r->state = STATE_FAILED;
    r->token = at;
    return error_set(err, status, code, where, "%s", message);
}

static tare_status bad(json_reader *r, const char *at, const char *message, tare_error *err)
{
    if (at >= r->end) {
        return fail(r, r->end, TARE_E_DATA, "json.truncated", "the text ends too early", err);
    }
    return fail(r, at, TARE_E_DATA, "json.syntax", message, err);
}

static void skip_space(json_reader *r)
{
    while (r->at < r->end
           && (*r->at == ' ' || *r->at == '\n' || *r->at == '\r' || *r->at == '\t')) {
        r->at++;
    }
}

/* ---- Strings --------------------------------------------------------------- */

static bool read_hex4(const char *s, const char *end, unsigned *out)
{
    unsigned value = 0;
    if (end - s < 4) return false;
    for (int i = 0; i < 4; i++) {
        char c = s[i];
        unsigned digit;
        if (c >= '0' && c <= '9') {
            digit = (unsigned)(c - '0');
        } else if ((c | 0x20) >= 'a' && (c | 0x20) <= 'f') {
            digit = (unsigned)((c | 0x20) - 'a') + 10;
        } else {
            return false;
        }
        value = value << 4 | digit;
    }
    *out = value;
    return true;
}

static void add_code_point(text *out, unsigned c)
{
    char b[4];
    size_t n = 0;
    if (c < 0x80) {
        b[n++] = (char)c;
    } else if (c < 0x800) {
        b[n++] = (char)(0xC0 | c >> 6);
        b[n++] = (char)(0x80 | (c & 63));
    } else if (c < 0x10000) {
        b[n++] = (char)(0xE0 | c >> 12);
        b[n++] = (char)(0x80 | (c >> 6 & 63));
        b[n++] = (char)(0x80 | (c & 63));
    } else {
        b[n++] = (char)(0xF0 | c >> 18);
        b[n++] = (char)(0x80 | (c >> 12 & 63));
        b[n++] = (char)(0x80 | (c >> 6 & 63));
        b[n++] = (char)(0x80 | (c & 63));
    }
    text_add_bytes(out, b, n);
}

/* At the four digits after \u; takes the second half of a surrogate pair along. */
static tare_status read_unicode(json_reader *r, tare_error *err)
{
    unsigned c, low;
    if (!read_hex4(r->at, r->end, &c)) return bad(r, r->at, "\\u needs four hex digits", err);
    r->at += 4;
    if (c >= 0xD800 && c < 0xDC00 && r->end - r->at >= 2 && r->at[0] == '\\' && r->at[1] == 'u'
        && read_hex4(r->at + 2, r->end, &low) && low >= 0xDC00 && low < 0xE000) {
        r->at += 6;
        c = 0x10000 + ((c - 0xD800) << 10) + (low - 0xDC00);
    } else if (c >= 0xD800 && c < 0xE000) {
        r->lone_surrogates++;
        c = 0xFFFD;
    }
    add_code_point(&r->scratch, c);
    return TARE_OK;
}

static tare_status read_escape(json_reader *r, tare_error *err)
{
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    if (r->at == r->end) return bad(r, r->at, "", err);
    if (*r->at == 'u') {
        r->at++;
        return read_unicode(r, err);
    }
    const char *found = *r->at == '\0' ? NULL : strchr(from, *r->at);
    if (found == NULL) return bad(r, r->at, "unknown escape in a string", err);
    text_add_char(&r->scratch, to[found - from]);
    r->at++;
    return TARE_OK;
}

/* The first quote, backslash or control character at or after s; else end. *ascii becomes false if
 * there may be bytes from 0x80 on before it. */
static inline const char *plain_end(const char *s, const char *end, bool *ascii)
{
#if defined(__SSE2__)
    const __m128i quote = _mm_set1_epi8('"'), backslash = _mm_set1_epi8('\\');
    const __m128i control = _mm_set1_epi8(0x1F);
    for (; end - s >= 16; s += 16) {
        __m128i v = _mm_loadu_si128((const __m128i *)(const void *)s);
        __m128i hit = _mm_or_si128(_mm_cmpeq_epi8(v, quote), _mm_cmpeq_epi8(v, backslash));
        hit = _mm_or_si128(hit, _mm_cmpeq_epi8(_mm_min_epu8(v, control), v));
        unsigned mask = (unsigned)_mm_movemask_epi8(hit), high = (unsigned)_mm_movemask_epi8(v);
        if (mask != 0) {
            unsigned n = (unsigned)__builtin_ctz(mask);
            if (high & ((1u << n) - 1)) *ascii = false;
            return s + n;
        }
        if (high != 0) *ascii = false;
    }
#endif
    for (; s < end && *s != '"' && *s != '\\' && (unsigned char)*s >= 0x20; s++) {
        if ((unsigned char)*s >= 0x80) *ascii = false;
    }
    return s;
}

/* At the opening quote. */
static tare_status read_string(json_reader *r, tare_error *err)
{
    tare_status status = TARE_OK;
    if (r->scratch.length > 0 || r->scratch.failed) text_clear(&r->scratch);
    r->at++;
    for (;;) {
        bool ascii = true;
        const char *start = r->at, *s = plain_end(start, r->end, &ascii);
        size_t run = (size_t)(s - start), valid = ascii ? run : utf8_valid_prefix(start, run);
        if (valid < run) {
            return fail(r, start + valid, TARE_E_DATA, "json.utf8", "not valid UTF-8", err);
        }
        if (run > r->limits.text_bytes || r->scratch.length > r->limits.text_bytes - run) {
            return fail(r, r->token, TARE_E_LIMIT, "json.text", "a string is too long", err);
        }
        if (r->lazy && s < r->end && *s == '"' && start == r->token + 1) {
            r->string = start;
            r->string_length = run;
            r->at = s + 1;
            return TARE_OK;
        }
        text_add_bytes(&r->scratch, start, run);
        r->at = s;
        if (s == r->end) return bad(r, s, "", err);
        if (*s == '"') break;
        if (*s != '\\') return bad(r, s, "a control character in a string", err);
        r->at++;
        TRY(read_escape(r, err));
    }
    r->at++;
    if (r->scratch.failed) {
        r->state = STATE_FAILED;
        FAIL_MEMORY(err);
    }
    r->string = r->scratch.data;
    r->string_length = r->scratch.length;
done:
    return status;
}

/* ---- Numbers and words ----------------------------------------------------- */

static bool starts_with(const json_reader *r, const char *word)
{
    size_t n = strlen(word);
    return (size_t)(r->end - r->at) >= n && memcmp(r->at, word, n) == 0;
}

static const char *skip_digits(const char *s, const char *end)
{
    while (s < end && *s >= '0' && *s <= '9') s++;
    return s;
}

static tare_status read_number(json_reader *r, tare_error *err)
{
    const char *s = r->at;
    bool whole = true;
    if (*s == '-') s++;
    const char *digits = s;
    s = skip_digits(s, r->end);
    if (s == digits) return bad(r, s, "a digit is missing", err);
    if (*digits == '0' && s > digits + 1) return bad(r, digits, "a number starts with 0", err);
    if (s < r->end && *s == '.') {
        whole = false;
        digits = ++s;
        s = skip_digits(s, r->end);
        if (s == digits) return bad(r, s, "a digit is missing after the point", err);
    }
    if (s < r->end && (*s == 'e' || *s == 'E')) {
        whole = false;
        s++;
        if (s < r->end && (*s == '-' || *s == '+')) s++;
        digits = s;
        s = skip_digits(s, r->end);
        if (s == digits) return bad(r, s, "a digit is missing in the exponent", err);
    }
    if (r->lazy) {
        r->number = (double)NAN;
        r->number_is_integer = false;
        r->at = s;
        return TARE_OK;
    }
    number_parse(r->at, (size_t)(s - r->at), &r->number);
    if (isinf(r->number)) {
        return fail(r, r->at, TARE_E_DATA, "json.range", "a number is too large", err);
    }
    int64_t integer;
    r->number_is_integer = whole && integer_parse(r->at, (size_t)(s - r->at), &integer)
                           && integer <= (INT64_C(1) << 53) && integer >= -(INT64_C(1) << 53);
    r->at = s;
    return TARE_OK;
}

static bool read_bare_nan(json_reader *r)
{
    static const struct { const char *word; double value; } words[] = {
        {"NaN", (double)NAN}, {"Infinity", (double)INFINITY}, {"-Infinity", -(double)INFINITY}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (!starts_with(r, words[i].word)) continue;
        r->at += strlen(words[i].word);
        r->number = words[i].value;
        r->number_is_integer = false;
        return true;
    }
    return false;
}

/* ---- Events ---------------------------------------------------------------- */

static tare_status open_container(json_event *out, json_reader *r, tare_error *err)
{
    if (r->depth >= r->limits.depth) {
        return fail(r, r->at, TARE_E_LIMIT, "json.depth", "nested too deeply", err);
    }
    bool object = *r->at++ == '{';
    r->stack[r->depth++] = object;
    r->state = object ? STATE_FIRST_KEY : STATE_FIRST_VALUE;
    *out = object ? JSON_OBJECT : JSON_ARRAY;
    return TARE_OK;
}

static tare_status read_value(json_event *out, json_reader *r, tare_error *err)
{
    static const struct { const char *word; json_event event; } words[] = {
        {"null", JSON_NULL}, {"true", JSON_TRUE}, {"false", JSON_FALSE}};
    if (r->at == r->end) return bad(r, r->at, "", err);
    if (++r->values > r->limits.values) {
        return fail(r, r->at, TARE_E_LIMIT, "json.values", "too many values", err);
    }
    if (*r->at == '{' || *r->at == '[') return open_container(out, r, err);
    tare_status status = TARE_OK;
    if (*r->at == '"') {
        *out = JSON_TEXT;
        TRY(read_string(r, err));
    } else if (r->limits.bare_nan && read_bare_nan(r)) {
        *out = JSON_NUMBER;
    } else if (*r->at == '-' || (*r->at >= '0' && *r->at <= '9')) {
        *out = JSON_NUMBER;
        TRY(read_number(r, err));
    } else {
        size_t i = 0;
        while (i < 3 && !starts_with(r, words[i].word)) i++;
        if (i == 3) return bad(r, r->at, "a value was expected here", err);
        r->at += strlen(words[i].word);
        *out = words[i].event;
    }
    r->state = r->depth == 0 ? STATE_DONE : STATE_AFTER;
done:
    return status;
}

static tare_status read_key(json_event *out, json_reader *r, tare_error *err)
{
    tare_status status = TARE_OK;
    if (r->at == r->end || *r->at != '"') return bad(r, r->at, "a key was expected here", err);
    TRY(read_string(r, err));
    skip_space(r);
    if (r->at == r->end || *r->at != ':') return bad(r, r->at, "a colon was expected here", err);
    r->at++;
    r->state = STATE_VALUE;
    *out = JSON_KEY;
done:
    return status;
}

static tare_status close_container(json_event *out, json_reader *r)
{
    r->at++;
    *out = r->stack[--r->depth] ? JSON_OBJECT_END : JSON_ARRAY_END;
    r->state = r->depth == 0 ? STATE_DONE : STATE_AFTER;
    return TARE_OK;
}

tare_status json_next(json_event *out, json_reader *r, tare_error *err)
{
    *out = JSON_END;
    if (r->state == STATE_FAILED) return bad(r, r->token, "reading goes on after an error", err);
    skip_space(r);
    if (r->state == STATE_AFTER && r->at < r->end && *r->at == ',') {
        r->at++;
        skip_space(r);
        r->state = r->stack[r->depth - 1] ? STATE_KEY : STATE_VALUE;
    }
    r->token = r->at;
    bool more = r->at < r->end;
    switch (r->state) {
    case STATE_VALUE: return read_value(out, r, err);
    case STATE_FIRST_VALUE:
        return more && *r->at == ']' ? close_container(out, r) : read_value(out, r, err);
    case STATE_KEY: return read_key(out, r, err);
    case STATE_FIRST_KEY:
        return more && *r->at == '}' ? close_container(out, r) : read_key(out, r, err);
    case STATE_AFTER:
        if (more && *r->at == (r->stack[r->depth - 1] ? '}' : ']')) return close_container(out, r);
        return bad(r, r->at, "a comma or the end was expected here", err);
    default:
        if (more) return bad(r, r->at, "text after the end of the document", err);
        return TARE_OK;
    }
}
