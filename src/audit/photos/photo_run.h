/* photo_run.h - decode -> perturb -> measure -> score, into a run folder.
 *
 * Three walks, each resumable: the survey (decode every photograph once, decide what can be used),
 * the first scoring (all variants, scored at once and once more around the neutral one), and the
 * noise passes (the neutral images again: alone, shuffled, late). Variants live in memory only,
 * unless the job keeps them. */
#ifndef AUDIT_PHOTOS_PHOTO_RUN_H
#define AUDIT_PHOTOS_PHOTO_RUN_H

#include "audit/photos/photo_measures.h"
#include "audit/photos/photo_plan.h"
#include "base/context.h"
#include "scorer/segmenter.h"
#include "store/store.h"

/* In `notes` of a base whose mask covers more than MASK_SHARE_MOST of it. */
#define NOTE_MOSTLY_SKIN "mostly skin"
/* Between the remarks in `notes` (image.h), and before those on a mask. */
#define NOTE_BETWEEN "; "
#define NOTE_OF_MASK "mask: "
/* Set in the store when a photograph joins a run late: the batches of the noise passes are counted
 * over the usable photographs, so the passes are made anew. */
#define NOISE_ANEW "noise.anew"

/* Passes of one neutral image, in the order in which they are made (scorer audit 4). */
enum photo_pass { PASS_FIRST, PASS_AGAIN, PASS_ALONE, PASS_SHUFFLED, PASS_LATE, PASS_COUNT };
const char *photo_pass_name(int pass); /* "first", "again", ... */
/* Is the pass made for an instrument of this batch size that can be called again? Without batches
 * only "again" and "late" differ from "first" (scorer audit 4). */
bool photo_pass_made(int pass, const scorer_description *d);

/* Why a photograph is not used, with its NUL: what decoding says, and which mask it was. */
#define PHOTO_WHY_MAX 512
/* Decoded bytes in flight, for each of the two: decodes under way, and pictures kept by a walk
 * (ours). */
#define PHOTO_FLIGHT_BYTES ((uint64_t)2 << 30)

/* What an instrument reads where its prompts stand, as it is printed; "" where there is nothing to
 * say (prompt_reading.h). */
typedef struct prompt_reading {
    const char *ids;     /* of the run's prompt                                          */
    const char *cut;     /* prompts whose end the instrument does not see                */
    const char *differ;  /* prompts for which tokenisers differ                          */
} prompt_reading;

typedef struct photo_run {
    tare_context *context;
    image_room *room;              /* of decodes under way; NULL: no budget               */
    photo_plan *plan;
    store *store;
    scorer **scorers;              /* [scorer_count]; NULL: only remembered               */
    scorer_shelf *shelf;           /* what they share                                     */
    scorer_description *instrument;/* [scorer_count], texts in the arena                  */
    prompt_reading *reading;       /* [scorer_count]                                      */
    size_t scorer_count;
    segmenter *silhouettes;        /* NULL: none given, or only remembered               */
    bool segmented;                /* silhouettes come from a segmenter (remembered too)  */
    bool with_noise;               /* make the noise passes                              */
    arena *a;                      /* of the result                                      */
    uint32_t *label;               /* [base_count] which of the labels of arms            */
    const char **arm_name;         /* [labels][axes + 1] as in tables: photo_arm_of        */
    photo_measures measures;       /* [base_count][plan_rows]                             */
    bool *measured;                /* [base_count] variants are in the store              */
    unsigned char **marked;        /* [scorer_count x PASS_COUNT] batches already scored  */
    double last_commit;
} photo_run;

tare_status photo_run_survey(photo_run *run, tare_error *err);
tare_status photo_run_score(photo_run *run, tare_error *err);
tare_status photo_run_noise(photo_run *run, tare_error *err);

/* Allocate and read what the store holds of this plan. */
tare_status photo_run_load(photo_run *run, tare_error *err);

/* ---- shared by the walks ---------------------------------------------------- */

