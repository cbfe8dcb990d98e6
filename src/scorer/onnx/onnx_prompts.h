/* onnx_prompts.h - prompts that come with the images: rows of ids, mask and positions. Scorers 1.4,
 * 7. */
#ifndef SCORER_ONNX_ONNX_PROMPTS_H
#define SCORER_ONNX_ONNX_PROMPTS_H

#include "scorer/onnx/onnx_model.h"
#include "scorer/token/tokens.h"

/* The tokeniser of a model with prompt.mode per-item, and the prompt of items that bring none. */
typedef struct onnx_prompts {
    const onnx_model *model;
    tokenizer *tokens;   /* NULL: the model takes no such prompts */
    const char *neutral;
} onnx_prompts;

/* After onnx_model_load; nothing is to be done for other models. A neutral prompt that cannot be
 * used is an error now: DATA ("prompt.*", "vocabulary.*"), IO, MEMORY. */
tare_status onnx_prompts_open(onnx_prompts *out, const onnx_model *model, const char *neutral,
                              tare_error *err);
void onnx_prompts_close(onnx_prompts *p);

/* Rows of one call, in the arena: of each item its prompt; the last is repeated up to the model's
 * batch; items NULL: the neutral prompt throughout. *count 0 where the model takes no such prompts.
 * A prompt that cannot be used fails its item in `results` (NULL: it is an error); one that was cut
 * gets a note. Thread-safe. */
typedef struct onnx_prompt_rows {
    ort_tensor tensor[ONNX_PROMPT_INPUTS];
    size_t count;
} onnx_prompt_rows;
tare_status onnx_prompts_rows(onnx_prompt_rows *out, arena *a, const onnx_prompts *p,
                              scorer_result *results, const scorer_item *items, size_t n,
                              tare_error *err);
/* The ids of one prompt ("" or NULL: the neutral one). Errors: DATA, LIMIT ("prompt.*"), MEMORY. */
tare_status onnx_prompts_ids(token_list *out, arena *a, const onnx_prompts *p, const char *prompt,
                             tare_error *err);
/* Canonical JSON of the neutral prompt's ids; NULL: no memory, or it cannot be used. */
const char *onnx_prompts_identity(const onnx_prompts *p, arena *a);

#endif
