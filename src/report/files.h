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
void table_tsv(text *out, const result_table *t);
/* A whole Vega-Lite 5 specification with its data. Not for strips. */
void spec_json(text *out, const figure *f);
/* tare.log: how the run was made, a line a fact; no clock. */
void log_text(text *out, const audit_result *r);
/* report.html. */
void page_html(text *out, const audit_result *r, const file_names *names);

#endif
