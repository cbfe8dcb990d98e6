/* arena.c - chunks that double from 4 KiB to 1 MiB; what is larger gets a chunk of its own. */
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"

struct arena_chunk {
    struct arena_chunk *next;
    size_t capacity, used;
};

enum { CHUNK_FIRST = 4096, CHUNK_LAST = 1 << 20 };

void arena_init(arena *a, const mem *m)
{
    *a = (arena){m, NULL};
}

void arena_free(arena *a)
{
    struct arena_chunk *chunk = a->head;
    while (chunk != NULL) {
        struct arena_chunk *next = chunk->next;
        mem_free(a->m, chunk);
        chunk = next;
    }
    a->head = NULL;
}

static void *chunk_take(struct arena_chunk *chunk, size_t bytes, size_t align)
{
    uintptr_t base = (uintptr_t)(chunk + 1);
    uintptr_t start = (base + chunk->used + align - 1) & ~(uintptr_t)(align - 1);
    size_t offset = start - base;
    if (offset > chunk->capacity || bytes > chunk->capacity - offset) return NULL;
    chunk->used = offset + bytes;
    return (char *)(chunk + 1) + offset;
}

/* Bytes are not zeroed here. */
static void *arena_take(arena *a, size_t bytes, size_t align)
{
    if (a->head != NULL) {
        void *p = chunk_take(a->head, bytes, align);
        if (p != NULL) return p;
    }
    if (bytes > PTRDIFF_MAX - sizeof(struct arena_chunk) - align) return NULL;
    size_t capacity = CHUNK_FIRST;
    if (a->head != NULL) {
        capacity = a->head->capacity < CHUNK_LAST / 2 ? a->head->capacity * 2 : CHUNK_LAST;
    }
    int alone = bytes + align > capacity / 2;
    if (alone) capacity = bytes + align;
    struct arena_chunk *chunk = mem_resize(a->m, NULL, 1, sizeof *chunk + capacity);
    if (chunk == NULL) return NULL;
    chunk->capacity = capacity;
    chunk->used = 0;
    if (alone && a->head != NULL) { /* keep filling the chunk at the head */
        chunk->next = a->head->next;
        a->head->next = chunk;
    } else {
        chunk->next = a->head;
        a->head = chunk;
    }
    return chunk_take(chunk, bytes, align);
}

void *arena_raw(arena *a, size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) return NULL;
    return arena_take(a, bytes == 0 ? 1 : bytes, bytes >= 64 ? 64 : 16);
}

void *arena_new(arena *a, size_t count, size_t size)
{
    void *p = arena_raw(a, count, size);
    size_t bytes = count * size; /* no overflow where there is a p */
    if (p != NULL) memset(p, 0, bytes == 0 ? 1 : bytes);
    return p;
}

char *arena_text(arena *a, const char *text, size_t length)
{
    if (length == SIZE_MAX) return NULL;
    char *copy = arena_take(a, length + 1, 1);
    if (copy != NULL) {
        if (length > 0) memcpy(copy, text, length);
        copy[length] = '\0';
    }
    return copy;
}

char *arena_copy(arena *a, const char *text)
{
    return arena_text(a, text, strlen(text));
}

char *arena_printf(arena *a, const char *format, ...)
{
    va_list list, again;
    va_start(list, format);
    va_copy(again, list);
    int wanted = vsnprintf(NULL, 0, format, list);
    va_end(list);
    char *out = wanted < 0 ? NULL : arena_take(a, (size_t)wanted + 1, 1);
    if (out != NULL) vsnprintf(out, (size_t)wanted + 1, format, again);
    va_end(again);
    return out;
}
