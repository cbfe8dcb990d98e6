/* op_blur.c - the whole picture out of focus: a Gaussian of sigma dose x short side / 224 pixels on
 * encoded RGB, with the kernel and border of the feather (scorer audit 2.5). Along the rows first,
 * into a ring of rows that is as high as a block and what it reaches. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "perturb/gauss.h"
#include "perturb/operators.h"

static const double doses[] = {0, 0.5, 1, 1.5, 2, 2.5, 3};

enum { ROWS_LEAST = 64 }; /* of a block */

/* Channels stay side by side: the neighbour of a value is three values away. */
typedef struct blur {
    gauss g;
    int width, height;
    int ring;     /* rows */
    double *rows; /* [ring][3 width] blurred along; image row y in y % ring */
    double *wide; /* one row and its mirrored borders */
    double *out;  /* [GAUSS_STRIP] */
} blur;

static double *ring_row(const blur *b, int y)
{
    return b->rows + (size_t)(y % b->ring) * 3 * (size_t)b->width;
}

static void along(const blur *b, const unsigned char *rgb, int y)
{
    const unsigned char *row = rgb + (size_t)y * 3 * (size_t)b->width;
    int radius = b->g.radius, width = b->width;
    for (int x = -radius; x < width + radius; x++) {
        const unsigned char *p = row + 3 * (size_t)gauss_mirror(x, width);
        double *to = b->wide + 3 * (size_t)(x + radius);
        for (int c = 0; c < 3; c++) to[c] = p[c];
    }
    for (int k = 0; k <= radius; k++) {
        b->g.low[k] = b->wide + 3 * (size_t)(radius - k);
        b->g.high[k] = b->wide + 3 * (size_t)(radius + k);
    }
    gauss_sum(ring_row(b, y), &b->g, 3 * (size_t)width);
}

static unsigned char byte_of(double v)
{
    return (unsigned char)floor((v < 0 ? 0 : v > 255 ? 255 : v) + 0.5);
}

/* Rows [y0, y1) from the ring, strip by strip. */
static void down(const blur *b, unsigned char *rgb, int y0, int y1)
{
    size_t values = 3 * (size_t)b->width;
    for (size_t from = 0; from < values; from += GAUSS_STRIP) {
        size_t n = values - from < GAUSS_STRIP ? values - from : GAUSS_STRIP;
        for (int y = y0; y < y1; y++) {
            for (int k = 0; k <= b->g.radius; k++) {
                b->g.low[k] = ring_row(b, gauss_mirror((int64_t)y - k, b->height)) + from;
                b->g.high[k] = ring_row(b, gauss_mirror((int64_t)y + k, b->height)) + from;
            }
            gauss_sum(b->out, &b->g, n);
            unsigned char *to = rgb + (size_t)y * values + from;
            for (size_t i = 0; i < n; i++) to[i] = byte_of(b->out[i]);
        }
    }
}

static tare_status apply(perturb_edit *edit, const perturb_base *base, double dose,
                         tare_error *err)
{
    tare_status status = TARE_OK;
    const mem *m = base->m;
    const image *photo = base->photo;
    blur b = {.width = photo->width, .height = photo->height};
    double sigma = mask_sigma(photo, dose);
    if (sigma == 0) goto done; /* a kernel of one weight */
    TRY(gauss_make(&b.g, m, sigma, err));
    int radius = b.g.radius, block = radius > ROWS_LEAST ? radius : ROWS_LEAST, ready = 0;
    size_t values = 3 * (size_t)b.width;
    b.ring = b.height - block > 2 * radius ? block + 2 * radius : b.height;
    TRY_NEW(b.rows = mem_new(m, (size_t)b.ring, values * sizeof *b.rows));
    TRY_NEW(b.wide = mem_new(m, values + 6 * (size_t)radius, sizeof *b.wide));
    TRY_NEW(b.out = mem_new(m, GAUSS_STRIP, sizeof *b.out));
    for (int y = 0; y < b.height; y += block) {
        int end = b.height - y > block ? y + block : b.height;
        int reach = b.height - end > radius ? end + radius : b.height;
        for (; ready < reach; ready++) along(&b, photo->rgb, ready);
        down(&b, edit->rgb, y, end);
    }
done:
    mem_free(m, b.rows);
    mem_free(m, b.wide);
    mem_free(m, b.out);
    gauss_free(&b.g, m);
    return status;
}

const perturb_operator perturb_op_blur = {
    .name = "blur",
    .summary = "the whole picture blurred, sigma in pixels at a short side of 224",
    .unit = "px",
    .axis_title = "blur (px)",
    .doses = doses,
    .n_doses = sizeof doses / sizeof *doses,
    .least = 0,
    .most = 100,
    .limit = "a blur has one side, and beyond that nothing is left to see",
    .neutral = 0,
    .sides = 1,
    .support = PERTURB_WHOLE,
    .needs = PERTURB_NEEDS_NOTHING,
    .attribute = PERTURB_NO_ATTRIBUTE,
    .artifact = PERTURB_NO_ARTIFACT,
    .claim = "mean colours and everything larger than the blur",
    .plus = "blurred",
    .minus = "",
    .sham = NULL,
    .sham_only = false,
    .apply = apply,
};
