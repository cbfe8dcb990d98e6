/* onnx_wave.h - a recording to the segments that a model of sound takes. Scorers 1.4, `wave`. */
#ifndef SCORER_ONNX_ONNX_WAVE_H
#define SCORER_ONNX_ONNX_WAVE_H

#include "image/image.h"
#include "scorer/onnx/onnx_manifest.h"

/* At the model's rate, and at least as long as one segment: a shorter one was repeated whole, or
 * filled with silence. */
typedef struct onnx_wave {
    float *sample;
    size_t count;    /* samples   */
    size_t segments; /* at least 1 */
} onnx_wave;

/* recording: an image of mode IMAGE_SOUND. Errors: MEMORY, DATA (as sound_resample). */
tare_status onnx_wave_make(onnx_wave *out, const mem *m, const image *recording,
                           const onnx_wave_input *in, tare_error *err);
void onnx_wave_free(onnx_wave *w, const mem *m);
/* out[n][length]: the segments from `first` on; past the last one, the last. */
void onnx_wave_cut(float *out, const onnx_wave *w, const onnx_wave_input *in, size_t first,
                   size_t n);

#endif
