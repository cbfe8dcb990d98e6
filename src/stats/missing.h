/* missing.h - what is missing, and whether that says something (statistics 13).
 *
 * Missing is never 0 and never imputed silently. */
#ifndef STATS_MISSING_H
#define STATS_MISSING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tare.h"

typedef struct missing_counts {
    uint64_t expected, used;
    uint64_t by_reason[TARE_REASON_COUNT]; /* [TARE_R_NONE] stays 0 */
} missing_counts;

/* One expected row. TARE_R_NONE: it was used. */
void missing_add(missing_counts *counts, tare_reason reason);
void missing_merge(missing_counts *into, const missing_counts *from);
uint64_t missing_total(const missing_counts *counts);

/* A reason by its name, "no_skin". False if there is none of that name. */
bool missing_reason_parse(tare_reason *out, const char *name);

/* Largest difference between two of the rates; NaN entries (no rows) are left out. Fewer than two
 * rates: 0. */
double missing_rate_spread(const double *rates, size_t n);
/* q <= alpha and a spread of 2 points (.02) or more: missingness depends on the condition, verdicts
 * are capped at inconclusive. NaN q is never informative. */
bool missing_informative(double q, double alpha, double spread);

/* Worst-case bounds of a mean over used + missing values, the missing ones at either end of the
 * scale. For contrasts the ends are -(max - min) and max - min. NaN without any value. */
void missing_bounds(double *lo, double *hi, double mean, uint64_t used, uint64_t missing,
                    const double ends[2]);

#endif
