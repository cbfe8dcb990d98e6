#include "scorer/shelf.h"

#include <assert.h>
#include <string.h>

#include "base/error.h"

typedef struct shelved {
    char *key;
    void *object;
    void (*close)(void *object);
    size_t taken;
} shelved;

struct scorer_shelf {
    const mem *m;
    shelved *items;
    size_t count, room;
};

scorer_shelf *scorer_shelf_new(const mem *m)
{
    scorer_shelf *s = mem_new(m, 1, sizeof *s);
    if (s) s->m = m;
    return s;
}

void scorer_shelf_free(scorer_shelf *s)
{
    if (!s) return;
    assert(s->count == 0);
    mem_free(s->m, s->items);
    mem_free(s->m, s);
}

void *shelf_take(scorer_shelf *s, const char *key)
{
    for (size_t i = 0; i < s->count; i++)
        if (!strcmp(s->items[i].key, key)) {
            s->items[i].taken++;
            return s->items[i].object;
        }
    return NULL;
}

void shelf_take_again(scorer_shelf *s, const void *object)
{
    for (size_t i = 0; i < s->count; i++)
        if (s->items[i].object == object) s->items[i].taken++;
}

tare_status shelf_put(scorer_shelf *s, const char *key, void *object, void (*close)(void *object),
                      tare_error *err)
{
    size_t bytes = strlen(key) + 1;
    if (!mem_reserve(s->m, &s->items, &s->room, s->count + 1, sizeof *s->items))
        return error_memory(err);
    char *copy = mem_resize(s->m, NULL, bytes, 1);
    if (!copy) return error_memory(err);
    memcpy(copy, key, bytes);
    s->items[s->count++] = (shelved){copy, object, close, 1};
    return TARE_OK;
}

void shelf_give_back(scorer_shelf *s, void *object)
{
    for (size_t i = 0; i < s->count; i++) {
        if (s->items[i].object != object) continue;
        if (--s->items[i].taken > 0) return;
        shelved last = s->items[i]; /* off the shelf first: it may give back what it stands on */
        s->items[i] = s->items[--s->count];
        last.close(object);
        mem_free(s->m, last.key);
        return;
    }
}
