#include "scorer/checkpoint/pickle_memo.h"

enum { FIRST_SLOTS = 64 };

/* The slot of `number`, or the free one where it belongs. */
static pickle_memo_slot *find(pickle_memo_slot *slot, size_t slots, uint32_t number)
{
    /* Fibonacci hashing of the high bits, or numbers apart by a power of two would all meet. */
    size_t i = (size_t)(((uint64_t)number * 0x9E3779B97F4A7C15u) >> 24) & (slots - 1);
    while (slot[i].node != NULL && slot[i].number != number) i = (i + 1) & (slots - 1);
    return &slot[i];
}

static bool grow(pickle_memo *t, const mem *m)
{
    size_t slots = t->slots == 0 ? FIRST_SLOTS : 2 * t->slots;
    pickle_memo_slot *slot = mem_new(m, slots, sizeof *slot);
    if (slot == NULL) return false;
    for (size_t i = 0; i < t->slots; i++)
        if (t->slot[i].node != NULL) *find(slot, slots, t->slot[i].number) = t->slot[i];
    mem_free(m, t->slot);
    t->slot = slot;
    t->slots = slots;
    return true;
}

bool pickle_memo_put(pickle_memo *t, const mem *m, uint32_t number, struct pickle_node *node)
{
    if (t->count >= t->slots / 2 && !grow(t, m)) return false;
    pickle_memo_slot *s = find(t->slot, t->slots, number);
    if (s->node == NULL) t->count++;
    *s = (pickle_memo_slot){node, number};
    return true;
}

struct pickle_node *pickle_memo_get(const pickle_memo *t, uint32_t number)
{
    return t->slots == 0 ? NULL : find(t->slot, t->slots, number)->node;
}

void pickle_memo_free(pickle_memo *t, const mem *m)
{
    mem_free(m, t->slot);
    *t = (pickle_memo){0};
}
