/* mobilenet.h - MobileNetV2 as TF.js layers models hold it (nsfwjs 4.3.0). Scorers 4.3.
 *
 * The layers are read from the model's own topology (checkpoint.document): names, strides, padding,
 * batch norms with their epsilon; weights are quantised bytes with minimum and scale. */
#ifndef SCORER_GRAPH_MOBILENET_H
#define SCORER_GRAPH_MOBILENET_H

#include "scorer/graph/graph_model.h"

/* Image [batch,side,side,3] as the model was trained; "vector": [batch,classes] probabilities.
 * *side, *classes from the topology. Errors: DATA ("tfjs.layer": a layer or setting that is not
 * known, by its name; as graph_vision), MEMORY. */
tare_status graph_mobilenet(graph_model *out, int *side, int *classes, arena *a,
                            const checkpoint *c, size_t batch, tare_error *err);

#endif
