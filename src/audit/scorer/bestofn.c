/* Best-of-n amplification (scorer audit 5.5): which way does the attribute move when the scorer
 * picks the best of n variants of one base, beyond what picking at random does? */
#include <math.h>
#include <string.h>

#include "audit/scorer/base_count.h"
#include "audit/scorer/bestofn.h"
#include "audit/scorer/members.h"
#include "base/error.h"
#include "stats/moments.h"
#include "stats/special.h"
#include "stats/verdict.h"

static double share_of(const double *total, size_t p, const void *user)
{
    (void)p;
    (void)user;
    return total[1] > 0 ? fabs(total[0]) / total[1] : NAN;
}

static tare_status report_share(study *t, view *v, const drift_set *x, bool attribute,
                                tare_error *err)
{
    tare_status status = TARE_OK;
    double *rows;
    TRY_NEW(rows = brief_array(t, 2 * v->f.bases));
    for (size_t i = 0; i < v->f.bases; i++) {
        rows[2 * i] = x->tested.net[i];
        rows[2 * i + 1] = x->tested.saturation[i];
    }
    infer_smooth g = {.g = share_of};
    inference inf;
    TRY(study_totals(&inf, t, &v->f, (base_rows){rows, 2}, &g, 1, err));
    inference_share(&inf);
    base_count count = count_values(v, x->tested.net, TARE_R_MISSING);
    reading_spec spec = {.family = "bestofn", .name = "saturation_share", .count = &count,
                         .condition = attribute ? v->arm->attribute_name : "dose",
                         .unit = "share", .reason = v->degenerate ? REASON_DEGENERATE : "",
                         .margin = NAN, .floor = NAN, .descriptive = true};
    TRY(study_add(t, v, v->arm, attribute ? RD_SATURATION : RD_SATURATION_DOSE, &spec, &inf,
                  err));
done:
    return status;
}

double drift_permutation_z(const view *v, const drift_column *x)
{
    neumaier net = {0, 0}, variance = {0, 0};
    for (size_t i = 0; i < v->f.bases; i++) {
        if (!v->f.used[i] || isnan(x->net[i])) continue;
        neumaier_add(&net, x->net[i]);
        neumaier_add(&variance, x->variance[i]);
    }
    double total = neumaier_total(&variance);
    return total > 0 ? neumaier_total(&net) / sqrt(total) : NAN;
}

static tare_status report_permutation(study *t, view *v, const drift_set *x, const char *condition,
                                      tare_error *err)
{
    tare_status status = TARE_OK;
    double z = drift_permutation_z(v, &x->tested);
    inference inf = inference_none(isnan(z) ? REASON_DEGENERATE : "");
    base_count count = count_values(v, x->tested.net, TARE_R_MISSING);
    if (!isnan(z)) {
        inf.estimate = z;
        inf.p = 2 * norm_sf(fabs(z));
        inf.p_method = "within-base permutation, closed form";
    }
    reading_spec spec = {.family = "bestofn", .name = "permutation_z", .condition = condition,
                         .count = &count, .margin = NAN, .floor = NAN, .descriptive = true};
    TRY(study_add(t, v, v->arm, RD_NONE, &spec, &inf, err));
done:
    return status;
}

const char *drift_reason(const study *t, const view *v, bool attribute)
{
    const instrument_check *instrument = &t->instrument[v->arm_index];
    if (v->degenerate) return REASON_DEGENERATE;
    return attribute && instrument->run && !instrument->pass ? "instrument_failed" : "";
}

static tare_status report_drift(study *t, view *v, const drift_set *x, bool attribute,
                                tare_error *err)
{
    tare_status status = TARE_OK;
    const char *condition = attribute ? v->arm->attribute_name : "dose";
    const char *unit = attribute ? v->arm->attribute_unit : "dose";
    const char *grid = !arm_main(v->arm) ? "" : attribute ? "i" : "i dose";
    const double *columns[4] = {x->tested.net, x->argmax, x->baseline, x->tested.reference};
    static const char *const names[4] = {"net_drift", "argmax_drift", "random_drift",
                                         "fidelity_reference"};
    inference inf[4];
    base_count count = count_values(v, x->tested.net, TARE_R_MISSING);
    members_keep(t);
    TRY(study_means(inf, t, &v->f, columns, 4, err));
    for (size_t j = 0; j < 4; j++) {
        bool scored = j < 2; /* the others do not depend on the scores */
        const char *reason = scored ? drift_reason(t, v, attribute) : "";
        double margin = j > 0          ? NAN
                        : attribute    ? attribute_margin(t, v->arm)
                                       : dose_margin(t, v->arm);
        reading_spec spec = {.family = "bestofn", .name = names[j], .condition = condition,
                             .unit = unit, .grid = j == 0 ? grid : "", .reason = reason,
                             .count = &count,
                             .margin = margin, .floor = NAN, .descriptive = j > 0};
        reading_id id = j > 0 ? RD_NONE : attribute ? RD_DRIFT : RD_DRIFT_DOSE;
        TRY(study_add(t, v, v->arm, id, &spec, &inf[j], err));
    }
    members_release(t);
    TRY(report_share(t, v, x, attribute, err));
    TRY(report_permutation(t, v, x, condition, err));
done:
    return status;
}

