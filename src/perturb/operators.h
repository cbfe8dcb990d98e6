/* operators.h - the operators there are; internal to perturb/. */
#ifndef PERTURB_OPERATORS_H
#define PERTURB_OPERATORS_H

#include "perturb/perturb.h"

extern const perturb_operator perturb_op_skin, perturb_op_sham, perturb_op_nonskin, perturb_op_hue,
    perturb_op_blur, perturb_op_codec, perturb_op_warp, perturb_op_warpsham;

#endif
