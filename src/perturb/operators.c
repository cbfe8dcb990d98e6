#include "perturb/operators.h"

#include <math.h>
#include <string.h>

#include "base/error.h"

/* The only list. */
static const perturb_operator *const operators[] = {
    &perturb_op_skin,
    &perturb_op_sham,
    &perturb_op_nonskin,
    &perturb_op_hue,
    &perturb_op_blur,
    &perturb_op_codec,
    &perturb_op_warp,
    &perturb_op_warpsham,
};

const perturb_operator *perturb_operator_at(size_t index)
{
    return index < sizeof operators / sizeof *operators ? operators[index] : NULL;
}

const perturb_operator *perturb_operator_find(const char *name)
{
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        if (strcmp(operators[i]->name, name) == 0) return operators[i];
    return NULL;
}

tare_status perturb_dose_check(const perturb_operator *op, double dose, tare_error *err)
{
    tare_status status = TARE_OK;
    if (!(dose >= op->least && dose <= op->most))
        FAIL(err, TARE_E_USAGE, "perturb.dose", NULL,
             "%s: a dose of %g %s is not within %g..%g: %s", op->name, dose, op->unit, op->least,
             op->most, op->limit);
    if (op->whole_doses && dose != nearbyint(dose))
        FAIL(err, TARE_E_USAGE, "perturb.dose", NULL,
             "%s: a dose of %g %s is no whole number: %s", op->name, dose, op->unit, op->limit);
done:
    return status;
}
