/* onnx_place.c - sizes and offsets of resize, crop and padding, as the published loaders compute
 * them. Scorers 1.4. */
#include <math.h>
#include <stdio.h>

#include "scorer/onnx/onnx_prepare.h"

enum { NOTE = 160, SIDE_MOST = 65535 };

/* The size that the image is resized to; in double, since a thin image may grow past any int. */
static void fit(double *width, double *height, const onnx_image_input *in, int w, int h)
{
    int to_width = in->fit_width ? in->fit_width : in->width;
    int to_height = in->fit_height ? in->fit_height : in->height;
    int shorter = to_width < to_height ? to_width : to_height;
    int longer = to_width < to_height ? to_height : to_width;
    *width = w;
    *height = h;
    switch (in->fit) {
    case ONNX_FIT_SHORT: /* int(size * long / short) */
        if (w <= h) {
            *width = shorter;
            *height = trunc((double)shorter * h / w);
        } else {
            *width = trunc((double)shorter * w / h);
            *height = shorter;
        }
        break;
    case ONNX_FIT_LONG: { /* round(dim * (size / long)): the quotient first, ties to even */
        double scale = (double)longer / (w > h ? w : h);
        *width = nearbyint(w * scale);
        *height = nearbyint(h * scale);
        break;
    }
    case ONNX_FIT_STRETCH:
        *width = to_width;
        *height = to_height;
        break;
    case ONNX_FIT_NONE: break;
    }
}

/* One axis: `have` samples onto `want`. False: neither cut nor padded to fit. */
static bool along(int *from, int *seen, int *before, const onnx_image_input *in, int have, int want)
{
    *from = *before = 0;
    *seen = have < want ? have : want;
    if (have > want) {
        int surplus = have - want;
        if (in->crop == ONNX_CROP_NONE) return false;
        if (in->crop == ONNX_CROP_CENTER_ROUND) *from = (int)nearbyint(surplus / 2.0);
        if (in->crop == ONNX_CROP_CENTER_FLOOR) *from = surplus / 2;
    } else if (have < want) {
        if (in->pad == ONNX_PAD_NONE) return false;
        if (in->pad == ONNX_PAD_CENTER) *before = (want - have) / 2;
    }
    return true;
}

bool onnx_prepare_place(onnx_placing *out, char note[160], const onnx_image_input *in, int width,
                        int height)
{
    double w, h;
    note[0] = '\0';
    fit(&w, &h, in, width, height);
    if (w < 1 || h < 1 || w > SIDE_MOST || h > SIDE_MOST ||
        w * h > (double)IMAGE_LIMITS_DEFAULT.pixels) {
        snprintf(note, NOTE, "%d x %d would be resized to %.0f x %.0f", width, height, w, h);
        return false;
    }
    *out = (onnx_placing){.width = (int)w, .height = (int)h};
    if (in->when_equal == ONNX_EQUAL_SKIP_PAD && out->width == width && out->height == height
        && (width != in->width || height != in->height)) {
        snprintf(note, NOTE, "%d x %d: with its longer side at the model's size already, the "
                 "published loader neither resizes nor pads, and fails", width, height);
        return false;
    }
    bool fits = along(&out->x, &out->columns, &out->left, in, out->width, in->width);
    fits = along(&out->y, &out->rows, &out->top, in, out->height, in->height) && fits;
    if (!fits && in->fit == ONNX_FIT_NONE)
        snprintf(note, NOTE, "%d x %d, the model takes %d x %d and its manifest does not resize",
                 width, height, in->width, in->height);
    else if (!fits)
        snprintf(note, NOTE, "%d x %d resized to %d x %d does not make %d x %d by the manifest's "
                 "crop and padding", width, height, out->width, out->height, in->width, in->height);
    return fits;
}
