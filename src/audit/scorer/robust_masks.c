/* Robustness against the skin mask (scorer audit 7): beta with the attribute measured over other
 * masks, and the readings of images that were edited within other masks. */
#include <math.h>
#include <string.h>

#include "audit/scorer/base_count.h"
#include "audit/scorer/regression.h"
#include "audit/scorer/robust.h"
#include "base/error.h"
#include "stats/verdict.h"

static tare_status add(study *t, view *v, reading_spec spec, const inference *inf, tare_error *err)
{
    spec.family = "robust";
    spec.margin = spec.floor = NAN;
    spec.descriptive = true;
    return study_add(t, v, v->arm, RD_NONE, &spec, inf, err);
}

/* ---- the mask that measures
 * ------------------------------------------------------------------------ */

/* Least and largest beta over the masks, and whether all have one sign. */
typedef struct beta_range {
    double lo, hi;
    bool whole; /* every mask has a beta */
} beta_range;

static void widen(beta_range *r, double beta)
{
    r->whole = r->whole && !isnan(beta);
    r->lo = fmin(r->lo, beta);
    r->hi = fmax(r->hi, beta);
}

static const char *range_mark(const beta_range *r, const tare_reading *beta)
{
    if (!(r->lo > 0 || r->hi < 0)) return "fail: the sign of beta flips";
    return r->hi - r->lo < beta->hi - beta->lo
               ? "pass"
               : "fail: beta ranges wider than its interval";
}

static tare_status run_measuring(study *t, view *v, tare_error *err)
{
    static const char *const conditions[2] = {"measured over the tight mask",
                                              "measured over the loose mask"};
    tare_status status = TARE_OK;
    const judged *own = study_get(t, v, RD_BETA);
    const tare_reading beta = *study_reading(t, own); /* readings may move */
    beta_range range = {INFINITY, -INFINITY, true};
    widen(&range, beta.estimate);
    for (size_t k = 0; k < 2; k++) {
        inference inf;
        base_count count;
        if (!v->arm->attribute_set[k]) {
            range.whole = false;
            continue;
        }
        TRY(regression_beta(&inf, &count, t, v, v->arm->attribute_set[k], err));
        widen(&range, inf.estimate);
        reading_spec spec = {.name = "beta", .condition = conditions[k], .unit = beta.unit,
                             .count = &count, .reason = beta.reason};
        TRY(add(t, v, spec, &inf, err));
    }
    inference inf = inference_none(beta.reason[0]  ? beta.reason
                                   : !range.whole ? REASON_NOT_RUN
                                                  : "");
    if (inf.reason[0] == '\0') inf.estimate = range.hi - range.lo;
    base_count count = count_view(v);
    reading_spec spec = {.name = "beta_range", .condition = "measuring mask", .unit = beta.unit,
                         .count = &count,
                         .extra = inf.reason[0] ? "" : range_mark(&range, &beta)};
    TRY(add(t, v, spec, &inf, err));
done:
    return status;
}

/* ---- the mask that is edited within
 * ---------------------------------------------------------------- */

static tare_status run_intervening(study *t, const view *stress, tare_error *err)
{
    static const struct { reading_id id; const char *name; bool judged; } readings[] = {
        {RD_FI, "FI", true}, {RD_A, "A", true}, {RD_DRIFT, "net_drift", false},
        {RD_DRIFT_DOSE, "net_drift_dose", false}};
    tare_status status = TARE_OK;
    view *main = &t->view[stress->arm->partner * t->c->scorers + stress->scorer_index];
    bool comparable = same_doses(main->arm, stress->arm);
    base_count count = count_view(stress);
    const char *condition;
    TRY_NEW(condition = arena_printf(&t->out->a, "edited within the %s mask",
                                     stress->arm->stress_set));
    for (size_t k = 0; k < sizeof readings / sizeof *readings; k++) {
        const judged *full = study_get(t, main, readings[k].id);
        const judged *part = study_get(t, stress, readings[k].id);
        if (!full || !part) continue;
        const tare_reading rf = *study_reading(t, full), rp = *study_reading(t, part);
        inference inf = part->inf;
        inf.replicates = inf.influence = NULL;
        bool answered = comparable && !rp.reason[0] && !rf.reason[0];
        reading_spec spec = {.name = readings[k].name, .condition = condition, .unit = rp.unit,
                             .count = &count,
                             .reason = !comparable ? REASON_NOT_RUN : rp.reason,
                             .extra = !comparable           ? "other doses than the main arm"
                                      : !answered || !readings[k].judged ? ""
                                      : isnan(rp.lo) || isnan(rf.lo)     ? ""
                                      : robust_agrees(&rf, &inf)         ? "pass"
                                                                         : "fail"};
        TRY(add(t, main, spec, &inf, err));
    }
done:
    return status;
}

tare_status robust_masks_run(study *t, tare_error *err)
{
    tare_status status = TARE_OK;
    for (size_t k = 0; k < t->views; k++) {
        view *v = &t->view[k];
        TRY(context_check(t->context, err));
        bool measured = v->arm->attribute_set[0] || v->arm->attribute_set[1];
        if (arm_main(v->arm) && measured && study_get(t, v, RD_BETA))
            TRY(run_measuring(t, v, err));
        if (v->arm->stress && v->arm->partner < t->c->arms) TRY(run_intervening(t, v, err));
    }
done:
    return status;
}
