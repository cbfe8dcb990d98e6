/* onnx_half.h - half precision as models take it. */
#ifndef SCORER_ONNX_ONNX_HALF_H
#define SCORER_ONNX_ONNX_HALF_H

#include <stdint.h>

/* The nearest binary16 of a binary32, ties to even; too large: infinity; NaN stays NaN. */
uint16_t onnx_half(float x);
/* The value of a binary16, exactly. */
double onnx_half_value(uint16_t half);

#endif
