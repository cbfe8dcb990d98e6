/* What is asked of each row: its effect, its family of tests, and the chances. */
#include <math.h>
#include <string.h>

#include "audit/power/power_study.h"
#include "base/error.h"
#include "stats/verdict.h"

/* What the user states goes before the margin. Slopes have set theirs already. */
static void choose_effect(const power_study *p, power_row *r)
{
    const effect_list *e = &p->o.effect;
    bool score = power_in_score(r->id);
    if (!(r->margin > 0)) r->margin = NAN;
    double own = e->of[r->id], x = isnan(own) && score ? e->all : own;
    if (isnan(x)) {
        if (isnan(r->effect)) r->effect = r->margin;
    } else if (!p->model || !r->by_model || r->id == POWER_DRIFT_DOSE) {
        r->effect = x * (score && e->in_sd0 ? r->sd0 : 1);
        r->effect_stated = true;
        r->by_model = false;
    } else {
        r->effect_stated = true;
    }
    if (!r->reason[0] && isnan(r->effect)) r->reason = REASON_NOT_RUN;
}

/* Cells that the audit answers: those without a stated effect are tested there, too. */
static size_t count_of(const power_study *p, power_id id)
{
    size_t n = 0;
    for (size_t k = 0; k < p->rows; k++) {
        const char *reason = p->row[k].reason;
        n += p->row[k].id == id && (!reason[0] || !strcmp(reason, REASON_NOT_RUN));
    }
    return n;
}

/* Size of the grid in which the audit takes the reading's q (scorer audit 11); N and P are tested
 * together, once per scorer and arm. */
size_t power_home_grid(const power_study *p, power_id id)
{
    size_t fi = count_of(p, POWER_FI), beta = count_of(p, POWER_BETA);
    switch (id) {
    case POWER_FI:
    case POWER_A: return fi + count_of(p, POWER_A);
    case POWER_BETA:
    case POWER_DRIFT: {
        /* Where there is no drift in the attribute, that in doses takes its place. */
        size_t drift = count_of(p, POWER_DRIFT);
        return fi + beta + (drift ? drift : count_of(p, POWER_DRIFT_DOSE));
    }
    case POWER_DRIFT_DOSE: return fi + beta + count_of(p, POWER_DRIFT_DOSE);
    case POWER_CONTRAST: return count_of(p, POWER_CONTRAST);
    default: return fi;
    }
}

tare_status power_effects(power_study *p, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t usable = 0;
    TRY_NEW(p->flips = flip_power_new(&p->context->mem, p->o.seed));
    for (size_t k = 0; k < p->rows; k++) p->row[k].plan.flips = p->flips;
    for (size_t k = 0; k < p->rows; k++) choose_effect(p, &p->row[k]);
    for (size_t k = 0; k < p->rows; k++) {
        power_row *r = &p->row[k];
        r->tests = p->o.tests ? p->o.tests : power_home_grid(p, r->id);
        if (!r->tests) r->tests = 1;
        usable += !r->reason[0] && (power_in_score(r->id) || r->effect_stated);
    }
    if (!usable && p->model)
        FAIL(err, TARE_E_USAGE, "power.effect", "--effect",
             "say which effect is to be found: --effect X, or --sd-neutral X for the "
             "margin of %g SD of the neutral scores", p->o.margin_sd);
done:
    return status;
}

static void compute_row(power_row *r)
{
    const power_plan *plan = &r->plan;
    const power_spread *s = &r->spread;
    double level = plan->alpha / (double)r->tests, effect = fabs(r->effect);
    r->size = power_size_of(plan, s, plan->clusters);
    if (!isnan(r->floor)) r->floor = r->size.floor;
    power_sd_interval(&r->sd_lo, &r->sd_hi, s, plan->alpha);
    r->found = power_found(plan, s, plan->clusters, effect, plan->alpha);
    r->found_corrected = power_found(plan, s, plan->clusters, effect, level);
    r->smallest = power_smallest(plan, s, plan->alpha);
    r->smallest_corrected = power_smallest(plan, s, level);
    r->shown_small = power_shown_small(plan, &r->spread_null, plan->clusters, r->margin);
    r->negligible = power_shown_negligible(plan, &r->spread_null, r->margin);
    r->bases_small = power_bases_for_small(plan, &r->spread_null, r->margin);
    if (!(effect > 0)) return; /* by the slopes: nothing to be found, no number of bases finds it */
    r->bases = power_bases_for(plan, s, effect, plan->alpha);
    r->bases_corrected = power_bases_for(plan, s, effect, level);
    if (isnan(r->sd_lo)) return;
    power_spread low = *s, high = *s;
    low.sd = r->sd_lo;
    high.sd = r->sd_hi;
    r->bases_lo = power_bases_for(plan, &low, effect, plan->alpha);
    r->bases_hi = power_bases_for(plan, &high, effect, plan->alpha);
}

tare_status power_compute(power_study *p, tare_error *err)
{
    tare_status status = TARE_OK;
    for (size_t k = 0; k < p->rows; k++) {
        TRY(context_check(p->context, err));
        if (!p->row[k].reason[0]) compute_row(&p->row[k]);
        if (flip_power_failed(p->flips)) FAIL_MEMORY(err);
    }
done:
    return status;
}
