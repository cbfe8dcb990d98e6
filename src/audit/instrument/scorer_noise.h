/* scorer_noise.h - `tare scorer noise`: how far the scores of one photograph move when nothing of
 * it was changed. Scorers 1.3, 2.4; scorer audit 4. */
#ifndef AUDIT_INSTRUMENT_SCORER_NOISE_H
#define AUDIT_INSTRUMENT_SCORER_NOISE_H

#include "audit/job.h"

/* Options of the job that only this action reads; PHOTO_OPTIONS_SCORING, _MAX_PIXELS,
 * _PREPARE_SIZE, PHOTO_OPTIONS_DECODING_SCORE and PHOTO_OPTION_SEED stand beside them. */
#define SCORER_NOISE_OPTIONS                                                                       \
    {"ort-other", "FILE", TARE_OPTION_PATH, NULL, NULL, 0, 0, 0,                                   \
     "noise: another ONNX Runtime, whose scores are compared", "Instruments"},                     \
    {"most", "N", TARE_OPTION_INTEGER, "32", NULL, 0, 1000000, 0,                                  \
     "noise: photographs that are scored, drawn by the seed if there are more (0: all)",           \
     "Photographs"}

/* inputs: "noise", SPEC, photographs or folders of them. Errors: USAGE, DATA (no photograph can be
 * read), INSTRUMENT (no score), those of scorer_open. */
tare_status scorer_noise(tare_job *job, tare_error *err);

#endif
