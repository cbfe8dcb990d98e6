/* study.h - what the families of readings share: one scorer seen in one arm (`view`), its base
 * set with the draws that go with it (`frame`), and the list of everything that was estimated
 * (`judged`), which gets its q, verdict and words when all families are through. */
#ifndef AUDIT_SCORER_STUDY_H
#define AUDIT_SCORER_STUDY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "audit/estimate.h"
#include "audit/result.h"
#include "audit/scorer/analyse.h"
#include "audit/scorer/cube.h"
#include "base/context.h"
#include "stats/infer.h"

/* Readings that other families look up. RD_NONE: never looked up. */
typedef enum reading_id {
    RD_N, RD_P, RD_FI, RD_A,                         /* tested form of fidelity.doses  */
    RD_N_OTHER, RD_P_OTHER, RD_FI_OTHER, RD_A_OTHER, /* the other form                 */
    RD_KAPPA, RD_SHAPE,
    RD_BETA, RD_BETA_ALONE, RD_GAMMA, RD_GAMMA_ADJ, RD_FI_ADJ, RD_A_ADJ,
    RD_DRIFT, RD_DRIFT_DOSE, RD_SATURATION, RD_SATURATION_DOSE,
    RD_CROSS,
    RD_OMNIBUS_FI, RD_OMNIBUS_A, RD_OMNIBUS_FI_ADJ, RD_OMNIBUS_A_ADJ, /* in one order with pairs */
    RD_PAIR_FI, RD_PAIR_A, RD_PAIR_FI_ADJ, RD_PAIR_A_ADJ,
    RD_PLACEBO, RD_PLACEBO_ENERGY,                   /* held by the view of the placebo arm */
    RD_CLIP_FI, RD_CLIP_A, RD_CLIP_DRIFT,
    RD_NONE
} reading_id;
#define RD_COUNT ((size_t)RD_NONE)

/* One estimate. `reading` indexes the result. */
typedef struct judged {
    size_t reading, view; /* view SIZE_MAX: of an arm or of nothing */
    reading_id id;
    inference inf;
    bool descriptive;     /* no test, no verdict                                 */
    bool equivalent;      /* TOST passed, or the estimate is exactly 0 everywhere */
    bool significant;     /* q (p outside a grid) <= alpha and 0 outside the interval */
    bool capped;          /* missing_informative                                 */
    bool capped_by_group; /* then it is the group that missing scores depend on  */
    const char *extra;    /* marks of the families, comma-separated              */
} judged;

/* Bases used together, and their draws. */
typedef struct frame {
    infer_plan plan;
    bool *used;          /* [bases] */
    uint32_t *cluster;   /* [bases] index into plan.ids; 0 where not used */
    size_t bases, n;     /* rows of the arrays; bases used */
} frame;

/* The bases that a reading rests on, and why others do not enter: expected = n + sum of missing. */
typedef struct base_count {
    uint64_t expected, missing[TARE_REASON_COUNT];
    size_t n, clusters;
} base_count;

typedef struct noise_floor {
    bool known, half_precision;
    size_t images, images_asked;           /* scored again with success; all             */
    size_t configurations, configurations_asked; /* beside the first: with any pair; all     */
    uint64_t lost[TARE_REASON_COUNT];      /* images that were not scored again, by reason */
    double sd, shift, quantum, zero_share; /* share of within-base differences that are 0 */
    const char *shift_in;                  /* the configuration with the largest move, or ""  */
} noise_floor;

/* N, P, FI, A per base; NaN where the base is not used or the side does not exist. */
typedef struct sides {
    double *n, *p, *fi, *a; /* [bases] */
} sides;

typedef enum side_mark { SIDE_ABSENT, SIDE_MINUS, SIDE_ZERO, SIDE_PLUS } side_mark;

/* What is compared between groups. */
enum { METRIC_FI, METRIC_A, METRIC_FI_ADJ, METRIC_A_ADJ, METRICS };

