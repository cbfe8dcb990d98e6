/* onnx_ops_shape.c - what operations do to shapes, before a number is touched. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "scorer/onnx/onnx_ops.h"

const char *onnx_op_name(onnx_op_kind kind)
{
    static const char *const names[] = {
        [ONNX_SELECT] = "select", [ONNX_MEAN] = "mean", [ONNX_MAX] = "max", [ONNX_MIN] = "min",
        [ONNX_SUM] = "sum", [ONNX_SOFTMAX] = "softmax", [ONNX_SIGMOID] = "sigmoid",
        [ONNX_LOGIT] = "logit", [ONNX_LOG] = "log", [ONNX_EXP] = "exp", [ONNX_L2NORM] = "l2norm",
        [ONNX_DOT] = "dot", [ONNX_EXPECT] = "expect", [ONNX_AFFINE] = "affine",
        [ONNX_CLIP] = "clip"};
    return (size_t)kind < sizeof names / sizeof *names ? names[kind] : NULL;
}

void onnx_shape_text(char out[ONNX_SHAPE_TEXT], size_t rank, const int64_t *dim)
{
    size_t n = 0;
    out[n++] = '[';
    for (size_t k = 0; k < rank && k < ORT_RANK_MOST; k++)
        n += (size_t)snprintf(out + n, ONNX_SHAPE_TEXT - n, "%s%lld", k ? ", " : "",
                              (long long)dim[k]);
    out[n++] = ']';
    out[n] = '\0';
}

void onnx_ops_whose(tare_error *err, const char *manifest)
{
    char where[sizeof err->where];
    if (err == NULL) return;
    snprintf(where, sizeof where, "%.240s: %.70s", manifest, err->where);
    snprintf(err->where, sizeof err->where, "%s", where);
}

static tare_status fail_at(const onnx_shape *s, const onnx_op *op, size_t at, const char *why,
                           tare_error *err)
{
    char where[48], shape[ONNX_SHAPE_TEXT];
    snprintf(where, sizeof where, "output.ops[%zu]", at);
    onnx_shape_text(shape, s->rank, s->dim);
    return error_set(err, TARE_E_DATA, "manifest.ops", where, "%s met the shape %s: %s",
                     onnx_op_name(op->kind), shape, why);
}

/* The dimension that an axis names. */
static tare_status find_axis(size_t *out, const onnx_shape *s, const onnx_op *op, size_t which,
                             size_t at, tare_error *err)
{
    tare_status status = TARE_OK;
    char why[96];
    long axis = op->axis[which], k = axis < 0 ? axis + (long)s->rank : axis;
    if (k < 0 || k >= (long)s->rank) {
        snprintf(why, sizeof why, "there is no axis %ld", axis);
        TRY(fail_at(s, op, at, why, err));
    }
    if (k == 0) {
        snprintf(why, sizeof why, "axis %ld is the batch, and images are not mixed", axis);
        TRY(fail_at(s, op, at, why, err));
    }
    *out = (size_t)k;
done:
    return status;
}

static void drop(onnx_shape *s, size_t k)
{
    memmove(s->dim + k, s->dim + k + 1, (s->rank - k - 1) * sizeof *s->dim);
    s->rank--;
}

static tare_status after_select(onnx_shape *s, const onnx_op *op, size_t at, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t k;
    char why[96];
    TRY(find_axis(&k, s, op, 0, at, err));
    int64_t n = s->dim[k], index = op->index < 0 ? op->index + n : op->index;
    if (n >= 0 && (index < 0 || index >= n)) {
        snprintf(why, sizeof why, "axis %d has no element %lld", op->axis[0],
                 (long long)op->index);
        TRY(fail_at(s, op, at, why, err));
    }
    drop(s, k);
done:
    return status;
}

static tare_status after_reduction(onnx_shape *s, const onnx_op *op, size_t at, tare_error *err)
{
    tare_status status = TARE_OK;
    bool gone[ORT_RANK_MOST] = {false};
    for (size_t i = 0; i < op->axis_count; i++) {
        size_t k;
        TRY(find_axis(&k, s, op, i, at, err));
        if (gone[k]) TRY(fail_at(s, op, at, "two of its axes are the same", err));
        gone[k] = true;
    }
    for (size_t k = s->rank; k-- > 1;)
        if (op->axis_count == 0 || gone[k]) {
            if (s->dim[k] == 0) TRY(fail_at(s, op, at, "there is nothing to reduce", err));
            drop(s, k);
        }
done:
    return status;
}

static tare_status after_product(onnx_shape *s, const onnx_op *op, size_t at, tare_error *err)
{
    tare_status status = TARE_OK;
    char why[96];
    if (s->rank < 2) TRY(fail_at(s, op, at, "it needs an axis besides the batch", err));
    int64_t n = s->dim[s->rank - 1];
    if (n >= 0 && (uint64_t)n != op->value_count) {
        snprintf(why, sizeof why, "the last axis has %lld elements, and there are %zu values",
                 (long long)n, op->value_count);
        TRY(fail_at(s, op, at, why, err));
    }
    drop(s, s->rank - 1);
done:
    return status;
}

tare_status onnx_ops_shape(onnx_shape *s, const onnx_op *op, size_t at, tare_error *err)
{
    size_t k;
    switch (op->kind) {
    case ONNX_SELECT: return after_select(s, op, at, err);
    case ONNX_MEAN:
    case ONNX_MAX:
    case ONNX_MIN:
    case ONNX_SUM: return after_reduction(s, op, at, err);
    case ONNX_SOFTMAX:
    case ONNX_L2NORM: return find_axis(&k, s, op, 0, at, err);
    case ONNX_DOT:
    case ONNX_EXPECT: return after_product(s, op, at, err);
    case ONNX_SIGMOID:
    case ONNX_LOGIT:
    case ONNX_LOG:
    case ONNX_EXP:
    case ONNX_AFFINE:
    case ONNX_CLIP: return TARE_OK;
    }
    return TARE_OK;
}

/* Number of elements; -1: not known. */
static int64_t elements(const onnx_shape *s, size_t from)
{
    int64_t n = 1;
    for (size_t k = from; k < s->rank; k++) {
        if (s->dim[k] < 0) return -1;
        if (__builtin_mul_overflow(n, s->dim[k], &n)) return INT64_MAX;
    }
    return n;
}

tare_status onnx_ops_begin(onnx_shape *s, size_t batch, tare_error *err)
{
    tare_status status = TARE_OK;
    char shape[ONNX_SHAPE_TEXT];
    bool has_batch = s->rank > 0 && (s->dim[0] < 0 || (uint64_t)s->dim[0] == batch);
    if (!has_batch && batch == 1 && elements(s, 0) == 1) {
        *s = (onnx_shape){1, {1}};
    } else if (!has_batch) {
        onnx_shape_text(shape, s->rank, s->dim);
        FAIL(err, TARE_E_DATA, "manifest.ops", "output", "the output has the shape %s; its first "
             "dimension must be the batch, which is %zu", shape, batch);
    }
done:
    return status;
}

tare_status onnx_ops_end(const onnx_shape *s, tare_error *err)
{
    tare_status status = TARE_OK;
    char shape[ONNX_SHAPE_TEXT];
    int64_t n = elements(s, 1);
    if (n >= 0 && n != 1) {
        onnx_shape_text(shape, s->rank, s->dim);
        FAIL(err, TARE_E_DATA, "manifest.ops", "output.ops", "after all operations the shape is "
             "%s, which is not one number for each image; select, mean, max, min, sum, dot and "
             "expect take an axis away", shape);
    }
done:
    return status;
}
