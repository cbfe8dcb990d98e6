/* published_prompt.c - which words an image is asked about, and their ids. Scorers 7. */
#include <inttypes.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "scorer/fingerprint.h"
#include "scorer/published/published_parts.h"

const char *published_prompt(const published *s, const char *of_item)
{
    if (of_item && *of_item) return of_item;
    if (s->options.prompt && *s->options.prompt) return s->options.prompt;
    return s->r.prompt;
}

/* Built-in ids are those of the published vocabularies; weights of another architecture may have
 * fewer rows. */
static tare_status check_ids(const published *s, const token_list *ids, tare_error *err)
{
    int64_t rows = s->match.text.vocabulary;
    for (size_t i = 0; i < ids->count; i++)
        if (ids->id[i] >= rows)
            return error_set(err, TARE_E_DATA, "vocabulary.size", s->backbone->c->path,
                             "the prompt has the token %" PRId64 ", and these weights know %" PRId64
                             " only: the vocabulary belongs to another model", ids->id[i], rows);
    return TARE_OK;
}

tare_status published_ids(token_list *out, arena *a, const published *s, const char *prompt,
                          tare_error *err)
{
    tare_status status = TARE_OK;
    const char *words = prompt;
    size_t room = (size_t)s->match.text.context;
    if (room == 0 || room > s->r.prompt_most) room = s->r.prompt_most;
    if (*s->r.prefix_words)
        TRY_NEW(words = arena_printf(a, "%s%s", s->r.prefix_words, prompt));
    TRY(tokenizer_run(out, a, s->tokens, words, room, err));
    TRY(check_ids(s, out, err));
done:
    return status;
}

/* Ids of another vocabulary would be looked up all the same, and give believable vectors. BERT's
 * weights have two rows more than its vocabulary, for [DEC] and [ENC] (scorers 7). */
static tare_status check_words(const published *s, const char *path, tare_error *err)
{
    size_t words = tokenizer_words(s->tokens), rows = (size_t)s->match.text.vocabulary;
    bool bert = s->r.tokenizer == TOKENIZER_BERT;
    bool fits = words == 0 || words == rows || (bert && words + 2 == rows) ||
                (s->r.any_sizes && words < rows);
    if (fits) return TARE_OK;
    return error_set(err, TARE_E_DATA, "vocabulary.size", path, "this vocabulary has %zu words, "
                     "and the weights have %zu: it belongs to another model", words, rows);
}

tare_status published_tokens_open(published *s, tare_error *err)
{
    tare_status status = TARE_OK;
    const char *path = s->options.vocabulary;
    if (!path || !*path)
        TRY(recipe_find_vocabulary(&path, &s->a, &s->r, s->options.weights, err));
    TRY(tokenizer_open(&s->tokens, s->context, s->r.tokenizer, path, err));
    TRY(check_words(s, path, err));
done:
    return status;
}

static void add_ids(text *t, const token_list *ids, const char *between)
{
    for (size_t i = 0; i < ids->count; i++)
        text_add_format(t, "%s%" PRId64, i ? between : "", ids->id[i]);
}

tare_status published_say_prompt(const published *s, tare_error *err)
{
    tare_status status = TARE_OK;
    arena a;
    text t;
    token_list ids;
    const char *prompt = published_prompt(s, NULL);
    arena_init(&a, &s->context->mem);
    text_init(&t, &s->context->mem);
    TRY(published_ids(&ids, &a, s, prompt, err));
    add_ids(&t, &ids, " ");
    if (t.failed) FAIL_MEMORY(err);
    context_message(s->context, TARE_NOTE, "%s: \"%s%s\" is %zu tokens: %s", s->r.name,
                    s->r.prefix_words, prompt, ids.count, t.data);
    if (ids.whole > ids.count)
        context_message(s->context, TARE_WARNING, "%s: the prompt has %zu tokens and is cut to "
                        "%zu: its end is not seen", s->r.name, ids.whole, ids.count);
    if (ids.may_differ)
        context_message(s->context, TARE_WARNING, "%s: the prompt holds '&', control characters "
                        "or text outside ASCII, for which tokenisers differ; its tokens here: %s",
                        s->r.name, t.data);
done:
    text_free(&t);
    arena_free(&a);
    return status;
}

const char *published_prompt_json(const published *s, arena *a)
{
    token_list ids;
    fingerprint f;
    text t;
    const char *json = NULL;
    if (!s->r.prompt) return "null";
    text_init(&t, a->m);
    if (published_ids(&ids, a, s, published_prompt(s, NULL), NULL) == TARE_OK) {
        text_add(&t, "[");
        add_ids(&t, &ids, ",");
        text_add(&t, "]");
        fingerprint_begin(&f, a);
        if (!t.failed) fingerprint_json(&f, "ids", arena_copy(a, t.data));
        fingerprint_text(&f, "prefix", s->r.prefix_words);
        json = t.failed ? NULL : fingerprint_end(&f);
    }
    text_free(&t);
    return json;
}