typedef struct view {
    size_t arm_index, scorer_index;
    const cube_arm *arm;
    const char *scorer;
    const cube_scores *scores;
    frame f;                                 /* bases with all doses scored */
    uint64_t expected, missing[TARE_REASON_COUNT];
    uint8_t *lost;                           /* [bases] tare_reason; TARE_R_NONE where used */
    bool degenerate;                         /* every score is the same, or too_large   */
    bool too_large;                          /* a used |score| is above SCORE_MOST      */
    double sd0;                              /* yardstick; NaN: none         */
    noise_floor noise;
    sides tested;                            /* by fidelity.doses                    */
    double *net_dose;                        /* [bases] net drift in dose units; NULL: not run */
    double *net_attribute;                   /* [bases] likewise in the attribute; NULL: none  */
    struct design_sums *beta_sums;           /* of beta, for other draws; NULL: none           */
    double gamma_adjust;                     /* gamma of the adjusted curve; NaN: none */
    size_t at[RD_COUNT];                     /* into study.judged; SIZE_MAX: absent */
    const char *gamma_note;                  /* "", "artifact constant", "inseparable" */
    bool carried_beta, carried_fidelity;     /* by the artifact              */
    bool unseparated_fidelity;               /* FI resolved; FI_adj not, and not smaller either */
    double vif, tie_rate;
    /* set by shape.c */
    side_mark side_n, side_p;
    const char *shape, *symmetry, *short_rule;
    bool inverted_u;
    bool sham_run, sham_resolved;            /* FI goes beyond the sham's, in its own direction */
    bool capped, capped_population;          /* missing_informative by dose, by group   */
    bool spread[METRICS];                    /* max-min and its studentised form disagree */
    bool insensitive, small_not_selection;   /* 5.3                                      */
    const char *drift_words, *groups_left_out;
    const char *pool_words;                  /* why best-of-n was not run; "" if it was      */
    struct drift_curve *curve[2];            /* over n, attribute and dose; NULL: not run    */
} view;

typedef struct instrument_check {
    bool run, pass;
    double r2, slope, rho, monotone;
} instrument_check;

typedef struct criterion {
    bool c1, c1_clean, c1_separable, c2, c3, c3_population;
    const char *why1, *why2, *why3;
    double artifact_max, artifact_r2, excluded_share;
    base_count artifact_of; /* bases that have the artifact at every dose */
} criterion;

typedef struct grid_size {
    size_t planned, tested, significant;
    size_t *member;       /* [planned] into study.judged                               */
    double *p, *q, *maxt; /* [planned] NaN: no answer                                  */
    const char *no_maxt;  /* why there is no max-T; NULL: there is, or nothing to test */
} grid_size;
enum {
    GRID_I, GRID_I_DOSE, GRID_II, GRID_II_ADJUSTED, GRID_III, GRID_III_ADJUSTED, GRID_IV, GRID_V,
    GRID_VI, GRID_COUNT
};

/* A main arm beside one of its placebos, one scorer. */
typedef struct placebo_pair {
    size_t main, placebo;     /* views */
    size_t contrast, energy;  /* into study.judged; SIZE_MAX: absent */
} placebo_pair;

