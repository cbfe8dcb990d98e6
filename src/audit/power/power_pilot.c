/* Rows from a pilot: what each base contributes to each reading of its scorers and arms. */
#include <math.h>
#include <string.h>

#include "audit/power/pilot_columns.h"
#include "audit/power/power_study.h"
#include "audit/scorer/study.h"
#include "base/error.h"
#include "stats/verdict.h"

/* The study of the pilot is only asked for what its bases contribute: few replicates. */
#define REPLICATES 99

typedef struct pilot {
    power_study *p;
    study t;
    audit_result kept; /* readings of the pilot itself: not shown, they answer another question */
} pilot;

typedef struct column {
    power_id id;
    const double *x;
    const char *condition, *unit, *reason;
    double margin, floor;
} column;

/* The pilot's own design, where the user says nothing of it. */
static tare_status fill_plan(power_row *r, const power_options *o, const char *name,
                             tare_error *err)
{
    tare_status status = TARE_OK;
    power_plan *plan = &r->plan;
    double each = (double)r->n / (double)r->clusters;
    if (isnan(plan->missing)) plan->missing = 1 - (double)r->n / (double)r->expected;
    if (isnan(plan->bases)) plan->bases = (double)r->expected;
    if (isnan(plan->clusters)) plan->clusters = plan->bases / each;
    /* Words for people count whole clusters. */
    plan->clusters = fmax(1, nearbyint(plan->clusters));
    if (plan->clusters > plan->bases)
        FAIL(err, TARE_E_USAGE, "power.clusters", "--clusters",
             "%g clusters of %g bases: every cluster needs at least one base", plan->clusters,
             plan->bases);
    if (!isnan(o->icc)) r->spread.icc = o->icc;
    else if (isnan(r->spread.icc) && plan->bases > plan->clusters)
        FAIL(err, TARE_E_USAGE, "power.icc", "--icc",
             "%s has one base in each cluster, so it cannot tell how alike bases of one cluster "
             "are: state it (0 for not at all)", name);
done:
    return status;
}

static tare_status add_row(pilot *x, const view *v, const column *c, tare_error *err)
{
    tare_status status = TARE_OK;
    power_study *p = x->p;
    power_row *r;
    spread_rows rows = {c->x, v->f.cluster, v->f.bases, v->f.plan.clusters};
    TRY_NEW(r = power_row_add(p, c->id));
    TRY_NEW(r->arm = arena_copy(p->a, v->arm->name));
    TRY_NEW(r->instrument = arena_copy(p->a, v->scorer));
    TRY_NEW(r->condition = arena_copy(p->a, c->condition));
    TRY_NEW(r->unit = arena_copy(p->a, c->unit));
    r->reason = c->reason;
    r->margin = c->margin;
    r->floor = c->floor;
    r->sd0 = v->sd0;
    r->expected = v->expected;
    if (!r->reason[0] && c->x)
        TRY(power_spread_of(&r->spread, r, &rows, &p->context->mem, err));
    if (!r->reason[0] && r->clusters < 2) r->reason = REASON_TOO_FEW_CLUSTERS;
    if (!r->reason[0] && (!(r->spread.sd > 0) || v->degenerate)) r->reason = REASON_DEGENERATE;
    if (r->reason[0]) goto done;
    TRY(fill_plan(r, &p->o, p->pilot, err));
    r->spread_null = r->spread;
done:
    return status;
}

static tare_status side_rows(pilot *x, const view *v, tare_error *err)
{
    tare_status status = TARE_OK;
    side_counts k = fidelity_counts(v->arm, x->p->o.extreme);
    const double *columns[4] = {v->tested.n, v->tested.p, v->tested.fi, v->tested.a};
    double factors[4] = {1 + 1 / k.below, 1 + 1 / k.above, fidelity_variance_factor(k),
                         1 / k.below + 1 / k.above};
    bool two = k.below > 0 && k.above > 0;
    bool exists[4] = {k.below > 0, k.above > 0, k.below + k.above > 0, two};
    for (size_t j = 0; j < 4; j++) {
        column c = {.id = (power_id)j, .x = columns[j], .unit = "score", .reason = "",
                    .condition = x->p->o.extreme ? "extreme doses" : "all doses",
                    .margin = view_margin(&x->t, v, x->p->o.margin_sd),
                    .floor = noise_floor_of(v, factors[j])};
        if (exists[j]) TRY(add_row(x, v, &c, err));
    }
done:
    return status;
}

