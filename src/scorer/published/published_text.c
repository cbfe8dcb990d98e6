/* published_text.c - vectors of prompts. Each is computed once; the tower for them, which may be
 * larger than that for images, is in memory only while somebody asks. Scorers 2.3. */
#include <pthread.h>
#include <string.h>

#include "base/error.h"
#include "scorer/published/published_parts.h"

typedef struct known_prompt {
    const char *prompt;
    const float *vector;
} known_prompt;

struct published_text {
    published *s;
    size_t length;
    pthread_mutex_t mutex;
    /* Guarded by mutex. */
    arena a;                /* of the prompts and vectors */
    known_prompt *known;
    size_t count, room;
    arena of_session;
    ort_session *session;   /* NULL: not open */
};

/* ---- Session --------------------------------------------------------------------------------- */

static tare_status open_session(published_text *t, tare_error *err)
{
    tare_status status = TARE_OK;
    published *s = t->s;
    graph_model *g = NULL;
    ort_graph how;
    if (t->session) goto done;
    TRY_NEW(g = arena_new(&t->of_session, 1, sizeof *g));
    TRY(graph_text(g, &t->of_session, s->backbone->c, &s->match.text, err));
    TRY(published_dump(s, "text", g, err));
    TRY(published_how(&how, s, &t->of_session, err));
    TRY(ort_session_open_graph(&t->session, s->context, g, &how, err));
done:
    return status;
}

static void close_session(published_text *t)
{
    ort_session_close(t->session);
    t->session = NULL;
    arena_free(&t->of_session);
}

/* Added to the scores of attention: nobody looks ahead. */
static float *causal_mask(arena *a, size_t n)
{
    float *mask = arena_new(a, n * n, sizeof *mask);
    for (size_t i = 0; mask && i < n; i++)
        for (size_t j = i + 1; j < n; j++) mask[i * n + j] = -1e9f;
    return mask;
}

static tare_status run(ort_output *out, published_text *t, arena *a, const token_list *ids,
                       tare_error *err)
{
    tare_status status = TARE_OK;
    int64_t n = (int64_t)ids->count, *positions, last = n - 1;
    float *mask;
    TRY_NEW(positions = arena_new(a, ids->count, sizeof *positions));
    for (int64_t i = 0; i < n; i++) positions[i] = i;
    TRY_NEW(mask = causal_mask(a, ids->count));
    const ort_tensor inputs[] = {
        {GRAPH_IDS, ORT_I64, 2, {1, n}, ids->id},
        {GRAPH_POSITIONS, ORT_I64, 1, {n}, positions},
        {GRAPH_MASK, ORT_F32, 4, {1, 1, n, n}, mask},
        {GRAPH_LAST, ORT_I64, 1, {1}, &last},
    };
    TRY(ort_session_run(out, t->session, inputs, sizeof inputs / sizeof *inputs, GRAPH_VECTOR,
                        err));
done:
    return status;
}

/* ---- Vectors --------------------------------------------------------------------------------- */

static tare_status compute(const float **vector, published_text *t, const char *prompt,
                           tare_error *err)
{
    tare_status status = TARE_OK;
    const mem *m = &t->s->context->mem;
    arena a;
    ort_output out = {0};
    token_list ids;
    float *v = NULL;
    arena_init(&a, m);
    TRY(published_ids(&ids, &a, t->s, prompt, err));
    TRY(open_session(t, err));
    TRY(run(&out, t, &a, &ids, err));
    if (out.count != t->length)
        FAIL(err, TARE_E_DATA, "published.text", t->s->backbone->c->path, "the text tower gives "
             "%zu numbers for a prompt, not %zu", out.count, t->length);
    TRY_NEW(v = arena_new(&t->a, t->length, sizeof *v));
    for (size_t i = 0; i < t->length; i++) v[i] = (float)out.value[i];
    *vector = v;
done:
    mem_free(m, out.value);
    arena_free(&a);
    return status;
}

static tare_status vector_of(const float **out, published_text *t, const char *prompt,
                             tare_error *err)
{
    tare_status status = TARE_OK;
    const mem *m = &t->s->context->mem;
    const char *copy;
    for (size_t i = t->count; i-- > 0;) /* the newest first: the variants of one photograph */
        if (!strcmp(t->known[i].prompt, prompt)) {
            *out = t->known[i].vector;
            goto done;
        }
    if (!mem_reserve(m, &t->known, &t->room, t->count + 1, sizeof *t->known)) FAIL_MEMORY(err);
    TRY_NEW(copy = arena_copy(&t->a, prompt));
    TRY(compute(out, t, prompt, err));
    t->known[t->count++] = (known_prompt){copy, *out};
done:
    return status;
}

tare_status published_text_vector(const float **out, published_text *t, const char *prompt,
                                  tare_error *err)
{
    pthread_mutex_lock(&t->mutex);
    tare_status status = vector_of(out, t, prompt, err);
    pthread_mutex_unlock(&t->mutex);
    return status;
}

tare_status published_text_open(published_text **out, published *s, tare_error *err)
{
    tare_status status = TARE_OK;
    const mem *m = &s->context->mem;
    published_text *t = NULL;
    const float *vector;
    TRY_NEW(t = mem_new(m, 1, sizeof *t));
    t->s = s;
    t->length = (size_t)s->match.text.embedding;
    arena_init(&t->a, m);
    arena_init(&t->of_session, m);
    pthread_mutex_init(&t->mutex, NULL);
    TRY(vector_of(&vector, t, published_prompt(s, NULL), err));
    close_session(t);
    *out = t;
    t = NULL;
done:
    published_text_close(t);
    return status;
}

void published_text_close(published_text *t)
{
    if (!t) return;
    const mem *m = &t->s->context->mem;
    close_session(t);
    pthread_mutex_destroy(&t->mutex);
    mem_free(m, t->known);
    arena_free(&t->a);
    mem_free(m, t);
}
