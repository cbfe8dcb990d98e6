/* spelling.h - the name that was probably meant: for messages about unknown names. */
#ifndef BASE_SPELLING_H
#define BASE_SPELLING_H

#include <stddef.h>

/* How many insertions, deletions, replacements and swaps of neighbours (optimal string alignment,
 * letter case aside) lie between the first `length` bytes of `word` and `name`. SIZE_MAX for long
 * ones. */
size_t spelling_distance(const char *word, size_t length, const char *name);
/* The name nearest to `word` (optimal string alignment, letter case aside), if a third of the
 * letters or fewer differ; NULL: none is near. The first of equally near ones. */
const char *spelling_nearest(const char *word, const char *const *names, size_t count);

#endif
