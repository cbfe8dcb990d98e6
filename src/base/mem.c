#include "base/mem.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { HUGE_PAGE = 1 << 21, LARGE_BLOCK = 1 << 22 };

/* A hint that a large block may lie in pages of 2 MiB: it is walked through, and small pages each
 * cost a fault. Where the hint is not understood nothing changes. */
static void *large(void *pointer, size_t bytes)
{
#ifdef MADV_HUGEPAGE
    if (pointer == NULL || bytes < LARGE_BLOCK) return pointer;
    size_t before = (HUGE_PAGE - (uintptr_t)pointer % HUGE_PAGE) % HUGE_PAGE;
    size_t inside = (bytes - before) / HUGE_PAGE * HUGE_PAGE;
    madvise((char *)pointer + before, inside, MADV_HUGEPAGE);
#else
    (void)bytes;
#endif
    return pointer;
}

static void *system_resize(void *user, void *pointer, size_t bytes)
{
    (void)user;
    if (bytes == 0) {
        free(pointer);
        return NULL;
    }
    return large(realloc(pointer, bytes), bytes);
}

mem mem_system(void)
{
    return (mem){system_resize, NULL};
}

/* Bytes of an array, at least 1; 0 when the product overflows. */
static size_t array_bytes(size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes) || bytes > PTRDIFF_MAX) return 0;
    return bytes == 0 ? 1 : bytes;
}

void *mem_new(const mem *m, size_t count, size_t size)
{
    size_t bytes = array_bytes(count, size);
    if (bytes == 0) return NULL;
    /* Fresh pages come zeroed from the kernel: calloc knows, memset would touch them all. */
    if (m->resize == system_resize) return large(calloc(1, bytes), bytes);
    void *p = m->resize(m->user, NULL, bytes);
    if (p != NULL) memset(p, 0, bytes);
    return p;
}

void *mem_resize(const mem *m, void *pointer, size_t count, size_t size)
{
    size_t bytes = array_bytes(count, size);
    return bytes == 0 ? NULL : m->resize(m->user, pointer, bytes);
}

void mem_free(const mem *m, void *pointer)
{
    if (pointer != NULL) m->resize(m->user, pointer, 0);
}

int mem_reserve(const mem *m, void *items, size_t *cap, size_t need, size_t size)
{
    if (need <= *cap) return 1;
    size_t wanted = *cap + *cap / 2 + 8;
    if (wanted < need) wanted = need;
    void *old;
    memcpy(&old, items, sizeof old);
    void *grown = mem_resize(m, old, wanted, size);
    if (grown == NULL) return 0;
    memcpy(items, &grown, sizeof grown);
    *cap = wanted;
    return 1;
}
