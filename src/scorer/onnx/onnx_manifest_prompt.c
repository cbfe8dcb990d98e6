/* onnx_manifest_prompt.c - what text goes into the model, as token ids. Scorers 1.4, 7.
 *
 * Without a vocabulary the ids of one text are known. */
#include <string.h>

#include "scorer/onnx/onnx_manifest_parts.h"
#include "scorer/token/tokens.h"

static const manifest_bounds token = {0, 2147483647, true, "a whole number from 0 to 2147483647"};

/* As tokenizer_kind has them. */
static const char *const tokenizers[] = {"clip", "bert", "hf-json", NULL};

static const char known_text[] = "a photo";

static tare_status literal_tokens(onnx_prompt *out, const manifest_part *p, tare_error *err)
{
    static const char *const idle[] = {"text", "tokenizer", "vocabulary", NULL};
    tare_status status = TARE_OK;
    const json_value *v = manifest_get(p, "tokens");
    int64_t *ids;
    TRY(manifest_idle(p, idle, "the ids are given by tokens", err));
    if (v->kind != JSON_K_ARRAY || v->length == 0 || v->length > MANIFEST_TOKENS_MOST)
        MANIFEST_FAIL(p->r, v, "type", "prompt.tokens must be a list of 1 to %d token ids, with "
                      "those of start and end; here it is %s", (int)MANIFEST_TOKENS_MOST,
                      manifest_shown(p->r, v));
    TRY_NEW(ids = arena_new(p->r->a, v->length, sizeof *ids));
    for (size_t i = 0; i < v->length; i++) {
        if (!manifest_within(&v->children[i], &token))
            MANIFEST_FAIL(p->r, &v->children[i], "value", "prompt.tokens[%zu] is %s; allowed: %s",
                          i, manifest_shown(p->r, &v->children[i]), token.words);
        ids[i] = (int64_t)v->children[i].number;
    }
    out->ids = ids;
    out->count = v->length;
done:
    return status;
}

/* Which tokeniser, and its vocabulary, opened to see that it is one; the caller closes it. */
static tare_status open_tokenizer(tokenizer **t, onnx_prompt *out, const manifest_part *p,
                                  tare_error *err)
{
    tare_status status = TARE_OK;
    const char *file = NULL;
    const json_value *named = manifest_get(p, "vocabulary");
    int which = 0;
    TRY(manifest_word(&which, p, "tokenizer", tokenizers, err));
    TRY(manifest_text(&file, p, "vocabulary", MANIFEST_PATH_MOST, err));
    out->tokenizer = tokenizers[which];
    if (which == TOKENIZER_BY_FILE && !file)
        MANIFEST_FAIL(p->r, manifest_get(p, "tokenizer"), "prompt", "prompt.tokenizer: hf-json "
                      "needs its file: name tokenizer.json as prompt.vocabulary");
    if (file) TRY_NEW(out->vocabulary = manifest_place(p->r, file));
    status = tokenizer_read(t, p->r->a->m, (tokenizer_kind)which, out->vocabulary, err);
    if (status != TARE_OK && named)
        manifest_named_at(err, "prompt.vocabulary", p->r->path, named->line);
    if (status != TARE_OK) goto done;
    TRY_NEW(out->vocabulary_hash = arena_copy(p->r->a, tokenizer_hash(*t)));
done:
    return status;
}

/* A text, by its tokeniser. */
static tare_status text_tokens(onnx_prompt *out, const manifest_part *p, tare_error *err)
{
    tare_status status = TARE_OK;
    tokenizer *t = NULL;
    token_list list;
    if (!manifest_get(p, "tokenizer"))
        MANIFEST_FAIL(p->r, p->v, "missing", "a fixed prompt needs prompt.tokens, a list of token "
                      "ids, or prompt.tokenizer, clip, bert or hf-json, with prompt.vocabulary for "
                      "any text but \"%s\"", known_text);
    out->text = known_text;
    TRY(manifest_text(&out->text, p, "text", MANIFEST_PROSE_MOST, err));
    TRY(open_tokenizer(&t, out, p, err));
    if (!out->vocabulary && strcmp(out->text, known_text) != 0)
        MANIFEST_FAIL(p->r, manifest_get(p, "text"), "prompt", "prompt.text: without a vocabulary "
                      "the only text whose ids are known is \"%s\"; name the tokeniser's file as "
                      "prompt.vocabulary, or give the ids as prompt.tokens: [...], and no "
                      "tokenizer", known_text);
    TRY(tokenizer_run(&list, p->r->a, t, out->text, SIZE_MAX, err));
    if (list.count > MANIFEST_TOKENS_MOST)
        MANIFEST_FAIL(p->r, manifest_get(p, "text"), "prompt", "prompt.text has %zu ids; allowed: "
                      "%d", list.count, (int)MANIFEST_TOKENS_MOST);
    out->ids = list.id;
    out->count = list.count;
done:
    tokenizer_close(t);
    return status;
}

