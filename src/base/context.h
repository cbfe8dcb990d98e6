/* context.h - what tare_context holds. */
#ifndef BASE_CONTEXT_H
#define BASE_CONTEXT_H

#include <stdatomic.h>
#include <stdbool.h>

#include "base/mem.h"
#include "base/pool.h"
#include "base/stop_watch.h"
#include "tare.h"

struct tare_context {
    mem mem;
    pool *pool;
    void *user;
    void (*message)(void *user, tare_level level, const char *text);
    void (*progress)(void *user, const tare_progress *progress);
    atomic_bool stop;
    stop_watch watch; /* calls its hooks once `stop` is set */
};

void context_message(tare_context *c, tare_level level, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
bool context_stopped(const tare_context *c);
/* TARE_E_STOPPED with a word on how to resume, if a stop was asked for. */
tare_status context_check(tare_context *c, tare_error *err);

/* Progress of one step: rate over the time since the start, calls back at most ten times a second
 * and at the end. `skipped` units (resumed) do not count towards the rate. */
typedef struct progress {
    tare_context *context;
    const char *step, *unit;
    uint64_t done, skipped, total;
    double started, last_shown;
} progress;
void progress_start(progress *p, tare_context *c, const char *step, const char *unit,
                    uint64_t total, uint64_t skipped);
void progress_add(progress *p, uint64_t units);
void progress_end(progress *p);

#endif
