/* feather.c - Gaussian weights around a mask: down the columns, then along the rows. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/error.h"
#include "perturb/gauss.h"
#include "perturb/mask.h"

/* Where a mask has its ones: [x0, x1) x [y0, y1). */
typedef struct box { int x0, x1, y0, y1; } box;

static box box_of(const unsigned char *mask, int width, int height)
{
    box b = {width, 0, height, 0};
    for (int y = 0; y < height; y++) {
        const unsigned char *row = mask + (size_t)y * (size_t)width;
        int first = 0, last = width;
        while (first < width && !row[first]) first++;
        if (first == width) continue;
        while (!row[last - 1]) last--;
        if (first < b.x0) b.x0 = first;
        if (last > b.x1) b.x1 = last;
        if (y < b.y0) b.y0 = y;
        b.y1 = y + 1;
    }
    return b;
}

typedef struct feather {
    int width, height;
    gauss taps;
    double *strip; /* [height][GAUSS_STRIP], zeros and ones */
    double *wide;  /* one row with its borders mirrored */
    box box;
} feather;

static void fill_strip(const feather *f, const unsigned char *mask, size_t from, size_t n)
{
    for (int y = 0; y < f->height; y++) {
        const unsigned char *row = mask + (size_t)y * (size_t)f->width + from;
        double *to = f->strip + (size_t)y * GAUSS_STRIP;
        for (size_t x = 0; x < n; x++) to[x] = row[x] != 0;
    }
}

/* Sums down the columns of one strip, for the rows [y0, y1), into w. */
static void down(double *w, const feather *f, size_t from, size_t n, int y0, int y1)
{
    const gauss *t = &f->taps;
    for (int y = y0; y < y1; y++) {
        for (int k = 0; k <= t->radius; k++) {
            t->low[k] = f->strip + (size_t)gauss_mirror((int64_t)y - k, f->height) * GAUSS_STRIP;
            t->high[k] = f->strip + (size_t)gauss_mirror((int64_t)y + k, f->height) * GAUSS_STRIP;
        }
        gauss_sum(w + (size_t)y * (size_t)f->width + from, t, n);
    }
}

/* A row of column sums in place to weights. */
static void along(double *row, const feather *f)
{
    const gauss *t = &f->taps;
    int radius = t->radius, width = f->width;
    int from = f->box.x0 > radius ? f->box.x0 - radius : 0;
    int to = f->box.x1 < width - radius ? f->box.x1 + radius : width;
    double *wide = f->wide;
    for (int i = -radius; i < 0; i++) wide[i + radius] = row[gauss_mirror(i, width)];
    memcpy(wide + radius, row, (size_t)width * sizeof *wide);
    for (int i = width; i < width + radius; i++) wide[i + radius] = row[gauss_mirror(i, width)];
    for (int k = 0; k <= radius; k++) {
        t->low[k] = wide + from + radius - k;
        t->high[k] = wide + from + radius + k;
    }
    gauss_sum(row + from, t, (size_t)(to - from));
    for (int x = from; x < to; x++) row[x] = row[x] < 1.0 ? row[x] : 1.0;
}

static void feather_rows(double *w, const feather *f, const unsigned char *mask)
{
    int radius = f->taps.radius;
    int y0 = f->box.y0 > radius ? f->box.y0 - radius : 0;
    int y1 = f->box.y1 < f->height - radius ? f->box.y1 + radius : f->height;
    for (size_t x = (size_t)f->box.x0; x < (size_t)f->box.x1; x += GAUSS_STRIP) {
        size_t left = (size_t)f->box.x1 - x, n = left < GAUSS_STRIP ? left : GAUSS_STRIP;
        fill_strip(f, mask, x, n);
        down(w, f, x, n, y0, y1);
    }
    for (int y = y0; y < y1; y++) along(w + (size_t)y * (size_t)f->width, f);
}

tare_status mask_feather(double *w, const mem *m, const unsigned char *mask, int width, int height,
                         double sigma, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t n = (size_t)width * (size_t)height;
    feather f = {.width = width, .height = height, .box = box_of(mask, width, height)};
    if (sigma == 0 || (f.box.y1 == 0 && sigma > 0)) {
        for (size_t i = 0; i < n; i++) w[i] = mask[i] != 0;
        goto done;
    }
    TRY(gauss_make(&f.taps, m, sigma, err));
    size_t radius = (size_t)f.taps.radius;
    TRY_NEW(f.strip = mem_new(m, (size_t)height, GAUSS_STRIP * sizeof *f.strip));
    TRY_NEW(f.wide = mem_new(m, (size_t)width + 2 * radius, sizeof *f.wide));
    memset(w, 0, n * sizeof *w);
    feather_rows(w, &f, mask);
done:
    gauss_free(&f.taps, m);
    mem_free(m, f.strip);
    mem_free(m, f.wide);
    return status;
}