/* Each item's own text: here only how it will be read. */
static tare_status item_tokens(onnx_prompt *out, const manifest_part *p, tare_error *err)
{
    static const char *const idle[] = {"text", "tokens", NULL};
    tare_status status = TARE_OK;
    tokenizer *t = NULL;
    TRY(manifest_idle(p, idle, "prompt.mode is per-item: the text comes with each image", err));
    TRY(manifest_need(p, "tokenizer", "clip, bert or hf-json", err));
    TRY(manifest_need(p, "length", "how many ids the model takes", err));
    if (out->length < 2)
        MANIFEST_FAIL(p->r, manifest_get(p, "length"), "value", "prompt.length is %zu; with start "
                      "and end a prompt has at least 2 ids", out->length);
    TRY(open_tokenizer(&t, out, p, err));
done:
    tokenizer_close(t);
    return status;
}

/* Too many ids: the first ones and the last, which ends the text. */
static tare_status cut(onnx_prompt *out, const manifest_part *p, tare_error *err)
{
    tare_status status = TARE_OK;
    int64_t *ids;
    if (out->length == 0) out->length = out->count;
    if (out->count <= out->length) goto done;
    if (!out->truncate)
        MANIFEST_FAIL(p->r, manifest_get(p, "length"), "conflict", "prompt.length is %zu, and "
                      "there are %zu ids; allowed: at least as many, or truncate: true",
                      out->length, out->count);
    TRY_NEW(ids = arena_new(p->r->a, out->length, sizeof *ids));
    memcpy(ids, out->ids, out->length * sizeof *ids);
    ids[out->length - 1] = out->ids[out->count - 1];
    out->ids = ids;
    out->count = out->length;
done:
    return status;
}

static tare_status read_names(onnx_prompt *out, const manifest_part *p, tare_error *err)
{
    tare_status status = TARE_OK;
    TRY(manifest_need(p, "ids", "the name of the model's input for token ids", err));
    TRY(manifest_text(&out->ids_name, p, "ids", MANIFEST_LINE_MOST, err));
    TRY(manifest_text(&out->mask_name, p, "mask", MANIFEST_LINE_MOST, err));
    TRY(manifest_text(&out->positions_name, p, "positions", MANIFEST_LINE_MOST, err));
done:
    return status;
}

tare_status manifest_read_prompt(onnx_prompt *out, const manifest_reader *r, const json_value *v,
                                 tare_error *err)
{
    static const char *const keys[] = {"mode", "tokenizer", "vocabulary", "tokens", "text",
                                       "length", "pad", "truncate", "ids", "mask", "positions",
                                       NULL};
    static const char *const modes[] = {"none", "fixed", "per-item", NULL};
    static const manifest_bounds length = {1, MANIFEST_TOKENS_MOST, true,
                                           "a whole number from 1 to 4096"};
    tare_status status = TARE_OK;
    manifest_part p;
    int mode = ONNX_PROMPT_NONE;
    double most = 0, pad = 0;
    TRY(manifest_part_open(&p, r, v, "prompt", keys, err));
    TRY(manifest_need(&p, "mode", "none, fixed or per-item", err));
    TRY(manifest_word(&mode, &p, "mode", modes, err));
    out->mode = (onnx_prompt_mode)mode;
    if (out->mode == ONNX_PROMPT_NONE) {
        TRY(manifest_idle(&p, keys + 1, "prompt.mode is none", err));
        goto done;
    }
    TRY(manifest_number(&most, &p, "length", &length, err));
    TRY(manifest_number(&pad, &p, "pad", &token, err));
    TRY(manifest_bool(&out->truncate, &p, "truncate", err));
    out->length = (size_t)most;
    out->pad = (int64_t)pad;
    if (out->mode == ONNX_PROMPT_PER_ITEM) TRY(item_tokens(out, &p, err));
    else if (manifest_get(&p, "tokens")) TRY(literal_tokens(out, &p, err));
    else TRY(text_tokens(out, &p, err));
    TRY(cut(out, &p, err));
    TRY(read_names(out, &p, err));
done:
    return status;
}
