/* document.c - which format a document has, and JSON by the rules of documents. */
#include "table/document.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"

/* The tree holds keys as C strings: two that differ behind a NUL only would be one. */
static tare_status refuse_nul_in_keys(const mem *m, const char *name, const char *bytes,
                                      size_t length, const json_limits *limits, tare_error *err)
{
    tare_status status = TARE_OK;
    json_reader r;
    json_open(&r, m, name, bytes, length, limits);
    for (;;) {
        json_event event;
        TRY(json_next(&event, &r, err));
        if (event == JSON_END) break;
        if (event == JSON_KEY && memchr(r.string, 0, r.string_length)) {
            char where[320];
            size_t line, column;
            json_position(&r, &line, &column);
            snprintf(where, sizeof where, "%.260s:%zu:%zu", name, line, column);
            FAIL(err, TARE_E_DATA, "json.key", where, "a key holds a NUL");
        }
    }
done:
    json_close(&r);
    return status;
}

tare_status document_json(json_value **out, arena *a, const char *name, const char *bytes,
                          size_t length, tare_error *err)
{
    tare_status status = TARE_OK;
    json_limits limits = JSON_LIMITS_DEFAULT;
    limits.depth = DOCUMENT_DEPTH_MAX;
    TRY(refuse_nul_in_keys(a->m, name, bytes, length, &limits, err));
    TRY(json_parse(out, a, name, bytes, length, &limits, err));
done:
    return status;
}

tare_status document_parse(json_value **out, arena *a, const char *name, const char *bytes,
                           size_t length, tare_error *err)
{
    size_t i = length >= 3 && !memcmp(bytes, "\xef\xbb\xbf", 3) ? 3 : 0;
    while (i < length && bytes[i] && strchr(" \t\r\n", bytes[i])) i++;
    if (i < length && (bytes[i] == '{' || bytes[i] == '['))
        return document_json(out, a, name, bytes, length, err);
    return document_yaml(out, a, name, bytes, length, DOCUMENT_TYPED, err);
}
