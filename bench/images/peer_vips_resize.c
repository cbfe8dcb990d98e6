/* peer_vips_resize [SECONDS] - the cases of bench_resize, read as names from standard input, with
 * libvips on one thread; the same TSV. Its kernels are the same functions, its bytes are not: it
 * cuts and rounds them elsewhere. Without a gap, that is without a box filter before: as the others
 * do it, and faster here. Planes are bands of floats. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <vips/vips.h>

typedef struct asked_case {
    char mode[16], kernel[16];
    int width, height, to_width, to_height;
} asked_case;

static VipsKernel kernel_of(const char *name)
{
    if (strcmp(name, "nearest") == 0) return VIPS_KERNEL_NEAREST;
    if (strcmp(name, "bilinear") == 0) return VIPS_KERNEL_LINEAR;
    return strcmp(name, "lanczos") == 0 ? VIPS_KERNEL_LANCZOS3 : VIPS_KERNEL_CUBIC;
}

static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Milliseconds of one resize, or < 0. */
static double time_once(const asked_case *c, VipsImage *in, double *sum)
{
    VipsImage *out = NULL;
    size_t bytes = 0;
    double start = cpu_seconds();
    int bad = vips_resize(in, &out, (double)c->to_width / c->width, "vscale",
                          (double)c->to_height / c->height, "kernel", kernel_of(c->kernel), "gap",
                          0.0, NULL);
    void *made = bad ? NULL : vips_image_write_to_memory(out, &bytes);
    double took = (cpu_seconds() - start) * 1e3;
    *sum = 0;
    if (made != NULL && out->BandFmt == VIPS_FORMAT_FLOAT) {
        for (size_t k = 0; k < bytes / sizeof(float); k++) *sum += (double)((float *)made)[k];
        *sum = floor(*sum * 1000 + 0.5);
    } else if (made != NULL) {
        for (size_t k = 0; k < bytes; k++) *sum += ((unsigned char *)made)[k];
    }
    if (made == NULL || out->Xsize != c->to_width || out->Ysize != c->to_height) took = -1;
    g_free(made);
    if (out != NULL) g_object_unref(out);
    return took;
}

static int run_case(const char *name, const asked_case *c, double seconds)
{
    int planes = strcmp(c->mode, "planes") == 0;
    int bands = strcmp(c->mode, "RGBA") == 0 ? 4 : strcmp(c->mode, "L") == 0 ? 1 : 3;
    size_t n = (size_t)c->width * (size_t)c->height * (size_t)bands;
    size_t size = planes ? sizeof(float) : 1;
    unsigned char *data = g_malloc(n * size);
    for (size_t i = 0; i < n; i++) {
        unsigned char b = (unsigned char)((uint32_t)(i * 2654435761u) >> 24);
        if (planes) ((float *)(void *)data)[i] = (float)b / 255.0f;
        else data[i] = b;
    }
    VipsImage *in = vips_image_new_from_memory(data, n * size, c->width, c->height, bands,
                                               planes ? VIPS_FORMAT_FLOAT : VIPS_FORMAT_UCHAR);
    double best = INFINITY, sum = 0;
    gint64 end = g_get_monotonic_time() + (gint64)(seconds * 1e6);
    do {
        double took = time_once(c, in, &sum);
        if (took < 0) break;
        best = fmin(best, took);
    } while (g_get_monotonic_time() < end);
    if (isfinite(best)) printf("%s\tlibvips\t%.4f\t%.0f\n", name, best, sum);
    fflush(stdout);
    g_object_unref(in);
    g_free(data);
    return isfinite(best) ? 0 : 1;
}

int main(int argc, char **argv)
{
    char line[256];
    int bad = 0;
    if (VIPS_INIT(argv[0])) return 1;
    vips_concurrency_set(1);
    vips_cache_set_max(0);
    while (!bad && fgets(line, sizeof line, stdin) != NULL) {
        asked_case c;
        line[strcspn(line, "\n")] = '\0';
        bad = sscanf(line, "%15s %dx%d to %dx%d %15s", c.mode, &c.width, &c.height, &c.to_width,
                     &c.to_height, c.kernel) != 6 ||
              run_case(line, &c, argc > 1 ? atof(argv[1]) : 0.3);
    }
    if (bad) fprintf(stderr, "peer_vips_resize: %s: %s\n", line, vips_error_buffer());
    vips_shutdown();
    return bad;
}