/* Decode a base's photograph (and resize it, if the plan says so). A photograph that cannot be used
 * is TARE_OK with out->rgb NULL, *reason and *why (a buffer of PHOTO_WHY_MAX). */
tare_status photo_load(image *out, tare_reason *reason, char *why, const photo_run *run,
                       const plan_base *base, tare_error *err);
/* The same, and it must be the photograph that the survey saw. Errors: also DATA (changed, or not
 * to be read any more). */
tare_status photo_load_unchanged(image *out, const photo_run *run, const plan_base *base,
                                 tare_error *err);
/* A file, decoded by `how` and resized by the plan; between the two comes `settle` (may be NULL),
 * which may refuse with out->reason and out->note, as image_decode does. */
typedef struct photo_source {
    const char *path;
    image_decoding how;
    tare_status (*settle)(image *out, const mem *m, const char *path, tare_error *err);
} photo_source;
tare_status photo_load_file(image *out, tare_reason *reason, char *why, const photo_run *run,
                            const photo_source *source, tare_error *err);
/* SHA-256 of "MODE WIDTHxHEIGHT\n", the palette if there is one, and the samples: equal pixels. */
void photo_hash(char hash[65], const image *i);

/* One variant that is to be scored, with what was measured on it. key: of PHOTO_KEY_MAX. */
scorer_item photo_item(const photo_run *run, size_t base, size_t slot, const image *pixels,
                       const perturb_measures *x, char *key);
/* The axis whose operator makes a slot for this base; SIZE_MAX: it is the photograph. */
size_t photo_item_axis(const photo_run *run, size_t base, size_t slot);
#define PHOTO_KEY_MAX 96
/* Name of an arm as in tables: the axis, after the manifest's label and '/' if there is one. */
tare_status photo_arm_name(const char **out, arena *a, const char *label, const char *axis,
                           tare_error *err);
/* The same of a base and an axis of the plan (SIZE_MAX: none). */
const char *photo_arm_of(const photo_run *run, size_t base, size_t axis);
/* The row of run->measures that holds a dose of an axis. Runs of earlier builds have one neutral
 * variant for all. */
size_t photo_row(const photo_run *run, size_t base, size_t axis, size_t dose);
/* Of the slot as it was asked: what was measured on the picture. */
perturb_measures photo_slot_measures(const photo_run *run, size_t base, size_t slot);
/* Attribute and artifact of a dose of an axis: NaN where there is none. */
double photo_attribute(const photo_run *run, size_t base, size_t axis, size_t dose);
double photo_artifact(const photo_run *run, size_t base, size_t axis, size_t dose);

size_t photo_batch_count(const photo_run *run, size_t scorer); /* batches of one base */
unsigned char *photo_marked(const photo_run *run, size_t scorer, int pass);
/* Batch ids of a scorer's pass run from 0 to this. */
size_t photo_mark_count(const photo_run *run, size_t scorer, int pass);

/* Items in flight of a walk whose items hold `pictures` each: bounded by memory and threads. */
size_t photo_flight_window(const photo_run *run, size_t pictures);
/* An error of memory while a walk was at this photograph says so, and what to do. */
tare_status photo_name_memory(tare_status status, const plan_base *base, tare_error *err);

/* DATA if `open` units are still to be scored and the instruments are only remembered: a folder
 * that says it is finished and is not. */
tare_status photo_need_instruments(const photo_run *run, size_t open, tare_error *err);
/* Run a flow whose `take` writes to the store; what was taken before a stop is committed. */
tare_status photo_run_flow(photo_run *run, const pool_flow *flow, tare_error *err);
/* Which blob holds the PNG of these pixels (kept variants). get: *blob NULL if none. */
tare_status photo_remember_file(photo_run *run, const char *pixels_hash, const char *blob,
                                tare_error *err);
tare_status photo_recall_file(const char **blob, photo_run *run, arena *a,
                              const char *pixels_hash, tare_error *err);

/* Writing in groups of about a quarter of a second. */
tare_status photo_group_enter(photo_run *run, tare_error *err);
tare_status photo_group_leave(photo_run *run, bool at_once, tare_error *err);

#endif