typedef struct study {
    audit_result *out;
    tare_context *context;
    const mem *m;
    const cube *c;        /* = &own */
    cube own;             /* the cube, its texts in the arena of the result */
    analyse_options o;
    arena scratch;        /* freed at the end: arrays per base, weights */
    arena brief;          /* of one view in one family: freed when that is through, for arrays per
                             base of 10,000 bases add up                      */
    view *view;           /* [arms * scorers], same order as the scores of the cube */
    size_t views;
    instrument_check *instrument; /* [arms] */
    criterion *criterion;         /* [views] */
    placebo_pair *pair;           /* [pairs] main arms against their placebos */
    size_t pairs;
    struct transfer *transfer;    /* differences between arms (transfer.h); NULL: not run */
    grid_size grid[GRID_COUNT];
    arena *keep;          /* where inference leaves its replicates (members.h); NULL: nowhere */
    arena passing, members; /* replicates of everything just now; of the members of grids */
    size_t member_bytes;
    bool members_over;    /* more than may be kept: no max-T                          */
    struct omnibus_null *nulls;   /* every omnibus with its null, in order; NULL: none */
    struct exclusion *exclusion;  /* [arms] does exclusion depend on the group?        */
    judged *judged;
    size_t judged_count, judged_capacity;
    struct kept_draws *draws; /* of every base set so far, reused when the ids are the same */
    size_t draws_count, draws_capacity, draws_bytes;
} study;

typedef struct kept_draws {
    infer_draws *draws;
    const char *const *ids;
    size_t clusters;
    const char *analysis;
} kept_draws;

/* How an estimate is to be entered. Zero-initialise; then margin and floor must be set (NaN:
 * none). */
typedef struct reading_spec {
    const char *family, *name, *condition, *unit, *grid, *reason, *extra;
    double margin, floor;
    bool descriptive;
    const base_count *count; /* NULL: the bases of the view with all scores, else all of the arm.
                                Its n counts where the inference has none */
} reading_spec;

/* ---- study.c ---- */
tare_status study_open(study *t, audit_result *out, tare_context *context, const cube *c,
                       const analyse_options *options, tare_error *err);
void study_close(study *t);
tare_status study_own_texts(study *t, const cube *c, tare_error *err); /* sets t->c */
tare_status study_cut_clusters(study *t, tare_error *err); /* bases become clusters */
/* Base set of an arm with its draws; used [bases] is kept. */
tare_status frame_make(frame *f, study *t, const cube_arm *arm, bool *used, tare_error *err);
/* Means over the used bases of k columns x[j] [bases] in one product; NaN entries are left out. */
tare_status study_means(inference *out, study *t, const frame *f, const double *const *x, size_t k,
                        tare_error *err);
/* The same; `keep` receives the replicates (infer.h). */
tare_status study_means_keep(inference *out, study *t, const frame *f, const double *const *x,
                             size_t k, arena *keep, tare_error *err);
/* k smooth functions of sums per base, summed by cluster over the used bases. Bases with a NaN
 * in their row are left out. */
typedef struct base_rows {
    const double *x; /* [bases][p] */
    size_t p;
} base_rows;
tare_status study_totals(inference *out, study *t, const frame *f, base_rows rows,
                         const infer_smooth *functions, size_t k, tare_error *err);
/* Enter an estimate; v NULL: it belongs to `arm` alone. */
tare_status study_add(study *t, view *v, const cube_arm *arm, reading_id id,
                      const reading_spec *spec, const inference *inf, tare_error *err);
/* Enter a bare number: descriptive, no interval, of the bases of spec->count. */
tare_status study_number(study *t, view *v, const cube_arm *arm, const reading_spec *spec,
                         double value, tare_error *err);
judged *study_get(const study *t, const view *v, reading_id id); /* NULL: absent */
const tare_reading *study_reading(const study *t, const judged *j);
tare_status study_mark(study *t, judged *j, const char *mark, tare_error *err);
double *study_array(study *t, size_t n); /* of NaN, in scratch; NULL: no memory */
double *brief_array(study *t, size_t n); /* of NaN, in brief */
/* A difference of numbers of size `scale` that is 0 but for rounding becomes 0, so that a constant
 * rounding error is not taken for a constant effect. */
