/* resize.c - Pillow's resampling: double weights rounded to 22 bits, bytes between the passes. */
#include "image/resize.h"

#include <string.h>

#include "base/error.h"
#include "image/resize_alpha.h"
#include "image/resize_deep.h"
#include "image/resize_frame.h"
#include "image/resize_pass.h"

/* `step` bytes from each of the places `from` of a row; the next pixel is `channels` further. */
static inline unsigned char *pick_row(unsigned char *out, const unsigned char *row,
                                      const unsigned *from, int width, size_t channels,
                                      size_t step)
{
    for (int x = 0; x < width; x++, out += channels) memcpy(out, row + from[x], step);
    return out;
}

/* Pillow's nearest neighbour walks in steps that add up. */
static tare_status pick_nearest(image *out, const mem *m, const image *in, tare_error *err)
{
    tare_status status = TARE_OK;
    double step_x = (double)in->width / out->width, step_y = (double)in->height / out->height;
    double at_x = step_x * 0.5, at_y = step_y * 0.5;
    size_t channels = (size_t)out->channels, in_row = (size_t)in->width * channels;
    unsigned *from;
    int fours = 0, width = out->width;
    TRY_NEW(from = mem_new(m, (size_t)width, sizeof *from));
    for (int x = 0; x < width; x++, at_x += step_x) {
        int from_x = (int)at_x < in->width ? (int)at_x : in->width - 1;
        from[x] = (unsigned)from_x * (unsigned)channels;
    }
    /* Three bytes are moved as four, of which the next pixel overwrites the last. */
    while (channels == 3 && fours < width - 1 && from[fours] + 4 <= in_row) fours++;
    for (int y = 0; y < out->height; y++, at_y += step_y) {
        int from_y = (int)at_y < in->height ? (int)at_y : in->height - 1;
        const unsigned char *row = in->rgb + (size_t)from_y * in_row;
        unsigned char *to = out->rgb + (size_t)y * (size_t)width * channels;
        switch (channels) { /* a loop of its own for each, so that copies are moves */
        case 1: pick_row(to, row, from, width, 1, 1); break;
        case 2: pick_row(to, row, from, width, 2, 2); break;
        case 3:
            to = pick_row(to, row, from, fours, 3, 4);
            pick_row(to, row, from + fours, width - fours, 3, 3);
            break;
        default: pick_row(to, row, from, width, 4, 4); break;
        }
    }
done:
    mem_free(m, from);
    return status;
}

/* One resize: what both passes need. */
typedef struct passes {
    const mem *m;
    taps across, down;
    unsigned char *middle, *scratch;
    int in_width, channels;
    bool wide;
} passes;

static tare_status axis_make(taps *t, const passes *p, int in, int out, resize_kernel kernel,
                             tare_error *err)
{
    tare_status status = TARE_OK;
    TRY(taps_exact(t, p->m, in, out, kernel, err));
    TRY(taps_round(t, p->m, err));
done:
    return status;
}

/* Only wide passes read the split weights. */
static tare_status axes_split(passes *p, tare_error *err)
{
    tare_status status = TARE_OK;
    if (!p->wide) goto done;
    if (p->across.weight != NULL) {
        TRY(taps_split(&p->across, p->m, pass_across_group(p->channels), err));
        TRY_NEW(p->scratch = mem_resize(p->m, NULL, 1,
                                        pass_scratch_bytes(p->in_width, p->channels)));
    }
    if (p->down.weight != NULL) TRY(taps_split(&p->down, p->m, PASS_DOWN_GROUP, err));
done:
    return status;
}

static void run_across(unsigned char *out, const unsigned char *in, int rows, const passes *p)
{
    pass_rows r = {out, in, rows, p->in_width, p->channels};
    if (p->across.halves != NULL) pass_across_wide(&r, &p->across, p->scratch);
    else pass_across_plain(&r, &p->across);
}

static void run_down(unsigned char *out, const unsigned char *in, int width, const passes *p)
{
    size_t row = (size_t)width * (size_t)p->channels;
    if (p->down.halves != NULL) pass_down_wide(out, in, row, &p->down);
    else pass_down_plain(out, in, row, &p->down);
}

/* Across first: only the rows that the second pass reaches are made. */
static tare_status across_then_down(image *out, const image *in, passes *p, tare_error *err)
{
    tare_status status = TARE_OK;
    const taps *down = &p->down;
    size_t row = (size_t)in->width * (size_t)p->channels;
    int begin = down->first[0], end = down->first[down->out - 1] + down->count[down->out - 1];
    for (int i = 0; i < down->out; i++) down->first[i] -= begin;
    TRY_NEW(p->middle = mem_resize(p->m, NULL, (size_t)(end - begin) * (size_t)out->width,
                                   (size_t)p->channels));
    run_across(p->middle, in->rgb + (size_t)begin * row, end - begin, p);
    run_down(out->rgb, p->middle, out->width, p);
done:
    return status;
}

