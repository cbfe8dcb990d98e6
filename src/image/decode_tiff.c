/* decode_tiff.c - TIFF by libtiff, from memory: the first page. The libraries below it ask for
 * memory by what the file claims, so the size is checked before they open it. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "image/orient.h"
#include "image/tiff_pages.h"
#include "image/tiff_pixels.h"

enum { SAMPLES_MOST = 16, OTHER_BYTES = 64 << 20 };
#define PIXELS_MOST (65535 * (int64_t)65535)

/* ---- The file in memory, as the library wants to see it ------------------------- */

static tmsize_t on_read(thandle_t user, void *to, tmsize_t size)
{
    tiff_page *p = user;
    uint64_t length = p->job->length, room = p->at < length ? length - p->at : 0;
    size_t n = size < 0 ? 0 : (uint64_t)size < room ? (size_t)size : (size_t)room;
    memcpy(to, p->job->bytes + (n > 0 ? p->at : 0), n);
    p->at += n;
    return (tmsize_t)n;
}

static tmsize_t on_write(thandle_t user, void *from, tmsize_t size)
{
    (void)user, (void)from, (void)size;
    return 0;
}

static toff_t on_seek(thandle_t user, toff_t offset, int whence)
{
    tiff_page *p = user;
    uint64_t from = whence == SEEK_CUR ? p->at : whence == SEEK_END ? p->job->length : 0;
    return p->at = from + offset; /* beyond the end there is nothing to read */
}

static int on_close(thandle_t user)
{
    (void)user;
    return 0;
}

static toff_t on_size(thandle_t user)
{
    return ((const tiff_page *)user)->job->length;
}

static int on_map(thandle_t user, void **base, toff_t *size)
{
    const decode_job *job = ((const tiff_page *)user)->job;
    memcpy(base, &job->bytes, sizeof *base); /* opened with "r", the library only reads it */
    *size = job->length;
    return 1;
}

static void on_unmap(thandle_t user, void *base, toff_t size)
{
    (void)user, (void)base, (void)size;
}

__attribute__((format(printf, 4, 0)))
static int on_error(TIFF *tiff, void *user, const char *module, const char *format, va_list args)
{
    tiff_page *p = user;
    (void)tiff, (void)module;
    if (*p->message != '\0') return 1;
    vsnprintf(p->message, sizeof p->message, format, args);
    for (char *at = p->message; *at != '\0'; at++) /* it may quote the file */
        if (*at < ' ' || *at > '~') *at = '?';
    return 1; /* said: nothing is printed */
}

__attribute__((format(printf, 4, 0)))
static int on_warning(TIFF *tiff, void *user, const char *module, const char *format, va_list args)
{
    return ((tiff_page *)user)->reading ? on_error(tiff, user, module, format, args) : 1;
}

static tare_status open_page(tiff_page *p)
{
    tare_status status = TARE_OK;
    tare_error *err = p->job->err;
    TIFFOpenOptions *options = NULL;
    TRY_NEW(options = TIFFOpenOptionsAlloc());
    /* No buffer of the library is larger than an image at the limit. */
    uint64_t pixels = p->job->how.limits.pixels, most = (uint64_t)PIXELS_MOST;
    TIFFOpenOptionsSetMaxSingleMemAlloc(
        options, (tmsize_t)(4 * (pixels < most ? pixels : most)) + OTHER_BYTES);
    TIFFOpenOptionsSetErrorHandlerExtR(options, on_error, p);
    TIFFOpenOptionsSetWarningHandlerExtR(options, on_warning, p);
    p->tiff = TIFFClientOpenExt("TIFF", "r", p, on_read, on_write, on_seek, on_close, on_size,
                                on_map, on_unmap, options);
    if (p->tiff == NULL) status = tiff_failure(p);
done:
    TIFFOpenOptionsFree(options);
    return status;
}

/* ---- What the tags say ----------------------------------------------------------- */

__attribute__((format(printf, 2, 3)))
static tare_status unsupported(tiff_page *p, const char *format, ...)
{
    char what[100];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    return decode_refuse(p->job, TARE_E_DATA, TARE_R_UNSUPPORTED_PIXELS, "a TIFF %s", what);
}

