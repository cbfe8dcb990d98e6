/* onnx_ops.c - operations on doubles, in place: no result is longer than what it is made of, and
 * none is written before what stands in its place was read. */
#include "scorer/onnx/onnx_ops.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "stats/moments.h"

/* An array seen along one axis: element (o, k, i) is at (o n + k) inner + i. */
typedef struct along {
    size_t outer, n, inner;
} along;

static along see(const onnx_shape *s, size_t k)
{
    along v = {1, (size_t)s->dim[k], 1};
    for (size_t i = 0; i < k; i++) v.outer *= (size_t)s->dim[i];
    for (size_t i = k + 1; i < s->rank; i++) v.inner *= (size_t)s->dim[i];
    return v;
}

static size_t axis_of(const onnx_shape *s, int axis)
{
    return (size_t)(axis < 0 ? axis + (int)s->rank : axis);
}

/* ---- Element by element ---------------------------------------------------------------------- */

static double sigmoid(double x)
{
    if (x >= 0) return 1 / (1 + exp(-x));
    double e = exp(x);
    return e / (1 + e);
}

/* NaN stays NaN. */
static double clipped(double x, double lo, double hi)
{
    return x < lo ? lo : x > hi ? hi : x;
}

static void each(double *x, size_t n, const onnx_op *op)
{
    for (size_t i = 0; i < n; i++)
        switch (op->kind) {
        case ONNX_SIGMOID: x[i] = sigmoid(x[i]); break;
        case ONNX_LOGIT: x[i] = log(x[i]) - log1p(-x[i]); break;
        case ONNX_LOG: x[i] = log(x[i]); break;
        case ONNX_EXP: x[i] = exp(x[i]); break;
        case ONNX_AFFINE: x[i] = op->a * x[i] + op->b; break;
        case ONNX_CLIP: x[i] = clipped(x[i], op->a, op->b); break;
        default: break;
        }
}

/* ---- Along an axis --------------------------------------------------------------------------- */

/* The largest, or NaN if there is one. */
static double largest(const double *x, size_t n, size_t step)
{
    double most = -INFINITY;
    for (size_t k = 0; k < n; k++) {
        if (isnan(x[k * step])) return NAN;
        if (x[k * step] > most) most = x[k * step];
    }
    return most;
}

static void softmax(double *x, size_t n, size_t step)
{
    double most = largest(x, n, step);
    neumaier total = {0, 0};
    for (size_t k = 0; k < n; k++) {
        x[k * step] = exp(x[k * step] - most);
        neumaier_add(&total, x[k * step]);
    }
    for (size_t k = 0; k < n; k++) x[k * step] /= neumaier_total(&total);
}

/* Squares that would leave the range of doubles are taken of values scaled by a power of two. */
static void l2norm(double *x, size_t n, size_t step)
{
    double most = 0;
    for (size_t k = 0; k < n; k++) most = fmax(most, fabs(x[k * step]));
    int power = isfinite(most) && (most > 1e150 || (most > 0 && most < 1e-150)) ? ilogb(most) : 0;
    neumaier squares = {0, 0};
    for (size_t k = 0; k < n; k++) {
        x[k * step] = scalbn(x[k * step], -power);
        neumaier_add(&squares, x[k * step] * x[k * step]);
    }
    double norm = sqrt(neumaier_total(&squares));
    for (size_t k = 0; k < n; k++) x[k * step] /= norm;
}

static void along_axis(double *x, const onnx_shape *s, const onnx_op *op)
{
    along v = see(s, axis_of(s, op->axis[0]));
    for (size_t o = 0; o < v.outer; o++)
        for (size_t i = 0; i < v.inner; i++) {
            double *first = x + o * v.n * v.inner + i;
            if (op->kind == ONNX_SOFTMAX) softmax(first, v.n, v.inner);
            else l2norm(first, v.n, v.inner);
        }
}

static void take_index(double *x, const onnx_shape *s, const onnx_op *op)
{
    along v = see(s, axis_of(s, op->axis[0]));
    size_t k = (size_t)(op->index < 0 ? op->index + (int64_t)v.n : op->index);
    for (size_t o = 0; o < v.outer; o++)
        memmove(x + o * v.inner, x + (o * v.n + k) * v.inner, v.inner * sizeof *x);
}

static void product(double *x, const onnx_shape *s, const onnx_op *op)
{
    along v = see(s, s->rank - 1);
    for (size_t o = 0; o < v.outer; o++) {
        neumaier total = {0, 0};
        for (size_t k = 0; k < v.n; k++) neumaier_add(&total, x[o * v.n + k] * op->values[k]);
        x[o] = neumaier_total(&total);
    }
}

/* ---- Over several axes ----------------------------------------------------------------------- */

