/* ort_session.h - a model in ONNX Runtime, which is opened at run time. Scorers 2.
 *
 * One session, asked from several threads at once, one thread inside each call. The model file is
 * opened and mapped once; the bytes that are hashed are the bytes that are used. Weights that the
 * model keeps in files beside it are mapped and hashed too and given to the library as values, so
 * that links and absolute paths work with every version of it. */
#ifndef SCORER_ONNX_ORT_SESSION_H
#define SCORER_ONNX_ORT_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/context.h"
#include "scorer/onnx/model_file.h"
#include "tare.h"

enum { ORT_RANK_MOST = 8, ORT_PORTS_MOST = 64 };

/* Element types, by ONNX's own numbers. */
typedef enum ort_type {
    ORT_F32 = 1, ORT_U8 = 2, ORT_I32 = 6, ORT_I64 = 7, ORT_BOOL = 9, ORT_F16 = 10, ORT_F64 = 11
} ort_type;
const char *ort_type_name(ort_type type); /* "f32"; "type 3" has no name: "other" */
size_t ort_type_size(ort_type type);      /* bytes; 0: not one of these */

/* An input or output of the graph as the library describes it. */
typedef struct ort_port {
    const char *name;
    ort_type type;
    size_t rank;
    int64_t dim[ORT_RANK_MOST]; /* -1: symbolic */
} ort_port;

/* Our buffer, read by the library while it runs. */
typedef struct ort_tensor {
    const char *name;
    ort_type type;
    size_t rank;
    int64_t dim[ORT_RANK_MOST];
    const void *data;
} ort_tensor;

/* An output as doubles; `value` is released with mem_free. */
typedef struct ort_output {
    size_t rank, count;
    int64_t dim[ORT_RANK_MOST];
    double *value;
} ort_output;

typedef struct ort_open {
    const char *library; /* file that --ort names; NULL: look for it (scorers 2.1) */
    const char *model;   /* path                                                   */
    const char *sha256;  /* 64 hex digits that it must have; NULL or "": any       */
    double seconds;      /* that a call may take; 0: any number                    */
    const char *provider; /* NULL: "cpu" */
} ort_open;

typedef struct ort_session ort_session;

struct graph_model; /* scorer/graph/graph_model.h */

/* A graph of ours over mapped weights. */
typedef struct ort_graph {
    const char *library; /* as in ort_open                                                     */
    const char *name;    /* for errors: the checkpoint's path                                  */
    double seconds;      /* that a call may take; 0: any number                                */
    const char *weights; /* canonical JSON of the files, for the facts                         */
    const char *folder;  /* NULL: the weights are given as values, any library. Else the folder in
                            which the library itself opens the files (1.21 on): less memory.
                            What was converted is given as values in both                     */
    const model_file *file; /* the mapped files: what the library finds in the folder must be these
                            when it has loaded. NULL: not compared                            */
    size_t file_count;
    const char *provider; /* "cpu"; "cuda", "coreml": where the library has it                  */
} ort_graph;
/* The graph, its data and its mappings stay until the session is closed; the mapped pages may go
 * (checkpoint_settle), for the library has copied them. Errors: as ort_session_open; DATA
 * ("onnx.weights": a weight has no bytes, or no file in the folder; "onnx.changed": another file
 * was put there); USAGE ("onnx.provider": the
 * library's list; "onnx.folder": the library is too old for low memory). */
tare_status ort_session_open_graph(ort_session **out, tare_context *context,
                                   const struct graph_model *graph, const ort_graph *how,
                                   tare_error *err);

/* Errors: DATA (no library: what to do; no model; another hash; a graph it cannot load: its own
 * words), USAGE ("onnx.provider"), IO, MEMORY, LIMIT. */
tare_status ort_session_open(ort_session **out, tare_context *context, const ort_open *what,
                             tare_error *err);
void ort_session_close(ort_session *s); /* NULL ok */

/* NULL past the end. */
const ort_port *ort_session_input(const ort_session *s, size_t index);
const ort_port *ort_session_output(const ort_session *s, size_t index);

typedef struct ort_facts {
    const char *version, *library; /* "1.30.0"; the file that was opened    */
    bool made;                     /* a graph of ours: there is no file     */
    const char *sha256;            /* of the model file; of a graph of ours, of its structure:
                                      wherever its weights lie              */
    uint64_t bytes;                /* of the model file, or the graph       */
    const char *weights;           /* canonical JSON: [{"bytes":n,"file":..,"sha256":..},...] of the
                                      files beside the model, "[]" if none  */
    const char *provider;          /* "cpu", "cuda", "coreml"               */
    const char *feed;              /* "in the model", "values", "folder"    */
} ort_facts;
const ort_facts *ort_session_facts(const ort_session *s);

/* A call that took too long. */
#define ORT_TIMEOUT "onnx.timeout"

/* One output of one call. Thread-safe. A stop of the context ends a call that is under way, and so
 * does the time limit: both before the next node of the graph begins. Errors: INSTRUMENT (the
 * library's words; ORT_TIMEOUT), STOPPED, MEMORY, DATA (an output that is no tensor of numbers).
 */
tare_status ort_session_run(ort_output *out, ort_session *s, const ort_tensor *inputs, size_t count,
                            const char *output, tare_error *err);

/* For `tare doctor`: is a library to be had, which, and does a small model give the right numbers,
 * the same alone, again and in a batch? library as in ort_open. `version` and `path` may be NULL;
 * they are filled in once a library has loaded. Errors: as open; INSTRUMENT ("onnx.check"). */
tare_status ort_check(tare_context *context, const char *library, char version[32], char path[256],
                      tare_error *err);

#endif
