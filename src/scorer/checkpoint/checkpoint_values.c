/* checkpoint_values.c - the elements of a tensor as numbers, in row-major order. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "scorer/checkpoint/checkpoint.h"
#include "scorer/onnx/onnx_half.h"

enum { RUN = 512 }; /* elements widened at a time */

/* Little endian, at any alignment. */
static uint64_t load(const unsigned char *p, unsigned bytes)
{
    uint64_t bits = 0;
    for (unsigned k = bytes; k-- > 0;) bits = bits << 8 | p[k];
    return bits;
}

static double from_f32(const unsigned char *p)
{
    uint32_t bits = (uint32_t)load(p, 4);
    float value;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

static double from_f64(const unsigned char *p)
{
    uint64_t bits = load(p, 8);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static double from_bf16(const unsigned char *p)
{
    uint32_t bits = (uint32_t)load(p, 2) << 16;
    float value;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

#define WIDEN(expression)                                                \
    do {                                                                 \
        for (size_t i = 0; i < n; i++, p += step) out[i] = (expression); \
        return true;                                                     \
    } while (0)

/* n elements, `step` bytes apart. False: not numbers. */
static bool widen(double *out, const unsigned char *p, size_t n, size_t step, tensor_type type)
{
    switch (type) {
    case TENSOR_F32: WIDEN(from_f32(p));
    case TENSOR_F16: WIDEN(onnx_half_value((uint16_t)load(p, 2)));
    case TENSOR_BF16: WIDEN(from_bf16(p));
    case TENSOR_F64: WIDEN(from_f64(p));
    case TENSOR_U8: WIDEN(*p);
    case TENSOR_I8: WIDEN((int8_t)*p);
    case TENSOR_U16: WIDEN((double)load(p, 2));
    case TENSOR_I16: WIDEN((int16_t)load(p, 2));
    case TENSOR_U32: WIDEN((double)load(p, 4));
    case TENSOR_I32: WIDEN((int32_t)load(p, 4));
    case TENSOR_U64: WIDEN((double)load(p, 8));
    case TENSOR_I64: WIDEN((double)(int64_t)load(p, 8));
    case TENSOR_BOOL:
    case TENSOR_C64:
    case TENSOR_F8_E4M3:
    case TENSOR_F8_E5M2:
    case TENSOR_F8_E8M0: break;
    }
    return false;
}

/* "[3,17]" of element `at` in row-major order. */
static void place_text(char out[TENSOR_TEXT], const checkpoint_tensor *t, uint64_t at)
{
    checkpoint_tensor place = {.type = t->type, .rank = t->rank};
    char whole[TENSOR_TEXT];
    for (size_t k = t->rank; k-- > 0; at /= (uint64_t)t->dim[k])
        place.dim[k] = (int64_t)(at % (uint64_t)t->dim[k]);
    checkpoint_tensor_text(whole, &place);
    strcpy(out, strchr(whole, '['));
}

static tare_status not_finite(const checkpoint *c, const checkpoint_tensor *t, uint64_t at,
                              double value, tare_error *err)
{
    char shown[CHECKPOINT_SHOWN], kind[TENSOR_TEXT], place[TENSOR_TEXT];
    const char *path = t->file < c->file_count ? c->file[t->file].path : c->path;
    checkpoint_tensor_text(kind, t);
    place_text(place, t, at);
    return error_set(err, TARE_E_DATA, "checkpoint.nan", path,
                     "tensor %s (%s) has %s at %s: with such weights no score means anything. "
                     "Download or save the file again", checkpoint_shown(shown, t->name), kind,
                     isnan(value) ? "NaN" : isinf(value) ? "an infinite number"
                                                         : "a number too large for float32", place);
}

/* Where the elements go: one of the two. */
typedef struct values_sink {
    float *narrow;
    double *wide;
} values_sink;

/* One row along the last dimension, or all of a contiguous tensor; `first`: its place in `out`. */
static tare_status read_row(const values_sink *out, const checkpoint *c,
                            const checkpoint_tensor *t, const unsigned char *p, uint64_t first,
                            tare_error *err)
{
    double run[RUN];
    size_t n = t->contiguous ? (size_t)t->elements : (size_t)t->dim[t->rank - 1];
    size_t size = tensor_type_size(t->type);
    size_t step = t->contiguous ? size : (size_t)t->stride[t->rank - 1] * size;
    for (size_t at = 0; at < n; at += RUN) {
        size_t m = n - at < RUN ? n - at : RUN;
        (void)widen(run, p + at * step, m, step, t->type);
        for (size_t i = 0; i < m; i++) {
            double value = t->quantised ? run[i] * t->scale + t->minimum : run[i];
            size_t to = (size_t)first + at + i;
            bool good = isfinite(value);
            if (out->wide != NULL) out->wide[to] = value;
            else good &= isfinite(out->narrow[to] = (float)value);
            if (!good) return not_finite(c, t, first + at + i, value, err);
        }
    }
    return TARE_OK;
}

/* The next row: the last dimension is read_row's. False: that was the last. */
static bool next_row(int64_t index[MODEL_RANK_MOST], const checkpoint_tensor *t)
{
    for (size_t k = t->rank - 1; k-- > 0; index[k] = 0)
        if (++index[k] < t->dim[k]) return true;
    return false;
}

static tare_status read_values(const values_sink *out, const checkpoint *c,
                               const checkpoint_tensor *t, tare_error *err)
{
    tare_status status = TARE_OK;
    int64_t index[MODEL_RANK_MOST] = {0};
    double probe;
    uint64_t first = 0;
    size_t size = tensor_type_size(t->type);
    if (!widen(&probe, NULL, 0, 0, t->type)) {
        char shown[CHECKPOINT_SHOWN], kind[TENSOR_TEXT];
        checkpoint_tensor_text(kind, t);
        FAIL(err, TARE_E_DATA, "checkpoint.type", c->path,
             "tensor %s is %s: tare computes with real numbers of 16 bits or more and with whole "
             "numbers. Take the file that holds them as f32, f16 or bf16",
             checkpoint_shown(shown, t->name), kind);
    }
    if (t->elements == 0) goto done;
    if (t->contiguous) {
        TRY(read_row(out, c, t, t->data, 0, err));
        goto done;
    }
    do {
        size_t at = 0;
        for (size_t k = 0; k + 1 < t->rank; k++) at += (size_t)(index[k] * t->stride[k]);
        TRY(read_row(out, c, t, t->data + at * size, first, err));
        first += (uint64_t)t->dim[t->rank - 1];
    } while (next_row(index, t));
done:
    return status;
}

tare_status checkpoint_floats(float *out, const checkpoint *c, const checkpoint_tensor *t,
                              tare_error *err)
{
    return read_values(&(values_sink){out, NULL}, c, t, err);
}

tare_status checkpoint_doubles(double *out, const checkpoint *c, const checkpoint_tensor *t,
                               tare_error *err)
{
    return read_values(&(values_sink){NULL, out}, c, t, err);
}
