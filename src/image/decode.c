#include "image/decode.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "image/icc.h"
#include "image/orient.h"

void decode_remark(image *out, const char *text)
{
    size_t used = strlen(out->note);
    snprintf(out->note + used, sizeof out->note - used, "%s%s", used > 0 ? "; " : "", text);
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

bool image_readable(image_format format)
{
    return format == IMAGE_JPEG || format == IMAGE_PNG;
}

tare_status decode_may(decode_job *job)
{
    tare_status status = TARE_OK;
    TRY(decode_check_size(job, (uint64_t)job->width, (uint64_t)job->height));
    if (job->how.policy == IMAGE_STRICT && job->mode == IMAGE_CMYK)
        return decode_refuse(job, TARE_E_DATA, TARE_R_UNSUPPORTED_PIXELS,
                             "a CMYK image: convert it to RGB");
done:
    return status;
}

static tare_status decode_pixels(decode_job *job, image_format format)
{
    switch (format) {
    case IMAGE_JPEG: return decode_jpeg(job);
    case IMAGE_PNG: return decode_png(job);
    case IMAGE_NOT:
        return decode_refuse(job, TARE_E_DATA, TARE_R_DECODE, "not an image by its first bytes");
    default:
        return decode_refuse(job, TARE_E_DATA, TARE_R_UNSUPPORTED_PIXELS,
                             "%s is not read: convert to PNG or JPEG",
                             image_format_name(format));
    }
}

/* From the file's pixels to sRGB, upright. */
tare_status decode_settle(decode_job *job)
{
    tare_status status = TARE_OK;
    tare_error *err = job->err;
    image *out = job->out;
    bool grey = job->mode == IMAGE_GREY;
    out->channels = 3;
    if (!grey) {
        out->rgb = job->pixels;
        job->pixels = NULL;
    } else {
        TRY_NEW(out->rgb = mem_resize(job->m, NULL, (size_t)job->width * (size_t)job->height, 3));
    }
    out->width = job->width;
    out->height = job->height;
    out->icc = icc_to_srgb(out->rgb, grey ? job->pixels : out->rgb, grey ? 1 : 3,
                           image_pixels(out), (icc_profile){job->icc, job->icc_length});
    if (out->icc == IMAGE_ICC_CONVERTED) decode_remark(out, "colours converted to sRGB");
    if (out->icc == IMAGE_ICC_UNREADABLE)
        decode_remark(out, "colour profile unreadable: taken as sRGB");
    if (job->orientation > 1) {
        TRY(image_orient(out, job->m, job->orientation, err));
        decode_remark(out, "turned upright by EXIF");
    }
done:
    return status;
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
    if (status != TARE_OK) image_free(out, m);
    if (status == TARE_E_MEMORY) out->reason = TARE_R_NONE;
    return status;
}
