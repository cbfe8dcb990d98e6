/* document.h - a small document, JSON or YAML, as the tree that JSON gives. */
#ifndef TABLE_DOCUMENT_H
#define TABLE_DOCUMENT_H

#include "base/json.h"

/* JSON if the first byte that is no white space is { or [, else YAML. In YAML: plain true, false,
 * null and numbers have their JSON kinds, all else is text; anchors, aliases, tags, several documents
 * and keys that repeat are refused. Errors: DATA ("document.*" for YAML, "json.*" for JSON, where
 * "NAME:line:column"), LIMIT, MEMORY. */
tare_status document_parse(json_value **out, arena *a, const char *name, const char *bytes,
                           size_t length, tare_error *err);

#endif
