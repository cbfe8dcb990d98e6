/* The doses of an axis: the operator's own, or a list of the user's. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "audit/photos/plan_axes.h"
#include "base/error.h"
#include "base/text.h"

static int compare_doses(const void *x, const void *y)
{
    double a = *(const double *)x, b = *(const double *)y;
    return a < b ? -1 : a > b;
}

static tare_status refuse(const char *option, const char *why, tare_error *err)
{
    return error_set(err, TARE_E_USAGE, "plan.doses", option, "--doses %s: %s", option, why);
}

/* The numbers behind '=', ascending. */
static tare_status parse_list(plan_axis *axis, const char *option, const char *list, arena *a,
                              tare_error *err)
{
    tare_status status = TARE_OK;
    size_t commas = 0, n = 0;
    for (const char *c = list; *c; c++) commas += *c == ',';
    if (commas >= PLAN_DOSES_MOST)
        FAIL(err, TARE_E_USAGE, "plan.doses", axis->op->name,
             "--doses %s: %zu doses; at most %d", axis->op->name, commas + 1, PLAN_DOSES_MOST);
    double *doses;
    TRY_NEW(doses = arena_new(a, commas + 1, sizeof *doses));
    for (const char *at = list; n <= commas; at += strcspn(at, ",") + 1) {
        size_t length = strcspn(at, ",");
        while (length && *at == ' ') at++, length--;
        while (length && at[length - 1] == ' ') length--;
        if (!number_parse(at, length, &doses[n]) || !isfinite(doses[n]))
            FAIL(err, TARE_E_USAGE, "plan.doses", option, "--doses %s: \"%.*s\" is no number",
                 option, (int)length, at);
        TRY(perturb_dose_check(axis->op, doses[n], err));
        doses[n] += 0.0; /* -0 is 0 */
        n++;
    }
    qsort(doses, n, sizeof *doses, compare_doses);
    axis->doses = doses;
    axis->n_doses = n;
done:
    return status;
}

static tare_status check_list(plan_axis *axis, const char *option, tare_error *err)
{
    bool found = false;
    if (axis->n_doses < 2)
        return refuse(option, "one dose has nothing to be compared with", err);
    for (size_t d = 0; d < axis->n_doses; d++) {
        if (d && axis->doses[d] == axis->doses[d - 1])
            return error_set(err, TARE_E_USAGE, "plan.doses", option,
                             "--doses %s: %g is there twice", option, axis->doses[d]);
        if (axis->doses[d] != axis->op->neutral) continue;
        axis->neutral = d;
        found = true;
    }
    if (found) return TARE_OK;
    return error_set(err, TARE_E_USAGE, "plan.doses", option,
                     "--doses %s: the neutral dose of %s, %g, is not among them; every other is "
                     "compared with it", option, axis->op->name, axis->op->neutral);
}

/* The list of an operator: NULL if there is none. */
static tare_status find_list(const char **out, const tare_job *job, const perturb_operator *op,
                             tare_error *err)
{
    size_t length = strlen(op->name);
    *out = NULL;
    for (size_t k = 0; k < job_count(job, "doses"); k++) {
        const char *option = job_text_at(job, "doses", k);
        if (strncmp(option, op->name, length) || option[length] != '=') continue;
        if (*out) return refuse(option, "this operator has a list already", err);
        *out = option;
    }
    return TARE_OK;
}

tare_status plan_doses_read(plan_axis *axis, const tare_job *job, arena *a, tare_error *err)
{
    tare_status status = TARE_OK;
    const char *option = NULL;
    axis->doses = axis->op->doses;
    axis->n_doses = axis->op->n_doses;
    for (size_t d = 0; d < axis->n_doses; d++)
        if (axis->doses[d] == axis->op->neutral) axis->neutral = d;
    TRY(find_list(&option, job, axis->op, err));
    if (!option) goto done;
    TRY(parse_list(axis, option, strchr(option, '=') + 1, a, err));
    TRY(check_list(axis, option, err));
done:
    return status;
}

tare_status plan_doses_used(const photo_plan *plan, const tare_job *job, tare_error *err)
{
    for (size_t k = 0; k < job_count(job, "doses"); k++) {
        const char *option = job_text_at(job, "doses", k);
        size_t length = strcspn(option, "=");
        bool used = false;
        if (!option[length])
            return refuse(option, "write NAME=D,D,..., for example skin=-10,0,10", err);
        for (size_t x = 0; x < plan->axis_count; x++) {
            const char *name = plan->axes[x].op ? plan->axes[x].op->name : "";
            used = used || (strlen(name) == length && !strncmp(name, option, length));
        }
        if (!used)
            return error_set(err, TARE_E_USAGE, "plan.doses", option,
                             "--doses %s: no axis or placebo of this run is \"%.*s\"", option,
                             (int)length, option);
    }
    return TARE_OK;
}
