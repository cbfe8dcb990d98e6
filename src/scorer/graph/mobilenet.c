/* mobilenet.c - the layers of a convolutional Keras model as an ONNX graph.
 *
 * Keras keeps images as [batch, height, width, channels], ONNX convolves [batch, channels, height,
 * width]: the image is turned once at the beginning, and back before it is flattened. */
#include "scorer/graph/mobilenet.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "scorer/graph/graph_build.h"
#include "scorer/graph/keras_layers.h"

enum { SIDE_MOST = 4096, SPOT = 4, LINE = 2 }; /* ranks: of images, of vectors */

/* What a layer gives. */
typedef struct value {
    graph_value name;
    size_t rank;
    int64_t channels, height, width; /* height, width: 1 where the rank is LINE */
} value;

typedef struct walk {
    graph_build b;
    keras_layers m;
    value *made;  /* of each layer */
    bool *taken;  /* each tensor of the checkpoint */
    int64_t batch;
    bool softmax; /* the last layer that was built ends in one */
    tare_error *err;
} walk;

/* One layer: `x` holds what it takes, *out is x[0] to begin with. */
typedef tare_status (*layer_fn)(value *out, walk *w, const keras_layer *l, const value *x);

static tare_status need_image(const walk *w, const keras_layer *l, const value *x)
{
    if (x->rank == SPOT) return TARE_OK;
    return keras_refuse(&w->m, l, w->err, "it takes an image, and gets a vector");
}

static tare_status need_last(const walk *w, const keras_layer *l)
{
    static const char *const last[] = {"channels_last", NULL};
    int any = 0;
    return keras_word(&any, &w->m, l, "data_format", last, w->err);
}

/* ---- Weights --------------------------------------------------------------------------------- */

static tare_status find_weight(const checkpoint_tensor **out, const char **name, walk *w,
                               const keras_layer *l, const char *part, size_t rank,
                               const int64_t *dim)
{
    tare_error *err = w->err;
    tare_status status = TARE_OK;
    const checkpoint *c = w->b.c;
    checkpoint_tensor wanted = {.type = TENSOR_F32, .rank = rank};
    char found_text[TENSOR_TEXT], wanted_text[TENSOR_TEXT];
    memcpy(wanted.dim, dim, rank * sizeof *dim);
    checkpoint_tensor_text(wanted_text, &wanted);
    TRY_NEW(*name = arena_printf(w->b.a, "%s/%s", l->name, part));
    const checkpoint_tensor *t = checkpoint_find(c, *name);
    if (t == NULL)
        FAIL(err, TARE_E_DATA, "checkpoint.missing", c->path, "no weight %.200s; the layer needs "
             "one of %s", *name, strchr(wanted_text, '['));
    checkpoint_tensor_text(found_text, t);
    if (t->rank != rank || memcmp(t->dim, dim, rank * sizeof *dim) != 0)
        FAIL(err, TARE_E_DATA, "checkpoint.shape", c->path, "the weight %.200s is %s; its layer in "
             "the topology needs %s", *name, found_text, strchr(wanted_text, '['));
    w->taken[t - c->tensor] = true;
    *out = t;
done:
    return status;
}

/* As it lies. */
static tare_status plain_weight(graph_value *out, walk *w, const keras_layer *l, const char *part,
                                size_t rank, const int64_t *dim)
{
    tare_status status = TARE_OK;
    const checkpoint_tensor *t = NULL;
    const char *name = NULL;
    TRY(find_weight(&t, &name, w, l, part, rank, dim));
    *out = graph_weight(&w->b, name, &(graph_view){.tensor = t});
    TRY(w->b.status);
done:
    return status;
}

/* A kernel [height, width, from, to], turned to ONNX's [to, from, height, width]; of a depthwise
 * one [height, width, channels, times] to [channels x times, 1, height, width]. */
