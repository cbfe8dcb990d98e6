/* head_layers.h - the linear layers of a head as they lie in a checkpoint, in double. */
#ifndef SCORER_GRAPH_HEAD_LAYERS_H
#define SCORER_GRAPH_HEAD_LAYERS_H

#include "scorer/graph/graph_model.h"

/* weight[k] is [width[k + 1],width[k]] */
typedef struct head_layers {
    double **weight, **bias;
    size_t *width, count;
} head_layers;

/* names, `prefix`: as affine_head_fold. The last layer has one output. In the arena. */
tare_status head_layers_read(head_layers *out, arena *a, const checkpoint *c, const char *prefix,
                             const char *const *layers, size_t count, tare_error *err);

#endif
