#include "audit/photos/strip_pictures.h"

#include "base/error.h"
#include "image/resize.h"

#define SHADE 0.45 /* of the feather's full weight */

static const unsigned char magenta[3] = {255, 0, 200}, red[3] = {230, 20, 20},
                           violet[3] = {120, 60, 220};

/* The pixel of the large image that lies under the middle of a pixel of the small one. */
static size_t under(const image *large, const image *small, int x, int y)
{
    size_t column = (size_t)((2 * (int64_t)x + 1) * large->width / (2 * small->width));
    size_t row = (size_t)((2 * (int64_t)y + 1) * large->height / (2 * small->height));
    return row * (size_t)large->width + column;
}

static void paint(unsigned char *pixel, const unsigned char colour[3], double amount)
{
    for (int c = 0; c < 3; c++)
        pixel[c] = (unsigned char)(pixel[c] + amount * (colour[c] - pixel[c]) + 0.5);
}

static tare_status shrink(image *out, const mem *m, const image *in, tare_error *err)
{
    int height = in->height < STRIP_HEIGHT ? in->height : STRIP_HEIGHT;
    int64_t width = ((int64_t)in->width * height + in->height / 2) / in->height;
    if (width > 4 * STRIP_HEIGHT) width = 4 * STRIP_HEIGHT; /* a panorama is squeezed */
    return image_resize(out, m, in, width < 1 ? 1 : (int)width, height,
                        (resize_how){RESIZE_BICUBIC, RESIZE_ACROSS_FIRST}, err);
}

tare_status strip_thumbnail(image *out, const mem *m, const image *in, const unsigned char *marks,
                            tare_error *err)
{
    tare_status status = shrink(out, m, in, err);
    if (status || !marks) return status;
    for (int y = 0; y < out->height; y++)
        for (int x = 0; x < out->width; x++)
            if (marks[under(in, out, x, y)])
                paint(out->rgb + 3 * ((size_t)y * (size_t)out->width + (size_t)x), magenta, 1);
    return TARE_OK;
}

/* Is there a border of the mask between this pixel of the small image and the next? */
static bool on_border(const unsigned char *mask, const image *large, const image *small, int x,
                      int y)
{
    size_t here = under(large, small, x, y);
    int right = x + 1 < small->width ? x + 1 : x, below = y + 1 < small->height ? y + 1 : y;
    return mask[here] != mask[under(large, small, right, y)] ||
           mask[here] != mask[under(large, small, x, below)];
}

tare_status strip_mask(image *out, const perturb_base *base, tare_error *err)
{
    const image *in = base->photo;
    tare_status status = shrink(out, base->m, in, err);
    if (status) return status;
    for (int y = 0; y < out->height; y++)
        for (int x = 0; x < out->width; x++) {
            unsigned char *pixel = out->rgb + 3 * ((size_t)y * (size_t)out->width + (size_t)x);
            if (on_border(base->mask, in, out, x, y)) paint(pixel, red, 1);
            else paint(pixel, violet, SHADE * base->weight[under(in, out, x, y)]);
        }
    return TARE_OK;
}

tare_status strip_torso(image *out, const perturb_base *base, tare_error *err)
{
    const image *in = base->photo;
    tare_status status = shrink(out, base->m, in, err);
    if (status) return status;
    for (int y = 0; y < out->height; y++) {
        double row = (y + 0.5) * in->height / out->height - 0.5;
        double h = torso_window(&base->torso, base->options.window, row);
        for (int x = 0; x < out->width; x++) {
            unsigned char *pixel = out->rgb + 3 * ((size_t)y * (size_t)out->width + (size_t)x);
            if (on_border(base->silhouette, in, out, x, y)) paint(pixel, red, 1);
            else paint(pixel, violet, SHADE * h);
        }
    }
    return TARE_OK;
}
