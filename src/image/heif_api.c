/* heif_api.c - where the library is, its functions by name, and what it can decode here. */
#include "image/heif_api.h"

#include <stdbool.h>
#include <string.h>

#include "base/error.h"
#include "image/image.h"

static const char *const FILES[] = {"libheif.so.1", "libheif.so", NULL};

static const library_wanted WANTED = {
    .name = "libheif, which reads HEIC and AVIF,",
    .code = "heif",
    .variable = "TARE_LIBHEIF",
    .files = FILES,
    .sonames = FILES,
    .get = "Debian and Ubuntu: `apt install libheif1`. The environment variable TARE_LIBHEIF may "
           "name the file",
};

static const struct {
    const char *name;
    size_t slot;
    bool optional;
} FUNCTIONS[] = {
    {"heif_get_version", offsetof(heif_api, get_version), false},
    {"heif_have_decoder_for_format", offsetof(heif_api, have_decoder_for_format), false},
    {"heif_context_alloc", offsetof(heif_api, context_alloc), false},
    {"heif_context_free", offsetof(heif_api, context_free), false},
    {"heif_context_read_from_memory_without_copy", offsetof(heif_api, context_read), false},
    {"heif_context_set_maximum_image_size_limit", offsetof(heif_api, context_set_size_limit),
     false},
    {"heif_context_set_max_decoding_threads", offsetof(heif_api, context_set_threads), true},
    {"heif_context_get_number_of_top_level_images", offsetof(heif_api, context_count), false},
    {"heif_context_get_primary_image_handle", offsetof(heif_api, context_primary), false},
    {"heif_image_handle_release", offsetof(heif_api, handle_release), false},
    {"heif_image_handle_get_width", offsetof(heif_api, handle_width), false},
    {"heif_image_handle_get_height", offsetof(heif_api, handle_height), false},
    {"heif_image_handle_has_alpha_channel", offsetof(heif_api, handle_has_alpha), false},
    {"heif_image_handle_is_premultiplied_alpha", offsetof(heif_api, handle_is_premultiplied),
     true},
    {"heif_image_handle_get_luma_bits_per_pixel", offsetof(heif_api, handle_bits), false},
    {"heif_image_handle_get_ispe_width", offsetof(heif_api, handle_ispe_width), false},
    {"heif_image_handle_get_ispe_height", offsetof(heif_api, handle_ispe_height), false},
    {"heif_image_handle_get_raw_color_profile_size", offsetof(heif_api, handle_icc_size), false},
    {"heif_image_handle_get_raw_color_profile", offsetof(heif_api, handle_icc), false},
    {"heif_image_handle_get_nclx_color_profile", offsetof(heif_api, handle_nclx), false},
    {"heif_nclx_color_profile_free", offsetof(heif_api, nclx_free), false},
    {"heif_decoding_options_alloc", offsetof(heif_api, options_alloc), false},
    {"heif_decoding_options_free", offsetof(heif_api, options_free), false},
    {"heif_decode_image", offsetof(heif_api, decode), false},
    {"heif_image_get_width", offsetof(heif_api, image_width), false},
    {"heif_image_get_height", offsetof(heif_api, image_height), false},
    {"heif_image_get_bits_per_pixel_range", offsetof(heif_api, image_bits), false},
    {"heif_image_get_plane_readonly", offsetof(heif_api, image_plane), false},
    {"heif_image_get_decoding_warnings", offsetof(heif_api, image_warnings), true},
    {"heif_image_release", offsetof(heif_api, image_release), false},
};

tare_status heif_api_open(heif_api *api, tare_error *err)
{
    memset(api, 0, sizeof *api);
    tare_status status = library_open(&api->library, &WANTED, err);
    if (status != TARE_OK) return status;
    for (size_t i = 0; i < sizeof FUNCTIONS / sizeof *FUNCTIONS; i++) {
        void *found = library_symbol(&api->library, FUNCTIONS[i].name);
        if (found == NULL && !FUNCTIONS[i].optional) {
            heif_api_close(api);
            return error_set(err, TARE_E_DATA, "heif.library", "libheif.so.1",
                             "the library has no function %s: version 1.7 or later is needed",
                             FUNCTIONS[i].name);
        }
        memcpy((char *)api + FUNCTIONS[i].slot, &found, sizeof found);
    }
    return TARE_OK;
}

void heif_api_close(heif_api *api)
{
    library_close(&api->library);
}

tare_status image_heif_check(tare_error *err)
{
    heif_api api;
    tare_status status = heif_api_open(&api, err);
    if (status != TARE_OK) return status;
    bool hevc = api.have_decoder_for_format(HEIF_COMPRESSION_HEVC) != 0;
    bool av1 = api.have_decoder_for_format(HEIF_COMPRESSION_AV1) != 0;
    if (hevc && av1)
        error_set(err, TARE_OK, "", api.library.path, "libheif %s: %s", api.get_version(),
                  api.library.path);
    else
        status = error_set(err, TARE_E_DATA, "heif.decoder", api.library.path,
                           "libheif %s is here, without a decoder for %s. Debian and Ubuntu: `apt "
                           "install%s%s`", api.get_version(),
                           hevc ? "AVIF" : av1 ? "HEIC" : "HEIC and AVIF",
                           hevc ? "" : " libheif-plugin-libde265",
                           av1 ? "" : " libheif-plugin-dav1d");
    heif_api_close(&api);
    return status;
}
