/* ort_quiet.h - what ONNX Runtime prints while it starts. Scorers 2.5.
 *
 * Debian 13's build prints several hundred "Schema error" lines at its first session in a process.
 * They are dropped; every other line is handed on as a message. Descriptor 2 belongs to the whole
 * process: one capture at a time, only around the first session of a library. */
#ifndef SCORER_ONNX_ORT_QUIET_H
#define SCORER_ONNX_ORT_QUIET_H

#include "base/context.h"

typedef struct ort_quiet {
    int saved, file; /* -1: nothing is captured */
} ort_quiet;

#define ORT_QUIET_NONE ((ort_quiet){-1, -1})
void ort_quiet_begin(ort_quiet *q);
void ort_quiet_end(ort_quiet *q, tare_context *c); /* not begun: nothing */

#endif
