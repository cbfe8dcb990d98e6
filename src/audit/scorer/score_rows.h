/* score_rows.h - a score table, read and coded: the way to the cube. Codes are places in the
 * order of bytes (numbers: ascending). */
#ifndef AUDIT_SCORER_SCORE_ROWS_H
#define AUDIT_SCORER_SCORE_ROWS_H

#include "audit/scorer/cube_from_table.h"
#include "table/table.h"

enum {
    ROW_BASE, ROW_DOSE, ROW_SCORER, ROW_SCORE, ROW_ARM, ROW_CLUSTER, ROW_KIND, ROW_STATUS,
    ROW_GROUP, ROW_ATTRIBUTE, ROW_ARTIFACT, ROW_ENERGY, ROW_ROLES
};

/* One text column in order of bytes; absent columns have one level, "" or a stand-in. */
typedef struct row_words {
    uint32_t *code;      /* [rows] place in the order of bytes */
    const char **word;   /* [levels] in the arena              */
    size_t levels;
    bool present;
} row_words;

typedef struct score_rows {
    table *t;
    const mem *m;
    arena *a;
    const cube_table_options *o;
    table_role role[ROW_ROLES];
    size_t rows;
    row_words base, scorer, arm, cluster, kind, status, group;
    uint32_t *dose;      /* [rows] */
    double *dose_value;  /* [doses] ascending, mem */
    size_t doses;
    const double *score, *attribute, *artifact, *energy; /* [rows]; NULL: absent */
    const unsigned char *score_status;
    uint32_t *order;     /* rows kept, by arm, base, dose, scorer */
    size_t kept, dropped;
} score_rows;

/* `t` is open; roles are found, rows loaded, coded and sorted. */
tare_status score_rows_read(score_rows *r, table *t, arena *a, tare_context *context,
                            const cube_table_options *options, tare_error *err);
void score_rows_free(score_rows *r); /* frees the table too */

#endif
