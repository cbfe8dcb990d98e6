/* onnx_ops.h - from a model's output to one number per image: the operations of a manifest, in
 * order, on doubles. Scorers 1.4. */
#ifndef SCORER_ONNX_ONNX_OPS_H
#define SCORER_ONNX_ONNX_OPS_H

#include "base/mem.h"
#include "scorer/onnx/ort_session.h"

typedef enum onnx_op_kind {
    ONNX_SELECT,  /* axis, index: the axis goes             */
    ONNX_MEAN, ONNX_MAX, ONNX_MIN, ONNX_SUM, /* axes; none named: all but the batch */
    ONNX_SOFTMAX, /* axis, stable                           */
    ONNX_SIGMOID, ONNX_LOGIT, ONNX_LOG, ONNX_EXP,
    ONNX_L2NORM,  /* axis                                   */
    ONNX_DOT,     /* with `values`, over the last axis, which goes */
    ONNX_EXPECT,  /* sum of p times `values` over the last axis, which goes: the p as they are */
    ONNX_AFFINE,  /* a x + b                                */
    ONNX_CLIP     /* to [a, b]                              */
} onnx_op_kind;
const char *onnx_op_name(onnx_op_kind kind); /* "select"; NULL past the end */

typedef struct onnx_op {
    onnx_op_kind kind;
    int axis[ORT_RANK_MOST]; /* negative: from the last. Axis 0 is the batch and may not be named */
    size_t axis_count;
    int64_t index;           /* negative: from the last */
    double a, b;
    const double *values;
    size_t value_count;
    const char *file;        /* of ONNX_DOT, as written: .npy, float32 or float64 */
    const char *file_sha256; /* of its bytes, hex */
    uint64_t file_bytes;
} onnx_op;

/* A shape on its way through the operations; -1: not known yet. Dimension 0 is the batch. */
typedef struct onnx_shape {
    size_t rank;
    int64_t dim[ORT_RANK_MOST];
} onnx_shape;
/* The shape after operation number `at`. Errors: DATA ("manifest.ops", where "output.ops[AT]":
 * which operation, the shape it met). */
tare_status onnx_ops_shape(onnx_shape *s, const onnx_op *op, size_t at, tare_error *err);
/* Before the first operation: is dimension 0 the batch? A single element is [1] where batch is 1.
 * After the last: is there one element for each image? What is not known passes. Errors: DATA. */
tare_status onnx_ops_begin(onnx_shape *s, size_t batch, tare_error *err);
tare_status onnx_ops_end(const onnx_shape *s, tare_error *err);
/* Operations do not know whose they are: the manifest's path before what `err` says of the place.
 * NULL ok. */
void onnx_ops_whose(tare_error *err, const char *manifest);
/* "[1, 3, -1]" */
#define ONNX_SHAPE_TEXT 192
void onnx_shape_text(char out[ONNX_SHAPE_TEXT], size_t rank, const int64_t *dim);

/* The operations alone: `x` becomes what they leave, in its own memory. Errors: as onnx_ops_run. */
tare_status onnx_ops_apply(ort_output *x, const mem *m, size_t batch, const onnx_op *ops,
                           size_t op_count, tare_error *err);
/* scores[batch] from an output whose first dimension is `batch` (or which has one element, or none
 * but a rank of 0, when batch is 1). The values of `x` are written over; they are released by the
 * caller as before. Sums are compensated, in the order of the elements; what has no finite value
 * (the logit of 0, the norm of a zero vector) comes out as NaN or infinity. Errors: DATA
 * ("manifest.ops"), MEMORY. */
tare_status onnx_ops_run(double *scores, const mem *m, ort_output *x, size_t batch,
                         const onnx_op *ops, size_t op_count, tare_error *err);

#endif
