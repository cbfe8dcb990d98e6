/* wording.h - the fixed sentences (scorer audit 12). */
#ifndef AUDIT_SCORER_WORDING_H
#define AUDIT_SCORER_WORDING_H

#include "audit/scorer/study.h"
#include "audit/words.h"

/* What the two directions of an arm are called. */
typedef struct axis_words {
    const char *plus, *minus; /* "lighter", "darker"                      */
    const char *edit;         /* "with the skin made lighter or darker"    */
} axis_words;
/* Of the arm's own words where it has some, made in `a`. NULL texts: no memory. */
axis_words axis_of(arena *a, const cube_arm *arm);
/* One side only: its words name no direction. */
bool one_sided(const cube_arm *arm);
/* "artifact (clip_frac)", or "artifact" where its name says no more. NULL: no memory. */
const char *artifact_words(arena *a, const cube_arm *arm);
bool is_warp_artifact(const cube_arm *arm);
/* The hue is turned and ITA measured, which follows it though L* stays. */
bool ita_of_hue(const cube_arm *arm);
/* "rounding noise" or, of a warp, "resampling": what the sham of this arm shows. */
const char *sham_noise(const cube_arm *arm);

/* q is small and the interval holds 0: neither found nor not found (statistics 8). */
bool ends_disagree(const tare_reading *r);
/* Better than the original on one side and worse on the other: no preference for the original. */
bool is_directional(const view *v);
/* The sham was scored, and what FI shows does not go beyond it (scorer audit 5.7). */
bool may_be_rounding_noise(const view *v);
/* "fidelity preference: the original scores above both sides (near-symmetric)" */
const char *shape_words(arena *a, const study *t, const view *v);
/* "practically insensitive...", for people: what was found of this reading. */
const char *verdict_words(arena *a, const study *t, const judged *j);

#endif
