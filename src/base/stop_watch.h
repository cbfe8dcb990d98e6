/* stop_watch.h - what is called when a stop is asked for, or a time limit is reached, for code that
 * cannot ask meanwhile.
 *
 * A stop may be asked for in a signal handler, where hardly anything may be called. So a thread
 * waits for it and calls the hooks: they may take locks. It starts with the first hook. */
#ifndef BASE_STOP_WATCH_H
#define BASE_STOP_WATCH_H

#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>

/* The place belongs to whoever hangs it in. */
typedef struct stop_hook {
    void (*act)(void *arg);
    void *arg;
    double deadline; /* os_seconds() at which it is called without a stop; 0: never   */
    bool late;       /* it was the deadline; to be read when the hook is out again    */
    struct stop_hook *next;
} stop_hook;

typedef struct stop_watch {
    atomic_bool *stop;
    sem_t asked;
    pthread_mutex_t lock;
    stop_hook *first;
    pthread_t thread;
    double wakes;   /* os_seconds() at which the thread looks again; HUGE_VAL: when it is told */
    bool started, ending;
} stop_watch;

void stop_watch_begin(stop_watch *w, atomic_bool *stop);
void stop_watch_end(stop_watch *w);
/* After *stop was set. Async-signal-safe. */
void stop_watch_tell(stop_watch *w);

/* `act` will be called once, when a stop is asked for or at the deadline; now, if it was asked for.
 * It may not hang hooks in or out. Where the system gives no thread it is not called. */
void stop_watch_add(stop_watch *w, stop_hook *hook);
/* When this returns, `act` does not run and will not. A hook that is not in: nothing. */
void stop_watch_remove(stop_watch *w, stop_hook *hook);

#endif
