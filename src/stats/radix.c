#include "stats/radix.h"

enum { BITS = 11, DIGITS = 6, BUCKETS = 1 << BITS, SHORT = 64 };

static void insertion(radix_item *v, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        radix_item item = v[i];
        size_t k = i;
        for (; k > 0 && item.key < v[k - 1].key; k--) v[k] = v[k - 1];
        v[k] = item;
    }
}

static unsigned digit_of(uint64_t key, unsigned digit)
{
    return (unsigned)(key >> (digit * BITS)) & (BUCKETS - 1);
}

/* One pass by one digit. False, with nothing moved, if all items have the same. */
static int scatter(radix_item *to, const radix_item *from, size_t n, unsigned digit)
{
    uint32_t start[BUCKETS] = {0}, at = 0;
    for (size_t i = 0; i < n; i++) start[digit_of(from[i].key, digit)]++;
    if (start[digit_of(from[0].key, digit)] == n) return 0;
    for (unsigned b = 0; b < BUCKETS; b++) {
        uint32_t count = start[b];
        start[b] = at;
        at += count;
    }
    for (size_t i = 0; i < n; i++) to[start[digit_of(from[i].key, digit)]++] = from[i];
    return 1;
}

void radix_sort(radix_item *items, radix_item *spare, size_t n)
{
    radix_item *from = items, *to = spare;
    if (n <= SHORT) {
        insertion(items, n);
        return;
    }
    for (unsigned digit = 0; digit < DIGITS; digit++) {
        if (!scatter(to, from, n, digit)) continue;
        radix_item *swap = from;
        from = to;
        to = swap;
    }
    if (from != items) memcpy(items, from, n * sizeof *items);
}

size_t radix_ranks(radix_item *items, size_t n)
{
    uint32_t rank = 0;
    for (size_t i = 0; i < n; i++) {
        if (i > 0 && items[i].key != items[i - 1].key) rank++;
        items[i].rank = rank;
    }
    return n ? (size_t)rank + 1 : 0;
}