static tare_status kernel_weight(graph_value *out, walk *w, const keras_layer *l, const char *part,
                                 const int64_t dim[4], bool depthwise)
{
    static const size_t usual[] = {3, 2, 0, 1}, depth[] = {2, 3, 0, 1};
    tare_status status = TARE_OK;
    const size_t *order = depthwise ? depth : usual;
    const checkpoint_tensor *t = NULL;
    const char *name = NULL;
    TRY(find_weight(&t, &name, w, l, part, 4, dim));
    checkpoint_tensor turned = *t;
    graph_view v = {.tensor = &turned, .rank = 4};
    turned.contiguous = false;
    for (size_t k = 0; k < 4; k++) {
        turned.dim[k] = v.dim[k] = t->dim[order[k]];
        turned.stride[k] = t->stride[order[k]];
    }
    if (depthwise) {
        v.dim[0] = dim[2] * dim[3];
        v.dim[1] = 1;
    }
    *out = graph_weight(&w->b, name, &v);
    TRY(w->b.status);
done:
    return status;
}

/* ---- Convolutions and pools ------------------------------------------------------------------ */

typedef struct window {
    int64_t kernel[2], strides[2], dilation[2], pads[4]; /* pads: top, left, bottom, right */
} window;

/* One axis. TensorFlow's "same" puts the odd pixel of padding last. 0: nothing would be left. */
static int64_t slide(window *p, size_t axis, int64_t in, bool same)
{
    int64_t reach = (p->kernel[axis] - 1) * p->dilation[axis] + 1, stride = p->strides[axis];
    if (same) {
        int64_t out = (in + stride - 1) / stride;
        int64_t total = (out - 1) * stride + reach - in;
        if (total < 0) total = 0;
        p->pads[axis] = total / 2;
        p->pads[axis + 2] = total - total / 2;
        return out;
    }
    p->pads[axis] = p->pads[axis + 2] = 0;
    return in < reach ? 0 : (in - reach) / stride + 1;
}

static tare_status read_window(window *p, value *out, const walk *w, const keras_layer *l,
                               const char *size, bool dilated)
{
    static const char *const paddings[] = {"valid", "same", NULL};
    tare_status status = TARE_OK;
    int same = 0;
    *p = (window){.dilation = {1, 1}};
    TRY(need_image(w, l, out));
    TRY(need_last(w, l));
    TRY(keras_integers(p->kernel, 2, &w->m, l, size, 1, w->err));
    TRY(keras_integers(p->strides, 2, &w->m, l, "strides", 1, w->err));
    if (dilated && json_member(l->config, "dilation_rate"))
        TRY(keras_integers(p->dilation, 2, &w->m, l, "dilation_rate", 1, w->err));
    TRY(keras_word(&same, &w->m, l, "padding", paddings, w->err));
    out->height = slide(p, 0, out->height, same == 1);
    out->width = slide(p, 1, out->width, same == 1);
    if (out->height < 1 || out->width < 1)
        TRY(keras_refuse(&w->m, l, w->err, "its window is larger than the image that it gets"));
done:
    return status;
}

static void write_window(walk *w, const window *p)
{
    model_write_ints(&w->b.w, "kernel_shape", p->kernel, 2);
    model_write_ints(&w->b.w, "strides", p->strides, 2);
    model_write_ints(&w->b.w, "pads", p->pads, 4);
}

static tare_status activate(value *out, walk *w, const keras_layer *l)
{
    static const char *const words[] = {"linear", "relu", "relu6", "sigmoid", "softmax", NULL};
    tare_status status = TARE_OK;
    int word = 0;
    graph_build *b = &w->b;
    TRY(keras_word(&word, &w->m, l, "activation", words, w->err));
    w->softmax = word == 4;
    if (word == 1) out->name = graph_node(b, "Relu", out->name, NULL, NULL);
    if (word == 2)
        out->name = graph_node(b, "Clip", out->name, graph_number(b, 0), graph_number(b, 6));
    if (word == 3) out->name = graph_node(b, "Sigmoid", out->name, NULL, NULL);
    if (w->softmax && out->rank != LINE)
        TRY(keras_refuse(&w->m, l, w->err, "a soft-max is taken of vectors only"));
    if (w->softmax) out->name = graph_node(b, "Softmax", out->name, NULL, NULL);
done:
    return status;
}

