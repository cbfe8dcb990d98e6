/* model_write.h - writes an ONNX model: the few protobuf fields that a graph needs. Scorers 4.3.
 *
 * IR version 8, operator set 17. Append ports, nodes and tensors in any order; nodes in the order
 * of computation. Attributes belong to the node before them. The writer remembers failure: ask
 * once, at the end. */
#ifndef SCORER_ONNX_MODEL_WRITE_H
#define SCORER_ONNX_MODEL_WRITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"
#include "base/text.h"

typedef struct model_writer {
    text graph, node; /* node: the last one, not yet in the graph */
    bool node_open;
} model_writer;

/* An initialiser. Its bytes stand in the model, or in the file `location` (relative to the model's
 * folder) from `offset` on. type: ONNX's number, as ort_type; little endian. */
typedef struct model_tensor {
    const char *name;
    int type;
    size_t rank;
    const int64_t *dim;
    const void *bytes;
    size_t length;
    const char *location; /* NULL: in the model. Else `bytes` is not read; a length 0 is left out */
    uint64_t offset;
} model_tensor;

void model_write_begin(model_writer *w, const mem *m);
void model_write_free(model_writer *w);
/* dim -1: symbolic, "N" if it is the first */
void model_write_input(model_writer *w, const char *name, int type, size_t rank,
                       const int64_t *dim);
void model_write_output(model_writer *w, const char *name, int type, size_t rank,
                        const int64_t *dim);
void model_write_tensor(model_writer *w, const model_tensor *t);
/* Names are separated by one space; two spaces: an input left out. */
void model_write_node(model_writer *w, const char *operator, const char *inputs,
                      const char *outputs);
void model_write_int(model_writer *w, const char *name, int64_t value);
void model_write_float(model_writer *w, const char *name, float value);
void model_write_ints(model_writer *w, const char *name, const int64_t *values, size_t count);
void model_write_body(model_writer *w, const char *name, model_writer *body); /* a sub-graph */
/* An attribute that is a tensor: `value` of Constant and ConstantOfShape. */
void model_write_value(model_writer *w, const char *name, const model_tensor *t);
/* The model, to be released with mem_free; NULL: out of memory. Ends the writer. */
char *model_write_end(model_writer *w, size_t *length);

#endif
