/* decode_settle.c - what a policy makes of what a file holds: the table of scorers 5, and the only
 * place that knows it. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "image/decode.h"
#include "image/icc.h"
#include "image/image_room.h"
#include "image/orient.h"
#include "image/mode_samples.h"

/* What was done, for the remarks. */
typedef struct doings {
    double transparent; /* share of the pixels with alpha below 255 */
    bool formula;       /* CMYK without a profile that can be used  */
} doings;

static unsigned bits_of(unsigned maximum)
{
    unsigned bits = 0;
    while (maximum >> bits) bits++;
    return bits;
}

static const char *share_text(char out[16], double share)
{
    if (share < 0.0001) snprintf(out, 16, "under 0.01");
    else snprintf(out, 16, "%.2f", 100.0 * share);
    return out;
}

static const char *what_frames_are(image_format format)
{
    return format == IMAGE_TIFF ? "page" : format == IMAGE_HEIF ? "picture" : "frame";
}

static tare_status refuse(decode_job *job, const char *why)
{
    return decode_refuse(job, TARE_E_DATA, TARE_R_UNSUPPORTED_PIXELS, "%s", why);
}

static tare_status refuse_frames(decode_job *job)
{
    image_format format = job->out->format;
    if (format == IMAGE_PNG || format == IMAGE_WEBP)
        return decode_refuse(job, TARE_E_DATA, TARE_R_UNSUPPORTED_PIXELS,
                             "an animated %s: save the frame that is meant",
                             format == IMAGE_PNG ? "PNG" : "WebP");
    return decode_refuse(job, TARE_E_DATA, TARE_R_UNSUPPORTED_PIXELS,
                         "%u %ss in one file: save the one that is meant", job->frames,
                         what_frames_are(format));
}

static tare_status may_be_strict(decode_job *job)
{
    tare_status status = TARE_OK;
    if (job->frames > 1) TRY(refuse_frames(job));
    if (job->mode == IMAGE_CMYK) TRY(refuse(job, "a CMYK image: convert it to RGB"));
    if (job->maximum > 255)
        TRY(decode_refuse(job, TARE_E_DATA, TARE_R_UNSUPPORTED_PIXELS,
                          "%u bits per channel: convert it to 8", bits_of(job->maximum)));
    if (job->doubt != NULL) TRY(refuse(job, job->doubt));
done:
    return status;
}

/* What Pillow opens as 32-bit numbers, and resizes so. The other formats' grey of 16 bits it cannot
 * resize at all, or does not read. */
static bool is_kept_deep(const decode_job *job)
{
    return job->how.policy == IMAGE_PUBLISHED && job->out->format == IMAGE_PNG &&
           job->mode == IMAGE_GREY && job->maximum > 255;
}

/* The samples, what is made of them where that is not done in place or has to be turned, and what
 * the library holds. */
static uint64_t bytes_needed(const decode_job *job)
{
    uint64_t n = (uint64_t)job->width * (uint64_t)job->height;
    uint64_t channels = (uint64_t)image_mode_channels(job->mode);
    uint64_t stored = channels * (job->maximum > 255 ? 2 : 1);
    uint64_t made = is_kept_deep(job)                    ? sizeof(int32_t)
                    : job->how.policy == IMAGE_PUBLISHED ? channels
                                                         : 3;
    return n * (stored + made + job->beside);
}

static void enter_room(decode_job *job)
{
    if (job->how.room == NULL || job->inside) return;
    job->held = bytes_needed(job);
    image_room_enter(job->how.room, job->held);
    job->inside = true;
}

tare_status decode_may(decode_job *job)
{
    tare_status status = TARE_OK;
    TRY(decode_check_size(job, (uint64_t)job->width, (uint64_t)job->height));
    if (job->never != NULL && job->how.policy != IMAGE_PUBLISHED) TRY(refuse(job, job->never));
    if (job->how.policy == IMAGE_STRICT) TRY(may_be_strict(job));
    enter_room(job);
done:
    return status;
}

static bool is_indexed(image_mode mode)
{
    return mode == IMAGE_PALETTE || mode == IMAGE_BILEVEL;
}

/* The buffer of the decoder becomes the image's, cut to its n bytes. */
static void take_pixels(decode_job *job, size_t n)
{
    void *cut = mem_resize(job->m, job->pixels, n, 1);
    job->out->rgb = cut != NULL ? cut : job->pixels;
    job->pixels = NULL;
}

static icc_profile profile_of(const decode_job *job)
{
    return (icc_profile){job->icc, job->icc_length};
}

