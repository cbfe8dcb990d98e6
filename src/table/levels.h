/* levels.h - the distinct texts of a column, numbered by first appearance. A hash table that does
 * not own its keys: made for the inner loop of reading, where base/hash.h's map would copy each. */
#ifndef TABLE_LEVELS_H
#define TABLE_LEVELS_H

#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"

/* The first 16 bytes stand in the entry, so that short keys are compared without a look elsewhere.
 * */
typedef struct level {
    uint64_t low, high;
    const char *key;
    uint32_t length, hash;
} level;

typedef struct levels {
    const mem *m;
    level *items;
    size_t count, capacity;
    uint32_t *slots; /* index + 1; 0: free */
    size_t slot_count;
} levels;

void levels_init(levels *l, const mem *m);
void levels_free(levels *l);
/* Code of the key, added if new (then l->count grew). 16 bytes must be readable at key, and the key
 * must stay where it is. UINT32_MAX: out of memory. */
uint32_t levels_add(levels *l, const char *key, size_t length);

#endif
