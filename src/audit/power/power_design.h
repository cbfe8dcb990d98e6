/* power_design.h - one planned study: from the spread of a contribution over bases to the chance of
 * each verdict, the smallest effect seen, and the number of bases needed. Pure functions. */
#ifndef AUDIT_POWER_POWER_DESIGN_H
#define AUDIT_POWER_POWER_DESIGN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "audit/power/flip_power.h"

/* Fewer clusters give no answer (statistics 4). */
#define POWER_CLUSTERS_LEAST 6
/* Larger studies are not looked for. */
#define POWER_BASES_MOST 10000000

/* SD over bases of what one base contributes to a reading, and how alike those of one cluster
 * are. */
typedef struct power_spread {
    double sd;
    double icc; /* in [0, 1); NaN: one base in each cluster, not known */
    double df;  /* of sd, where it was measured; NaN: stated           */
    /* Estimates within the noise floor get no answer: the larger of `floor_fixed` (the move of an
     * instrument, the step of its numbers) and floor_noise / sqrt(bases with a score). 0: none. */
    double floor_fixed, floor_noise;
    /* Bases with a score of each cluster of the pilot over their mean, ascending: clusters of the
     * plan keep these proportions. NULL: all are equal. */
    const double *size;
    size_t sizes;
} power_spread;

typedef struct power_plan {
    double bases, clusters; /* photographs planned, and their clusters                      */
    double missing;         /* share of bases that will give no score                       */
    double alpha, target;   /* level; the chance that is enough (.80)                       */
    uint32_t boot_b, perm_p;/* replicates of the audit: p cannot go below its floor         */
    bool has_flips;         /* p of sign flips below 30 clusters (means), else t (beta)     */
    flip_power *flips;      /* what flips find less than t does; NULL: nothing              */
} power_plan;

/* What is left of a plan: bases and clusters with a score, se of the mean, df, noise floor of the
 * estimate (0: none). */
typedef struct power_size {
    double bases, clusters, se, df, floor;
} power_size;
/* With `clusters` in the place of the plan's, and as many bases in each. */
power_size power_size_of(const power_plan *plan, const power_spread *spread, double clusters);

/* The smallest p that the audit can give with so many clusters, and by what. */
typedef enum power_test { POWER_BY_BOOTSTRAP, POWER_BY_FLIPS, POWER_BY_SAMPLED_FLIPS, POWER_BY_T }
    power_test;
power_test power_test_of(const power_plan *plan, double clusters);
double power_smallest_p(const power_plan *plan, double clusters);

/* Bases in a cluster of the plan for each of the pilot's, `each` on average; k < spread->sizes. No
 * cluster has less than one. */
double power_cluster_size(const power_spread *spread, size_t k, double each);

/* Chance that an effect is found at level `level`, beyond the noise floor: 0 where a p of the audit
 * cannot be that small or there are too few clusters. */
double power_found(const power_plan *plan, const power_spread *spread, double clusters,
                   double effect, double level);
/* Chance that TOST passes without an effect, and that the verdict then reads negligible: for that
 * the estimate must also be beyond the noise floor. NaN without a margin. */
double power_shown_small(const power_plan *plan, const power_spread *spread, double clusters,
                         double margin);
double power_shown_negligible(const power_plan *plan, const power_spread *spread, double margin);
/* Effect found with chance plan->target. NaN: none is. */
double power_smallest(const power_plan *plan, const power_spread *spread, double level);
/* Bases for plan->target; NaN: not even POWER_BASES_MOST are enough. */
double power_bases_for(const power_plan *plan, const power_spread *spread, double effect,
                       double level);
double power_bases_for_small(const power_plan *plan, const power_spread *spread, double margin);

/* SD ends by the chi-squared interval at 1 - alpha; both NaN where the SD was stated. */
void power_sd_interval(double *lo, double *hi, const power_spread *spread, double alpha);

#endif