static tare_status convolve(value *out, walk *w, const keras_layer *l, const value *x,
                            bool depthwise)
{
    tare_status status = TARE_OK;
    window p;
    graph_value kernel, bias = NULL;
    bool biased = true;
    int64_t groups = 1, last = 1, from = x->channels;
    TRY(read_window(&p, out, w, l, "kernel_size", true));
    TRY(keras_integers(&last, 1, &w->m, l, depthwise ? "depth_multiplier" : "filters", 1, w->err));
    if (json_member(l->config, "groups"))
        TRY(keras_integers(&groups, 1, &w->m, l, "groups", 1, w->err));
    if (groups != 1) TRY(keras_refuse(&w->m, l, w->err, "groups is not 1"));
    TRY(keras_bool(&biased, &w->m, l, "use_bias", w->err));
    out->channels = depthwise ? from * last : last;
    TRY(kernel_weight(&kernel, w, l, depthwise ? "depthwise_kernel" : "kernel",
                      (int64_t[]){p.kernel[0], p.kernel[1], from, last}, depthwise));
    if (biased) TRY(plain_weight(&bias, w, l, "bias", 1, &out->channels));
    out->name = graph_node(&w->b, "Conv", x->name, kernel, bias);
    write_window(w, &p);
    model_write_ints(&w->b.w, "dilations", p.dilation, 2);
    model_write_int(&w->b.w, "group", depthwise ? from : 1);
    TRY(activate(out, w, l));
done:
    return status;
}

static tare_status layer_conv(value *out, walk *w, const keras_layer *l, const value *x)
{
    static const char *const keys[] = {"filters", "kernel_size", "strides", "padding",
                                       "data_format", "dilation_rate", "groups", "activation",
                                       "use_bias", NULL};
    tare_status status = keras_check_keys(&w->m, l, keys, w->err);
    return status == TARE_OK ? convolve(out, w, l, x, false) : status;
}

static tare_status layer_depthwise(value *out, walk *w, const keras_layer *l, const value *x)
{
    static const char *const keys[] = {"kernel_size", "strides", "padding", "data_format",
                                       "dilation_rate", "depth_multiplier", "activation",
                                       "use_bias", NULL};
    tare_status status = keras_check_keys(&w->m, l, keys, w->err);
    return status == TARE_OK ? convolve(out, w, l, x, true) : status;
}

static tare_status layer_pool(value *out, walk *w, const keras_layer *l, const value *x)
{
    static const char *const keys[] = {"pool_size", "strides", "padding", "data_format", NULL};
    tare_status status = TARE_OK;
    window p;
    TRY(keras_check_keys(&w->m, l, keys, w->err));
    TRY(read_window(&p, out, w, l, "pool_size", false));
    out->name = graph_node(&w->b, "AveragePool", x->name, NULL, NULL);
    write_window(w, &p);
done:
    return status;
}

static tare_status layer_global_pool(value *out, walk *w, const keras_layer *l, const value *x)
{
    static const char *const keys[] = {"data_format", "keepdims", NULL};
    tare_status status = TARE_OK;
    bool keep = false;
    TRY(keras_check_keys(&w->m, l, keys, w->err));
    TRY(need_image(w, l, x));
    TRY(need_last(w, l));
    TRY(keras_bool(&keep, &w->m, l, "keepdims", w->err));
    out->name = graph_node(&w->b, "GlobalAveragePool", x->name, NULL, NULL);
    out->height = out->width = 1;
    if (!keep) {
        out->rank = LINE;
        out->name = graph_node(&w->b, "Flatten", out->name, NULL, NULL);
    }
done:
    return status;
}

