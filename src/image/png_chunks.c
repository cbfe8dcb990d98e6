#include "image/png_chunks.h"

#include <string.h>

#include "base/error.h"

static uint32_t big_endian(const unsigned char *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static tare_status read_chunk(decode_job *job, png_chunks *out, const unsigned char *chunk,
                              size_t length)
{
    const unsigned char *data = chunk + 8;
    if (length > job->how.limits.chunk)
        return decode_refuse(job, TARE_E_LIMIT, TARE_R_DECODE,
                             "a PNG chunk of %zu bytes: above the limit of %zu", length,
                             job->how.limits.chunk);
    if (memcmp(chunk + 4, "iCCP", 4) == 0) out->has_profile = true;
    if (memcmp(chunk + 4, "acTL", 4) == 0) { /* says that it is animated: then it is (ours) */
        out->frames = length >= 4 ? big_endian(data) : 0;
        if (out->frames < 2) out->frames = 2;
    }
    if (memcmp(chunk + 4, "cICP", 4) == 0) {
        if (length != 4)
            return decode_refuse(job, TARE_E_DATA, TARE_R_DECODE,
                                 "damaged PNG: a cICP chunk of %zu bytes", length);
        out->cicp = data;
    }
    return TARE_OK;
}

tare_status png_chunks_walk(decode_job *job, png_chunks *out)
{
    tare_status status = TARE_OK;
    size_t at = 8;
    *out = (png_chunks){0};
    while (at + 12 <= job->length) {
        const unsigned char *chunk = job->bytes + at;
        size_t length = big_endian(chunk);
        if (length > job->length - at - 12) break;
        if (memcmp(chunk + 4, "IEND", 4) == 0) return TARE_OK;
        if (memcmp(chunk + 4, "IDAT", 4) != 0) TRY(read_chunk(job, out, chunk, length));
        at += 12 + length;
    }
    status = decode_refuse(job, TARE_E_DATA, TARE_R_DECODE, "damaged PNG: it has no end");
done:
    return status;
}
