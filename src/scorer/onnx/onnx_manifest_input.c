/* onnx_manifest_input.c - what goes into the model: pixels, vectors or waves. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "scorer/onnx/onnx_manifest_parts.h"

const char *const manifest_kinds[] = {"image", "vector", "wave", NULL};
const char *const manifest_layouts[] = {"nchw", "nhwc", NULL};
const char *const manifest_fits_words[] = {"short", "long", "stretch", "none", NULL};
const char *const manifest_crops[] = {"none", "center-round", "center-floor", "topleft", NULL};
const char *const manifest_equal_words[] = {"skip", "skip-pad", NULL};
const char *const manifest_counts[] = {"all-samples", "whole-hops", NULL};
const char *const manifest_shorts[] = {"repeat", "zero", NULL};

static const char *const types[] = {"f32", "f16", "u8", NULL};
static const ort_type type_of[] = {ORT_F32, ORT_F16, ORT_U8};

const char *manifest_dtype(ort_type type)
{
    size_t k = 0;
    while (types[k + 1] && type_of[k] != type) k++;
    return types[k];
}

static const manifest_bounds any_number = {-FLT_MAX, FLT_MAX, false, "a number of 32 bits"};
static const manifest_bounds side = {1, MANIFEST_SIDE_MOST, true,
                                     "a whole number from 1 to 65535"};

/* ---- Resize ---------------------------------------------------------------------------------- */

/* Keys that say how, against what they are said of. */
static tare_status check_resize(const onnx_image_input *in, const manifest_part *p,
                                tare_error *err)
{
    static const char *const how[] = {"size", "kernel", "backend", "antialias", "corners",
                                      "pass_order", "before_rgb", "when_equal", NULL};
    static const char *const pillow[] = {"antialias", "corners", NULL};
    static const char *const tensor[] = {"pass_order", NULL};
    tare_status status = TARE_OK;
    if (in->fit == ONNX_FIT_NONE) {
        TRY(manifest_idle(p, how, "with mode none nothing is resized", err));
        goto done;
    }
    TRY(manifest_need(p, "kernel", "nearest, box, bilinear, hamming, bicubic or lanczos", err));
    if (!in->tensor)
        TRY(manifest_idle(p, pillow, "Pillow's resize always smooths; backend tensor has it", err));
    else
        TRY(manifest_idle(p, tensor, "it is the order of Pillow's two passes", err));
    resize_kernel k = in->how.kernel;
    const json_value *kernel = manifest_get(p, "kernel");
    if (in->tensor && in->antialias && k == RESIZE_NEAREST)
        MANIFEST_FAIL(p->r, kernel, "conflict", "input.resize.kernel is nearest; allowed with "
                      "antialias: box, bilinear, hamming, bicubic, lanczos");
    if (in->tensor && !in->antialias && k != RESIZE_BILINEAR && k != RESIZE_BICUBIC)
        MANIFEST_FAIL(p->r, kernel, "conflict", "input.resize.kernel is %s; allowed with backend "
                      "tensor and antialias false: bilinear, bicubic", resize_kernel_name(k));
    if (in->aligned && (in->antialias || k != RESIZE_BILINEAR))
        MANIFEST_FAIL(p->r, manifest_get(p, "corners"), "conflict", "input.resize.corners: aligned "
                      "is allowed with kernel bilinear and antialias false only");
    if (in->tensor && in->before_rgb)
        MANIFEST_FAIL(p->r, manifest_get(p, "before_rgb"), "conflict", "input.resize.before_rgb: "
                      "backend tensor works on RGB; allowed with backend pillow only");
done:
    return status;
}

/* A resize to another size than the model's, of which a crop is left: 256, then 224 (ours). */
static tare_status read_fit(onnx_image_input *in, const manifest_part *p, tare_error *err)
{
    tare_status status = TARE_OK;
    double size[2] = {0, 0};
    const json_value *v = manifest_get(p, "size");
    if (!v) goto done;
    if (in->fit == ONNX_FIT_STRETCH) {
        TRY(manifest_numbers(size, 2, p, "size", &side, err));
    } else {
        TRY(manifest_number(size, p, "size", &side, err));
        size[1] = size[0];
    }
    in->fit_height = (int)size[0];
    in->fit_width = (int)size[1];
    if (in->fit == ONNX_FIT_STRETCH &&
        (in->fit_height < in->height || in->fit_width < in->width))
        MANIFEST_FAIL(p->r, v, "conflict", "input.resize.size is %d x %d, less than input.size: "
                      "nothing would fill the rest", in->fit_height, in->fit_width);
done:
    return status;
}

