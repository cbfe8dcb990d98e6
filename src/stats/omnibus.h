/* omnibus.h - the statistics of one labeling of clusters. Private to permute_omnibus.c. */
#ifndef STATS_OMNIBUS_H
#define STATS_OMNIBUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Sums over the clusters of a group; values are centred about the mean of all. */
typedef struct omnibus_group {
    double sum, count, sum_sum, sum_count, count_count;
    size_t clusters;
} omnibus_group;

/* A column without the clusters that are left out, in canonical order. */
typedef struct omnibus_data {
    double *sum, *count;
    uint32_t *label;   /* 0..groups-1, no group empty               */
    uint32_t *stratum;
    uint32_t *dealt;   /* labels by (stratum, canonical order)      */
    uint32_t *start;   /* [strata] where a stratum begins in dealt  */
    size_t n, groups;
    bool one_each;     /* all counts are 1                          */
    bool equal;        /* all means of clusters are equal           */
    double scale;      /* mean |sum| over mean count                */
} omnibus_data;

typedef struct omnibus_value {
    double range, student; /* student NaN: no two groups with two clusters */
    size_t high, low;
} omnibus_value;

/* group[data->groups] is scratch and holds the groups' sums afterwards. */
omnibus_value omnibus_value_of(const omnibus_data *data, const uint32_t *label,
                               omnibus_group *group);
double omnibus_mean(const omnibus_group *g);
/* Variance of the mean; NaN below two clusters. */
double omnibus_variance(const omnibus_group *g);

#endif
