/* kendall_parts.h - what the plain and the weighted counts share. Private to kendall*.c. */
#ifndef STATS_KENDALL_PARTS_H
#define STATS_KENDALL_PARTS_H

#include "stats/kendall.h"
#include "stats/moments.h"
#include "stats/radix.h"

/* What the variance of C - D needs of one variable's ties: sums over its groups of t rows. */
typedef struct kendall_ties {
    int64_t pairs;
    neumaier cubes, wide; /* t(t-1)(t-2), t(t-1)(2t+5) */
} kendall_ties;
void kendall_ties_add(kendall_ties *s, size_t rows);

/* Rows by (x, y, row): key of x, tag the row, dense rank of y from 0. `spare` has the same size and
 * is free for use. */
typedef struct kendall_order {
    const mem *m;
    size_t n, distinct_x, distinct_y;
    kendall_ties ties_y;
    radix_item *items, *spare;
} kendall_order;
/* Errors: as kendall_tau. */
tare_status kendall_order_make(kendall_order *out, const double *x, const double *y, size_t n,
                               const mem *m, tare_error *err);
void kendall_order_free(kendall_order *o);

/* Concordant pairs and the taus from the other counts; n2 stands for n^2. */
void kendall_finish(kendall *k, double n2);

/* Weighted pairs in inverse order: cells [cells] by (x, y), `weight` and the place `y` of each.
 * y < values. The two ways give the same count. Sums of weights below 2^31; few: at most
 * KENDALL_FEW values. */
#define KENDALL_FEW 32
int64_t kendall_inverse_few(const uint32_t *weight, const uint32_t *y, size_t cells,
                            size_t values);
/* tree [values + 1], overwritten. */
int64_t kendall_inverse_many(const uint32_t *weight, const uint32_t *y, size_t cells,
                             uint32_t *tree, size_t values);

#endif
