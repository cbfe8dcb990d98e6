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
} onnx_op;

/* scores[batch] from an output whose first dimension is `batch` (or which has one element, or none
 * but a rank of 0, when batch is 1). `x` is used up. Each image must end with one element. Errors:
 * DATA ("manifest.ops": which operation, the shape it met), MEMORY. */
tare_status onnx_ops_run(double *scores, const mem *m, ort_output *x, size_t batch,
                         const onnx_op *ops, size_t op_count, tare_error *err);

#endif
