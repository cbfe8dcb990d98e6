/* model_used.h - which weights outside a graph uses. The library refuses to be given others. */
#ifndef SCORER_ONNX_MODEL_USED_H
#define SCORER_ONNX_MODEL_USED_H

#include <stddef.h>

#include "scorer/onnx/model_externals.h"

/* Keeps only those that are an input of a node, in sub-graphs too, or an output of a graph. The
 * bytes are those that `x` was read from. Errors: MEMORY. */
tare_status model_used_only(model_externals *x, const mem *m, const void *bytes, size_t length,
                            tare_error *err);

#endif
