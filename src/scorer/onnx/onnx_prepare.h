/* onnx_prepare.h - pixels to the model's tensor. Pure and thread-safe. Scorers 1.4, 6. */
#ifndef SCORER_ONNX_ONNX_PREPARE_H
#define SCORER_ONNX_ONNX_PREPARE_H

#include "image/image.h"
#include "scorer/onnx/onnx_manifest.h"

/* Bytes of one image's tensor. */
size_t onnx_prepare_bytes(const onnx_image_input *in);
/* out[onnx_prepare_bytes]. An image that the manifest does not allow (resize none and another size;
 * a resized side above the limits) is TARE_OK with *why set to a reason (static or in `note`), and
 * nothing written. Errors: MEMORY. */
tare_status onnx_prepare_image(void *out, tare_reason *reason, char note[160], const mem *m,
                               const image *pixels, const onnx_image_input *in, tare_error *err);

#endif
