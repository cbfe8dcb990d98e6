#include "base/stop_watch.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stddef.h>
#include <time.h>

#include "base/os.h"

void stop_watch_begin(stop_watch *w, atomic_bool *stop)
{
    w->stop = stop;
    w->first = NULL;
    w->started = w->ending = false;
    w->wakes = HUGE_VAL;
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

/* Until it is told something, or for so long. The wait knows the wall clock only: where that is set
 * meanwhile it ends early or late, so nobody relies on how it ended. */
static void wait_seconds(stop_watch *w, double seconds)
{
    struct timespec until;
    if (seconds == HUGE_VAL) {
        while (sem_wait(&w->asked) != 0) {}
        return;
    }
    clock_gettime(CLOCK_REALTIME, &until);
    double whole = floor(seconds);
    until.tv_sec += (time_t)whole;
    until.tv_nsec += (long)((seconds - whole) * 1e9);
    if (until.tv_nsec >= 1000000000L) {
        until.tv_nsec -= 1000000000L;
        until.tv_sec++;
    }
    while (sem_timedwait(&w->asked, &until) != 0 && errno == EINTR) {}
}

/* With the lock held: calls whose time has come, and how long none will come. */
static double call_due(stop_watch *w)
{
    bool stop = atomic_load(w->stop);
    double now = os_seconds();
    w->wakes = HUGE_VAL;
    for (stop_hook **at = &w->first; *at != NULL;) {
        stop_hook *hook = *at;
        bool late = hook->deadline > 0 && hook->deadline <= now;
        if (stop || late) {
            *at = hook->next;
            hook->late = !stop;
            hook->act(hook->arg);
            continue;
        }
        if (hook->deadline > 0 && hook->deadline < w->wakes) w->wakes = hook->deadline;
        at = &hook->next;
    }
    return w->wakes - now;
}

static void *watch_main(void *arg)
{
    stop_watch *w = arg;
    double seconds = HUGE_VAL;
    for (;;) {
        wait_seconds(w, seconds);
        pthread_mutex_lock(&w->lock);
        bool ending = w->ending;
        if (!ending) seconds = call_due(w);
        pthread_mutex_unlock(&w->lock);
        if (ending) break;
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
        if (hook->deadline > 0 && hook->deadline < w->wakes) { /* the thread sleeps too long */
            w->wakes = hook->deadline;
            sem_post(&w->asked);
        }
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
