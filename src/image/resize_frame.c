#include "image/resize_frame.h"

#include <string.h>

#include "base/error.h"

enum { PALETTE = 256, SIDE_MOST = 65535 };

tare_status frame_like(image *out, const mem *m, const image *like, int width, int height,
                       tare_error *err)
{
    tare_status status = TARE_OK;
    *out = *like;
    out->channels = image_mode_channels(like->mode);
    out->width = out->height = 0;
    out->rgb = NULL;
    out->palette = NULL;
    if (width < 1 || height < 1 || width > SIDE_MOST || height > SIDE_MOST)
        FAIL(err, TARE_E_USAGE, "image.size", NULL, "an image of %d x %d pixels is not possible",
             width, height);
    TRY_NEW(out->rgb = mem_resize(m, NULL, (size_t)width * (size_t)height, (size_t)out->channels));
    if (like->palette != NULL) {
        TRY_NEW(out->palette = mem_resize(m, NULL, PALETTE, sizeof *out->palette));
        memcpy(out->palette, like->palette, PALETTE * sizeof *out->palette);
    }
    out->width = width;
    out->height = height;
done:
    if (status != TARE_OK) {
        mem_free(m, out->rgb);
        out->rgb = NULL;
    }
    return status;
}
