/* ort_library.h - where ONNX Runtime is, and its functions. Scorers 2.1. */
#ifndef SCORER_ONNX_ORT_LIBRARY_H
#define SCORER_ONNX_ORT_LIBRARY_H

#include <stdbool.h>

#include "base/library.h"
#include "scorer/onnx/ort_api.h"

typedef struct ort_library {
    library library;
    ort_api api;
    char version[32];
} ort_library;

/* Sets ORT_DISABLE_TELEMETRY=1 in the environment of the process, unless it is set: nothing leaves
 * this machine. given: the file that --ort names, or NULL; then TARE_ORT_LIB, beside the program
 * (base/library.h), what the loader finds. Errors: DATA ("onnx.missing": how to get it;
 * "onnx.library": no ONNX Runtime, or older than 1.17). */
tare_status ort_library_open(ort_library *out, const char *given, tare_error *err);
void ort_library_close(ort_library *l);
bool ort_library_at_least(const ort_library *l, int minor); /* 21: of version 1.21 or later */

#endif
