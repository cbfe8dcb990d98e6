/* The discriminative regression (scorer audit 5.4): what of the score follows the attribute,
 * what the artifact of the edit? */
#include "audit/scorer/regression.h"

#include <math.h>
#include <string.h>

#include "audit/scorer/base_count.h"
#include "audit/scorer/members.h"
#include "base/error.h"
#include "stats/verdict.h"

#define VIF_WARNING 10.0

static bool whole_row(const double *x, size_t i, size_t m)
{
    for (size_t d = 0; d < m; d++)
        if (!isfinite(x[i * m + d])) return false;
    return true;
}

/* Bases of the view that also have the attribute (if asked) and the artifact at every dose. */
static tare_status make_frame(frame *f, study *t, const view *v, const double *attribute,
                              bool artifact, tare_error *err)
{
    bool *used = arena_new(&t->scratch, v->f.bases + 1, sizeof *used);
    if (!used) return error_memory(err);
    for (size_t i = 0; i < v->f.bases; i++)
        used[i] = v->f.used[i] && (!attribute || whole_row(attribute, i, v->arm->doses)) &&
                  (!artifact || whole_row(v->arm->artifact, i, v->arm->doses));
    return frame_make(f, t, v->arm, used, err);
}

static tare_status add_coefficient(study *t, view *v, reading_id id, reading_spec spec,
                                   const inference *inf, tare_error *err)
{
    spec.family = "regression";
    spec.floor = NAN;
    if (v->degenerate) spec.reason = REASON_DEGENERATE;
    return study_add(t, v, v->arm, id, &spec, inf, err);
}

static tare_status report_vif(study *t, view *v, const linear_ols *fit, const design *d,
                              tare_error *err)
{
    tare_status status = TARE_OK;
    base_count count = count_frame(v, d->f);
    v->vif = fit->rank > 1 ? fit->vif[d->p - 1] : NAN;
    reading_spec spec = {.family = "regression", .name = "VIF", .count = &count,
                         .extra = v->vif > VIF_WARNING ? "VIF above 10" : ""};
    TRY(study_number(t, v, v->arm, &spec, v->vif, err));
    spec.name = "condition_number";
    spec.extra = "";
    TRY(study_number(t, v, v->arm, &spec, fit->rank ? fit->condition : NAN, err));
done:
    return status;
}

/* Standard errors of all sandwich kinds beside CR2, for readers who compare. */
static tare_status report_errors(study *t, view *v, const design *d, const linear_ols *fit,
                                 tare_error *err)
{
    tare_status status = TARE_OK;
    static const struct { linear_kind kind; const char *name; } kinds[] = {
        {LINEAR_HC0, "SE HC0"}, {LINEAR_CR0, "SE CR0"}, {LINEAR_CR1, "SE CR1"},
        {LINEAR_CR2, "SE CR2"}};
    static const char *const columns[2] = {"gamma", "beta"};
    linear_model model = {.n = d->n, .p = d->p, .x = d->x, .y = d->y, .absorbed = d->bases,
                          .effect = d->effect, .effects = d->bases};
    linear_clusters clusters = {.id = d->cluster, .count = d->f->plan.clusters};
    base_count count = count_frame(v, d->f);
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        linear_cov cov;
        TRY(linear_covariance(&cov, fit, &model, kinds[k].kind, &clusters, &t->brief, err));
        for (size_t j = 0; j < d->p; j++) {
            reading_spec spec = {.family = "regression", .name = kinds[k].name, .count = &count,
                                 .condition = d->p == 2 ? columns[j] : "beta"};
            if (!fit->dropped[j]) TRY(study_number(t, v, v->arm, &spec, cov.se[j], err));
        }
    }
done:
    return status;
}

static const char *beta_reason(const study *t, const view *v)
{
    const instrument_check *check = &t->instrument[v->arm_index];
    return check->run && !check->pass ? "instrument_failed" : "";
}

tare_status regression_beta(inference *out, base_count *count, study *t, const view *v,
                            const double *attribute, tare_error *err)
{
    tare_status status = TARE_OK;
    const cube_arm *arm = v->arm;
    bool with = arm->artifact != NULL;
    frame *f;
    design d;
    linear_ols fit;
    inference inf[2];
    TRY_NEW(f = arena_new(&t->scratch, 1, sizeof *f));
    TRY(make_frame(f, t, v, attribute, with, err));
    design_columns columns = {.p = 1, .per_base = {attribute}, .per_base_count = 1};
    if (with)
        columns = (design_columns){.p = 2, .per_base = {arm->artifact, attribute},
                                   .per_base_count = 2};
    TRY(design_make(&d, t, v, f, &columns, err));
    TRY(design_infer(inf, &fit, t, &d, err));
    *out = inf[with];
    *count = count_frame(v, f);
done:
    arena_free(&t->brief);
    return status;
}

