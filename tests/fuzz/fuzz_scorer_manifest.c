/* Any bytes as a manifest: it is refused with a place, or what it says is within its limits, its
 * identity is canonical JSON, and its operations run on any shape or say why they do not. */
#include <math.h>
#include <string.h>

#include "fuzz.h"
#include "scorer/onnx/onnx_manifest_parts.h"

static void check_image(const onnx_image_input *in)
{
    REQUIRE(in->height > 0 && in->height <= 65535 && in->width > 0 && in->width <= 65535);
    REQUIRE((float)in->divide > 0 && isfinite((float)in->divide));
    for (int k = 0; k < 3; k++) {
        REQUIRE(isfinite((float)in->mean[k]) && isfinite((float)in->std[k]));
        REQUIRE((float)in->std[k] != 0);
        REQUIRE(in->pad_colour[k] >= 0 && in->pad_colour[k] <= 255);
    }
    REQUIRE(in->crop == ONNX_CROP_NONE || in->fit == ONNX_FIT_SHORT || in->fit == ONNX_FIT_NONE ||
            (in->fit == ONNX_FIT_STRETCH && in->fit_height));
    REQUIRE(in->pad == ONNX_PAD_NONE || in->fit == ONNX_FIT_LONG);
}

static void check_map(const onnx_manifest *x)
{
    const onnx_map *map = &x->map;
    REQUIRE(x->kind == ONNX_IMAGE && x->batch == 1 && x->op_count <= 2);
    REQUIRE(map->channel >= 0 && isfinite(map->threshold));
    REQUIRE(map->layout != ONNX_MAP_NHW || (map->channel == 0 &&
                                            map->activation != ONNX_ACTIVATION_SOFTMAX));
    REQUIRE(map->activation == ONNX_ACTIVATION_NONE || (map->threshold > 0 && map->threshold < 1));
}

static void check_manifest(const onnx_manifest *x)
{
    if (x->kind == ONNX_IMAGE) check_image(&x->image);
    if (x->map.given) check_map(x);
    REQUIRE(*x->name && *x->model && *x->input && *x->output);
    REQUIRE(strlen(x->sha256) == 64 || strlen(x->sha256) == 0);
    REQUIRE(x->batch >= 1 && x->batch <= 4096 && x->op_count <= 32);
    REQUIRE(isnan(x->range_lo) == isnan(x->range_hi));
    REQUIRE(isnan(x->range_lo) || x->range_lo < x->range_hi);
    REQUIRE(x->prompt.mode != ONNX_PROMPT_PER_ITEM);
    if (x->prompt.mode == ONNX_PROMPT_NONE) return;
    REQUIRE(x->prompt.count > 0 && x->prompt.count <= x->prompt.length && x->prompt.ids_name);
    for (size_t i = 0; i < x->prompt.count; i++) REQUIRE(x->prompt.ids[i] >= 0);
}

static void run_ops(const onnx_manifest *x, const mem *m)
{
    static const struct { size_t batch, rank; int64_t dim[4]; } shapes[] = {
        {2, 3, {2, 3, 4}}, {1, 0, {0}}, {3, 1, {3}}, {1, 2, {1, 10}}, {2, 4, {2, 1, 2, 5}},
        {1, 2, {1, 0}}};
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++) {
        double values[32], scores[4];
        tare_error err = {TARE_OK, "", "", ""};
        ort_output out = {.rank = shapes[k].rank, .count = 1, .value = values};
        memcpy(out.dim, shapes[k].dim, sizeof shapes[k].dim);
        for (size_t i = 0; i < out.rank; i++) out.count *= (size_t)out.dim[i];
        for (size_t i = 0; i < out.count; i++) values[i] = (double)(i * 7919 % 11) / 4 - 1;
        tare_status status =
            onnx_ops_run(scores, m, &out, shapes[k].batch, x->ops, x->op_count, &err);
        REQUIRE(status == TARE_OK || (status == TARE_E_DATA && err.message[0] && err.where[0]));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > 65536 || memmem(data, size, "/dev/", 5) || memmem(data, size, "/proc/", 6))
        return 0; /* what operations name is opened */
    mem m = mem_system();
    arena a;
    onnx_manifest x, again;
    tare_error err = {TARE_OK, "", "", ""};
    const char *bytes = (const char *)data;
    arena_init(&a, &m);
    tare_status status = onnx_manifest_parse(&x, &a, "nowhere/m", bytes, size, &err);
    if (status == TARE_OK) {
        json_value *identity;
        check_manifest(&x);
        REQUIRE(json_parse(&identity, &a, "identity", x.identity, strlen(x.identity), NULL,
                           &err) == TARE_OK);
        REQUIRE(onnx_manifest_parse(&again, &a, "other/n", bytes, size, &err) == TARE_OK);
        REQUIRE(!strcmp(x.identity, again.identity));
        run_ops(&x, &m);
    } else {
        REQUIRE(err.status == status && err.message[0] && err.code[0] && err.where[0]);
        REQUIRE(status == TARE_E_DATA || status == TARE_E_LIMIT || status == TARE_E_IO);
    }
    arena_free(&a);
    return 0;
}
