/* published_bert.c - ImageReward's text, whose layers look at the image's tokens. Only the prompt's
 * real tokens are computed: masked ones have no weight (scorers 3.1). */
#include "base/error.h"
#include "scorer/published/published_parts.h"

struct published_bert {
    published *s;
    arena a;
    ort_session *session;
};

tare_status published_bert_open(published_bert **out, published *s, tare_error *err)
{
    tare_status status = TARE_OK;
    const mem *m = &s->context->mem;
    published_bert *b = NULL;
    graph_model *g = NULL;
    ort_graph how;
    if (s->match.text.cross_width != s->match.vision.width)
        FAIL(err, TARE_E_DATA, "checkpoint.shape", s->backbone->c->path, "the text looks at image "
             "tokens %d wide, and those of the vision part are %d wide",
             s->match.text.cross_width, s->match.vision.width);
    TRY_NEW(b = mem_new(m, 1, sizeof *b));
    b->s = s;
    arena_init(&b->a, m);
    TRY_NEW(g = arena_new(&b->a, 1, sizeof *g));
    TRY(graph_bert(g, &b->a, s->backbone->c, &s->match.text, err));
    TRY(published_dump(s, "text", g, err));
    TRY(published_how(&how, s, &b->a, err));
    TRY(ort_session_open_graph(&b->session, s->context, g, &how, err));
    *out = b;
    b = NULL;
done:
    published_bert_close(b);
    return status;
}

void published_bert_close(published_bert *b)
{
    if (!b) return;
    const mem *m = &b->s->context->mem;
    ort_session_close(b->session);
    arena_free(&b->a);
    mem_free(m, b);
}

tare_status published_bert_row(double *out, published_bert *b, const float *vector,
                               const char *prompt, tare_error *err)
{
    tare_status status = TARE_OK;
    const published *s = b->s;
    const mem *m = &s->context->mem;
    ort_output row = {0};
    token_list ids;
    arena a;
    int64_t *positions;
    arena_init(&a, m);
    TRY(published_ids(&ids, &a, s, prompt, err));
    int64_t n = (int64_t)ids.count;
    TRY_NEW(positions = arena_new(&a, ids.count, sizeof *positions));
    for (int64_t i = 0; i < n; i++) positions[i] = i;
    const ort_tensor inputs[] = {
        {GRAPH_IDS, ORT_I64, 2, {1, n}, ids.id},
        {GRAPH_POSITIONS, ORT_I64, 1, {n}, positions},
        {GRAPH_TOKENS, ORT_F32, 3, {1, s->match.vision.tokens, s->match.vision.width}, vector},
    };
    TRY(ort_session_run(&row, b->session, inputs, sizeof inputs / sizeof *inputs, GRAPH_VECTOR,
                        err));
    if (row.count != (size_t)s->match.text.width)
        FAIL(err, TARE_E_DATA, "published.text", s->backbone->c->path, "the text gives %zu numbers "
             "for an image, not %d", row.count, s->match.text.width);
    for (size_t i = 0; i < row.count; i++) out[i] = row.value[i];
done:
    mem_free(m, row.value);
    arena_free(&a);
    return status;
}
