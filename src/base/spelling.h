/* spelling.h - the name that was probably meant: for messages about unknown names. */
#ifndef BASE_SPELLING_H
#define BASE_SPELLING_H

#include <stddef.h>

/* The name nearest to `word` (optimal string alignment, letter case aside), if a third of the
 * letters or fewer differ; NULL: none is near. The first of equally near ones. */
const char *spelling_nearest(const char *word, const char *const *names, size_t count);

#endif
