/* decode_heif.c - HEIC and AVIF by libheif: the primary image, turned by the library. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "image/decode.h"
#include "image/heif_api.h"
#include "image/heif_boxes.h"
#include "image/heif_coded.h"

enum { BLOCK = 63 }; /* encoders fill up to whole blocks of 64 */

typedef struct heif_file {
    decode_job *job;
    heif_api api;
    void *context, *handle, *image;
    bool alpha;
    heif_coded coded;
} heif_file;

static tare_status failure(heif_file *f, heif_error e)
{
    char words[121];
    snprintf(words, sizeof words, "%s", e.message != NULL ? e.message : "no reason given");
    words[strcspn(words, "\n")] = '\0';
    for (char *at = words; *at != '\0'; at++) /* it may quote the file */
        if (*at < ' ' || *at > '~') *at = '?';
    if (e.subcode == HEIF_SUB_UNSUPPORTED_CODEC)
        return decode_refuse(f->job, TARE_E_DATA, TARE_R_UNSUPPORTED_PIXELS,
                             "libheif has no decoder for it here: `tare doctor` says what to "
                             "install");
    if (e.code == HEIF_UNSUPPORTED_FEATURE || e.code == HEIF_UNSUPPORTED_FILETYPE)
        return decode_refuse(f->job, TARE_E_DATA, TARE_R_UNSUPPORTED_PIXELS,
                             "a HEIF file that libheif does not read: %.90s", words);
    /* Its own limits; or memory asked for by what the file claims. */
    if (e.code == HEIF_MEMORY)
        return decode_refuse(f->job, TARE_E_LIMIT, TARE_R_DECODE, "HEIF: %s", words);
    return decode_refuse(f->job, TARE_E_DATA, TARE_R_DECODE, "damaged HEIF: %s", words);
}

/* A picture may say a small size and hold a large one, for which the decoders would allocate. The
 * size of AV1 is known to a power of two only: hence up to four times the limit. */
static tare_status check_coded(heif_file *f)
{
    decode_job *job = f->job;
    tare_status status = heif_coded_look(&f->coded, job->m, job->bytes, job->length, job->err);
    heif_coded c = f->coded;
    if (status != TARE_OK) return status;
    if (c.too_much)
        return decode_refuse(job, TARE_E_LIMIT, TARE_R_DECODE,
                             "a HEIF file whose parts refer to the same data again and again");
    uint64_t width = c.width > BLOCK ? c.width - BLOCK : 1;
    uint64_t height = c.height > BLOCK ? c.height - BLOCK : 1;
    if (width * height / 4 <= job->how.limits.pixels) return TARE_OK;
    return decode_refuse(job, TARE_E_LIMIT, TARE_R_DECODE,
                         "coded as %llu x %llu pixels: above the limit of %llu pixels",
                         (unsigned long long)c.width, (unsigned long long)c.height,
                         (unsigned long long)job->how.limits.pixels);
}

/* Nothing is printed or asked of the file yet: is it whole, and what does it hold? */
static tare_status look(heif_file *f)
{
    decode_job *job = f->job;
    heif_boxes boxes = heif_boxes_look(job->bytes, job->length);
    if (!boxes.whole)
        return decode_refuse(job, TARE_E_DATA, TARE_R_DECODE, "damaged HEIF: it is cut short");
    if (!boxes.still)
        return decode_refuse(job, TARE_E_DATA, TARE_R_UNSUPPORTED_PIXELS,
                             "a sequence without a still image: save the frame that is meant");
    job->frames = boxes.samples;
    return check_coded(f);
}

static tare_status open_file(heif_file *f)
{
    decode_job *job = f->job;
    tare_error err = {TARE_OK, "", "", ""};
    const image_limits *l = &job->how.limits;
    if (heif_api_open(&f->api, &err) != TARE_OK)
        return decode_refuse(job, TARE_E_DATA, TARE_R_UNSUPPORTED_PIXELS,
                             strcmp(err.code, "heif.missing") == 0
                                 ? "HEIC and AVIF need libheif: `apt install libheif1`"
                                 : "libheif cannot be used here: see `tare doctor`");
    if ((f->context = f->api.context_alloc()) == NULL) return error_memory(job->err);
    /* It takes a number of pixels as their root, and counts what is cropped away. */
    double side = ceil(sqrt((double)l->pixels)) + BLOCK;
    f->api.context_set_size_limit(f->context, side < 65535 ? (int)side : 65535);
    if (f->api.context_set_threads != NULL) f->api.context_set_threads(f->context, 0);
    heif_error e = f->api.context_read(f->context, job->bytes, job->length, NULL);
    if (e.code == HEIF_OK) e = f->api.context_primary(f->context, &f->handle);
    return e.code == HEIF_OK ? TARE_OK : failure(f, e);
}