/* A reduction under way: for each element of the result what has been seen so far. */
typedef struct slot {
    neumaier total;
    double most; /* or least */
    size_t seen;
} slot;

static void slot_add(slot *s, double x, onnx_op_kind kind)
{
    if (kind == ONNX_SUM || kind == ONNX_MEAN) neumaier_add(&s->total, x);
    else if (s->seen == 0 || isnan(x)) s->most = x;
    else if (kind == ONNX_MAX && x > s->most) s->most = x;
    else if (kind == ONNX_MIN && x < s->most) s->most = x;
    s->seen++;
}

static double slot_end(const slot *s, onnx_op_kind kind)
{
    if (kind == ONNX_SUM) return neumaier_total(&s->total);
    if (kind == ONNX_MEAN) return neumaier_total(&s->total) / (double)s->seen;
    return s->most;
}

/* Elements in their order; `stride` says where in the result each belongs. */
static tare_status reduce(double *x, const mem *m, const onnx_shape *s, const onnx_op *op,
                          tare_error *err)
{
    tare_status status = TARE_OK;
    size_t stride[ORT_RANK_MOST] = {0}, index[ORT_RANK_MOST] = {0}, count = 1, elements = 1;
    bool gone[ORT_RANK_MOST] = {false};
    slot *slots = NULL;
    for (size_t k = 1; k < s->rank; k++) gone[k] = op->axis_count == 0;
    for (size_t i = 0; i < op->axis_count; i++) gone[axis_of(s, op->axis[i])] = true;
    for (size_t k = s->rank; k-- > 0;) {
        elements *= (size_t)s->dim[k];
        if (gone[k]) continue;
        stride[k] = count;
        count *= (size_t)s->dim[k];
    }
    TRY_NEW(slots = mem_new(m, count, sizeof *slots));
    for (size_t e = 0, at = 0; e < elements; e++) {
        slot_add(&slots[at], x[e], op->kind);
        for (size_t k = s->rank; k-- > 0;) { /* the next index */
            at += stride[k];
            if (++index[k] < (size_t)s->dim[k]) break;
            at -= stride[k] * index[k];
            index[k] = 0;
        }
    }
    for (size_t j = 0; j < count; j++) x[j] = slot_end(&slots[j], op->kind);
done:
    mem_free(m, slots);
    return status;
}

/* ---- All of them ----------------------------------------------------------------------------- */

static size_t size_of(const onnx_shape *s)
{
    size_t n = 1;
    for (size_t k = 0; k < s->rank; k++) n *= (size_t)s->dim[k];
    return n;
}

static tare_status apply(double *x, const mem *m, const onnx_shape *s, const onnx_op *op,
                         tare_error *err)
{
    switch (op->kind) {
    case ONNX_SELECT: take_index(x, s, op); break;
    case ONNX_MEAN:
    case ONNX_MAX:
    case ONNX_MIN:
    case ONNX_SUM: return reduce(x, m, s, op, err);
    case ONNX_SOFTMAX:
    case ONNX_L2NORM: along_axis(x, s, op); break;
    case ONNX_DOT:
    case ONNX_EXPECT: product(x, s, op); break;
    case ONNX_SIGMOID:
    case ONNX_LOGIT:
    case ONNX_LOG:
    case ONNX_EXP:
    case ONNX_AFFINE:
    case ONNX_CLIP: each(x, size_of(s), op); break;
    }
    return TARE_OK;
}

tare_status onnx_ops_apply(ort_output *x, const mem *m, size_t batch, const onnx_op *ops,
                           size_t op_count, tare_error *err)
{
    tare_status status = TARE_OK;
    onnx_shape s = {x->rank, {0}};
    memcpy(s.dim, x->dim, sizeof s.dim);
    TRY(onnx_ops_begin(&s, batch, err));
    for (size_t i = 0; i < op_count; i++) {
        onnx_shape after = s;
        TRY(onnx_ops_shape(&after, &ops[i], i, err));
        TRY(apply(x->value, m, &s, &ops[i], err));
        s = after;
    }
    x->rank = s.rank;
    x->count = size_of(&s);
    memcpy(x->dim, s.dim, sizeof s.dim);
done:
    return status;
}

tare_status onnx_ops_run(double *scores, const mem *m, ort_output *x, size_t batch,
                         const onnx_op *ops, size_t op_count, tare_error *err)
{
    tare_status status = TARE_OK;
    onnx_shape s = {0, {0}};
    TRY(onnx_ops_apply(x, m, batch, ops, op_count, err));
    s.rank = x->rank;
    memcpy(s.dim, x->dim, sizeof s.dim);
    TRY(onnx_ops_end(&s, err));
    for (size_t i = 0; i < batch; i++) scores[i] = x->value[i];
done:
    return status;
}
