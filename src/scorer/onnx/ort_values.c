/* ort_values.c - element types, and outputs of the library as doubles. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "scorer/onnx/onnx_half.h"
#include "scorer/onnx/ort_parts.h"

static const struct {
    ort_type type;
    const char *name;
    size_t size;
} TYPES[] = {{ORT_F32, "f32", 4}, {ORT_U8, "u8", 1},     {ORT_I32, "i32", 4}, {ORT_I64, "i64", 8},
             {ORT_F16, "f16", 2}, {ORT_BOOL, "bool", 1}, {ORT_F64, "f64", 8}};
enum { TYPE_COUNT = sizeof TYPES / sizeof *TYPES };

const char *ort_type_name(ort_type type)
{
    for (size_t i = 0; i < TYPE_COUNT; i++) {
        if (TYPES[i].type == type) return TYPES[i].name;
    }
    return "other";
}

size_t ort_type_size(ort_type type)
{
    for (size_t i = 0; i < TYPE_COUNT; i++) {
        if (TYPES[i].type == type) return TYPES[i].size;
    }
    return 0;
}

bool ort_shape_bytes(size_t *bytes, size_t rank, const int64_t *dim, size_t element)
{
    *bytes = element;
    for (size_t i = 0; i < rank; i++) {
        if (dim[i] < 0 || __builtin_mul_overflow(*bytes, (uint64_t)dim[i], bytes)) return false;
    }
    return *bytes <= SIZE_MAX / 2;
}

#define COPY_AS(type)                                                                              \
    for (size_t i = 0; i < count; i++) out[i] = (double)((const type *)data)[i];                   \
    break

static void copy_values(double *out, const void *data, size_t count, ort_type type)
{
    switch (type) {
    case ORT_F32: COPY_AS(float);
    case ORT_F64: COPY_AS(double);
    case ORT_I64: COPY_AS(int64_t);
    case ORT_I32: COPY_AS(int32_t);
    case ORT_U8: COPY_AS(unsigned char);
    case ORT_BOOL: COPY_AS(bool);
    case ORT_F16:
        for (size_t i = 0; i < count; i++) out[i] = onnx_half_value(((const uint16_t *)data)[i]);
        break;
    }
}

static tare_status read_tensor(ort_output *out, const ort_session *s, OrtValue *value,
                               const char *name, tare_error *err)
{
    tare_status status = TARE_OK;
    OrtTensorTypeAndShapeInfo *info = NULL;
    int type = 0;
    size_t size;
    void *data = NULL;
    ORT_TRY(GetTensorTypeAndShape(value, &info), TARE_E_DATA, "onnx.output");
    ORT_TRY(GetTensorElementType(info, &type), TARE_E_DATA, "onnx.output");
    ORT_TRY(GetDimensionsCount(info, &out->rank), TARE_E_DATA, "onnx.output");
    ORT_TRY(GetTensorShapeElementCount(info, &out->count), TARE_E_DATA, "onnx.output");
    if (ort_type_size((ort_type)type) == 0) {
        FAIL(err, TARE_E_DATA, "onnx.output", s->name,
             "the output %s is of ONNX's element type %d, which is no number that tare reads",
             name, type);
    }
    if (out->rank > ORT_RANK_MOST) {
        FAIL(err, TARE_E_DATA, "onnx.output", s->name, "the output %s has %zu dimensions; %d are "
             "the most", name, out->rank, ORT_RANK_MOST);
    }
    ORT_TRY(GetDimensions(info, out->dim, out->rank), TARE_E_DATA, "onnx.output");
    if (!ort_shape_bytes(&size, out->rank, out->dim, 1) || size != out->count) {
        FAIL(err, TARE_E_DATA, "onnx.output", s->name,
             "the output %s has a shape that does not fit its %zu values", name, out->count);
    }
    ORT_TRY(GetTensorMutableData(value, &data), TARE_E_DATA, "onnx.output");
    TRY_NEW(out->value = mem_new(&s->context->mem, out->count, sizeof *out->value));
    copy_values(out->value, data, out->count, (ort_type)type);
done:
    if (info != NULL) s->library.api.ReleaseTensorTypeAndShapeInfo(info);
    return status;
}

tare_status ort_value_read(ort_output *out, const ort_session *s, OrtValue *value, const char *name,
                           tare_error *err)
{
    int is_tensor = 0;
    tare_status status = ort_done(s, s->library.api.IsTensor(value, &is_tensor), TARE_E_DATA,
                                  "onnx.output", err);
    if (status != TARE_OK) return status;
    if (!is_tensor) {
        return error_set(err, TARE_E_DATA, "onnx.output", s->name,
                         "the output %s is no tensor but a sequence or map", name);
    }
    return read_tensor(out, s, value, name, err);
}
