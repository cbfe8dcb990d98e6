#include "base/stop_watch.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>

void stop_watch_begin(stop_watch *w, atomic_bool *stop)
{
    w->stop = stop;
    w->first = NULL;
    w->started = w->ending = false;
    sem_init(&w->asked, 0, 0);
    pthread_mutex_init(&w->lock, NULL);
}

void stop_watch_end(stop_watch *w)
{
    pthread_mutex_lock(&w->lock);
    w->ending = true;
    pthread_mutex_unlock(&w->lock);
    if (w->started) {
        sem_post(&w->asked);
        pthread_join(w->thread, NULL);
    }
    pthread_mutex_destroy(&w->lock);
    sem_destroy(&w->asked);
}

void stop_watch_tell(stop_watch *w)
{
    int number = errno; /* a signal handler leaves it as it was */
    sem_post(&w->asked);
    errno = number;
}

static void *watch_main(void *arg)
{
    stop_watch *w = arg;
    for (bool ending = false; !ending;) {
        while (sem_wait(&w->asked) != 0) {}
        pthread_mutex_lock(&w->lock);
        ending = w->ending;
        while (!ending && w->first != NULL) {
            stop_hook *hook = w->first;
            w->first = hook->next;
            hook->act(hook->arg);
        }
        pthread_mutex_unlock(&w->lock);
    }
    return NULL;
}

/* With the lock held. Signals stay with the threads of the program. */
static void start_thread(stop_watch *w)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    w->started = pthread_create(&w->thread, NULL, watch_main, w) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void stop_watch_add(stop_watch *w, stop_hook *hook)
{
    pthread_mutex_lock(&w->lock);
    if (!w->started) start_thread(w);
    /* A stop that is asked for after this look finds the hook: its telling comes after. */
    if (atomic_load(w->stop)) {
        hook->act(hook->arg);
    } else {
        hook->next = w->first;
        w->first = hook;
    }
    pthread_mutex_unlock(&w->lock);
}

void stop_watch_remove(stop_watch *w, stop_hook *hook)
{
    pthread_mutex_lock(&w->lock);
    stop_hook **at = &w->first;
    while (*at != NULL && *at != hook) at = &(*at)->next;
    if (*at != NULL) *at = hook->next;
    pthread_mutex_unlock(&w->lock);
}
