/* resample_whole.h - columns of whole numbers in the product. Private to resample.c.
 *
 * Sums of scores that are whole numbers, halves or other multiples of a power of two, and counts,
 * are digits to the base 128 in single bytes: their weighted sums are exact in integers, whatever
 * the order, and bytes are the narrowest and fastest numbers to multiply. Whether a column is whole
 * is decided by itself alone. */
#ifndef STATS_RESAMPLE_WHOLE_H
#define STATS_RESAMPLE_WHOLE_H

#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"
#include "tare.h"

typedef struct whole_columns {
    size_t clusters, count;  /* count: digits of all whole columns                             */
    size_t groups, lanes;    /* of 4 clusters; of 16 digits, an even number of them             */
    int8_t *z;               /* [lanes][groups][16 digits][4 clusters], 0 past the end          */
    size_t *column;          /* [count] of z as given, ascending                                */
    double *scale;           /* [count] a digit's 1: a power of two                             */
} whole_columns;

/* Looks at z [clusters][p]; is_whole [p] is filled in. All arrays in the arena. Errors: MEMORY. */
tare_status whole_open(whole_columns *out, uint8_t *is_whole, const double *z, size_t clusters,
                       size_t p, arena *a, tare_error *err);

enum { WHOLE_ROWS = 8, WHOLE_GROUPS = 1 << 14 };

/* sum[row][32] += weights x two lanes: z of the first lane, that of the second `groups` x 64 bytes
 * behind it; each row of weights has 4 bytes per group; at most WHOLE_GROUPS groups, so that sums
 * of 255 x 127 fit. */
typedef void (*whole_fn)(int32_t sum[WHOLE_ROWS][32], const uint8_t *const weights[WHOLE_ROWS],
                         const int8_t *z, size_t next_lane, size_t groups);
whole_fn whole_choose(void);

/* totals[row * stride + column] of whole columns (set to 0 before); weights[count] rows of
 * `clusters` bytes. */
void whole_multiply(double *totals, size_t stride, const whole_columns *c, whole_fn kernel,
                    const uint8_t *const *weights, size_t count);

#endif
