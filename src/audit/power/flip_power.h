/* flip_power.h - what the p of sign flips finds less, or more, than that of t: with few clusters p
 * is a count of few, and the tail of the flips is not that of t. By drawing (ours).
 *
 * For a set of cluster means with a true mean of `shift` standard errors the flips find an effect
 * if, and only if, the shift is above a threshold of the set. Those of one design are drawn
 * once, and then serve every effect. */
#ifndef AUDIT_POWER_FLIP_POWER_H
#define AUDIT_POWER_FLIP_POWER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"

/* All sign flips are made up to so many clusters. */
#define FLIP_POWER_EXACT 20

typedef struct flip_power flip_power;

/* NULL: no memory. */
flip_power *flip_power_new(const mem *m, uint64_t seed);
void flip_power_free(flip_power *f); /* NULL ok */
/* Memory has run out since: the gaps are not to be used. */
bool flip_power_failed(const flip_power *f);

/* The largest p of flips over `clusters` that is no more than `level`; 0: none is so small. */
double flip_power_attained(size_t clusters, double level);

typedef struct flip_case {
    size_t clusters;     /* 2 to FLIP_POWER_EXACT                         */
    double level, alpha; /* p at or below level; the t interval of alpha must exclude 0 */
    double shift, floor; /* in standard errors; estimates within the floor do not count */
} flip_case;
/* Chance by flips less the chance that t finds it at the attained level. */
double flip_power_gap(flip_power *f, const flip_case *c);

#endif
