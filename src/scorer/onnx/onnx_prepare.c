/* onnx_prepare.c - resize, place and normalise. The 8-bit way has 256 values a channel: they are
 * computed once for an image and looked up. */
#include "scorer/onnx/onnx_prepare.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "image/planes.h"
#include "scorer/onnx/onnx_half.h"

/* What a byte becomes in each plane of the tensor, in the element type of the tensor. */
typedef union byte_table {
    float f32[3][256];
    uint16_t f16[3][256];
    unsigned char u8[3][256];
} byte_table;

size_t onnx_prepare_bytes(const onnx_image_input *in)
{
    return (size_t)in->height * (size_t)in->width * 3 * ort_type_size(in->type);
}

/* Channel of the image that plane k of the tensor holds. */
static int channel_of(const onnx_image_input *in, int k)
{
    return in->bgr ? 2 - k : k;
}

/* Divide, subtract, divide: three roundings to float, in this order. */
static float normalised(const onnx_image_input *in, int channel, float x)
{
    float scaled = x / (float)in->divide;
    float centred = scaled - (float)in->mean[channel];
    return centred / (float)in->std[channel];
}

static void make_table(byte_table *t, const onnx_image_input *in)
{
    for (int k = 0; k < 3; k++)
        for (int byte = 0; byte < 256; byte++) {
            float v = normalised(in, channel_of(in, k), (float)byte);
            if (in->type == ORT_F32) t->f32[k][byte] = v;
            else if (in->type == ORT_F16) t->f16[k][byte] = onnx_half(v);
            else t->u8[k][byte] = (unsigned char)byte;
        }
}

/* n elements, `step` apart, from every third byte of p. */
static void look_up_f32(float *out, size_t step, const unsigned char *p, const float *table, int n)
{
    for (int i = 0; i < n; i++) out[(size_t)i * step] = table[p[3 * (size_t)i]];
}

static void look_up_f16(uint16_t *out, size_t step, const unsigned char *p, const uint16_t *table,
                        int n)
{
    for (int i = 0; i < n; i++) out[(size_t)i * step] = table[p[3 * (size_t)i]];
}

static void look_up_u8(unsigned char *out, size_t step, const unsigned char *p,
                       const unsigned char *table, int n)
{
    for (int i = 0; i < n; i++) out[(size_t)i * step] = table[p[3 * (size_t)i]];
}

/* Where element (k, y, x) of the tensor lies, and how far the next x is. */
static size_t element(const onnx_image_input *in, int k, int y, int x, size_t *step)
{
    size_t width = (size_t)in->width, height = (size_t)in->height;
    if (in->layout == ONNX_NHWC) {
        *step = 3;
        return ((size_t)y * width + (size_t)x) * 3 + (size_t)k;
    }
    *step = 1;
    return ((size_t)k * height + (size_t)y) * width + (size_t)x;
}

static void write_bytes(void *out, const image *sized, const onnx_placing *at, const byte_table *t,
                        const onnx_image_input *in)
{
    for (int y = 0; y < at->rows; y++)
        for (int k = 0; k < 3; k++) {
            const unsigned char *p =
                sized->rgb + ((size_t)(at->y + y) * (size_t)sized->width + (size_t)at->x) * 3 +
                channel_of(in, k);
            size_t step, first = element(in, k, at->top + y, at->left, &step);
            if (in->type == ORT_F32)
                look_up_f32((float *)out + first, step, p, t->f32[k], at->columns);
            else if (in->type == ORT_F16)
                look_up_f16((uint16_t *)out + first, step, p, t->f16[k], at->columns);
            else look_up_u8((unsigned char *)out + first, step, p, t->u8[k], at->columns);
        }
}

static void put_float(void *out, size_t index, const onnx_image_input *in, float v)
{
    if (in->type == ORT_F32) ((float *)out)[index] = v;
    else ((uint16_t *)out)[index] = onnx_half(v);
}

static void write_planes(void *out, const image_planes *sized, const onnx_placing *at,
                         const onnx_image_input *in)
{
    size_t plane = (size_t)sized->width * (size_t)sized->height;
    onnx_image_input scaled = *in;
    float back = 1.0f;
    if (in->divide == 255.0) scaled.divide = 1.0; /* done before the resize */
    else back = 255.0f;
    for (int k = 0; k < 3; k++) {
        int channel = channel_of(in, k);
        for (int y = 0; y < at->rows; y++) {
            const float *v = sized->v + (size_t)channel * plane +
                             (size_t)(at->y + y) * (size_t)sized->width + (size_t)at->x;
            size_t step, first = element(in, k, at->top + y, at->left, &step);
            for (int x = 0; x < at->columns; x++)
                put_float(out, first + (size_t)x * step, in,
                          normalised(&scaled, channel, v[x] * back));
        }
    }
}

