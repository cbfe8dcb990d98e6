/* pair_rows.h - scores of two candidates and the one that people prefer: rows of judge audits C.1
 * with score_a, score_b, label (Pascal-50S and its like). */
#ifndef AUDIT_AGREE_PAIR_ROWS_H
#define AUDIT_AGREE_PAIR_ROWS_H

#include <stddef.h>
#include <stdint.h>

#include "audit/judge/score_table.h"
#include "audit/result.h"
#include "base/context.h"
#include "tare.h"

/* Columns: NULL: the accepted names. */
typedef struct pair_columns {
    const char *item, *judge, *score_a, *score_b, *label, *category, *pair, *cluster, *status;
} pair_columns;

typedef struct pair_rows {
    name_axis judge, category, cluster; /* by bytes; one judge "judge" and one category "" where
                                           the columns are not there                             */
    size_t pairs;
    uint32_t *pair_cluster, *pair_category; /* [pairs] in canonical order                        */
    int8_t *outcome;       /* [pairs][judges] 1: the judge prefers what people prefer, -1: the
                              other, 0: equal scores; read only where status is TARE_R_NONE      */
    uint8_t *status;       /* [pairs][judges] tare_reason: why there is none; a row that is not
                              there is absent                                                    */
    size_t dropped;        /* equal rows                                                         */
} pair_rows;

/* A pair is (item, category, pair); a cluster is the item unless a column says otherwise. The label
 * names the preferred candidate: a or b, 0 or 1 (index), 1 or 2 (place). Half a pair of scores is
 * no verdict. Guesses are announced and put into the facts of `result`.
 * Errors: DATA ("pairs.label": outside the pair's two; "pairs.label_scale": 1 alone could mean a or
 * b; "pairs.score": text; "pairs.disagree": two labels for one pair; "table.duplicate_key";
 * "table.no_role"), USAGE, IO, LIMIT, MEMORY. */
tare_status pair_rows_load(pair_rows *out, arena *a, tare_context *context, const char *path,
                           const pair_columns *columns, audit_result *result, tare_error *err);

#endif
