/* photo_scores.h - the scores of a run, read from the store into arrays. */
#ifndef AUDIT_PHOTOS_PHOTO_SCORES_H
#define AUDIT_PHOTOS_PHOTO_SCORES_H

#include "audit/photos/photo_run.h"

#define PHOTO_NOTE_MAX sizeof(((scorer_result *)NULL)->note)

/* What is said of a missing score; most runs have few. */
typedef struct photo_note {
    size_t at; /* photo_score_at */
    const char *words;
} photo_note;

typedef struct photo_scores {
    const photo_run *run;
    arena *a;
    double *value;     /* [scorer][base][slot] raw, NaN where missing                  */
    uint8_t *status;   /* [scorer][base][slot] tare_reason: why it was not asked, MISSING where it
                          was never scored                                             */
    photo_note *said;  /* [said_count] ascending: photo_score_said                     */
    size_t said_count, said_room;
    double *noise;     /* [scorer][base][PASS_COUNT] raw score of the neutral image    */
    uint8_t *noise_status; /* likewise; MISSING where never scored                     */
    size_t scored;     /* values that are there                                        */
    const char **note; /* [scorer] first note of a failure, or ""                      */
    char (*last_note)[PHOTO_NOTE_MAX]; /* [scorer] last one of the first pass, or ""     */
} photo_scores;

/* Errors: IO, DATA (rows outside the plan), MEMORY. */
tare_status photo_scores_read(photo_scores *out, const photo_run *run, arena *a, tare_error *err);

/* What is said of a missing score; NULL: nothing. */
const char *photo_score_said(const photo_scores *x, size_t at);

static inline size_t photo_score_at(const photo_run *run, size_t scorer, size_t base, size_t slot)
{
    return (scorer * run->plan->base_count + base) * run->plan->slot_count + slot;
}

#endif