static tare_status read_tags(tiff_page *p)
{
    uint32_t width = 0, height = 0;
    uint16_t format = SAMPLEFORMAT_UINT, planar = PLANARCONFIG_CONTIG;
    TIFFGetField(p->tiff, TIFFTAG_IMAGEWIDTH, &width);
    TIFFGetField(p->tiff, TIFFTAG_IMAGELENGTH, &height);
    tare_status status = decode_check_size(p->job, width, height);
    if (status != TARE_OK) return status;
    p->job->width = (int)width;
    p->job->height = (int)height;
    TIFFGetFieldDefaulted(p->tiff, TIFFTAG_BITSPERSAMPLE, &p->bits);
    TIFFGetFieldDefaulted(p->tiff, TIFFTAG_SAMPLESPERPIXEL, &p->samples);
    TIFFGetFieldDefaulted(p->tiff, TIFFTAG_SAMPLEFORMAT, &format);
    TIFFGetFieldDefaulted(p->tiff, TIFFTAG_PLANARCONFIG, &planar);
    TIFFGetFieldDefaulted(p->tiff, TIFFTAG_COMPRESSION, &p->compression);
    TIFFGetFieldDefaulted(p->tiff, TIFFTAG_ORIENTATION, &p->orientation);
    p->planar = planar == PLANARCONFIG_SEPARATE && p->samples > 1;
    if (!TIFFGetField(p->tiff, TIFFTAG_PHOTOMETRIC, &p->photometric))
        return unsupported(p, "that does not say what its numbers are (no photometric tag)");
    if (p->compression == COMPRESSION_OJPEG)
        return unsupported(p, "with the JPEG compression of before 1995: convert it to PNG");
    if (!TIFFIsCODECConfigured(p->compression))
        return unsupported(p, "with compression %u, which libtiff cannot read here",
                           p->compression);
    if (format != SAMPLEFORMAT_UINT && format != SAMPLEFORMAT_VOID)
        return unsupported(p, format == SAMPLEFORMAT_IEEEFP ? "of floating point numbers"
                                                            : "of signed or complex numbers");
    if (p->samples < 1 || p->samples > SAMPLES_MOST)
        return unsupported(p, "of %u channels", p->samples);
    return TARE_OK;
}

/* What stands beside the `colours` channels: alpha, or something that is left out. */
static bool read_alpha(tiff_page *p, unsigned colours, bool wanted)
{
    uint16_t count = 0, *kinds = NULL;
    if (p->samples <= colours) return false;
    TIFFGetFieldDefaulted(p->tiff, TIFFTAG_EXTRASAMPLES, &count, &kinds);
    uint16_t kind = count > 0 && kinds != NULL ? kinds[0] : EXTRASAMPLE_UNSPECIFIED;
    bool alpha = wanted && kind != EXTRASAMPLE_UNSPECIFIED;
    p->associated = alpha && kind == EXTRASAMPLE_ASSOCALPHA;
    if (p->samples > colours + alpha)
        p->job->doubt = "a TIFF with channels of unknown meaning beside the colours";
    return alpha;
}

static tare_status read_palette(tiff_page *p)
{
    tare_status status = TARE_OK;
    decode_job *job = p->job;
    tare_error *err = job->err;
    uint16_t *map[3] = {NULL, NULL, NULL};
    uint16_t any = 0;
    if (!TIFFGetField(p->tiff, TIFFTAG_COLORMAP, &map[0], &map[1], &map[2]) || map[2] == NULL)
        return decode_refuse(job, TARE_E_DATA, TARE_R_DECODE, "damaged TIFF: it has no colour map");
    TRY_NEW(job->palette = mem_new(job->m, 256, sizeof *job->palette));
    size_t colours = (size_t)1 << p->bits;
    for (size_t i = 0; i < colours; i++)
        for (size_t c = 0; c < 3; c++) any |= map[c][i];
    for (size_t i = 0; i < 256; i++) {
        job->palette[i][3] = 255;
        for (size_t c = 0; c < 3 && i < colours; c++) /* some writers leave the 16 bits empty */
            job->palette[i][c] = (unsigned char)(any > 255 ? map[c][i] >> 8 : map[c][i]);
    }
done:
    return status;
}

static const char *photometric_name(unsigned photometric)
{
    switch (photometric) {
    case PHOTOMETRIC_CIELAB:
    case PHOTOMETRIC_ICCLAB:
    case PHOTOMETRIC_ITULAB: return "Lab";
    case PHOTOMETRIC_MASK: return "a mask";
    case PHOTOMETRIC_CFA: return "a sensor's pattern";
    case PHOTOMETRIC_LOGL:
    case PHOTOMETRIC_LOGLUV: return "high dynamic range";
    default: return "unknown";
    }
}

