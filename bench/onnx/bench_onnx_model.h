/* bench_onnx_model.h - a model of the cost of a small real scorer: 5.6 GMAC an image; CLIP's
 * ViT-B/32 has 4.4, ViT-L/14 81. */
#ifndef BENCH_ONNX_MODEL_H
#define BENCH_ONNX_MODEL_H

#include <stdbool.h>

/* FOLDER/conv.onnx and FOLDER/conv.json: 224 x 224, thirteen convolutions, one number. */
bool bench_model_make(const char *folder);

#endif
