/* kendall.h - Kendall's tau-b and tau-c, counted exactly in O(n log n) (judge audits C.2;
 * statistics 11). */
#ifndef STATS_KENDALL_H
#define STATS_KENDALL_H

#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"
#include "tare.h"

typedef struct kendall {
    int64_t pairs, concordant, discordant, tied_x, tied_y, tied_both;
    size_t n, distinct_x, distinct_y;
    double tau_b, tau_c; /* clipped to [-1, 1]; NaN: all x or all y tied, or n < 2 */
} kendall;

/* -0.0 equals 0.0; ties are exact equality. Errors: DATA (a NaN), LIMIT (n >= 2^31), MEMORY. */
tare_status kendall_tau(kendall *out, const double *x, const double *y, size_t n, const mem *m,
                        tare_error *err);
/* p of tau = 0 by the normal approximation with ties (ignores clusters). NaN without variation. */
tare_status kendall_p(double *p, const double *x, const double *y, size_t n, const mem *m,
                      tare_error *err);

/* The same rows under many sets of weights: sorted once, counted again for each. A pair weighs w_i
 * w_j over distinct rows only, so that a row drawn twice is not tied with itself (ours); n and the
 * distinct values are those of the rows with weight. */
typedef struct kendall_rows kendall_rows;
tare_status kendall_rows_new(kendall_rows **out, const double *x, const double *y, size_t n,
                             const mem *m, tare_error *err);
void kendall_rows_free(kendall_rows *r);
size_t kendall_scratch_bytes(const kendall_rows *r);
/* w[n] one weight per row. `scratch` has kendall_scratch_bytes. */
void kendall_weighted(kendall *out, const kendall_rows *r, const uint32_t *w, void *scratch);

#endif
