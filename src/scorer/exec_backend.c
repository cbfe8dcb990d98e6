/* exec: the back end. Any program that answers lines of JSON (scorers 1.5; docs/exec-scorer.md). */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/os.h"
#include "image/encode.h"
#include "scorer/backends.h"
#include "scorer/exec_process.h"
#include "scorer/exec_protocol.h"
#include "scorer/exec_split.h"
#include "scorer/fingerprint.h"

enum { RESTARTS = 2, STALE_MAX = 64 };
/* After its input has ended a scorer may take this long to leave by itself. */
static const double grace_seconds = 1.0;

typedef struct exec_state {
    tare_context *context;
    char **words;
    scorer_options options; /* strings in the arena of the scorer */
    pthread_mutex_t mutex;
    /* Guarded by mutex. */
    exec_process process;
    exec_hello hello;
    unsigned restarts;
    uint64_t next_id;
    uint64_t file_number;
    char ended[EXEC_WHY_MAX]; /* how the last process ended */
} exec_state;

/* One batch on its way: what is sent, and what must be given back. */
typedef struct exec_batch {
    exec_wire_item *wire;
    arena a;
    text line;
    size_t count;
} exec_batch;

static const char *outcome_text(exec_outcome outcome)
{
    switch (outcome) {
    case EXEC_TIMEOUT: return "no answer within the time limit";
    case EXEC_TOO_LONG: return "a line of more than 16 MiB";
    default: return "the process ended";
    }
}

/* Kill what does not answer, and keep the reason for the batches to come. */
static void give_up(exec_state *s, exec_outcome outcome)
{
    char how[48];
    exec_process_end(&s->process, outcome == EXEC_ENDED ? 0.2 : 0.0, how, sizeof how);
    snprintf(s->ended, sizeof s->ended, "%s%s%s%s", outcome_text(outcome),
             outcome == EXEC_ENDED ? " (" : "", outcome == EXEC_ENDED ? how : "",
             outcome == EXEC_ENDED ? ")" : "");
}

/* Start the program and greet it. */
static tare_status start(exec_hello *hello, exec_state *s, tare_error *err)
{
    tare_status status = TARE_OK;
    exec_bytes line;
    const scorer_options *o = &s->options;
    TRY(exec_process_start(&s->process, s->words, o->log_path, err));
    exec_outcome outcome = exec_process_exchange(
        &s->process, &line.at, &line.length, s->context, exec_hello_request,
        strlen(exec_hello_request), os_seconds() + o->timeout_seconds);
    if (outcome == EXEC_MEMORY) FAIL_MEMORY(err);
    if (outcome == EXEC_STOPPED) TRY(context_check(s->context, err));
    if (outcome != EXEC_LINE) {
        give_up(s, outcome);
        FAIL(err, TARE_E_INSTRUMENT, "exec.start", s->words[0],
             "did not answer hello: %s; its messages are in %s", s->ended,
             o->log_path ? o->log_path : "no log (give one)");
    }
    TRY(exec_hello_read(hello, &s->context->mem, line, err));
done:
    if (status != TARE_OK) exec_process_end(&s->process, 0.0, NULL, 0);
    return status;
}

/* ---- opening ---------------------------------------------------------------- */

static const char *identity_json(const exec_state *s, arena *a, const char *rest)
{
    const exec_hello *h = &s->hello;
    fingerprint f;
    fingerprint_begin(&f, a);
    fingerprint_text(&f, "kind", "exec");
    fingerprint_number(&f, "protocol", 1);
    fingerprint_text(&f, "name", h->name);
    fingerprint_text(&f, "version", h->version);
    /* Without a fingerprint nothing says what is computed; the command tells some apart. */
    if (*h->fingerprint) fingerprint_text(&f, "fingerprint", h->fingerprint);
    else fingerprint_json(&f, "command_sha256",
                          arena_printf(a, "\"%s\"", fingerprint_hash(a, rest, strlen(rest))));
    fingerprint_text(&f, "prompt_use", exec_prompt_name(h->prompt));
    if (h->prompt != EXEC_PROMPT_NONE) fingerprint_text(&f, "prompt", s->options.prompt);
    if (h->width)
        fingerprint_json(&f, "size", arena_printf(a, "[%d,%d]", h->width, h->height));
    fingerprint_text(&f, "image", "png, 8-bit RGB");
    return fingerprint_end(&f);
}

/* The options and hello together must make sense. */
static tare_status settle_batch(scorer_description *d, const exec_state *s, tare_error *err)
{
    if (s->hello.max_batch && d->batch > s->hello.max_batch)
        return error_set(err, TARE_E_USAGE, "exec.batch", s->hello.name,
                         "batches of %zu were asked for, it takes at most %zu", d->batch,
                         s->hello.max_batch);
    /* As many as it takes, but not more than come together: the rest would be padding. */
    if (!s->options.batch && s->options.together && s->hello.max_batch)
        d->batch = s->hello.max_batch < s->options.together ? s->hello.max_batch
                                                            : s->options.together;
    if (s->hello.paths && !s->options.scratch)
        return error_set(err, TARE_E_USAGE, "exec.scratch", s->hello.name,
                         "it wants images as files, and there is no folder for them");
    return s->hello.paths ? os_make_own_folder(s->options.scratch, err) : TARE_OK;
}

