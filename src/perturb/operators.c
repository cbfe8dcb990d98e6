#include "perturb/operators.h"

#include <string.h>

/* The only list. */
static const perturb_operator *const operators[] = {
    &perturb_op_skin,
    &perturb_op_sham,
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
