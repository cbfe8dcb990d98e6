/* backends.h - the back ends, for the registry alone. */
#ifndef SCORER_BACKENDS_H
#define SCORER_BACKENDS_H

#include "scorer/scorer.h"

extern const scorer_backend scorer_brisque, scorer_onnx, scorer_exec, scorer_table, scorer_planted;

#endif
