#include "image/orient.h"

#include <string.h>

#include "base/error.h"

tare_status image_orient(image *i, const mem *m, int orientation, tare_error *err)
{
    /* How the upright image is read: do its columns run along the rows of the stored one, and is
     * the stored column or row counted from the end? */
    static const struct { unsigned char swap, flip_x, flip_y; } ways[9] = {
        {0, 0, 0}, {0, 0, 0}, {0, 1, 0}, {0, 1, 1}, {0, 0, 1},
        {1, 0, 0}, {1, 0, 1}, {1, 1, 1}, {1, 1, 0}};
    tare_status status = TARE_OK;
    unsigned char *to = NULL;
    if (orientation <= 1 || orientation > 8) goto done;
    size_t w = (size_t)i->width, h = (size_t)i->height;
    TRY_NEW(to = mem_resize(m, NULL, w * h, 3));
    int swap = ways[orientation].swap;
    ptrdiff_t right = 3, down = 3 * (ptrdiff_t)w; /* steps in the stored image */
    const unsigned char *from = i->rgb;
    if (ways[orientation].flip_x) {
        from += 3 * (w - 1);
        right = -right;
    }
    if (ways[orientation].flip_y) {
        from += 3 * w * (h - 1);
        down = -down;
    }
    size_t out_w = swap ? h : w, out_h = swap ? w : h;
    ptrdiff_t step_x = swap ? down : right, step_y = swap ? right : down;
    unsigned char *q = to;
    for (size_t y = 0; y < out_h; y++)
        for (size_t x = 0; x < out_w; x++, q += 3)
            memcpy(q, from + (ptrdiff_t)y * step_y + (ptrdiff_t)x * step_x, 3);
    mem_free(m, i->rgb);
    i->rgb = to;
    i->width = (int)out_w;
    i->height = (int)out_h;
    i->orientation = orientation;
done:
    return status;
}
