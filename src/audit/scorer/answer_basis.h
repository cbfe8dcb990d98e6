/* answer_basis.h - what the answer rests on, in sentences. */
#ifndef AUDIT_SCORER_ANSWER_BASIS_H
#define AUDIT_SCORER_ANSWER_BASIS_H

#include "audit/scorer/study.h"

/* "photograph" or "image": what an arm is made of. */
const char *images_of(const cube_arm *arm);
/* Images and clusters behind an arm; as a span where its scorers differ. */
tare_status say_basis(study *t, const cube_arm *arm, size_t a, tare_error *err);
/* Per scorer: what it adds by itself, from the floors of FI and A. */
tare_status say_noise(study *t, tare_error *err);

#endif
