/* onnx_manifest_prompt.c - what text goes into the model, as token ids. Scorers 1.4, 7.
 *
 * Without a vocabulary the ids of one text are known; all others are given as ids. */
#include <string.h>

#include "scorer/onnx/onnx_manifest_parts.h"

static const manifest_bounds token = {0, 2147483647, true, "a whole number from 0 to 2147483647"};

typedef enum tokenizer_kind { BY_CLIP, BY_BERT, BY_FILE } tokenizer_kind;
static const char *const tokenizers[] = {"clip", "bert", "hf-json", NULL};

/* Scorers 7: start and end are among them. */
static const char known_text[] = "a photo";
static const int64_t clip_ids[] = {49406, 320, 1125, 49407};
static const int64_t bert_ids[] = {101, 1037, 6302, 102};
enum { KNOWN_IDS = 4 };

static tare_status literal_tokens(onnx_prompt *out, const manifest_part *p, tare_error *err)
{
    static const char *const idle[] = {"text", "tokenizer", NULL};
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

static tare_status known_tokens(onnx_prompt *out, const manifest_part *p, tare_error *err)
{
    tare_status status = TARE_OK;
    int which = 0;
    if (!manifest_get(p, "tokenizer"))
        MANIFEST_FAIL(p->r, p->v, "missing", "a fixed prompt needs prompt.tokens, a list of token "
                      "ids, or prompt.tokenizer, clip or bert, whose ids of \"%s\" are built in",
                      known_text);
    TRY(manifest_word(&which, p, "tokenizer", tokenizers, err));
    out->tokenizer = tokenizers[which];
    out->text = known_text;
    TRY(manifest_text(&out->text, p, "text", MANIFEST_LINE_MOST, err));
    if (which == BY_FILE)
        MANIFEST_FAIL(p->r, manifest_get(p, "tokenizer"), "prompt", "prompt.tokenizer: hf-json "
                      "needs a vocabulary file, and none are read so far; give the ids as "
                      "prompt.tokens: [...]");
    if (strcmp(out->text, known_text) != 0)
        MANIFEST_FAIL(p->r, manifest_get(p, "text"), "prompt", "prompt.text: without a vocabulary "
                      "the only text whose ids are known is \"%s\"; give the ids of another one as "
                      "prompt.tokens: [...], and no tokenizer", known_text);
    out->ids = which == BY_CLIP ? clip_ids : bert_ids;
    out->count = KNOWN_IDS;
done:
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
    static const char *const keys[] = {"mode", "tokenizer", "tokens", "text", "length", "pad",
                                       "truncate", "ids", "mask", "positions", NULL};
    static const char *const modes[] = {"none", "fixed", "per-item", NULL};
    static const manifest_bounds length = {1, MANIFEST_TOKENS_MOST, true,
                                           "a whole number from 1 to 4096"};
    tare_status status = TARE_OK;
    manifest_part p;
    int mode = ONNX_PROMPT_NONE;
    double most = 0, pad = 0;
    TRY(manifest_part_open(&p, r, v, "prompt", keys, err));
    TRY(manifest_need(&p, "mode", "none or fixed", err));
    TRY(manifest_word(&mode, &p, "mode", modes, err));
    out->mode = (onnx_prompt_mode)mode;
    if (out->mode == ONNX_PROMPT_PER_ITEM)
        MANIFEST_FAIL(r, manifest_get(&p, "mode"), "prompt", "prompt.mode per-item needs a "
                      "tokeniser with its vocabulary, and none are read so far; allowed: none, "
                      "fixed. A program of yours (exec:) can take a prompt with each image");
    if (out->mode == ONNX_PROMPT_NONE) {
        TRY(manifest_idle(&p, keys + 1, "prompt.mode is none", err));
        goto done;
    }
    TRY(manifest_number(&most, &p, "length", &length, err));
    TRY(manifest_number(&pad, &p, "pad", &token, err));
    TRY(manifest_bool(&out->truncate, &p, "truncate", err));
    out->length = (size_t)most;
    out->pad = (int64_t)pad;
    if (manifest_get(&p, "tokens")) TRY(literal_tokens(out, &p, err));
    else TRY(known_tokens(out, &p, err));
    TRY(cut(out, &p, err));
    TRY(read_names(out, &p, err));
done:
    return status;
}
