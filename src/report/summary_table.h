/* summary_table.h - a small table of a result on the terminal. */
#ifndef REPORT_SUMMARY_TABLE_H
#define REPORT_SUMMARY_TABLE_H

#include <stdbool.h>

#include "audit/result.h"
#include "base/text.h"

/* Title, columns and the first `shown` rows of a table whose cells are held; nothing is cut, so
 * that names can be copied. */
void summary_table(text *out, const result_table *t, bool colour);

#endif
