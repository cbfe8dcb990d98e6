/* perturb.h - interventions on images. Scorer audit 2.5 to 2.8.
 *
 * An operator is one file op_NAME.c and one line in operators.c. Variants are pure functions of
 * (base image, mask, operator, dose, seed, base id): never of thread, batch or order. Each call
 * runs on the calling thread; callers work on several bases at once. */
#ifndef PERTURB_PERTURB_H
#define PERTURB_PERTURB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "image/image.h"
#include "perturb/mask.h"
#include "perturb/measure.h"
#include "perturb/torso.h"
#include "stats/moments.h"

typedef enum perturb_support {
    PERTURB_SKIN,     /* where w > 0; its edit energy is taken over the mask */
    PERTURB_OFF_SKIN, /* where w < 1; ... over the complement of the mask    */
    PERTURB_WHOLE,
    PERTURB_TORSO     /* rows of the torso band                                  */
} perturb_support;

/* What an operator must know of a photograph. */
typedef enum perturb_needs {
    PERTURB_NEEDS_NOTHING,
    PERTURB_NEEDS_SKIN,  /* the mask: perturb_base.reason must be NONE        */
    PERTURB_NEEDS_TORSO  /* the silhouette: perturb_base.torso_reason likewise */
} perturb_needs;

/* Which of the measures is the attribute that the operator moves, and which its artifact. */
typedef enum perturb_attribute {
    PERTURB_NO_ATTRIBUTE,
    PERTURB_ITA,        /* degrees: tone.ita           */
    PERTURB_WIDTH_RATIO /* width_ratio                 */
} perturb_attribute;
typedef enum perturb_artifact {
    PERTURB_NO_ARTIFACT,
    PERTURB_CLIP_FRAC,
    PERTURB_WARP_ARTIFACT
} perturb_artifact;

struct perturb_base;
struct perturb_edit;
struct perturb_variant;

typedef struct perturb_operator {
    const char *name;     /* "skin"                                                      */
    const char *summary;  /* one line                                                    */
    const char *unit;     /* of a dose: "L*", "replicate"                                */
    const char *axis_title; /* in figures: "lightness (L*)"; operators of one title share an axis */
    const double *doses;  /* ascending, with the neutral dose among them                 */
    size_t n_doses;
    double least, most;   /* doses of users' own grids lie within, ends included        */
    bool whole_doses;     /* and are whole numbers                                       */
    const char *limit;    /* why no further, for people: "that is the range of L*"       */
    double neutral;       /* gives bytes equal to the base, through the same code path   */
    int sides;            /* 1 or 2                                                      */
    perturb_support support;
    perturb_needs needs;
    perturb_attribute attribute; /* measured on every variant                            */
    perturb_artifact artifact;
    const char *claim;    /* what stays fixed, for people: "hue, chroma, all other pixels"       */
    const char *plus, *minus; /* what the sides are called: "lighter", "darker"                  */
    const char *sham;     /* operator with its artifact and without its change; NULL: none       */
    bool sham_only;       /* a sham itself: stands beside an axis, never for one                 */
    /* Change edit->rgb (a copy of the base) in place and fill in its artifact. The dose was
     * checked, and the base has what the operator needs. */
    tare_status (*apply)(struct perturb_edit *edit, const struct perturb_base *base, double dose,
                         tare_error *err);
    /* Of a warp: the column that the pixel at x of a row of window h comes from; else NULL. */
    double (*source)(const torso *t, double x, double h, double dose);
} perturb_operator;

const perturb_operator *perturb_operator_at(size_t index); /* NULL past the end */
const perturb_operator *perturb_operator_find(const char *name); /* NULL: none */
/* Can the operator do this dose? perturb_variant_make asks too. Errors: USAGE ("perturb.dose"). */
tare_status perturb_dose_check(const perturb_operator *op, double dose, tare_error *err);

typedef enum feather_mode {
    FEATHER_LAB, /* L' = L + dose w                                                      */
    FEATHER_RGB  /* encoded RGB of L + dose blended with the original by w               */
} feather_mode;

typedef struct perturb_options {
    mask_set set;
    double feather_sigma;  /* at a short side of 224 px */
    feather_mode mode;
    ita_form form;
    ita_angle angle;
    bool resegment;        /* measure over a mask taken anew on each variant (user masks stay) */
    warp_window window;
    bool sets;             /* measure the attribute over the other two sets too              */
    bool whole;            /* prepare all pixels: needed by operators whose support is not skin */
    uint64_t seed;
} perturb_options;
#define PERTURB_OPTIONS_DEFAULT \
    ((perturb_options){MASK_DEFAULT, 3.0, FEATHER_LAB, ITA_MEAN, ITA_ATAN2, false, WARP_HANN, \
                        false, false, 1})

