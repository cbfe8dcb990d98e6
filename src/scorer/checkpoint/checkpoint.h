/* checkpoint.h - the tensors of a file of weights, read from its header; the numbers stay in the
 * mapped file. Scorers 4.1, 4.2.
 *
 * Containers: safetensors (one file, or *.index.json with its shards in the same folder), torch
 * zip, TorchScript zip, legacy torch, TF.js layers models. A pickle is read as data: nothing in
 * it is called or imported, and what is no tensor is counted and left alone. */
#ifndef SCORER_CHECKPOINT_CHECKPOINT_H
#define SCORER_CHECKPOINT_CHECKPOINT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/context.h"
#include "scorer/onnx/model_externals.h"
#include "scorer/onnx/model_file.h"

typedef enum checkpoint_kind {
    CHECKPOINT_SAFETENSORS, CHECKPOINT_TORCH_ZIP, CHECKPOINT_TORCHSCRIPT, CHECKPOINT_TORCH_LEGACY,
    CHECKPOINT_TFJS
} checkpoint_kind;
const char *checkpoint_kind_name(checkpoint_kind kind); /* "safetensors", "torch zip", ... */

/* Element types by ONNX's numbers, those of ort_type among them. Those of the last row are listed
 * and checked, and refused once their values are asked for. */
typedef enum tensor_type {
    TENSOR_F32 = 1, TENSOR_U8 = 2, TENSOR_I8 = 3, TENSOR_U16 = 4, TENSOR_I16 = 5, TENSOR_I32 = 6,
    TENSOR_I64 = 7, TENSOR_BOOL = 9, TENSOR_F16 = 10, TENSOR_F64 = 11, TENSOR_U32 = 12,
    TENSOR_U64 = 13, TENSOR_BF16 = 16,
    TENSOR_C64 = 14, TENSOR_F8_E4M3 = 17, TENSOR_F8_E5M2 = 19, TENSOR_F8_E8M0 = 24
} tensor_type;
size_t tensor_type_size(tensor_type type);      /* bytes; 0: none of these */
const char *tensor_type_name(tensor_type type); /* "f32", "bf16"           */

typedef struct checkpoint_tensor {
    const char *name;      /* whole: keys joined by dots, as the file has them           */
    tensor_type type;      /* of the stored elements                                     */
    size_t rank;
    int64_t dim[MODEL_RANK_MOST], stride[MODEL_RANK_MOST]; /* strides in elements, >= 0   */
    bool contiguous;       /* row-major without gaps                                     */
    const unsigned char *data; /* the first element, at any alignment; never NULL unless a
                                  dimension is 0                                         */
    size_t file;           /* that `data` lies in, by index; SIZE_MAX: decoded into memory */
    uint64_t offset;       /* of `data` in that file                                     */
    uint64_t elements;     /* product of the dimensions                                  */
    bool quantised;        /* value = stored * scale + minimum (TF.js)                   */
    double scale, minimum;
} checkpoint_tensor;

typedef struct checkpoint {
    tare_context *context;
    arena a;
    checkpoint_kind kind;
    const char *path;         /* as it was given                                         */
    model_file *file;         /* mapped and hashed                                       */
    size_t file_count;
    checkpoint_tensor *tensor; /* sorted by name (bytes), no name twice                   */
    size_t tensor_count;
    size_t opaque;            /* values of a pickle that are neither tensors nor containers */
    const char *document;     /* TF.js: model.json, of a module as JSON; else NULL       */
} checkpoint;

/* Reads headers only. Errors: IO, DATA ("checkpoint.kind": no container that is known, with what
 * the first bytes look like; "safetensors.*", "zip.*", "pickle.*", "torch.*", "tfjs.*" with the
 * byte or the tensor, what is wrong and what to do), LIMIT, MEMORY, STOPPED. */
tare_status checkpoint_open(checkpoint **out, tare_context *context, const char *path,
                            tare_error *err);
void checkpoint_close(checkpoint *c); /* NULL ok */
/* After the weights were read: every file is still what was mapped. Errors: DATA, IO. */
tare_status checkpoint_settle(checkpoint *c, tare_error *err);

/* NULL: none of this name. */
const checkpoint_tensor *checkpoint_find(const checkpoint *c, const char *name);
/* The elements in row-major order, whatever type, strides, alignment and quantisation. Errors: DATA
 * ("checkpoint.type": not numbers; "checkpoint.nan": the first element that is not finite, by the
 * tensor's name), MEMORY. */
tare_status checkpoint_floats(float *out, const checkpoint *c, const checkpoint_tensor *t,
                              tare_error *err);
tare_status checkpoint_doubles(double *out, const checkpoint *c, const checkpoint_tensor *t,
                               tare_error *err);
/* "f32 [768,1024]" */
#define TENSOR_TEXT 128
void checkpoint_tensor_text(char out[TENSOR_TEXT], const checkpoint_tensor *t);

/* ---- for the containers ---------------------------------------------------------------------- */

/* A name for messages: at most 80 bytes, cut between characters, control characters as '?'; ""
 * with its quotes if it is empty. Returns out. */
#define CHECKPOINT_SHOWN 84
const char *checkpoint_shown(char out[CHECKPOINT_SHOWN], const char *name);
/* Map and hash one more file of this checkpoint: *index is its place in file[]. Errors: IO, DATA,
 * LIMIT, STOPPED, MEMORY. */
tare_status checkpoint_add_file(size_t *index, checkpoint *c, const char *path, tare_error *err);
/* PATH's folder with NAME instead of its last part; NULL: out of memory. */
const char *checkpoint_beside(arena *a, const char *path, const char *name);
/* After a reader: sorts, refuses two tensors of a name, counts elements and fills `contiguous`.
 * Errors: DATA ("checkpoint.duplicate"), LIMIT. */
tare_status checkpoint_finish(checkpoint *c, tare_error *err);

/* One function each: fills kind, file[], tensor[] in any order, opaque, document. The first file is
 * mapped already. Sorting, duplicate names and contiguity are the caller's. */
tare_status safetensors_read(checkpoint *c, tare_error *err);
tare_status safetensors_index_read(checkpoint *c, tare_error *err);
tare_status torch_zip_read(checkpoint *c, tare_error *err);
tare_status torch_legacy_read(checkpoint *c, tare_error *err);
tare_status tfjs_read(checkpoint *c, tare_error *err);

#endif
