/* ort_parts.h - what the files of a session share: its inside, how calls of the library fail. */
#ifndef SCORER_ONNX_ORT_PARTS_H
#define SCORER_ONNX_ORT_PARTS_H

#include "scorer/onnx/model_weights.h"
#include "scorer/onnx/ort_library.h"
#include "scorer/onnx/ort_session.h"

struct ort_session {
    tare_context *context;
    arena a;
    ort_library library;
    OrtEnv *env;             /* counted inside the library: all sessions share one */
    OrtSession *session;
    OrtMemoryInfo *memory;
    OrtAllocator *allocator; /* borrowed from the library */
    double seconds;          /* limit of a call; 0: none */
    const char *provider;    /* "cpu", "cuda", "coreml" */
    const char *folder;      /* where the library opens the weights by itself; NULL: values */
    const bool *by_value;    /* of each weight, with a folder: given as a value all the same */
    model_file model;
    model_weights weights;
    const char *name;        /* of the model, for errors */
    ort_port *input, *output;
    size_t input_count, output_count;
    ort_facts facts;
};

/* NULL is TARE_OK. Else the library's words, and the status is released. */
tare_status ort_done(const ort_session *s, OrtStatus *result, tare_status kind, const char *code,
                     tare_error *err);
#define ORT_TRY(call, kind, code) TRY(ort_done(s, s->library.api.call, (kind), (code), err))

/* Elements of a shape and their bytes; false: negative, or more than fits. */
bool ort_shape_bytes(size_t *bytes, size_t rank, const int64_t *dim, size_t element);

/* A session without library and model yet. name: of the model. Errors: MEMORY. */
tare_status ort_session_begin(ort_session **out, tare_context *context, const char *name,
                              tare_error *err);
/* Opens the library and loads a model from memory, which must stay until the session is closed.
 * Weights that stand outside are in s->weights. The library is opened last, since what it prints at
 * its start belongs to its first session. Errors: DATA ("onnx.missing", "onnx.library",
 * "onnx.session", "onnx.model", "onnx.weights"), LIMIT ("onnx.model"), MEMORY. */
tare_status ort_session_load(ort_session *s, const char *library, const void *bytes, size_t length,
                             tare_error *err);

/* The provider of the session into the options; nothing for "cpu". Errors: USAGE ("onnx.provider":
 * what the library has). */
tare_status ort_provider_append(OrtSessionOptions *options, const ort_session *s,
                                tare_error *err);

/* A value of the library as doubles. Errors: DATA ("onnx.output"), MEMORY. */
tare_status ort_value_read(ort_output *out, const ort_session *s, OrtValue *value, const char *name,
                           tare_error *err);

#endif
