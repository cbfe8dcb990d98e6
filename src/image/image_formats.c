/* image_formats.c - formats of images that need something which may not be here. */
#include "base/error.h"
#include "image/image.h"

static const tare_backend_info formats[] = {
    {"heif", "photographs in HEIC and AVIF", ".heic, .heif, .avif"},
};

const tare_backend_info *tare_format_info_at(size_t index)
{
    return index < sizeof formats / sizeof *formats ? &formats[index] : NULL;
}

tare_status tare_format_check(size_t index, tare_error *err)
{
    if (tare_format_info_at(index) == NULL) {
        return error_set(err, TARE_E_USAGE, "format.index", "", "there is no such format");
    }
    return image_heif_check(err);
}
