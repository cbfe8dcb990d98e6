#include "perturb/lanes.h"

#include "image/wide.h"

typedef double four __attribute__((vector_size(32)));
/* The same anywhere in an array of doubles. */
typedef double four_at __attribute__((vector_size(32), aligned(8), may_alias));

/* sum + low is exact before and after, for any order of magnitudes (Knuth's two-sum). */
#define ADD(sum, low, value)                                      \
    do {                                                          \
        four value_ = (value), total_ = (sum) + value_;           \
        four part_ = total_ - (sum);                              \
        (low) += ((sum) - (total_ - part_)) + (value_ - part_);   \
        (sum) = total_;                                           \
    } while (0)

IMAGE_WIDE
void lanes_add(lane_sums *s, const double *x, const double *weight, size_t n)
{
    four_at *sums = (four_at *)s->sum, *lows = (four_at *)s->low;
    four sum0 = sums[0], sum1 = sums[1], low0 = lows[0], low1 = lows[1];
    for (size_t i = 0; i < n; i += LANES) {
        const four_at *v = (const four_at *)(x + i), *w = (const four_at *)(weight + i);
        ADD(sum0, low0, v[0] * w[0]);
        ADD(sum1, low1, v[1] * w[1]);
    }
    sums[0] = sum0;
    sums[1] = sum1;
    lows[0] = low0;
    lows[1] = low1;
}

void lanes_fold(neumaier *out, const lane_sums *s)
{
    for (size_t k = 0; k < LANES; k++) {
        neumaier_add(out, s->sum[k]);
        neumaier_add(out, s->low[k]);
    }
}
