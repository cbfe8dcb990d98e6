#include <string.h>

#include "base/error.h"
#include "image/mode_samples.h"

static void cut(image *i, const mem *m)
{
    unsigned char *less = mem_resize(m, i->rgb, image_pixels(i), 3);
    if (less != NULL) i->rgb = less;
}

static tare_status look_up(image *i, const mem *m, tare_error *err)
{
    tare_status status = TARE_OK;
    unsigned char table[256][4], *rgb = NULL;
    samples_ground dropped = {true, {0, 0, 0}};
    samples_indexed from = {i->rgb, i->mode == IMAGE_GREY_ALPHA, table};
    if (i->mode == IMAGE_PALETTE) memcpy(table, i->palette, sizeof table);
    else samples_grey_table(table);
    TRY_NEW(rgb = mem_resize(m, NULL, image_pixels(i), 3));
    samples_look_up(rgb, from, image_pixels(i), dropped);
    mem_free(m, i->rgb);
    i->rgb = rgb;
done:
    return status;
}

tare_status image_to_rgb(image *i, const mem *m, tare_error *err)
{
    tare_status status = TARE_OK;
    switch (i->mode) {
    case IMAGE_RGB: goto done;
    case IMAGE_RGBA:
        samples_flatten(i->rgb, image_pixels(i), (samples_ground){true, {0, 0, 0}});
        cut(i, m);
        break;
    case IMAGE_CMYK:
        samples_cmyk_formula(i->rgb, image_pixels(i));
        cut(i, m);
        break;
    case IMAGE_GREY32:
        samples_grey32(i->rgb, image_pixels(i));
        cut(i, m);
        break;
    default: TRY(look_up(i, m, err));
    }
    mem_free(m, i->palette);
    i->palette = NULL;
    i->mode = IMAGE_RGB;
    i->channels = 3;
done:
    return status;
}
