/* tiny_onnx.h - small ONNX models for tests, written when they are needed.
 *
 *     model_writer w;                                  // scorer/onnx/model_write.h says the rest
 *     tiny_begin(&w);
 *     model_write_input(&w, "x", ORT_F32, 2, TINY_DIMS(-1, 4));
 *     tiny_floats(&w, "b", 1, TINY_DIMS(4), (float[]){1, 2, 3, 4});
 *     model_write_node(&w, "Add", "x b", "y");
 *     model_write_output(&w, "y", ORT_F32, 2, TINY_DIMS(-1, 4));
 *     assert_true(tiny_save(&w, path));
 *
 * and the named models below, which tests of several rooms and scenarios use. */
#ifndef TESTS_TINY_ONNX_H
#define TESTS_TINY_ONNX_H

#include "scorer/onnx/model_write.h"
#include "scorer/onnx/ort_session.h"

#define TINY_DIMS(...) ((const int64_t[]){__VA_ARGS__})

void tiny_begin(model_writer *w);
/* Initialisers in the model. */
void tiny_floats(model_writer *w, const char *name, size_t rank, const int64_t *dim,
                 const float *values);
void tiny_integers(model_writer *w, const char *name, size_t count, const int64_t *values);
/* Initialiser in a file beside the model. */
void tiny_external(model_writer *w, const char *name, size_t rank, const int64_t *dim,
                   const char *location, uint64_t offset);
/* Writes and ends the model; false: it could not be written. */
bool tiny_save(model_writer *w, const char *path);

/* The named models. Inputs are f32 [N,3,H,W] "image" and outputs f32 "score" unless said:
 *
 *   mean.onnx      [N,1]: mean of all values of an image; any size
 *   classes.onnx   [N,3]: softmax of the means of the three channels times 4
 *   four.onnx      as mean.onnx, batch fixed at 4, size 8 x 8
 *   tower.onnx     "embedding" [N,8]: 3 x 3 convolution with formula weights, relu, global mean
 *   head.onnx      "embedding" [N,8] to "score" [N,1]: linear with formula weights
 *   mates.onnx     [N,1]: mean minus the mean over the batch: depends on who is scored with it
 *   slow.onnx      [N,1]: mean, after 400000 products of 64 x 64 matrices in a loop: some seconds
 *   loud.onnx      "wave" [N,400] to [N,1]: mean of the absolute samples
 *   nan.onnx       [N,1]: mean; NaN where it is above 0.5
 *   beside.onnx    as tower.onnx with its weights in beside.bin
 *   bytes.onnx     u8 [N,H,W,3] "image": mean of the bytes
 *   prompt.onnx    "image", and i64 [1,L] "ids" and "mask": mean of the image plus a hundredth
 *                  of the sum of ids * mask
 *   prompts.onnx   the same, with ids and mask [N,L]
 *
 * Formula weights: tensor `name`, element i: SplitMix64 of the name, scorers 8.4, by four. */
bool tiny_models_make(const char *folder); /* all of them, into a folder that exists */
/* The weight of scorers 8.4: in [-1, 1). */
float tiny_weight(const char *name, uint64_t i);

#endif
