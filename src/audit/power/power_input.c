#include "audit/power/power_input.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "audit/scorer/analyse.h"
#include "audit/scorer/pool_weights.h"
#include "base/error.h"
#include "base/text.h"

/* ---- effects -------------------------------------------------------------------------------- */

/* "0.02" or "FI=0.02". */
static tare_status read_effect(effect_list *e, const char *value, tare_error *err)
{
    const char *sign = strchr(value, '=');
    const char *number = sign ? sign + 1 : value;
    double x = 0, *to = &e->all;
    if (sign) {
        size_t id = 0, length = (size_t)(sign - value);
        while (id < POWER_IDS && (strlen(power_key((power_id)id)) != length ||
                                  strncmp(power_key((power_id)id), value, length) != 0))
            id++;
        if (id == POWER_IDS)
            return error_set(err, TARE_E_USAGE, "power.reading", "--effect",
                             "\"%s\" names none of N, P, FI, A, beta, drift, drift_dose, contrast",
                             value);
        to = &e->of[id];
    }
    if (!number_parse(number, strlen(number), &x) || !isfinite(x))
        return error_set(err, TARE_E_USAGE, "power.effect", "--effect", "\"%s\" is not a number",
                         number);
    if (x == 0)
        return error_set(err, TARE_E_USAGE, "power.effect", "--effect",
                         "an effect of 0 cannot be found: say the smallest that would matter; how "
                         "often no effect is shown to be negligible is printed in any case");
    *to = x;
    return TARE_OK;
}

static tare_status read_effects(power_options *o, const tare_job *job, tare_error *err)
{
    tare_status status = TARE_OK;
    o->effect.all = NAN;
    for (size_t k = 0; k < POWER_IDS; k++) o->effect.of[k] = NAN;
    o->effect.in_sd0 = !strcmp(job_text(job, "effect-unit"), "sd0");
    for (size_t k = 0; k < job_count(job, "effect"); k++)
        TRY(read_effect(&o->effect, job_text_at(job, "effect", k), err));
    if (job_count(job, "effect") && (job_count(job, "slope") || job_count(job, "fidelity")))
        FAIL(err, TARE_E_USAGE, "power.effect", "--effect",
             "--slope and --fidelity say what every effect is: give them or --effect, not both");
    if (o->group_effect == 0)
        FAIL(err, TARE_E_USAGE, "power.effect", "--group-effect",
             "a difference of 0 cannot be found: say the smallest that would matter");
done:
    return status;
}

/* ---- the study ------------------------------------------------------------------------------ */

static tare_status check_study(power_options *o, bool pilot, tare_error *err)
{
    tare_status status = TARE_OK;
    if (o->alpha >= 0.5)
        FAIL(err, TARE_E_USAGE, "power.alpha", "--alpha", "it must be below 0.5");
    if (o->icc >= 1)
        FAIL(err, TARE_E_USAGE, "power.icc", "--icc",
             "bases that are all the same within a cluster are one base: it must be below 1");
    if (!isnan(o->clusters) && !isnan(o->bases) && o->clusters > o->bases)
        FAIL(err, TARE_E_USAGE, "power.clusters", "--clusters",
             "%.0f clusters of %.0f bases: every cluster needs at least one base", o->clusters,
             o->bases);
    if ((o->group_size || !isnan(o->group_effect)) && !o->groups)
        FAIL(err, TARE_E_USAGE, "power.groups", "--groups", "say how many groups there are");
    if (pilot) goto done;
    if (isnan(o->bases))
        FAIL(err, TARE_E_USAGE, "job.inputs", "--bases",
             "say how many photographs are planned (or give a pilot: a run folder or a score "
             "table)");
    if (isnan(o->clusters)) o->clusters = o->bases;
    if (isnan(o->icc)) o->icc = 0;
    if (isnan(o->missing)) o->missing = 0;
done:
    return status;
}

static double number_or(const tare_job *job, const char *option, double fallback)
{
    return job_count(job, option) ? job_number(job, option) : fallback;
}

