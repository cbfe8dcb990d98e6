/* noise_trial.h - a small noise run for `tare doctor`: does a scorer give the same image the same
 * score again, and in a batch? Scorers 1.3. */
#ifndef SCORER_NOISE_TRIAL_H
#define SCORER_NOISE_TRIAL_H

#include "scorer/scorer.h"

#define NOISE_TRIAL_AGAIN "the same scores again"
#define NOISE_TRIAL_BATCH " and in a batch of 4"

/* Four drawn images, alone, again, and as one batch where the scorer has batches. OK leaves the
 * words above as the message of `err`. Errors: INSTRUMENT (it does not, by how much; it gave none),
 * those of scorer_open. */
tare_status noise_trial(tare_context *context, const char *spec, tare_error *err);

#endif
