/* onnx_manifest_map.c - `output.map`: which values of a segmenter's output are the person. What
 * brings the output to one probability for each of its pixels are operations as any others. */
#include <float.h>

#include "scorer/fingerprint.h"
#include "scorer/onnx/onnx_manifest_parts.h"

static const char *const layouts[] = {"nchw", "nhwc", "nhw", NULL};
static const char *const activations[] = {"none", "sigmoid", "softmax", NULL};
enum { OPS = 2 };

/* Softmax needs all channels, sigmoid only the one that is used. */
static tare_status make_ops(onnx_manifest *out, arena *a, tare_error *err)
{
    tare_status status = TARE_OK;
    const onnx_map *map = &out->map;
    int axis = map->layout == ONNX_MAP_NCHW ? 1 : 3;
    onnx_op *ops;
    TRY_NEW(ops = arena_new(a, OPS, sizeof *ops));
    out->ops = ops;
    if (map->activation == ONNX_ACTIVATION_SOFTMAX)
        *ops++ = (onnx_op){.kind = ONNX_SOFTMAX, .axis = {axis}, .axis_count = 1};
    if (map->layout != ONNX_MAP_NHW)
        *ops++ = (onnx_op){.kind = ONNX_SELECT, .axis = {axis}, .axis_count = 1,
                           .index = map->channel};
    if (map->activation == ONNX_ACTIVATION_SIGMOID) *ops++ = (onnx_op){.kind = ONNX_SIGMOID};
    out->op_count = (size_t)(ops - out->ops);
done:
    return status;
}

/* Where a number can be above the threshold and below it. */
static tare_status read_threshold(onnx_map *map, const manifest_part *p, tare_error *err)
{
    manifest_bounds between = {DBL_MIN, 1 - DBL_EPSILON / 2, false,
                               "a number between 0 and 1, without these"};
    if (map->activation == ONNX_ACTIVATION_NONE)
        between = (manifest_bounds){-DBL_MAX, DBL_MAX, false, "a number"};
    map->threshold = 0.5;
    return manifest_number(&map->threshold, p, "threshold", &between, err);
}

static tare_status read_channel(onnx_map *map, const manifest_part *p, tare_error *err)
{
    static const manifest_bounds index = {0, MANIFEST_VALUES_MOST - 1, true,
                                          "a whole number from 0 to 65535"};
    static const char *const idle[] = {"channel", NULL};
    tare_status status = TARE_OK;
    double channel = 0;
    if (map->layout == ONNX_MAP_NHW) {
        TRY(manifest_idle(p, idle, "an output [batch, height, width] has no channels", err));
        if (map->activation == ONNX_ACTIVATION_SOFTMAX)
            MANIFEST_FAIL(p->r, manifest_get(p, "activation"), "conflict", "output.map.activation "
                          "is softmax, which is over channels, and layout nhw has none; allowed: "
                          "none, sigmoid");
        goto done;
    }
    TRY(manifest_need(p, "channel", "which channel is the person, from 0 on", err));
    TRY(manifest_number(&channel, p, "channel", &index, err));
    map->channel = (int64_t)channel;
done:
    return status;
}

/* What stands beside a map in the manifest. */
static tare_status check_beside(const onnx_manifest *m, const manifest_part *output,
                                tare_error *err)
{
    static const char *const idle[] = {"ops", "higher_is_better", "range", NULL};
    tare_status status = TARE_OK;
    const json_value *v = manifest_get(output, "map");
    TRY(manifest_idle(output, idle, "with a map there is no score", err));
    if (m->kind != ONNX_IMAGE)
        MANIFEST_FAIL(output->r, v, "conflict", "output.map needs input.kind image; it is %s",
                      manifest_kinds[m->kind]);
    if (m->batch != 1)
        MANIFEST_FAIL(output->r, v, "conflict", "output.map: pictures are segmented one by one; "
                      "batch is %zu; allowed: 1", m->batch);
done:
    return status;
}

