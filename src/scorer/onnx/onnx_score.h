/* onnx_score.h - what the scorer, its tower and the segmenter share: tensors of images, and which
 * errors end a run. */
#ifndef SCORER_ONNX_ONNX_SCORE_H
#define SCORER_ONNX_ONNX_SCORE_H

#include "scorer/onnx/onnx_model.h"

/* Does SPEC after "onnx:" name a manifest at all? Errors: USAGE. */
tare_status onnx_manifest_named(const char *rest, tare_error *err);

/* A stop and a lack of memory; everything else is a status of the images it happened to. */
bool onnx_ends_run(tare_status status);

/* What an image is left with whose call failed: timeout or scorer_error. */
tare_reason onnx_reason(const tare_error *err);

/* The trial was answered, but not by finite numbers. Images may fare better: those that do not have
 * no score. what: "score", "vector". */
void onnx_trial_warning(const onnx_model *x, const char *what);

/* *out: [batch] tensors of the trial image. Errors: MEMORY; DATA where the manifest's own size does
 * not pass its own rules. */
tare_status onnx_trial_tensors(void **out, const onnx_model *x, tare_error *err);

/* data[n] tensors of items, and a status in results[n] for those that have none; there the tensor
 * of another item stands in. *count: how many have one. Errors: MEMORY. */
tare_status onnx_tensors(void *data, size_t *count, scorer_result *results, const onnx_model *x,
                         const scorer_item *items, size_t n, tare_error *err);

#endif
