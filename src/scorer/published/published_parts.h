/* published_parts.h - what the files of the published back ends share. Private to published*.c. */
#ifndef SCORER_PUBLISHED_PUBLISHED_PARTS_H
#define SCORER_PUBLISHED_PUBLISHED_PARTS_H

#include "scorer/onnx/onnx_tower.h"
#include "scorer/published/published.h"
#include "scorer/token/tokens.h"

/* A checkpoint on the shelf: the towers of several scorers stand on one mapping. */
typedef struct published_file {
    checkpoint *c;
    bool settled;
    const char *json; /* canonical, of its files: [{"bytes":n,"sha256":".."},...] */
} published_file;

typedef struct published_text published_text;
typedef struct published_bert published_bert;

typedef struct published {
    tare_context *context;
    arena a;
    recipe r;
    published_words words;
    scorer_options options;      /* strings in the arena                                  */
    scorer_shelf *shelf, *own_shelf;
    published_file *backbone;
    recipe_match match;          /* of the backbone                                       */
    const char *head_json;       /* of the head's file; "[]"                              */
    bool head_known;             /* of a known release, or in the backbone                */
    onnx_tower *tower;
    size_t length;               /* numbers of the tower's vector                         */
    tokenizer *tokens;
    published_text *text;        /* cosine                                                */
    published_bert *bert;
    affine_head affine;
    relu_head relu;              /* count > 0: in place of `affine`                       */
    double scale;                /* of the cosine                                         */
} published;

/* ---- Weights (published_weights.c) ----------------------------------------------------------- */

/* The backbone, found, opened or taken from the shelf, and matched; the head, folded. Errors: as
 * recipe_find_file, checkpoint_open, recipe_match_error, affine_head_fold. */
tare_status published_weights_open(published *s, tare_error *err);
/* After towers were loaded: the file is still what was hashed. Errors: DATA ("onnx.changed"),
 * IO. */
tare_status published_weights_settle(published_file *f, tare_error *err);
/* How a session over the backbone is opened. */
tare_status published_how(ort_graph *how, const published *s, arena *a, tare_error *err);
/* Writes a graph to --dump-graph's folder, if there is one. Errors: IO, MEMORY. */
tare_status published_dump(const published *s, const char *what, const graph_model *g,
                           tare_error *err);
/* The first weight that is not finite, as an error of DATA ("checkpoint.nan"); TARE_OK: none. */
tare_status published_weights_finite(const published *s, tare_error *err);

/* ---- Towers (published_tower.c, published_text.c, published_bert.c) -------------------------- */

tare_status published_tower_open(published *s, tare_error *err);

/* Vectors of prompts. The session of the text tower is closed after the run's own prompt and opened
 * again when an item has another. Thread-safe. Errors: DATA ("prompt.*"), as ort_session_run. */
tare_status published_text_open(published_text **out, published *s, tare_error *err);
void published_text_close(published_text *t); /* NULL ok */
/* Lives as long as `t`. */
tare_status published_text_vector(const float **out, published_text *t, const char *prompt,
                                  tare_error *err);

/* The text that sees the image. vector: the tower's, tokens x width. out[width]. Thread-safe. */
tare_status published_bert_open(published_bert **out, published *s, tare_error *err);
void published_bert_close(published_bert *b); /* NULL ok */
tare_status published_bert_row(double *out, published_bert *b, const float *vector,
                               const char *prompt, tare_error *err);

/* ---- Prompts (published_prompt.c) ------------------------------------------------------------ */

/* The words that are asked: the item's, else the run's, else the recipe's. */
const char *published_prompt(const published *s, const char *of_item);
/* To ids, after the recipe's words before it. Errors: as tokenizer_run. */
tare_status published_ids(token_list *out, arena *a, const published *s, const char *prompt,
                          tare_error *err);
/* The vocabulary, where one is to be had; what is built in where none is. */
tare_status published_tokens_open(published *s, tare_error *err);
/* Says ids, their number and whether they were cut, once a run. */
tare_status published_say_prompt(const published *s, tare_error *err);
/* Canonical JSON of the run's prompt; "null" for those that take none. NULL: out of memory. */
const char *published_prompt_json(const published *s, arena *a);

/* ---- Score (published_score.c) --------------------------------------------------------------- */

/* One vector to the raw score, in double; the result says why where there is none. Errors: STOPPED,
 * MEMORY. */
tare_status published_score_one(scorer_result *r, published *s, const float *vector,
                                const char *prompt, tare_error *err);

#endif
