/* analyse.h - from a cube to readings, tables, figures and the answer: the statistics of the scorer
 * audit. Every family of readings is one file; analyse.c calls them in order. */
#ifndef AUDIT_SCORER_ANALYSE_H
#define AUDIT_SCORER_ANALYSE_H

#include <math.h>

#include "audit/result.h"
#include "audit/scorer/cube.h"
#include "base/context.h"

/* Defaults are in scorer audit 14; every one is an option of the job and printed in the facts. */
typedef struct analyse_options {
    uint64_t seed;             /* 1 */
    uint32_t boot_b, perm_p;   /* 9999 */
    double alpha;              /* .05 */
    const char *ci;            /* auto percentile bca t */
    const char *boot_p;        /* centred inversion */
    const char *doses;         /* all extreme: which FI/A is tested */
    size_t bon_n;              /* 4 */
    bool bon_replace;          /* draw with replacement */
    uint64_t bon_draws;        /* 0: exact */
    const char *bon_ties;      /* shared first */
    double margin_sd;          /* .10 SD0 */
    double margin_beta_sd;     /* .10 SD0 per 30 degrees */
    double margin_drift_attribute; /* 3 degrees */
    double margin_drift_dose;  /* NaN: by the axis, 1.5 L* or .02 of a width, else
                                  a tenth of one side (ours) */
    size_t group_min;          /* 10 */
    const char *perm_exact;    /* auto yes no */
    bool margins;              /* false: the paper preset, no margins */
    size_t seeds;              /* 5: seeds of the seed check (scorer audit 7); 0, 1: none */
    bool bon_mixed;            /* best-of-n also over pools that mix bases (scorer audit 5.5) */
    bool paper;                /* the paper preset: bases are clusters */
} analyse_options;
#define ANALYSE_OPTIONS_DEFAULT                                                                   \
    ((analyse_options){1, 9999, 9999, 0.05, "auto", "centred", "all", 4, false, 0, "shared", 0.10, \
                       0.10, 3.0, NAN, 10, "auto", true, 5, false, false})

tare_status analyse_cube(audit_result *out, tare_context *context, const cube *c,
                         const analyse_options *options, tare_error *err);

#endif
