/* npy.h - vectors from files that numpy.save wrote.
 *
 * One dimension, float32 or float64, little endian, every value finite; all else is refused with
 * what the file has. Format versions 1 to 3. */
#ifndef SCORER_ONNX_NPY_H
#define SCORER_ONNX_NPY_H

#include <stdint.h>

#include "base/mem.h"
#include "tare.h"

typedef struct npy_vector {
    const double *values;
    size_t count;
    uint64_t bytes;      /* of the file */
    const char *sha256;  /* of the file, hex */
} npy_vector;

/* 1 to `most` values; everything in the arena. Errors: DATA ("npy.*"), IO, LIMIT, MEMORY. */
tare_status npy_read(npy_vector *out, arena *a, const char *path, size_t most, tare_error *err);
tare_status npy_parse(npy_vector *out, arena *a, const char *name, const char *bytes,
                      size_t length, size_t most, tare_error *err);

#endif
