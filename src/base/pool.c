#include "base/pool.h"

#include <signal.h>
#include <stdint.h>

#include "base/error.h"
#include "base/os.h"
#include "base/pool_parts.h"

enum { THREADS_MAX = 1024 };

pool *pool_new(const mem *m, unsigned threads)
{
    if (threads == 0) threads = os_cores();
    if (threads > THREADS_MAX) threads = THREADS_MAX;
    pool *p = mem_new(m, 1, sizeof *p);
    if (p == NULL) return NULL;
    p->helpers = mem_new(m, threads, sizeof *p->helpers);
    if (p->helpers == NULL) {
        mem_free(m, p);
        return NULL;
    }
    p->m = m;
    p->threads = threads;
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->wake, NULL);
    pthread_cond_init(&p->idle, NULL);
    return p;
}

void pool_free(pool *p)
{
    if (p == NULL) return;
    pthread_mutex_lock(&p->lock);
    p->ending = true;
    pthread_cond_broadcast(&p->wake);
    pthread_mutex_unlock(&p->lock);
    for (unsigned i = 0; i < p->started; i++) pthread_join(p->helpers[i], NULL);
    pthread_cond_destroy(&p->idle);
    pthread_cond_destroy(&p->wake);
    pthread_mutex_destroy(&p->lock);
    mem_free(p->m, p->helpers);
    mem_free(p->m, p);
}

unsigned pool_threads(const pool *p)
{
    return p->threads;
}

static void *helper_main(void *arg)
{
    pool *p = arg;
    uint64_t seen = 0;
    pthread_mutex_lock(&p->lock);
    unsigned worker = 0;
    while (worker < p->started && !pthread_equal(p->helpers[worker], pthread_self())) worker++;
    worker++; /* worker 0 is the caller */
    for (;;) {
        while (!p->ending && p->generation == seen) pthread_cond_wait(&p->wake, &p->lock);
        if (p->ending) break;
        seen = p->generation;
        void (*body)(void *, unsigned) = p->body;
        void *body_arg = p->arg;
        pthread_mutex_unlock(&p->lock);
        body(body_arg, worker);
        pthread_mutex_lock(&p->lock);
        if (--p->active == 0) pthread_cond_broadcast(&p->idle);
    }
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

/* With the lock held. Signals stay with the threads of the program. If the system gives fewer
 * threads than asked, those there are do the work: no result depends on it. */
static void start_helpers(pool *p)
{
    sigset_t all, before;
    p->tried = true;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    while (p->started + 1 < p->threads) {
        if (pthread_create(&p->helpers[p->started], NULL, helper_main, p) != 0) break;
        p->started++;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

bool pool_inside(pool *p, unsigned *worker)
{
    bool inside = false;
    pthread_t self = pthread_self();
    pthread_mutex_lock(&p->lock);
    if (p->busy && pthread_equal(p->owner, self)) {
        *worker = 0;
        inside = true;
    }
    for (unsigned i = 0; i < p->started && !inside; i++) {
        if (pthread_equal(p->helpers[i], self)) {
            *worker = i + 1;
            inside = true;
        }
    }
    pthread_mutex_unlock(&p->lock);
    return inside;
}

void pool_run(pool *p, void (*body)(void *arg, unsigned worker), void *arg)
{
    pthread_mutex_lock(&p->lock);
    while (p->busy) pthread_cond_wait(&p->idle, &p->lock); /* another thread's job */
    p->busy = true;
    p->owner = pthread_self();
    if (!p->tried) start_helpers(p);
    p->body = body;
    p->arg = arg;
    p->active = p->started;
    p->generation++;
    pthread_cond_broadcast(&p->wake);
    pthread_mutex_unlock(&p->lock);
    body(arg, 0);
    pthread_mutex_lock(&p->lock);
    while (p->active > 0) pthread_cond_wait(&p->idle, &p->lock);
    p->busy = false;
    pthread_cond_broadcast(&p->idle);
    pthread_mutex_unlock(&p->lock);
}

/* ---- pool_for -------------------------------------------------------------- */

typedef struct range_job {
    size_t n, grain, pieces;
    pool_range_fn fn;
    void *arg;
    atomic_size_t next;
    atomic_bool stop;
    pthread_mutex_t lock; /* of what follows */
    size_t failed_piece;
    tare_status status;
    tare_error error;
} range_job;

/* Pieces are begun in order, so every piece below a failed one is run to its end, and the lowest
 * failure is the same for any number of threads. */
static void range_body(void *arg, unsigned worker)
{
    range_job *job = arg;
    while (!atomic_load_explicit(&job->stop, memory_order_relaxed)) {
        size_t piece = atomic_fetch_add_explicit(&job->next, 1, memory_order_relaxed);
        if (piece >= job->pieces) return;
        size_t begin = piece * job->grain;
        size_t end = job->n - begin < job->grain ? job->n : begin + job->grain;
        tare_error error = {TARE_OK, "", "", ""};
        tare_status status = job->fn(job->arg, begin, end, worker, &error);
        if (status == TARE_OK) continue;
        atomic_store_explicit(&job->stop, true, memory_order_relaxed);
        pthread_mutex_lock(&job->lock);
        if (job->status == TARE_OK || piece < job->failed_piece) {
            job->failed_piece = piece;
            job->status = status;
            job->error = error;
        }
        pthread_mutex_unlock(&job->lock);
    }
}

tare_status pool_for(pool *p, size_t n, size_t grain, pool_range_fn fn, void *arg, tare_error *err)
{
    if (grain == 0) grain = 1;
    unsigned worker = 0;
    bool inside = pool_inside(p, &worker);
    if (n == 0) return TARE_OK;
    range_job job = {.n = n, .grain = grain, .pieces = (n - 1) / grain + 1, .fn = fn, .arg = arg};
    pthread_mutex_init(&job.lock, NULL);
    if (inside || p->threads == 1 || job.pieces == 1) {
        range_body(&job, worker);
    } else {
        pool_run(p, range_body, &job);
    }
    pthread_mutex_destroy(&job.lock);
    if (job.status != TARE_OK && err != NULL) *err = job.error;
    return job.status;
}