static tare_status report_ties(study *t, view *v, const drift_set *x, tare_error *err)
{
    tare_status status = TARE_OK;
    const double *column = x->tested.ties;
    inference inf;
    TRY(study_means(&inf, t, &v->f, &column, 1, err));
    inference_share(&inf);
    v->tie_rate = inf.estimate;
    reading_spec spec = {.family = "bestofn", .name = "tie_rate", .unit = "share", .margin = NAN,
                         .floor = NAN, .descriptive = true};
    TRY(study_add(t, v, v->arm, RD_NONE, &spec, &inf, err));
done:
    return status;
}

/* Enter the drifts that a pool of this size does not give, with the reason. */
static tare_status refuse_pool(study *t, view *v, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t doses = v->arm->doses;
    bool large = doses > POOL_WEIGHTS_MAX;
    TRY_NEW(v->pool_words = large ? arena_printf(&t->out->a,
                                                 "the pool of %zu variants is larger than %d",
                                                 doses, POOL_WEIGHTS_MAX)
                                  : arena_printf(&t->out->a,
                                                 "the pool of %zu variants is smaller than n = %zu",
                                                 doses, t->o.bon_n));
    inference none = inference_none(REASON_NOT_RUN);
    reading_spec spec = {.family = "bestofn", .name = "net_drift", .margin = NAN, .floor = NAN,
                         .extra = v->pool_words};
    if (v->arm->attribute) {
        spec.condition = v->arm->attribute_name;
        spec.unit = v->arm->attribute_unit;
        spec.grid = arm_main(v->arm) ? "i" : "";
        TRY(study_add(t, v, v->arm, RD_DRIFT, &spec, &none, err));
    }
    spec.condition = spec.unit = "dose";
    spec.grid = arm_main(v->arm) ? "i dose" : "";
    TRY(study_add(t, v, v->arm, RD_DRIFT_DOSE, &spec, &none, err));
done:
    return status;
}

/* Later families need the net drift; the rest goes with the view. */
static double *keep_net(study *t, const drift_set *x, size_t bases)
{
    double *copy = arena_raw(&t->scratch, bases + 1, sizeof *copy);
    if (copy) memcpy(copy, x->tested.net, bases * sizeof *copy);
    return copy;
}

/* The readings of bon.n, unless the pool is smaller than that, and the curve. */
static tare_status run_view(study *t, view *v, tare_error *err)
{
    tare_status status = TARE_OK;
    const cube_arm *arm = v->arm;
    drift_rule rule;
    drift_set dose, attribute;
    TRY(drift_rule_make(&rule, t, arm, err));
    TRY(drift_set_make(&dose, t, &rule, arm->bases, err));
    TRY(drift_set_make(&attribute, t, &rule, arm->bases, err));
    for (size_t i = 0; i < arm->bases; i++) {
        if (!v->f.used[i]) continue;
        TRY(drift_of_base(&dose, i, v, arm->dose, &rule, err));
        if (!arm->attribute) continue;
        const double *a = arm->attribute + i * arm->doses;
        bool whole = true;
        for (size_t d = 0; d < arm->doses; d++) whole = whole && isfinite(a[d]);
        if (whole) TRY(drift_of_base(&attribute, i, v, a, &rule, err));
    }
    if (rule.tests) {
        TRY_NEW(v->net_dose = keep_net(t, &dose, arm->bases));
        if (arm->attribute) TRY_NEW(v->net_attribute = keep_net(t, &attribute, arm->bases));
        if (arm->attribute) TRY(report_drift(t, v, &attribute, true, err));
        TRY(report_drift(t, v, &dose, false, err));
        if (t->o.bon_draws == 0) TRY(report_ties(t, v, &dose, err));
    } else {
        TRY(refuse_pool(t, v, err));
    }
    if (arm->attribute) TRY(bestofn_curve(t, v, &attribute, true, err));
    TRY(bestofn_curve(t, v, &dose, false, err));
done:
    arena_free(&t->brief);
    return status;
}

tare_status bestofn_run(study *t, tare_error *err)
{
    tare_status status = TARE_OK;
    for (size_t k = 0; k < t->views; k++) {
        view *v = &t->view[k];
        TRY(context_check(t->context, err));
        if (v->arm->doses <= POOL_WEIGHTS_MAX)
            TRY(run_view(t, v, err));
        else
            TRY(refuse_pool(t, v, err));
        if (t->o.bon_mixed) TRY(bestofn_mixed(t, v, err)); /* its pool is all variants */
    }
done:
    return status;
}
