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
 * distinct values are those of the rows with weight. tau_c has 2 T N / (N - 1) for n^2, T the
 * weight of all pairs and N that of all rows (ours): n^2 where all weights are 1, and no shrinkage
 * from pairs that are left out.
 *
 * Rows equal in x and y are one cell. A set of weights costs one look at each row, then one step
 * for each cell: against running sums by value where one of the variables has at most 32 values,
 * else in a Fenwick tree over the one that has fewer. Of k judges against one gold only T and the
 * ties of gold would be common work, hence k objects. */
typedef struct kendall_rows kendall_rows;
tare_status kendall_rows_new(kendall_rows **out, const double *x, const double *y, size_t n,
                             const mem *m, tare_error *err);
void kendall_rows_free(kendall_rows *r);
size_t kendall_scratch_bytes(const kendall_rows *r);
/* w[n] one weight per row (NULL: all 1), their sum below 2^31. `scratch` has
 * kendall_scratch_bytes, any content, aligned to 8. */
void kendall_weighted(kendall *out, const kendall_rows *r, const uint32_t *w, void *scratch);
/* Spearman's rho of the same rows, from average ranks in which a row of weight w stands w times.
 * Exact integer sums; NaN without variation. */
double kendall_spearman(const kendall_rows *r, const uint32_t *w, void *scratch);

/* Weights that come by cluster, as infer_weights gives them: say once to which cluster each row
 * belongs (cluster[n], copied); then `w` has one weight per cluster (NULL: all 1). The counts are
 * those of kendall_weighted with w[cluster[i]] for row i, without writing these out. */
tare_status kendall_rows_cluster(kendall_rows *r, const uint32_t *cluster, tare_error *err);
void kendall_clustered(kendall *out, const kendall_rows *r, const uint8_t *w, void *scratch);
/* The same for KENDALL_LANES sets at once: `lanes` has them cluster by cluster, [clusters][lanes],
 * `w` one after the other, [lanes][stride]. Every out[k] is that of kendall_clustered on set k:
 * all sums are whole numbers. Scratch as kendall_lanes_bytes, aligned to 64. */
#define KENDALL_LANES 16
typedef struct kendall_sets {
    const uint8_t *lanes, *w;
    size_t stride;
} kendall_sets;
size_t kendall_lanes_bytes(const kendall_rows *r);
void kendall_lanes(kendall out[KENDALL_LANES], const kendall_rows *r, const kendall_sets *sets,
                   void *scratch);
double kendall_spearman_clustered(const kendall_rows *r, const uint8_t *w, void *scratch);

#endif
