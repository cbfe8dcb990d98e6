/* radix.h - stable sort of doubles with something tied to each, for long arrays: the order of
 * rank.h (key, then place), several times faster than by comparing. Private to stats. */
#ifndef STATS_RADIX_H
#define STATS_RADIX_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct radix_item {
    uint64_t key;
    uint32_t tag, rank; /* carried along */
} radix_item;

/* Key of x, not NaN: unsigned order is the order of doubles; -0.0 and 0.0 have one key. */
static inline uint64_t radix_key(double x)
{
    uint64_t bits;
    x += 0.0; /* -0.0 + 0.0 is 0.0 */
    memcpy(&bits, &x, sizeof bits);
    return bits >> 63 ? ~bits : bits | (uint64_t)1 << 63;
}

/* Sort items[n] by key, equal keys as they stand. `spare` has n places; the one of the two that
 * then holds the result is returned. n < 2^32. */
radix_item *radix_sort(radix_item *items, radix_item *spare, size_t n);
/* Items sorted by key: rank = number of distinct keys before it. Returns how many there are. */
size_t radix_ranks(radix_item *items, size_t n);

#endif
