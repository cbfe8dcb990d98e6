/* plain.h - text of others made fit for showing: names of files, scorers and groups come from
 * outside.
 *
 * One decoder for the page, the terminal and the tables, so that no place forgets what another
 * one guards against: bytes that are no UTF-8, control characters (terminal escapes) and the
 * characters that turn the reading direction of what follows around all become U+FFFD. */
#ifndef REPORT_PLAIN_H
#define REPORT_PLAIN_H

#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

/* Code point at *at, which moves on; 0 at the end. Line feed and tab pass. */
uint32_t plain_next(const char **at);
void plain_put(text *out, uint32_t code);
/* All of `string`, at most `limit` code points and then an ellipsis; line feeds and tabs become
 * spaces. limit 0: no limit. */
void plain_line(text *out, const char *string, size_t limit);
/* All of `string`, line feeds and tabs kept. */
void plain_text(text *out, const char *string);
/* Number of code points as plain_next gives them. */
size_t plain_count(const char *string);

/* Terminal columns of a code point: 0 for combining marks and joiners, 2 for East Asian wide
 * and fullwidth forms and pictographs, else 1. */
unsigned plain_columns(uint32_t code);
/* Terminal columns of plain_line(string). */
size_t plain_width(const char *string);

#endif
