#include <stdint.h>
#include <string.h>

#include "cli/cli.h"

#define LONGEST 48

static unsigned least(unsigned a, unsigned b) { return a < b ? a : b; }

/* Optimal string alignment distance (Damerau 1964): insertions, deletions, substitutions and swaps
 * of neighbours. Words longer than LONGEST are far from everything. */
static unsigned distance(const char *a, const char *b)
{
    size_t m = strlen(a), n = strlen(b);
    if (m > LONGEST || n > LONGEST) return UINT32_MAX;
    unsigned row[3][LONGEST + 1];
    unsigned *before = row[0], *above = row[1], *here = row[2];
    for (size_t j = 0; j <= n; j++) above[j] = (unsigned)j;
    for (size_t i = 1; i <= m; i++) {
        here[0] = (unsigned)i;
        for (size_t j = 1; j <= n; j++) {
            unsigned best = least(above[j], here[j - 1]) + 1;
            best = least(best, above[j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                best = least(best, before[j - 2] + 1);
            here[j] = best;
        }
        unsigned *free_row = before;
        before = above;
        above = here;
        here = free_row;
    }
    return above[n];
}

const char *nearest_name(const char *word, const char *(*name)(const void *list, size_t index),
                         const void *list)
{
    const char *best = NULL;
    unsigned nearest = 1 + (unsigned)strlen(word) / 3;
    for (size_t i = 0; name(list, i); i++) {
        unsigned d = distance(word, name(list, i));
        if (d < nearest || (d == nearest && !best)) {
            nearest = d;
            best = name(list, i);
        }
    }
    return best;
}
