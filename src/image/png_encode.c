#include <spng.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "image/encode.h"

static tare_status failure(tare_error *err, int code)
{
    if (code == SPNG_EMEM) return error_memory(err);
    return error_set(err, TARE_E_BUG, "image.encode", NULL, "PNG: %s", spng_strerror(code));
}

tare_status image_png_encode(unsigned char **out, size_t *length, const mem *m, const image *in,
                             int level, tare_error *err)
{
    tare_status status = TARE_OK;
    spng_ctx *ctx = NULL;
    void *png = NULL;
    int code = 0;
    *out = NULL;
    *length = 0;
    if (in->rgb == NULL || in->channels != 3 || level < 0 || level > 9)
        FAIL(err, TARE_E_USAGE, "image.encode", NULL, "no RGB image, or level %d not in 0..9",
             level);
    TRY_NEW(ctx = spng_ctx_new(SPNG_CTX_ENCODER));
    struct spng_ihdr header = {.width = (uint32_t)in->width, .height = (uint32_t)in->height,
                               .bit_depth = 8, .color_type = SPNG_COLOR_TYPE_TRUECOLOR};
    spng_set_option(ctx, SPNG_ENCODE_TO_BUFFER, 1);
    spng_set_option(ctx, SPNG_IMG_COMPRESSION_LEVEL, level);
    /* Choosing among all filters for each row takes longer than the fast levels of zlib. */
    if (level <= PNG_FAST) spng_set_option(ctx, SPNG_FILTER_CHOICE, SPNG_FILTER_CHOICE_SUB);
    code = spng_set_ihdr(ctx, &header);
    if (code == 0)
        code = spng_encode_image(ctx, in->rgb, image_pixels(in) * 3, SPNG_FMT_PNG,
                                 SPNG_ENCODE_FINALIZE);
    if (code == 0) png = spng_get_png_buffer(ctx, length, &code);
    if (code != 0 || png == NULL) {
        status = failure(err, code != 0 ? code : SPNG_EMEM);
        goto done;
    }
    TRY_NEW(*out = mem_resize(m, NULL, *length, 1));
    memcpy(*out, png, *length);
done:
    free(png); /* allocated by the library */
    spng_ctx_free(ctx);
    if (status != TARE_OK) *length = 0;
    return status;
}
