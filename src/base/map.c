/* map.c - open addressing over indices; keys lie in chunks that never move. */
#include <string.h>

#include "base/hash.h"

typedef struct entry {
    const char *key;
    size_t length;
    uint64_t hash;
} entry;

struct map {
    const mem *m;
    arena keys;
    entry *entries;
    size_t count, capacity;
    uint32_t *slots; /* index + 1; 0: free */
    size_t mask;
    uint64_t seed;
};

enum { SLOTS_FIRST = 64 };

static uint64_t mix(uint64_t a, uint64_t b)
{
    unsigned __int128 product = (unsigned __int128)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static uint64_t load64(const char *p, size_t n)
{
    uint64_t word = 0;
    memcpy(&word, p, n);
    return word;
}

/* Multiply-and-fold over 8 bytes at a time. The seed is the address of the map, so that nobody can
 * prepare a file of colliding keys; no result depends on it, as indices follow insertion. */
static uint64_t hash_key(const map *s, const char *key, size_t length)
{
    uint64_t h = s->seed ^ mix((uint64_t)length ^ 0x9E3779B97F4A7C15u, 0xD6E8FEB86659FD93u);
    while (length > 8) {
        h = mix(h ^ load64(key, 8), 0xA0761D6478BD642Fu);
        key += 8;
        length -= 8;
    }
    h = mix(h ^ load64(key, length), 0xE7037ED1A0B428DBu);
    return h ^ h >> 29;
}

map *map_new(const mem *m)
{
    map *s = mem_new(m, 1, sizeof *s);
    if (s == NULL) return NULL;
    s->m = m;
    arena_init(&s->keys, m);
    s->slots = mem_new(m, SLOTS_FIRST, sizeof *s->slots);
    if (s->slots == NULL) {
        mem_free(m, s);
        return NULL;
    }
    s->mask = SLOTS_FIRST - 1;
    s->seed = mix((uint64_t)(uintptr_t)s | 1, 0x8EBC6AF09C88C6E3u);
    return s;
}

void map_free(map *s)
{
    if (s == NULL) return;
    arena_free(&s->keys);
    mem_free(s->m, s->entries);
    mem_free(s->m, s->slots);
    mem_free(s->m, s);
}

size_t map_count(const map *s)
{
    return s->count;
}

/* The slot that holds the key, or the free one where it would go. */
static size_t find_slot(const map *s, const char *key, size_t length, uint64_t hash)
{
    size_t i = (size_t)hash & s->mask;
    while (s->slots[i] != 0) {
        const entry *e = &s->entries[s->slots[i] - 1];
        if (e->hash == hash && e->length == length && memcmp(e->key, key, length) == 0) break;
        i = (i + 1) & s->mask;
    }
    return i;
}

static bool grow_slots(map *s)
{
    size_t size = (s->mask + 1) * 2;
    uint32_t *slots = mem_new(s->m, size, sizeof *slots);
    if (slots == NULL) return false;
    for (size_t k = 0; k < s->count; k++) {
        size_t i = (size_t)s->entries[k].hash & (size - 1);
        while (slots[i] != 0) i = (i + 1) & (size - 1);
        slots[i] = (uint32_t)k + 1;
    }
    mem_free(s->m, s->slots);
    s->slots = slots;
    s->mask = size - 1;
    return true;
}

size_t map_add(map *s, const char *key, size_t length, bool *is_new)
{
    if (is_new != NULL) *is_new = false;
    if (length == 0) key = "";
    uint64_t hash = hash_key(s, key, length);
    size_t slot = find_slot(s, key, length, hash);
    if (s->slots[slot] != 0) return s->slots[slot] - 1;
    if (s->count >= UINT32_MAX - 1) return SIZE_MAX;
    if (s->count + s->count / 2 > s->mask) { /* at most two thirds full */
        if (!grow_slots(s)) return SIZE_MAX;
        slot = find_slot(s, key, length, hash);
    }
    if (!mem_reserve(s->m, &s->entries, &s->capacity, s->count + 1, sizeof *s->entries)) {
        return SIZE_MAX;
    }
    const char *copy = arena_text(&s->keys, key, length);
    if (copy == NULL) return SIZE_MAX;
    s->entries[s->count] = (entry){copy, length, hash};
    s->slots[slot] = (uint32_t)++s->count;
    if (is_new != NULL) *is_new = true;
    return s->count - 1;
}

size_t map_find(const map *s, const char *key, size_t length)
{
    if (length == 0) key = "";
    size_t slot = find_slot(s, key, length, hash_key(s, key, length));
    return s->slots[slot] == 0 ? SIZE_MAX : s->slots[slot] - 1;
}

const char *map_key(const map *s, size_t index, size_t *length)
{
    if (length != NULL) *length = s->entries[index].length;
    return s->entries[index].key;
}