static tare_status down_then_across(image *out, const image *in, passes *p, tare_error *err)
{
    tare_status status = TARE_OK;
    TRY_NEW(p->middle = mem_resize(p->m, NULL, (size_t)in->width * (size_t)out->height,
                                   (size_t)p->channels));
    run_down(p->middle, in->rgb, in->width, p);
    run_across(out->rgb, p->middle, out->height, p);
done:
    return status;
}

/* Pillow 13 (python-pillow/Pillow#9549): when the height loses pixels, and more than twice as many
 * as the width loses; a width that grows loses a negative number. */
static bool down_first(const image *in, int width, int height, resize_order order)
{
    int lost_height = in->height - height, lost_width = in->width - width;
    return order == RESIZE_PILLOW13 && lost_height > 0 && lost_height > 2 * lost_width;
}

static tare_status resample(image *out, const mem *m, const image *in, resize_how how,
                            tare_error *err)
{
    tare_status status = TARE_OK;
    passes p = {.m = m, .in_width = in->width, .channels = out->channels,
                .wide = pass_wide_available()};
    bool across = out->width != in->width, down = out->height != in->height;
    if (across) TRY(axis_make(&p.across, &p, in->width, out->width, how.kernel, err));
    if (down) TRY(axis_make(&p.down, &p, in->height, out->height, how.kernel, err));
    TRY(axes_split(&p, err));
    if (!down) run_across(out->rgb, in->rgb, in->height, &p);
    else if (!across) run_down(out->rgb, in->rgb, in->width, &p);
    else if (down_first(in, out->width, out->height, how.order))
        TRY(down_then_across(out, in, &p, err));
    else TRY(across_then_down(out, in, &p, err));
done:
    taps_free(&p.across, m);
    taps_free(&p.down, m);
    mem_free(m, p.middle);
    mem_free(m, p.scratch);
    return status;
}

/* With alpha the colours are weighted by it: premultiplied before, divided after. */
static tare_status resample_alpha(image *out, const mem *m, const image *in, resize_how how,
                                  tare_error *err)
{
    tare_status status = TARE_OK;
    image flat = *in;
    int channels = out->channels;
    TRY_NEW(flat.rgb = mem_resize(m, NULL, image_pixels(in), (size_t)channels));
    alpha_multiply(flat.rgb, in->rgb, image_pixels(in), channels);
    TRY(resample(out, m, &flat, how, err));
    alpha_divide(out->rgb, image_pixels(out), channels);
done:
    mem_free(m, flat.rgb);
    return status;
}

tare_status image_resize(image *out, const mem *m, const image *in, int width, int height,
                         resize_how how, tare_error *err)
{
    tare_status status = TARE_OK;
    image made = *in;
    made.rgb = NULL;
    made.palette = NULL;
    if ((unsigned)how.kernel > RESIZE_LANCZOS)
        FAIL(err, TARE_E_USAGE, "image.kernel", NULL, "no kernel of number %d", (int)how.kernel);
    if (width > 0 && height > 0 && (uint64_t)width * (uint64_t)height > IMAGE_LIMITS_DEFAULT.pixels)
        FAIL(err, TARE_E_LIMIT, "image.limit", NULL, "%d x %d pixels resized to %d x %d are above "
             "the limit of %llu pixels: choose another size, or leave the image out", in->width,
             in->height, width, height, (unsigned long long)IMAGE_LIMITS_DEFAULT.pixels);
    TRY(frame_like(&made, m, in, width, height, err));
    if (width == in->width && height == in->height)
        memcpy(made.rgb, in->rgb, image_pixels(in) * (size_t)made.channels);
    else if (how.kernel == RESIZE_NEAREST || in->mode == IMAGE_PALETTE || in->mode == IMAGE_BILEVEL)
        TRY(pick_nearest(&made, m, in, err));
    else if (in->mode == IMAGE_RGBA || in->mode == IMAGE_GREY_ALPHA)
        TRY(resample_alpha(&made, m, in, how, err));
    else if (in->mode == IMAGE_GREY32)
        TRY(deep_resample(&made, m, in, how.kernel, down_first(in, width, height, how.order), err));
    else TRY(resample(&made, m, in, how, err));
done:
    if (status != TARE_OK) image_free(&made, m);
    *out = made;
    return status;
}