static tare_status read_mode(tiff_page *p)
{
    decode_job *job = p->job;
    uint16_t inks = INKSET_CMYK;
    unsigned colours = 3;
    switch (p->photometric) {
    case PHOTOMETRIC_MINISWHITE:
    case PHOTOMETRIC_MINISBLACK:
        /* Of 16 bits Pillow does not turn round. */
        p->inverted = p->photometric == PHOTOMETRIC_MINISWHITE &&
                      !(job->how.policy == IMAGE_PUBLISHED && p->bits == 16 && p->samples == 1);
        colours = 1;
        job->mode = read_alpha(p, 1, true) ? IMAGE_GREY_ALPHA
                    : p->bits == 1         ? IMAGE_BILEVEL
                                           : IMAGE_GREY;
        break;
    case PHOTOMETRIC_RGB:
        job->mode = read_alpha(p, 3, true) ? IMAGE_RGBA : IMAGE_RGB;
        break;
    case PHOTOMETRIC_YCBCR:
        if (p->samples != 3 || p->bits != 8)
            return unsupported(p, "in YCbCr of %u channels of %u bits", p->samples, p->bits);
        job->mode = IMAGE_RGB;
        break;
    case PHOTOMETRIC_PALETTE:
        colours = 1;
        job->mode = IMAGE_PALETTE;
        read_alpha(p, 1, false);
        break;
    case PHOTOMETRIC_SEPARATED:
        TIFFGetFieldDefaulted(p->tiff, TIFFTAG_INKSET, &inks);
        if (inks != INKSET_CMYK) return unsupported(p, "of other inks than CMYK");
        colours = 4;
        job->mode = IMAGE_CMYK;
        read_alpha(p, 4, false);
        break;
    default:
        return unsupported(p, "of another kind than grey, RGB, YCbCr, CMYK and palette "
                              "(photometric %u, %s)", p->photometric,
                           photometric_name(p->photometric));
    }
    if (p->samples < colours)
        return decode_refuse(job, TARE_E_DATA, TARE_R_DECODE,
                             "damaged TIFF: %u channels are too few", p->samples);
    return TARE_OK;
}

static tare_status check_bits(tiff_page *p)
{
    bool one = p->samples == 1, palette = p->job->mode == IMAGE_PALETTE;
    bool few = (p->bits == 1 || p->bits == 2 || p->bits == 4) && one;
    if (!few && p->bits != 8 && (p->bits != 16 || palette))
        return unsupported(p, "with %u bits for each of %u channels", p->bits, p->samples);
    p->job->maximum = p->bits > 8 ? 65535 : 255;
    p->job->bits = p->bits;
    p->job->beside = p->photometric == PHOTOMETRIC_YCBCR ? 4 : 0;
    return TARE_OK;
}

static tare_status read_profile(tiff_page *p)
{
    uint32_t length = 0;
    void *profile = NULL;
    if (!TIFFGetField(p->tiff, TIFFTAG_ICCPROFILE, &length, &profile) || profile == NULL)
        return TARE_OK;
    return decode_keep_icc(p->job, profile, length);
}

/* The tag says where the first row and column belong, and readers of TIFF follow it: Pillow too, in
 * which a scorer's own loader sees the picture upright. So it is no matter of policy. */
static tare_status turn(tiff_page *p)
{
    decode_job *job = p->job;
    size_t size = (size_t)image_mode_channels(job->mode) * (job->maximum > 255 ? 2 : 1);
    orient_block b = {job->pixels, (size_t)job->width, (size_t)job->height, size};
    if (p->orientation <= 1 || p->orientation > 8) return TARE_OK;
    if (!orient_pixels(&b, job->m, p->orientation)) return error_memory(job->err);
    job->pixels = b.pixels;
    job->width = (int)b.width;
    job->height = (int)b.height;
    job->out->orientation = p->orientation;
    return TARE_OK;
}

tare_status decode_tiff(decode_job *job)
{
    tare_status status = TARE_OK;
    tiff_page p = {.job = job};
    tiff_pages pages = tiff_pages_look(job->bytes, job->length);
    if (pages.raw)
        return decode_refuse(job, TARE_E_DATA, TARE_R_UNSUPPORTED_PIXELS,
                             "a raw file of a camera: develop it to JPEG or PNG");
    if (pages.damage != NULL)
        return decode_refuse(job, TARE_E_DATA, TARE_R_DECODE, "damaged TIFF: %s", pages.damage);
    TRY(decode_check_size(job, pages.width, pages.height));
    job->frames = pages.count;
    if (pages.loop) {
        job->doubt = "a TIFF whose list of pages leads into itself";
        snprintf(job->unseen, sizeof job->unseen, "a list of pages that leads into itself");
    }
    TRY(open_page(&p));
    TRY(read_tags(&p));
    TRY(read_mode(&p));
    TRY(check_bits(&p));
    TRY(decode_may(job));
    TRY(read_profile(&p));
    if (job->mode == IMAGE_PALETTE) TRY(read_palette(&p));
    TRY(tiff_read_pixels(&p));
    TRY(turn(&p));
done:
    if (p.tiff != NULL) TIFFClose(p.tiff);
    return status;
}