/* Pixels an operator may change, with what is known of them: 37 bytes each. First those with w > 0
 * in row order, then, if all pixels are prepared, the others: so whatever is made of skin has
 * the same bits with them and without. */
typedef struct perturb_sites {
    size_t count;
    size_t soft;           /* sites with w > 0          */
    uint32_t *pixel;       /* y width + x              */
    double *l, *a, *b, *w; /* Lab of the base; feather */
    unsigned char *inside; /* 1: in the mask           */
    unsigned char *sets;   /* bit j: in the mask of skin_set_other j; NULL: not asked  */
} perturb_sites;

enum { SKIN_SETS = 2 }; /* beside the base's own */

/* Of each set: its pixels, and the sums over those of them with w = 0. */
typedef struct perturb_rest {
    size_t pixels[SKIN_SETS];
    neumaier l[SKIN_SETS], b[SKIN_SETS];
} perturb_rest;

/* What is known of a photograph from elsewhere. Zeroed: nothing. */
typedef struct perturb_guides {
    const image *mask;               /* overrides the thresholds; of the photo's size      */
    const unsigned char *silhouette; /* [height][width], non-zero: the person; NULL: none  */
    double band_top, band_bottom;    /* rows of the torso band; both 0: found from the silhouette */
} perturb_guides;

typedef struct perturb_base {
    const mem *m;
    const image *photo;    /* borrowed: must outlive the base                            */
    const char *id;        /* borrowed; path relative to the folder given                */
    perturb_options options;
    unsigned char *mask;   /* [height][width] 0/1                                        */
    double *weight;        /* [height][width]; NULL without enough skin                  */
    size_t skin_pixels;
    double skin_share;
    tare_reason reason;    /* TARE_R_NO_SKIN below 5 %: no operator that needs skin applies, and
                              there is no tone                                           */
    bool mostly_skin;      /* above 95 %: flagged                                        */
    bool user_mask;
    torso torso;                /* valid if torso_reason is NONE                               */
    unsigned char *silhouette;  /* [height][width] 0/1, a copy; NULL: none                     */
    tare_reason torso_reason;   /* TARE_R_NO_SILHOUETTE: no operator that needs it applies     */
    perturb_sites sites;
    perturb_rest rest;          /* if sites.sets is not NULL                                   */
} perturb_base;

/* Mask, feather, Lab and torso, once for all doses and operators. guides NULL: nothing is known.
 * options NULL: the defaults. A base without enough skin is TARE_OK with `reason`, one without a
 * silhouette or with one that has no torso TARE_OK with `torso_reason`: operators that need
 * neither still apply. Errors: DATA (mask of another size), LIMIT, MEMORY. */
tare_status perturb_base_make(perturb_base *out, const mem *m, const image *photo,
                              const perturb_guides *guides, const char *id,
                              const perturb_options *options, tare_error *err);
void perturb_base_free(perturb_base *base);

/* What an operator works on. */
typedef struct perturb_edit {
    unsigned char *rgb;        /* [height][width][3], holds the base's bytes      */
    size_t clipped;            /* pixels with a channel out of gamut, of those of clip_frac      */
    neumaier clip_sum;         /* sum of |clamped - unclamped| over their channels, encoded 0..1 */
    unsigned char *clip_map;   /* NULL, or [height][width]: set to 1 where a pixel was counted   */
    double farthest;           /* warps: largest |source x - x| in pixels                        */
} perturb_edit;

typedef struct perturb_variant {
    image picture;
    perturb_measures measures;
    unsigned char *clip_map; /* NULL, or the caller's zeroed [height][width]: 1 where clipped */
} perturb_variant;

/* Variant of a base at `dose` (one of op->doses, or another the operator allows). `out` is zeroed,
 * or holds a variant whose buffer is used again if the size agrees.
 * Errors: USAGE (dose; a base without skin or torso for an operator that needs it; sites not
 * prepared for this support), LIMIT (a side or blur too large), MEMORY. */
tare_status perturb_variant_make(perturb_variant *out, const perturb_base *base,
                                 const perturb_operator *op, double dose, tare_error *err);
/* The attribute and the artifact of an operator among the measures; NaN: it has none. */
double perturb_attribute_of(const perturb_operator *op, const perturb_measures *x);
double perturb_artifact_of(const perturb_operator *op, const perturb_measures *x);
const char *perturb_attribute_name(perturb_attribute a); /* "ITA", "width_ratio", ""   */
const char *perturb_attribute_unit(perturb_attribute a); /* "degrees", "ratio", ""     */
const char *perturb_artifact_name(perturb_artifact a);   /* "clip_frac", "warp_artifact", "" */
void perturb_variant_free(perturb_variant *v, const mem *m);

#endif
