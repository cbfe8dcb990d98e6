/* kendall_parts.h - what the plain and the weighted counts share. Private to kendall*.c. */
#ifndef STATS_KENDALL_PARTS_H
#define STATS_KENDALL_PARTS_H

#include <stdbool.h>

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

struct kendall_rows {
    const mem *m;
    size_t n, cells, distinct_x, distinct_y;
    uint32_t *row;     /* [n] by (x, y)                                            */
    uint32_t *cluster; /* [n] of these rows; NULL: not told                        */
    uint32_t *size;    /* [clusters] rows of each                                  */
    size_t clusters;
    uint32_t *end;     /* [cells] the rows of a cell end here                      */
    uint32_t *x, *y;   /* [cells] dense ranks; y is the variable with fewer values */
    bool swapped;      /* y is the caller's x                                      */
};

/* What a set of weights comes to: sums of weights and of squares, by rows, by values and by cells.
 */
typedef struct kendall_sums {
    uint64_t sum, square, x2, y2, both2;
    size_t rows, used_x, used_y;
    int64_t inverse;
} kendall_sums;
void kendall_of_sums(kendall *out, const kendall_rows *r, const kendall_sums *s);

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
