/* infer_case.h - what the kinds of inference (means, totals, differences) hand to the common rules.
 * Private to infer*.c. */
#ifndef STATS_INFER_CASE_H
#define STATS_INFER_CASE_H

#include "stats/infer.h"
#include "stats/interval.h"
#include "stats/resample.h"

struct infer_draws {
    const mem *m;
    uint64_t *h64;             /* [clusters] */
    resample_draws boot, flip; /* they borrow h64 */
};

/* The plan's draws, or new ones (signs only if asked for), which `*own` then holds. `own` is
 * released with infer_draws_free in any case. */
tare_status infer_draws_of(const infer_draws **out, infer_draws **own, const infer_plan *plan,
                           bool flips, tare_error *err);

/* Moments of influences; clusters without data (NaN) are left out. */
typedef struct infer_shape {
    size_t used;              /* clusters                                                        */
    double absolute;          /* mean |L|; 0 without clusters                                    */
    double squares, cubes;    /* sums about the mean                                             */
    double largest;           /* of the squares                                                  */
    bool equal;               /* all L are the same number                                       */
} infer_shape;
infer_shape infer_shape_of(const double *influence, size_t m);
/* SE from influences: sqrt(sum (L - mean L)^2 / (M (M - 1))); NaN below two clusters. */
double infer_jackknife_se(const infer_shape *s);

typedef struct infer_case {
    double estimate;
    double scale;             /* mean absolute contribution of a cluster (statistics 1.6)        */
    double se, df;            /* of the t kind of interval; NaN: there is none                   */
    double df_boot;           /* beside the bootstrap's se: M - 1                                */
    const char *t_name;       /* "t", "CR2", ...                                                 */
    const double *replicates; /* [B]                                                             */
    const double *influence;  /* [influences] NaN: cluster without data; NULL: unknown           */
    size_t influences;
    infer_shape shape;        /* of the influence, if there is one                               */
    const interval_ends *ends;/* of the plan's levels; NULL: worked out again                    */
    double p_flip, flip_floor;/* NaN: none                                                       */
    size_t n, clusters;
    bool equal;               /* all contributions are equal                                     */
    const char *reason;       /* not "": no answer                                               */
} infer_case;
#define INFER_CASE_INIT                                                                        \
    (infer_case){.estimate = NAN, .se = NAN, .df = NAN, .df_boot = NAN, .t_name = "t",         \
                 .p_flip = NAN, .flip_floor = NAN, .reason = ""}

/* Fill `out` by the rules of statistics 4, 7 and 8. `scratch` has max(B, influences) places. */
void infer_conclude(inference *out, const infer_plan *plan, const infer_case *c, double *scratch);
size_t infer_scratch(const infer_plan *plan);
/* The ends of intervals at 1 - alpha and 1 - 2 alpha where all replicates are defined: alike for
 * all outputs of a plan. */
interval_ends infer_ends(const infer_plan *plan);

#endif