tare_status manifest_read_map(onnx_manifest *out, const manifest_part *output, tare_error *err)
{
    static const char *const keys[] = {"layout", "channel", "activation", "threshold", "greater",
                                       NULL};
    tare_status status = TARE_OK;
    onnx_map *map = &out->map;
    manifest_part p;
    int layout = ONNX_MAP_NCHW, activation = ONNX_ACTIVATION_NONE;
    TRY(check_beside(out, output, err));
    TRY(manifest_part_open(&p, output->r, manifest_get(output, "map"), "output.map", keys, err));
    TRY(manifest_need(&p, "layout", "of the output: nchw, nhwc or nhw", err));
    TRY(manifest_need(&p, "activation", "what makes a probability of the output: none, sigmoid or "
                      "softmax", err));
    TRY(manifest_word(&layout, &p, "layout", layouts, err));
    TRY(manifest_word(&activation, &p, "activation", activations, err));
    map->given = map->greater = true;
    map->layout = (onnx_map_layout)layout;
    map->activation = (onnx_activation)activation;
    TRY(read_channel(map, &p, err));
    TRY(read_threshold(map, &p, err));
    TRY(manifest_bool(&map->greater, &p, "greater", err));
    TRY(make_ops(out, output->r->a, err));
done:
    return status;
}

const char *manifest_map_identity(const onnx_map *map, arena *a)
{
    fingerprint f;
    fingerprint_begin(&f, a);
    fingerprint_text(&f, "layout", layouts[map->layout]);
    if (map->layout != ONNX_MAP_NHW) fingerprint_number(&f, "channel", (double)map->channel);
    fingerprint_text(&f, "activation", activations[map->activation]);
    fingerprint_number(&f, "threshold", map->threshold);
    fingerprint_json(&f, "greater", map->greater ? "true" : "false");
    return fingerprint_end(&f);
}

/* ---- Against the model ----------------------------------------------------------------------- */

static const char *const shapes[] = {"[batch, channels, height, width]",
                                     "[batch, height, width, channels]",
                                     "[batch, height, width]"};

tare_status manifest_map_shape(const onnx_manifest *m, const onnx_shape *shape, tare_error *err)
{
    tare_status status = TARE_OK;
    const onnx_map *map = &m->map;
    char has[ONNX_SHAPE_TEXT];
    onnx_shape_text(has, shape->rank, shape->dim);
    if (shape->rank != (map->layout == ONNX_MAP_NHW ? 3u : 4u))
        FAIL(err, TARE_E_DATA, "manifest.map", "output.map", "the graph's output \"%.60s\" has the "
             "shape %s; layout %s is %s", m->output, has, layouts[map->layout],
             shapes[map->layout]);
    if (shape->dim[0] >= 0 && shape->dim[0] != 1)
        FAIL(err, TARE_E_DATA, "manifest.map", "output.map", "the graph's output \"%.60s\" has the "
             "shape %s: pictures are segmented one by one, so its first dimension must be 1",
             m->output, has);
    for (size_t k = 1; k < shape->rank; k++)
        if (shape->dim[k] == 0)
            FAIL(err, TARE_E_DATA, "manifest.map", "output.map", "the graph's output \"%.60s\" "
                 "has the shape %s: it holds nothing", m->output, has);
    if (map->layout == ONNX_MAP_NHW) goto done;
    int64_t channels = shape->dim[map->layout == ONNX_MAP_NCHW ? 1 : 3];
    if (channels >= 0 && map->channel >= channels)
        FAIL(err, TARE_E_DATA, "manifest.map", "output.map", "channel is %lld, and the graph's "
             "output \"%.60s\" has the shape %s, whose channels are 0 to %lld",
             (long long)map->channel, m->output, has, (long long)channels - 1);
    if (channels == 1 && map->activation == ONNX_ACTIVATION_SOFTMAX)
        FAIL(err, TARE_E_DATA, "manifest.map", "output.map", "activation is softmax, and the "
             "graph's output \"%.60s\" has the shape %s: of one channel it is 1 everywhere. Did "
             "you mean sigmoid?", m->output, has);
done:
    return status;
}
