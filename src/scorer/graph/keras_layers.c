#include "scorer/graph/keras_layers.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/hash.h"

enum { LAYERS_MOST = 10000, NAME_MOST = 200, VALUES_MOST = 4000000 };

static const json_value *typed(const json_value *object, const char *key, json_kind kind)
{
    const json_value *v = json_member(object, key);
    return v != NULL && v->kind == kind ? v : NULL;
}

static bool is_text(const json_value *v, const char *words)
{
    return v != NULL && v->kind == JSON_K_TEXT && strcmp(v->text, words) == 0;
}

static bool is_zero(const json_value *v)
{
    return v != NULL && v->kind == JSON_K_NUMBER && v->number == 0;
}

tare_status keras_refuse(const keras_layers *m, const keras_layer *l, tare_error *err,
                         const char *format, ...)
{
    char words[400];
    va_list list;
    va_start(list, format);
    vsnprintf(words, sizeof words, format, list);
    va_end(list);
    return error_set(err, TARE_E_DATA, "tfjs.layer", m->path, "layer %.80s (%.60s): %s", l->name,
                     l->kind, words);
}

static tare_status topology(const char *path, const char *words, tare_error *err)
{
    return error_set(err, TARE_E_DATA, "tfjs.topology", path, "%s", words);
}

/* ---- Settings -------------------------------------------------------------------------------- */

static bool ends_with(const char *word, const char *with)
{
    size_t n = strlen(word), k = strlen(with);
    return n >= k && strcmp(word + n - k, with) == 0;
}

/* What says nothing about the numbers once a model is trained. */
static bool of_training(const char *key)
{
    static const char *const keys[] = {"name", "trainable", "batch_input_shape", "momentum", "rate",
                                       "noise_shape", "seed", "sparse", "ragged", NULL};
    for (size_t k = 0; keys[k]; k++)
        if (strcmp(keys[k], key) == 0) return true;
    return ends_with(key, "_initializer") || ends_with(key, "_regularizer") ||
           ends_with(key, "_constraint");
}

tare_status keras_check_keys(const keras_layers *m, const keras_layer *l, const char *const *known,
                             tare_error *err)
{
    for (size_t i = 0; i < l->config->length; i++) {
        const char *key = l->config->keys[i];
        size_t k = 0;
        while (known[k] && strcmp(known[k], key) != 0) k++;
        if (known[k] || of_training(key)) continue;
        bool type = strcmp(key, "dtype") == 0;
        if (type && is_text(&l->config->children[i], "float32")) continue;
        return keras_refuse(m, l, err, type ? "its %.60s is not float32" :
                            "the setting %.60s is not known, so what it does cannot be rebuilt",
                            key);
    }
    return TARE_OK;
}

tare_status keras_integers(int64_t *out, size_t count, const keras_layers *m, const keras_layer *l,
                           const char *key, int64_t least, tare_error *err)
{
    const json_value *v = json_member(l->config, key);
    const json_value *each = count == 1 ? v : typed(l->config, key, JSON_K_ARRAY) ? v->children
                                                                                  : NULL;
    if (each == NULL || (count > 1 && v->length != count))
        return keras_refuse(m, l, err, "%s is missing or not %zu whole number%s", key, count,
                            count == 1 ? "" : "s");
    for (size_t k = 0; k < count; k++) {
        const json_value *x = &each[k];
        if (x->kind != JSON_K_NUMBER || !x->number_is_integer || x->number < (double)least ||
            x->number > KERAS_SETTING_MOST)
            return keras_refuse(m, l, err, "%s is no whole number from %d to %d", key, (int)least,
                                KERAS_SETTING_MOST);
        out[k] = (int64_t)x->number;
    }
    return TARE_OK;
}

tare_status keras_word(int *out, const keras_layers *m, const keras_layer *l, const char *key,
                       const char *const *words, tare_error *err)
{
    const json_value *v = json_member(l->config, key);
    if (v == NULL) return TARE_OK;
    for (int k = 0; words[k]; k++)
        if (is_text(v, words[k])) {
            *out = k;
            return TARE_OK;
        }
    return keras_refuse(m, l, err, "%s is \"%.40s\", which is not known here", key,
                        v->kind == JSON_K_TEXT ? v->text : "?");
}

tare_status keras_bool(bool *out, const keras_layers *m, const keras_layer *l, const char *key,
                       tare_error *err)
{
    const json_value *v = json_member(l->config, key);
    if (v == NULL) return TARE_OK;
    if (v->kind != JSON_K_BOOL) return keras_refuse(m, l, err, "%s is neither true nor false", key);
    *out = v->boolean;
    return TARE_OK;
}

tare_status keras_number(double *out, const keras_layers *m, const keras_layer *l, const char *key,
                         tare_error *err)
{
    const json_value *v = json_member(l->config, key);
    if (v == NULL || v->kind == JSON_K_NULL) return TARE_OK;
    if (v->kind != JSON_K_NUMBER || !isfinite(v->number))
        return keras_refuse(m, l, err, "%s is no number", key);
    *out = v->number;
    return TARE_OK;
}

/* ---- Layers ---------------------------------------------------------------------------------- */

/* Names as TensorFlow allows them: they become names of weights. */
static bool good_name(const json_value *v)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                  "0123456789._/>-";
    return v != NULL && v->kind == JSON_K_TEXT && v->length > 0 && v->length <= NAME_MOST &&
           strspn(v->text, letters) == v->length;
}

