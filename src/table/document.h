/* document.h - a small document, JSON or YAML, as the tree that JSON gives.
 *
 * A document is nested at most 64 deep and no longer than its caller lets it be. In YAML anchors,
 * aliases, tags (but !!str), merge keys, several documents and keys that repeat are refused: a file
 * cannot grow while it is read. Keys hold no NUL. */
#ifndef TABLE_DOCUMENT_H
#define TABLE_DOCUMENT_H

#include "base/json.h"

enum { DOCUMENT_DEPTH_MAX = 64 };

/* JSON if the first byte that is no white space is { or [, else YAML with typed scalars. Errors:
 * DATA ("document.*" for YAML, "json.*" for JSON, where "NAME:line:column"), LIMIT, MEMORY. */
tare_status document_parse(json_value **out, arena *a, const char *name, const char *bytes,
                           size_t length, tare_error *err);

/* The two by themselves. */
tare_status document_json(json_value **out, arena *a, const char *name, const char *bytes,
                          size_t length, tare_error *err);

/* What the plain scalars of YAML are (quoted ones are always text). A plain empty value, ~ and null
 * are nothing in both. */
typedef enum document_scalars {
    DOCUMENT_TYPED, /* true, false and decimal numbers are that; `no`, 007 and 0x1f are text */
    DOCUMENT_TEXT   /* all is text */
} document_scalars;
/* Errors: DATA ("document.syntax", "document.empty", "document.range"), LIMIT ("document.depth"),
 * MEMORY. */
tare_status document_yaml(json_value **out, arena *a, const char *name, const char *bytes,
                          size_t length, document_scalars scalars, tare_error *err);

#endif
