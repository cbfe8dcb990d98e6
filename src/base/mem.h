/* mem.h - the one allocator, and arenas on top of it. */
#ifndef BASE_MEM_H
#define BASE_MEM_H

#include <stddef.h>

/* resize(user, NULL, n) allocates, (p, n) resizes, (p, 0) frees. Thread-safe. */
typedef struct mem {
    void *(*resize)(void *user, void *pointer, size_t bytes);
    void *user;
} mem;

/* The C library's allocator. */
mem mem_system(void);

/* Zeroed array; NULL when the product overflows or memory is out. count or size 0 gives a
 * unique pointer. */
void *mem_new(const mem *m, size_t count, size_t size);
/* Resize without zeroing; on failure NULL and the old block stands. */
void *mem_resize(const mem *m, void *pointer, size_t count, size_t size);
void mem_free(const mem *m, void *pointer);
/* Make room for `need` items in *items (capacity *cap, grows by half or more): 1 done, 0 out
 * of memory (the old block stands). */
int mem_reserve(const mem *m, void *items /* T ** */, size_t *cap, size_t need, size_t size);

/* Arena: many small things freed together. Not thread-safe. */
typedef struct arena {
    const mem *m;
    struct arena_chunk *head;
} arena;

void arena_init(arena *a, const mem *m);
void arena_free(arena *a); /* also makes it empty and usable again */
/* Zeroed, aligned to 64 bytes when the size asks for it, else 16; NULL when out of memory. */
void *arena_new(arena *a, size_t count, size_t size);
/* The same, not zeroed: for large arrays of which every place is filled in. */
void *arena_raw(arena *a, size_t count, size_t size);
/* Copies `length` bytes and ends them with NUL. */
char *arena_text(arena *a, const char *text, size_t length);
char *arena_copy(arena *a, const char *text); /* NUL-terminated input */
char *arena_printf(arena *a, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
