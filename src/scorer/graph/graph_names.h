/* graph_names.h - the tensors of the towers: names and dims, a table for each layout. Scorers 3.2.
 *
 * Plans read sizes out of these tables, matching and graphs ask for tensors through them. */
#ifndef SCORER_GRAPH_GRAPH_NAMES_H
#define SCORER_GRAPH_GRAPH_NAMES_H

#include "scorer/graph/graph_model.h"

/* What a weight does, whatever it is called. */
typedef enum graph_part {
    PART_PATCH, PART_CLASS, PART_POSITION, PART_TOKEN, PART_NORM_BEFORE, PART_NORM_AFTER,
    PART_PROJECTION,
    /* in each layer */
    PART_NORM_1, PART_QKV, PART_Q, PART_K, PART_V, PART_OUT, PART_NORM_2, PART_UP, PART_DOWN,
    PART_CROSS_Q, PART_CROSS_K, PART_CROSS_V, PART_CROSS_OUT, PART_CROSS_NORM, PART_NORM_3
} graph_part;

/* Dims are letters: D width, Q three times the width, M of the MLP, E of the embedding, T tokens,
 * V vocabulary, C context, P patch, X width of the image tokens; digits stand for themselves. */
typedef struct graph_name {
    graph_part part;
    const char *weight, *dims;
    const char *bias; /* NULL: none. Its length is the weight's first dim */
} graph_name;

typedef struct tower_names {
    const char *what;        /* "vision tower", for errors                    */
    const graph_name *once;
    size_t once_count;
    const char *block;       /* "visual.transformer.resblocks.": layer N is N. below it */
    const graph_name *each;
    size_t each_count;
} tower_names;

/* NULL: the layout has no such tower. */
const tower_names *names_vision(graph_layout layout);
const tower_names *names_text(graph_layout layout);
const tower_names *names_bert(graph_layout layout);

/* NULL: the tower has no such part. */
const graph_name *names_part(const tower_names *t, graph_part part);

enum { TENSOR_NAME_MOST = 512 };
/* One tensor of the walk: its name as the file has it, and the letters of its dims. */
typedef struct names_tensor {
    char name[TENSOR_NAME_MOST];
    const char *dims;
    size_t rank; /* letters that count */
} names_tensor;
typedef tare_status (*names_visit)(void *arg, const names_tensor *t, tare_error *err);
/* All tensors of a tower with `layers` layers, in the order of the tables. */
tare_status names_walk(const tower_names *t, const char *prefix, int layers, names_visit visit,
                       void *arg, tare_error *err);
/* layer < 0: a part that is there once. Cut to fit. */
void names_full(char out[TENSOR_NAME_MOST], const tower_names *t, const char *prefix, int layer,
                const char *name);

/* What a letter stands for in the plan. */
int64_t names_dim(const tower_plan *p, char letter);

/* Errors of a tensor that is absent or has other dims. `why` may be "". */
tare_status names_missing(const checkpoint *c, const char *name, size_t rank, const int64_t *dim,
                          const char *why, tare_error *err);
tare_status names_misshaped(const checkpoint *c, const checkpoint_tensor *t, size_t rank,
                            const int64_t *dim, const char *why, tare_error *err);
/* Are all tensors of the plan there, with these dims, as floats? Errors: DATA. */
tare_status names_check(const tower_names *t, const tower_plan *p, const checkpoint *c,
                        tare_error *err);
/* Do the heads divide the width? Errors: DATA. */
tare_status names_heads(const tower_plan *p, const checkpoint *c, tare_error *err);

#endif