/* ["Conv1", 0, 0, {}]: the first output of the first use of a layer that stands before. */
static tare_status read_inbound(keras_layer *l, const keras_layers *m, const map *names,
                                const json_value *from, tare_error *err)
{
    tare_status status = TARE_OK;
    const json_value *part = from->kind == JSON_K_ARRAY ? from->children : NULL;
    if (part == NULL || from->length < 3 || part[0].kind != JSON_K_TEXT || !is_zero(&part[1]) ||
        !is_zero(&part[2]))
        TRY(keras_refuse(m, l, err, "what it takes is not the only output of another layer"));
    size_t index = map_find(names, part[0].text, part[0].length);
    if (index >= m->count)
        TRY(keras_refuse(m, l, err, "it takes the output of \"%.60s\", which is no layer before it",
                         part[0].text));
    if (l->inputs == KERAS_INPUTS_MOST)
        TRY(keras_refuse(m, l, err, "it takes more than %d inputs", KERAS_INPUTS_MOST));
    l->input[l->inputs++] = index;
done:
    return status;
}

static tare_status read_layer(keras_layer *l, const keras_layers *m, map *names,
                              const json_value *v, tare_error *err)
{
    tare_status status = TARE_OK;
    const json_value *kind = typed(v, "class_name", JSON_K_TEXT);
    const json_value *name = json_member(v, "name");
    const json_value *nodes = typed(v, "inbound_nodes", JSON_K_ARRAY);
    bool is_new = false;
    l->config = typed(v, "config", JSON_K_OBJECT);
    if (!kind || !good_name(name) || !nodes || !l->config)
        TRY(topology(m->path, "a layer lacks name, class_name, config or inbound_nodes, or its "
                     "name has other characters than TensorFlow allows", err));
    l->kind = kind->text;
    l->name = name->text;
    bool input = strcmp(l->kind, "InputLayer") == 0;
    if (nodes->length != (input ? 0 : 1) ||
        (!input && (nodes->children[0].kind != JSON_K_ARRAY || nodes->children[0].length == 0)))
        TRY(keras_refuse(m, l, err, "it is used more than once, or not at all"));
    for (size_t k = 0; !input && k < nodes->children[0].length; k++)
        TRY(read_inbound(l, m, names, &nodes->children[0].children[k], err));
    if (map_add(names, l->name, strlen(l->name), &is_new) == SIZE_MAX) FAIL_MEMORY(err);
    if (!is_new) TRY(keras_refuse(m, l, err, "another layer has this name"));
done:
    return status;
}

/* [["dense_3", 0, 0]] */
static tare_status read_end(size_t *out, const keras_layers *m, const map *names,
                            const json_value *config, const char *key, tare_error *err)
{
    tare_status status = TARE_OK;
    const json_value *list = typed(config, key, JSON_K_ARRAY);
    const json_value *one = list && list->length == 1 ? list->children : NULL;
    if (!one || one->kind != JSON_K_ARRAY || one->length != 3 ||
        one->children[0].kind != JSON_K_TEXT || !is_zero(&one->children[1]) ||
        !is_zero(&one->children[2]))
        TRY(topology(m->path, "a model of one input and one output is needed", err));
    *out = map_find(names, one->children[0].text, one->children[0].length);
    if (*out >= m->count)
        TRY(topology(m->path, "the model's input or output is none of its layers", err));
done:
    return status;
}

/* The part that lists the layers. */
static tare_status find_layers(const json_value **config, const json_value **layers,
                               const char *path, const json_value *root, tare_error *err)
{
    tare_status status = TARE_OK;
    const json_value *top = typed(root, "modelTopology", JSON_K_OBJECT);
    const json_value *model = typed(top, "model_config", JSON_K_OBJECT);
    if (model == NULL) model = top;
    const json_value *kind = json_member(model, "class_name");
    if (!is_text(kind, "Model") && !is_text(kind, "Functional"))
        TRY(topology(path, "modelTopology is no Keras model of the class Model or Functional",
                     err));
    *config = typed(model, "config", JSON_K_OBJECT);
    *layers = typed(*config, "layers", JSON_K_ARRAY);
    if (*layers == NULL || (*layers)->length == 0 || (*layers)->length > LAYERS_MOST)
        TRY(topology(path, "the model has no layers, or more than 10000", err));
done:
    return status;
}

tare_status keras_layers_read(keras_layers *out, arena *a, const char *path, const char *document,
                              tare_error *err)
{
    tare_status status = TARE_OK;
    json_limits limits = JSON_LIMITS_DEFAULT;
    json_value *root = NULL;
    const json_value *config = NULL, *layers = NULL;
    map *names = NULL;
    size_t input = 0;
    limits.values = VALUES_MOST;
    *out = (keras_layers){.path = path};
    TRY(json_parse(&root, a, path, document, strlen(document), &limits, err));
    TRY(find_layers(&config, &layers, path, root, err));
    TRY_NEW(names = map_new(a->m));
    TRY_NEW(out->layer = arena_new(a, layers->length, sizeof *out->layer));
    for (size_t k = 0; k < layers->length; k++, out->count++)
        TRY(read_layer(&out->layer[k], out, names, &layers->children[k], err));
    TRY(read_end(&input, out, names, config, "input_layers", err));
    TRY(read_end(&out->output, out, names, config, "output_layers", err));
    for (size_t k = 0; k < out->count; k++)
        if ((k == input) != (strcmp(out->layer[k].kind, "InputLayer") == 0))
            TRY(keras_refuse(out, &out->layer[k], err, "a model has one input, an InputLayer"));
done:
    map_free(names);
    return status;
}
