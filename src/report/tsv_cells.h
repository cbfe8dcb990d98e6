/* tsv_cells.h - fields of the TSV files. */
#ifndef REPORT_TSV_CELLS_H
#define REPORT_TSV_CELLS_H

#include "base/text.h"

/* Quoted as in CSV where it holds a tab, a line end or a quote: what R, pandas and DuckDB read. */
void tsv_field(text *out, const char *value);
void tsv_value(text *out, double value); /* NaN: nothing */

#endif
