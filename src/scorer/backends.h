/* backends.h - the back ends, for the registry alone. */
#ifndef SCORER_BACKENDS_H
#define SCORER_BACKENDS_H

#include "scorer/scorer.h"

extern const scorer_backend scorer_brisque, scorer_onnx, scorer_exec, scorer_table, scorer_planted;
/* published/published_backend.c: one for each recipe */
extern const scorer_backend scorer_laion_v1, scorer_laion_v2, scorer_pickscore, scorer_hpsv2_0,
    scorer_hpsv2_1, scorer_imagereward, scorer_clip, scorer_nsfw;

#endif
