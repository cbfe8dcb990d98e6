/* file_names.h - where each table and figure of a result goes: names come from scorers and
 * arms, so they are made safe, short and distinct (also where case is ignored), and their list
 * is kept in readings.json. */
#ifndef REPORT_FILE_NAMES_H
#define REPORT_FILE_NAMES_H

#include "audit/result.h"
#include "base/mem.h"

typedef struct file_names {
    const char **table;  /* [table_count] "tables/curve.tsv"                             */
    const char **figure; /* [figure_count] "figures/curve.vl.json"; "" for a strip       */
    const char **anchor; /* [figure_count] "curve": distinct, fit for an HTML id         */
    const char **all;    /* every file below the folder, in order of writing             */
    size_t count;
    /* Pictures of strip i are all[picture[i]] and the following ones. */
    size_t *picture;
} file_names;

/* Everything lives in the arena. Errors: MEMORY. */
tare_status file_names_make(file_names *out, arena *a, const audit_result *r, tare_error *err);

/* May tare remove `path` where an earlier readings.json lists it? Only files of its own kinds,
 * directly in tables/ or figures/. */
bool file_names_is_ours(const char *path);

#endif