/* (a) with and (b) without the artifact. */
static tare_status run_linear(study *t, view *v, tare_error *err)
{
    tare_status status = TARE_OK;
    const cube_arm *arm = v->arm;
    bool with = arm->artifact != NULL;
    frame *f;
    design d;
    linear_ols fit;
    inference inf[2], alone;
    TRY_NEW(f = arena_new(&t->scratch, 1, sizeof *f));
    TRY_NEW(v->beta_sums = arena_new(&t->scratch, 1, sizeof *v->beta_sums));
    TRY(make_frame(f, t, v, arm->attribute, with, err));
    base_count count = count_frame(v, f);
    members_keep(t);
    design_columns columns = {.p = 1, .per_base = {arm->attribute}, .per_base_count = 1};
    TRY(design_make(&d, t, v, f, &columns, err));
    if (!with) d.sums = v->beta_sums;
    TRY(design_infer(&alone, &fit, t, &d, err));
    inf[1] = alone;
    if (with) {
        columns = (design_columns){.p = 2, .per_base = {arm->artifact, arm->attribute},
                                   .per_base_count = 2};
        TRY(design_make(&d, t, v, f, &columns, err));
        d.sums = v->beta_sums;
        TRY(design_infer(inf, &fit, t, &d, err));
        bool constant = fit.dropped && fit.dropped[0];
        if (constant) v->gamma_note = "artifact constant";
        if (!constant && fit.dropped && fit.dropped[1] &&
            strcmp(inf[1].reason, REASON_INSEPARABLE) == 0) {
            v->gamma_note = "inseparable";
            inf[0] = inference_none(REASON_INSEPARABLE);
        }
        reading_spec gamma = {.name = "gamma", .unit = "score per unit of artifact",
                              .margin = NAN, .extra = v->gamma_note, .count = &count};
        TRY(add_coefficient(t, v, RD_GAMMA, gamma, &inf[0], err));
    }
    const char *unit;
    TRY_NEW(unit = arena_printf(&t->out->a, "score per %s",
                                strcmp(arm->attribute_unit, "degrees") == 0 ? "degree"
                                : arm->attribute_unit[0]                    ? arm->attribute_unit
                                                         : "unit of the attribute"));
    bool degrees = strcmp(arm->attribute_unit, "degrees") == 0;
    reading_spec beta = {.name = "beta", .condition = with ? "with artifact" : "no artifact known",
                         .unit = unit, .grid = arm_main(arm) ? "i" : "",
                         .margin = degrees ? view_margin(t, v, t->o.margin_beta_sd / 30) : NAN,
                         .reason = beta_reason(t, v), .count = &count};
    TRY(add_coefficient(t, v, RD_BETA, beta, &inf[1], err));
    beta.condition = "attribute alone";
    beta.grid = "";
    TRY(add_coefficient(t, v, RD_BETA_ALONE, beta, &alone, err));
    members_release(t);
    if (f->n == 0 || v->degenerate) goto done;
    TRY(report_vif(t, v, &fit, &d, err));
    TRY(report_errors(t, v, &d, &fit, err));
done:
    return status;
}

/* Dose columns such that the first coefficients are FI and, on two sides, A themselves: then CR2
 * and its df hold for them. N = -FI - A/2, P = -FI + A/2; what is left of a side is coded to sum
 * to 0 (all), or each inner dose has its own column (extreme). */
static size_t dose_columns(double *x, const cube_arm *arm, bool extreme)
{
    size_t m = arm->doses, d0 = arm->neutral, p = 0;
    bool below = d0 > 0, above = d0 + 1 < m, two = below && above;
    for (size_t d = 0; d < m; d++) {
        bool in = d != d0 && (!extreme || (d == 0 && below) || (d == m - 1 && above));
        x[d] = in ? -1 : 0;
        if (two) x[m + d] = !in ? 0 : d < d0 ? -0.5 : 0.5;
    }
    p = two ? 2 : 1;
    for (size_t d = 0; d < m; d++) {
        size_t first = d < d0 ? 0 : extreme ? m - 1 : d0 + 1;
        if (d == d0 || d == first) continue;
        for (size_t e = 0; e < m; e++) x[p * m + e] = e == d ? 1 : e == first && !extreme ? -1 : 0;
        p++;
    }
    return p;
}

/* FI_adj and A_adj where the curve has more doses than the solver takes columns. */
static tare_status refuse_adjusted(study *t, view *v, bool two, tare_error *err)
{
    tare_status status = TARE_OK;
    inference none = inference_none(REASON_NOT_RUN);
    reading_spec spec = {.name = "FI_adj", .unit = "score", .margin = NAN,
                         .grid = arm_main(v->arm) ? "ii adjusted" : ""};
    spec.condition = strcmp(t->o.doses, "extreme") == 0 ? "extreme doses" : "all doses";
    TRY_NEW(spec.extra = arena_printf(&t->out->a, "more than %d doses", LINEAR_SOLVE_MAX));
    spec.reason = REASON_NOT_RUN;
    TRY(add_coefficient(t, v, RD_FI_ADJ, spec, &none, err));
    spec.name = "A_adj";
    if (two) TRY(add_coefficient(t, v, RD_A_ADJ, spec, &none, err));
done:
    return status;
}

