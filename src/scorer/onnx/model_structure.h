/* model_structure.h - a hash of what a graph computes, wherever its weights lie. Scorers 1.2. */
#ifndef SCORER_ONNX_MODEL_STRUCTURE_H
#define SCORER_ONNX_MODEL_STRUCTURE_H

#include "base/hash.h"

/* SHA-256 of the model's fields but for the places (file, offset, length) of weights outside.
 * False: the bytes are no model. */
bool model_structure_hash(char out[SHA256_HEX], const void *bytes, size_t length);

#endif
