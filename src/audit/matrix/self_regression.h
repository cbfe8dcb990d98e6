/* self_regression.h - the judge/quality/self/family regression (judge audits A.6; Play Favorites),
 * in three forms:
 *     full      score ~ judge + gold:judge + self_j + family_f (+ dim + length) - 1
 *     pooled    score ~ judge + gold:judge + self + family (+ dim + length) - 1
 *     additive  score ~ judge + author + self + family (+ dim + length) - 1
 * The first two need gold, from a column or from peers. Families come from the roster; family_f is
 * 1 where author and judge are of family f and are not one model. A model may have several. */
#ifndef AUDIT_MATRIX_SELF_REGRESSION_H
#define AUDIT_MATRIX_SELF_REGRESSION_H

#include "audit/matrix/regression_rows.h"

typedef enum regression_kind { FORM_FULL, FORM_POOLED, FORM_ADDITIVE, FORM_KINDS } regression_kind;
typedef enum term_kind { TERM_JUDGE, TERM_AUTHOR, TERM_SLOPE, TERM_SELF, TERM_FAMILY, TERM_DIM,
                         TERM_LENGTH, TERM_KINDS } term_kind;

typedef struct regression_term {
    term_kind kind;
    size_t judge;              /* place of the judge of a judge, slope or self term; SIZE_MAX    */
    const char *level;         /* judge, author, family, dim; "" for pooled terms and length     */
    bool dropped;
    const char *depends;       /* names of the columns it depends on; "" where not dropped       */
    size_t rows;               /* with a 1 in the column (slope, length: of the judge, all)      */
    inference inf;             /* by the covariance that leads                                   */
    double hc0, hc1, cr0, cr1; /* SE; NaN under a link                                           */
    size_t entry;              /* in book.entries; BOOK_NONE                                     */
} regression_term;

typedef struct regression_form {
    regression_kind kind;
    cell_design design;
    regression_term *term;     /* [design.p] by column                                           */
    const regression_rows *rows;
    const char *vcov;          /* "CR1", ...                                                     */
    const char *note;          /* "" or why another one than asked for                           */
    const char *reason;        /* no answer                                                      */
    const uint8_t *constant;   /* [J] of the case                                                */
    size_t rank, clusters;
    double residual_sd;        /* sqrt(rss/(n - rank)); NaN under a link                         */
} regression_form;

typedef struct regression_case { /* one setting */
    const char *setting, *dim, *label; /* dim "" where several are pooled; label for grids and
                                          sentences: "" if there is one setting                  */
    regression_cast cast;
    regression_rows rows, all; /* rows with gold; every ok row (may be the same)                 */
    regression_form form[FORM_KINDS];
    bool has[FORM_KINDS];
    gold_source gold;
    bool errors_in_gold;
    uint8_t *constant;         /* [J] the judge gave every author the same mean in every dim     */
    double *yardstick;         /* [J] within-author SD over items, pooled over cells, rescaled   */
    matrix_view *first;        /* of the setting's views */
    const char *why_no_gold;   /* "" */
} regression_case;

struct regression_study {
    regression_case *c;
    size_t count;
};

/* ---- between the sources ---- */
/* Columns of a form (self_regression_design.c). Errors: MEMORY. */
tare_status regression_design_make(regression_form *form, matrix_study *s,
                                   const regression_case *c, tare_error *err);
/* Fills terms, covariance and what is said beside them (self_regression_fit.c). */
tare_status regression_form_fit(regression_form *form, matrix_study *s, tare_error *err);
/* The same from a dense design, for what sums per cell do not hold: CR2, two-way, ordinal
 * (self_regression_dense.c). False in *done: the design would be too large. */
#define REGRESSION_DENSE_MOST ((size_t)1 << 25) /* doubles */
tare_status regression_dense_fit(bool *done, regression_form *form, matrix_study *s,
                                 const char *vcov, tare_error *err);
tare_status regression_ordinal_fit(bool *done, regression_form *form, matrix_study *s,
                                   tare_error *err);
/* Estimate with t interval and p; `method` literal. */
inference regression_inference(const matrix_study *s, double estimate, double se, double df,
                               const char *method);
/* Readings, families "self-regression" and "family-regression" (self_regression_entries.c). */
tare_status regression_entries(matrix_study *s, regression_case *c, tare_error *err);
/* Self and family terms of this form have a verdict: only those beside a gold column do (ours). */
bool regression_tested(const regression_case *c, const regression_form *form);
bool regression_ordinal(const matrix_study *s);

#endif