/* The caller's strings may go away. */
static tare_status keep_options(exec_state *s, arena *a, const scorer_options *o, tare_error *err)
{
    s->options = *o;
    s->options.prompt = arena_copy(a, o->prompt);
    if (o->log_path) s->options.log_path = arena_copy(a, o->log_path);
    if (o->scratch) s->options.scratch = arena_copy(a, o->scratch);
    if (!s->options.prompt || (o->log_path && !s->options.log_path) ||
        (o->scratch && !s->options.scratch))
        return error_memory(err);
    return TARE_OK;
}

static void exec_close(void *state)
{
    exec_state *s = state;
    exec_process_end(&s->process, grace_seconds, NULL, 0);
    exec_process_free(&s->process);
    pthread_mutex_destroy(&s->mutex);
    mem_free(&s->context->mem, s);
}

static tare_status exec_open(void **state, scorer_description *d, arena *a, tare_context *context,
                             const char *rest, const scorer_options *options, tare_error *err)
{
    tare_status status = TARE_OK;
    exec_state *s = NULL;
    size_t count;
    TRY_NEW(s = mem_new(&context->mem, 1, sizeof *s));
    s->context = context;
    exec_process_init(&s->process, &context->mem);
    pthread_mutex_init(&s->mutex, NULL);
    TRY(exec_split(&s->words, &count, a, rest, err));
    TRY(keep_options(s, a, options, err));
    TRY(start(&s->hello, s, err));
    TRY(settle_batch(d, s, err));
    d->sign = s->hello.lower_is_better ? -1.0 : 1.0;
    d->identified = *s->hello.fingerprint != '\0';
    d->needs_pixels = true;
    d->takes_prompt = s->hello.prompt != EXEC_PROMPT_NONE;
    d->min_side = 1;
    d->source = "an external program";
    TRY_NEW(d->name = arena_copy(a, s->hello.name));
    TRY(fingerprint_describe(d, a, identity_json(s, a, rest), err));
    *state = s;
    s = NULL;
done:
    if (s) exec_close(s);
    return status;
}

/* ---- scoring ---------------------------------------------------------------- */

static void fail_all(scorer_result *results, size_t n, tare_reason reason, const char *note)
{
    for (size_t i = 0; i < n; i++) scorer_result_fail(&results[i], reason, "%s", note);
}

/* A running process, restarted if need be. False: there is none, and the results say so. */
static bool ready(exec_state *s, scorer_result *results, size_t n, tare_status *status,
                  tare_error *err)
{
    exec_hello hello;
    tare_error why;
    if (s->process.pid > 0) return true;
    if (s->restarts >= RESTARTS) {
        char note[EXEC_WHY_MAX + 40];
        snprintf(note, sizeof note, "given up after two restarts: %s", s->ended);
        fail_all(results, n, TARE_R_SCORER_ERROR, note);
        return false;
    }
    s->restarts++;
    *status = start(&hello, s, &why);
    if (*status == TARE_E_STOPPED || *status == TARE_E_MEMORY) {
        if (err) *err = why;
        return false;
    }
    if (*status == TARE_OK && (strcmp(hello.name, s->hello.name) != 0 ||
                               strcmp(hello.version, s->hello.version) != 0 ||
                               strcmp(hello.fingerprint, s->hello.fingerprint) != 0)) {
        exec_process_end(&s->process, 0.0, NULL, 0);
        snprintf(s->ended, sizeof s->ended, "it came back as another instrument");
        s->restarts = RESTARTS;
        fail_all(results, n, TARE_R_SCORER_ERROR, s->ended);
        return false;
    }
    if (*status != TARE_OK) {
        fail_all(results, n, TARE_R_SCORER_ERROR, why.message);
        *status = TARE_OK;
        return false;
    }
    return true;
}

/* PNG of one item: in memory, or in a file that exec_batch_free removes. */
static tare_status wire_image(exec_state *s, exec_batch *b, exec_wire_item *w, const image *pixels,
                              tare_error *err)
{
    tare_status status = TARE_OK;
    unsigned char *png = NULL;
    size_t length;
    TRY(image_png_encode(&png, &length, &s->context->mem, pixels, PNG_FAST, err));
    if (s->hello.paths) {
        const char *path;
        TRY_NEW(path = arena_printf(&b->a, "%s/exec-%ld-%llu.png", s->options.scratch,
                                    (long)getpid(), (unsigned long long)s->file_number++));
        w->path = path;
        TRY(os_write_file(path, png, length, err));
    } else {
        w->png = png;
        w->png_length = length;
        png = NULL;
    }
done:
    mem_free(&s->context->mem, png);
    return status;
}

