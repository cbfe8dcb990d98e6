/* gstudy.h - two-way and three-way tables: mean squares and variance components (statistics 10). */
#ifndef STATS_GSTUDY_H
#define STATS_GSTUDY_H

#include <stddef.h>

#include "base/mem.h"
#include "tare.h"

/* y[i][j], complete: two-way analysis of variance without repeats. F tests the columns. A mean
 * square without degrees of freedom is NaN. */
typedef struct two_way {
    double grand, ms_row, ms_column, ms_error, f; /* f = ms_column / ms_error; NaN if it is 0 */
} two_way;
/* y[row * stride + column]. */
two_way two_way_table(const double *y, size_t rows, size_t columns, size_t stride);
/* Variance components of rows and columns, raw: (MS_row - MS_error)/columns and so on. */
typedef struct two_way_parts { double row, column, error; } two_way_parts;
two_way_parts two_way_components(const two_way *t, size_t rows, size_t columns);

/* Items x generators x judges, complete, one score a cell: y[(i G + g) J + j]. Mean squares without
 * degrees of freedom, and what is made from them, are NaN. */
typedef struct g_study {
    double ms_i, ms_g, ms_j, ms_ig, ms_ij, ms_gj, ms_e;
    double s2_i, s2_g, s2_j, s2_ig, s2_ij, s2_gj, s2_e; /* raw: may be negative */
} g_study;
/* Errors: MEMORY. */
tare_status g_study_table(g_study *out, const double *y, size_t items, size_t generators,
                          size_t judges, const mem *m, tare_error *err);
/* For designs of n_items x n_judges: error variances and reliabilities of generators' means,
 * negative components as 0. 0/0 is NaN. */
typedef struct g_coefficients { double relative, absolute, e_rho2, phi; } g_coefficients;
g_coefficients g_study_design(const g_study *g, double n_items, double n_judges);

#endif
