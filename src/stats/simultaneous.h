/* simultaneous.h - one band over estimates that were resampled together: with probability
 * 1 - alpha all of them lie inside, not each by itself (ours).
 *
 * The studentised maximum of the common replicates, max over j of |t*_j - theta_j| / SD of t*_j,
 * has a quantile c. Where the bootstrap leads the band is theta +- c se. Where a t interval leads
 * (few clusters) the same c becomes the level 2 (1 - Phi(c)) that each estimate needs, and the band
 * takes the t quantile of that level: how the estimates hang together comes from the bootstrap,
 * how heavy the tails are from the degrees of freedom. A band is nowhere inside the interval of
 * one estimate. */
#ifndef STATS_SIMULTANEOUS_H
#define STATS_SIMULTANEOUS_H

#include "stats/infer.h"
#include "stats/interval.h"

typedef struct simultaneous_plan {
    const mem *m;
    uint32_t boot_b;
    double alpha;
} simultaneous_plan;

/* out[k] for x[k], which kept their replicates. An estimate without an answer gets NaN and does
 * not count for the others; one without variation gets its own interval. *critical: c; NaN where
 * nothing varies. Errors: MEMORY, USAGE (no replicates kept). */
tare_status simultaneous_band(interval *out, double *critical, const inference *x, size_t k,
                              const simultaneous_plan *plan, tare_error *err);

#endif
