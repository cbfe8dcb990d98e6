/* heif_api.h - the few functions of libheif that tare calls, found at run time.
 *
 * Never linked: the build of it that Debian packages brings a GPL encoder along. Nothing of it is
 * needed to build tare either: the types below are those of its stable C interface (heif.h, since
 * version 1.7), declared again as far as they are used. */
#ifndef IMAGE_HEIF_API_H
#define IMAGE_HEIF_API_H

#include <stddef.h>
#include <stdint.h>

#include "base/library.h"

/* heif_error; message is never NULL. */
typedef struct heif_error {
    int code, subcode;
    const char *message;
} heif_error;
enum { HEIF_OK = 0, HEIF_UNSUPPORTED_FILETYPE = 3, HEIF_UNSUPPORTED_FEATURE = 4, HEIF_MEMORY = 6 };
enum { HEIF_SUB_UNKNOWN_PRIMARIES = 133, HEIF_SUB_UNKNOWN_MATRIX = 135,
       HEIF_SUB_UNSUPPORTED_CODEC = 3000 };

enum { HEIF_COMPRESSION_HEVC = 1, HEIF_COMPRESSION_AV1 = 4 };
enum { HEIF_COLORSPACE_RGB = 1 };
enum { HEIF_CHROMA_RGB = 10, HEIF_CHROMA_RGBA = 11, HEIF_CHROMA_RRGGBB_LE = 14,
       HEIF_CHROMA_RRGGBBAA_LE = 15 };
enum { HEIF_CHANNEL_INTERLEAVED = 10 };

/* The beginning of heif_color_profile_nclx: numbers of ITU-T H.273. */
typedef struct heif_nclx {
    uint8_t version;
    int primaries, transfer, matrix;
    uint8_t full_range;
} heif_nclx;

/* heif_decoding_options, as far as `version` says: made by the library. */
typedef struct heif_decoding_options {
    uint8_t version;
    uint8_t ignore_transformations;
    void (*start_progress)(int step, int most, void *user);
    void (*on_progress)(int step, int done, void *user);
    void (*end_progress)(int step, void *user);
    void *user;
    uint8_t convert_hdr_to_8bit; /* version 2 */
} heif_decoding_options;

typedef struct heif_api {
    library library;
    const char *(*get_version)(void);
    int (*have_decoder_for_format)(int format);
    void *(*context_alloc)(void);
    void (*context_free)(void *context);
    heif_error (*context_read)(void *context, const void *bytes, size_t length, const void *none);
    void (*context_set_size_limit)(void *context, int side);
    void (*context_set_threads)(void *context, int threads); /* NULL in old versions */
    int (*context_count)(void *context);
    heif_error (*context_primary)(void *context, void **handle);
    void (*handle_release)(const void *handle);
    int (*handle_width)(const void *handle);
    int (*handle_height)(const void *handle);
    int (*handle_has_alpha)(const void *handle);
    int (*handle_is_premultiplied)(const void *handle); /* NULL in old versions */
    int (*handle_bits)(const void *handle);
    int (*handle_ispe_width)(const void *handle);
    int (*handle_ispe_height)(const void *handle);
    size_t (*handle_icc_size)(const void *handle);
    heif_error (*handle_icc)(const void *handle, void *out);
    heif_error (*handle_nclx)(const void *handle, heif_nclx **out);
    void (*nclx_free)(heif_nclx *nclx);
    heif_decoding_options *(*options_alloc)(void);
    void (*options_free)(heif_decoding_options *options);
    heif_error (*decode)(const void *handle, void **image, int colorspace, int chroma,
                         const heif_decoding_options *options);
    int (*image_width)(const void *image, int channel);
    int (*image_height)(const void *image, int channel);
    int (*image_bits)(const void *image, int channel);
    const uint8_t *(*image_plane)(const void *image, int channel, int *stride);
    int (*image_warnings)(void *image, int first, heif_error *out, int most); /* NULL in old ones */
    void (*image_release)(const void *image);
} heif_api;

/* Opens the library: the file that TARE_LIBHEIF names, or libheif.so.1 or libheif.so beside the
 * program or where the loader finds it. Errors: DATA ("heif.missing": how to get it;
 * "heif.library": not usable). */
tare_status heif_api_open(heif_api *api, tare_error *err);
void heif_api_close(heif_api *api);

#endif
