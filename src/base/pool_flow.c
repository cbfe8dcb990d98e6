/* pool_flow.c - the ordered, bounded flow: workers make, the caller takes in order. */
#include <stdint.h>

#include "base/error.h"
#include "base/pool_parts.h"

enum { SLOT_FREE, SLOT_MAKING, SLOT_MADE };

typedef struct flow_job {
    const pool_flow *flow;
    size_t window;
    unsigned char *slots;   /* state of item % window */
    size_t next, taken;     /* first item not begun; items taken so far */
    size_t making;          /* makes under way */
    size_t failed;          /* lowest item that failed; SIZE_MAX: none */
    tare_status status;
    tare_error error;
    bool over;
    pthread_mutex_t lock;
    pthread_cond_t room;    /* workers: an item may be begun, or all is over */
    pthread_cond_t made;    /* caller: a make has ended */
} flow_job;

static bool flow_may_begin(const flow_job *job)
{
    return !job->over && job->failed == SIZE_MAX && job->next < job->flow->count
           && job->next - job->taken < job->window;
}

/* With the lock held, which is given up while the item is made. */
static void flow_make_one(flow_job *job, unsigned worker)
{
    size_t item = job->next++, slot = item % job->window;
    job->slots[slot] = SLOT_MAKING;
    job->making++;
    pthread_mutex_unlock(&job->lock);
    tare_error error = {TARE_OK, "", "", ""};
    tare_status status = job->flow->make(job->flow->arg, item, slot, worker, &error);
    pthread_mutex_lock(&job->lock);
    job->making--;
    job->slots[slot] = status == TARE_OK ? SLOT_MADE : SLOT_FREE;
    if (status != TARE_OK && item < job->failed) {
        job->failed = item;
        job->status = status;
        job->error = error;
        pthread_cond_broadcast(&job->room);
    }
    pthread_cond_broadcast(&job->made);
}

static void flow_worker(flow_job *job, unsigned worker)
{
    pthread_mutex_lock(&job->lock);
    for (;;) {
        if (flow_may_begin(job)) {
            flow_make_one(job, worker);
        } else if (job->over || job->failed != SIZE_MAX || job->next == job->flow->count) {
            break;
        } else {
            pthread_cond_wait(&job->room, &job->lock);
        }
    }
    pthread_mutex_unlock(&job->lock);
}

/* The caller takes what is ready and makes, as worker `worker`, when nothing is. */
static void flow_caller(flow_job *job, unsigned worker)
{
    const pool_flow *flow = job->flow;
    pthread_mutex_lock(&job->lock);
    while (job->taken < flow->count && job->taken != job->failed) {
        size_t item = job->taken, slot = item % job->window;
        if (job->slots[slot] == SLOT_MADE) {
            pthread_mutex_unlock(&job->lock);
            tare_error error = {TARE_OK, "", "", ""};
            tare_status status = flow->take(flow->arg, item, slot, &error);
            pthread_mutex_lock(&job->lock);
            job->slots[slot] = SLOT_FREE;
            job->taken++;
            if (status != TARE_OK) { /* earlier in order than any make that failed or will */
                job->failed = item;
                job->status = status;
                job->error = error;
                break;
            }
            pthread_cond_signal(&job->room);
        } else if (flow_may_begin(job)) {
            flow_make_one(job, worker);
        } else {
            pthread_cond_wait(&job->made, &job->lock);
        }
    }
    job->over = true;
    pthread_cond_broadcast(&job->room);
    while (job->making > 0) pthread_cond_wait(&job->made, &job->lock);
    pthread_mutex_unlock(&job->lock);
    for (size_t item = job->taken; item < job->next; item++) {
        size_t slot = item % job->window;
        if (job->slots[slot] == SLOT_MADE && flow->drop != NULL) flow->drop(flow->arg, item, slot);
    }
}

static void flow_body(void *arg, unsigned worker)
{
    if (worker == 0) {
        flow_caller(arg, 0);
    } else {
        flow_worker(arg, worker);
    }
}

tare_status pool_flow_run(pool *p, const pool_flow *flow, tare_error *err)
{
    flow_job job = {.flow = flow, .window = flow->window == 0 ? 1 : flow->window,
                    .failed = SIZE_MAX};
    if (flow->count == 0) return TARE_OK;
    if (job.window > flow->count) job.window = flow->count;
    job.slots = mem_new(p->m, job.window, 1);
    if (job.slots == NULL) return error_memory(err);
    pthread_mutex_init(&job.lock, NULL);
    pthread_cond_init(&job.room, NULL);
    pthread_cond_init(&job.made, NULL);
    unsigned worker = 0;
    if (pool_inside(p, &worker) || p->threads == 1) {
        flow_caller(&job, worker);
    } else {
        pool_run(p, flow_body, &job);
    }
    pthread_cond_destroy(&job.made);
    pthread_cond_destroy(&job.room);
    pthread_mutex_destroy(&job.lock);
    mem_free(p->m, job.slots);
    if (job.status != TARE_OK && err != NULL) *err = job.error;
    return job.status;
}
