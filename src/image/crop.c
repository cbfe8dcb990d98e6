/* crop.c - a part of an image, and the centre square of prepare.size. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "image/resize.h"
#include "image/resize_frame.h"

tare_status image_crop(image *out, const mem *m, const image *in, image_rect rect, tare_error *err)
{
    tare_status status = TARE_OK;
    image made = *in;
    made.rgb = NULL;
    made.palette = NULL;
    if (rect.x < 0 || rect.y < 0 || rect.width < 1 || rect.height < 1 ||
        rect.width > in->width - rect.x || rect.height > in->height - rect.y)
        FAIL(err, TARE_E_USAGE, "image.crop", NULL, "%d x %d at %d, %d is not inside %d x %d",
             rect.width, rect.height, rect.x, rect.y, in->width, in->height);
    TRY(frame_like(&made, m, in, rect.width, rect.height, err));
    size_t pixel = (size_t)made.channels, row = (size_t)rect.width * pixel;
    for (int y = 0; y < rect.height; y++)
        memcpy(made.rgb + (size_t)y * row,
               in->rgb + ((size_t)(rect.y + y) * (size_t)in->width + (size_t)rect.x) * pixel, row);
done:
    if (status != TARE_OK) image_free(&made, m);
    *out = made;
    return status;
}

static int centre(int n, int side)
{
    return (int)nearbyint((n - side) / 2.0); /* ties to even */
}

tare_status image_prepare_size(image *out, const mem *m, const image *in, int side, tare_error *err)
{
    tare_status status = TARE_OK;
    image sized = {0};
    *out = (image){.channels = 3};
    if (side < 1 || side > 65535)
        FAIL(err, TARE_E_USAGE, "image.size", NULL, "a side of %d pixels is not possible", side);
    int64_t w = side, h = side;
    if (in->width > in->height) w = (int64_t)((double)side * in->width / in->height);
    else h = (int64_t)((double)side * in->height / in->width);
    if (w > 65535 || h > 65535)
        FAIL(err, TARE_E_LIMIT, "image.limit", NULL, "%d x %d pixels with the shorter side "
             "brought to %d have a side above the limit of 65535: crop the image, or leave it out",
             in->width, in->height, side);
    TRY(image_resize(&sized, m, in, (int)w, (int)h,
                     (resize_how){RESIZE_BICUBIC, RESIZE_ACROSS_FIRST}, err));
    TRY(image_crop(out, m, &sized, (image_rect){centre((int)w, side), centre((int)h, side), side,
                                                side}, err));
done:
    image_free(&sized, m);
    return status;
}
