/* html.h - the one place where text becomes HTML. Everything a user, a file or a scorer named
 * passes through here; no other file of the page writes a string that is not its own literal. */
#ifndef REPORT_HTML_H
#define REPORT_HTML_H

#include <stddef.h>

#include "base/hash.h"
#include "base/text.h"

/* Escaped for element content and for double-quoted attributes alike. */
void html_text(text *out, const char *string);
/* A name of others: escaped, on one line, apart from the text around it in its reading
 * direction, cut after 80 characters with the whole (at most 2000 characters) in the title. */
void html_name(text *out, const char *string);
/* ` name="value"`, value escaped and on one line, at most 2000 characters. */
void html_attribute(text *out, const char *name, const char *value);
/* JSON text for a <script type="application/json"> block: no '<', '>' or '&' stays. */
void html_json(text *out, const char *json, size_t length);

void html_base64(text *out, const unsigned char *bytes, size_t length);
/* 'sha256-...' source expression of a content security policy for an inline script or style. */
void html_csp_hash(text *out, const char *content, size_t length);

#endif
