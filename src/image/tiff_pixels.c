#include "image/tiff_pixels.h"

#include <string.h>

#include "base/error.h"

enum { STRIP_BYTES_A_PIXEL = 8 }; /* RGBA of 16 bits */

/* ---- From the file's samples to ours ------------------------------------------ */

/* Samples that a row of a strip or tile holds for each pixel. */
static size_t stored(const tiff_page *p)
{
    return p->planar ? 1 : p->samples;
}

static unsigned sample_at(const tiff_page *p, const unsigned char *row, size_t i)
{
    if (p->bits == 8) return row[i];
    if (p->bits == 16) {
        uint16_t wide; /* the library has brought it into this machine's order */
        memcpy(&wide, row + 2 * i, 2);
        return wide;
    }
    size_t bit = i * p->bits;
    return (row[bit / 8] >> (8 - p->bits - bit % 8)) & ((1u << p->bits) - 1);
}

/* Are the samples of the file those of the job, in the same order? */
static bool as_stored(const tiff_page *p)
{
    return p->bits == 8 && !p->inverted &&
           stored(p) == (size_t)image_mode_channels(p->job->mode);
}

/* n pixels from column x of row y; planar: of one channel. */
static void put_span(const tiff_page *p, size_t y, size_t x, size_t n, size_t plane,
                     const unsigned char *row)
{
    const decode_job *job = p->job;
    size_t channels = (size_t)image_mode_channels(job->mode), step = stored(p);
    size_t to = (y * (size_t)job->width + x) * channels + (p->planar ? plane : 0);
    unsigned char *narrow = job->pixels;
    uint16_t *wide = job->pixels;
    unsigned most = (1u << p->bits) - 1;
    unsigned scale = p->bits < 8 && job->mode != IMAGE_PALETTE ? 255 / most : 1;
    size_t takes = p->planar ? 1 : channels;
    bool alpha = job->mode == IMAGE_GREY_ALPHA || job->mode == IMAGE_RGBA;
    if (as_stored(p)) {
        memcpy(narrow + to, row, n * channels);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t c = 0; c < takes; c++) {
            unsigned v = sample_at(p, row, i * step + c);
            bool is_alpha = alpha && (p->planar ? plane : c) == channels - 1;
            if (p->inverted && !is_alpha) v = most - v;
            if (job->maximum > 255) wide[to + i * channels + c] = (uint16_t)v;
            else narrow[to + i * channels + c] = (unsigned char)(v * scale);
        }
    }
}

/* Of 16 bits Pillow takes the high bytes and then divides. */
static void divide_high_bytes(uint16_t *samples, size_t n, size_t channels)
{
    for (size_t i = 0; i < n; i++, samples += channels) {
        unsigned a = samples[channels - 1] >> 8;
        for (size_t c = 0; c + 1 < channels; c++) {
            unsigned v = samples[c] >> 8;
            samples[c] = (uint16_t)((a == 0 ? 0 : v >= a ? 255 : v * 255 / a) << 8);
        }
    }
}

/* Colours that are multiplied by alpha, divided again as Pillow does it. */
static void divide_by_alpha(decode_job *job)
{
    size_t channels = (size_t)image_mode_channels(job->mode), last = channels - 1;
    size_t n = (size_t)job->width * (size_t)job->height;
    unsigned char *narrow = job->pixels;
    uint16_t *wide = job->pixels;
    uint32_t most = job->maximum;
    if (most > 255 && job->how.policy == IMAGE_PUBLISHED) {
        divide_high_bytes(wide, n, channels);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        uint32_t a = most > 255 ? wide[i * channels + last] : narrow[i * channels + last];
        for (size_t c = 0; c < last; c++) {
            size_t at = i * channels + c;
            uint32_t v = most > 255 ? wide[at] : narrow[at];
            v = a == 0 ? 0 : v >= a ? most : v * most / a;
            if (most > 255) wide[at] = (uint16_t)v;
            else narrow[at] = (unsigned char)v;
        }
    }
}

/* ---- Strips and tiles ---------------------------------------------------------- */

tare_status tiff_failure(tiff_page *p)
{
    const char *why = *p->message != '\0' ? p->message : "libtiff gives no reason";
    bool limit = strstr(why, "byte limit") != NULL;
    return decode_refuse(p->job, limit ? TARE_E_LIMIT : TARE_E_DATA, TARE_R_DECODE,
                         "damaged TIFF: %s", why);
}

static size_t row_bytes(const tiff_page *p, size_t pixels)
{
    return (pixels * stored(p) * p->bits + 7) / 8;
}

/* One strip of `rows` rows from row y: straight into the pixels where that is possible. */
static tare_status read_strip(tiff_page *p, size_t y, size_t rows, size_t plane,
                              unsigned char *buffer)
{
    size_t bytes = row_bytes(p, (size_t)p->job->width);
    unsigned char *to = buffer != NULL ? buffer : (unsigned char *)p->job->pixels + y * bytes;
    uint32_t strip = TIFFComputeStrip(p->tiff, (uint32_t)y, (uint16_t)plane);
    if (TIFFReadEncodedStrip(p->tiff, strip, to, (tmsize_t)(rows * bytes))
            != (tmsize_t)(rows * bytes) || *p->message != '\0')
        return tiff_failure(p);
    for (size_t k = 0; k < rows && buffer != NULL; k++)
        put_span(p, y + k, 0, (size_t)p->job->width, plane, buffer + k * bytes);
    return TARE_OK;
}

