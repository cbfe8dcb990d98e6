/* Rows from a pilot: what each base contributes to each reading of its scorers and arms. */
#include <math.h>
#include <stdlib.h>
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
    double margin;
    double floor_fixed, floor_noise; /* NaN: not known */
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

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Sizes of the pilot's clusters, for the plan: NULL where all are equal. */
static tare_status fill_sizes(power_row *r, arena *a, const spread_rows *rows, tare_error *err)
{
    tare_status status = TARE_OK;
    double *count, mean = (double)r->n / (double)r->clusters;
    size_t used = 0;
    TRY_NEW(count = arena_new(a, rows->clusters, sizeof *count));
    for (size_t i = 0; i < rows->n; i++) count[rows->cluster[i]] += !isnan(rows->x[i]);
    for (size_t k = 0; k < rows->clusters; k++)
        if (count[k] > 0) count[used++] = count[k];
    qsort(count, used, sizeof *count, ascending);
    r->least = (size_t)count[0];
    r->most = (size_t)count[used - 1];
    if (r->least == r->most) goto done;
    for (size_t k = 0; k < used; k++) count[k] /= mean;
    r->spread.size = count;
    r->spread.sizes = used;
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
    r->floor = c->floor_fixed;
    r->sd0 = v->sd0;
    r->expected = v->expected;
    if (!r->reason[0] && c->x)
        TRY(power_spread_of(&r->spread, r, &rows, &p->context->mem, err));
    if (!r->reason[0] && r->n == 0) r->reason = "no_scores";
    if (!r->reason[0] && r->clusters < 2) r->reason = REASON_TOO_FEW_CLUSTERS;
    if (!r->reason[0] && (!(r->spread.sd > 0) || v->degenerate)) r->reason = REASON_DEGENERATE;
    if (r->reason[0]) goto done;
    TRY(fill_plan(r, &p->o, p->pilot, err));
    TRY(fill_sizes(r, p->a, &rows, err));
    if (c->floor_fixed > 0) r->spread.floor_fixed = c->floor_fixed;
    if (c->floor_noise > 0) r->spread.floor_noise = c->floor_noise;
    r->spread_null = r->spread;
done:
    return status;
}

/* The part of the floor that falls with the bases, times their root (scorer audit 4). */
static double falling_floor(const view *v, double factor)
{
    return v->noise.known ? 2 * v->noise.sd * sqrt(factor) : NAN;
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
                    .floor_fixed = noise_floor_of(v, 0),
                    .floor_noise = falling_floor(v, factors[j])};
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
    column c = {.id = POWER_BETA, .x = beta, .reason = reason, .floor_fixed = NAN,
                .unit = degrees ? "score per degree" : "score per unit of the attribute",
                .condition = arm->artifact ? "with artifact" : "no artifact known",
                .margin = degrees ? view_margin(&x->t, v, x->p->o.margin_sd / 30) : NAN};
    TRY(add_row(x, v, &c, err));
    TRY(pilot_drift(drift, v, true, x->p->o.bon_n, err));
    c = (column){.id = POWER_DRIFT, .x = drift, .unit = arm->attribute_unit, .reason = failed,
                 .condition = arm->attribute_name, .floor_fixed = NAN,
                 .margin = attribute_margin(&x->t, arm)};
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
                    .floor_fixed = n ? noise_floor_of_contrast(v, w, 0, n) : NAN,
                    .floor_noise = falling_floor(v, factor)};
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
                .reason = "", .margin = dose_margin(&x->t, v->arm), .floor_fixed = NAN};
    if (x->p->o.bon_n <= v->arm->doses) TRY(add_row(x, v, &c, err));
    else if (!v->scorer_index)
        TRY(result_caution(x->p->out, err, "%s has %zu doses: best of %zu cannot be drawn from "
                           "them, and the net drifts are left out. --bon-n states a smaller n.",
                           v->arm->name, v->arm->doses, x->p->o.bon_n));
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
    o.margin_drift_attribute = p->o.margin_drift;
    o.margin_drift_dose = p->o.margin_drift_dose;
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
