/* files.h - the files of a report: what each holds is made into a buffer; report.c writes them. */
#ifndef REPORT_FILES_H
#define REPORT_FILES_H

#include "audit/result.h"
#include "base/text.h"
#include "report/file_names.h"

/* readings.json: docs/schema/readings.schema.json. */
void readings_json(text *out, const audit_result *r, const file_names *names);
/* readings.tsv: one row per reading, the columns of the JSON. */
void readings_tsv(text *out, const audit_result *r);
/* tables/NAME.tsv, made piece by piece: a table may be larger than all the rest. Errors: IO,
 * MEMORY, those of the rows. */
tare_status table_file(const char *path, const result_table *t, const mem *m, tare_error *err);
/* A whole Vega-Lite 5 specification with its data. Not for strips. */
void spec_json(text *out, const figure *f);
/* tare.log: how the run was made, a line a fact; no clock. */
void log_text(text *out, const audit_result *r);
/* report.html. */
void page_html(text *out, const audit_result *r, const file_names *names);

#endif
