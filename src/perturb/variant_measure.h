/* variant_measure.h - all numbers that go with a variant, from its bytes; internal to perturb/. */
#ifndef PERTURB_VARIANT_MEASURE_H
#define PERTURB_VARIANT_MEASURE_H

#include "perturb/perturb.h"

/* From out->picture and what the operator counted to out->measures. Errors: MEMORY. */
tare_status variant_measure(perturb_variant *out, const perturb_base *base,
                            const perturb_operator *op, const perturb_edit *edit, tare_error *err);

#endif