static tare_status read_strips(tiff_page *p)
{
    tare_status status = TARE_OK;
    decode_job *job = p->job;
    tare_error *err = job->err;
    unsigned char *buffer = NULL;
    uint32_t said = 0;
    size_t height = (size_t)job->height, rows = height;
    size_t planes = p->planar ? (size_t)image_mode_channels(job->mode) : 1;
    size_t bytes = row_bytes(p, (size_t)job->width);
    if (TIFFGetFieldDefaulted(p->tiff, TIFFTAG_ROWSPERSTRIP, &said) && said > 0 && said < height)
        rows = said;
    if (TIFFScanlineSize64(p->tiff) != bytes)
        return decode_refuse(job, TARE_E_DATA, TARE_R_UNSUPPORTED_PIXELS,
                             "a TIFF whose rows are laid out in an unusual way");
    if (bytes * rows / STRIP_BYTES_A_PIXEL > job->how.limits.pixels)
        return decode_refuse(job, TARE_E_LIMIT, TARE_R_DECODE,
                             "a strip of %zu bytes: above the limit", bytes * rows);
    if (!as_stored(p)) TRY_NEW(buffer = mem_resize(job->m, NULL, bytes, rows));
    for (size_t plane = 0; plane < planes; plane++)
        for (size_t y = 0; y < height; y += rows)
            TRY(read_strip(p, y, height - y < rows ? height - y : rows, plane, buffer));
done:
    mem_free(job->m, buffer);
    return status;
}

static void put_tile(const tiff_page *p, size_t y0, size_t x0, size_t plane, const size_t side[2],
                     const unsigned char *tile)
{
    size_t bytes = row_bytes(p, side[0]);
    size_t right = (size_t)p->job->width - x0, below = (size_t)p->job->height - y0;
    for (size_t y = 0; y < side[1] && y < below; y++)
        put_span(p, y0 + y, x0, side[0] < right ? side[0] : right, plane, tile + y * bytes);
}

static tare_status read_tiles(tiff_page *p)
{
    tare_status status = TARE_OK;
    decode_job *job = p->job;
    tare_error *err = job->err;
    unsigned char *tile = NULL;
    uint32_t width = 0, height = 0;
    size_t planes = p->planar ? (size_t)image_mode_channels(job->mode) : 1;
    TIFFGetField(p->tiff, TIFFTAG_TILEWIDTH, &width);
    TIFFGetField(p->tiff, TIFFTAG_TILELENGTH, &height);
    TRY(decode_check_size(job, width, height)); /* of one tile: as much as of an image */
    size_t side[2] = {width, height}, bytes = row_bytes(p, width) * height;
    if (TIFFTileSize64(p->tiff) != bytes)
        return decode_refuse(job, TARE_E_DATA, TARE_R_UNSUPPORTED_PIXELS,
                             "a TIFF whose tiles are laid out in an unusual way");
    TRY_NEW(tile = mem_resize(job->m, NULL, bytes, 1));
    for (size_t plane = 0; plane < planes; plane++)
        for (size_t y = 0; y < (size_t)job->height; y += height)
            for (size_t x = 0; x < (size_t)job->width; x += width) {
                if (TIFFReadTile(p->tiff, tile, (uint32_t)x, (uint32_t)y, 0, (uint16_t)plane)
                        != (tmsize_t)bytes || *p->message) {
                    status = tiff_failure(p);
                    goto done;
                }
                put_tile(p, y, x, plane, side, tile);
            }
done:
    mem_free(job->m, tile);
    return status;
}

/* YCbCr of any subsampling, by the library's conversion. */
static tare_status read_converted(tiff_page *p)
{
    tare_status status = TARE_OK;
    decode_job *job = p->job;
    tare_error *err = job->err;
    uint32_t *raster = NULL;
    char why[1024] = "";
    size_t n = (size_t)job->width * (size_t)job->height;
    unsigned char *to = job->pixels;
    if (!TIFFRGBAImageOK(p->tiff, why))
        return decode_refuse(job, TARE_E_DATA, TARE_R_UNSUPPORTED_PIXELS, "a TIFF in YCbCr: %.100s",
                             why);
    TRY_NEW(raster = mem_resize(job->m, NULL, n, sizeof *raster));
    /* Asked for in the orientation it has, so that nothing is turned here. */
    if (!TIFFReadRGBAImageOriented(p->tiff, (uint32_t)job->width, (uint32_t)job->height, raster,
                                   p->orientation, 1) || *p->message) {
        status = tiff_failure(p);
        goto done;
    }
    for (size_t i = 0; i < n; i++) {
        to[3 * i] = (unsigned char)TIFFGetR(raster[i]);
        to[3 * i + 1] = (unsigned char)TIFFGetG(raster[i]);
        to[3 * i + 2] = (unsigned char)TIFFGetB(raster[i]);
    }
done:
    mem_free(job->m, raster);
    return status;
}

tare_status tiff_read_pixels(tiff_page *p)
{
    tare_status status = TARE_OK;
    decode_job *job = p->job;
    tare_error *err = job->err;
    size_t bytes = (size_t)image_mode_channels(job->mode) * (job->maximum > 255 ? 2 : 1);
    size_t n = (size_t)job->width * (size_t)job->height;
    TRY_NEW(job->pixels = mem_resize(job->m, NULL, n, bytes));
    p->reading = true;
    *p->message = '\0';
    if (p->photometric == PHOTOMETRIC_YCBCR) TRY(read_converted(p));
    else if (TIFFIsTiled(p->tiff)) TRY(read_tiles(p));
    else TRY(read_strips(p));
    if (p->associated) divide_by_alpha(job);
done:
    return status;
}