double snap_zero(double x, double scale);
bool arm_is_sham(const cube_arm *arm);   /* its operator changes nothing but by accident  */
bool arm_is_skin(const cube_arm *arm);   /* its operator is `skin`                        */
bool arm_main(const cube_arm *arm);      /* neither a placebo nor a stress arm */
/* Has groups that may be compared: not a placebo, and not declared synthetic (scorer audit 9). */
bool arm_has_population(const cube_arm *arm);
double attribute_margin(const study *t, const cube_arm *arm); /* drift, attribute units */
double dose_margin(const study *t, const cube_arm *arm);      /* drift, dose units      */
bool same_doses(const cube_arm *x, const cube_arm *y); /* and neutral ones */
double view_margin(const study *t, const view *v, double multiple); /* multiple of SD0; NaN: none */
const char *dose_text(study *t, double dose); /* "-15"; NULL: no memory */

/* ---- the families, in the order of the calls ---- */
tare_status noise_run(study *t, tare_error *err);
tare_status fidelity_run(study *t, tare_error *err);
tare_status calibration_run(study *t, tare_error *err);
tare_status regression_run(study *t, tare_error *err);
tare_status bestofn_run(study *t, tare_error *err);
tare_status crossimage_run(study *t, tare_error *err);
tare_status placebo_run(study *t, tare_error *err);
tare_status missing_run(study *t, tare_error *err);
tare_status exclusion_run(study *t, tare_error *err);   /* does exclusion depend on the group? */
tare_status population_run(study *t, tare_error *err);
tare_status population_words(study *t, const view *v, tare_error *err);
tare_status floors_run(study *t, tare_error *err);      /* below the resolution of the instrument */
tare_status shape_joint_run(study *t, tare_error *err); /* joint p, before the grids */
tare_status robust_run(study *t, tare_error *err);
tare_status robust_masks_run(study *t, tare_error *err);
tare_status robust_seeds_run(study *t, tare_error *err);
tare_status criterion_run(study *t, tare_error *err);
tare_status transfer_difference_run(study *t, tare_error *err); /* before the grids */
tare_status grids_run(study *t, tare_error *err);       /* q and verdicts */
tare_status shape_class_run(study *t, tare_error *err);
tare_status influence_run(study *t, tare_error *err);
tare_status validity_cards_run(study *t, tare_error *err);
tare_status wording_run(study *t, tare_error *err);
tare_status transfer_class_run(study *t, tare_error *err);      /* after verdicts and words */
tare_status tables_run(study *t, tare_error *err);
tare_status grid_tables(study *t, tare_error *err);     /* fdr, fdr_cells */
const char *grid_name(int grid);                        /* "ii" of GRID_II */
tare_status grid_facts(study *t, tare_error *err);
tare_status null_table(study *t, tare_error *err);      /* omnibus_null, with its figures */
tare_status null_figures(study *t, tare_error *err);
tare_status used_scores_table(study *t, tare_error *err);
tare_status figures_run(study *t, tare_error *err);
tare_status transfer_report_run(study *t, tare_error *err);     /* table and figures */
tare_status facts_run(study *t, tare_error *err);
tare_status prompts_run(study *t, tare_error *err);     /* after verdicts and the answer */
tare_status transfer_answer_run(study *t, tare_error *err);
tare_status answer_run(study *t, tare_error *err);

/* Mark of every verdict of a scorer that was not asked again (scorers 1.3). */
#define NOISE_UNKNOWN "noise floor unknown"

/* Floor of a side mean or FI or A under the noise of the scorer (scorer audit 4), by its variance
 * factor; NaN (unknown) when nobody was asked again and no step of the scores is known to
 * matter. */
double noise_floor_of(const view *v, double variance_factor);
/* The same of FI of one view less FI of another, of one scorer; the factor is the sum of both
 * (ours). `n`: bases in both. */
double noise_floor_of_contrast(const view *x, const view *y, double variance_factor, size_t n);
/* Doses below and above the neutral one that enter, by form. */
typedef struct side_counts { double below, above; } side_counts;
side_counts fidelity_counts(const cube_arm *arm, bool extreme);
double fidelity_variance_factor(side_counts k); /* of FI */

#endif