static tare_status read_resize(onnx_image_input *in, const manifest_reader *r, const json_value *v,
                               tare_error *err)
{
    static const char *const keys[] = {"mode", "size", "kernel", "backend", "antialias", "corners",
                                       "pass_order", "before_rgb", "when_equal", NULL};
    static const char *const backends[] = {"pillow", "tensor", NULL};
    static const char *const corners[] = {"half-pixel", "aligned", NULL};
    const char *kernels[8] = {NULL}, *orders[4] = {NULL};
    tare_status status = TARE_OK;
    manifest_part p;
    int fit = 0, kernel = RESIZE_BICUBIC, backend = 0, order = RESIZE_ACROSS_FIRST, skip = 0;
    int corner = 0;
    for (int k = 0; k < 7 && resize_kernel_name((resize_kernel)k); k++)
        kernels[k] = resize_kernel_name((resize_kernel)k);
    for (int k = 0; k < 3 && resize_order_name((resize_order)k); k++)
        orders[k] = resize_order_name((resize_order)k);
    TRY(manifest_part_open(&p, r, v, "input.resize", keys, err));
    TRY(manifest_need(&p, "mode", "short, long, stretch or none", err));
    TRY(manifest_word(&fit, &p, "mode", manifest_fits_words, err));
    TRY(manifest_word(&kernel, &p, "kernel", kernels, err));
    TRY(manifest_word(&backend, &p, "backend", backends, err));
    TRY(manifest_word(&order, &p, "pass_order", orders, err));
    TRY(manifest_word(&corner, &p, "corners", corners, err));
    in->aligned = corner == 1;
    TRY(manifest_word(&skip, &p, "when_equal", manifest_equal_words, err));
    in->antialias = true;
    TRY(manifest_bool(&in->antialias, &p, "antialias", err));
    TRY(manifest_bool(&in->before_rgb, &p, "before_rgb", err));
    in->fit = (onnx_fit)fit;
    in->how = (resize_how){(resize_kernel)kernel, (resize_order)order};
    in->tensor = backend == 1;
    in->when_equal = (onnx_equal)skip;
    if (in->when_equal == ONNX_EQUAL_SKIP_PAD && in->fit != ONNX_FIT_LONG)
        MANIFEST_FAIL(r, manifest_get(&p, "when_equal"), "conflict", "input.resize.when_equal: "
                      "skip-pad goes with mode long, which is the one that pads");
    TRY(check_resize(in, &p, err));
    TRY(read_fit(in, &p, err));
    in->antialias = in->antialias && in->tensor;
done:
    return status;
}

/* ---- Crop and padding ------------------------------------------------------------------------ */

static tare_status read_crop(onnx_image_input *in, const manifest_part *input, tare_error *err)
{
    tare_status status = TARE_OK;
    int crop = ONNX_CROP_NONE;
    TRY(manifest_word(&crop, input, "crop", manifest_crops, err));
    in->crop = (onnx_crop)crop;
    bool left_over = in->fit == ONNX_FIT_SHORT || in->fit == ONNX_FIT_NONE ||
                     (in->fit == ONNX_FIT_STRETCH && in->fit_height);
    if (in->crop != ONNX_CROP_NONE && !left_over)
        MANIFEST_FAIL(input->r, manifest_get(input, "crop"), "conflict",
                      "input.crop needs input.resize.mode short or none, or stretch to a larger "
                      "input.resize.size; after %s nothing is left over",
                      manifest_fits_words[in->fit]);
    if (in->crop == ONNX_CROP_NONE && in->fit_height &&
        (in->fit_height > in->height || in->fit_width > in->width))
        MANIFEST_FAIL(input->r, input->v, "conflict", "input.resize.size is larger than "
                      "input.size: say by input.crop what is cut off, or by mode and size that "
                      "nothing is");
done:
    return status;
}

