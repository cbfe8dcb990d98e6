/* The 36 features of BRISQUE, streamed: a handful of rows are held, not planes (scorers 3.5). */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/error.h"
#include "scorer/brisque.h"
#include "stats/moments.h"
#include "stats/special.h"

enum { RING = 8, PAD = 3, MAPS = 5 };

/* What a fit needs of a map: sums of squares and counts by sign, and the sum of |v|. */
typedef struct sums {
    neumaier low, high, magnitude;
    uint64_t lows, highs;
} sums;

/* One scale: where its rows come from, and the rings of rows around the current one. */
typedef struct scale {
    const brisque_arithmetic *arithmetic;
    size_t width, height;
    const unsigned char *grey; /* scale 1: bytes                                 */
    const unsigned char *half; /* scale 2: numbers of the working type, else NULL */
    unsigned char *x[RING], *b[RING], *bb[RING]; /* x: PAD more on either side      */
    double *map[2]; /* one more number on either side, always 0 */
} scale;

static void *ring_at(unsigned char *const ring[RING], size_t y)
{
    return ring[y % RING];
}

/* Read row y, extend it past its ends, and blur it along. */
static void scale_load(scale *s, size_t y)
{
    size_t item = s->arithmetic->item, n = s->width;
    unsigned char *x = ring_at(s->x, y), *row = x + PAD * item;
    if (s->half) memcpy(row, s->half + y * n * item, n * item);
    else s->arithmetic->bytes_row(row, s->grey + y * n, n);
    for (size_t k = 0; k < PAD; k++) {
        memcpy(x + k * item, row, item);
        memcpy(row + (n + k) * item, row + (n - 1) * item, item);
    }
    s->arithmetic->blur_row(ring_at(s->b, y), ring_at(s->bb, y), row, n);
}

/* Map row y from the blurred rows y-3 .. y+3, rows past the border repeated. */
static void scale_map(const scale *s, double *map, size_t y)
{
    const void *b[7], *bb[7];
    for (int k = 0; k < 7; k++) {
        int64_t at = (int64_t)y + k - 3;
        size_t row = at < 0 ? 0 : (size_t)at >= s->height ? s->height - 1 : (size_t)at;
        b[k] = ring_at(s->b, row);
        bb[k] = ring_at(s->bb, row);
    }
    const unsigned char *x = ring_at(s->x, y);
    s->arithmetic->map_row(map, x + PAD * s->arithmetic->item, b, bb, s->width);
}

/* Add a row of values v, or of products v[i] w[i]. Zero and NaN enter no sum. Four lanes, so that
 * the additions overlap; rows are added up with compensation. */
static void sums_add(sums *to, const double *v, const double *w, size_t n, bool round)
{
    enum { LANES = 4 };
    double low[LANES] = {0}, high[LANES] = {0}, magnitude[LANES] = {0};
    uint64_t lows[LANES] = {0}, highs[LANES] = {0};
    for (size_t i = 0; i < n; i += LANES) {
        double t[LANES] = {0};
        size_t count = n - i < LANES ? n - i : LANES;
        if (count == LANES)
            for (size_t k = 0; k < LANES; k++) t[k] = w ? v[i + k] * w[i + k] : v[i + k];
        else
            for (size_t k = 0; k < count; k++) t[k] = w ? v[i + k] * w[i + k] : v[i + k];
        if (round)
            for (size_t k = 0; k < LANES; k++) t[k] = (double)(float)t[k];
        for (size_t k = 0; k < LANES; k++) {
            double p = t[k] > 0.0 ? t[k] : 0.0, m = t[k] < 0.0 ? t[k] : 0.0;
            high[k] += p * p;
            low[k] += m * m;
            magnitude[k] += p - m;
            highs[k] += t[k] > 0.0;
            lows[k] += t[k] < 0.0;
        }
    }
    neumaier_add(&to->low, (low[0] + low[1]) + (low[2] + low[3]));
    neumaier_add(&to->high, (high[0] + high[1]) + (high[2] + high[3]));
    neumaier_add(&to->magnitude, (magnitude[0] + magnitude[1]) + (magnitude[2] + magnitude[3]));
    to->lows += lows[0] + lows[1] + lows[2] + lows[3];
    to->highs += highs[0] + highs[1] + highs[2] + highs[3];
}

/* The map itself and its products with the neighbours (dy, dx) = (0,1), (1,0), (1,1), (-1,1); the
 * map is 0 outside. Products are counted once both rows are there; the (1,.) and (-1,1) pairs of
 * rows y-1 and y belong to y-1 and y. */
static void add_row(sums total[MAPS], const scale *s, size_t y)
{
    size_t n = s->width;
    bool round = s->arithmetic->rounds_products;
    const double *now = s->map[y % 2] + 1, *before = s->map[(y + 1) % 2] + 1;
    sums_add(&total[0], now, NULL, n, false);
    sums_add(&total[1], now, now + 1, n, round);
    if (y == 0) return;
    sums_add(&total[2], before, now, n, round);
    sums_add(&total[3], before, now + 1, n, round);
    sums_add(&total[4], now, before + 1, n, round);
}

static void scale_run(sums total[MAPS], scale *s)
{
    size_t loaded = 0;
    for (size_t y = 0; y < s->height; y++) {
        while (loaded < s->height && loaded <= y + PAD) scale_load(s, loaded++);
        scale_map(s, s->map[y % 2] + 1, y);
        add_row(total, s, y);
    }
}

/* Asymmetric generalised Gaussian: shape, scales of the two sides (step 5). */
typedef struct fit {
    double shape, low, high; /* low, high: standard deviations */
} fit;

