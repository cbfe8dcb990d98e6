/* photo_plan.h - what will be done to which photographs, fixed before anything is scored.
 *
 * Bases in canonical order (bytes of their id); slots are the variants that every base gets; a
 * batch is `batch` slots of one base that follow each other in its order of asking, slot_order.h
 * (ours: a base's variants never share a batch with another base's, so that adding photographs
 * moves no score). The plan is stored with the run; a resumed run must have the same. */
#ifndef AUDIT_PHOTOS_PHOTO_PLAN_H
#define AUDIT_PHOTOS_PHOTO_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "audit/job.h"
#include "base/mem.h"
#include "base/os.h"
#include "perturb/perturb.h"
#include "scorer/scorer.h"
#include "store/store.h"

typedef struct plan_base {
    const char *id;      /* unique: path relative to the folder, or the manifest's `base`  */
    const char *shown;   /* base as printed in tables; differs for a table of variants      */
    const char *file;    /* path that opens it                                              */
    const char *mask;    /* path of a user mask, or NULL                                    */
    const char *cluster, *group, *arm, *kind; /* "" where unknown                           */
    double dose, attribute, artifact; /* of a variants table; NaN otherwise                 */
    const char *prompt;         /* of this photograph and all its variants; "" or NULL: the run's */
    const char *silhouette;     /* path of a mask of the person, or NULL                    */
    double band_top, band_bottom; /* rows of the torso band, 0 0: found from the silhouette */
    tare_reason reason;  /* cannot be used at all, known before decoding (UNREADABLE) or by
                            survey: then no variant is made                                */
    const char *why;
    tare_reason skin_reason, torso_reason; /* bars the axes that need it (plan_slot_reason) */
    const char *skin_why, *torso_why;      /* "" where it bars nothing                      */
    const char **variant_file;  /* [slot_count] of a custom axis: the user's own file, NULL where
                                   there is none; NULL: variants are made here              */
    const double *variant_attribute, *variant_artifact; /* [slot_count] as the user measured
                                   them, NaN where not; NULL with variant_file              */
    int width, height;   /* filled by the survey */
    double skin_share;
    const char *pixels_hash, *notes;
    const char *look;    /* photo_look.h, "" if it was not kept */
    os_stamp stamp;      /* of the file when it was looked at */
} plan_base;

/* The unit of resampling: a base that names no cluster is its own. */
static inline const char *photo_cluster(const plan_base *b)
{
    return *b->cluster ? b->cluster : b->shown;
}

/* One dose series: an operator (or the user's own variants) at its doses. */
typedef enum plan_role {
    PLAN_MAIN,    /* audited                                                            */
    PLAN_PLACEBO, /* contrasted with its partner                                        */
    PLAN_STRESS   /* its partner made again with another mask (scorer audit 7)          */
} plan_role;
typedef struct plan_axis {
    const perturb_operator *op; /* NULL: the user's own variants                        */
    const char *name;           /* in names of arms: "skin", "skin tight", a custom name */
    const char *only;           /* label of the arm that it is for; NULL: all           */
    const double *doses;        /* [n_doses] ascending                                  */
    size_t n_doses, neutral;    /* neutral: index                                       */
    size_t *slot;               /* [n_doses]; equal variants of two axes are one slot   */
    plan_role role;
    size_t partner;             /* the main axis; SIZE_MAX: it is one                   */
    mask_set set;               /* of the skin mask of its variants                     */
} plan_axis;

typedef struct plan_slot {
    const perturb_operator *op; /* NULL: the photograph as it is, or the user's own variant */
    double dose;
    bool placebo;
    size_t axis;                /* the first that has it: a main one, if there is one   */
} plan_slot;

typedef struct plan_ignored {
    const char *path, *why;
} plan_ignored;

/* Why a recording in a folder is ignored: nothing says what it is a variant of. */
#define PLAN_IGNORED_SOUND "a recording: name it in a table (--manifest), with a column dose"

typedef struct photo_plan {
    arena *a;                   /* of the result: what is printed must outlive the run */
    const char *root;
    plan_base *bases;
    size_t base_count;
    plan_axis *axes;
    size_t axis_count;
    plan_slot *slots;           /* the neutral photograph is one slot for all axes      */
    size_t slot_count, neutral_slot;
    const char *unused_columns; /* of the manifest; NULL: none */
    size_t ignored;             /* files that are no images, and what is no file */
    const char *first_ignored;
    plan_ignored *ignored_files; /* the first of them: photo_ignored.h */
    size_t ignored_named, ignored_room;
    size_t denied;              /* folders that cannot be entered */
    const char *first_denied;
    perturb_options perturb;
    int prepare_size;
    image_decoding decoding;
    bool keep_variants, has_groups;
    size_t prompts;             /* bases that have one of their own */
    bool custom;                /* its one axis is the user's own variants */
    bool from_table;            /* bases are rows of a variants table */
    bool recalled;              /* it is the plan that the run folder kept */
} photo_plan;

