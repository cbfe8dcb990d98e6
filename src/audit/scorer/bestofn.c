/* Best-of-n amplification (scorer audit 5.5): which way does the attribute move when the scorer
 * picks the best of n variants of one base, beyond what picking at random does? */
#include <math.h>
#include <string.h>

#include "audit/scorer/base_count.h"
#include "audit/scorer/pool_weights.h"
#include "audit/scorer/study.h"
#include "base/error.h"
#include "base/rng.h"
#include "stats/moments.h"
#include "stats/special.h"
#include "stats/verdict.h"

/* What one base gives; every array [bases]. */
typedef struct drift_set {
    double *argmax, *random, *net, *saturation, *reference, *ties, *variance;
} drift_set;

static tare_status new_set(drift_set *x, study *t, size_t n, tare_error *err)
{
    tare_status status = TARE_OK;
    TRY_NEW(x->argmax = study_array(t, n));
    TRY_NEW(x->random = study_array(t, n));
    TRY_NEW(x->net = study_array(t, n));
    TRY_NEW(x->saturation = study_array(t, n));
    TRY_NEW(x->reference = study_array(t, n));
    TRY_NEW(x->ties = study_array(t, n));
    TRY_NEW(x->variance = study_array(t, n));
done:
    return status;
}

static double weighted(const double *w, const double *a, size_t m)
{
    neumaier sum = {0, 0};
    for (size_t d = 0; d < m; d++) neumaier_add(&sum, w[d] * a[d]);
    return neumaier_total(&sum);
}

typedef struct drift_work {
    pool_weights rule;
    double *w, *key; /* [doses] */
    rng_key stream;  /* of sampled draws */
} drift_work;

/* `a` [doses] is what drifts: the attribute or the dose. */
static tare_status base_drift(drift_set *out, size_t i, const view *v, const double *a,
                              drift_work *work, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t m = v->arm->doses, d0 = v->arm->neutral;
    const double *s = v->scores->s + i * m;
    double mean = moments_mean(a, m);
    if (work->rule.draws)
        TRY(pool_weights_sampled(work->w, &work->rule, s, m,
                                 (pool_stream){work->stream, v->arm->base[i]}, err));
    else
        TRY(pool_weights_exact(work->w, &out->ties[i], &work->rule, s, m, err));
    out->argmax[i] = weighted(work->w, a, m) - a[d0];
    out->random[i] = mean - a[d0];
    out->net[i] = snap_zero(out->argmax[i] - out->random[i], fabs(a[m - 1] - a[0]));
    neumaier spread = {0, 0};
    for (size_t d = 0; d < m; d++)
        neumaier_add(&spread, (work->w[d] - 1 / (double)m) * (work->w[d] - 1 / (double)m));
    out->variance[i] = neumaier_total(&spread) * moments_cross(a, a, m) / (double)(m - 1);
    pool_weights exact = work->rule;
    exact.draws = 0;
    exact.first = false;
    double ties;
    for (size_t d = 0; d < m; d++) work->key[d] = out->net[i] < 0 ? -a[d] : a[d];
    TRY(pool_weights_exact(work->w, &ties, &exact, work->key, m, err));
    out->saturation[i] = fabs(weighted(work->w, a, m) - mean);
    for (size_t d = 0; d < m; d++) work->key[d] = -fabs(v->arm->dose[d] - v->arm->dose[d0]);
    TRY(pool_weights_exact(work->w, &ties, &exact, work->key, m, err));
    out->reference[i] = snap_zero(weighted(work->w, a, m) - mean, fabs(a[m - 1] - a[0]));
done:
    return status;
}

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
    TRY_NEW(rows = study_array(t, 2 * v->f.bases));
    for (size_t i = 0; i < v->f.bases; i++) {
        rows[2 * i] = x->net[i];
        rows[2 * i + 1] = x->saturation[i];
    }
    infer_smooth g = {.g = share_of};
    inference inf;
    TRY(study_totals(&inf, t, &v->f, (base_rows){rows, 2}, &g, 1, err));
    inference_share(&inf);
    base_count count = count_values(v, x->net, TARE_R_MISSING);
    reading_spec spec = {.family = "bestofn", .name = "saturation_share", .count = &count,
                         .condition = attribute ? v->arm->attribute_name : "dose",
                         .unit = "share", .reason = v->degenerate ? REASON_DEGENERATE : "",
                         .margin = NAN, .floor = NAN, .descriptive = true};
    TRY(study_add(t, v, v->arm, attribute ? RD_SATURATION : RD_SATURATION_DOSE, &spec, &inf,
                  err));
done:
    return status;
}

