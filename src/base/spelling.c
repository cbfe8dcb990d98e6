#include "base/spelling.h"

#include <stdint.h>
#include <string.h>

enum { SPAN = 48 }; /* longer words are near to nothing */

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Insertions, deletions, replacements and swaps of neighbours (Damerau 1964). */
size_t spelling_distance(const char *a, size_t length, const char *b)
{
    size_t m = length, n = strlen(b), row[3][SPAN + 1];
    if (m > SPAN || n > SPAN) return SIZE_MAX;
    size_t *before = row[0], *above = row[1], *here = row[2];
    for (size_t j = 0; j <= n; j++) above[j] = j;
    for (size_t i = 1; i <= m; i++) {
        here[0] = i;
        for (size_t j = 1; j <= n; j++) {
            char x = lower(a[i - 1]), y = lower(b[j - 1]);
            size_t best = least(above[j], here[j - 1]) + 1;
            best = least(best, above[j - 1] + (x != y));
            if (i > 1 && j > 1 && x == lower(b[j - 2]) && lower(a[i - 2]) == y)
                best = least(best, before[j - 2] + 1);
            here[j] = best;
        }
        size_t *spare = before;
        before = above;
        above = here;
        here = spare;
    }
    return above[n];
}

const char *spelling_nearest(const char *word, const char *const *names, size_t count)
{
    const char *best = NULL;
    size_t nearest = SIZE_MAX, far = (strlen(word) + 2) / 3;
    for (size_t k = 0; k < count; k++) {
        size_t d = spelling_distance(word, strlen(word), names[k]);
        if (d >= nearest || d > far) continue;
        nearest = d;
        best = names[k];
    }
    return best;
}