/* Grey, grey with alpha, palette, bilevel: the profile is asked for 256 colours only. */
static tare_status from_table(decode_job *job, samples_ground ground, size_t n, size_t *transparent)
{
    tare_status status = TARE_OK;
    tare_error *err = job->err;
    unsigned char grey[256], rgb[256][3], table[256][4];
    samples_indexed from = {job->pixels, job->mode == IMAGE_GREY_ALPHA, table};
    if (job->mode == IMAGE_PALETTE) {
        memcpy(table, job->palette, sizeof table);
        job->out->icc = icc_to_srgb(*table, *table, ICC_RGBA, 256, profile_of(job));
    } else {
        samples_grey_table(table);
        for (int k = 0; k < 256; k++) grey[k] = (unsigned char)k;
        job->out->icc = icc_to_srgb(*rgb, grey, ICC_GREY, 256, profile_of(job));
        for (int k = 0; k < 256; k++) memcpy(table[k], rgb[k], 3);
    }
    TRY_NEW(job->out->rgb = mem_resize(job->m, NULL, n, 3));
    *transparent = samples_look_up(job->out->rgb, from, n, ground);
done:
    return status;
}

static tare_status to_rgb(decode_job *job, size_t n, doings *did)
{
    tare_status status = TARE_OK;
    const image_decoding *how = &job->how;
    samples_ground ground = {how->alpha == IMAGE_ALPHA_DROP,
                             {how->background[0], how->background[1], how->background[2]}};
    size_t transparent = 0;
    image_icc *icc = &job->out->icc;
    if (!is_indexed(job->mode))
        samples_to_bytes(job->pixels, n * (size_t)image_mode_channels(job->mode), job->maximum);
    switch (job->mode) {
    case IMAGE_RGB:
        *icc = icc_to_srgb(job->pixels, job->pixels, ICC_RGB, n, profile_of(job));
        take_pixels(job, n * 3);
        break;
    case IMAGE_RGBA:
        *icc = icc_to_srgb(job->pixels, job->pixels, ICC_RGBA, n, profile_of(job));
        transparent = samples_flatten(job->pixels, n, ground);
        take_pixels(job, n * 3);
        break;
    case IMAGE_CMYK:
        *icc = icc_to_srgb(job->pixels, job->pixels, ICC_CMYK, n, profile_of(job));
        did->formula = *icc != IMAGE_ICC_CONVERTED;
        if (did->formula) samples_cmyk_formula(job->pixels, n);
        take_pixels(job, n * 3);
        break;
    default:
        TRY(from_table(job, ground, n, &transparent));
    }
    did->transparent = (double)transparent / (double)n;
    job->out->channels = 3;
done:
    return status;
}

static tare_status check_alpha(decode_job *job, double transparent)
{
    char share[16];
    if (transparent <= 0.0 ||
        (job->how.policy == IMAGE_CANONICAL && job->how.alpha != IMAGE_ALPHA_REFUSE))
        return TARE_OK;
    return decode_refuse(job, TARE_E_DATA, TARE_R_UNSUPPORTED_PIXELS,
                         "%s %% of the pixels are transparent: put it on a background",
                         share_text(share, transparent));
}

static void remark_alpha(const decode_job *job, double transparent)
{
    char text[64], share[16];
    const unsigned char *c = job->how.background;
    if (transparent <= 0.0) return;
    share_text(share, transparent);
    if (job->how.alpha == IMAGE_ALPHA_DROP)
        snprintf(text, sizeof text, "%s %% transparent: alpha dropped", share);
    else if (c[0] == 255 && c[1] == 255 && c[2] == 255)
        snprintf(text, sizeof text, "%s %% transparent: put over white", share);
    else
        snprintf(text, sizeof text, "%s %% transparent: put over #%02x%02x%02x", share, c[0], c[1],
                 c[2]);
    decode_remark(job->out, text);
}

static void remark_colours(const decode_job *job, const doings *did)
{
    image *out = job->out;
    if (did->formula)
        decode_remark(out, out->icc == IMAGE_ICC_NONE ? "CMYK without a profile: by the formula"
                                                      : "CMYK with an unusable profile: by the "
                                                        "formula");
    else if (job->mode == IMAGE_CMYK) decode_remark(out, "CMYK by its profile");
    else if (out->icc == IMAGE_ICC_CONVERTED) decode_remark(out, "colours converted to sRGB");
    else if (out->icc == IMAGE_ICC_UNREADABLE)
        decode_remark(out, "colour profile unreadable: taken as sRGB");
}

static void remark_bits(const decode_job *job)
{
    char text[64];
    bool published = job->how.policy == IMAGE_PUBLISHED;
    if (is_indexed(job->mode) || job->maximum <= 255) return;
    snprintf(text, sizeof text, "%u bits to 8%s", bits_of(job->maximum),
             !published ? "" : job->mode == IMAGE_GREY ? ": above 255 is white" : ": high byte");
    decode_remark(job->out, text);
}

static void remark_frames(const decode_job *job)
{
    char text[64];
    if (job->frames <= 1) return;
    snprintf(text, sizeof text, "first of %u %ss", job->frames,
             what_frames_are(job->out->format));
    decode_remark(job->out, text);
}

