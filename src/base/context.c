#include "base/context.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/error.h"
#include "base/os.h"
#include "base/text.h"

#define STRING_OF(x) #x
#define VERSION_TEXT(a, b, c) STRING_OF(a) "." STRING_OF(b) "." STRING_OF(c)

const char *tare_version(void)
{
    return VERSION_TEXT(TARE_VERSION_MAJOR, TARE_VERSION_MINOR, TARE_VERSION_PATCH);
}

tare_status tare_context_new(tare_context **out, const tare_context_options *options,
                             tare_error *err)
{
    static const tare_context_options defaults = TARE_CONTEXT_OPTIONS_INIT;
    *out = NULL;
    if (options == NULL) options = &defaults;
    if (options->size != sizeof *options) {
        return error_set(err, TARE_E_USAGE, "context.size", "",
                         "context options of %zu bytes: this library knows %zu", options->size,
                         sizeof *options);
    }
    mem m = mem_system();
    if (options->resize != NULL) m = (mem){options->resize, options->user};
    tare_context *c = mem_new(&m, 1, sizeof *c);
    if (c == NULL) return error_memory(err);
    c->mem = m;
    c->user = options->user;
    c->message = options->message;
    c->progress = options->progress;
    atomic_init(&c->stop, false);
    c->pool = pool_new(&c->mem, options->threads);
    if (c->pool == NULL) {
        mem_free(&m, c);
        return error_memory(err);
    }
    stop_watch_begin(&c->watch, &c->stop);
    *out = c;
    return TARE_OK;
}

void tare_context_free(tare_context *context)
{
    if (context == NULL) return;
    stop_watch_end(&context->watch);
    pool_free(context->pool);
    mem m = context->mem;
    mem_free(&m, context);
}

void tare_context_stop(tare_context *context)
{
    atomic_store(&context->stop, true);
    stop_watch_tell(&context->watch);
}

void context_message(tare_context *c, tare_level level, const char *format, ...)
{
    if (c->message == NULL) return;
    char line[2048 + 4]; /* a longer message is cut */
    va_list list;
    va_start(list, format);
    int wanted = vsnprintf(line, sizeof line, format, list);
    va_end(list);
    if (wanted < 0) return;
    if (wanted >= 2048) {
        size_t length = 2047; /* between characters */
        while (length > 0 && ((unsigned char)line[length] & 0xC0) == 0x80) length--;
        line[length] = '\0';
    }
    text_make_plain(line);
    c->message(c->user, level, line);
}

bool context_stopped(const tare_context *c)
{
    return atomic_load(&c->stop);
}

tare_status context_check(tare_context *c, tare_error *err)
{
    if (!context_stopped(c)) return TARE_OK;
    return error_set(err, TARE_E_STOPPED, "stopped", "",
                     "stopped on request; the same command goes on where its run folder ends");
}

/* ---- Progress -------------------------------------------------------------- */

static void progress_show(progress *p, double now)
{
    double elapsed = now - p->started;
    uint64_t fresh = p->done - p->skipped;
    tare_progress shown = {p->step, p->unit, p->done, p->total, 0, -1};
    if (elapsed > 0 && fresh > 0) {
        shown.per_second = (double)fresh / elapsed;
        if (p->total >= p->done) {
            shown.seconds_left = (double)(p->total - p->done) / shown.per_second;
        }
    }
    p->last_shown = now;
    p->context->progress(p->context->user, &shown);
}

void progress_start(progress *p, tare_context *c, const char *step, const char *unit,
                    uint64_t total, uint64_t skipped)
{
    double now = os_seconds();
    *p = (progress){c, step, unit, skipped, skipped, total, now, now};
}

void progress_add(progress *p, uint64_t units)
{
    p->done += units;
    if (p->context->progress == NULL) return;
    double now = os_seconds();
    if (now - p->last_shown >= 0.1) progress_show(p, now);
}

void progress_end(progress *p)
{
    if (p->context->progress != NULL) progress_show(p, os_seconds());
}
