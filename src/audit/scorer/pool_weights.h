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

#define POOL_WEIGHTS_MAX 64

/* w [m] of the variants with scores s [m] (finite), summing to 1; *tie_rate = share of draws in
 * which the best score is held by more than one of the distinct variants drawn. Exact over all
 * draws: C(m-r, n-1)/C(m, n) for the r-th best without, ((m-r+1)^n - (m-r)^n)/m^n with
 * replacement. Errors: LIMIT (m above 64), USAGE (n > m without replacement). */
tare_status pool_weights_exact(double *w, double *tie_rate, const pool_weights *rule,
                               const double *s, size_t m, tare_error *err);

/* Its parts, for many n of one pool: the scores are sorted once, and what a rank is worth depends
 * on n and m alone. */
typedef struct pool_order {
    size_t m;
    uint32_t at[POOL_WEIGHTS_MAX];   /* variants, best first; tied ones by index */
    uint32_t last[POOL_WEIGHTS_MAX]; /* [rank] the last rank that is tied with it */
} pool_order;
/* Errors: LIMIT (m above 64), USAGE (m 0), BUG (a NaN). */
tare_status pool_order_of(pool_order *out, const double *s, size_t m, tare_error *err);
/* ranks [m]: share of draws whose best stands at rank r (0 = best) when all scores differ.
 * Errors: as of pool_weights_exact. */
tare_status pool_ranks(double *ranks, const pool_weights *rule, size_t m, tare_error *err);
/* w [m] by variant; ties share unless `first`. Returns the tie rate. */
double pool_spread(double *w, const double *ranks, const pool_order *order, bool first);

/* The same from rule->draws drawn subsets; draw r uses the stream of (key, r, base id). */
typedef struct pool_stream {
    rng_key key;
    const char *base;
} pool_stream;
tare_status pool_weights_sampled(double *w, const pool_weights *rule, const double *s, size_t m,
                                 pool_stream stream, tare_error *err);
/* How often each is picked if one of every such draw is kept at random: the first that is drawn. */
tare_status pool_weights_random(double *w, const pool_weights *rule, size_t m, pool_stream stream,
                                tare_error *err);

#endif
