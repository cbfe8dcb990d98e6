#include "image/orient.h"

#include <string.h>

#include "base/error.h"

bool orient_pixels(orient_block *b, const mem *m, int orientation)
{
    /* How the upright image is read: do its columns run along the rows of the stored one, and is
     * the stored column or row counted from the end? */
    static const struct { unsigned char swap, flip_x, flip_y; } ways[9] = {
        {0, 0, 0}, {0, 0, 0}, {0, 1, 0}, {0, 1, 1}, {0, 0, 1},
        {1, 0, 0}, {1, 0, 1}, {1, 1, 1}, {1, 1, 0}};
    if (orientation <= 1 || orientation > 8) return true;
    size_t w = b->width, h = b->height, size = b->size;
    unsigned char *to = mem_resize(m, NULL, w * h, size);
    if (to == NULL) return false;
    int swap = ways[orientation].swap;
    ptrdiff_t right = (ptrdiff_t)size, down = (ptrdiff_t)(size * w); /* steps in the stored image */
    const unsigned char *from = b->pixels;
    if (ways[orientation].flip_x) {
        from += size * (w - 1);
        right = -right;
    }
    if (ways[orientation].flip_y) {
        from += size * w * (h - 1);
        down = -down;
    }
    b->width = swap ? h : w;
    b->height = swap ? w : h;
    ptrdiff_t step_x = swap ? down : right, step_y = swap ? right : down;
    unsigned char *q = to;
    for (size_t y = 0; y < b->height; y++)
        for (size_t x = 0; x < b->width; x++, q += size)
            memcpy(q, from + (ptrdiff_t)y * step_y + (ptrdiff_t)x * step_x, size);
    mem_free(m, b->pixels);
    b->pixels = to;
    return true;
}

tare_status image_orient(image *i, const mem *m, int orientation, tare_error *err)
{
    orient_block b = {i->rgb, (size_t)i->width, (size_t)i->height, 3};
    if (orientation <= 1 || orientation > 8) return TARE_OK;
    if (!orient_pixels(&b, m, orientation)) return error_memory(err);
    i->rgb = b.pixels;
    i->width = (int)b.width;
    i->height = (int)b.height;
    i->orientation = orientation;
    return TARE_OK;
}