/* Colours by numbers (nclx) that differ from sRGB; a profile goes before them, but for what no
 * profile makes fit into 8 bits. */
static void read_numbers(decode_job *job, colour_numbers n)
{
    const char *hdr = colour_numbers_hdr(n);
    bool curve = colour_numbers_plain_curve(n), primaries = colour_numbers_plain_primaries(n);
    if (hdr != NULL) {
        snprintf(job->saying, sizeof job->saying,
                 "a HEIF image of high dynamic range (%s by nclx): " DECODE_HDR_HELP, hdr);
        job->never = job->saying;
    } else if (job->icc == NULL && !(curve && primaries)) {
        job->doubt = curve ? "a HEIF image with other primary colours than sRGB (nclx)"
                           : "a HEIF image with another brightness curve than sRGB (nclx)";
        job->numbers = n;
    }
    if (job->never != NULL || job->doubt != NULL)
        snprintf(job->unseen, sizeof job->unseen, "nclx (%d, %d) ignored", n.primaries,
                 n.transfer);
}

static tare_status read_colours(heif_file *f)
{
    tare_status status = TARE_OK;
    decode_job *job = f->job;
    tare_error *err = job->err;
    heif_nclx *nclx = NULL;
    void *profile = NULL;
    size_t length = f->api.handle_icc_size(f->handle);
    if (length > job->how.limits.icc) return decode_keep_icc(job, "", length); /* refuses */
    if (length > 0) {
        TRY_NEW(profile = mem_new(job->m, length, 1));
        heif_error e = f->api.handle_icc(f->handle, profile);
        TRY(e.code == HEIF_OK ? decode_keep_icc(job, profile, length) : failure(f, e));
    }
    if (f->api.handle_nclx(f->handle, &nclx).code == HEIF_OK && nclx != NULL)
        read_numbers(job, (colour_numbers){nclx->primaries, nclx->transfer});
    else if (f->coded.numbers.transfer != 0) /* no box says it, but the data */
        read_numbers(job, f->coded.numbers);
done:
    if (nclx != NULL) f->api.nclx_free(nclx);
    mem_free(job->m, profile);
    return status;
}

static tare_status read_kind(heif_file *f)
{
    tare_status status = TARE_OK;
    decode_job *job = f->job;
    int width = f->api.handle_width(f->handle), height = f->api.handle_height(f->handle);
    int stills = f->api.context_count(f->context), bits = f->api.handle_bits(f->handle);
    TRY(decode_check_size(job, width > 0 ? (uint64_t)width : 0,
                          height > 0 ? (uint64_t)height : 0));
    /* What is decoded before it is cropped may be a block wider. */
    int coded_width = f->api.handle_ispe_width(f->handle);
    int coded_height = f->api.handle_ispe_height(f->handle);
    TRY(decode_check_size(job, coded_width > BLOCK ? (uint64_t)coded_width - BLOCK : 1,
                          coded_height > BLOCK ? (uint64_t)coded_height - BLOCK : 1));
    if (bits < 8 || bits > 16) {
        status = decode_refuse(job, TARE_E_DATA, TARE_R_UNSUPPORTED_PIXELS,
                               "a HEIF image of %d bits per channel", bits);
        goto done;
    }
    job->width = width;
    job->height = height;
    job->maximum = (1u << bits) - 1;
    f->alpha = f->api.handle_has_alpha(f->handle) != 0;
    job->mode = f->alpha ? IMAGE_RGBA : IMAGE_RGB;
    job->beside = (bits > 8 ? 2u : 1u) * (f->alpha ? 8 : 6); /* as decoded, and as RGB */
    if (stills > 0 && (unsigned)stills > job->frames) job->frames = (unsigned)stills;
    if (job->frames == 0) job->frames = 1;
    if (heif_turned(job->bytes, job->length))
        decode_remark(job->out, "turned upright by HEIF");
    TRY(read_colours(f));
    TRY(decode_may(job));
done:
    return status;
}

/* Not strict: strict decoding loses the picture's memory where it refuses (libheif 1.15). What the
 * library would have refused it says in a warning. */
static void note_warning(heif_file *f)
{
    heif_error e; /* its message may be gone already (libheif 1.15): the numbers are copies */
    if (f->job->doubt != NULL || f->api.image_warnings == NULL) return;
    if (f->api.image_warnings(f->image, 0, &e, 1) < 1) return;
    f->job->doubt = e.subcode >= HEIF_SUB_UNKNOWN_PRIMARIES && e.subcode <= HEIF_SUB_UNKNOWN_MATRIX
                        ? "a HEIF image in colours of an unknown number (nclx)"
                        : "a HEIF image that libheif reads with a warning";
}

