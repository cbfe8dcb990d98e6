/* pool.h - the thread shapes that tare uses: ranges, an ordered flow, and one task beside the rest.
 * Results and errors do not depend on the number of threads. One pool per context; a pool call from
 * inside a worker runs inline. */
#ifndef BASE_POOL_H
#define BASE_POOL_H

#include <stdatomic.h>
#include <stddef.h>

#include "base/mem.h"
#include "tare.h"

typedef struct pool pool;

/* threads 0: one per core. Threads start at the first use. NULL: out of memory. */
pool *pool_new(const mem *m, unsigned threads);
void pool_free(pool *p);
unsigned pool_threads(const pool *p);

/* Work on [begin, end): write only to slots of these indices. `worker` < pool_threads(p) names a
 * private scratch place. */
typedef tare_status (*pool_range_fn)(void *arg, size_t begin, size_t end, unsigned worker,
                                     tare_error *err);
/* Cut [0, n) into pieces of `grain` (the cut does not depend on the threads) and run them all. On
 * failure pieces not yet begun are skipped and the error of the lowest failed piece is returned. */
tare_status pool_for(pool *p, size_t n, size_t grain, pool_range_fn fn, void *arg, tare_error *err);

/* Ordered, bounded flow: `make(i)` runs on workers, at most `window` items ahead; `take(i)` runs on
 * the calling thread in the order 0, 1, 2, ... Slots are reused: slot = i % window. The first error
 * in item order ends it, whoever raised it; makes under way are waited for, and for every item that
 * was made and not taken `drop` (may be NULL) is called. */
typedef struct pool_flow {
    size_t count, window;
    tare_status (*make)(void *arg, size_t item, size_t slot, unsigned worker, tare_error *err);
    tare_status (*take)(void *arg, size_t item, size_t slot, tare_error *err);
    void (*drop)(void *arg, size_t item, size_t slot);
    void *arg;
} pool_flow;
tare_status pool_flow_run(pool *p, const pool_flow *flow, tare_error *err);

/* One long task beside everything else that goes on: on a thread of its own, or, where the pool has
 * one thread only, when it is waited for. What it returns and writes is there after pool_aside_wait
 * and not before. `stop`: the result is not wanted any more. */
typedef struct pool_aside pool_aside;
typedef tare_status (*pool_aside_fn)(void *arg, const atomic_bool *stop, tare_error *err);
/* Errors: MEMORY. */
tare_status pool_aside_start(pool_aside **out, pool *p, pool_aside_fn fn, void *arg,
                             tare_error *err);
tare_status pool_aside_wait(pool_aside *a, tare_error *err); /* of the task; frees a */
void pool_aside_drop(pool_aside *a);                         /* stops, waits, frees; NULL ok */

#endif
