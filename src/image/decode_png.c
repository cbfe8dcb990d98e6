/* decode_png.c - PNG by libspng. */
#include <math.h>
#include <spng.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "image/decode.h"
#include "image/exif.h"
#include "image/icc.h"
#include "image/png_chunks.h"

/* A gAMA within this of 1/2.2 is what sRGB writers write (ours). */
#define SRGB_GAMMA 0.45455
#define SRGB_GAMMA_SLACK 0.005
/* Primaries and white within this of those of sRGB are they (ours). */
#define CHROMATICITY_SLACK 0.002

enum { CHUNKS_MOST = 1000 }; /* that are kept: texts, palettes of suggestions */

static tare_status failure(decode_job *job, int code)
{
    if (code == SPNG_EMEM) return error_memory(job->err);
    if (code == SPNG_ECHUNK_LIMITS)
        return decode_refuse(job, TARE_E_LIMIT, TARE_R_DECODE,
                             "PNG chunks beside the picture: above the limit of %zu bytes each, "
                             "%zu together, or %d chunks: save it without texts",
                             job->how.limits.chunk, 4 * job->how.limits.chunk, CHUNKS_MOST);
    if (code == SPNG_ECHUNK_UNKNOWN_CRITICAL)
        return decode_refuse(job, TARE_E_DATA, TARE_R_UNSUPPORTED_PIXELS,
                             "a PNG with a chunk that is needed to show it and that nobody knows");
    return decode_refuse(job, TARE_E_DATA, TARE_R_DECODE, "damaged PNG: %s", spng_strerror(code));
}

/* The white and the primaries of the file, where it has some, are not those of sRGB. */
static bool has_own_primaries(spng_ctx *ctx)
{
    struct spng_chrm c;
    if (spng_get_chrm(ctx, &c) != 0) return false;
    const double off[] = {
        c.white_point_x - .3127, c.white_point_y - .3290, c.red_x - .64,  c.red_y - .33,
        c.green_x - .30,         c.green_y - .60,         c.blue_x - .15, c.blue_y - .06};
    for (size_t k = 0; k < sizeof off / sizeof *off; k++)
        if (!(fabs(off[k]) <= CHROMATICITY_SLACK)) return true;
    return false;
}

/* gAMA and cHRM count where neither sRGB nor a profile that can be used says better. */
static void read_gamma(decode_job *job, spng_ctx *ctx)
{
    double gamma;
    if (spng_get_gama(ctx, &gamma) == 0 && !(fabs(gamma - SRGB_GAMMA) <= SRGB_GAMMA_SLACK)) {
        snprintf(job->saying, sizeof job->saying,
                 "a PNG with its own gamma (gAMA %.5f) and no %sprofile", gamma,
                 job->icc != NULL ? "usable " : "");
        job->doubt = job->saying;
        snprintf(job->unseen, sizeof job->unseen, "own gamma (gAMA %.5f) ignored", gamma);
    }
    if (has_own_primaries(ctx)) job->remark = "own primaries (cHRM) ignored";
}

/* cICP goes before all others, as PNG has it. */
static void read_cicp(decode_job *job, const unsigned char cicp[4])
{
    colour_numbers n = {cicp[0], cicp[1]};
    const char *hdr = colour_numbers_hdr(n);
    bool srgb = n.primaries == 1 && n.transfer == 13 && cicp[2] == 0;
    if (srgb && cicp[3] != 0) return;
    snprintf(job->unseen, sizeof job->unseen, "cICP (%d, %d) ignored", cicp[0], cicp[1]);
    if (hdr != NULL)
        snprintf(job->saying, sizeof job->saying,
                 "a PNG of high dynamic range (%s by its cICP chunk): " DECODE_HDR_HELP, hdr);
    else if (cicp[3] == 0)
        snprintf(job->saying, sizeof job->saying,
                 "a PNG of narrow range by its cICP chunk: save it with full range");
    else
        snprintf(job->saying, sizeof job->saying,
                 "a PNG in another colour space by its cICP chunk (%d, %d)", cicp[0], cicp[1]);
    if (hdr != NULL || cicp[3] == 0) job->never = job->saying;
    else job->doubt = job->saying;
    if (cicp[2] == 0 && job->how.policy != IMAGE_PUBLISHED) {
        job->numbers = n;
        mem_free(job->m, job->icc);
        job->icc = NULL;
    }
}

static tare_status read_colours(decode_job *job, spng_ctx *ctx, const png_chunks *c, bool grey)
{
    tare_status status = TARE_OK;
    struct spng_iccp profile;
    uint8_t intent;
    if (spng_get_iccp(ctx, &profile) == 0)
        TRY(decode_keep_icc(job, profile.profile, profile.profile_len));
    else if (c->has_profile) TRY(decode_keep_icc(job, "", 0)); /* there, but unreadable */
    if (spng_get_srgb(ctx, &intent) != 0 &&
        !icc_usable(grey ? ICC_GREY : ICC_RGB, (icc_profile){job->icc, job->icc_length}))
        read_gamma(job, ctx);
    if (c->cicp != NULL) read_cicp(job, c->cicp);
done:
    return status;
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

/* What stands before the pixels. Only the first question that goes wrong is answered with what is
 * wrong: this one. */
static int read_ahead(spng_ctx *ctx)
{
    double gamma;
    int code = spng_get_gama(ctx, &gamma);
    return code == SPNG_ECHUNKAVAIL ? 0 : code;
}

tare_status decode_png(decode_job *job)
{
    tare_status status = TARE_OK;
    tare_error *err = job->err;
    struct spng_ihdr header;
    png_chunks chunks;
    struct spng_exif exif;
    int code;
    spng_ctx *ctx = NULL;
    TRY(png_chunks_walk(job, &chunks));
    TRY_NEW(ctx = spng_ctx_new(0));
    spng_set_image_limits(ctx, 0x7fffffff, 0x7fffffff); /* ours say more, later */
    spng_set_chunk_limits(ctx, job->how.limits.chunk, 4 * job->how.limits.chunk);
    spng_set_option(ctx, SPNG_CHUNK_COUNT_LIMIT, CHUNKS_MOST);
    spng_set_crc_action(ctx, SPNG_CRC_ERROR, SPNG_CRC_ERROR);
    code = spng_set_png_buffer(ctx, job->bytes, job->length);
    if (code == 0) code = spng_get_ihdr(ctx, &header);
    if (code == 0) TRY(decode_check_size(job, header.width, header.height));
    if (code == 0) code = read_ahead(ctx);
    if (code != 0) {
        status = failure(job, code);
        goto done;
    }
    job->width = (int)header.width;
    job->height = (int)header.height;
    job->frames = chunks.frames > 0 ? chunks.frames : 1;
    png_plan plan = plan_pixels(job, ctx, &header);
    TRY(read_colours(job, ctx, &chunks, (header.color_type & 2) == 0));
    TRY(decode_may(job));
    TRY(read_pixels(job, ctx, &plan));
    if (spng_get_exif(ctx, &exif) == 0) /* it may stand after the pixels */
        job->orientation = exif_orientation((const unsigned char *)exif.data, exif.length);
done:
    spng_ctx_free(ctx);
    return status;
}
