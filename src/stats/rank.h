/* rank.h - sorting in a total order, ranks, medians, Spearman (statistics 1.4, 1.5, 11).
 *
 * The order is key, then index; -0.0 equals 0.0; ties are exact equality. NaN never reaches a
 * comparison: every function says what it does with one. Infinite keys are ordered as usual. */
#ifndef STATS_RANK_H
#define STATS_RANK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"
#include "tare.h"

/* x rounded to 12 significant decimal digits: the ranking key of scores that are means (ours), so
 * that means equal on paper stay equal. NaN, infinities and 0 come back as they are. */
double rank_key(double x);

/* Sort x[n] ascending in place (-0.0 becomes 0.0). False, with x untouched, if it holds a NaN. */
bool rank_sort(double *x, size_t n);
/* order[k] = index of the k-th smallest of x[n]. False if x holds a NaN. No allocation. */
bool rank_order(uint32_t *order, const double *x, uint32_t n);
/* Twice the average rank (1-based) of each x[i]: an integer. `order` [n] is scratch and holds the
 * order afterwards. False if x holds a NaN. */
bool rank_average_doubled(int64_t *rank2, uint32_t *order, const double *x, uint32_t n);
/* +1 strictly increasing, -1 strictly decreasing, 0 otherwise (n < 2, a tie, a NaN). */
int rank_monotone(const double *x, size_t n);

/* Middle value (mean of the two middle ones) of x[n], which is sorted by the call. NaN if n is 0 or
 * x holds a NaN. */
double rank_median(double *x, size_t n);
/* Same for sorted input. */
double rank_median_sorted(const double *x, size_t n);

/* Pearson correlation of two arrays of doubled ranks, from exact integer sums. NaN where one of
 * them is all ties or n < 2. */
double rank_correlation(const int64_t *a, const int64_t *b, uint32_t n);
/* Spearman's rho of x and y. NaN (no answer: degenerate) where all x or all y are tied or n < 2.
 * Errors: DATA (a NaN), LIMIT (n >= 2^31), MEMORY. */
tare_status rank_spearman(double *out, const double *x, const double *y, size_t n, const mem *m,
                          tare_error *err);

#endif
