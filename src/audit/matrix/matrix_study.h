/* matrix_study.h - what the families of readings of `tare matrix` share (judge audits A).
 *
 * A *view* is one (setting, dim): authors x judges over the items that are used, with the sums per
 * cluster from which every function of cell means is resampled in one product. Cells are numbered
 * g * E + e: author g, judge e, both counted within the view. K models are judge and author at
 * once; their cells are the self cells. */
#ifndef AUDIT_MATRIX_MATRIX_STUDY_H
#define AUDIT_MATRIX_MATRIX_STUDY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "audit/book.h"
#include "audit/judge/missing_rows.h"
#include "audit/judge/score_table.h"
#include "stats/infer.h"

typedef struct matrix_options {
    book_options book;
    bool available;            /* --cells available: means over what is there                    */
    size_t ddof;               /* of the row step of Phi~: 0 or 1                                */
    const char *test;          /* of D: "t" (the rule of statistics 4), "signflip", "wilcoxon"   */
    bool exclude_family;       /* the D that leads leaves out the judge's family                 */
    const char *const *without;/* judges and authors left out                                    */
    size_t without_count;
    /* A.6 */
    const char *rescale;       /* max none range                                                 */
    const char *gold;          /* auto (the column if there is one, else peers) column peers none */
    const char *vcov;          /* auto hc0 hc1 cr0 cr1 cr2 twoway                                */
    const char *length;        /* none tanh                                                      */
    const char *link;          /* identity ordinal                                               */
    uint32_t block_perm;       /* permutations of the assignment test: 49999                     */
    const char *const *block;  /* --block: the groupings that are blocks                         */
    size_t block_count;        /* 0: all of the roster                                           */
} matrix_options;

/* Authors and judges of a view that share a value of one grouping of the roster. */
typedef struct matrix_grouping {
    const char *name;          /* "family"                                                       */
    size_t index;              /* in the roster                                                  */
    uint8_t *kin;              /* [G][E] 1: share a value and are not the same model             */
    size_t cells;              /* how many                                                       */
} matrix_grouping;

/* Where the settled readings of a self cell are: indices into book.entries, BOOK_NONE: absent. */
typedef struct matrix_self {
    size_t author, judge;      /* places in the view                                             */
    const char *name;          /* of the judge                                                   */
    size_t d, d_kin, dz;       /* self contrast; without the family; of z-scored judges          */
    size_t regression;         /* self coefficient of A.6 (set by matrix_regression_run)         */
    double sd;                 /* within-author SD over items of the judge: yardstick (within_sd) */
    double d_t, d_se, d_df, d_p_t;       /* t test over clusters                                 */
    double d_p_flip, d_p_wilcoxon;       /* NaN: not made                                        */
    double worst_lo, worst_hi; /* D with missing scores at the ends of the scale; NaN: none miss */
    double lojo[3][2];         /* D, R, Phi~: least and largest without one other judge          */
    size_t lojo_of, lojo_holds;/* judges left out; verdict the same                              */
    double rank_own, rank_peers, rank_bias, rank_share; /* E.2 (1), (2)                          */
} matrix_self;

typedef struct matrix_view {
    size_t layer;              /* of the score table                                             */
    const char *setting, *dim; /* "" where the table has one only                                */
    const char *label;         /* for people: "setting, dim"; "" where there is one view         */
    size_t G, E, K;
    size_t *author, *judge;    /* [G], [E] indices into the table's axes, ascending              */
    const char **author_name, **judge_name; /* [G], [E]                                          */
    size_t *self_author;       /* [E] place of the author that is this judge; SIZE_MAX: none     */
    matrix_self *self;         /* [K] in the order of judges                                     */
    size_t items, items_all;   /* used; with any row in this layer                               */
    uint32_t *layer_item;      /* [items_all] index into the table's items, ascending            */
    missing_counts counts;     /* items: expected, used, dropped by the reason of the first cell
                                  without a score in the order of authors, then judges (ours)    */
    uint32_t *item;            /* [items] index into the table's items, ascending                */
    size_t *unit;              /* [items][G] unit of the table; SIZE_MAX: no row                 */
    double *y;                 /* [items][G][E] scores; NaN only if !balanced                    */
    bool balanced;             /* every cell has every item                                      */
    bool cells_only;           /* from cell means: no items, no clusters, nothing resampled      */
    const char *reason;        /* why nothing can be computed ("out_of_range"); ""               */
    uint32_t *cluster;         /* [items] index into plan.ids                                    */
    infer_plan plan;           /* analysis "items"; draws prepared, shared by equal cluster sets */
    /* Per cluster: balanced: [M][G E + 1], the cells' sums and the number of items; otherwise
     * [M][2 G E], sums then counts. */
    double *sums;
    size_t p;
    double *phi, *phi1;        /* [G][E] cell means; standardised by judge (Phi')                */
    double *r, *z, *phi2;      /* [G][E] residuals of Phi and of Phi'; Phi~                      */
    uint64_t *n;               /* [G][E] scores per cell                                         */
    double *judge_sd;          /* [E] SD over all G x items scores of a judge (ddof 0)           */
    double *within_sd;         /* [E] within-author SD over items, pooled over authors: the
                                  yardstick of margins; NaN: not balanced                        */
    double *f, *reliability;   /* [E] author F, 1 - 1/F; NaN: not balanced                       */
    uint8_t *constant, *low_spread; /* [E]                                                       */
    uint8_t *flat;             /* [G] all judges agree on the author: its row of Phi~ is 0       */
    /* Inferences with replicates and influences ([G E]; NULL where cells_only).                 */
    inference *cell_r, *cell_z, *cell_phi2;
    inference *d, *d_kin, *dz; /* [K]; NULL unless balanced                                      */
    inference *lojo;           /* [E left out][D, Z][K]; NULL below four judges                  */
    size_t *entry_r, *entry_z, *entry_phi2; /* [G E] indices into book.entries                   */
    matrix_grouping *grouping; /* of the roster, family first; none without a roster             */
    size_t groupings;
    double split[3];           /* split-half correlation of the diagonal: R, Z, Phi~; NaN        */
    struct matrix_blocks *blocks;     /* of matrix_blocks.h; NULL: no roster, or no such models  */
    struct matrix_level *level;       /* of model_level.c; NULL: not run                         */
} matrix_view;

