/* pickle_memo.h - what a pickle remembers by number. Numbers are the writer's, up to 2^32 - 1, so
 * this is a hash table and not an array. */
#ifndef SCORER_CHECKPOINT_PICKLE_MEMO_H
#define SCORER_CHECKPOINT_PICKLE_MEMO_H

#include <stdbool.h>
#include <stdint.h>

#include "base/mem.h"

struct pickle_node;

typedef struct pickle_memo_slot {
    struct pickle_node *node; /* NULL: free */
    uint32_t number;
} pickle_memo_slot;

/* All zeros: empty. */
typedef struct pickle_memo {
    pickle_memo_slot *slot;
    size_t slots, count; /* slots: a power of two, or 0 */
} pickle_memo;

bool pickle_memo_put(pickle_memo *t, const mem *m, uint32_t number,
                     struct pickle_node *node);                      /* false: out of memory */
struct pickle_node *pickle_memo_get(const pickle_memo *t, uint32_t number); /* NULL: none */
void pickle_memo_free(pickle_memo *t, const mem *m);

#endif
