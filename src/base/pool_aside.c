/* pool_aside.c - one long task beside all others (see pool.h). */
#include <signal.h>

#include "base/error.h"
#include "base/pool_parts.h"

struct pool_aside {
    const mem *m;
    pool_aside_fn fn;
    void *arg;
    atomic_bool stop;
    bool apart; /* on its own thread, which is to be joined */
    pthread_t thread;
    tare_status status;
    tare_error error;
};

static void *aside_main(void *arg)
{
    pool_aside *a = arg;
    a->status = a->fn(a->arg, &a->stop, &a->error);
    return NULL;
}

tare_status pool_aside_start(pool_aside **out, pool *p, pool_aside_fn fn, void *arg,
                             tare_error *err)
{
    sigset_t all, before;
    pool_aside *a = mem_new(p->m, 1, sizeof *a);
    *out = a;
    if (a == NULL) return error_memory(err);
    a->m = p->m;
    a->fn = fn;
    a->arg = arg;
    if (p->threads == 1) return TARE_OK;
    /* Signals stay with the threads of the program. */
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    a->apart = pthread_create(&a->thread, NULL, aside_main, a) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return TARE_OK;
}

tare_status pool_aside_wait(pool_aside *a, tare_error *err)
{
    if (a->apart) pthread_join(a->thread, NULL);
    else aside_main(a);
    tare_status status = a->status;
    if (status != TARE_OK && err != NULL) *err = a->error;
    mem_free(a->m, a);
    return status;
}

void pool_aside_drop(pool_aside *a)
{
    if (a == NULL) return;
    atomic_store(&a->stop, true);
    if (a->apart) pthread_join(a->thread, NULL);
    mem_free(a->m, a);
}