static tare_status decode(heif_file *f)
{
    tare_status status = TARE_OK;
    decode_job *job = f->job;
    bool deep = job->maximum > 255;
    heif_decoding_options *options = f->api.options_alloc();
    if (options == NULL) return error_memory(job->err);
    if (options->version >= 2) options->convert_hdr_to_8bit = 0;
    int chroma = deep ? f->alpha ? HEIF_CHROMA_RRGGBBAA_LE : HEIF_CHROMA_RRGGBB_LE
                 : f->alpha ? HEIF_CHROMA_RGBA
                            : HEIF_CHROMA_RGB;
    heif_error e = f->api.decode(f->handle, &f->image, HEIF_COLORSPACE_RGB, chroma, options);
    f->api.options_free(options);
    if (e.code != HEIF_OK) return failure(f, e);
    note_warning(f);
    int bits = f->api.image_bits(f->image, HEIF_CHANNEL_INTERLEAVED);
    if (f->api.image_width(f->image, HEIF_CHANNEL_INTERLEAVED) != job->width ||
        f->api.image_height(f->image, HEIF_CHANNEL_INTERLEAVED) != job->height ||
        bits < 8 || bits > 16 || (1u << bits) - 1 != job->maximum)
        status = decode_refuse(job, TARE_E_DATA, TARE_R_DECODE,
                               "damaged HEIF: the picture is not what the file says of it");
    return status;
}

/* Colours that are multiplied by alpha, divided again, to the nearest. */
static void divide_by_alpha(decode_job *job)
{
    size_t n = (size_t)job->width * (size_t)job->height;
    uint32_t most = job->maximum;
    unsigned char *narrow = job->pixels;
    uint16_t *wide = job->pixels;
    for (size_t i = 0; i < n; i++) {
        uint32_t a = most > 255 ? wide[4 * i + 3] : narrow[4 * i + 3];
        for (size_t c = 4 * i; c < 4 * i + 3; c++) {
            uint32_t v = most > 255 ? wide[c] : narrow[c];
            v = a == 0 ? 0 : v >= a ? most : (v * most + a / 2) / a;
            if (most > 255) wide[c] = (uint16_t)v;
            else narrow[c] = (unsigned char)v;
        }
    }
}

static tare_status copy_pixels(heif_file *f)
{
    tare_status status = TARE_OK;
    decode_job *job = f->job;
    tare_error *err = job->err;
    int stride = 0;
    size_t values = (size_t)job->width * (f->alpha ? 4 : 3);
    size_t bytes = values * (job->maximum > 255 ? 2 : 1);
    const uint8_t *from = f->api.image_plane(f->image, HEIF_CHANNEL_INTERLEAVED, &stride);
    if (from == NULL || stride < 0 || (size_t)stride < bytes)
        return decode_refuse(job, TARE_E_DATA, TARE_R_DECODE,
                             "damaged HEIF: the library gave no pixels");
    TRY_NEW(job->pixels = mem_resize(job->m, NULL, (size_t)job->height, bytes));
    for (size_t y = 0; y < (size_t)job->height; y++) {
        const uint8_t *row = from + y * (size_t)stride;
        unsigned char *to = (unsigned char *)job->pixels + y * bytes;
        if (job->maximum <= 255) {
            memcpy(to, row, bytes);
            continue;
        }
        for (size_t i = 0; i < values; i++) { /* low byte first, whatever the machine */
            uint16_t v = (uint16_t)(row[2 * i] | row[2 * i + 1] << 8);
            if (v > job->maximum) v = (uint16_t)job->maximum;
            memcpy(to + 2 * i, &v, 2);
        }
    }
    if (f->alpha && f->api.handle_is_premultiplied != NULL &&
        f->api.handle_is_premultiplied(f->handle))
        divide_by_alpha(job);
done:
    return status;
}

tare_status decode_heif(decode_job *job)
{
    tare_status status = TARE_OK;
    heif_file f = {.job = job};
    TRY(look(&f));
    TRY(open_file(&f));
    TRY(read_kind(&f));
    TRY(decode(&f));
    TRY(copy_pixels(&f));
done:
    if (f.image != NULL) f.api.image_release(f.image);
    if (f.handle != NULL) f.api.handle_release(f.handle);
    if (f.context != NULL) f.api.context_free(f.context);
    heif_api_close(&f.api);
    return status;
}
