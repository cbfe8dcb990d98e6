/* table_cells.h - a row of a result table, cell after cell; private to the panel audit. */
#ifndef AUDIT_PANEL_TABLE_CELLS_H
#define AUDIT_PANEL_TABLE_CELLS_H

#include "audit/panel/panel_study.h"

typedef struct row_writer { cell *at; } row_writer;
typedef struct panel_table {
    const char *name, *title;
    const char *const *columns;
    size_t count;
} panel_table;

/* A new row; setting and dim are written. The table is made at its first row. Errors: MEMORY. */
tare_status panel_table_row(row_writer *w, panel_study *s, const panel_table *t, tare_error *err);
void put_text(row_writer *w, const char *text);
void put_integer(row_writer *w, int64_t value);
void put_number(row_writer *w, double value);
void put_numbers(row_writer *w, const double *values, size_t n);
/* Estimate, lo, hi; NULL: three empty cells. */
void put_estimate(row_writer *w, const inference *x);
/* Estimate, lo, hi, p, q, verdict of a settled entry; BOOK_NONE: six empty cells. */
void put_reading(row_writer *w, const book *b, size_t index);

/* What the search's choice is worth on items it was not made on, where this panel is one. */
#define PANEL_CROSS_FITTED                                                                     \
    "cross_fitted_agreement", "cross_fitted_agreement_lo", "cross_fitted_agreement_hi",        \
        "cross_fitted_bias", "cross_fitted_bias_lo", "cross_fitted_bias_hi"
void put_cross_fitted(row_writer *w, const panel_study *s, size_t found);

/* Mean and SD (NaN for one value) of x[n]. */
void panel_mean_sd(double *mean, double *sd, const double *x, size_t n);
/* front, folds */
tare_status panel_search_tables(panel_study *s, tare_error *err);

#endif
