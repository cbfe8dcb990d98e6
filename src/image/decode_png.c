/* decode_png.c - PNG by libspng. */
#include <math.h>
#include <spng.h>
#include <string.h>

#include "base/error.h"
#include "image/decode.h"
#include "image/exif.h"

/* A gAMA within this of 1/2.2 is what sRGB writers write (ours). */
#define SRGB_GAMMA 0.45455
#define SRGB_GAMMA_SLACK 0.005

static uint32_t big_endian(const unsigned char *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static tare_status refuse_chunk(decode_job *job, const unsigned char *chunk, size_t length)
{
    const unsigned char *data = chunk + 8;
    if (length > job->how.limits.chunk) /* the library would leave it out without a word */
        return decode_refuse(job, TARE_E_LIMIT, TARE_R_DECODE,
                             "a PNG chunk of %zu bytes: above the limit of %zu", length,
                             job->how.limits.chunk);
    if (memcmp(chunk + 4, "acTL", 4) == 0)
        return decode_refuse(job, TARE_E_DATA, TARE_R_UNSUPPORTED_PIXELS,
                             "an animated PNG: save the frame that is meant");
    if (memcmp(chunk + 4, "cICP", 4) == 0 && length >= 2 && (data[0] != 1 || data[1] != 13))
        return decode_refuse(job, TARE_E_DATA, TARE_R_UNSUPPORTED_PIXELS,
                             "a PNG in another colour space by its cICP chunk (%d, %d)", data[0],
                             data[1]);
    return TARE_OK;
}

/* What the library does not look at, and what decides whether the file is whole. */
static tare_status walk_chunks(decode_job *job, int *has_profile)
{
    tare_status status = TARE_OK;
    size_t at = 8;
    *has_profile = 0;
    while (at + 12 <= job->length) {
        const unsigned char *chunk = job->bytes + at;
        size_t length = big_endian(chunk);
        if (length > job->length - at - 12) break;
        if (memcmp(chunk + 4, "IEND", 4) == 0) return TARE_OK;
        if (memcmp(chunk + 4, "iCCP", 4) == 0) *has_profile = 1;
        if (memcmp(chunk + 4, "IDAT", 4) != 0) TRY(refuse_chunk(job, chunk, length));
        at += 12 + length;
    }
    status = decode_refuse(job, TARE_E_DATA, TARE_R_DECODE, "damaged PNG: it has no end");
done:
    return status;
}

static tare_status failure(decode_job *job, int code)
{
    if (code == SPNG_EMEM) return error_memory(job->err);
    if (code == SPNG_ECHUNK_LIMITS)
        return decode_refuse(job, TARE_E_LIMIT, TARE_R_DECODE, "PNG chunks above the limit of %zu",
                             job->how.limits.chunk);
    return decode_refuse(job, TARE_E_DATA, TARE_R_DECODE, "damaged PNG: %s", spng_strerror(code));
}

static tare_status check_kind(decode_job *job, spng_ctx *ctx, const struct spng_ihdr *header)
{
    tare_status status = TARE_OK;
    struct spng_iccp profile;
    uint8_t intent;
    double gamma;
    TRY(decode_check_size(job, header->width, header->height));
    if (header->bit_depth == 16)
        return decode_refuse(job, TARE_E_DATA, TARE_R_UNSUPPORTED_PIXELS,
                             "16 bits per channel: convert it to 8");
    if (spng_get_gama(ctx, &gamma) == 0 && spng_get_srgb(ctx, &intent) != 0 &&
        spng_get_iccp(ctx, &profile) != 0 && !(fabs(gamma - SRGB_GAMMA) <= SRGB_GAMMA_SLACK))
        return decode_refuse(job, TARE_E_DATA, TARE_R_UNSUPPORTED_PIXELS,
                             "a PNG with its own gamma (gAMA %.5f) and no profile", gamma);
done:
    return status;
}

static tare_status read_extras(decode_job *job, spng_ctx *ctx, int has_profile)
{
    struct spng_iccp profile;
    struct spng_exif exif;
    if (spng_get_exif(ctx, &exif) == 0)
        job->orientation = exif_orientation((const unsigned char *)exif.data, exif.length);
    if (spng_get_iccp(ctx, &profile) == 0)
        return decode_keep_icc(job, profile.profile, profile.profile_len);
    return has_profile ? decode_keep_icc(job, "", 0) : TARE_OK; /* there, but unreadable */
}

/* RGBA in job->pixels to `channels`, in place, if no pixel is transparent. */
static tare_status drop_alpha(decode_job *job, size_t n)
{
    unsigned char *p = job->pixels;
    size_t transparent = 0;
    for (size_t i = 0; i < n; i++) transparent += p[4 * i + 3] != 255;
    if (transparent > 0)
        return decode_refuse(job, TARE_E_DATA, TARE_R_UNSUPPORTED_PIXELS,
                             "%.2f %% of the pixels are transparent: put it on a background",
                             100.0 * (double)transparent / (double)n);
    size_t channels = (size_t)image_mode_channels(job->mode);
    for (size_t i = 0; i < n; i++) memmove(p + channels * i, p + 4 * i, channels);
    return TARE_OK;
}

static tare_status read_pixels(decode_job *job, spng_ctx *ctx, const struct spng_ihdr *header)
{
    tare_status status = TARE_OK;
    tare_error *err = job->err;
    struct spng_trns trns;
    int type = header->color_type, code;
    int grey = type == SPNG_COLOR_TYPE_GRAYSCALE || type == SPNG_COLOR_TYPE_GRAYSCALE_ALPHA;
    int alpha = type == SPNG_COLOR_TYPE_GRAYSCALE_ALPHA ||
                type == SPNG_COLOR_TYPE_TRUECOLOR_ALPHA || spng_get_trns(ctx, &trns) == 0;
    size_t n = (size_t)header->width * header->height;
    size_t stored = alpha ? 4 : grey ? 1 : 3;
    int format = alpha ? SPNG_FMT_RGBA8 : grey ? SPNG_FMT_G8 : SPNG_FMT_RGB8;
    TRY_NEW(job->pixels = mem_resize(job->m, NULL, n, stored));
    job->mode = grey ? IMAGE_GREY : IMAGE_RGB;
    job->maximum = 255;
    job->frames = 1;
    code = spng_decode_image(ctx, job->pixels, n * stored, format, alpha ? SPNG_DECODE_TRNS : 0);
    if (code == 0) code = spng_decode_chunks(ctx);
    if (code != 0) {
        status = failure(job, code);
        goto done;
    }
    if (alpha) TRY(drop_alpha(job, n));
    job->width = (int)header->width;
    job->height = (int)header->height;
done:
    return status;
}

tare_status decode_png(decode_job *job)
{
    tare_status status = TARE_OK;
    tare_error *err = job->err;
    struct spng_ihdr header;
    int code, has_profile;
    spng_ctx *ctx = NULL;
    TRY(walk_chunks(job, &has_profile));
    TRY_NEW(ctx = spng_ctx_new(0));
    spng_set_image_limits(ctx, 0x7fffffff, 0x7fffffff); /* ours say more, later */
    spng_set_chunk_limits(ctx, job->how.limits.chunk, 4 * job->how.limits.chunk);
    spng_set_crc_action(ctx, SPNG_CRC_ERROR, SPNG_CRC_ERROR);
    code = spng_set_png_buffer(ctx, job->bytes, job->length);
    if (code == 0) code = spng_get_ihdr(ctx, &header);
    if (code != 0) {
        status = failure(job, code);
        goto done;
    }
    TRY(check_kind(job, ctx, &header));
    TRY(read_pixels(job, ctx, &header));
    TRY(read_extras(job, ctx, has_profile)); /* eXIf may stand after the pixels */
done:
    spng_ctx_free(ctx);
    return status;
}
