/* Robustness against clipping (scorer audit 7): the same readings from dose pairs that hardly
 * clip. */
#include <math.h>
#include <string.h>

#include "audit/scorer/base_count.h"
#include "audit/scorer/pool_weights.h"
#include "audit/scorer/robust.h"
#include "audit/scorer/wording.h"
#include "base/error.h"
#include "stats/moments.h"
#include "stats/verdict.h"

#define CLIP_MAX 0.05

/* Doses +-d of a grid that was typed as decimals are as far from the neutral one as this share of
 * the largest distance tells. */
#define PAIR_TOLERANCE 1e-6

typedef struct bounded {
    double *fi, *a, *drift;   /* [bases] */
    size_t *partner;          /* [doses] of +d the dose -d; the dose itself where there is none */
    bool *keep;               /* [doses] of the base at hand, as are the next three: kept doses */
    double *score, *dose, *w; /* [doses] */
    size_t bases, smaller;    /* with a dose left; of these those with fewer doses than all */
} bounded;

/* Doses by their distance from the neutral one, one on each side; a dose without its like is judged
 * by itself (ours). */
static void pair_doses(size_t *partner, const cube_arm *arm)
{
    size_t d0 = arm->neutral, m = arm->doses;
    double middle = arm->dose[d0];
    double limit = PAIR_TOLERANCE * fmax(fabs(arm->dose[0] - middle),
                                         fabs(arm->dose[m - 1] - middle));
    for (size_t d = 0; d < m; d++) partner[d] = d;
    for (size_t d = 0; d < d0; d++)
        for (size_t e = d0 + 1; e < m; e++) {
            if (fabs(arm->dose[d] + arm->dose[e] - 2 * middle) > limit) continue;
            partner[d] = e;
            partner[e] = d;
        }
}

/* Doses of a base that may stay: +-d with the artifact small on both. Returns how many stay beside
 * the neutral one. */
static size_t keep_doses(const bounded *x, const cube_arm *arm, const double *artifact)
{
    size_t kept = 0;
    for (size_t d = 0; d < arm->doses; d++) {
        bool small = artifact[d] <= CLIP_MAX && artifact[x->partner[d]] <= CLIP_MAX;
        x->keep[d] = small || d == arm->neutral;
        kept += small && d != arm->neutral;
    }
    return kept;
}

/* Mean of the kept doses of one side less the neutral one, or the outermost of them alone. */
static double side_bounded(const bounded *x, const cube_arm *arm, const double *s, bool above,
                           bool extreme)
{
    size_t d0 = arm->neutral, m = arm->doses, n = above ? m - 1 - d0 : d0, k = 0;
    neumaier sum = {0, 0};
    for (size_t j = 0; j < n && !(extreme && k); j++) {
        size_t d = above ? m - 1 - j : j;
        if (!x->keep[d]) continue;
        neumaier_add(&sum, s[d] - s[d0]);
        k++;
    }
    return k ? neumaier_total(&sum) / (double)k : NAN;
}

/* Net drift over the doses that stay. */
static tare_status drift_bounded(bounded *out, const study *t, const view *v, size_t i,
                                 tare_error *err)
{
    const cube_arm *arm = v->arm;
    size_t left = 0;
    double *score = out->score, *dose = out->dose, *w = out->w, ties;
    for (size_t d = 0; d < arm->doses; d++) {
        if (!out->keep[d]) continue;
        score[left] = v->scores->s[i * arm->doses + d];
        dose[left++] = arm->dose[d];
    }
    pool_weights rule = {.n = t->o.bon_n, .replace = t->o.bon_replace,
                         .first = strcmp(t->o.bon_ties, "first") == 0};
    if ((rule.n > left && !rule.replace) || arm->doses > POOL_WEIGHTS_MAX) return TARE_OK;
    tare_status status = pool_weights_exact(w, &ties, &rule, score, left, err);
    neumaier best = {0, 0};
    for (size_t d = 0; d < left && status == TARE_OK; d++) neumaier_add(&best, w[d] * dose[d]);
    out->drift[i] = snap_zero(neumaier_total(&best) - moments_mean(dose, left),
                              fabs(dose[left - 1] - dose[0]));
    return status;
}

/* A base of which no dose goes has its readings, to the bit and in the form that is tested. */
static tare_status base_bounded(bounded *out, const study *t, const view *v, size_t i,
                                tare_error *err)
{
    const cube_arm *arm = v->arm;
    size_t m = arm->doses, d0 = arm->neutral, kept;
    const double *s = v->scores->s + i * m;
    kept = keep_doses(out, arm, arm->artifact + i * m);
    if (kept + 1 == m) {
        out->fi[i] = v->tested.fi[i];
        out->a[i] = v->tested.a[i];
        if (v->net_dose) out->drift[i] = v->net_dose[i];
        out->bases++;
        return TARE_OK;
    }
    bool extreme = strcmp(t->o.doses, "extreme") == 0, two = d0 > 0 && d0 + 1 < m;
    double n = side_bounded(out, arm, s, false, extreme);
    double p = side_bounded(out, arm, s, true, extreme);
    if (kept == 0 || (two && isnan(n + p))) return TARE_OK;
    double scale = fabs(n) + fabs(p);
    out->fi[i] = two ? snap_zero(-(n + p) / 2, scale) : -(d0 > 0 ? n : p);
    if (two) out->a[i] = snap_zero(p - n, scale);
    out->bases++;
    out->smaller++;
    return drift_bounded(out, t, v, i, err);
}

