/* bench_png [ROUNDS] - PNG files of 12 megapixels through image_decode, strictly, and through
 * libspng alone, turn by turn in one process. TSV: kind, file in MB, milliseconds of processor time
 * of tare and of libspng (best of all rounds), ratio. libspng is asked for the bytes that tare
 * gives, RGB, except where alpha has to be seen first. */
#include <math.h>
#include <spng.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/error.h"
#include "image/image.h"

enum { WIDTH = 4000, HEIGHT = 3000 };

typedef struct png_kind {
    const char *name;
    uint8_t color_type;
    size_t channels;
    int format; /* asked of libspng */
} png_kind;

static const png_kind kinds[] = {
    {"RGB", SPNG_COLOR_TYPE_TRUECOLOR, 3, SPNG_FMT_RGB8},
    {"RGBA opaque", SPNG_COLOR_TYPE_TRUECOLOR_ALPHA, 4, SPNG_FMT_RGBA8},
    {"grey", SPNG_COLOR_TYPE_GRAYSCALE, 1, SPNG_FMT_RGB8},
    {"palette", SPNG_COLOR_TYPE_INDEXED, 1, SPNG_FMT_RGB8},
};

/* Waves with a little noise, which pack about as photographs do. */
static void paint(unsigned char *out, const png_kind *k)
{
    for (size_t y = 0; y < HEIGHT; y++)
        for (size_t x = 0; x < WIDTH; x++)
            for (size_t c = 0; c < k->channels; c++) {
                size_t at = (y * WIDTH + x) * k->channels + c;
                double wave = sin((double)x / (90 + 20 * (double)c)) * cos((double)y / 70);
                uint32_t noise = (uint32_t)(at * 2654435761u) >> 29;
                out[at] = c == 3 ? 255 : (unsigned char)(120 + 110 * wave + noise);
            }
}

static void *encode(size_t *length, const png_kind *k)
{
    size_t bytes = (size_t)WIDTH * HEIGHT * k->channels;
    unsigned char *pixels = malloc(bytes);
    spng_ctx *ctx = spng_ctx_new(SPNG_CTX_ENCODER);
    struct spng_ihdr h = {.width = WIDTH, .height = HEIGHT, .bit_depth = 8,
                          .color_type = k->color_type};
    struct spng_plte plte = {.n_entries = 256};
    int code;
    if (pixels == NULL || ctx == NULL) return NULL;
    paint(pixels, k);
    for (unsigned e = 0; e < 256; e++)
        plte.entries[e] = (struct spng_plte_entry){(uint8_t)e, (uint8_t)(255 - e), 77, 255};
    spng_set_option(ctx, SPNG_ENCODE_TO_BUFFER, 1);
    spng_set_ihdr(ctx, &h);
    if (k->color_type == SPNG_COLOR_TYPE_INDEXED) spng_set_plte(ctx, &plte);
    spng_encode_image(ctx, pixels, bytes, SPNG_FMT_PNG, SPNG_ENCODE_FINALIZE);
    void *file = spng_get_png_buffer(ctx, length, &code);
    spng_ctx_free(ctx);
    free(pixels);
    return file;
}

/* Steadier than the clock on a busy machine, and the same for one thread. */
static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double time_tare(const void *file, size_t length, uint64_t *check)
{
    mem m = mem_system();
    image i;
    tare_error err;
    double start = cpu_seconds();
    tare_status status = image_decode(&i, &m, file, length, "bench.png", NULL, &err);
    double took = cpu_seconds() - start;
    if (status != TARE_OK) {
        fprintf(stderr, "bench_png: %s\n", err.message);
        return NAN;
    }
    *check = 0;
    for (size_t k = 0; k < image_pixels(&i) * 3; k++) *check += i.rgb[k];
    image_free(&i, &m);
    return took;
}

static double time_spng(const void *file, size_t length, int format, uint64_t *check)
{
    double start = cpu_seconds();
    size_t bytes = 0, step = format == SPNG_FMT_RGBA8 ? 4 : 3;
    spng_ctx *ctx = spng_ctx_new(0);
    unsigned char *pixels = NULL;
    int code = ctx == NULL || spng_set_png_buffer(ctx, file, length) != 0 ||
               spng_decoded_image_size(ctx, format, &bytes) != 0 ||
               (pixels = malloc(bytes)) == NULL ||
               spng_decode_image(ctx, pixels, bytes, format, 0) != 0;
    double took = cpu_seconds() - start;
    *check = 0;
    for (size_t k = 0; k < bytes && !code; k++) *check += k % step == 3 ? 0 : pixels[k];
    spng_ctx_free(ctx);
    free(pixels);
    return code ? NAN : took;
}

int main(int argc, char **argv)
{
    int rounds = argc > 1 ? atoi(argv[1]) : 7, bad = 0;
    printf("png\tmegabytes\ttare_ms\tlibspng_ms\tratio\n");
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        size_t length = 0;
        void *file = encode(&length, &kinds[k]);
        double ours = INFINITY, theirs = INFINITY;
        uint64_t sum = 0, peer_sum = 0;
        for (int r = 0; r < rounds && file != NULL; r++) {
            ours = fmin(ours, time_tare(file, length, &sum));
            theirs = fmin(theirs, time_spng(file, length, kinds[k].format, &peer_sum));
        }
        printf("%s\t%.1f\t%.1f\t%.1f\t%.2f\n", kinds[k].name, (double)length / 1e6, ours * 1e3,
               theirs * 1e3, ours / theirs);
        fflush(stdout);
        if (file == NULL || sum != peer_sum || !isfinite(ours / theirs)) {
            fprintf(stderr, "bench_png: %s: not the same pixels\n", kinds[k].name);
            bad = 1;
        }
        free(file);
    }
    return bad;
}