static tare_status layer_pad(value *out, walk *w, const keras_layer *l, const value *x)
{
    static const char *const keys[] = {"padding", "data_format", NULL};
    tare_status status = TARE_OK;
    const json_value *pads = json_member(l->config, "padding");
    int64_t p[4] = {0};
    TRY(keras_check_keys(&w->m, l, keys, w->err));
    TRY(need_image(w, l, x));
    TRY(need_last(w, l));
    for (size_t k = 0; k < 4; k++) {
        const json_value *side = pads && pads->kind == JSON_K_ARRAY && pads->length == 2
                                     ? &pads->children[k / 2] : NULL;
        const json_value *n = side && side->kind == JSON_K_ARRAY && side->length == 2
                                  ? &side->children[k % 2] : NULL;
        if (!n || n->kind != JSON_K_NUMBER || !n->number_is_integer || n->number < 0 ||
            n->number > KERAS_SETTING_MOST)
            TRY(keras_refuse(&w->m, l, w->err,
                             "padding is not [[top, bottom], [left, right]], each from 0 to %d",
                             KERAS_SETTING_MOST));
        p[k] = (int64_t)n->number;
    }
    out->height += p[0] + p[1];
    out->width += p[2] + p[3];
    out->name = graph_node(&w->b, "Pad", x->name,
                           graph_integers(&w->b, 8, (int64_t[]){0, 0, p[0], p[2], 0, 0, p[1],
                                                                p[3]}), NULL);
done:
    return status;
}

/* ---- The others ------------------------------------------------------------------------------ */

static tare_status layer_norm(value *out, walk *w, const keras_layer *l, const value *x)
{
    tare_error *err = w->err;
    static const char *const keys[] = {"axis", "epsilon", "center", "scale", NULL};
    static const char *const parts[] = {"gamma", "beta", "moving_mean", "moving_variance"};
    tare_status status = TARE_OK;
    const json_value *axis = json_member(l->config, "axis");
    bool center = true, scale = true;
    double epsilon = NAN;
    graph_value v[4] = {NULL}, rest = NULL;
    if (axis && axis->kind == JSON_K_ARRAY && axis->length == 1) axis = axis->children;
    TRY(keras_check_keys(&w->m, l, keys, w->err));
    if (!axis || axis->kind != JSON_K_NUMBER ||
        (axis->number != -1 && axis->number != (double)x->rank - 1))
        TRY(keras_refuse(&w->m, l, w->err, "its axis is not the last one"));
    TRY(keras_bool(&center, &w->m, l, "center", w->err));
    TRY(keras_bool(&scale, &w->m, l, "scale", w->err));
    TRY(keras_number(&epsilon, &w->m, l, "epsilon", w->err));
    if (!center || !scale || !(epsilon > 0))
        TRY(keras_refuse(&w->m, l, w->err, "center, scale and a positive epsilon are needed"));
    for (size_t k = 0; k < 4; k++)
        TRY(plain_weight(&v[k], w, l, parts[k], 1, &x->channels));
    TRY_NEW(rest = arena_printf(w->b.a, "%s %s %s", v[1], v[2], v[3]));
    out->name = graph_node(&w->b, "BatchNormalization", x->name, v[0], rest);
    model_write_float(&w->b.w, "epsilon", (float)epsilon);
done:
    return status;
}

static tare_status layer_relu(value *out, walk *w, const keras_layer *l, const value *x)
{
    static const char *const keys[] = {"max_value", "negative_slope", "threshold", NULL};
    tare_status status = TARE_OK;
    double most = NAN, slope = 0, threshold = 0;
    TRY(keras_check_keys(&w->m, l, keys, w->err));
    TRY(keras_number(&most, &w->m, l, "max_value", w->err));
    TRY(keras_number(&slope, &w->m, l, "negative_slope", w->err));
    TRY(keras_number(&threshold, &w->m, l, "threshold", w->err));
    if (slope != 0 || threshold != 0)
        TRY(keras_refuse(&w->m, l, w->err, "negative_slope or threshold is not 0"));
    if (isnan(most)) out->name = graph_node(&w->b, "Relu", x->name, NULL, NULL);
    else out->name = graph_node(&w->b, "Clip", x->name, graph_number(&w->b, 0),
                                graph_number(&w->b, most));
done:
    return status;
}

