/* base_drift.h - how far the best of n drifts in one base, for every n at once: the scores are
 * sorted once, and what a rank is worth is known for each n. */
#ifndef AUDIT_SCORER_BASE_DRIFT_H
#define AUDIT_SCORER_BASE_DRIFT_H

#define DRIFT_LOWEST 2 /* n of the first point of a curve */

#include "audit/scorer/pool_weights.h"
#include "audit/scorer/study.h"

/* Of one n; every array [bases], NaN where a base gives nothing. */
typedef struct drift_column {
    double *net, *saturation, *reference, *ties;
    double *variance; /* of net when the scores are shuffled within the base */
} drift_column;

typedef struct drift_set {
    double *random, *argmax; /* argmax: of the tested n */
    double *baseline;        /* what the tested drift is net of: random, or picks from its draws */
    drift_column tested;     /* n = bon.n; from draws if they are sampled; NaN: too small a pool */
    size_t count;
    drift_column *at;        /* [count] n = DRIFT_LOWEST, one more, ...: exact */
} drift_set;

/* What the bases of an arm share. */
typedef struct drift_rule {
    pool_weights rule;   /* n = bon.n                                  */
    rng_key stream;      /* of sampled draws                           */
    bool random_pick;    /* net of one pick at random from each draw   */
    bool tests;          /* the pool allows bon.n: else the curve only */
    size_t m, count;
    double *ranks;       /* [count][m] of n = DRIFT_LOWEST + k         */
    double *tested;      /* [m] of bon.n                               */
    pool_order neutral;  /* by |d - d0| alone, the two signs tied      */
} drift_rule;

/* n = 2 .. m for the curve. The pool is at most POOL_WEIGHTS_MAX. */
tare_status drift_rule_make(drift_rule *out, study *t, const cube_arm *arm, tare_error *err);
/* In t->brief. */
tare_status drift_set_make(drift_set *out, study *t, const drift_rule *rule, size_t bases,
                           tare_error *err);
/* Fill the places of base i. `a` [doses] is what drifts: the attribute or the dose. */
tare_status drift_of_base(drift_set *out, size_t i, const view *v, const double *a,
                          const drift_rule *rule, tare_error *err);

#endif
