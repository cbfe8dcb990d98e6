/* sort_parts.h - the sorts behind rank.h. In place, no allocation, O(n log n) in the worst case. */
#ifndef STATS_SORT_PARTS_H
#define STATS_SORT_PARTS_H

#include <stddef.h>
#include <stdint.h>

/* Ascending; no NaN. */
void sort_doubles(double *x, size_t n);
/* Indices by (key[index], index); no NaN among the keys. */
void sort_indices(uint32_t *index, const double *key, size_t n);

#endif
