/* Robustness against the skin mask (scorer audit 7): beta with the attribute measured over other
 * masks, and the readings of images that were edited within other masks. */
#include <math.h>
#include <string.h>

#include "audit/scorer/base_count.h"
#include "audit/scorer/regression.h"
#include "audit/scorer/robust.h"
#include "audit/words.h"
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

static const char *range_mark(arena *a, const beta_range *r, const inference *own, size_t n,
                              size_t lacking)
{
    const char *mark = r->lo == 0 && r->hi == 0        ? "pass, beta is 0 over every mask"
                       : !(r->lo > 0 || r->hi < 0)     ? "fail: the sign of beta flips"
                       : r->hi - r->lo < own->hi - own->lo ? "pass"
                                                       : "fail: beta ranges wider than its "
                                                         "interval";
    if (lacking == 0) return mark;
    return arena_printf(a, "%s, over the %zu of %zu images measured over every mask", mark, n,
                        n + lacking);
}

/* The attribute over every mask, for the bases that have all of them: NaN where any lacks, so that
 * one set of photographs is compared. */
typedef struct mask_attributes {
    const double *own, *set[ATTRIBUTE_SETS]; /* NULL: not measured */
    size_t sets, lacking;                    /* bases of the view without some of them */
} mask_attributes;

static bool whole_base(const double *x, size_t i, size_t doses)
{
    for (size_t d = 0; x && d < doses; d++)
        if (!isfinite(x[i * doses + d])) return false;
    return true;
}

/* In t->scratch, for regression_beta frees t->brief. */
static const double *masked(study *t, const view *v, const double *x, const bool *lacks)
{
    size_t m = v->arm->doses;
    double *out = x ? study_array(t, v->f.bases * m) : NULL;
    for (size_t i = 0; out && i < v->f.bases; i++)
        if (!lacks[i]) memcpy(out + i * m, x + i * m, m * sizeof *out);
    return out;
}

static tare_status collect(mask_attributes *out, study *t, const view *v, tare_error *err)
{
    tare_status status = TARE_OK;
    const cube_arm *arm = v->arm;
    bool *lacks;
    *out = (mask_attributes){.own = arm->attribute};
    TRY_NEW(lacks = arena_new(&t->scratch, arm->bases + 1, sizeof *lacks));
    for (size_t i = 0; i < arm->bases; i++) {
        bool own = whole_base(arm->attribute, i, arm->doses);
        lacks[i] = !own;
        for (size_t k = 0; k < ATTRIBUTE_SETS; k++)
            lacks[i] = lacks[i] || !whole_base(arm->attribute_set[k], i, arm->doses);
        out->lacking += v->f.used[i] && lacks[i] && whole_base(arm->artifact, i, arm->doses);
    }
    for (size_t k = 0; k < ATTRIBUTE_SETS; k++) {
        out->set[k] = arm->attribute_set[k];
        out->sets += out->set[k] != NULL;
    }
    if (out->lacking == 0) goto done;
    TRY_NEW(out->own = masked(t, v, out->own, lacks));
    for (size_t k = 0; k < ATTRIBUTE_SETS; k++)
        if (out->set[k]) TRY_NEW(out->set[k] = masked(t, v, out->set[k], lacks));
done:
    return status;
}

static tare_status run_measuring(study *t, view *v, tare_error *err)
{
    static const char *const conditions[ATTRIBUTE_SETS] = {"measured over the tight mask",
                                                           "measured over the loose mask",
                                                           "measured over the default mask"};
    tare_status status = TARE_OK;
    const judged *judged_beta = study_get(t, v, RD_BETA);
    const tare_reading beta = *study_reading(t, judged_beta); /* readings may move */
    inference own = judged_beta->inf;
    base_count count;
    mask_attributes x;
    TRY(collect(&x, t, v, err));
    TRY(regression_beta(&own, &count, t, v, x.own, err));
    beta_range range = {INFINITY, -INFINITY, x.sets > 1};
    widen(&range, own.estimate);
    for (size_t k = 0; k < ATTRIBUTE_SETS; k++) {
        inference inf;
        base_count n;
        if (!x.set[k]) continue;
        TRY(regression_beta(&inf, &n, t, v, x.set[k], err));
        widen(&range, inf.estimate);
        reading_spec spec = {.name = "beta", .condition = conditions[k], .unit = beta.unit,
                             .count = &n, .reason = beta.reason};
        TRY(add(t, v, spec, &inf, err));
    }
    bool few = x.lacking > 0 && count.clusters < INFER_CLUSTERS_MIN;
    const char *reason = beta.reason[0]         ? beta.reason
                         : few || !range.whole  ? REASON_NOT_RUN
                         : own.reason           ? own.reason
                                                : "";
    inference inf = inference_none(reason);
    const char *mark = few && !beta.reason[0] ? "fewer than 6 clusters measured over every mask"
                                              : "";
    if (reason[0] == '\0') {
        inf.estimate = range.hi - range.lo;
        TRY_NEW(mark = range_mark(&t->out->a, &range, &own, count.n, x.lacking));
    }
    reading_spec spec = {.name = "beta_range", .condition = "measuring mask", .unit = beta.unit,
                         .count = &count, .extra = mark};
    TRY(add(t, v, spec, &inf, err));
done:
    return status;
}

/* ---- the mask that is edited within
 * ---------------------------------------------------------------- */

/* The bases that both arms have in full, as either has them. */
typedef struct shared_bases {
    frame main, stress;
} shared_bases;

