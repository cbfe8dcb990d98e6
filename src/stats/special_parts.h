/* special_parts.h - pieces shared by the sources of special.h only. */
#ifndef STATS_SPECIAL_PARTS_H
#define STATS_SPECIAL_PARTS_H

/* log(ratio) - u where ratio = 1 + u: no cancellation for small u, no loss of `ratio` for u near
 * -1. */
double log_ratio_minus(double ratio, double u);
/* I_x(a, b) where y = 1 - x is known as exactly as x. */
double beta_inc_pair(double x, double y, double a, double b);

#endif