static tare_status read_pad(onnx_image_input *in, const manifest_part *input, tare_error *err)
{
    static const char *const keys[] = {"colour", "place", NULL};
    static const char *const places[] = {"center", "topleft", NULL};
    manifest_bounds level = {0, 255, in->type == ORT_U8, "a number from 0 to 255"};
    if (level.whole) level.words = "a whole number from 0 to 255";
    tare_status status = TARE_OK;
    const json_value *v = manifest_given(input, "pad");
    manifest_part p;
    int place = 0;
    if (!v) goto done;
    TRY(manifest_part_open(&p, input->r, v, "input.pad", keys, err));
    TRY(manifest_need(&p, "colour", "[red, green, blue], each 0 to 255, before normalisation",
                      err));
    TRY(manifest_need(&p, "place", "where the picture goes: center or topleft", err));
    TRY(manifest_word(&place, &p, "place", places, err));
    TRY(manifest_numbers(in->pad_colour, 3, &p, "colour", &level, err));
    in->pad = place == 0 ? ONNX_PAD_CENTER : ONNX_PAD_TOPLEFT;
    if (in->fit != ONNX_FIT_LONG)
        MANIFEST_FAIL(input->r, v, "conflict", "input.pad needs input.resize.mode long; after %s "
                      "nothing is to be filled", manifest_fits_words[in->fit]);
done:
    return status;
}

/* ---- Normalisation --------------------------------------------------------------------------- */

static tare_status read_numbers(onnx_image_input *in, const manifest_part *p, tare_error *err)
{
    static const manifest_bounds divisor = {FLT_MIN, FLT_MAX, false,
                                            "a number of 32 bits above 0"};
    static const char *const keys[] = {"divide", "mean", "std", NULL};
    tare_status status = TARE_OK;
    in->divide = 1;
    for (int k = 0; k < 3; k++) in->std[k] = 1;
    if (in->type == ORT_U8) {
        TRY(manifest_idle(p, keys, "dtype u8 takes the bytes as they are", err));
        goto done;
    }
    TRY(manifest_need(p, "divide", "255 brings the bytes to 0..1, 1 leaves them as they are", err));
    TRY(manifest_number(&in->divide, p, "divide", &divisor, err));
    TRY(manifest_numbers(in->mean, 3, p, "mean", &any_number, err));
    TRY(manifest_numbers(in->std, 3, p, "std", &any_number, err));
    for (size_t k = 0; k < 3; k++)
        if (fabs(in->std[k]) < FLT_MIN)
            MANIFEST_FAIL(p->r, &manifest_get(p, "std")->children[k], "value",
                          "input.std[%zu] is 0; allowed: any other number of 32 bits", k);
done:
    return status;
}

/* ---- Kinds ----------------------------------------------------------------------------------- */

static tare_status read_image(onnx_image_input *in, const manifest_reader *r, const json_value *v,
                              tare_error *err)
{
    static const char *const keys[] = {"name", "kind", "layout", "dtype", "order", "size",
                                       "resize", "crop", "pad", "divide", "mean", "std", "rgba",
                                       NULL};
    static const char *const orders[] = {"rgb", "bgr", NULL};
    static const char *const rgba[] = {"convert", "refuse", NULL};
    tare_status status = TARE_OK;
    manifest_part p;
    int layout = ONNX_NCHW, type = 0, order = 0, alpha = 0;
    double size[2] = {0, 0};
    TRY(manifest_part_open(&p, r, v, "input", keys, err));
    TRY(manifest_need(&p, "size", "[height, width] of the model's input", err));
    TRY(manifest_need(&p, "resize", "how images come to that size; {\"mode\": \"none\"} if they "
                      "must have it", err));
    TRY(manifest_word(&layout, &p, "layout", manifest_layouts, err));
    TRY(manifest_word(&type, &p, "dtype", types, err));
    TRY(manifest_word(&order, &p, "order", orders, err));
    TRY(manifest_word(&alpha, &p, "rgba", rgba, err));
    TRY(manifest_numbers(size, 2, &p, "size", &side, err));
    in->layout = (onnx_layout)layout;
    in->type = type_of[type];
    in->bgr = order == 1;
    in->refuse_rgba = alpha == 1;
    in->height = (int)size[0];
    in->width = (int)size[1];
    if ((int64_t)in->height * in->width > (int64_t)IMAGE_LIMITS_DEFAULT.pixels)
        MANIFEST_FAIL(r, manifest_get(&p, "size"), "value", "input.size is %d x %d; allowed: at "
                      "most %.0f pixels", in->height, in->width,
                      (double)IMAGE_LIMITS_DEFAULT.pixels);
    TRY(read_resize(in, r, manifest_get(&p, "resize"), err));
    if (in->type == ORT_U8 && in->tensor)
        MANIFEST_FAIL(r, manifest_get(&p, "resize"), "conflict", "input.dtype u8 takes bytes, and "
                      "backend tensor gives none; allowed: backend pillow");
    TRY(read_crop(in, &p, err));
    TRY(read_pad(in, &p, err));
    TRY(read_numbers(in, &p, err));
done:
    return status;
}

