/* The shape of the fidelity curve in words (scorer audit 5.2, 5.3). */
#include <math.h>
#include <string.h>

#include "audit/scorer/study.h"
#include "base/error.h"
#include "stats/verdict.h"

#define KAPPA_NEAR (1.0 / 3.0)

static bool answered(const study *t, const judged *j)
{
    return j && study_reading(t, j)->reason[0] == '\0';
}

/* Sign of a side by its own two-sided test; 0 also where the side has no answer. */
static side_mark side_of(const study *t, const judged *j)
{
    if (!j) return SIDE_ABSENT;
    const tare_reading *r = study_reading(t, j);
    bool resolved = r->reason[0] == '\0' && r->p <= t->o.alpha && (r->lo > 0 || r->hi < 0);
    if (!resolved) return SIDE_ZERO;
    return r->estimate < 0 ? SIDE_MINUS : SIDE_PLUS;
}

/* The joint p of both sides (intersection-union), entered into grid iv. */
tare_status shape_joint_run(study *t, tare_error *err)
{
    tare_status status = TARE_OK;
    for (size_t k = 0; k < t->views; k++) {
        view *v = &t->view[k];
        const judged *n = study_get(t, v, RD_N), *p = study_get(t, v, RD_P);
        if (!n || !p) continue;
        const tare_reading *rn = study_reading(t, n), *rp = study_reading(t, p);
        /* A side below resolution counts as 0; with both below there is nothing to say. */
        double pn = rn->reason[0] ? 1 : rn->p, pp = rp->reason[0] ? 1 : rp->p;
        inference joint = inference_none(rn->reason[0] && rp->reason[0] ? rn->reason : "");
        joint.n = v->f.n;
        joint.clusters = v->f.plan.clusters;
        if (joint.reason[0] == '\0') {
            joint.p = fmax(pn, pp);
            joint.p_floor = fmax(rn->p_floor, rp->p_floor);
            joint.p_method = "intersection-union";
        }
        reading_spec spec = {.family = "shape", .name = "both_sides",
                             .grid = arm_main(v->arm) ? "iv" : "", .margin = NAN, .floor = NAN};
        TRY(study_add(t, v, v->arm, RD_SHAPE, &spec, &joint, err));
    }
done:
    return status;
}

static const char *class_of(side_mark n, side_mark p, bool equivalent)
{
    if (n == SIDE_MINUS && p == SIDE_MINUS) return "inverted U";
    if (n == SIDE_PLUS && p == SIDE_PLUS) return "U: perturbed preferred to original";
    if (n == SIDE_MINUS && p == SIDE_PLUS) return "directional: prefers the + side";
    if (n == SIDE_PLUS && p == SIDE_MINUS) return "directional: prefers the - side";
    if (n == SIDE_MINUS) return "one-sided penalty: - side";
    if (p == SIDE_MINUS) return "one-sided penalty: + side";
    if (n == SIDE_PLUS) return "one-sided bonus: - side";
    if (p == SIDE_PLUS) return "one-sided bonus: + side";
    return equivalent ? "practically insensitive" : "inconclusive";
}

static const char *symmetry_of(const study *t, const view *v)
{
    const judged *a = study_get(t, v, RD_A), *kappa = study_get(t, v, RD_KAPPA);
    if (!a) return "symmetry open";
    if (a->significant) {
        double k = kappa ? study_reading(t, kappa)->estimate : NAN;
        return fabs(k) <= KAPPA_NEAR ? "near-symmetric" : "lopsided";
    }
    /* Below resolution is not a proof of symmetry. */
    return answered(t, a) && a->equivalent ? "symmetric" : "symmetry open";
}

/* The paper's shorter rule: FI's interval above 0 and A's across 0 or small. */
static const char *short_rule(const study *t, const view *v)
{
    const judged *fi = study_get(t, v, RD_FI), *a = study_get(t, v, RD_A);
    if (!fi || !a) return "";
    const tare_reading *rf = study_reading(t, fi), *ra = study_reading(t, a);
    if (isnan(rf->lo) || isnan(ra->lo)) return "no answer";
    bool across = ra->lo <= 0 && ra->hi >= 0;
    bool small = !isnan(ra->margin) && fabs(ra->estimate) <= ra->margin;
    return rf->lo > 0 && (across || small) ? "inverted U" : "not inverted U";
}

/* Both sides and the net drift equivalent to 0 (5.3). */
static void insensitivity(study *t, view *v)
{
    const judged *n = study_get(t, v, RD_N), *p = study_get(t, v, RD_P);
    const judged *drift = study_get(t, v, RD_DRIFT), *dose = study_get(t, v, RD_DRIFT_DOSE);
    bool within = true, any = false;
    const judged *both[2] = {n, p};
    for (size_t k = 0; k < 2; k++) {
        if (!both[k]) continue;
        any = true;
        within = within && answered(t, both[k]) && both[k]->equivalent;
    }
    bool still = dose && answered(t, dose) && dose->equivalent;
    /* A drift in units that have no margin (a width) is judged by the dose alone (ours). */
    bool judged_too = drift && answered(t, drift) &&
                      !(t->o.margins && isnan(study_reading(t, drift)->margin));
    if (judged_too) still = still && drift->equivalent;
    v->insensitive = any && within && still && !v->capped;
    v->small_not_selection = any && within && !still && !v->capped;
}

static void classify_one_sided(const study *t, view *v)
{
    const judged *fi = study_get(t, v, RD_FI);
    if (!fi) return;
    const tare_reading *r = study_reading(t, fi);
    if (r->reason[0])
        v->shape = "no answer";
    else if (!fi->significant)
        v->shape = fi->equivalent ? "practically insensitive" : "inconclusive";
    else
        v->shape = r->estimate > 0 ? "one-sided penalty" : "one-sided bonus";
    v->side_n = side_of(t, study_get(t, v, RD_N));
    v->side_p = side_of(t, study_get(t, v, RD_P));
}

tare_status shape_class_run(study *t, tare_error *err)
{
    (void)err;
    for (size_t k = 0; k < t->views; k++) {
        view *v = &t->view[k];
        insensitivity(t, v);
        judged *joint = study_get(t, v, RD_SHAPE);
        if (!joint) {
            classify_one_sided(t, v);
            continue;
        }
        v->side_n = side_of(t, study_get(t, v, RD_N));
        v->side_p = side_of(t, study_get(t, v, RD_P));
        v->short_rule = short_rule(t, v);
        tare_reading *r = &t->out->readings[joint->reading];
        if (r->reason[0]) {
            v->shape = "no answer";
            continue;
        }
        v->shape = class_of(v->side_n, v->side_p, v->insensitive);
        v->inverted_u = v->side_n == SIDE_MINUS && v->side_p == SIDE_MINUS;
        if (v->inverted_u) v->symmetry = symmetry_of(t, v);
        /* The joint test speaks of two resolved sides; a single resolved side stands on its own
         * test, and none may still be shown to be negligible. */
        bool both = v->side_n != SIDE_ZERO && v->side_p != SIDE_ZERO;
        if (!both) r->verdict = v->insensitive ? TARE_NEGLIGIBLE : TARE_INCONCLUSIVE;
    }
    return TARE_OK;
}
