/* decode_jpeg.c - JPEG by libjpeg-turbo: accurate integer DCT, fancy upsampling. What the library
 * calls a warning is damage to the data, and ends the decoding. */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>

#include <jerror.h>

#include "base/error.h"
#include "image/decode.h"
#include "image/exif.h"

enum { MARKER_EXIF = JPEG_APP0 + 1, MARKER_ICC = JPEG_APP0 + 2, MARKER_MOST = 0xffff };

/* The library's object first in each, so that its callbacks find the rest. */
typedef struct reader {
    struct jpeg_decompress_struct c;
    struct jpeg_error_mgr errors;
    struct jpeg_progress_mgr progress;
    jmp_buf leave;
    unsigned scans_most;
    int too_many_scans;
    char message[JMSG_LENGTH_MAX];
} reader;

static reader *reader_of(j_common_ptr c)
{
    return (reader *)(void *)c;
}

static void on_error(j_common_ptr c)
{
    reader *r = reader_of(c);
    c->err->format_message(c, r->message);
    longjmp(r->leave, 1);
}

static void on_message(j_common_ptr c, int level)
{
    if (level < 0) on_error(c);
}

static void on_output(j_common_ptr c)
{
    (void)c;
}

static void on_progress(j_common_ptr c)
{
    reader *r = reader_of(c);
    if (r->c.input_scan_number <= (int)r->scans_most) return;
    r->too_many_scans = 1;
    snprintf(r->message, sizeof r->message, "more than %u scans", r->scans_most);
    longjmp(r->leave, 1);
}

static tare_status failure(decode_job *job, const reader *r)
{
    int code = r->errors.msg_code;
    if (r->too_many_scans)
        return decode_refuse(job, TARE_E_LIMIT, TARE_R_DECODE, "%s", r->message);
    if (code == JERR_OUT_OF_MEMORY) return error_memory(job->err);
    if (code == JERR_BAD_PRECISION || code == JERR_SOF_UNSUPPORTED ||
        code == JERR_CONVERSION_NOTIMPL || code == JERR_COMPONENT_COUNT)
        return decode_refuse(job, TARE_E_DATA, TARE_R_UNSUPPORTED_PIXELS, "%s", r->message);
    return decode_refuse(job, TARE_E_DATA, TARE_R_DECODE, "damaged JPEG: %s", r->message);
}

static void read_exif(decode_job *job, const struct jpeg_decompress_struct *c)
{
    for (jpeg_saved_marker_ptr k = c->marker_list; k != NULL; k = k->next)
        if (k->marker == MARKER_EXIF && k->data_length >= 6 && memcmp(k->data, "Exif\0", 5) == 0) {
            job->orientation = exif_orientation(k->data, k->data_length);
            return;
        }
}

static tare_status read_icc(decode_job *job, struct jpeg_decompress_struct *c)
{
    size_t total = 0;
    int pieces = 0;
    for (jpeg_saved_marker_ptr k = c->marker_list; k != NULL; k = k->next)
        if (k->marker == MARKER_ICC && k->data_length >= 14 &&
            memcmp(k->data, "ICC_PROFILE", 12) == 0) {
            total += k->data_length - 14;
            pieces++;
        }
    if (pieces == 0) return TARE_OK;
    JOCTET *profile = NULL;
    unsigned length = 0;
    /* Pieces that do not fit together make a profile that cannot be read, not a damaged image. */
    if (total > job->how.limits.icc || !jpeg_read_icc_profile(c, &profile, &length))
        return decode_keep_icc(job, "", total > job->how.limits.icc ? total : 0);
    tare_status status = decode_keep_icc(job, profile, length);
    free(profile); /* allocated by the library */
    return status;
}

static tare_status refuse_kind(decode_job *job, const char *why)
{
    return decode_refuse(job, TARE_E_DATA, TARE_R_UNSUPPORTED_PIXELS, "%s", why);
}

