/* table_options.h - which columns of a score table are what: the options of every job that reads
 * one, as initialisers of tare_option_info, so that no list is typed twice. */
#ifndef AUDIT_SCORER_TABLE_OPTIONS_H
#define AUDIT_SCORER_TABLE_OPTIONS_H

#include "audit/job.h"
#include "audit/scorer/cube_from_table.h"

#define TABLE_OPTIONS_SECTION "Columns of a score table"
#define TABLE_OPTION(role, what)                                                                   \
    {role, "COLUMN", TARE_OPTION_TEXT, NULL, NULL, 0, 0, 0, "column with " what,                   \
     TABLE_OPTIONS_SECTION}
/* Beside them a job has the options `scorer`, `group` and `lower-is-better`. */
#define TABLE_OPTIONS                                                                              \
    {"neutral", "DOSE", TARE_OPTION_NUMBER, NULL, NULL, 0, 0, 0,                                   \
     "neutral dose (0 if the table has it, else 1)", TABLE_OPTIONS_SECTION},                       \
        TABLE_OPTION("base", "the base image"), TABLE_OPTION("dose", "the dose"),                  \
        TABLE_OPTION("score", "the score"), TABLE_OPTION("status", "why there is no score"),       \
        TABLE_OPTION("attribute", "the measured attribute"),                                       \
        TABLE_OPTION("artifact", "the measured artifact"), TABLE_OPTION("arm", "the arm"),         \
        TABLE_OPTION("cluster", "the cluster"), TABLE_OPTION("kind", "real or synthetic")

/* Texts live in the job. */
tare_status table_options_read(cube_table_options *out, tare_job *job, tare_error *err);
/* A table without a single score is no answer of a scorer: INSTRUMENT, as with instruments that
 * stay silent. */
tare_status table_options_check(const cube *c, const char *path, tare_error *err);
/* What was set, as facts. */
tare_status table_options_facts(const tare_job *job, audit_result *r, tare_error *err);

#endif
