/* alpha_parts.h - ratings as alpha.c prepares them and alpha_weighted.c counts them. */
#ifndef STATS_ALPHA_PARTS_H
#define STATS_ALPHA_PARTS_H

#include "stats/agreement.h"

typedef struct alpha_entry {
    uint32_t value, count; /* place among the distinct values; ratings of the unit with it */
} alpha_entry;

/* A unit with two ratings or more. `within`: sum over its ordered pairs of ratings of the squared
 * distance, divided by ratings - 1; ordinal depends on the weights. */
typedef struct alpha_unit {
    uint32_t unit, ratings;
    uint32_t first, end; /* entries, values ascending */
    double nominal, interval, ratio;
} alpha_unit;

struct alpha_rows {
    const mem *m;
    unsigned levels;
    size_t units, singles, values;
    alpha_unit *unit;     /* [units]                                                     */
    uint32_t *single;     /* [singles] units with one rating                             */
    alpha_entry *entries;
    double *value;        /* [values] ascending, scaled by a power of two                */
    double *ratio;        /* d2 of values c < k, row by row: [values (values - 1) / 2]   */
    bool ratio_limited;   /* too many values for it; NULL also where one is negative     */
};

double alpha_ratio_distance(double c, double k);

#endif
