#include "image/decode.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "image/image_room.h"

void decode_remark(image *out, const char *text)
{
    static const char more[] = "; ...";
    size_t used = strlen(out->note), room = sizeof out->note - used;
    if (strstr(out->note, more) != NULL) return;
    if (strlen(text) + 2 + sizeof more > room) text = more + 2;
    snprintf(out->note + used, room, "%s%s", used > 0 ? "; " : "", text);
}

tare_status decode_refuse(decode_job *job, tare_status status, tare_reason reason,
                          const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(job->out->note, sizeof job->out->note, format, args);
    va_end(args);
    job->out->reason = reason;
    const char *code = status == TARE_E_LIMIT ? "image.limit"
                       : reason == TARE_R_UNSUPPORTED_PIXELS ? "image.unsupported"
                                                             : "image.decode";
    return error_set(job->err, status, code, job->name, "%s", job->out->note);
}

tare_status decode_check_size(decode_job *job, uint64_t width, uint64_t height)
{
    const image_limits *l = &job->how.limits;
    uint32_t side = l->side < 65535 ? l->side : 65535;
    if (width < 1 || height < 1)
        return decode_refuse(job, TARE_E_DATA, TARE_R_DECODE, "an image without pixels");
    if (width > side || height > side)
        return decode_refuse(job, TARE_E_LIMIT, TARE_R_DECODE,
                             "%llu x %llu pixels: a side above the limit of %u",
                             (unsigned long long)width, (unsigned long long)height, side);
    if (width * height > l->pixels)
        return decode_refuse(job, TARE_E_LIMIT, TARE_R_DECODE,
                             "%llu x %llu pixels: above the limit of %llu pixels",
                             (unsigned long long)width, (unsigned long long)height,
                             (unsigned long long)l->pixels);
    return TARE_OK;
}

tare_status decode_keep_icc(decode_job *job, const void *bytes, size_t length)
{
    tare_status status = TARE_OK;
    tare_error *err = job->err;
    if (length > job->how.limits.icc)
        return decode_refuse(job, TARE_E_LIMIT, TARE_R_DECODE,
                             "a colour profile of %zu bytes: above the limit of %zu", length,
                             job->how.limits.icc);
    TRY_NEW(job->icc = mem_resize(job->m, NULL, length > 0 ? length : 1, 1));
    memcpy(job->icc, bytes, length);
    job->icc_length = length;
done:
    return status;
}

static tare_status decode_pixels(decode_job *job, image_format format)
{
    switch (format) {
    case IMAGE_JPEG: return decode_jpeg(job);
    case IMAGE_PNG: return decode_png(job);
    case IMAGE_WEBP: return decode_webp(job);
    case IMAGE_TIFF: return decode_tiff(job);
    case IMAGE_HEIF: return decode_heif(job);
    case IMAGE_NOT:
        return decode_refuse(job, TARE_E_DATA, TARE_R_DECODE, "not an image by its first bytes");
    default:
        return decode_refuse(job, TARE_E_DATA, TARE_R_UNSUPPORTED_PIXELS,
                             "%s is not read: save it as PNG or JPEG",
                             image_format_name(format));
    }
}

/* Also where the file is refused, as far as it was read. */
static void note_stored(const decode_job *job)
{
    unsigned bits = job->bits;
    if (job->maximum == 0) return;
    while (job->bits == 0 && job->maximum >> bits != 0) bits++;
    job->out->stored = job->mode;
    job->out->bits = bits;
}

tare_status image_decode(image *out, const mem *m, const void *bytes, size_t length,
                         const char *name, const image_decoding *how, tare_error *err)
{
    tare_status status = TARE_OK;
    decode_job job = {.m = m, .bytes = bytes, .length = length, .name = name, .out = out,
                      .how = how != NULL ? *how : IMAGE_DECODING_DEFAULT, .err = err};
    *out = (image){.format = image_sniff(bytes, length), .orientation = 1};
    if (length > job.how.limits.file) {
        status = decode_refuse(&job, TARE_E_LIMIT, TARE_R_DECODE,
                               "%zu bytes: above the limit of %zu", length, job.how.limits.file);
        goto done;
    }
    TRY(decode_pixels(&job, out->format));
    TRY(decode_settle(&job));
done:
    mem_free(m, job.pixels);
    mem_free(m, job.icc);
    mem_free(m, job.palette);
    if (job.inside) image_room_leave(job.how.room, job.held);
    note_stored(&job);
    if (status != TARE_OK) {
        image_free(out, m);
        out->icc = IMAGE_ICC_NONE;
        out->orientation = 1;
    }
    if (status == TARE_E_MEMORY) out->reason = TARE_R_NONE;
    return status;
}