/* z of the within-base permutation of scores, in closed form. */
static tare_status report_permutation(study *t, view *v, const drift_set *x, const char *condition,
                                      tare_error *err)
{
    tare_status status = TARE_OK;
    neumaier net = {0, 0}, variance = {0, 0};
    for (size_t i = 0; i < v->f.bases; i++) {
        if (!v->f.used[i] || isnan(x->net[i])) continue;
        neumaier_add(&net, x->net[i]);
        neumaier_add(&variance, x->variance[i]);
    }
    double total = neumaier_total(&variance);
    inference inf = inference_none(total > 0 ? "" : REASON_DEGENERATE);
    base_count count = count_values(v, x->net, TARE_R_MISSING);
    if (total > 0) {
        inf.estimate = neumaier_total(&net) / sqrt(total);
        inf.p = 2 * norm_sf(fabs(inf.estimate));
        inf.p_method = "within-base permutation, closed form";
    }
    reading_spec spec = {.family = "bestofn", .name = "permutation_z", .condition = condition,
                         .count = &count, .margin = NAN, .floor = NAN, .descriptive = true};
    TRY(study_add(t, v, v->arm, RD_NONE, &spec, &inf, err));
done:
    return status;
}

static tare_status report_drift(study *t, view *v, const drift_set *x, bool attribute,
                                tare_error *err)
{
    tare_status status = TARE_OK;
    const char *condition = attribute ? v->arm->attribute_name : "dose";
    const char *unit = attribute ? v->arm->attribute_unit : "dose";
    const char *grid = !arm_main(v->arm) ? "" : attribute ? "i" : "i dose";
    bool barred = attribute && t->instrument[v->arm_index].run &&
                  !t->instrument[v->arm_index].pass;
    const double *columns[4] = {x->net, x->argmax, x->random, x->reference};
    static const char *const names[4] = {"net_drift", "argmax_drift", "random_drift",
                                         "fidelity_reference"};
    inference inf[4];
    base_count count = count_values(v, x->net, TARE_R_MISSING);
    TRY(study_means(inf, t, &v->f, columns, 4, err));
    for (size_t j = 0; j < 4; j++) {
        bool scored = j < 2; /* the others do not depend on the scores */
        const char *reason = scored && v->degenerate ? REASON_DEGENERATE
                             : scored && barred      ? "instrument_failed"
                                                     : "";
        double margin = j > 0          ? NAN
                        : attribute    ? attribute_margin(t, v->arm)
                        : t->o.margins ? t->o.margin_drift_dose
                                       : NAN;
        reading_spec spec = {.family = "bestofn", .name = names[j], .condition = condition,
                             .unit = unit, .grid = j == 0 ? grid : "", .reason = reason,
                             .count = &count,
                             .margin = margin, .floor = NAN, .descriptive = j > 0};
        reading_id id = j > 0 ? RD_NONE : attribute ? RD_DRIFT : RD_DRIFT_DOSE;
        TRY(study_add(t, v, v->arm, id, &spec, &inf[j], err));
    }
    TRY(report_share(t, v, x, attribute, err));
    TRY(report_permutation(t, v, x, condition, err));
done:
    return status;
}

static tare_status report_ties(study *t, view *v, const drift_set *x, tare_error *err)
{
    tare_status status = TARE_OK;
    const double *column = x->ties;
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

static tare_status run_view(study *t, view *v, tare_error *err)
{
    tare_status status = TARE_OK;
    const cube_arm *arm = v->arm;
    drift_work work = {.rule = {.n = t->o.bon_n, .replace = t->o.bon_replace,
                                .first = strcmp(t->o.bon_ties, "first") == 0,
                                .draws = t->o.bon_draws}};
    drift_set dose, attribute;
    TRY(new_set(&dose, t, arm->bases, err));
    TRY(new_set(&attribute, t, arm->bases, err));
    TRY_NEW(work.w = study_array(t, arm->doses));
    TRY_NEW(work.key = study_array(t, arm->doses));
    work.stream = rng_key_of(t->o.seed, "scorer/bestofn");
    for (size_t i = 0; i < arm->bases; i++) {
        if (!v->f.used[i]) continue;
        TRY(base_drift(&dose, i, v, arm->dose, &work, err));
        if (!arm->attribute) continue;
        const double *a = arm->attribute + i * arm->doses;
        bool whole = true;
        for (size_t d = 0; d < arm->doses; d++) whole = whole && isfinite(a[d]);
        if (whole) TRY(base_drift(&attribute, i, v, a, &work, err));
    }
    v->net_dose = dose.net;
    if (arm->attribute) TRY(report_drift(t, v, &attribute, true, err));
    TRY(report_drift(t, v, &dose, false, err));
    if (work.rule.draws == 0) TRY(report_ties(t, v, &dose, err));
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

tare_status bestofn_run(study *t, tare_error *err)
{
    tare_status status = TARE_OK;
    for (size_t k = 0; k < t->views; k++) {
        view *v = &t->view[k];
        TRY(context_check(t->context, err));
        bool enough = t->o.bon_n <= v->arm->doses || t->o.bon_replace;
        if (enough && v->arm->doses <= POOL_WEIGHTS_MAX)
            TRY(run_view(t, v, err));
        else
            TRY(refuse_pool(t, v, err));
    }
done:
    return status;
}