static int compare_base(const cube_arm *x, size_t i, const cube_arm *y, size_t j)
{
    int c = strcmp(x->cluster_id[x->cluster[i]], y->cluster_id[y->cluster[j]]);
    return c ? c : strcmp(x->base[i], y->base[j]);
}

/* Bases are in order of (cluster, id) in either arm. */
static tare_status share(shared_bases *out, study *t, const view *main, const view *stress,
                         tare_error *err)
{
    tare_status status = TARE_OK;
    bool *in_main, *in_stress;
    TRY_NEW(in_main = arena_new(&t->scratch, main->f.bases + 1, sizeof *in_main));
    TRY_NEW(in_stress = arena_new(&t->scratch, stress->f.bases + 1, sizeof *in_stress));
    for (size_t i = 0, j = 0; i < main->f.bases && j < stress->f.bases;) {
        int c = compare_base(main->arm, i, stress->arm, j);
        if (c == 0) in_main[i] = in_stress[j] = main->f.used[i] && stress->f.used[j];
        i += c <= 0;
        j += c >= 0;
    }
    TRY(frame_make(&out->main, t, main->arm, in_main, err));
    TRY(frame_make(&out->stress, t, stress->arm, in_stress, err));
done:
    return status;
}

enum { WITHIN_FI, WITHIN_A, WITHIN_DRIFT, WITHIN_DOSE, WITHIN };

static tare_status means_of(inference out[WITHIN], study *t, const view *v, const frame *f,
                            tare_error *err)
{
    tare_status status = TARE_OK;
    const double *columns[WITHIN] = {v->tested.fi, v->tested.a, v->net_attribute, v->net_dose};
    for (size_t k = 0; k < WITHIN; k++) {
        out[k] = inference_none(REASON_TOO_FEW_CLUSTERS);
        if (columns[k]) TRY(study_means(&out[k], t, f, &columns[k], 1, err));
    }
done:
    return status;
}

/* "pass", or what it is instead of what; and of how many, if not of all of both arms. */
static const char *within_mark(study *t, const inference *full, const inference *part,
                               const view *main, const view *stress)
{
    arena *a = &t->out->a;
    const tare_reading r = {.estimate = full->estimate, .lo = full->lo, .hi = full->hi};
    bool all = part->n == main->f.n && part->n == stress->f.n;
    const char *of = "", *mark = "pass";
    if (isnan(part->lo) || isnan(full->lo)) return "";
    if (!all)
        of = arena_printf(a, ", over the %zu images that both arms have (of %zu and %zu)", part->n,
                          main->f.n, stress->f.n);
    if (!robust_agrees(&r, part))
        mark = arena_printf(a, "fail: %s [%s; %s] instead of %s [%s; %s]",
                            number_text(a, part->estimate), number_text(a, part->lo),
                            number_text(a, part->hi), number_text(a, full->estimate),
                            number_text(a, full->lo), number_text(a, full->hi));
    return of && mark ? arena_printf(a, "%s%s", mark, of) : NULL;
}

static tare_status run_intervening(study *t, const view *stress, tare_error *err)
{
    static const struct { reading_id id; const char *name; bool judged; } readings[WITHIN] = {
        {RD_FI, "FI", true}, {RD_A, "A", true}, {RD_DRIFT, "net_drift", false},
        {RD_DRIFT_DOSE, "net_drift_dose", false}};
    tare_status status = TARE_OK;
    view *main = &t->view[stress->arm->partner * t->c->scorers + stress->scorer_index];
    bool comparable = same_doses(main->arm, stress->arm);
    shared_bases both;
    inference full[WITHIN], part[WITHIN];
    const char *condition;
    TRY_NEW(condition = arena_printf(&t->out->a, "edited within the %s mask",
                                     stress->arm->stress_set));
    TRY(share(&both, t, main, stress, err));
    TRY(means_of(full, t, main, &both.main, err));
    TRY(means_of(part, t, stress, &both.stress, err));
    base_count count = count_frame(stress, &both.stress);
    bool few = both.stress.plan.clusters < INFER_CLUSTERS_MIN;
    for (size_t k = 0; k < WITHIN; k++) {
        const judged *jf = study_get(t, main, readings[k].id);
        const judged *jp = study_get(t, stress, readings[k].id);
        if (!jf || !jp) continue;
        const tare_reading rf = *study_reading(t, jf), rp = *study_reading(t, jp);
        bool run = comparable && !few;
        reading_spec spec = {.name = readings[k].name, .condition = condition, .unit = rp.unit,
                             .count = &count, .reason = run ? rp.reason : REASON_NOT_RUN,
                             .extra = comparable ? "fewer than 6 clusters in both arms"
                                                 : "other doses than the main arm"};
        bool answered = run && !rp.reason[0] && !rf.reason[0] && readings[k].judged;
        if (run) spec.extra = "";
        if (answered)
            TRY_NEW(spec.extra = within_mark(t, &full[k], &part[k], main, stress));
        TRY(add(t, main, spec, &part[k], err));
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
        bool measured = false;
        for (size_t j = 0; j < ATTRIBUTE_SETS; j++)
            measured = measured || v->arm->attribute_set[j];
        if (arm_main(v->arm) && measured && study_get(t, v, RD_BETA))
            TRY(run_measuring(t, v, err));
        if (v->arm->stress && v->arm->partner < t->c->arms) TRY(run_intervening(t, v, err));
    }
done:
    return status;
}
