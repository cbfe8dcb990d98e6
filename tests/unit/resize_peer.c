/* resize_peer - does what check_resize.py asks for, so that bytes can be compared with Pillow's in
 * one run. Standard input: requests of ten 32-bit numbers, then the pixels. Standard output: the
 * pixels.
 *
 *     'i', mode, width, height, to_width, to_height, kernel, order, 0, 0 : image_resize
 *     'p', 0,    width, height, to_width, to_height, kernel, antialias   : planes_resize, floats */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "image/planes.h"
#include "image/resize.h"

enum { NUMBERS = 10 };

static bool put(const void *bytes, size_t count)
{
    return fwrite(bytes, 1, count, stdout) == count && fflush(stdout) == 0;
}

static tare_status resize_bytes(const image *in, const int32_t *ask, tare_error *err)
{
    tare_status status = TARE_OK;
    mem m = mem_system();
    image out = {0};
    TRY(image_resize(&out, &m, in, ask[4], ask[5],
                     (resize_how){(resize_kernel)ask[6], (resize_order)ask[7]}, err));
    if (!put(out.rgb, image_pixels(&out) * (size_t)out.channels))
        FAIL(err, TARE_E_IO, "peer.write", NULL, "cannot write");
done:
    image_free(&out, &m);
    return status;
}

static tare_status resize_planes(const image *in, const int32_t *ask, tare_error *err)
{
    tare_status status = TARE_OK;
    mem m = mem_system();
    image_planes planes = {0}, out = {0};
    TRY(planes_of_image(&planes, &m, in, err));
    TRY(planes_resize(&out, &m, &planes, ask[4], ask[5],
                      (planes_how){(resize_kernel)ask[6], ask[7] != 0, false}, err));
    if (!put(out.v, 3 * (size_t)out.width * (size_t)out.height * sizeof *out.v))
        FAIL(err, TARE_E_IO, "peer.write", NULL, "cannot write");
done:
    planes_free(&planes, &m);
    planes_free(&out, &m);
    return status;
}

int main(void)
{
    int32_t ask[NUMBERS];
    tare_error err;
    tare_status status = TARE_OK;
    while (status == TARE_OK && fread(ask, sizeof ask, 1, stdin) == 1) {
        image_mode mode = (image_mode)ask[1];
        image in = {.width = ask[2], .height = ask[3], .mode = mode,
                    .channels = image_mode_channels(mode)};
        size_t bytes = image_pixels(&in) * (size_t)in.channels;
        in.rgb = malloc(bytes);
        if (in.rgb == NULL || fread(in.rgb, 1, bytes, stdin) != bytes) status = TARE_E_IO;
        else if (ask[0] == 'p') status = resize_planes(&in, ask, &err);
        else status = resize_bytes(&in, ask, &err);
        free(in.rgb);
    }
    if (status != TARE_OK) fprintf(stderr, "resize_peer: %s\n", err.message);
    return status == TARE_OK ? 0 : 1;
}
