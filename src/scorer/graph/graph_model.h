/* graph_model.h - an ONNX graph of ours over the weights of a checkpoint. Scorers 4.3, 4.4.
 *
 * The graph stands in memory (some 100 kB); its large weights stay where they lie in the file
 * and are handed to the library as values, or by file and offset. Ends at the un-normalised
 * vector: norms, cosines, heads and constants are computed in double by whoever asks. */
#ifndef SCORER_GRAPH_GRAPH_MODEL_H
#define SCORER_GRAPH_GRAPH_MODEL_H

#include "scorer/checkpoint/checkpoint.h"
#include "scorer/onnx/model_externals.h"

/* Names of the ports of our graphs. Image: f32 [batch,3,side,side] or [batch,side,side,3].
 * Text: ids i64 [1,n], positions i64 [n], mask f32 [1,1,n,n] (added before the softmax: 0 or -1e9),
 * last i64 [1] (row that is read); n is symbolic. BERT: tokens f32 [1,t,width] of the image beside
 * ids, positions. Output "vector": [batch,E] (all tokens: [batch,T,D]). */
#define GRAPH_IMAGE "image"
#define GRAPH_IDS "ids"
#define GRAPH_POSITIONS "positions"
#define GRAPH_MASK "mask"
#define GRAPH_LAST "last"
#define GRAPH_TOKENS "tokens"
#define GRAPH_VECTOR "vector"

typedef struct graph_model {
    const char *bytes;          /* the model, in the arena                                 */
    size_t length;
    model_externals externals;  /* location: base name of the checkpoint file that holds it */
    const void **data;          /* of each: its bytes, aligned to its elements             */
    bool *converted;            /* of each: in memory of ours, not in the file (a copy that was
                                   needed for strides, alignment, quantisation). Its location is
                                   "converted", its offset such that all would fit in one file */
} graph_model;

typedef enum graph_layout { GRAPH_OPENAI, GRAPH_HF, GRAPH_BLIP } graph_layout;
typedef enum graph_activation { GRAPH_QUICK_GELU, GRAPH_GELU } graph_activation;

/* What a recipe says and what the dims say. `prefix` goes before every name of the layout, which
 * are those of graph_names.c: BLIP's begin with "visual_encoder." and "text_encoder.". */
typedef struct tower_plan {
    graph_layout layout;
    const char *prefix;         /* "", "module.", "blip." as the file has it               */
    graph_activation activation;
    double eps;
    int heads;                  /* from the recipe, never from the width                   */
    /* read from the dims by graph_plan_vision and graph_plan_text */
    int width, layers, mlp, embedding; /* embedding: of the projection; 0: none            */
    int patch, side, tokens;    /* vision; tokens: with the class token                    */
    int vocabulary, context;    /* text                                                    */
    int cross_width;            /* BERT: width of the image tokens                         */
} tower_plan;

/* Fill the lower half of the plan. Errors: DATA ("checkpoint.missing": the tensor's name and dims
 * that were looked for; "checkpoint.shape": tensor, dims found, dims wanted and why;
 * "checkpoint.heads": width not divisible; "checkpoint.layout": it has no such tower). */
tare_status graph_plan_vision(tower_plan *p, const checkpoint *c, tare_error *err);
tare_status graph_plan_text(tower_plan *p, const checkpoint *c, tare_error *err);
tare_status graph_plan_bert(tower_plan *p, const checkpoint *c, tare_error *err);

/* The graphs. `batch` images of a call, static. BLIP keeps all tokens and its final norm. `nan`
 * weights are not looked for here. Errors: DATA (as above; "checkpoint.type"), MEMORY. */
tare_status graph_vision(graph_model *out, arena *a, const checkpoint *c, const tower_plan *p,
                         size_t batch, tare_error *err);
tare_status graph_text(graph_model *out, arena *a, const checkpoint *c, const tower_plan *p,
                       tare_error *err);
/* Row 0 of the last layer, f32 [1,width]. */
tare_status graph_bert(graph_model *out, arena *a, const checkpoint *c, const tower_plan *p,
                       tare_error *err);
/* Names that a plan takes, for matching: calls `visit` once a tensor with the dims that it must
 * have. The same walk is what the graphs read, so that the two cannot differ. */
typedef tare_status (*graph_need)(void *arg, const char *name, size_t rank, const int64_t *dim,
                                  tare_error *err);
tare_status graph_vision_needs(const tower_plan *p, graph_need visit, void *arg, tare_error *err);
tare_status graph_text_needs(const tower_plan *p, graph_need visit, void *arg, tare_error *err);
tare_status graph_bert_needs(const tower_plan *p, graph_need visit, void *arg, tare_error *err);

/* Linear layers, at least one, without activation between them (LAION V2, ImageReward), folded to
 * vector . x + bias, in double. names: "layers.0" ...: those with .weight and .bias; a bare
 * "weight"/"bias" is the name "". Errors: DATA (as above; "checkpoint.nan"), MEMORY. */
typedef struct affine_head { double *vector, bias; size_t length; } affine_head;
tare_status affine_head_fold(affine_head *out, arena *a, const checkpoint *c, const char *prefix,
                             const char *const *layers, size_t count, tare_error *err);
/* With ReLU between (ava+logos ... reluMSE): evaluated layer by layer in double. */
typedef struct relu_head { double **weight, **bias; size_t *width, count; } relu_head;
tare_status relu_head_read(relu_head *out, arena *a, const checkpoint *c, const char *prefix,
                           const char *const *layers, size_t count, tare_error *err);
double affine_head_value(const affine_head *h, const double *x);
/* Errors: MEMORY. */
tare_status relu_head_value(double *out, const relu_head *h, const mem *m, const double *x,
                            tare_error *err);

#endif
