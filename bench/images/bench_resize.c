/* bench_resize - the resizes that scorers ask for, on one thread. TSV: case, program, milliseconds
 * of processor time (the best of several), sum of what was made (bytes, or thousandths of the sum
 * of planes).
 *
 * Image: byte i = (uint32)(i * 2654435761) >> 24, so that the peers have the same. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/error.h"
#include "base/os.h"
#include "image/planes.h"
#include "image/resize.h"

typedef struct resize_case {
    const char *name;
    image_mode mode;
    int width, height, to_width, to_height;
    resize_kernel kernel;
    bool planes;
} resize_case;

static const resize_case cases[] = {
    {"RGB 4000x3000 to 298x224 bicubic", IMAGE_RGB, 4000, 3000, 298, 224, RESIZE_BICUBIC, false},
    {"RGB 1024x1024 to 224x224 bicubic", IMAGE_RGB, 1024, 1024, 224, 224, RESIZE_BICUBIC, false},
    {"RGB 512x512 to 224x224 bilinear", IMAGE_RGB, 512, 512, 224, 224, RESIZE_BILINEAR, false},
    {"RGB 512x512 to 224x224 lanczos", IMAGE_RGB, 512, 512, 224, 224, RESIZE_LANCZOS, false},
    {"RGB 224x224 to 512x512 bicubic", IMAGE_RGB, 224, 224, 512, 512, RESIZE_BICUBIC, false},
    {"RGBA 1024x1024 to 224x224 bicubic", IMAGE_RGBA, 1024, 1024, 224, 224, RESIZE_BICUBIC, false},
    {"L 1024x1024 to 224x224 bicubic", IMAGE_GREY, 1024, 1024, 224, 224, RESIZE_BICUBIC, false},
    {"RGB 1024x1024 to 224x224 nearest", IMAGE_RGB, 1024, 1024, 224, 224, RESIZE_NEAREST, false},
    {"planes 4000x3000 to 224x168 bicubic", IMAGE_RGB, 4000, 3000, 224, 168, RESIZE_BICUBIC, true},
    {"planes 1024x1024 to 224x224 bicubic", IMAGE_RGB, 1024, 1024, 224, 224, RESIZE_BICUBIC, true},
    {"planes 224x224 to 512x512 bicubic", IMAGE_RGB, 224, 224, 512, 512, RESIZE_BICUBIC, true},
};

/* Steadier than the clock on a busy machine, and the same for one thread. */
static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Times one resize; adds up what it made. */
static tare_status time_once(double *seconds, double *sum, const resize_case *c, const image *in,
                             const image_planes *planes, tare_error *err)
{
    tare_status status = TARE_OK;
    mem m = mem_system();
    image out = {0};
    image_planes made = {0};
    double start = cpu_seconds(), total = 0;
    if (c->planes)
        TRY(planes_resize(&made, &m, planes, c->to_width, c->to_height,
                          (planes_how){c->kernel, true, false}, err));
    else
        TRY(image_resize(&out, &m, in, c->to_width, c->to_height,
                         (resize_how){c->kernel, RESIZE_ACROSS_FIRST}, err));
    *seconds = cpu_seconds() - start;
    size_t n = (size_t)c->to_width * (size_t)c->to_height;
    for (size_t k = 0; k < 3 * n && c->planes; k++) total += (double)made.v[k];
    for (size_t k = 0; k < n * (size_t)out.channels && !c->planes; k++) total += out.rgb[k];
    *sum = c->planes ? floor(total * 1000 + 0.5) : total;
done:
    image_free(&out, &m);
    planes_free(&made, &m);
    return status;
}

static tare_status run_case(const resize_case *c, double least_seconds, tare_error *err)
{
    tare_status status = TARE_OK;
    mem m = mem_system();
    image in = {.width = c->width, .height = c->height, .mode = c->mode,
                .channels = image_mode_channels(c->mode)};
    image_planes planes = {0};
    size_t bytes = image_pixels(&in) * (size_t)in.channels;
    double best = INFINITY, sum = 0, end;
    TRY_NEW(in.rgb = mem_new(&m, bytes, 1));
    for (size_t i = 0; i < bytes; i++)
        in.rgb[i] = (unsigned char)((uint32_t)(i * 2654435761u) >> 24);
    if (c->planes) TRY(planes_of_image(&planes, &m, &in, err));
    end = os_seconds() + least_seconds;
    do {
        double seconds = 0;
        TRY(time_once(&seconds, &sum, c, &in, &planes, err));
        best = fmin(best, seconds);
    } while (os_seconds() < end);
    printf("%s\ttare\t%.4f\t%.0f\n", c->name, best * 1e3, sum);
done:
    image_free(&in, &m);
    planes_free(&planes, &m);
    return status;
}

int main(int argc, char **argv)
{
    tare_error err;
    tare_status status = TARE_OK;
    double seconds = argc > 1 ? atof(argv[1]) : 0.3; /* for each case */
    for (size_t k = 0; k < sizeof cases / sizeof *cases && status == TARE_OK; k++)
        status = run_case(&cases[k], seconds, &err);
    if (status != TARE_OK) fprintf(stderr, "bench_resize: %s\n", err.message);
    return status == TARE_OK ? 0 : 1;
}
