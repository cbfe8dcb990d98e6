/* lanes.h - compensated sums in eight lanes: value i goes to lane i % 8, whatever the machine. */
#ifndef PERTURB_LANES_H
#define PERTURB_LANES_H

#include <stddef.h>

#include "stats/moments.h"

enum { LANES = 8 };

/* Running sum and lost low parts of each lane; start with zeros. */
typedef struct lane_sums { double sum[LANES], low[LANES]; } lane_sums;

/* Add x[i] weight[i]; n is a multiple of LANES. */
void lanes_add(lane_sums *s, const double *x, const double *weight, size_t n);
/* The lanes in order, into one sum. */
void lanes_fold(neumaier *out, const lane_sums *s);

#endif
