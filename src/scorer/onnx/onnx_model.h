/* onnx_model.h - a manifest and the session of its model: tensors in, an output out. */
#ifndef SCORER_ONNX_ONNX_MODEL_H
#define SCORER_ONNX_ONNX_MODEL_H

#include <stdatomic.h>

#include "base/context.h"
#include "scorer/onnx/onnx_manifest.h"
#include "scorer/scorer.h"

enum { ONNX_PROMPT_INPUTS = 3 };

typedef struct onnx_model {
    tare_context *context;
    arena a;
    onnx_manifest manifest;
    ort_session *session;
    size_t batch;           /* images of one call: the manifest's, or the option's */
    ort_tensor constant[ONNX_PROMPT_INPUTS]; /* the prompt's, the same for each image */
    size_t constants;
    atomic_size_t runs;     /* calls so far */
} onnx_model;

/* What the manifest's output has to be. */
typedef enum onnx_role { ONNX_SCORER, ONNX_TOWER, ONNX_SEGMENTER } onnx_role;

/* Reads the manifest; the model is not opened yet. onnx_model_close in any case. Errors: as
 * onnx_manifest_read. */
tare_status onnx_model_read(onnx_model *x, tare_context *context, const char *path,
                            tare_error *err);
/* Opens the model and checks the graph. A graph whose batch is fixed keeps it: another one in the
 * options is said to have no effect. Errors: as ort_session_open and onnx_manifest_fits; DATA
 * ("onnx.role": a map, output.map, is what a segmenter needs and nobody else can use). */
tare_status onnx_model_load(onnx_model *x, const scorer_options *options, onnx_role role,
                            tare_error *err);
/* Instead of read and load: a model that somebody else makes. Begin it; fill in the manifest: name,
 * path (for errors; NULL: the name), input, kind, image or vector, output, operations that leave
 * one number for each image or none, and the identity. Then adopt it with the session, which is
 * the model's if that goes well. batch: of the graph. onnx_model_close in any case. Errors: as
 * onnx_manifest_fits, MEMORY. */
void onnx_model_begin(onnx_model *x, tare_context *context);
tare_status onnx_model_adopt(onnx_model *x, const scorer_options *options, ort_session *session,
                             size_t batch, tare_error *err);
void onnx_model_close(onnx_model *x);

/* Bytes of what one image gives to the model's own input: a tensor of pixels, or a vector. */
size_t onnx_model_bytes(const onnx_model *x);
/* data[batch * bytes]. Thread-safe. Errors: as ort_session_run. */
tare_status onnx_model_run(ort_output *out, onnx_model *x, const void *data, tare_error *err);
/* The same with the tensors of prompts that came with the images (at most ONNX_PROMPT_INPUTS). */
tare_status onnx_model_run_with(ort_output *out, onnx_model *x, const void *data,
                                const ort_tensor *prompts, size_t count, tare_error *err);
/* What the graph says of an input; a port without a name if it has none so called. */
const ort_port *onnx_model_input(const onnx_model *x, const char *name);

/* A picture of the model's own size, dim and smooth, as a trial after opening. Errors: MEMORY. */
tare_status onnx_trial_image(image *out, const mem *m, const onnx_image_input *in,
                             tare_error *err);

/* Canonical JSON in the arena: what is computed from the model's own input on, and what may move
 * low bits. NULL: out of memory. */
const char *onnx_model_identity(const onnx_model *x, arena *a);
const char *onnx_model_engine(const onnx_model *x, arena *a);

#endif