/* Axes and slots of the job's options `axis`, `placebo`, `doses` and `stress-masks`: main axes in
 * the order given, each followed by its placebos and stress axes; of every axis all doses but the
 * neutral one, which is scored once. Errors: USAGE (unknown, no neutral dose, a dose that the
 * operator refuses, one dose twice). */
tare_status photo_plan_slots(photo_plan *plan, const tare_job *job, tare_error *err);
/* Bases from a folder, read recursively, with the manifest of the job if it names one. Folders in
 * it that hold a run are passed over. */
tare_status photo_plan_bases(photo_plan *plan, const tare_job *job, const char *folder,
                             tare_error *err);
/* One base per row of a table with a `file` column (variants.tsv of `tare perturb`). */
tare_status photo_plan_table(photo_plan *plan, const tare_job *job, const char *path,
                             tare_error *err);
/* Keep the counts of a plan whose bases are all in the store, and read such a plan again: the
 * photographs are then needed only for what is still to be scored. *found false: it is not there.
 */
tare_status photo_plan_keep(const photo_plan *plan, store *s, tare_error *err);
tare_status photo_plan_recall(bool *found, photo_plan *plan, const tare_job *job, store *s,
                              tare_error *err);
void photo_plan_init(photo_plan *plan, arena *a);
/* How photographs are decoded and sized, from the options. Errors: USAGE. */
tare_status photo_plan_pixels(photo_plan *plan, const tare_job *job, tare_error *err);

/* Which slot holds each dose of each axis, once `axes` and `slots` are known. Errors: MEMORY. */
tare_status photo_plan_link(photo_plan *plan, tare_error *err);

/* The same of a custom axis, and of the files of one base of it. recall: plan->custom stays false
 * if the run has none. Errors: DATA (damaged). */
tare_status plan_custom_keep(const photo_plan *plan, store *s, tare_error *err);
tare_status plan_custom_recall(photo_plan *plan, store *s, tare_error *err);
tare_status plan_variants_recall(photo_plan *plan, size_t base, store *s, tare_error *err);

/* ---- plan_bars.c: what is asked of which base ---------------------------------------- */

/* Why an axis is not for a base; TARE_R_NONE: it is. EXCLUDED: it is for another arm, or its masks
 * are those of the thresholds and the base has one of its own. */
tare_reason plan_axis_reason(const photo_plan *plan, size_t base, size_t axis);
/* What is to be said of it, or "". */
const char *plan_axis_why(const photo_plan *plan, size_t base, size_t axis);
/* Why a slot of a base is not asked; TARE_R_NONE: it is. */
tare_reason plan_slot_reason(const photo_plan *plan, size_t base, size_t slot);
/* The first axis that is for this base: its operator makes the neutral variant. SIZE_MAX: none. */
size_t plan_first_axis(const photo_plan *plan, size_t base);
/* Is there anything to be known of a base before its axes are? */
bool plan_needs(const photo_plan *plan, perturb_needs needs);
/* A base of which nothing can be asked is not used at all: the reason of its first main axis. */
void plan_settle_base(photo_plan *plan, size_t base);
/* Silhouette and band of a base, its prompt, and the reasons that bar some of its axes, in and out
 * of the run folder. */
tare_status plan_person_keep(const plan_base *b, size_t base, store *s, tare_error *err);
tare_status plan_person_recall(plan_base *b, size_t base, store *s, arena *a, tare_error *err);
tare_status plan_prompt_keep(const plan_base *b, size_t base, store *s, tare_error *err);
tare_status plan_prompt_recall(plan_base *b, size_t base, store *s, arena *a, tare_error *err);
tare_status plan_bars_keep(const plan_base *b, size_t base, store *s, tare_error *err);
tare_status plan_bars_recall(plan_base *b, size_t base, store *s, arena *a, tare_error *err);

/* Every axis makes the neutral variant by its own operator, to see that it has the bytes of the
 * photograph, and to measure it. They are rows behind the slots, one per axis; axes of equal
 * operators share one, and the first axis of a base has its own in the neutral slot. */
static inline size_t plan_rows(const photo_plan *plan)
{
    return plan->slot_count + plan->axis_count;
}
/* The row that holds a dose (index) of an axis that is for this base. */
size_t plan_row(const photo_plan *plan, size_t base, size_t axis, size_t dose);

/* Sort by id; ids must be unique. Sets has_groups and prompts. */
tare_status photo_plan_order(photo_plan *plan, tare_error *err);

#endif
