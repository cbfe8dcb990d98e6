/* onnx_prepare.h - pixels to the model's tensor. Pure and thread-safe. Scorers 1.4, 6. */
#ifndef SCORER_ONNX_ONNX_PREPARE_H
#define SCORER_ONNX_ONNX_PREPARE_H

#include "image/image.h"
#include "scorer/onnx/onnx_manifest.h"

/* Bytes of one image's tensor. */
size_t onnx_prepare_bytes(const onnx_image_input *in);

/* Where an image goes before a pixel is touched: resized to width x height, of which the rectangle
 * at x, y (of the tensor's size, or smaller by what is padded) lands at left, top of the tensor. */
typedef struct onnx_placing {
    int width, height;          /* after resizing                          */
    int x, y, columns, rows;    /* what of it is seen                      */
    int left, top;              /* columns and rows of padding before it   */
} onnx_placing;
/* False, with `note`, where the manifest does not allow the image: resize none and another size; a
 * side too small for the crop and no padding, or too large and no crop; too large a picture in
 * between. A size [h, w] that is no square: `short` fits the shorter side, `long` the longer. */
bool onnx_prepare_place(onnx_placing *out, char note[160], const onnx_image_input *in, int width,
                        int height);

/* out[onnx_prepare_bytes]. An image that the manifest does not allow is TARE_OK with *reason set
 * and why in `note`, and nothing written; else *reason is none. The tensor back end computes on
 * bytes over 255: with another `divide` its numbers are scaled back to 0..255 first. Errors:
 * MEMORY; BUG for an input that no manifest can describe (u8 with a normalisation). */
tare_status onnx_prepare_image(void *out, tare_reason *reason, char note[160], const mem *m,
                               const image *pixels, const onnx_image_input *in, tare_error *err);

#endif
