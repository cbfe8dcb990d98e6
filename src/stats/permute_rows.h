/* permute_rows.h - are rows flagged more often under one label than under another, when labels vary
 * within blocks? (statistics 5 and 13; judge audits G.7) */
#ifndef STATS_PERMUTE_ROWS_H
#define STATS_PERMUTE_ROWS_H

#include "stats/permute.h"

/* Rows of block b are start[b] ... start[b + 1] - 1. Labels are without gaps in use: a label that
 * no row bears has no rate. */
typedef struct permute_rows_data {
    size_t blocks;                /* = plan->clusters                    */
    const size_t *start;          /* [blocks + 1]                        */
    const uint8_t *flag;          /* [rows] 0 or 1                       */
    const uint32_t *const *label; /* [k][rows], below labels[k]          */
    const size_t *labels;         /* [k]                                 */
    size_t k;                     /* ways to label, over the same draws  */
} permute_rows_data;

/* H0: within a block the flags may stand at any of its rows. A replicate draws the places of each
 * block's flags (of the unflagged rows, if these are fewer) by the block's own stream, with Floyd's
 * algorithm: the i-th draw is bounded by n - m + i of n rows, m to draw. T = largest minus smallest
 * rate. Always sampled. Blocks in which all rows are alike cost nothing. Where no block can change:
 * p 1. out[k]. Errors: LIMIT (a block of 2^32 rows, labels in all above 2^24), USAGE (a label out
 * of range), MEMORY. */
tare_status permute_rows(permute_result *out, const permute_plan *plan,
                         const permute_rows_data *data, tare_error *err);

#endif
