/* power.h - before the data: how often a test will find an effect, or show that there is none.
 *
 * Everything is of one estimate with a standard error that is itself estimated: theta/se is
 * noncentral t. `shift` is the true effect in standard errors, `width` the practical margin in
 * standard errors. df >= 1 (any real). NaN, or arguments outside their domain, give NaN. */
#ifndef STATS_POWER_H
#define STATS_POWER_H

#include <stddef.h>

/* Noncentral t: P((Z + ncp)/S <= t) and the other tail, S^2 ~ chi-squared(df)/df independent of Z.
 * By quadrature over S; absolute error below 1e-12 for df to 1e6 and any ncp, relative 1e-9 in the
 * tails. */
double nct_cdf(double t, double df, double ncp);
double nct_sf(double t, double df, double ncp);
/* Mean of g(S) 1[lo < S < hi], for g that is smooth there on the scale of S's own spread. */
double chi_mean(double (*g)(double s, const void *user), const void *user, double df, double lo,
                double hi);

/* Two-sided t test of 0 at level alpha: the chance of p <= alpha. */
double power_two_sided(double shift, double df, double alpha);
/* The same, of estimates beyond `floor` standard errors only: what an instrument cannot resolve
 * gets no answer. */
double power_beyond(double shift, double floor, double df, double alpha);
/* TOST at alpha (the 1 - 2 alpha interval lies inside the margin). */
double power_equivalence(double shift, double width, double df, double alpha);
/* Without an effect: TOST at alpha passes, the two-sided test at `level` finds nothing, and the
 * estimate is beyond the floor. */
double power_negligible(double width, double floor, double df, double alpha, double level);
/* The shift that is found with chance `power`; 0 where alpha is no less than that. */
double power_shift(double power, double df, double alpha);

/* Smallest n in [first, last] with enough(n), which once true stays true; last + 1: none. */
size_t least_enough(int (*enough)(size_t n, const void *user), const void *user, size_t first,
                    size_t last);

#endif