static tare_status layer_activation(value *out, walk *w, const keras_layer *l, const value *x)
{
    static const char *const keys[] = {"activation", NULL};
    tare_status status = keras_check_keys(&w->m, l, keys, w->err);
    (void)x;
    return status == TARE_OK ? activate(out, w, l) : status;
}

static tare_status layer_add(value *out, walk *w, const keras_layer *l, const value *x)
{
    static const char *const keys[] = {NULL};
    tare_status status = TARE_OK;
    TRY(keras_check_keys(&w->m, l, keys, w->err));
    if (x[0].rank != x[1].rank || x[0].channels != x[1].channels ||
        x[0].height != x[1].height || x[0].width != x[1].width)
        TRY(keras_refuse(&w->m, l, w->err, "what it adds has two sizes"));
    out->name = graph_node(&w->b, "Add", x[0].name, x[1].name, NULL);
done:
    return status;
}

static tare_status layer_flatten(value *out, walk *w, const keras_layer *l, const value *x)
{
    static const char *const keys[] = {"data_format", NULL};
    tare_status status = TARE_OK;
    TRY(keras_check_keys(&w->m, l, keys, w->err));
    TRY(need_last(w, l));
    if (x->rank == LINE) goto done;
    out->name = graph_transpose(&w->b, x->name, 4, (int64_t[]){0, 2, 3, 1});
    out->name = graph_node(&w->b, "Flatten", out->name, NULL, NULL);
    out->channels = x->channels * x->height * x->width;
    out->rank = LINE;
    out->height = out->width = 1;
done:
    return status;
}

static tare_status layer_dense(value *out, walk *w, const keras_layer *l, const value *x)
{
    static const char *const keys[] = {"units", "activation", "use_bias", NULL};
    tare_status status = TARE_OK;
    graph_value kernel, bias = NULL;
    bool biased = true;
    TRY(keras_check_keys(&w->m, l, keys, w->err));
    if (x->rank != LINE)
        TRY(keras_refuse(&w->m, l, w->err, "it takes a vector, and gets an image"));
    TRY(keras_integers(&out->channels, 1, &w->m, l, "units", 1, w->err));
    TRY(keras_bool(&biased, &w->m, l, "use_bias", w->err));
    TRY(plain_weight(&kernel, w, l, "kernel", 2, (int64_t[]){x->channels, out->channels}));
    if (biased) TRY(plain_weight(&bias, w, l, "bias", 1, &out->channels));
    out->name = graph_linear(&w->b, x->name, kernel, true, bias);
    TRY(activate(out, w, l));
done:
    return status;
}

static tare_status layer_dropout(value *out, walk *w, const keras_layer *l, const value *x)
{
    static const char *const keys[] = {NULL};
    (void)out;
    (void)x;
    return keras_check_keys(&w->m, l, keys, w->err); /* nothing is dropped but in training */
}

/* ---- The walk -------------------------------------------------------------------------------- */

static tare_status layer_input(value *out, walk *w, const keras_layer *l)
{
    tare_error *err = w->err;
    tare_status status = TARE_OK;
    static const char *const keys[] = {NULL};
    const json_value *shape = json_member(l->config, "batch_input_shape");
    const json_value *d = shape && shape->kind == JSON_K_ARRAY ? shape->children : NULL;
    TRY(keras_check_keys(&w->m, l, keys, err));
    if (!d || shape->length != 4 || d[1].kind != JSON_K_NUMBER || !d[1].number_is_integer ||
        d[2].kind != JSON_K_NUMBER || d[1].number != d[2].number || d[1].number < 1 ||
        d[1].number > SIDE_MOST || d[3].kind != JSON_K_NUMBER || d[3].number != 3)
        TRY(keras_refuse(&w->m, l, err, "batch_input_shape is not [null, side, side, 3] with a "
                         "side of at most %d", SIDE_MOST));
    int64_t side = (int64_t)d[1].number;
    graph_input(&w->b, GRAPH_IMAGE, TENSOR_F32, 4, (int64_t[]){w->batch, side, side, 3});
    *out = (value){graph_transpose(&w->b, GRAPH_IMAGE, 4, (int64_t[]){0, 3, 1, 2}), SPOT, 3, side,
                   side};
done:
    return status;
}

