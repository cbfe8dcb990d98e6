/* radix.c - the leading 33 bits by three passes, least significant first; the few items that these
 * bits do not tell apart are then sorted among themselves. */
#include "stats/radix.h"

enum { BITS = 11, DIGITS = 3, BUCKETS = 1 << BITS, SHORT = 48, SAME = 64 };

typedef struct range {
    uint64_t least;
    unsigned shift; /* (most - least) << shift has its leading bit at 63; SAME: all are equal */
} range;

static range range_of(const radix_item *v, size_t n)
{
    uint64_t least = v[0].key, most = v[0].key;
    for (size_t i = 1; i < n; i++) {
        least = v[i].key < least ? v[i].key : least;
        most = v[i].key > most ? v[i].key : most;
    }
    return (range){least, most == least ? SAME : (unsigned)__builtin_clzll(most - least)};
}

static uint64_t lead_of(const range *r, uint64_t key)
{
    return ((key - r->least) << r->shift) >> (64 - BITS * DIGITS);
}

static void insertion(radix_item *v, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        radix_item item = v[i];
        size_t k = i;
        for (; k > 0 && item.key < v[k - 1].key; k--) v[k] = v[k - 1];
        v[k] = item;
    }
}

static void scatter(radix_item *to, const radix_item *from, size_t n, const range *r,
                    uint32_t *start, unsigned digit)
{
    uint32_t at = 0;
    for (unsigned b = 0; b < BUCKETS; b++) {
        uint32_t count = start[b];
        start[b] = at;
        at += count;
    }
    for (size_t i = 0; i < n; i++)
        to[start[lead_of(r, from[i].key) >> (digit * BITS) & (BUCKETS - 1)]++] = from[i];
}

/* By the leading bits. Returns the array that holds the result. */
static radix_item *sort_leading(radix_item *items, radix_item *spare, size_t n, const range *r)
{
    uint32_t start[DIGITS][BUCKETS] = {{0}};
    radix_item *from = items, *to = spare;
    for (size_t i = 0; i < n; i++) {
        uint64_t lead = lead_of(r, items[i].key);
        for (unsigned digit = 0; digit < DIGITS; digit++)
            start[digit][lead >> (digit * BITS) & (BUCKETS - 1)]++;
    }
    uint64_t first = lead_of(r, items[0].key);
    for (unsigned digit = 0; digit < DIGITS; digit++) {
        if (start[digit][first >> (digit * BITS) & (BUCKETS - 1)] == n) continue; /* all the same */
        scatter(to, from, n, r, start[digit], digit);
        radix_item *swap = from;
        from = to;
        to = swap;
    }
    return from;
}

/* Items that agree in the leading bits of one round are told apart in the next, the last. */
radix_item *radix_sort(radix_item *items, radix_item *spare, size_t n)
{
    if (n <= SHORT) {
        insertion(items, n);
        return items;
    }
    range r = range_of(items, n);
    if (r.shift == SAME) return items;
    radix_item *v = sort_leading(items, spare, n, &r);
    if (r.shift >= 64 - BITS * DIGITS) return v; /* nothing is left of the keys */
    radix_item *other = v == items ? spare : items;
    for (size_t first = 0, end; first < n; first = end) {
        uint64_t lead = lead_of(&r, v[first].key);
        end = first + 1;
        while (end < n && lead_of(&r, v[end].key) == lead) end++;
        if (end - first < 2) continue;
        radix_item *run = radix_sort(v + first, other, end - first);
        if (run == other) memcpy(v + first, run, (end - first) * sizeof *run);
    }
    return v;
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
