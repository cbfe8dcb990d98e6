#include "table/levels.h"

#include <stdbool.h>
#include <string.h>

enum { SLOTS_FIRST = 256 };

void levels_init(levels *l, const mem *m)
{
    *l = (levels){m, NULL, 0, 0, NULL, 0};
}

void levels_free(levels *l)
{
    if (l->m == NULL) return;
    mem_free(l->m, l->items);
    mem_free(l->m, l->slots);
    levels_init(l, l->m);
}

static uint64_t load64(const char *p)
{
    uint64_t word;
    memcpy(&word, p, 8);
    return word;
}

static uint64_t fold(uint64_t a, uint64_t b)
{
    unsigned __int128 product = (unsigned __int128)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/* All ones in the first n bytes as loaded from memory, n <= 8. */
static uint64_t byte_mask(size_t n)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    return n == 0 ? 0 : UINT64_MAX << (64 - 8 * n);
#else
    return n == 0 ? 0 : UINT64_MAX >> (64 - 8 * n);
#endif
}

static level level_of(const char *key, size_t length)
{
    level v = {0, 0, key, (uint32_t)length, 0};
    if (length <= 8) {
        v.low = load64(key) & byte_mask(length);
    } else {
        v.low = load64(key);
        v.high = load64(key + 8) & byte_mask(length < 16 ? length - 8 : 8);
    }
    uint64_t h = fold(v.low ^ 0xA0761D6478BD642Fu, v.high ^ 0xE7037ED1A0B428DBu ^ length);
    for (size_t i = 16; i < length; i += 8) {
        uint64_t word = 0;
        memcpy(&word, key + i, length - i < 8 ? length - i : 8);
        h = fold(h ^ word, 0x8EBC6AF09C88C6E3u);
    }
    v.hash = (uint32_t)(h ^ h >> 32);
    return v;
}

static bool same_level(const level *x, const level *y)
{
    return x->low == y->low && x->high == y->high && x->length == y->length
           && (x->length <= 16 || memcmp(x->key + 16, y->key + 16, x->length - 16) == 0);
}

static bool grow(levels *l)
{
    size_t size = l->slot_count == 0 ? SLOTS_FIRST : l->slot_count * 2;
    uint32_t *slots = mem_new(l->m, size, sizeof *slots);
    if (slots == NULL) return false;
    for (size_t k = 0; k < l->count; k++) {
        size_t i = l->items[k].hash & (size - 1);
        while (slots[i] != 0) i = (i + 1) & (size - 1);
        slots[i] = (uint32_t)k + 1;
    }
    mem_free(l->m, l->slots);
    l->slots = slots;
    l->slot_count = size;
    return true;
}

uint32_t levels_add(levels *l, const char *key, size_t length)
{
    if (l->count * 2 >= l->slot_count && !grow(l)) return UINT32_MAX;
    level v = level_of(key, length);
    size_t mask = l->slot_count - 1, i = v.hash & mask;
    for (uint32_t k; (k = l->slots[i]) != 0; i = (i + 1) & mask) {
        if (same_level(&l->items[k - 1], &v)) return k - 1;
    }
    if (l->count >= UINT32_MAX - 1
        || !mem_reserve(l->m, &l->items, &l->capacity, l->count + 1, sizeof *l->items)) {
        return UINT32_MAX;
    }
    l->items[l->count] = v;
    l->slots[i] = (uint32_t)++l->count;
    return (uint32_t)l->count - 1;
}
