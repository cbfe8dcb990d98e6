/* keras_layers.h - the layers of a Keras model as TF.js writes them: names, settings and what each
 * one takes, checked. Scorers 4.3. */
#ifndef SCORER_GRAPH_KERAS_LAYERS_H
#define SCORER_GRAPH_KERAS_LAYERS_H

#include "base/json.h"

enum { KERAS_INPUTS_MOST = 2, KERAS_SETTING_MOST = 65536 };

typedef struct keras_layer {
    const char *name, *kind; /* "Conv1", "Conv2D" */
    const json_value *config;
    size_t input[KERAS_INPUTS_MOST], inputs; /* layers before this one */
} keras_layer;

typedef struct keras_layers {
    const char *path;  /* for errors */
    keras_layer *layer; /* each after those that it takes */
    size_t count, output;
} keras_layers;

/* `document`: the model.json. One input, one output, no layer that is used twice. Errors: DATA
 * ("tfjs.topology", "tfjs.layer": the layer by its name, what is wrong; "json.*"), MEMORY. */
tare_status keras_layers_read(keras_layers *out, arena *a, const char *path, const char *document,
                              tare_error *err);

/* ---- Settings of a layer; errors name the layer and the setting ------------------------------ */

/* Any other setting than these (NULL at the end), and than those that matter in training only, is
 * refused. Errors: DATA ("tfjs.layer"). */
tare_status keras_check_keys(const keras_layers *m, const keras_layer *l, const char *const *known,
                             tare_error *err);
/* `count` whole numbers from `least` to KERAS_SETTING_MOST. */
tare_status keras_integers(int64_t *out, size_t count, const keras_layers *m, const keras_layer *l,
                           const char *key, int64_t least, tare_error *err);
/* One of the words (NULL at the end); *out stands where the setting is absent. */
tare_status keras_word(int *out, const keras_layers *m, const keras_layer *l, const char *key,
                       const char *const *words, tare_error *err);
tare_status keras_bool(bool *out, const keras_layers *m, const keras_layer *l, const char *key,
                       tare_error *err);
/* null leaves *out as it is. */
tare_status keras_number(double *out, const keras_layers *m, const keras_layer *l, const char *key,
                         tare_error *err);
/* "FILE: layer X (Conv2D): ..." */
tare_status keras_refuse(const keras_layers *m, const keras_layer *l, tare_error *err,
                         const char *format, ...) __attribute__((format(printf, 4, 5)));

#endif
