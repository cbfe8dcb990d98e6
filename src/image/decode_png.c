/* decode_png.c - PNG by libspng. */
#include <math.h>
#include <spng.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "image/decode.h"
#include "image/exif.h"

/* A gAMA within this of 1/2.2 is what sRGB writers write (ours). */
#define SRGB_GAMMA 0.45455
#define SRGB_GAMMA_SLACK 0.005

/* What stands in chunks that the library does not look at. */
typedef struct extras {
    bool has_profile;
    unsigned frames;           /* 0: not animated */
    const unsigned char *cicp; /* of another colour space than sRGB, else NULL */
} extras;

static uint32_t big_endian(const unsigned char *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static tare_status read_chunk(decode_job *job, extras *e, const unsigned char *chunk,
                              size_t length)
{
    const unsigned char *data = chunk + 8;
    if (length > job->how.limits.chunk) /* the library would leave it out without a word */
        return decode_refuse(job, TARE_E_LIMIT, TARE_R_DECODE,
                             "a PNG chunk of %zu bytes: above the limit of %zu", length,
                             job->how.limits.chunk);
    if (memcmp(chunk + 4, "iCCP", 4) == 0) e->has_profile = true;
    if (memcmp(chunk + 4, "acTL", 4) == 0) { /* says that it is animated: then it is (ours) */
        e->frames = length >= 4 ? big_endian(data) : 0;
        if (e->frames < 2) e->frames = 2;
    }
    if (memcmp(chunk + 4, "cICP", 4) == 0 && length >= 2 && (data[0] != 1 || data[1] != 13))
        e->cicp = data;
    return TARE_OK;
}

/* ... and what decides whether the file is whole. */
static tare_status walk_chunks(decode_job *job, extras *e)
{
    tare_status status = TARE_OK;
    size_t at = 8;
    *e = (extras){0};
    while (at + 12 <= job->length) {
        const unsigned char *chunk = job->bytes + at;
        size_t length = big_endian(chunk);
        if (length > job->length - at - 12) break;
        if (memcmp(chunk + 4, "IEND", 4) == 0) return TARE_OK;
        if (memcmp(chunk + 4, "IDAT", 4) != 0) TRY(read_chunk(job, e, chunk, length));
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

static void read_doubt(decode_job *job, spng_ctx *ctx, const extras *e)
{
    struct spng_iccp profile;
    uint8_t intent;
    double gamma;
    if (spng_get_gama(ctx, &gamma) == 0 && spng_get_srgb(ctx, &intent) != 0 &&
        spng_get_iccp(ctx, &profile) != 0 && !(fabs(gamma - SRGB_GAMMA) <= SRGB_GAMMA_SLACK)) {
        snprintf(job->saying, sizeof job->saying,
                 "a PNG with its own gamma (gAMA %.5f) and no profile", gamma);
        job->doubt = job->saying;
    }
    if (e->cicp != NULL) {
        snprintf(job->saying, sizeof job->saying,
                 "a PNG in another colour space by its cICP chunk (%d, %d)", e->cicp[0],
                 e->cicp[1]);
        job->doubt = job->saying;
    }
}

/* Pixels of an interlaced row: x, x + dx, ... */
typedef struct png_pass {
    size_t x, dx;
} png_pass;

/* How the library is to give the pixels. A colour key (a transparent colour of an image without
 * alpha) is applied, except as Pillow shows it: not at all. */
typedef struct png_plan {
    int format, flags;
    bool keyed_grey;  /* comes as RGBA and is kept as grey with alpha */
    unsigned packed;  /* bits of a palette index, if less than 8      */
    bool interlaced;
} png_plan;

static png_plan plan_pixels(decode_job *job, spng_ctx *ctx, const struct spng_ihdr *h)
{
    struct spng_trns trns;
    png_plan plan = {.format = SPNG_FMT_PNG, .interlaced = h->interlace_method != 0};
    bool grey = h->color_type == SPNG_COLOR_TYPE_GRAYSCALE;
    bool keyed = (grey || h->color_type == SPNG_COLOR_TYPE_TRUECOLOR) &&
                 job->how.policy != IMAGE_PUBLISHED && spng_get_trns(ctx, &trns) == 0;
    job->maximum = h->bit_depth == 16 ? 65535 : 255;
    job->bits = h->bit_depth;
    switch (h->color_type) {
    case SPNG_COLOR_TYPE_GRAYSCALE:
        job->mode = keyed ? IMAGE_GREY_ALPHA : h->bit_depth == 1 ? IMAGE_BILEVEL : IMAGE_GREY;
        if (h->bit_depth < 8) plan.format = SPNG_FMT_G8;
        break;
    case SPNG_COLOR_TYPE_TRUECOLOR: job->mode = keyed ? IMAGE_RGBA : IMAGE_RGB; break;
    case SPNG_COLOR_TYPE_INDEXED:
        job->mode = IMAGE_PALETTE;
        plan.packed = h->bit_depth < 8 ? h->bit_depth : 0;
        break;
    case SPNG_COLOR_TYPE_GRAYSCALE_ALPHA: job->mode = IMAGE_GREY_ALPHA; break;
    default: job->mode = IMAGE_RGBA;
    }
    if (keyed) {
        plan.format = h->bit_depth == 16 ? SPNG_FMT_RGBA16 : SPNG_FMT_RGBA8;
        plan.flags = SPNG_DECODE_TRNS;
        plan.keyed_grey = grey;
    }
    return plan;
}

/* Entries that the file lacks are grey, as Pillow has them; that one is used is a doubt. */
static tare_status read_palette(decode_job *job, spng_ctx *ctx, size_t *entries)
{
    tare_status status = TARE_OK;
    tare_error *err = job->err;
    struct spng_plte colours;
    struct spng_trns trns;
    int code = spng_get_plte(ctx, &colours);
    if (code != 0) return failure(job, code);
    TRY_NEW(job->palette = mem_resize(job->m, NULL, 256, sizeof *job->palette));
    for (size_t k = 0; k < 256; k++) {
        unsigned char *entry = job->palette[k];
        memset(entry, (int)k, 3);
        entry[3] = 255;
        if (k >= colours.n_entries) continue;
        entry[0] = colours.entries[k].red;
        entry[1] = colours.entries[k].green;
        entry[2] = colours.entries[k].blue;
    }
    if (spng_get_trns(ctx, &trns) == 0)
        for (size_t k = 0; k < trns.n_type3_entries && k < 256; k++)
            job->palette[k][3] = trns.type3_alpha[k];
    *entries = colours.n_entries;
done:
    return status;
}

/* Every dx-th pixel of a row from x on, of indices of `bits` bits one after the other. */
static void unpack(unsigned char *row, const unsigned char *packed, size_t width, unsigned bits,
                   const png_pass *pass)
{
    unsigned mask = (1u << bits) - 1;
    size_t at = 0;
    for (size_t x = pass->x; x < width; x += pass->dx, at += bits)
        row[x] = (unsigned char)(packed[at / 8] >> (8 - bits - at % 8) & mask);
}

/* Indices of less than 8 bits: the library does not put the passes of these together. */
static tare_status read_packed(decode_job *job, spng_ctx *ctx, unsigned bits, bool interlaced)
{
    static const png_pass whole = {0, 1}, adam7[] = {{0, 8}, {4, 8}, {0, 4}, {2, 4},
                                                     {0, 2}, {1, 2}, {0, 1}};
    tare_status status = TARE_OK;
    tare_error *err = job->err;
    size_t width = (size_t)job->width;
    struct spng_row_info at;
    unsigned char *packed = NULL;
    int code;
    TRY_NEW(job->pixels = mem_resize(job->m, NULL, (size_t)job->height, width));
    TRY_NEW(packed = mem_new(job->m, (width * bits + 7) / 8, 1));
    code = spng_decode_image(ctx, NULL, 0, SPNG_FMT_PNG, SPNG_DECODE_PROGRESSIVE);
    while (code == 0 && (code = spng_get_row_info(ctx, &at)) == 0) {
        const png_pass *pass = interlaced ? &adam7[at.pass] : &whole;
        size_t pixels = (width - pass->x + pass->dx - 1) / pass->dx;
        code = spng_decode_scanline(ctx, packed, (pixels * bits + 7) / 8);
        if (code == 0 || code == SPNG_EOI)
            unpack((unsigned char *)job->pixels + at.row_num * width, packed, width, bits, pass);
    }
    if (code != SPNG_EOI) status = failure(job, code);
done:
    mem_free(job->m, packed);
    return status;
}

static void check_indices(decode_job *job, size_t n, size_t entries)
{
    const unsigned char *p = job->pixels;
    unsigned char lane[64] = {0}, most = 0;
    size_t i = 0;
    if (entries == 256) return;
    for (; i + 64 <= n; i += 64) /* the compiler makes vectors of it */
        for (size_t k = 0; k < 64; k++) lane[k] = p[i + k] > lane[k] ? p[i + k] : lane[k];
    for (; i < n; i++) most = p[i] > most ? p[i] : most;
    for (size_t k = 0; k < 64; k++) most = lane[k] > most ? lane[k] : most;
    if (most >= entries && job->doubt == NULL)
        job->doubt = "pixels of colours that the palette lacks";
}

/* RGBA of equal colours to grey and alpha, in place. */
static void fold_grey(void *pixels, size_t n, unsigned maximum)
{
    unsigned char *p = pixels;
    size_t sample = maximum > 255 ? 2 : 1;
    for (size_t i = 0; i < n; i++) {
        memmove(p + 2 * sample * i, p + 4 * sample * i, sample);
        memmove(p + 2 * sample * i + sample, p + (4 * i + 3) * sample, sample);
    }
}

static tare_status read_pixels(decode_job *job, spng_ctx *ctx, const png_plan *plan)
{
    tare_status status = TARE_OK;
    tare_error *err = job->err;
    size_t n = (size_t)job->width * (size_t)job->height, entries = 256, bytes;
    int code = 0;
    if (job->mode == IMAGE_PALETTE) TRY(read_palette(job, ctx, &entries));
    if (plan->packed > 0) {
        TRY(read_packed(job, ctx, plan->packed, plan->interlaced));
    } else if ((code = spng_decoded_image_size(ctx, plan->format, &bytes)) == 0) {
        TRY_NEW(job->pixels = mem_resize(job->m, NULL, bytes, 1));
        code = spng_decode_image(ctx, job->pixels, bytes, plan->format, plan->flags);
    }
    if (code == 0) code = spng_decode_chunks(ctx);
    if (code != 0) {
        status = failure(job, code);
        goto done;
    }
    if (plan->keyed_grey) fold_grey(job->pixels, n, job->maximum);
    if (job->mode == IMAGE_PALETTE) check_indices(job, n, entries);
done:
    return status;
}

static tare_status read_extras(decode_job *job, spng_ctx *ctx, const extras *e)
{
    struct spng_iccp profile;
    struct spng_exif exif;
    if (spng_get_exif(ctx, &exif) == 0)
        job->orientation = exif_orientation((const unsigned char *)exif.data, exif.length);
    if (spng_get_iccp(ctx, &profile) == 0)
        return decode_keep_icc(job, profile.profile, profile.profile_len);
    return e->has_profile ? decode_keep_icc(job, "", 0) : TARE_OK; /* there, but unreadable */
}

tare_status decode_png(decode_job *job)
{
    tare_status status = TARE_OK;
    tare_error *err = job->err;
    struct spng_ihdr header;
    extras e;
    int code;
    spng_ctx *ctx = NULL;
    TRY(walk_chunks(job, &e));
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
    TRY(decode_check_size(job, header.width, header.height));
    job->width = (int)header.width;
    job->height = (int)header.height;
    job->frames = e.frames > 0 ? e.frames : 1;
    png_plan plan = plan_pixels(job, ctx, &header);
    read_doubt(job, ctx, &e);
    TRY(decode_may(job));
    TRY(read_pixels(job, ctx, &plan));
    TRY(read_extras(job, ctx, &e)); /* eXIf may stand after the pixels */
done:
    spng_ctx_free(ctx);
    return status;
}