static const struct { const char *kind; size_t inputs; layer_fn build; } kinds[] = {
    {"Activation", 1, layer_activation}, {"Add", 2, layer_add}, {"AveragePooling2D", 1, layer_pool},
    {"BatchNormalization", 1, layer_norm}, {"Conv2D", 1, layer_conv}, {"Dense", 1, layer_dense},
    {"DepthwiseConv2D", 1, layer_depthwise}, {"Dropout", 1, layer_dropout},
    {"Flatten", 1, layer_flatten}, {"GlobalAveragePooling2D", 1, layer_global_pool},
    {"ReLU", 1, layer_relu}, {"ZeroPadding2D", 1, layer_pad}};

static tare_status build_layer(value *out, walk *w, const keras_layer *l)
{
    tare_error *err = w->err;
    tare_status status = TARE_OK;
    value x[KERAS_INPUTS_MOST];
    size_t k = 0, count = sizeof kinds / sizeof *kinds;
    if (strcmp(l->kind, "InputLayer") == 0) {
        TRY(layer_input(out, w, l));
        goto done;
    }
    while (k < count && strcmp(kinds[k].kind, l->kind) != 0) k++;
    if (k == count)
        TRY(keras_refuse(&w->m, l, err, "layers of this kind are not known"));
    if (l->inputs != kinds[k].inputs)
        TRY(keras_refuse(&w->m, l, err, "it takes %zu inputs, not %zu", kinds[k].inputs,
                         l->inputs));
    for (size_t i = 0; i < l->inputs; i++) x[i] = w->made[l->input[i]];
    *out = x[0];
    w->softmax = false;
    TRY(kinds[k].build(out, w, l, x));
    if (out->channels * out->height > INT32_MAX / out->width)
        TRY(keras_refuse(&w->m, l, err, "it gives more than 2^31 numbers for one image"));
done:
    return status == TARE_OK ? w->b.status : status;
}

static tare_status build_layers(walk *w, int *side, int *classes)
{
    tare_error *err = w->err;
    tare_status status = TARE_OK;
    const checkpoint *c = w->b.c;
    bool softmax = false;
    for (size_t k = 0; k < w->m.count; k++) {
        TRY(build_layer(&w->made[k], w, &w->m.layer[k]));
        if (k == w->m.output) softmax = w->softmax;
        if (strcmp(w->m.layer[k].kind, "InputLayer") == 0) *side = (int)w->made[k].height;
    }
    const value *last = &w->made[w->m.output];
    if (!softmax)
        TRY(keras_refuse(&w->m, &w->m.layer[w->m.output], err, "the model ends here, and not in a "
                         "soft-max, which would give probabilities"));
    for (size_t k = 0; k < c->tensor_count; k++)
        if (!w->taken[k])
            FAIL(err, TARE_E_DATA, "checkpoint.surplus", c->path,
                 "no layer of the topology takes the weight %.200s", c->tensor[k].name);
    graph_output(&w->b, last->name, 2, (int64_t[]){w->batch, last->channels});
    *classes = (int)last->channels;
done:
    return status;
}

tare_status graph_mobilenet(graph_model *out, int *side, int *classes, arena *a,
                            const checkpoint *c, size_t batch, tare_error *err)
{
    tare_status status = TARE_OK, ended;
    walk w = {.batch = (int64_t)batch, .err = err};
    graph_build_begin(&w.b, a, c, err);
    if (c->document == NULL)
        FAIL(err, TARE_E_DATA, "tfjs.topology", c->path,
             "this file of weights says nothing about layers: it is no TF.js layers model");
    TRY(keras_layers_read(&w.m, a, c->path, c->document, err));
    TRY_NEW(w.made = arena_new(a, w.m.count, sizeof *w.made));
    TRY_NEW(w.taken = arena_new(a, c->tensor_count, sizeof *w.taken));
    TRY(build_layers(&w, side, classes));
done:
    ended = graph_build_end(out, &w.b);
    return status == TARE_OK ? ended : status;
}
