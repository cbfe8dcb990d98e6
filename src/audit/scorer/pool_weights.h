/* pool_weights.h - how often each variant of a pool of m is the best of n drawn from it. */
#ifndef AUDIT_SCORER_POOL_WEIGHTS_H
#define AUDIT_SCORER_POOL_WEIGHTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/rng.h"
#include "tare.h"

typedef struct pool_weights {
    size_t n;
    bool replace;   /* draw with replacement                                        */
    bool first;     /* ties: the lowest index wins; else tied variants share        */
    uint64_t draws; /* subsets per base for the sampled form                         */
} pool_weights;

/* w [m] of the variants with scores s [m] (finite), summing to 1; *tie_rate = share of draws in
 * which the best score is held by more than one of the distinct variants drawn. Exact over all
 * draws: C(m-r, n-1)/C(m, n) for the r-th best without, ((m-r+1)^n - (m-r)^n)/m^n with
 * replacement. Errors: LIMIT (m above 64), USAGE (n > m without replacement). */
#define POOL_WEIGHTS_MAX 64
tare_status pool_weights_exact(double *w, double *tie_rate, const pool_weights *rule,
                               const double *s, size_t m, tare_error *err);

/* The same from rule->draws drawn subsets; draw r uses the stream of (key, r, base id). */
typedef struct pool_stream {
    rng_key key;
    const char *base;
} pool_stream;
tare_status pool_weights_sampled(double *w, const pool_weights *rule, const double *s, size_t m,
                                 pool_stream stream, tare_error *err);

#endif