/* (c) the artifact-adjusted curve. */
static tare_status run_adjusted(study *t, view *v, tare_error *err)
{
    tare_status status = TARE_OK;
    const cube_arm *arm = v->arm;
    bool two = arm->neutral > 0 && arm->neutral + 1 < arm->doses;
    frame *f;
    double *dose;
    design d;
    linear_ols fit;
    inference *inf;
    if (arm->doses > LINEAR_SOLVE_MAX) return refuse_adjusted(t, v, two, err);
    TRY_NEW(f = arena_new(&t->scratch, 1, sizeof *f));
    TRY(make_frame(f, t, v, NULL, true, err));
    base_count count = count_frame(v, f);
    TRY_NEW(dose = arena_new(&t->scratch, (arm->doses + 1) * arm->doses, sizeof *dose));
    size_t p = dose_columns(dose, arm, strcmp(t->o.doses, "extreme") == 0);
    TRY_NEW(inf = arena_new(&t->scratch, p + 1, sizeof *inf));
    design_columns columns = {.p = p + 1, .per_base = {arm->artifact}, .per_base_count = 1,
                              .per_dose = dose};
    TRY(design_make(&d, t, v, f, &columns, err));
    members_keep(t);
    TRY(design_infer(inf, &fit, t, &d, err));
    /* A dose column that depends on the artifact means that the two cannot be told apart. */
    bool inseparable = false;
    for (size_t j = 1; j <= p && fit.dropped; j++) inseparable = inseparable || fit.dropped[j];
    if (inseparable)
        for (size_t j = 0; j <= p; j++) inf[j] = inference_none(REASON_INSEPARABLE);
    if (fit.dropped && !fit.dropped[0] && !inseparable) v->gamma_adjust = inf[0].estimate;
    bool extreme = strcmp(t->o.doses, "extreme") == 0;
    reading_spec spec = {.name = "gamma_adj", .condition = "adjusted curve",
                         .unit = "score per unit of artifact", .margin = NAN, .descriptive = true,
                         .count = &count};
    TRY(add_coefficient(t, v, RD_GAMMA_ADJ, spec, &inf[0], err));
    spec = (reading_spec){.name = "FI_adj", .condition = extreme ? "extreme doses" : "all doses",
                          .unit = "score", .margin = view_margin(t, v, t->o.margin_sd),
                          .grid = arm_main(v->arm) ? "ii adjusted" : "", .count = &count};
    TRY(add_coefficient(t, v, RD_FI_ADJ, spec, &inf[1], err));
    spec.name = "A_adj";
    if (two) TRY(add_coefficient(t, v, RD_A_ADJ, spec, &inf[2], err));
    members_release(t);
done:
    return status;
}

/* The adjusted curve dose by dose: one dummy per dose that is not neutral. */
static tare_status run_adjusted_curve(study *t, view *v, tare_error *err)
{
    tare_status status = TARE_OK;
    const cube_arm *arm = v->arm;
    size_t m = arm->doses, p = 0;
    frame *f;
    double *dose;
    design d;
    linear_ols fit;
    inference *inf;
    if (m > LINEAR_SOLVE_MAX) return TARE_OK;
    TRY_NEW(f = arena_new(&t->scratch, 1, sizeof *f));
    TRY(make_frame(f, t, v, NULL, true, err));
    base_count count = count_frame(v, f);
    TRY_NEW(dose = arena_new(&t->scratch, m * m, sizeof *dose));
    TRY_NEW(inf = arena_new(&t->scratch, m, sizeof *inf));
    for (size_t k = 0; k < m; k++)
        if (k != arm->neutral) dose[p++ * m + k] = 1;
    design_columns columns = {.p = p + 1, .per_base = {arm->artifact}, .per_base_count = 1,
                              .per_dose = dose};
    TRY(design_make(&d, t, v, f, &columns, err));
    TRY(design_infer(inf, &fit, t, &d, err));
    bool inseparable = false;
    for (size_t j = 1; j <= p && fit.dropped; j++) inseparable = inseparable || fit.dropped[j];
    for (size_t k = 0, j = 1; k < m; k++) {
        if (k == arm->neutral) continue;
        const char *label;
        TRY_NEW(label = dose_text(t, arm->dose[k]));
        inference none = inference_none(REASON_INSEPARABLE);
        reading_spec spec = {.family = "curve", .name = "Delta_adj", .condition = label,
                             .unit = "score", .margin = view_margin(t, v, t->o.margin_sd),
                             .floor = NAN, .descriptive = true, .count = &count,
                             .reason = v->degenerate ? REASON_DEGENERATE : ""};
        TRY(study_add(t, v, arm, RD_NONE, &spec, inseparable ? &none : &inf[j], err));
        j++;
    }
done:
    return status;
}

tare_status regression_run(study *t, tare_error *err)
{
    tare_status status = TARE_OK;
    for (size_t k = 0; k < t->views; k++) {
        view *v = &t->view[k];
        TRY(context_check(t->context, err));
        if (v->arm->attribute) TRY(run_linear(t, v, err));
        arena_free(&t->brief);
        if (!v->arm->artifact) continue;
        TRY(run_adjusted(t, v, err));
        arena_free(&t->brief);
        TRY(run_adjusted_curve(t, v, err));
        arena_free(&t->brief);
    }
done:
    return status;
}
