/* operators.h - the operators there are; internal to perturb/. */
#ifndef PERTURB_OPERATORS_H
#define PERTURB_OPERATORS_H

#include "perturb/perturb.h"

extern const perturb_operator perturb_op_skin, perturb_op_sham;

#endif
