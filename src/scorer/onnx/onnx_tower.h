/* onnx_tower.h - a model that turns images into vectors, for the heads that stand on it. */
#ifndef SCORER_ONNX_ONNX_TOWER_H
#define SCORER_ONNX_ONNX_TOWER_H

#include "scorer/onnx/onnx_model.h"

typedef struct onnx_tower onnx_tower;

/* The tower that a head's manifest names, opened now or taken from the shelf. `length`: numbers of
 * a vector. Errors: DATA (its output is not one vector of that length for each image), USAGE (it
 * takes no images), as onnx_model_read and onnx_model_load. */
tare_status onnx_tower_take(onnx_tower **out, scorer_shelf *shelf, tare_context *context,
                            const char *path, size_t length, const scorer_options *options,
                            tare_error *err);
/* The same for a tower that is not opened by a manifest: `make` fills a model that is all zeros
 * (onnx_model_begin, then onnx_model_adopt), and is called only if nothing stands on the shelf
 * under `key`, which is no path of a manifest. *made, NULL at first, is closed with the tower,
 * after the session, also where `make` fails. */
typedef struct onnx_tower_maker {
    tare_status (*make)(onnx_model *x, void **made, void *arg, tare_context *context,
                        const scorer_options *options, tare_error *err);
    void (*close)(void *made);
    void *arg;
    const char *key;
    size_t length; /* numbers of a vector */
} onnx_tower_maker;
tare_status onnx_tower_take_made(onnx_tower **out, scorer_shelf *shelf, tare_context *context,
                                 const onnx_tower_maker *maker, const scorer_options *options,
                                 tare_error *err);
void onnx_tower_give_back(scorer_shelf *shelf, onnx_tower *t); /* NULL ok */

/* vectors[n][length], and in results[n] a status where there is none, or a note. Vectors of pixels
 * that were seen are taken from the cache, but for items that are `fresh`. Thread-safe. Errors:
 * STOPPED, MEMORY. */
tare_status onnx_tower_vectors(float *vectors, scorer_result *results, onnx_tower *t,
                               const scorer_item *items, size_t n, tare_error *err);

const char *onnx_tower_identity(const onnx_tower *t);
const onnx_model *onnx_tower_model(const onnx_tower *t);

#endif
