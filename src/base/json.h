/* json.h - JSON in (pull reader with positions and limits, and trees on top of it) and out. */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"
#include "base/text.h"
#include "tare.h"

typedef struct json_limits {
    size_t depth;       /* nested arrays and objects, default 64, at most 256 */
    size_t text_bytes;  /* of one string, default 64 MiB               */
    size_t values;      /* in one document, default 50 million         */
    bool bare_nan;      /* accept NaN, Infinity, -Infinity as numbers  */
} json_limits;
#define JSON_LIMITS_DEFAULT ((json_limits){64, (size_t)64 << 20, 50000000, false})

typedef enum json_event {
    JSON_END, JSON_NULL, JSON_TRUE, JSON_FALSE, JSON_NUMBER, JSON_TEXT, JSON_KEY,
    JSON_OBJECT, JSON_OBJECT_END, JSON_ARRAY, JSON_ARRAY_END
} json_event;

/* The reader works on bytes in memory that outlive it; a leading byte order mark is skipped.
 * Strings and keys are unescaped into `string` (NUL-terminated, `string_length` without it), valid
 * until the next call. Lone surrogates become U+FFFD and are counted. Invalid UTF-8 is an error.
 * Whether keys repeat is json_parse's business: the reader does not remember them.
 *
 * `lazy`, set after opening, is for callers that keep places in the bytes: a string without escapes
 * is then not copied (`string` lies in the bytes, without a NUL), and a number is checked but not
 * converted (`number` is NaN, any size is good); its digits are token .. at. */
typedef struct json_reader {
    const char *name; /* for error positions: "NAME:line:column" */
    const char *bytes, *at, *end;
    const char *token; /* where the last event begins */
    json_limits limits;
    text scratch;
    const char *string;
    size_t string_length;
    double number;
    bool number_is_integer; /* written without point or exponent and within +-2^53 */
    size_t lone_surrogates, values, depth;
    bool lazy;
    unsigned char stack[256];
    int state;
    const char *line_start; /* of the line that holds `counted`: lines are counted when asked for */
    const char *counted;
    size_t line;
} json_reader;

void json_open(json_reader *r, const mem *m, const char *name, const char *bytes, size_t length,
               const json_limits *limits);
/* Another document, from its first byte, with the name, limits and buffers of the last. */
void json_open_next(json_reader *r, const char *bytes, size_t length);
void json_close(json_reader *r);
/* The next event. JSON_END once the document is complete and only white space follows. Errors: DATA
 * ("json.syntax", "json.utf8", "json.truncated", "json.range"), LIMIT ("json.depth", "json.text",
 * "json.values"), MEMORY; `where` is the position of the offending byte. After an error:
 * an error. */
tare_status json_next(json_event *out, json_reader *r, tare_error *err);
/* Line and column (1-based, in bytes) of the last event. */
void json_position(json_reader *r, size_t *line, size_t *column);

/* A document as a tree in an arena. */
typedef enum json_kind { JSON_K_NULL, JSON_K_BOOL, JSON_K_NUMBER, JSON_K_TEXT, JSON_K_ARRAY,
                         JSON_K_OBJECT } json_kind;
typedef struct json_value {
    json_kind kind;
    bool boolean, number_is_integer;
    double number;
    const char *text; /* NUL-terminated; may hold NULs: see length */
    size_t length;    /* bytes of text, or number of children      */
    const char **keys;            /* of an object, in file order   */
    struct json_value *children;  /* of an array or object         */
    size_t line, column;
} json_value;
/* The whole input must be one document; a key that repeats within an object is an error
 * ("json.duplicate_key"). Errors: DATA (position in `where`), LIMIT, MEMORY. */
tare_status json_parse(json_value **out, arena *a, const char *name, const char *bytes,
                       size_t length, const json_limits *limits, tare_error *err);
/* NULL if absent, or if `object` is NULL or no object. */
const json_value *json_member(const json_value *object, const char *key);

/* Writer: commas and indentation are its business. indent 0: one line without spaces. */
typedef struct json_writer {
    text *out;
    int indent, depth;
    bool comma, after_key;
} json_writer;
void json_begin(json_writer *w, text *out, int indent);
void json_object(json_writer *w);
void json_object_end(json_writer *w);
void json_array(json_writer *w);
void json_array_end(json_writer *w);
void json_key(json_writer *w, const char *key);
void json_string(json_writer *w, const char *string);
/* Invalid UTF-8 becomes U+FFFD. */
void json_string_bytes(json_writer *w, const char *bytes, size_t length);
void json_number(json_writer *w, double value); /* NaN and infinity: null */
void json_integer(json_writer *w, int64_t value);
void json_bool(json_writer *w, bool value);
void json_null(json_writer *w);

#endif