static tare_status read_vector(onnx_vector_input *in, const manifest_reader *r,
                               const json_value *v, tare_error *err)
{
    static const char *const keys[] = {"name", "kind", "length", "from", NULL};
    static const manifest_bounds length = {1, MANIFEST_DOT_MOST, true,
                                           "a whole number from 1 to 1048576"};
    tare_status status = TARE_OK;
    manifest_part p;
    double n = 0;
    const char *from = NULL;
    TRY(manifest_part_open(&p, r, v, "input", keys, err));
    TRY(manifest_need(&p, "length", "how many numbers the vector has", err));
    TRY(manifest_number(&n, &p, "length", &length, err));
    in->length = (size_t)n;
    if (manifest_given(&p, "from")) {
        TRY(manifest_text(&from, &p, "from", MANIFEST_PATH_MOST, err));
        TRY_NEW(in->from = manifest_place(r, from));
        in->from_line = manifest_get(&p, "from")->line;
    }
done:
    return status;
}

static tare_status read_wave(onnx_wave_input *in, const manifest_reader *r, const json_value *v,
                             tare_error *err)
{
    static const char *const keys[] = {"name", "kind", "rate", "length", "hop", "short", "count",
                                       NULL};
    static const manifest_bounds rate = {1, 1e6, false, "samples per second, from 1 to 1000000"};
    static const manifest_bounds samples = {1, MANIFEST_WAVE_MOST, true,
                                            "a whole number of samples from 1 to 16777216"};
    tare_status status = TARE_OK;
    manifest_part p;
    double length = 0, hop;
    int when_short = 0, counted = 0;
    TRY(manifest_part_open(&p, r, v, "input", keys, err));
    TRY(manifest_need(&p, "rate", "samples per second that the model expects", err));
    TRY(manifest_need(&p, "length", "samples in one segment", err));
    TRY(manifest_need(&p, "short", "what fills a shorter recording: repeat or zero", err));
    TRY(manifest_number(&in->rate, &p, "rate", &rate, err));
    TRY(manifest_number(&length, &p, "length", &samples, err));
    hop = length;
    TRY(manifest_number(&hop, &p, "hop", &samples, err));
    TRY(manifest_word(&when_short, &p, "short", manifest_shorts, err));
    TRY(manifest_word(&counted, &p, "count", manifest_counts, err));
    in->length = (size_t)length;
    in->hop = (size_t)hop;
    in->when_short = (onnx_short)when_short;
    in->counted = (onnx_counted)counted;
done:
    return status;
}

tare_status manifest_read_input(onnx_manifest *out, const manifest_reader *r, const json_value *v,
                                tare_error *err)
{
    tare_status status = TARE_OK;
    manifest_part p = {r, v, "input"};
    int kind = 0;
    if (v->kind != JSON_K_OBJECT)
        MANIFEST_FAIL(r, v, "type", "input must be a mapping of keys to values; here it is %s",
                      manifest_shown(r, v));
    TRY(manifest_need(&p, "name", "the name of the model's input", err));
    TRY(manifest_need(&p, "kind", "image, vector or wave", err));
    TRY(manifest_text(&out->input, &p, "name", MANIFEST_LINE_MOST, err));
    TRY(manifest_word(&kind, &p, "kind", manifest_kinds, err));
    out->kind = (onnx_kind)kind;
    switch (out->kind) {
    case ONNX_IMAGE: TRY(read_image(&out->image, r, v, err)); break;
    case ONNX_VECTOR: TRY(read_vector(&out->vector, r, v, err)); break;
    case ONNX_WAVE: TRY(read_wave(&out->wave, r, v, err)); break;
    }
done:
    return status;
}
