/* cube.h - the data of a scorer audit: arms x scorers x bases x doses (scorer audit 1).
 *
 * Built from a score table (cube_from_table.c) or from a run folder (cube_from_run.c); the
 * readings see only this. Canonical order: bases by (cluster, id) bytes inside an arm, doses
 * ascending, scorers by name. `s` is the sign-corrected score (higher is better); NaN exactly
 * where status != TARE_R_NONE. */
#ifndef AUDIT_SCORER_CUBE_H
#define AUDIT_SCORER_CUBE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "audit/result.h"
#include "base/mem.h"
#include "tare.h"

enum { ATTRIBUTE_SETS = 3 };

typedef struct cube_arm {
    const char *name;         /* "skin", "sham", or the table's arm label                    */
    const char *operator_name;/* "skin", "sham", "hue"... or "" if unknown                   */
    const char *kind;         /* "real", "synthetic", or "" if unknown                        */
    bool two_sided;           /* has doses on both sides of the neutral one                   */
    bool placebo;             /* sham and the like: contrasted with the main arm of `partner` */
    bool stress;              /* the partner made again with another mask (scorer audit 7)    */
    const char *stress_set;   /* "tight", "loose"; "" unless stress                           */
    size_t partner;           /* index of the arm that it belongs to; SIZE_MAX if none    */
    bool edited_here;         /* variants made by this program: its constants of the edits apply */
    bool intervened;          /* dose 0 known bit-equal to the base (C1)                       */
    bool attribute_independent; /* measured from pixels, not from the dose (C2)               */
    const char *set_name;     /* of the base set: "real", "RUN_A"; arms of one set with the same
                                 clusters share their draws. NULL: `kind`                     */
    size_t doses, neutral;    /* number; index of d0                                          */
    double *dose;             /* [doses] ascending                                            */
    size_t bases;
    const char **base;        /* [bases] ids                                                  */
    uint32_t *cluster;        /* [bases] into cluster_id                                      */
    size_t clusters;
    const char **cluster_id;  /* [clusters] ascending bytes                                   */
    uint32_t *group;          /* [bases] into group_id; NULL if no groups                      */
    size_t groups;
    const char **group_id;
    double *attribute;        /* [bases][doses], NaN where missing; NULL if the arm has none  */
    double *artifact;         /* [bases][doses] likewise                                      */
    double *edit_energy;      /* [bases][doses] likewise                                      */
    double *attribute_set[ATTRIBUTE_SETS]; /* [bases][doses], over the masks of the tight, loose and
                                 default thresholds; NULL: its own, or not measured */
    const char *attribute_name, *attribute_unit; /* "ITA", "degrees"; "attribute", "" if unknown */
    const char *artifact_name;/* "clip_frac", "warp_artifact"; "artifact" if unknown; "" if none */
    const char *plus, *minus; /* what the sides are called: "lighter skin"; "" if unknown     */
    const char *claim;        /* what the intervention leaves as it is; "" if unknown         */
    const char *label;        /* the arm in `missing` of the cube; NULL: its name              */
    double side_lo, side_hi;  /* least and largest short side of its photographs; 0: unknown    */
    const char **pixels;      /* [bases] hash of what was decoded; NULL: unknown                  */
    size_t run;               /* of two merged cubes: 0 the reference, 1 the compared; also whose
                                 noise is its own                                              */
    size_t excluded;          /* bases that never got here, by reason in `missing` of the cube */
} cube_arm;

typedef struct cube_scores {  /* one scorer in one arm */
    double *s;                /* [bases][doses] */
    uint8_t *status;          /* [bases][doses] tare_reason */
} cube_scores;

/* One scorer, noise run on dose-0 images of all arms (scorer audit 4). */
typedef struct cube_noise {
    bool known;               /* false: cannot be called again, floor unknown */
    size_t images, configurations;
    double *value;            /* [images][configurations]: first, again, alone, shuffled, late;
                                 NaN missing */
    const char **configuration; /* names */
    uint8_t *status;          /* [images][configurations] tare_reason; NULL: `missing` where there
                                 is no value */
} cube_noise;

typedef struct cube {
    arena *a;
    size_t arms, scorers;
    cube_arm *arm;
    const char **scorer;      /* [scorers] names */
    double *sign;             /* [scorers] +1/-1, for printing raw values */
    bool *identified;
    const char **identity;    /* [scorers] what a run says of the instrument; NULL: nobody does */
    cube_scores *scores;      /* [arms][scorers] */
    cube_noise *noise;        /* [scorers]; of two merged cubes [2][scorers] */
    const char **asked, **prompt; /* [scorers] of a sweep of prompts: the name without the prompt,
                                 and the prompt; "" or NULL of others; NULL: nobody was asked so */
    const char **note, **last_note; /* [scorers] what the instrument said of its first and of its
                                 last failure, or ""; NULL: nobody was asked */
    result_missing *missing;  /* bases that were excluded before scoring, by reason/group */
    size_t missing_count;
    uint64_t duplicates_dropped;
    size_t runs;              /* 2: merged to be compared (cube_merge.h); else 0 */
    bool paired;              /* merged, and both runs are of the same images */
    enum { CUBE_SHARED_NONE, CUBE_SHARED_PIXELS, CUBE_SHARED_NAMES } shared; /* merged: a base of
                                 both runs is one image: never, if its pixels are too, always */
    bool *other_instrument;   /* [scorers] the merged runs say different things of it; NULL: no */
} cube;

static inline cube_scores *cube_at(const cube *c, size_t arm, size_t scorer)
{
    return &c->scores[arm * c->scorers + scorer];
}

#endif
