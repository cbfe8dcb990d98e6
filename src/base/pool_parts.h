/* pool_parts.h - what pool.c and pool_flow.c share. */
#ifndef BASE_POOL_PARTS_H
#define BASE_POOL_PARTS_H

#include <pthread.h>
#include <stdbool.h>

#include "base/pool.h"

/* One job at a time: every thread, the caller as worker 0, runs body(arg, worker) once. */
struct pool {
    const mem *m;
    unsigned threads;
    unsigned started;      /* helper threads that exist: workers 1 .. started  */
    bool tried;            /* starting them was tried                           */
    pthread_t *helpers;
    pthread_mutex_t lock;
    pthread_cond_t wake;   /* helpers: a new job, or the end                    */
    pthread_cond_t idle;   /* caller: all helpers are back; others: pool free   */
    void (*body)(void *arg, unsigned worker);
    void *arg;
    uint64_t generation;
    unsigned active;
    bool busy, ending;
    pthread_t owner;       /* who called, while busy */
};

/* True if the calling thread is inside a job of this pool; then *worker is its number. */
bool pool_inside(pool *p, unsigned *worker);
/* Run body on all threads and wait for them. Not from inside. */
void pool_run(pool *p, void (*body)(void *arg, unsigned worker), void *arg);

#endif
