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

typedef struct bounded {
    double *fi, *a, *drift;   /* [bases] */
    bool *keep;               /* [doses] of the base at hand, as are the next three: kept doses */
    double *score, *dose, *w; /* [doses] */
} bounded;

/* Doses of a base that may stay: +-d with the artifact small on both, by position; on a one-sided
 * grid each dose by itself. Returns how many doses stay beside the neutral one. */
static size_t keep_doses(bool *keep, const cube_arm *arm, const double *artifact)
{
    size_t d0 = arm->neutral, m = arm->doses, kept = 0;
    for (size_t d = 0; d < m; d++) keep[d] = d == d0;
    bool two = d0 > 0 && d0 + 1 < m;
    for (size_t k = 1; k < m; k++) {
        bool below = d0 >= k, above = d0 + k < m;
        if (two && !(below && above)) continue;
        bool small = true;
        if (below) small = small && artifact[d0 - k] <= CLIP_MAX;
        if (above) small = small && artifact[d0 + k] <= CLIP_MAX;
        if (!small || (!below && !above)) continue;
        if (below) keep[d0 - k] = true;
        if (above) keep[d0 + k] = true;
        kept += (size_t)below + (size_t)above;
    }
    return kept;
}

static tare_status base_bounded(const bounded *out, const study *t, const view *v, size_t i,
                                tare_error *err)
{
    const cube_arm *arm = v->arm;
    size_t m = arm->doses, d0 = arm->neutral;
    bool *keep = out->keep;
    const double *s = v->scores->s + i * m;
    if (keep_doses(keep, arm, arm->artifact + i * m) == 0) return TARE_OK;
    neumaier below = {0, 0}, above = {0, 0};
    size_t nb = 0, na = 0, left = 0;
    double *score = out->score, *dose = out->dose, *w = out->w, ties;
    for (size_t d = 0; d < m; d++) {
        if (!keep[d]) continue;
        score[left] = s[d];
        dose[left++] = arm->dose[d];
        if (d < d0) neumaier_add(&below, s[d] - s[d0]), nb++;
        if (d > d0) neumaier_add(&above, s[d] - s[d0]), na++;
    }
    double n = nb ? neumaier_total(&below) / (double)nb : NAN;
    double p = na ? neumaier_total(&above) / (double)na : NAN;
    bool two = d0 > 0 && d0 + 1 < m;
    double scale = fabs(n) + fabs(p);
    out->fi[i] = two ? snap_zero(-(n + p) / 2, scale) : -(nb ? n : p);
    if (two) out->a[i] = snap_zero(p - n, scale);
    pool_weights rule = {.n = t->o.bon_n, .replace = t->o.bon_replace,
                         .first = strcmp(t->o.bon_ties, "first") == 0};
    if ((rule.n > left && !rule.replace) || m > POOL_WEIGHTS_MAX) return TARE_OK;
    tare_status status = pool_weights_exact(w, &ties, &rule, score, left, err);
    neumaier best = {0, 0};
    for (size_t d = 0; d < left && status == TARE_OK; d++) neumaier_add(&best, w[d] * dose[d]);
    out->drift[i] = snap_zero(neumaier_total(&best) - moments_mean(dose, left),
                              fabs(dose[left - 1] - dose[0]));
    return status;
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

static tare_status run_view(study *t, view *v, tare_error *err)
{
    tare_status status = TARE_OK;
    bounded x;
    size_t lacking = 0;
    TRY_NEW(x.fi = brief_array(t, v->f.bases));
    TRY_NEW(x.a = brief_array(t, v->f.bases));
    TRY_NEW(x.drift = brief_array(t, v->f.bases));
    TRY_NEW(x.keep = arena_new(&t->brief, v->arm->doses, sizeof *x.keep));
    TRY_NEW(x.score = brief_array(t, v->arm->doses));
    TRY_NEW(x.dose = brief_array(t, v->arm->doses));
    TRY_NEW(x.w = brief_array(t, v->arm->doses));
    for (size_t i = 0; i < v->f.bases; i++) {
        if (!v->f.used[i]) continue;
        bool whole = true;
        for (size_t d = 0; d < v->arm->doses; d++)
            whole = whole && isfinite(v->arm->artifact[i * v->arm->doses + d]);
        lacking += !whole;
        if (whole) TRY(base_bounded(&x, t, v, i, err));
    }
    const base_count counts[2] = {count_bounded(v, x.fi, lacking),
                                  count_bounded(v, x.drift, lacking)};
    const double *columns[3] = {x.fi, x.a, x.drift};
    static const char *const names[3] = {"FI", "A", "net_drift"};
    static const reading_id full[3] = {RD_FI, RD_A, RD_DRIFT_DOSE};
    static const reading_id ids[3] = {RD_CLIP_FI, RD_CLIP_A, RD_CLIP_DRIFT};
    inference inf[3];
    TRY(study_means(inf, t, &v->f, columns, 3, err));
    for (size_t j = 0; j < 3; j++) {
        const judged *whole = study_get(t, v, full[j]);
        if (!whole) continue;
        bool no_pool = j == 2 && v->pool_words[0];
        const char *mark = no_pool                                   ? v->pool_words
                           : isnan(inf[j].lo)                          ? ""
                           : robust_agrees(study_reading(t, whole), &inf[j]) ? "pass"
                                                                      : "fail";
        reading_spec spec = {.family = "robust", .name = names[j], .condition = "clip-bounded",
                             .unit = j == 2 ? "dose" : "score", .margin = NAN, .floor = NAN,
                             .count = &counts[j == 2],
                             .reason = no_pool         ? REASON_NOT_RUN
                                       : v->degenerate ? REASON_DEGENERATE
                                                       : "",
                             .descriptive = true, .extra = v->degenerate && !no_pool ? "" : mark};
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
