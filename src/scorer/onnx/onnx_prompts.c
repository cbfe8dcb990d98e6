#include "scorer/onnx/onnx_prompts.h"

#include <string.h>

#include "base/error.h"
#include "base/json.h"

/* The ids of one prompt, cut if the manifest allows it. */
static tare_status ids_of(token_list *out, arena *a, const onnx_prompts *p, const char *prompt,
                          tare_error *err)
{
    tare_status status = TARE_OK;
    const onnx_prompt *m = &p->model->manifest.prompt;
    TRY(tokenizer_run(out, a, p->tokens, prompt, m->length, err));
    if (out->whole > m->length && !m->truncate)
        FAIL(err, TARE_E_DATA, "prompt.length", p->model->manifest.path, "the prompt has %zu ids, "
             "and the model takes %zu: shorten it, or write truncate: true", out->whole,
             m->length);
done:
    return status;
}

static tokenizer_kind kind_of(const onnx_prompt *m)
{
    if (!strcmp(m->tokenizer, "clip")) return TOKENIZER_CLIP;
    return !strcmp(m->tokenizer, "bert") ? TOKENIZER_BERT : TOKENIZER_BY_FILE;
}

tare_status onnx_prompts_open(onnx_prompts *out, const onnx_model *model, const char *neutral,
                              tare_error *err)
{
    tare_status status = TARE_OK;
    const onnx_prompt *m = &model->manifest.prompt;
    token_list list;
    arena a;
    arena_init(&a, &model->context->mem);
    *out = (onnx_prompts){.model = model, .neutral = neutral};
    if (m->mode != ONNX_PROMPT_PER_ITEM) goto done;
    TRY(tokenizer_open(&out->tokens, model->context, kind_of(m), m->vocabulary, err));
    if (strcmp(tokenizer_hash(out->tokens), m->vocabulary_hash) != 0)
        FAIL(err, TARE_E_DATA, "vocabulary.changed", m->vocabulary,
             "the vocabulary was changed while it was read");
    TRY(ids_of(&list, &a, out, neutral, err));
done:
    if (status != TARE_OK) onnx_prompts_close(out);
    arena_free(&a);
    return status;
}

void onnx_prompts_close(onnx_prompts *p)
{
    tokenizer_close(p->tokens);
    p->tokens = NULL;
}

/* [batch][length] of the type that the graph has; NULL data: the manifest names no such input. */
static tare_status add_tensor(onnx_prompt_rows *out, arena *a, const onnx_model *x,
                              const char *name, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t length = x->manifest.prompt.length;
    const ort_port *port = name ? onnx_model_input(x, name) : NULL;
    void *data;
    if (!port) goto done;
    TRY_NEW(data = arena_new(a, x->batch * length, ort_type_size(port->type)));
    out->tensor[out->count++] = (ort_tensor){
        .name = name, .type = port->type, .rank = 2, .data = data,
        .dim = {(int64_t)x->batch, (int64_t)length}};
done:
    return status;
}

static void put(const ort_tensor *t, size_t at, int64_t value)
{
    /* of our own arena: `data` is const for the library */
    if (t->type == ORT_I32) ((int32_t *)(uintptr_t)t->data)[at] = (int32_t)value;
    else ((int64_t *)(uintptr_t)t->data)[at] = value;
}

static void fill_row(onnx_prompt_rows *out, const onnx_prompt *m, size_t row,
                     const token_list *list)
{
    for (size_t k = 0; k < out->count; k++) {
        const ort_tensor *t = &out->tensor[k];
        for (size_t i = 0; i < m->length; i++) {
            int64_t value = (int64_t)i; /* a position */
            if (t->name == m->ids_name) value = i < list->count ? list->id[i] : m->pad;
            else if (t->name == m->mask_name) value = i < list->count;
            put(t, row * m->length + i, value);
        }
    }
}

/* One item's prompt, or what its result says instead. */
static tare_status item_ids(token_list *out, arena *a, const onnx_prompts *p, const char *prompt,
                            scorer_result *r, tare_error *err)
{
    tare_error why = {TARE_OK, "", "", ""};
    tare_status status = ids_of(out, a, p, prompt, r ? &why : err);
    if (status != TARE_OK && r && status != TARE_E_MEMORY) {
        *out = (token_list){0};
        scorer_result_fail(r, TARE_R_SCORER_ERROR, "%s", why.message);
        return TARE_OK;
    }
    if (status == TARE_E_MEMORY) return error_memory(err);
    if (status == TARE_OK && r && out->whole > out->count)
        scorer_result_note(r, "the prompt was cut from %zu ids to %zu", out->whole, out->count);
    return status;
}

tare_status onnx_prompts_rows(onnx_prompt_rows *out, arena *a, const onnx_prompts *p,
                              scorer_result *results, const scorer_item *items, size_t n,
                              tare_error *err)
{
    tare_status status = TARE_OK;
    const onnx_model *x = p->model;
    const onnx_prompt *m = &x->manifest.prompt;
    token_list list = {0};
    *out = (onnx_prompt_rows){.count = 0};
    if (!p->tokens) goto done;
    TRY(add_tensor(out, a, x, m->ids_name, err));
    TRY(add_tensor(out, a, x, m->mask_name, err));
    TRY(add_tensor(out, a, x, m->positions_name, err));
    for (size_t row = 0; row < x->batch; row++) {
        const char *own = items && row < n ? items[row].prompt : NULL;
        bool usable = !results || row >= n || results[row].status == TARE_R_NONE;
        if (usable && (row == 0 || (items && row < n)))
            TRY(item_ids(&list, a, p, own && *own ? own : p->neutral,
                         results && row < n ? &results[row] : NULL, err));
        fill_row(out, m, row, &list);
    }
done:
    return status;
}

tare_status onnx_prompts_ids(token_list *out, arena *a, const onnx_prompts *p, const char *prompt,
                             tare_error *err)
{
    return ids_of(out, a, p, prompt && *prompt ? prompt : p->neutral, err);
}

const char *onnx_prompts_identity(const onnx_prompts *p, arena *a)
{
    token_list list;
    text t;
    json_writer w;
    if (ids_of(&list, a, p, p->neutral, NULL) != TARE_OK) return NULL;
    text_init(&t, a->m);
    json_begin(&w, &t, 0);
    json_array(&w);
    for (size_t i = 0; i < list.count; i++) json_integer(&w, list.id[i]);
    json_array_end(&w);
    const char *json = t.failed ? NULL : arena_text(a, t.data, t.length);
    text_free(&t);
    return json;
}