static bool fit_make(fit *out, const sums *s, double n, const brisque_model *model)
{
    double low = neumaier_total(&s->low), high = neumaier_total(&s->high);
    if (!s->lows || !s->highs) return false;
    out->low = sqrt(low / (double)s->lows);
    out->high = sqrt(high / (double)s->highs);
    double q = out->low / out->high, a = neumaier_total(&s->magnitude) / n;
    double r = a * a / ((low + high) / n) * (q * q * q + 1.0) * (q + 1.0) /
               ((q * q + 1.0) * (q * q + 1.0));
    if (!isfinite(r)) return false;
    out->shape = brisque_shape_of(model, r);
    return true;
}

/* 18 features of one scale (step 6). */
static bool scale_features(double f[18], const sums total[MAPS], double n,
                           const brisque_model *model)
{
    fit fits[MAPS];
    for (int k = 0; k < MAPS; k++)
        if (!fit_make(&fits[k], &total[k], n, model)) return false;
    f[0] = fits[0].shape;
    f[1] = (fits[0].low * fits[0].low + fits[0].high * fits[0].high) / 2.0;
    for (int k = 1; k < MAPS; k++) {
        double g = fits[k].shape, *at = f + 4 * k - 2;
        at[0] = g;
        at[1] = (fits[k].high - fits[k].low) * gamma_value(2.0 / g) / gamma_value(1.0 / g) *
                sqrt(gamma_value(1.0 / g) / gamma_value(3.0 / g));
        at[2] = fits[k].low * fits[k].low;
        at[3] = fits[k].high * fits[k].high;
    }
    for (int k = 0; k < 18; k++)
        if (!isfinite(f[k])) return false;
    return true;
}

/* Scale 2 from the grey bytes: along rows, then down columns (step 2). */
static tare_status make_half(unsigned char **out, const mem *m, const scale *one, tare_error *err)
{
    tare_status status = TARE_OK;
    const brisque_arithmetic *arithmetic = one->arithmetic;
    size_t item = arithmetic->item, width = one->width / 2, height = one->height / 2;
    brisque_tap *across = NULL, *down = NULL;
    unsigned char *rows = NULL, *x = NULL, *half = NULL;
    TRY_NEW(across = mem_new(m, width, sizeof *across));
    TRY_NEW(down = mem_new(m, height, sizeof *down));
    TRY_NEW(rows = mem_new(m, RING * width, item));
    TRY_NEW(x = mem_new(m, one->width, item));
    TRY_NEW(half = mem_new(m, width * height, item));
    arithmetic->taps(across, one->width, width);
    arithmetic->taps(down, one->height, height);
    size_t loaded = 0;
    for (size_t d = 0; d < height; d++) {
        for (; loaded <= down[d].at[3]; loaded++) {
            arithmetic->bytes_row(x, one->grey + loaded * one->width, one->width);
            arithmetic->half_row(rows + loaded % RING * width * item, x, across, width);
        }
        const void *four[4];
        for (int k = 0; k < 4; k++) four[k] = rows + down[d].at[k] % RING * width * item;
        arithmetic->half_column(half + d * width * item, four, down[d].weight, width);
    }
    *out = half;
    half = NULL;
done:
    mem_free(m, across);
    mem_free(m, down);
    mem_free(m, rows);
    mem_free(m, x);
    mem_free(m, half);
    return status;
}

/* Hand out one block to the rings. */
static void scale_rings(scale *s, unsigned char *block, double *maps)
{
    size_t item = s->arithmetic->item, padded = (s->width + 2 * PAD) * item;
    for (int k = 0; k < RING; k++) {
        s->x[k] = block + (size_t)k * 3 * padded;
        s->b[k] = s->x[k] + padded;
        s->bb[k] = s->b[k] + padded;
    }
    s->map[0] = maps;
    s->map[1] = maps + s->width + 2;
    memset(maps, 0, 2 * (s->width + 2) * sizeof *maps);
}

static void to_grey(unsigned char *grey, const unsigned char *rgb, size_t n)
{
    for (size_t i = 0; i < n; i++, rgb += 3)
        grey[i] = (unsigned char)((9798u * rgb[0] + 19235u * rgb[1] + 3735u * rgb[2] + 16384u) >>
                                  15);
}

tare_status brisque_features(double features[BRISQUE_FEATURES], bool *defined, const mem *m,
                             const brisque_model *model, const brisque_arithmetic *arithmetic,
                             const image *picture, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t width = (size_t)picture->width, height = (size_t)picture->height;
    unsigned char *grey = NULL, *half = NULL, *block = NULL;
    double *maps = NULL;
    *defined = false;
    TRY_NEW(grey = mem_new(m, width * height, 1));
    TRY_NEW(block = mem_new(m, 3 * RING * (width + 2 * PAD), arithmetic->item));
    TRY_NEW(maps = mem_new(m, 2 * (width + 2), sizeof *maps));
    to_grey(grey, picture->rgb, width * height);
    scale one = {.arithmetic = arithmetic, .width = width, .height = height, .grey = grey};
    TRY(make_half(&half, m, &one, err));
    scale two = {.arithmetic = arithmetic, .width = width / 2, .height = height / 2, .half = half};
    bool ok = true;
    scale *const scales[2] = {&one, &two};
    for (int k = 0; k < 2; k++) {
        sums total[MAPS];
        memset(total, 0, sizeof total);
        scale_rings(scales[k], block, maps);
        scale_run(total, scales[k]);
        double n = (double)(scales[k]->width * scales[k]->height);
        ok = scale_features(features + 18 * k, total, n, model) && ok;
    }
    if (ok && arithmetic->rounds_products)
        for (int k = 0; k < BRISQUE_FEATURES; k++) features[k] = (double)(float)features[k];
    *defined = ok;
done:
    mem_free(m, grey);
    mem_free(m, half);
    mem_free(m, block);
    mem_free(m, maps);
    return status;
}
