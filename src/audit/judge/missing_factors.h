/* missing_factors.h - the factors on which missing scores may depend, as labels of rows. Private to
 * missing_*.c. */
#ifndef AUDIT_JUDGE_MISSING_FACTORS_H
#define AUDIT_JUDGE_MISSING_FACTORS_H

#include "audit/judge/score_table.h"
#include "stats/permute.h"

#define MISSING_NO_LEVEL UINT32_MAX /* the row takes no part: an absent row's repeat */
#define MISSING_LEVELS_MAX 1000     /* factors of more levels are not tested         */

/* Rows of a layer, or of all, of judges that have scored something there, by item: those of item i
 * are start[i] ... start[i + 1] - 1. */
typedef struct missing_view {
    const score_table *t;
    size_t *start;      /* [items + 1]               */
    uint32_t *row;      /* [rows] of the score table */
    uint8_t *flag;      /* [rows] 1: missing         */
    size_t rows, flags;
} missing_view;

typedef enum factor_kind { FACTOR_AUTHOR, FACTOR_JUDGE, FACTOR_SETTING, FACTOR_DIM, FACTOR_REP,
                           FACTOR_LENGTH, FACTOR_GROUPING } factor_kind;

typedef struct missing_factor {
    factor_kind kind;
    const char *name;   /* "author", "family", ...                                     */
    const char **level;
    size_t levels;      /* at least 2 of them with rows                                */
    uint32_t *label;    /* [rows of the view]                                          */
    bool holes;         /* some rows have no level                                     */
    bool too_many;      /* levels: not tested, no labels and counts                    */
    uint64_t (*count)[TARE_REASON_COUNT]; /* [levels] rows by status, [0] those with a score */
    permute_result test;
    size_t clusters;    /* that took part */
    double v, chi_p, chi_df, spread, q;
    const char *chi_method;
    size_t high, low;   /* levels of the largest and smallest rate */
    bool informative;
} missing_factor;

/* Which factors: setting and dim compare layers, all others are met within one as well. */
typedef struct factor_choice { bool layers, within; } factor_choice;
/* Those of at least two levels, in the order in which they are reported. */
tare_status missing_factors_make(missing_factor **out, size_t *count, arena *a,
                                 const missing_view *v, factor_choice which, tare_error *err);
uint64_t missing_level_rows(const missing_factor *f, size_t level);
double missing_level_rate(const missing_factor *f, size_t level); /* NaN: no rows */

#endif
