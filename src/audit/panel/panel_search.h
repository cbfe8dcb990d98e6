/* panel_search.h - which panel agrees best with gold, and with how little preference (judge audits
 * B.6).
 *
 * Every panel is scored on several subsets of the rows at once: all of them, all without fold k,
 * fold k alone. Folds are made of clusters, so that nothing of what a panel is chosen on is in what
 * it is tested on. All panels are compared on the same rows: those with a score of every candidate
 * (ours). */
#ifndef AUDIT_PANEL_PANEL_SEARCH_H
#define AUDIT_PANEL_PANEL_SEARCH_H

#include "audit/panel/agree_cells.h"
#include "audit/panel/panel_rows.h"
#include "base/context.h"
#include "base/hash.h"

#define SEARCH_EXHAUSTIVE 100000 /* panels up to which all are scored */
#define SEARCH_WIDTH 8           /* of the beam                       */
#define SEARCH_FOLDS_MAX 40
#define SEARCH_MOST 64           /* members of a panel            */
#define FOLD_NONE UINT32_MAX     /* never held out                    */

typedef enum bias_kind { BIAS_MABS, BIAS_MAX, BIAS_RMS, BIAS_D } bias_kind;

typedef struct search_options {
    const aggregator *aggregate;
    agree_kind agree;
    agree_labels labels;
    bias_kind bias;
    size_t ddof;
    const size_t *candidate;   /* judges, ascending                                */
    size_t candidates, most;   /* sizes 1 .. most                                  */
    size_t width;              /* 0: exhaustive, or SEARCH_WIDTH if that is too much */
    double within;             /* agreement given up for less bias                 */
    const uint32_t *fold;      /* [clusters] < folds or FOLD_NONE                  */
    size_t folds;              /* 0: nothing is held out                           */
} search_options;

typedef struct searched {
    const uint32_t *member;    /* [size] judges, ascending                                       */
    size_t size;
    const double *agree, *bias;/* [subsets] NaN: not defined. No member writes: bias 0 (ours)    */
} searched;

typedef struct panel_search {
    const panel_rows *rows;
    search_options o;
    tare_context *context;
    const mem *m;
    size_t subsets;            /* 1 + 2 folds                                                    */
    size_t rows_used;          /* with a score of all candidates and gold                        */
    bool exhaustive;
    /* panels, in the order in which they were found */
    size_t count, capacity;
    uint32_t *member;          /* [capacity][most] */
    size_t *size;              /* [capacity]       */
    double *agree, *bias;      /* [capacity][subsets] */
    uint64_t *seen_in;         /* [capacity] bit s: met by the search on subset s               */
    map *known;
    struct search_data *data;  /* prepared rows; search_score.c */
} panel_search;

/* Subset s: 0 all; 1 + k without fold k; 1 + folds + k fold k alone. */
static inline size_t search_train(size_t k) { return 1 + k; }
static inline size_t search_test(const panel_search *s, size_t k) { return 1 + s->o.folds + k; }

/* Score all panels, or those the beam meets, on all items and within each training set. Errors:
 * DATA ("search.rows": too few rows have a score of every candidate), MEMORY, STOPPED. */
tare_status panel_search_run(panel_search *s, tare_context *context, const panel_rows *rows,
                             const search_options *options, tare_error *err);
void panel_search_free(panel_search *s);
searched panel_search_at(const panel_search *s, size_t panel);
/* How many panels of size 1..most there are; SIZE_MAX: more than can be counted. */
size_t panel_search_count(size_t candidates, size_t most);

/* Best agreement, and least bias within `within` of it, on subset s (0 or a training set); ties:
 * less bias or more agreement, then the names. SIZE_MAX: no panel has an agreement. `size` 0: any.
 */
typedef struct search_choice { size_t best, gentle; } search_choice;
search_choice panel_search_choose(const panel_search *s, size_t subset, size_t size);
/* Panels on the front of agreement against bias on subset 0, most agreement first. */
tare_status panel_search_front(size_t **front, size_t *count, const panel_search *s, arena *a,
                               tare_error *err);

/* ---- Between the files of the search ---- */

tare_status search_data_new(panel_search *s, tare_error *err);
void search_data_free(panel_search *s);
/* Score panels first .. count-1 on all subsets, in parallel. */
tare_status search_score(panel_search *s, size_t first, tare_error *err);

/* More agreement, then less bias, then the names: does panel a come before b on a subset? */
bool search_better(const panel_search *s, size_t subset, size_t a, size_t b);

/* What is wanted of the augmented matrix: standardised [G][E+1] and residual likewise, the panel's
 * column last; own[owns] authors that are members. */
typedef struct bias_input {
    const double *standardised, *residual;
    size_t authors, columns;
    const size_t *own;
    size_t owns;
} bias_input;
double panel_bias(bias_kind kind, const bias_input *in);

#endif
