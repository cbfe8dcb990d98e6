/* model_externals.h - which weights of a model stand in other files. Scorers 4.3, 4.4. */
#ifndef SCORER_ONNX_MODEL_EXTERNALS_H
#define SCORER_ONNX_MODEL_EXTERNALS_H

#include <stdint.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "tare.h"

enum { MODEL_RANK_MOST = 16 };

/* An initialiser of the top graph with data_location 1. */
typedef struct model_external {
    const char *name, *location; /* relative to the model's folder, without ".." */
    int type;                    /* ONNX's number */
    size_t rank;
    int64_t dim[MODEL_RANK_MOST];
    uint64_t offset, bytes;      /* bytes: what type and dimensions need */
} model_external;

typedef struct model_externals {
    model_external *item;
    size_t count;
} model_externals;

/* Bytes of a name that a message shows. */
static inline int model_name_shown(const char *name)
{
    return (int)utf8_valid_prefix(name, strnlen(name, 60));
}

/* Reads the model once over, without the weights in it. path: for errors. Errors: DATA
 * ("onnx.model": no ONNX model, damaged, or with weights outside where tare cannot give them to the
 * library: in sub-graphs, sparse, in a folder above), LIMIT ("onnx.model"), MEMORY. */
tare_status model_externals_read(model_externals *out, arena *a, const char *path,
                                 const void *bytes, size_t length, tare_error *err);

#endif