/* The whole tensor gets the padding's colour; the picture is written over it. */
static void write_padding(void *out, const onnx_image_input *in)
{
    for (int k = 0; k < 3; k++) {
        int channel = channel_of(in, k);
        float v = normalised(in, channel, (float)in->pad_colour[channel]);
        for (int y = 0; y < in->height; y++) {
            size_t step, first = element(in, k, y, 0, &step);
            for (int x = 0; x < in->width; x++) {
                size_t at = first + (size_t)x * step;
                if (in->type == ORT_U8)
                    ((unsigned char *)out)[at] = (unsigned char)in->pad_colour[channel];
                else put_float(out, at, in, v);
            }
        }
    }
}

/* *use: `pixels` itself, or *made, as RGB and of the size wanted (the size stands still for the
 * tensor back end, which resizes later). */
static tare_status sized_bytes(const image **use, image *made, const mem *m, const image *pixels,
                               const onnx_placing *at, const onnx_image_input *in, tare_error *err)
{
    tare_status status = TARE_OK;
    bool other = pixels->mode != IMAGE_RGB;
    int width = in->tensor ? pixels->width : at->width;
    int height = in->tensor ? pixels->height : at->height;
    image converted = {0};
    const image *from = pixels;
    *use = pixels;
    if (other && !in->before_rgb) {
        TRY(image_resize(&converted, m, pixels, pixels->width, pixels->height, in->how, err));
        TRY(image_to_rgb(&converted, m, err));
        from = &converted;
    }
    if (width != pixels->width || height != pixels->height || other) {
        TRY(image_resize(made, m, from, width, height, in->how, err));
        TRY(image_to_rgb(made, m, err));
        *use = made;
    }
done:
    image_free(&converted, m);
    return status;
}

static bool whole_byte(double x)
{
    return x >= 0 && x <= 255 && x == (double)(int)x;
}

static tare_status check_input(const onnx_image_input *in, tare_error *err)
{
    bool plain = in->divide == 1.0 && !in->tensor;
    for (int k = 0; k < 3; k++)
        plain = plain && in->mean[k] == 0.0 && in->std[k] == 1.0 && whole_byte(in->pad_colour[k]);
    if (in->type == ORT_U8 && !plain)
        return error_set(err, TARE_E_BUG, "onnx.input", NULL,
                         "u8 holds bytes as they are: no divide, mean, std or tensor resize");
    if (in->type != ORT_U8 && in->type != ORT_F32 && in->type != ORT_F16)
        return error_set(err, TARE_E_BUG, "onnx.input", NULL, "images are f32, f16 or u8");
    return TARE_OK;
}

tare_status onnx_prepare_image(void *out, tare_reason *reason, char note[160], const mem *m,
                               const image *pixels, const onnx_image_input *in, tare_error *err)
{
    tare_status status = TARE_OK;
    onnx_placing at;
    image made = {0};
    image_planes planes = {0};
    byte_table *table = NULL;
    const image *use = NULL;
    *reason = TARE_R_NONE;
    TRY(check_input(in, err));
    if (in->refuse_rgba && pixels->mode == IMAGE_RGBA) {
        snprintf(note, 160, "it has alpha, and the scorer's own loader fails on four channels; "
                 "decode it as canonical or flatten it");
        *reason = TARE_R_UNSUPPORTED_PIXELS;
        goto done;
    }
    if (!onnx_prepare_place(&at, note, in, pixels->width, pixels->height)) {
        *reason = TARE_R_UNSUPPORTED_PIXELS;
        goto done;
    }
    TRY(sized_bytes(&use, &made, m, pixels, &at, in, err));
    if (at.columns < in->width || at.rows < in->height) write_padding(out, in);
    if (in->tensor) {
        planes_how how = {in->how.kernel, in->antialias, in->aligned};
        TRY(planes_resize_image(&planes, m, use, at.width, at.height, how, err));
        write_planes(out, &planes, &at, in);
    } else {
        TRY_NEW(table = mem_new(m, 1, sizeof *table));
        make_table(table, in);
        write_bytes(out, use, &at, table, in);
    }
done:
    mem_free(m, table);
    planes_free(&planes, m);
    image_free(&made, m);
    return status;
}
