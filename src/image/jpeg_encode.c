#include "image/jpeg_encode.h"

#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#include <jpeglib.h>

#include <jerror.h>

#include "base/error.h"

enum { FIRST_ROOM = 1 << 16 };

/* The library's object first, so that its callbacks find the rest. */
typedef struct writer {
    struct jpeg_compress_struct c;
    struct jpeg_error_mgr errors;
    struct jpeg_destination_mgr to;
    jmp_buf leave;
    const mem *m;
    unsigned char *bytes;
    size_t room, length;
    char message[JMSG_LENGTH_MAX];
} writer;

static writer *writer_of(j_common_ptr c)
{
    return (writer *)(void *)c;
}

static void on_error(j_common_ptr c)
{
    writer *w = writer_of(c);
    c->err->format_message(c, w->message);
    longjmp(w->leave, 1);
}

static void on_output(j_common_ptr c)
{
    (void)c;
}

/* The buffer of `room` bytes is full from `used` on; or, before the first byte, there is none. */
static void more_room(writer *w, size_t used)
{
    size_t room = w->room > 0 ? 2 * w->room : FIRST_ROOM;
    unsigned char *bytes = mem_resize(w->m, w->bytes, room, 1);
    if (bytes == NULL) ERREXIT1(&w->c, JERR_OUT_OF_MEMORY, 0);
    w->bytes = bytes;
    w->room = room;
    w->to.next_output_byte = bytes + used;
    w->to.free_in_buffer = room - used;
}

static void on_start(j_compress_ptr c)
{
    more_room(writer_of((j_common_ptr)c), 0);
}

static boolean on_full(j_compress_ptr c)
{
    writer *w = writer_of((j_common_ptr)c);
    more_room(w, w->room);
    return TRUE;
}

static void on_end(j_compress_ptr c)
{
    writer *w = writer_of((j_common_ptr)c);
    w->length = w->room - w->to.free_in_buffer;
}

static void settle(writer *w, const image *in, int quality)
{
    struct jpeg_compress_struct *c = &w->c;
    c->dest = &w->to;
    c->image_width = (JDIMENSION)in->width;
    c->image_height = (JDIMENSION)in->height;
    c->input_components = 3;
    c->in_color_space = JCS_RGB;
    jpeg_set_defaults(c);
    jpeg_set_quality(c, quality, TRUE);
    c->dct_method = JDCT_ISLOW;
    for (int i = 0; i < c->num_components; i++)
        c->comp_info[i].h_samp_factor = c->comp_info[i].v_samp_factor = 1;
}

/* setjmp stands alone in here: nothing local changes between it and longjmp. */
static bool write_all(writer *w, const image *in, int quality)
{
    if (setjmp(w->leave)) return false;
    jpeg_create_compress(&w->c); /* clears all but the error manager */
    settle(w, in, quality);
    jpeg_start_compress(&w->c, TRUE);
    while (w->c.next_scanline < w->c.image_height) {
        JSAMPROW row = in->rgb + (size_t)w->c.next_scanline * 3 * (size_t)in->width;
        jpeg_write_scanlines(&w->c, &row, 1);
    }
    jpeg_finish_compress(&w->c);
    return true;
}

tare_status image_jpeg_encode(unsigned char **out, size_t *length, const mem *m, const image *in,
                              int quality, tare_error *err)
{
    tare_status status = TARE_OK;
    writer w;
    memset(&w, 0, sizeof w);
    *out = NULL;
    *length = 0;
    if (in->rgb == NULL || in->mode != IMAGE_RGB)
        FAIL(err, TARE_E_USAGE, "jpeg.image", NULL, "there is no RGB image to write");
    if (quality < 1 || quality > 100)
        FAIL(err, TARE_E_USAGE, "jpeg.quality", NULL, "a quality of %d is not within 1..100",
             quality);
    if (in->width > JPEG_MAX_DIMENSION || in->height > JPEG_MAX_DIMENSION)
        FAIL(err, TARE_E_LIMIT, "jpeg.side", NULL, "%d x %d pixels: JPEG ends at %ld a side",
             in->width, in->height, JPEG_MAX_DIMENSION);
    w.m = m;
    w.c.err = jpeg_std_error(&w.errors);
    w.errors.error_exit = on_error;
    w.errors.output_message = on_output;
    w.to = (struct jpeg_destination_mgr){.init_destination = on_start,
                                         .empty_output_buffer = on_full,
                                         .term_destination = on_end};
    bool done = write_all(&w, in, quality);
    jpeg_destroy_compress(&w.c);
    if (!done) {
        mem_free(m, w.bytes);
        if (w.errors.msg_code == JERR_OUT_OF_MEMORY) FAIL_MEMORY(err);
        FAIL(err, TARE_E_BUG, "jpeg.encode", NULL, "libjpeg: %s", w.message);
    }
    *out = w.bytes;
    *length = w.length;
done:
    return status;
}