static tare_status read_kind(decode_job *job, struct jpeg_decompress_struct *c)
{
    if (c->num_components != 1 && c->num_components != 3 && c->num_components != 4)
        return refuse_kind(job, "a JPEG of neither 1 nor 3 channels");
    if (c->arith_code) /* whether the library can read it depends on how it was built */
        return refuse_kind(job, "an arithmetic-coded JPEG, which few programs read: convert it");
    if (c->data_precision != 8) /* libjpeg-turbo 3 tells so much; those before end with an error */
        return refuse_kind(job, "a JPEG of more than 8 bits per sample: convert it to 8");
    job->width = (int)c->image_width;
    job->height = (int)c->image_height;
    job->mode = c->num_components == 1 ? IMAGE_GREY
                : c->num_components == 3 ? IMAGE_RGB : IMAGE_CMYK;
    job->maximum = 255;
    if (jpeg_has_multiple_scans(c)) /* coefficients of the whole picture */
        job->beside = 2 * (uint64_t)c->num_components;
    job->frames = 1;
    return TARE_OK;
}

static tare_status read_header(decode_job *job, reader *r)
{
    tare_status status = TARE_OK;
    struct jpeg_decompress_struct *c = &r->c;
    jpeg_mem_src(c, job->bytes, (unsigned long)job->length);
    jpeg_save_markers(c, MARKER_EXIF, MARKER_MOST);
    jpeg_save_markers(c, MARKER_ICC, MARKER_MOST);
    jpeg_read_header(c, TRUE);
    TRY(decode_check_size(job, c->image_width, c->image_height));
    TRY(read_kind(job, c));
    TRY(decode_may(job));
    c->out_color_space = job->mode == IMAGE_GREY  ? JCS_GRAYSCALE
                         : job->mode == IMAGE_RGB ? JCS_RGB
                                                  : JCS_CMYK;
    c->dct_method = JDCT_ISLOW;
    c->do_fancy_upsampling = TRUE;
    read_exif(job, c);
    TRY(read_icc(job, c));
done:
    return status;
}

/* Adobe's programs write 255 for no ink, and say who they are; Pillow takes it so of all files. */
static bool is_inverted(const decode_job *job, const struct jpeg_decompress_struct *c)
{
    return job->mode == IMAGE_CMYK &&
           (c->saw_Adobe_marker || job->how.policy == IMAGE_PUBLISHED);
}

static tare_status read_pixels(decode_job *job, reader *r)
{
    tare_status status = TARE_OK;
    tare_error *err = job->err;
    struct jpeg_decompress_struct *c = &r->c;
    size_t row = (size_t)c->image_width * (size_t)image_mode_channels(job->mode);
    bool inverted = is_inverted(job, c);
    TRY_NEW(job->pixels = mem_resize(job->m, NULL, c->image_height, row));
    jpeg_start_decompress(c);
    while (c->output_scanline < c->output_height) {
        JSAMPROW at = (JSAMPROW)job->pixels + (size_t)c->output_scanline * row;
        jpeg_read_scanlines(c, &at, 1);
        for (size_t i = 0; inverted && i < row; i++) at[i] = (JSAMPLE)(255 - at[i]);
    }
    jpeg_finish_decompress(c);
done:
    return status;
}

/* setjmp stands alone in here: nothing local changes between it and longjmp. */
static tare_status read_all(decode_job *job, reader *r)
{
    if (setjmp(r->leave)) return failure(job, r);
    jpeg_create_decompress(&r->c); /* clears all but the error manager */
    r->c.progress = &r->progress;
    tare_status status = read_header(job, r);
    return status == TARE_OK ? read_pixels(job, r) : status;
}

tare_status decode_jpeg(decode_job *job)
{
    reader r;
    memset(&r, 0, sizeof r);
    r.c.err = jpeg_std_error(&r.errors);
    r.errors.error_exit = on_error;
    r.errors.emit_message = on_message;
    r.errors.output_message = on_output;
    r.progress.progress_monitor = on_progress;
    r.scans_most = job->how.limits.scans;
    tare_status status = read_all(job, &r);
    jpeg_destroy_decompress(&r.c);
    return status;
}
