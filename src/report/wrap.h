/* wrap.h - text for a terminal: cells of a width, lines broken at spaces, ANSI colours. Widths are
 * terminal columns, so East Asian text lines up too. */
#ifndef REPORT_WRAP_H
#define REPORT_WRAP_H

#include <stddef.h>

#include "base/text.h"

/* `string` in lines of at most `columns`; the first begins after `first` columns that are
 * already written, the others after `rest` spaces. Breaks at spaces, between wide characters,
 * and inside words that are longer than a line. Ends without a line feed. */
void wrap_text(text *out, const char *string, size_t first, size_t rest, size_t columns);
/* `string` in exactly `width` columns: cut with an ellipsis, or padded (on the left if `right`). */
void wrap_cell(text *out, const char *string, size_t width, bool right);
void wrap_spaces(text *out, size_t count);

#endif