/* Two settings of one dim on their common items. */
typedef struct matrix_pair { matrix_view *a, *b; } matrix_pair;

typedef struct matrix_study {
    audit_result *out;
    tare_context *context;
    const mem *m;
    matrix_options o;
    const score_table *t;
    const size_t *index;       /* unit of item * authors + author: score_table_index             */
    book book;
    arena scratch;             /* freed at the end                                               */
    matrix_view *view;         /* those that can be computed, in the order of the layers         */
    size_t views;
    const char **refused;      /* why each of the other layers is no view, in words              */
    size_t refusals;
    matrix_pair *pair;
    size_t pairs;
    struct regression_study *regression; /* of self_regression.h; NULL: not run                  */
    struct matrix_draws *draws;
    size_t draws_count, draws_capacity;
} matrix_study;

/* ---- matrix_study.c ---- */
/* Chooses the views and fills their numbers. Errors: DATA ("matrix.authors", "matrix.judges",
 * "matrix.sparse": what to leave out), USAGE, LIMIT, MEMORY. matrix_close in any case. */
tare_status matrix_open(matrix_study *s, audit_result *out, tare_context *context,
                        const score_table *t, const matrix_options *options, tare_error *err);
tare_status matrix_run(matrix_study *s, tare_error *err);
void matrix_close(matrix_study *s);

/* An entry of this view: arm, dim and, where `self` or a judge is meant, the instrument are filled
 * in; grids get the view's label behind their name if there are several views. */
entry_spec matrix_entry(const matrix_view *v, const char *family, const char *name,
                        const char *judge, const char *condition);
/* A number without a test, over the items of the view; NaN: no answer, `degenerate`. */
tare_status matrix_number(matrix_study *s, const matrix_view *v, const entry_spec *spec,
                          double value, tare_error *err);
/* Margin of D: 0.1 within-author SDs of the judge (ours); NaN: no spread. */
double matrix_margin(const matrix_view *v, size_t judge);
const char *matrix_grid(matrix_study *s, const matrix_view *v, const char *grid); /* NULL: memory */
/* A plan with draws for these clusters, prepared once per set of clusters. */
tare_status matrix_plan(infer_plan *plan, matrix_study *s, const char *const *ids, size_t clusters,
                        tare_error *err);

/* ---- the families, in the order of the calls ---- */
tare_status matrix_cells_run(matrix_study *s, tare_error *err);       /* totals of every view    */
tare_status matrix_self_run(matrix_study *s, tare_error *err);        /* D                       */
tare_status matrix_identity_run(matrix_study *s, tare_error *err);    /* A.5 1, 2                */
tare_status matrix_cell_entries_run(matrix_study *s, tare_error *err);/* A.5 3                   */
tare_status matrix_blocks_run(matrix_study *s, tare_error *err);      /* A.4                     */
tare_status matrix_regression_run(matrix_study *s, tare_error *err);  /* A.6                     */
tare_status matrix_model_level_run(matrix_study *s, tare_error *err); /* these models or all     */
tare_status matrix_settings_run(matrix_study *s, tare_error *err);    /* A.7                     */
tare_status matrix_split_run(matrix_study *s, tare_error *err);
/* missing_rows_audit, book_settle */
tare_status matrix_unjudge_cells(matrix_study *s, tare_error *err);   /* Z, Phi~: no verdict     */
tare_status matrix_leave_out_run(matrix_study *s, tare_error *err);   /* after the verdicts      */
tare_status matrix_tables_run(matrix_study *s, tare_error *err);      /* cells, self             */
tare_status matrix_blocks_tables(matrix_study *s, tare_error *err);   /* blocks                  */
tare_status matrix_regression_tables(matrix_study *s, tare_error *err);
tare_status matrix_figures_run(matrix_study *s, tare_error *err);
tare_status matrix_answer_run(matrix_study *s, tare_error *err);      /* calls the next three    */
/* Sentences for people, and cautions, on the family's settled readings; one view at a time, in the
 * place that the answer gives them. */
tare_status matrix_blocks_answer(matrix_study *s, const matrix_view *v, tare_error *err);
tare_status matrix_regression_answer(matrix_study *s, const matrix_view *v, tare_error *err);
tare_status matrix_model_level_answer(matrix_study *s, const matrix_view *v, tare_error *err);

#endif
