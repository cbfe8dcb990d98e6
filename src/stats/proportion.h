/* proportion.h - counts: Wilson's interval, exact binomial and Fisher tests, chi-square. */
#ifndef STATS_PROPORTION_H
#define STATS_PROPORTION_H

#include <stddef.h>
#include <stdint.h>

/* Wilson's interval of x of n; lo is exactly 0 for x = 0 and hi exactly 1 for x = n. NaN for n = 0
 * and for x outside [0, n]. */
void wilson_interval(double *lo, double *hi, double x, double n, double alpha);
/* P(X >= x) for X ~ Binomial(n, p): the one-sided exact sign test has p = 1/2. */
double binomial_upper(uint64_t x, uint64_t n, double p);
/* Fisher's exact test of the 2 x 2 table a b / c d, two-sided: tables no more probable (within
 * 1e-7 of it, as in R). 1 where the margins leave one table. Time: the width of the distribution.
 * NaN for 2^53 and more in all. */
double fisher_exact(uint64_t a, uint64_t b, uint64_t c, uint64_t d);
/* Pearson's chi-square of a rows x columns table of counts; df (rows - 1)(columns - 1) over rows
 * and columns that are not empty; `least` is the smallest expected count there. Cramer's V beside
 * it. Fewer than two such rows or columns: statistic and df 0, p and v NaN. */
typedef struct chi_square { double statistic, df, p, v, least; } chi_square;
chi_square chi_square_table(const double *table, size_t rows, size_t columns);

#endif