tare_status power_read_options(power_options *o, const tare_job *job, bool pilot, tare_error *err)
{
    tare_status status = TARE_OK;
    const analyse_options d = ANALYSE_OPTIONS_DEFAULT; /* what the audit takes unless told */
    memset(o, 0, sizeof *o);
    o->bases = job_number(job, "bases");
    o->clusters = job_number(job, "clusters");
    o->icc = job_number(job, "icc");
    o->missing = job_number(job, "missing");
    o->alpha = number_or(job, "alpha", d.alpha);
    o->target = job_number(job, "power");
    o->margin_sd = number_or(job, "margin-sd", d.margin_sd);
    o->margin_drift = number_or(job, "margin-drift", d.margin_drift_attribute);
    o->margin_drift_dose = number_or(job, "margin-drift-dose", d.margin_drift_dose);
    o->tests = (size_t)job_integer(job, "tests");
    o->extreme = !strcmp(job_text(job, "form"), "extreme");
    o->bon_n = (size_t)job_integer_or(job, "bon-n", d.bon_n);
    o->simulate = (size_t)job_integer(job, "simulate");
    o->boot_b = (uint32_t)job_integer_or(job, "boot-b", d.boot_b);
    o->perm_p = (uint32_t)job_integer_or(job, "perm-p", d.perm_p);
    o->seed = (uint64_t)job_integer(job, "seed");
    o->slope = job_number(job, "slope");
    o->fidelity = job_number(job, "fidelity");
    o->groups = (size_t)job_integer(job, "groups");
    o->group_size = (size_t)job_integer(job, "group-size");
    o->group_effect = job_number(job, "group-effect");
    TRY(read_effects(o, job, err));
    TRY(check_study(o, pilot, err));
done:
    return status;
}

/* ---- the stated model ----------------------------------------------------------------------- */

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static tare_status read_doses(stated_model *x, arena *a, const char *list, tare_error *err)
{
    tare_status status = TARE_OK;
    TRY_NEW(x->dose = arena_new(a, POOL_WEIGHTS_MAX, sizeof *x->dose));
    for (const char *at = list; at;) {
        size_t length = strcspn(at, ",");
        double dose = 0;
        if (!number_parse(at, length, &dose) || !isfinite(dose))
            FAIL(err, TARE_E_USAGE, "power.grid", "--grid",
                 "\"%.*s\" is not a number: write -10,0,10", (int)(length < 40 ? length : 40), at);
        if (x->doses == POOL_WEIGHTS_MAX)
            FAIL(err, TARE_E_USAGE, "power.grid", "--grid", "at most %d doses",
                 POOL_WEIGHTS_MAX);
        x->dose[x->doses++] = dose == 0 ? 0 : dose; /* no -0 */
        at = at[length] ? at + length + 1 : NULL;
    }
    qsort(x->dose, x->doses, sizeof *x->dose, ascending);
    for (size_t d = 1; d < x->doses; d++)
        if (x->dose[d] == x->dose[d - 1])
            FAIL(err, TARE_E_USAGE, "power.grid", "--grid", "%g stands there twice", x->dose[d]);
    if (x->doses < 2)
        FAIL(err, TARE_E_USAGE, "power.grid", "--grid",
             "a grid needs the neutral dose and at least one other");
done:
    return status;
}

static tare_status find_neutral(stated_model *x, double stated, tare_error *err)
{
    const double tried[] = {isnan(stated) ? 0 : stated, isnan(stated) ? 1 : stated};
    for (size_t k = 0; k < 2; k++)
        for (size_t d = 0; d < x->doses; d++)
            if (x->dose[d] == tried[k]) {
                x->neutral = d;
                return TARE_OK;
            }
    if (isnan(stated))
        return error_set(err, TARE_E_USAGE, "power.neutral", "--grid",
                         "the grid has no neutral dose: neither 0 nor 1 is in it; --neutral DOSE "
                         "names another");
    return error_set(err, TARE_E_USAGE, "power.neutral", "--neutral",
                     "the neutral dose %g is not in the grid", stated);
}

static double or_zero(double x)
{
    return isnan(x) ? 0 : x;
}

tare_status power_read_model(stated_model *x, arena *a, const tare_job *job,
                             const power_options *o, tare_error *err)
{
    tare_status status = TARE_OK;
    memset(x, 0, sizeof *x);
    x->extreme = o->extreme;
    x->bon_n = o->bon_n;
    x->base_key = rng_key_of(o->seed, "power/base");
    x->cluster_key = rng_key_of(o->seed, "power/cluster");
    x->icc = o->icc;
    x->sd_base = or_zero(job_number(job, "sd-base"));
    x->sd_noise = or_zero(job_number(job, "sd-noise"));
    x->quantum = or_zero(job_number(job, "quantum"));
    x->sd0 = or_zero(job_number(job, "sd-neutral"));
    TRY(read_doses(x, a, job_text(job, "grid"), err));
    TRY(find_neutral(x, job_number(job, "neutral"), err));
    if (!(x->sd_base > 0) && !(x->sd_noise > 0) && !(x->quantum > 0))
        FAIL(err, TARE_E_USAGE, "power.sd", "--sd-base",
             "nothing varies from base to base: every effect would be found. State --sd-base or "
             "--sd-noise, or give a pilot");
    if (o->effect.in_sd0 && !(x->sd0 > 0))
        FAIL(err, TARE_E_USAGE, "power.sd0", "--sd-neutral",
             "effects in SDs of the neutral scores need that SD: --sd-neutral X");
done:
    return status;
}
