/* failing_mem.h - an allocator whose k-th allocation fails, and that counts the blocks alive.
 *
 *     failing_mem f; mem m = failing_mem_start(&f, 3);   // the third allocation fails
 *     ...call the code under test...
 *     assert_int_equal(failing_mem_live(&f), 0);
 *
 * Thread-safe. k = 0: nothing fails. Growing a block counts as an allocation, freeing does not. */
#ifndef TESTS_FAILING_MEM_H
#define TESTS_FAILING_MEM_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/mem.h"

typedef struct failing_mem {
    atomic_long left; /* allocations until the failing one; <= 0: past it */
    atomic_long live;
    atomic_bool failed;
} failing_mem;

static inline void *failing_mem_resize(void *user, void *pointer, size_t bytes)
{
    failing_mem *f = user;
    if (bytes == 0) {
        if (pointer != NULL) atomic_fetch_sub(&f->live, 1);
        free(pointer);
        return NULL;
    }
    if (atomic_fetch_sub(&f->left, 1) == 1) {
        atomic_store(&f->failed, true);
        return NULL;
    }
    void *p = realloc(pointer, bytes);
    if (pointer == NULL && p != NULL) atomic_fetch_add(&f->live, 1);
    return p;
}

static inline mem failing_mem_start(failing_mem *f, long k)
{
    atomic_init(&f->left, k);
    atomic_init(&f->live, 0);
    atomic_init(&f->failed, false);
    return (mem){failing_mem_resize, f};
}

static inline long failing_mem_live(failing_mem *f)
{
    return atomic_load(&f->live);
}

/* Did the k-th allocation come to pass? The loop over k ends when it did not. */
static inline bool failing_mem_failed(failing_mem *f)
{
    return atomic_load(&f->failed);
}

#endif
