/* resample_kernel.h - the inner loop of the product. Private to resample.c. */
#ifndef STATS_RESAMPLE_KERNEL_H
#define STATS_RESAMPLE_KERNEL_H

#include <stddef.h>
#include <stdint.h>

#define KERNEL_COLUMNS 32  /* a panel: four registers of eight doubles                 */
#define KERNEL_CLUSTERS 64 /* 64 x 32 doubles are 16 KiB: stays in the first-level cache */

/* One cluster of weight other than 0, counted from the begin of its slice of clusters. */
typedef struct kernel_entry {
    uint16_t cluster, weight;
} kernel_entry;

/* sum[KERNEL_COLUMNS] += value[weight] * slice[cluster][KERNEL_COLUMNS], entry by entry. A product
 * is rounded before it is added on every machine. `sum` and `slice` are aligned to 64 bytes. */
typedef void (*kernel_fn)(double *sum, const double *slice, const kernel_entry *entries,
                          size_t count, const double value[256]);
kernel_fn kernel_choose(void);

#endif