bool robust_agrees(const tare_reading *full, const inference *part)
{
    if (isnan(full->lo) || isnan(part->lo)) return false;
    bool sign = (full->estimate > 0) == (part->estimate > 0) &&
                (full->estimate < 0) == (part->estimate < 0);
    return sign && part->estimate >= full->lo && part->estimate <= full->hi &&
           full->estimate >= part->lo && full->estimate <= part->hi;
}

/* Bases without the artifact are missing; those of which too little is left are excluded. */
static base_count count_bounded(const view *v, const double *x, size_t lacking)
{
    base_count c = count_values(v, x, TARE_R_EXCLUDED);
    c.missing[TARE_R_EXCLUDED] -= lacking;
    c.missing[TARE_R_MISSING] += lacking;
    return c;
}

static tare_status bound_bases(bounded *x, size_t *lacking, study *t, const view *v,
                               tare_error *err)
{
    tare_status status = TARE_OK;
    size_t m = v->arm->doses;
    TRY_NEW(x->fi = brief_array(t, v->f.bases));
    TRY_NEW(x->a = brief_array(t, v->f.bases));
    TRY_NEW(x->drift = brief_array(t, v->f.bases));
    TRY_NEW(x->partner = arena_new(&t->brief, m, sizeof *x->partner));
    TRY_NEW(x->keep = arena_new(&t->brief, m, sizeof *x->keep));
    TRY_NEW(x->score = brief_array(t, m));
    TRY_NEW(x->dose = brief_array(t, m));
    TRY_NEW(x->w = brief_array(t, m));
    pair_doses(x->partner, v->arm);
    for (size_t i = 0; i < v->f.bases; i++) {
        if (!v->f.used[i]) continue;
        bool whole = true;
        for (size_t d = 0; d < m; d++) whole = whole && isfinite(v->arm->artifact[i * m + d]);
        *lacking += !whole;
        if (whole) TRY(base_bounded(x, t, v, i, err));
    }
done:
    return status;
}

/* Why no base is left; "" where one is. */
static const char *impossible_words(const bounded *x, const view *v, size_t lacking)
{
    if (x->bases || v->f.n == 0 || v->arm->doses < 2) return "";
    return lacking == v->f.n ? "not possible: no image has the artifact at every dose"
                             : "not possible: every dose of every base clips";
}

static tare_status run_view(study *t, view *v, tare_error *err)
{
    tare_status status = TARE_OK;
    bounded x = {0};
    size_t lacking = 0;
    TRY(bound_bases(&x, &lacking, t, v, err));
    const base_count counts[2] = {count_bounded(v, x.fi, lacking),
                                  count_bounded(v, x.drift, lacking)};
    const double *columns[3] = {x.fi, x.a, x.drift};
    static const char *const names[3] = {"FI", "A", "net_drift"};
    static const reading_id full[3] = {RD_FI, RD_A, RD_DRIFT_DOSE};
    static const reading_id ids[3] = {RD_CLIP_FI, RD_CLIP_A, RD_CLIP_DRIFT};
    inference inf[3];
    const char *impossible = impossible_words(&x, v, lacking);
    TRY(study_means(inf, t, &v->f, columns, 3, err));
    for (size_t j = 0; j < 3; j++) {
        const judged *whole = study_get(t, v, full[j]);
        if (!whole) continue;
        const char *not_run = v->degenerate               ? ""
                              : j == 2 && v->pool_words[0] ? v->pool_words
                                                           : impossible;
        /* The drift is shown: it moves with the size of the pool (ours). */
        const char *mark = not_run[0]                ? not_run
                           : v->degenerate           ? ""
                           : j == 2                  ? x.smaller ? "from smaller pools" : ""
                           : isnan(inf[j].lo)        ? ""
                           : robust_agrees(study_reading(t, whole), &inf[j]) ? "pass"
                                                                             : "fail";
        reading_spec spec = {.family = "robust", .name = names[j], .condition = "clip-bounded",
                             .unit = j == 2 ? "dose" : "score", .margin = NAN, .floor = NAN,
                             .count = &counts[j == 2], .descriptive = true, .extra = mark,
                             .reason = v->degenerate ? REASON_DEGENERATE
                                       : not_run[0]  ? REASON_NOT_RUN
                                                     : ""};
        TRY(study_add(t, v, v->arm, ids[j], &spec, &inf[j], err));
    }
done:
    arena_free(&t->brief);
    return status;
}

/* The bound is one of clipping: of a warp the artifact is the edit (ours). */
static tare_status refuse_view(study *t, view *v, tare_error *err)
{
    static const char *const names[2] = {"FI", "A"};
    static const reading_id full[2] = {RD_FI, RD_A}, ids[2] = {RD_CLIP_FI, RD_CLIP_A};
    tare_status status = TARE_OK;
    for (size_t j = 0; j < 2; j++) {
        inference none = inference_none(REASON_NOT_RUN);
        base_count count = count_view(v);
        reading_spec spec = {.family = "robust", .name = names[j], .condition = "clip-bounded",
                             .unit = "score", .margin = NAN, .floor = NAN, .count = &count,
                             .descriptive = true, .reason = REASON_NOT_RUN,
                             .extra = "not applicable to a warp"};
        if (study_get(t, v, full[j])) TRY(study_add(t, v, v->arm, ids[j], &spec, &none, err));
    }
done:
    return status;
}

tare_status robust_run(study *t, tare_error *err)
{
    tare_status status = TARE_OK;
    for (size_t k = 0; k < t->views; k++) {
        view *v = &t->view[k];
        if (!v->arm->artifact || !arm_main(v->arm)) continue;
        TRY(is_warp_artifact(v->arm) ? refuse_view(t, v, err) : run_view(t, v, err));
    }
done:
    return status;
}
