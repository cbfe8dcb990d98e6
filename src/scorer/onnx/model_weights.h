/* model_weights.h - the weights that a model keeps in files beside it, mapped. Scorers 4.4.
 *
 * Each file is mapped and hashed once. Links are followed, as hubs make them; what a model may name
 * is checked by model_externals.h. */
#ifndef SCORER_ONNX_MODEL_WEIGHTS_H
#define SCORER_ONNX_MODEL_WEIGHTS_H

#include "scorer/onnx/model_externals.h"
#include "scorer/onnx/model_file.h"

typedef struct model_weights {
    model_externals externals;
    const void **data; /* of each: its bytes, aligned to its elements */
    model_file *file;
    size_t file_count;
    const char *json;  /* [{"bytes":n,"file":"..","sha256":".."},...] by name, "[]" if none */
} model_weights;

/* Everything but the mappings lies in the arena. Errors: those of model_externals_read and
 * model_file_open; DATA ("onnx.weights": a weight runs past the end of its file). */
tare_status model_weights_open(model_weights *w, arena *a, tare_context *c, const model_file *model,
                               tare_error *err);
tare_status model_weights_settle(model_weights *w, tare_error *err); /* as model_file_settle */
void model_weights_close(model_weights *w); /* all zeros, or closed: nothing */

#endif