static void exec_batch_free(exec_batch *b, const mem *m)
{
    for (size_t i = 0; b->wire && i < b->count; i++) {
        mem_free(m, (void *)(uintptr_t)b->wire[i].png);
        if (b->wire[i].path) unlink(b->wire[i].path);
    }
    mem_free(m, b->wire);
    text_free(&b->line);
    arena_free(&b->a);
}

static tare_status exec_batch_make(exec_batch *b, exec_state *s, const scorer_item *items, size_t n,
                                   tare_error *err)
{
    tare_status status = TARE_OK;
    const exec_hello *h = &s->hello;
    TRY_NEW(b->wire = mem_new(&s->context->mem, n, sizeof *b->wire));
    b->count = n;
    for (size_t i = 0; i < n; i++) {
        exec_wire_item *w = &b->wire[i];
        const char *key = items[i].key;
        w->key = key;
        /* The items that fill up a batch repeat the last one; keys must stay distinct. File names
         * that are not UTF-8 cannot be echoed in JSON. */
        if (!utf8_valid(key, strlen(key)))
            TRY_NEW(w->key = arena_printf(&b->a, "#%zu", i));
        else if (i && strcmp(key, items[i - 1].key) == 0)
            TRY_NEW(w->key = arena_printf(&b->a, "%s#pad%zu", key, i));
        const char *prompt = items[i].prompt && *items[i].prompt ? items[i].prompt
                                                                 : s->options.prompt;
        if (h->prompt != EXEC_PROMPT_NONE) w->prompt = prompt;
        TRY(wire_image(s, b, w, items[i].pixels, err));
    }
    exec_request request = {s->next_id++, b->wire, n};
    exec_request_write(&b->line, &request);
    if (b->line.failed) FAIL_MEMORY(err);
done:
    return status;
}

/* Send the batch and read on until its own reply comes. */
static tare_status converse(exec_state *s, scorer_result *results, const exec_batch *b,
                            tare_error *err)
{
    const mem *m = &s->context->mem;
    exec_request request = {s->next_id - 1, b->wire, b->count};
    const char *bytes = b->line.data;
    size_t length = b->line.length;
    double deadline = os_seconds() + s->options.timeout_seconds;
    for (int stale = 0; stale < STALE_MAX; stale++) {
        char why[EXEC_WHY_MAX] = "";
        exec_bytes line = {NULL, 0};
        exec_outcome outcome = exec_process_exchange(&s->process, &line.at, &line.length,
                                                     s->context, bytes, length, deadline);
        length = 0;
        if (outcome == EXEC_MEMORY) return error_memory(err);
        if (outcome == EXEC_STOPPED) {
            /* Half a request may be on its way: this process cannot be used again. */
            exec_process_end(&s->process, 0.0, NULL, 0);
            return context_check(s->context, err);
        }
        if (outcome != EXEC_LINE) {
            give_up(s, outcome);
            fail_all(results, b->count,
                     outcome == EXEC_TIMEOUT ? TARE_R_TIMEOUT : TARE_R_SCORER_ERROR, s->ended);
            return TARE_OK;
        }
        exec_reply kind = exec_reply_read(results, why, m, &request, line);
        if (kind == EXEC_REPLY_SCORES) return TARE_OK;
        if (kind == EXEC_REPLY_MEMORY) return error_memory(err);
        if (kind == EXEC_REPLY_BAD) {
            fail_all(results, b->count, TARE_R_SCORER_ERROR, why);
            return TARE_OK;
        }
    }
    fail_all(results, b->count, TARE_R_SCORER_ERROR, "only replies to earlier requests");
    return TARE_OK;
}

static tare_status exec_score(void *state, scorer_result *results, const scorer_item *items,
                              size_t n, tare_error *err)
{
    tare_status status = TARE_OK;
    exec_state *s = state;
    exec_batch b = {.count = 0};
    pthread_mutex_lock(&s->mutex);
    arena_init(&b.a, &s->context->mem);
    text_init(&b.line, &s->context->mem);
    TRY(context_check(s->context, err));
    if (!ready(s, results, n, &status, err)) goto done;
    TRY(exec_batch_make(&b, s, items, n, err));
    TRY(converse(s, results, &b, err));
done:
    exec_batch_free(&b, &s->context->mem);
    pthread_mutex_unlock(&s->mutex);
    return status;
}

static tare_status exec_check(tare_context *context, tare_error *err)
{
    (void)context;
    (void)err;
    return TARE_OK;
}

const scorer_backend scorer_exec = {
    .scheme = "exec",
    .summary = "a program of yours that answers lines of JSON (docs/exec-scorer.md)",
    .usage = "exec:COMMAND ARGUMENTS",
    .open = exec_open,
    .score = exec_score,
    .close = exec_close,
    .check = exec_check,
};