/* What changes most stands first, since there is an end to the room. */
static void remark_all(const decode_job *job, const doings *did)
{
    static const char *const expanded[] = {
        [IMAGE_GREY] = "grey repeated", [IMAGE_GREY_ALPHA] = "grey repeated",
        [IMAGE_PALETTE] = "palette expanded", [IMAGE_BILEVEL] = "bilevel expanded",
        [IMAGE_CMYK] = NULL};
    remark_alpha(job, did->transparent);
    if (job->doubt != NULL) decode_remark(job->out, job->doubt);
    if (job->remark != NULL) decode_remark(job->out, job->remark);
    remark_colours(job, did);
    remark_bits(job);
    remark_frames(job);
    if (expanded[job->mode] != NULL) decode_remark(job->out, expanded[job->mode]);
    if (job->out->orientation > 1)
        decode_remark(job->out, job->orientation > 1 ? "turned upright by EXIF"
                                                     : "turned upright by TIFF");
}

/* Colours that are given by numbers are converted as by a profile of them. */
static tare_status make_profile(decode_job *job)
{
    bool no_memory = false;
    if (job->icc != NULL || job->numbers.primaries == 0) return TARE_OK;
    job->icc = colour_numbers_profile(&job->icc_length, job->m, job->numbers, &no_memory);
    return no_memory ? error_memory(job->err) : TARE_OK;
}

/* Strict and canonical: sRGB, upright. */
static tare_status settle_colours(decode_job *job, size_t n)
{
    tare_status status = TARE_OK;
    doings did = {0, false};
    TRY(make_profile(job));
    TRY(to_rgb(job, n, &did));
    TRY(check_alpha(job, did.transparent));
    if (job->orientation > 1) TRY(image_orient(job->out, job->m, job->orientation, job->err));
    remark_all(job, &did);
done:
    return status;
}

/* Share of the pixels with alpha below 255, of samples in bytes. */
static double transparent_share(const image *i)
{
    size_t n = image_pixels(i), found = 0, channels = (size_t)i->channels;
    if (i->mode == IMAGE_PALETTE)
        for (size_t k = 0; k < n; k++) found += i->palette[i->rgb[k]][3] != 255;
    else if (i->mode == IMAGE_RGBA || i->mode == IMAGE_GREY_ALPHA)
        for (size_t k = 1; k <= n; k++) found += i->rgb[k * channels - 1] != 255;
    return (double)found / (double)n;
}

/* What becomes of it on the way to RGB (image_to_rgb). */
static void remark_alpha_as_stored(const decode_job *job)
{
    char text[64], share[16];
    double transparent = transparent_share(job->out);
    if (transparent <= 0.0) return;
    snprintf(text, sizeof text, "%s %% transparent: alpha dropped", share_text(share, transparent));
    decode_remark(job->out, text);
}

static tare_status take_deep(decode_job *job, size_t n)
{
    tare_status status = TARE_OK;
    tare_error *err = job->err;
    const uint16_t *sample = job->pixels;
    int32_t *made;
    TRY_NEW(made = mem_resize(job->m, NULL, n, sizeof *made));
    for (size_t k = 0; k < n; k++) made[k] = sample[k];
    job->out->rgb = (void *)made;
done:
    return status;
}

/* Published: the file's own mode, in bytes. What is not looked at is said all the same. */
static tare_status settle_as_stored(decode_job *job, size_t n)
{
    tare_status status = TARE_OK;
    image *out = job->out;
    image_mode mode = is_kept_deep(job) ? IMAGE_GREY32 : job->mode;
    size_t samples = n * (size_t)image_mode_channels(job->mode);
    if (mode == IMAGE_GREY32) TRY(take_deep(job, n));
    else if (is_indexed(job->mode)) ;
    else if (job->maximum <= 255) samples_to_bytes(job->pixels, samples, job->maximum);
    else if (job->mode == IMAGE_GREY) samples_clip(job->pixels, samples);
    else samples_high_byte(job->pixels, samples, job->maximum);
    if (mode != IMAGE_GREY32) take_pixels(job, samples);
    out->mode = mode;
    out->channels = image_mode_channels(mode);
    out->palette = job->palette;
    job->palette = NULL;
    remark_alpha_as_stored(job);
    if (job->mode == IMAGE_CMYK) decode_remark(out, "CMYK by the formula");
    remark_bits(job);
    remark_frames(job);
    if (job->icc != NULL) {
        out->icc = IMAGE_ICC_IGNORED;
        decode_remark(out, "colour profile ignored");
    }
    if (*job->unseen != '\0') decode_remark(out, job->unseen);
    if (job->remark != NULL) decode_remark(out, job->remark);
    if (job->orientation > 1) decode_remark(out, "EXIF orientation ignored");
    if (out->orientation > 1) decode_remark(out, "turned upright by TIFF");
done:
    return status;
}

tare_status decode_settle(decode_job *job)
{
    tare_status status = TARE_OK;
    if (job->never == NULL && icc_hdr(profile_of(job)) != NULL)
        job->never = "a picture of high dynamic range by its profile: " DECODE_HDR_HELP;
    TRY(decode_may(job));
    size_t n = (size_t)job->width * (size_t)job->height;
    job->out->width = job->width;
    job->out->height = job->height;
    if (job->how.policy == IMAGE_PUBLISHED) TRY(settle_as_stored(job, n));
    else TRY(settle_colours(job, n));
done:
    return status;
}
