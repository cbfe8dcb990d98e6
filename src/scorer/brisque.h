/* brisque.h - BRISQUE as OpenCV's quality module computes it (scorers 3.5).
 *
 * Mittal, Moorthy, Bovik 2012, "No-reference image quality assessment in the spatial domain".
 * Written from the description; two arithmetics share everything but the rows of the maps. */
#ifndef SCORER_BRISQUE_H
#define SCORER_BRISQUE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/mem.h"
#include "image/image.h"
#include "tare.h"

#define BRISQUE_FEATURES 36
#define BRISQUE_VECTORS 774
#define BRISQUE_SHAPES 9801
#define BRISQUE_MIN_SIDE 16
/* Below this kernel value of the nearest support vector the score says little (ours). */
#define BRISQUE_NEAR 0.5

extern const char brisque_model_sha256[], brisque_range_sha256[];

/* ---- The model ------------------------------------------------------------ */

/* Support-vector regression on scaled features, and the shape table of step 5. */
typedef struct brisque_model {
    double low[BRISQUE_FEATURES], high[BRISQUE_FEATURES];
    double gamma, rho;
    double alpha[BRISQUE_VECTORS];
    double vectors[BRISQUE_VECTORS][BRISQUE_FEATURES];
    double shape[BRISQUE_SHAPES];     /* G: .2, then += .001 while below 10   */
    double ratio[BRISQUE_SHAPES];     /* Gamma(2/G)^2 / (Gamma(1/G) Gamma(3/G)) */
} brisque_model;

/* Reads the two YAML files (bytes in memory) and checks counts, ranges and totals. Errors: DATA. */
tare_status brisque_model_read(brisque_model *out, const char *model, size_t model_length,
                               const char *range, size_t range_length, tare_error *err);
/* Raw score, and in *nearest the largest kernel value over the support vectors. */
double brisque_model_score(const brisque_model *model, const double features[BRISQUE_FEATURES],
                           double *nearest);

void brisque_shapes_fill(brisque_model *model);
/* The grid shape whose ratio is nearest to r, a tie to the larger; beyond the ends the end. */
double brisque_shape_of(const brisque_model *model, double r);

/* ---- Rows of numbers, in one of two arithmetics ---------------------------- */

typedef struct brisque_tap {
    size_t at[4];     /* source indices, clamped to the edge           */
    double weight[4]; /* values of the working type                    */
} brisque_tap;

/* `void *` rows hold `item`-sized numbers, double or float. */
typedef struct brisque_arithmetic {
    const char *name;
    size_t item;
    bool rounds_products; /* products of the map are rounded to float */
    void (*bytes_row)(void *x, const unsigned char *grey, size_t n);
    void (*taps)(brisque_tap *taps, size_t in, size_t out);
    void (*half_row)(void *out, const void *x, const brisque_tap *taps, size_t n);
    void (*half_column)(void *out, const void *const rows[4], const double weight[4], size_t n);
    /* x has three more items on either side. b: blurred x, bb: blurred squares. */
    void (*blur_row)(void *b, void *bb, const void *x, size_t n);
    void (*map_row)(double *map, const void *x, const void *const b[7], const void *const bb[7],
                    size_t n);
} brisque_arithmetic;

/* Double throughout, negative variances and |m| < 1e-9 set to 0: the default. */
extern const brisque_arithmetic brisque_portable;
/* float32 with OpenCV 4.6's order of operations and fused steps. */
extern const brisque_arithmetic brisque_opencv;

/* ---- Features ------------------------------------------------------------- */

/* 36 features; sides >= BRISQUE_MIN_SIDE. *defined is false where one of the ten fits has no values
 * on one side, or anything is not finite. Errors: MEMORY. */
tare_status brisque_features(double features[BRISQUE_FEATURES], bool *defined, const mem *m,
                             const brisque_model *model, const brisque_arithmetic *arithmetic,
                             const image *picture, tare_error *err);

#endif