static tare_status attribute_rows(pilot *x, const view *v, tare_error *err)
{
    tare_status status = TARE_OK;
    const cube_arm *arm = v->arm;
    const instrument_check *check = &x->t.instrument[v->arm_index];
    bool degrees = !strcmp(arm->attribute_unit, "degrees");
    double *beta, *drift;
    const char *failed = check->run && !check->pass ? "instrument_failed" : "", *reason = failed;
    if (!arm->attribute) return TARE_OK;
    TRY_NEW(beta = study_array(&x->t, arm->bases));
    TRY_NEW(drift = study_array(&x->t, arm->bases));
    if (!failed[0] && !pilot_beta(beta, v)) reason = REASON_INSEPARABLE;
    column c = {.id = POWER_BETA, .x = beta, .reason = reason, .floor = NAN,
                .unit = degrees ? "score per degree" : "score per unit of the attribute",
                .condition = arm->artifact ? "with artifact" : "no artifact known",
                .margin = degrees ? view_margin(&x->t, v, x->p->o.margin_sd / 30) : NAN};
    TRY(add_row(x, v, &c, err));
    TRY(pilot_drift(drift, v, true, x->p->o.bon_n, err));
    c = (column){.id = POWER_DRIFT, .x = drift, .unit = arm->attribute_unit, .reason = failed,
                 .condition = arm->attribute_name, .floor = NAN,
                 .margin = degrees ? x->p->o.margin_drift : NAN};
    if (x->p->o.bon_n <= arm->doses) TRY(add_row(x, v, &c, err));
done:
    return status;
}

static tare_status contrast_rows(pilot *x, const view *v, tare_error *err)
{
    tare_status status = TARE_OK;
    study *t = &x->t;
    bool extreme = x->p->o.extreme;
    for (size_t k = 0; k < t->views; k++) {
        const view *w = &t->view[k];
        if (!w->arm->placebo || w->arm->partner != v->arm_index) continue;
        if (w->scorer_index != v->scorer_index) continue;
        double *difference;
        TRY_NEW(difference = study_array(t, v->arm->bases));
        TRY(pilot_contrast(difference, t, v, w, err));
        double factor = fidelity_variance_factor(fidelity_counts(v->arm, extreme)) +
                        fidelity_variance_factor(fidelity_counts(w->arm, extreme));
        size_t n = 0;
        for (size_t i = 0; i < v->arm->bases; i++) n += !isnan(difference[i]);
        column c = {.id = POWER_CONTRAST, .x = difference, .condition = w->arm->name,
                    .unit = "score", .reason = "",
                    .margin = view_margin(t, v, x->p->o.margin_sd),
                    .floor = n ? noise_floor_of_contrast(v, w, factor, n) : NAN};
        TRY(add_row(x, v, &c, err));
    }
done:
    return status;
}

static tare_status view_rows(pilot *x, const view *v, tare_error *err)
{
    tare_status status = TARE_OK;
    double *drift;
    TRY(side_rows(x, v, err));
    TRY(attribute_rows(x, v, err));
    TRY_NEW(drift = study_array(&x->t, v->arm->bases));
    TRY(pilot_drift(drift, v, false, x->p->o.bon_n, err));
    column c = {.id = POWER_DRIFT_DOSE, .x = drift, .condition = "dose", .unit = "dose",
                .reason = "", .margin = x->p->o.margin_drift_dose, .floor = NAN};
    if (x->p->o.bon_n <= v->arm->doses) TRY(add_row(x, v, &c, err));
    TRY(contrast_rows(x, v, err));
done:
    return status;
}

tare_status power_pilot_rows(power_study *p, const struct cube *c, tare_error *err)
{
    tare_status status = TARE_OK;
    pilot x = {.p = p};
    analyse_options o = ANALYSE_OPTIONS_DEFAULT;
    o.seed = p->o.seed;
    o.boot_b = o.perm_p = REPLICATES;
    o.doses = p->o.extreme ? "extreme" : "all";
    result_init(&x.kept, &p->context->mem);
    TRY(study_open(&x.t, &x.kept, p->context, c, &o, err));
    TRY(noise_run(&x.t, err));
    TRY(fidelity_run(&x.t, err));
    TRY(calibration_run(&x.t, err));
    for (size_t k = 0; k < x.t.views; k++)
        if (arm_main(x.t.view[k].arm)) TRY(view_rows(&x, &x.t.view[k], err));
done:
    study_close(&x.t);
    result_free(&x.kept);
    return status;
}
