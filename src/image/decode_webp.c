/* decode_webp.c - WebP by libwebp: lossy and lossless; of an animation the first frame. */
#include <string.h>

#include <webp/decode.h>
#include <webp/demux.h>

#include "base/error.h"
#include "image/decode.h"
#include "image/exif.h"

static tare_status failure(decode_job *job, VP8StatusCode code)
{
    const char *why = "its data is wrong";
    if (code == VP8_STATUS_OUT_OF_MEMORY) return error_memory(job->err);
    if (code == VP8_STATUS_NOT_ENOUGH_DATA || code == VP8_STATUS_SUSPENDED) why = "it is cut short";
    if (code == VP8_STATUS_UNSUPPORTED_FEATURE) why = "it asks for what libwebp does not know";
    return decode_refuse(job, TARE_E_DATA, TARE_R_DECODE, "damaged WebP: %s", why);
}

/* Does the frame fill the canvas? What it leaves free is transparent. */
static int fills(const decode_job *job, const WebPIterator *frame)
{
    return frame->x_offset == 0 && frame->y_offset == 0 && frame->width == job->width &&
           frame->height == job->height;
}

static tare_status read_kind(decode_job *job, const WebPDemuxer *file, const WebPIterator *frame)
{
    tare_status status = TARE_OK;
    uint32_t width = WebPDemuxGetI(file, WEBP_FF_CANVAS_WIDTH);
    uint32_t height = WebPDemuxGetI(file, WEBP_FF_CANVAS_HEIGHT);
    uint32_t flags = WebPDemuxGetI(file, WEBP_FF_FORMAT_FLAGS);
    TRY(decode_check_size(job, width, height));
    job->width = (int)width;
    job->height = (int)height;
    job->maximum = 255;
    job->frames = WebPDemuxGetI(file, WEBP_FF_FRAME_COUNT);
    job->mode = (flags & ALPHA_FLAG) != 0 || frame->has_alpha || !fills(job, frame) ? IMAGE_RGBA
                                                                                    : IMAGE_RGB;
    TRY(decode_may(job));
done:
    return status;
}

static tare_status read_extras(decode_job *job, const WebPDemuxer *file)
{
    tare_status status = TARE_OK;
    WebPChunkIterator chunk;
    if (WebPDemuxGetChunk(file, "EXIF", 1, &chunk)) {
        job->orientation = exif_orientation(chunk.chunk.bytes, chunk.chunk.size);
        WebPDemuxReleaseChunkIterator(&chunk);
    }
    if (WebPDemuxGetChunk(file, "ICCP", 1, &chunk)) {
        status = decode_keep_icc(job, chunk.chunk.bytes, chunk.chunk.size);
        WebPDemuxReleaseChunkIterator(&chunk);
    }
    return status;
}

static tare_status read_pixels(decode_job *job, const WebPIterator *frame)
{
    tare_status status = TARE_OK;
    tare_error *err = job->err;
    WebPDecoderConfig config;
    size_t channels = (size_t)image_mode_channels(job->mode), row = (size_t)job->width * channels;
    /* The demuxer has seen to it that the frame is inside the canvas: checked, since a pointer is
     * made of it. */
    if (frame->x_offset < 0 || frame->y_offset < 0 || frame->width < 1 || frame->height < 1 ||
        frame->width > job->width - frame->x_offset ||
        frame->height > job->height - frame->y_offset)
        return decode_refuse(job, TARE_E_DATA, TARE_R_DECODE,
                             "damaged WebP: a frame outside its canvas");
    TRY_NEW(job->pixels = mem_resize(job->m, NULL, (size_t)job->height, row));
    if (!fills(job, frame)) memset(job->pixels, 0, (size_t)job->height * row);
    if (!WebPInitDecoderConfig(&config))
        FAIL(err, TARE_E_BUG, "image.webp", NULL, "libwebp is not the one tare was built for");
    size_t at = (size_t)frame->y_offset * row + (size_t)frame->x_offset * channels;
    config.output.colorspace = job->mode == IMAGE_RGBA ? MODE_RGBA : MODE_RGB;
    config.output.is_external_memory = 1;
    config.output.u.RGBA.rgba = (uint8_t *)job->pixels + at;
    config.output.u.RGBA.stride = (int)row;
    config.output.u.RGBA.size = (size_t)job->height * row - at;
    VP8StatusCode code = WebPDecode(frame->fragment.bytes, frame->fragment.size, &config);
    if (code != VP8_STATUS_OK) status = failure(job, code);
    WebPFreeDecBuffer(&config.output);
done:
    return status;
}

tare_status decode_webp(decode_job *job)
{
    tare_status status = TARE_OK;
    WebPIterator frame;
    int has_frame = 0;
    WebPData all = {job->bytes, job->length};
    WebPDemuxState state = WEBP_DEMUX_PARSE_ERROR;
    /* Partial: tells a file that is cut short from a damaged one. */
    WebPDemuxer *file = WebPDemuxPartial(&all, &state);
    if (file == NULL || state != WEBP_DEMUX_DONE) {
        status = decode_refuse(job, TARE_E_DATA, TARE_R_DECODE, "damaged WebP: %s",
                               state == WEBP_DEMUX_PARSE_ERROR ? "its parts do not fit together"
                                                               : "it is cut short");
        goto done;
    }
    has_frame = WebPDemuxGetFrame(file, 1, &frame);
    if (!has_frame) {
        status = decode_refuse(job, TARE_E_DATA, TARE_R_DECODE, "damaged WebP: it has no picture");
        goto done;
    }
    TRY(read_kind(job, file, &frame));
    TRY(read_extras(job, file));
    TRY(read_pixels(job, &frame));
done:
    if (has_frame) WebPDemuxReleaseIterator(&frame);
    WebPDemuxDelete(file);
    return status;
}
