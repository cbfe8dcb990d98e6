/* instruments.h - the scorers of a run: opened for scoring, or only remembered. */
#ifndef AUDIT_PHOTOS_INSTRUMENTS_H
#define AUDIT_PHOTOS_INSTRUMENTS_H

#include "audit/photos/photo_run.h"

/* Where the store keeps them; absent: there is something left to score. */
#define INSTRUMENTS_KEY "instruments"

/* What the job's options say of every instrument (PHOTO_OPTIONS_SCORING). The shelf, the decoding,
 * and places for logs are the caller's. */
void instruments_options(scorer_options *out, const tare_job *job);

/* Open every --scorer of the job and describe it; --lower-is-better turns those it names.
 * Errors: USAGE (none, or two of one name), those of scorer_open, DATA (a prompt that an instrument
 * cannot read: prompt_reading.h). */
tare_status instruments_open(photo_run *run, const tare_job *job, const char *folder,
                             tare_error *err);
void instruments_close(photo_run *run);

/* After the last walk: what described them, and that nothing is left to score. A run that is
 * finished is analysed without its instruments, on any machine: *found false if it is not. */
tare_status instruments_keep(const photo_run *run, tare_error *err);
tare_status instruments_recall(bool *found, photo_run *run, tare_error *err);

#endif
