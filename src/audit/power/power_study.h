/* power_study.h - what the parts of `tare power` share: the readings that are planned for, one row
 * each, with where their spread comes from and what was worked out. */
#ifndef AUDIT_POWER_POWER_STUDY_H
#define AUDIT_POWER_POWER_STUDY_H

#include "audit/power/power_design.h"
#include "audit/result.h"
#include "base/context.h"
#include "base/rng.h"

typedef enum power_id {
    POWER_N, POWER_P, POWER_FI, POWER_A, POWER_BETA, POWER_DRIFT, POWER_DRIFT_DOSE, POWER_CONTRAST,
    POWER_IDS
} power_id;
/* As in `tare audit`: "FI", "net_drift", ...; and as in --effect: "FI", "drift_dose", ... */
const char *power_name(power_id id);
const char *power_key(power_id id);
bool power_in_score(power_id id); /* its unit is that of the score */

/* The score of a base at a dose as stated: two straight sides whose depths differ by base, noise,
 * rounding. N and P have means n, p; FI and A of a base spread by sd_base, independently (ours). */
typedef struct stated_model {
    size_t doses, neutral;
    double *dose;             /* ascending */
    bool extreme;             /* the form of FI and A */
    double sd_base, sd_noise, quantum, icc, sd0;
    size_t bon_n;
    rng_key base_key, cluster_key; /* of its draws */
} stated_model;
typedef struct side_means { double n, p; } side_means;

typedef struct power_row {
    power_id id;
    const char *arm, *instrument, *condition, *unit;
    const char *reason;       /* "" or why nothing can be said */
    power_plan plan;
    power_spread spread;      /* of what a base contributes                                   */
    power_spread spread_null; /* the same where there is no effect: differs for drifts        */
    size_t n, clusters, expected; /* of the pilot; 0: stated                                  */
    bool icc_negative;        /* the pilot's estimate was below 0                             */
    size_t least, most;       /* bases with a score in the smallest and largest cluster       */
    double effect, margin, sd0; /* sd0 NaN: not known */
    double floor;             /* NaN: not known; else of the planned study */
    bool effect_stated;
    side_means truth;         /* of the stated model that gives the effect                    */
    bool by_model;            /* simulated from scores, else as normal contributions          */
    size_t tests;
    power_size size;
    double sd_lo, sd_hi;
    double found, found_corrected, smallest, smallest_corrected, shown_small, negligible;
    double bases, bases_lo, bases_hi, bases_corrected, bases_small;
    size_t simulated;         /* 0: not */
    double sim_found, sim_corrected, sim_small;
} power_row;

typedef struct effect_list {
    double all, of[POWER_IDS]; /* NaN: not stated */
    bool in_sd0;
} effect_list;

typedef struct power_options {
    double bases, clusters, icc, missing; /* NaN: the pilot's */
    double alpha, target;
    double margin_sd, margin_drift, margin_drift_dose;
    size_t tests;              /* 0: the home grid */
    bool extreme;
    size_t bon_n, simulate;
    uint32_t boot_b, perm_p;
    uint64_t seed;
    effect_list effect;
    double slope, fidelity;    /* NaN: not stated; per dose, of a stated model */
    size_t groups, group_size; /* 0: no groups; size 0: the bases divided by the groups */
    double group_effect;
} power_options;

typedef struct power_study {
    audit_result *out;
    tare_context *context;
    arena *a;                  /* of the result */
    power_options o;
    power_row *row;
    size_t rows, row_capacity;
    const stated_model *model; /* NULL: from a pilot */
    const char *pilot;         /* its path */
    flip_power *flips;         /* of all plans */
} power_study;

/* A row with its plan from the options; valid until the next. NULL: no memory. */
power_row *power_row_add(power_study *p, power_id id);

/* ---- where spreads come from ---- */
struct cube;
tare_status power_pilot_rows(power_study *p, const struct cube *c, tare_error *err);
tare_status power_stated_rows(power_study *p, tare_error *err);
/* Components of variance of x [n] (NaN: left out) in clusters; false where fewer than two clusters
 * have one. *n_used and *clusters_used are set. */
typedef struct spread_rows { const double *x; const uint32_t *cluster; size_t n, clusters; }
    spread_rows;
tare_status power_spread_of(power_spread *out, power_row *counts, const spread_rows *rows,
                            const mem *m, tare_error *err);
/* What a base of a stated model contributes to a reading; NaN: it has none. */
typedef struct model_draw { power_id id; side_means truth; } model_draw;
typedef struct model_base { uint32_t replicate; size_t base, cluster; } model_base;
tare_status stated_draw(double *out, const stated_model *model, model_draw what, model_base which,
                        tare_error *err);
/* Variance factor v of scorer audit 4; NaN: the grid has no such reading. */
double stated_noise_factor(const stated_model *model, power_id id);

/* ---- in the order of the calls ---- */
tare_status power_effects(power_study *p, tare_error *err);  /* effects, tests */
size_t power_home_grid(const power_study *p, power_id id);
tare_status power_compute(power_study *p, tare_error *err);
tare_status power_simulate(power_study *p, tare_error *err); /* nothing unless asked for */
tare_status power_groups(power_study *p, tare_error *err);   /* likewise; a table and a sentence */
tare_status power_report(power_study *p, tare_error *err);   /* readings and tables */
tare_status power_figures(power_study *p, tare_error *err);
tare_status power_words(power_study *p, tare_error *err);

#endif
