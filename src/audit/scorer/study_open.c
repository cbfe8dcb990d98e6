/* Opening a study: which bases each scorer has in full, what is missing and why, the yardstick. */
#include <math.h>
#include <string.h>

#include "audit/scorer/base_count.h"
#include "audit/scorer/exclusion.h"
#include "audit/scorer/study.h"
#include "base/error.h"
#include "stats/moments.h"

static tare_status view_open(view *v, study *t, size_t arm_index, size_t scorer_index,
                             tare_error *err)
{
    tare_status status = TARE_OK;
    const cube_arm *arm = &t->c->arm[arm_index];
    v->arm_index = arm_index;
    v->scorer_index = scorer_index;
    v->arm = arm;
    v->scorer = t->c->scorer[scorer_index];
    v->scores = cube_at(t->c, arm_index, scorer_index);
    v->sd0 = v->gamma_adjust = v->vif = v->tie_rate = NAN;
    v->gamma_note = v->shape = v->symmetry = v->short_rule = "";
    v->drift_words = v->groups_left_out = v->pool_words = "";
    for (size_t i = 0; i < RD_COUNT; i++) v->at[i] = SIZE_MAX;
    bool *used;
    TRY_NEW(used = arena_new(&t->scratch, arm->bases + 1, sizeof *used));
    TRY_NEW(v->lost = arena_new(&t->scratch, arm->bases + 1, sizeof *v->lost));
    v->expected = arm->bases + arm->excluded;
    bool first = true, varied = false;
    double value = 0;
    for (size_t i = 0; i < arm->bases; i++) {
        const uint8_t *reasons = v->scores->status + i * arm->doses;
        const double *s = v->scores->s + i * arm->doses;
        tare_reason reason = TARE_R_NONE;
        for (size_t d = 0; d < arm->doses && reason == TARE_R_NONE; d++)
            reason = reasons[d] != TARE_R_NONE ? (tare_reason)reasons[d]
                     : isfinite(s[d])          ? TARE_R_NONE
                                               : TARE_R_SCORE_NONFINITE;
        used[i] = reason == TARE_R_NONE;
        v->lost[i] = (uint8_t)reason;
        if (!used[i]) v->missing[reason]++;
        for (size_t d = 0; used[i] && d < arm->doses; d++) {
            if (first) value = s[d];
            varied = varied || s[d] != value;
            v->too_large = v->too_large || fabs(s[d]) > SCORE_MOST;
            first = false;
        }
    }
    v->degenerate = (!first && !varied) || v->too_large;
    TRY(frame_make(&v->f, t, arm, used, err));
    /* Bases excluded before scoring: every scorer lacks them. */
    for (size_t i = 0; i < t->c->missing_count; i++) {
        const result_missing *x = &t->c->missing[i];
        if (excluded_from(x, arm)) v->missing[x->reason] += x->count;
    }
done:
    return status;
}

/* SD over bases of the neutral score, ddof 1; NaN of scores that are too large. */
static tare_status neutral_sd(double *out, study *t, const view *v, tare_error *err)
{
    if (v->too_large) return TARE_OK;
    double *x = study_array(t, v->f.bases);
    if (!x) return error_memory(err);
    size_t n = 0;
    for (size_t i = 0; i < v->f.bases; i++)
        if (v->f.used[i]) x[n++] = v->scores->s[i * v->arm->doses + v->arm->neutral];
    *out = moments_sd(x, n, 1);
    return TARE_OK;
}

/* One yardstick per scorer: the real arm's if there is one, else that of the first main arm. */
static tare_status yardstick(study *t, size_t scorer, tare_error *err)
{
    size_t best = SIZE_MAX;
    int best_rank = 0;
    for (size_t a = 0; a < t->c->arms; a++) {
        const cube_arm *arm = &t->c->arm[a];
        const view *v = &t->view[a * t->c->scorers + scorer];
        int rank = (arm_main(arm) ? 1 : 0) + (strcmp(arm->kind, "real") == 0 ? 2 : 0);
        if (v->f.n < 2) continue;
        if (best == SIZE_MAX || rank > best_rank) {
            best = a;
            best_rank = rank;
        }
    }
    if (best == SIZE_MAX) return TARE_OK;
    double sd = NAN;
    tare_status status = neutral_sd(&sd, t, &t->view[best * t->c->scorers + scorer], err);
    for (size_t a = 0; a < t->c->arms; a++) t->view[a * t->c->scorers + scorer].sd0 = sd;
    return status;
}

tare_status study_open(study *t, audit_result *out, tare_context *context, const cube *c,
                       const analyse_options *options, tare_error *err)
{
    tare_status status = TARE_OK;
    memset(t, 0, sizeof *t);
    t->out = out;
    t->context = context;
    t->m = &context->mem;
    t->o = options ? *options : ANALYSE_OPTIONS_DEFAULT;
    arena_init(&t->scratch, t->m);
    arena_init(&t->brief, t->m);
    arena_init(&t->passing, t->m);
    arena_init(&t->members, t->m);
    if (t->o.boot_b == 0 || t->o.perm_p == 0)
        FAIL(err, TARE_E_USAGE, "analyse.replicates", NULL,
             "the number of replicates must be at least 1");
    if (!(t->o.alpha > 0 && t->o.alpha < 0.5))
        FAIL(err, TARE_E_USAGE, "analyse.alpha", NULL, "alpha must lie between 0 and 0.5");
    if (t->o.bon_n == 0)
        FAIL(err, TARE_E_USAGE, "analyse.bon_n", NULL, "best-of-n needs n of at least 1");
    if (t->o.bon_draws > 1000000)
        FAIL(err, TARE_E_USAGE, "analyse.bon_draws", NULL,
             "at most 1000000 sampled draws per base; 0 computes them all exactly");
    TRY(study_own_texts(t, c, err));
    if (t->o.paper) TRY(study_cut_clusters(t, err));
    t->views = c->arms * c->scorers;
    TRY_NEW(t->view = arena_new(&t->scratch, t->views + 1, sizeof *t->view));
    TRY_NEW(t->exclusion = arena_new(&t->scratch, c->arms + 1, sizeof *t->exclusion));
    TRY_NEW(t->instrument = arena_new(&t->scratch, c->arms + 1, sizeof *t->instrument));
    TRY_NEW(t->criterion = arena_new(&t->scratch, t->views + 1, sizeof *t->criterion));
    for (size_t a = 0; a < c->arms; a++)
        for (size_t k = 0; k < c->scorers; k++)
            TRY(view_open(&t->view[a * c->scorers + k], t, a, k, err));
    for (size_t k = 0; k < c->scorers; k++) TRY(yardstick(t, k, err));
done:
    return status;
}

void study_close(study *t)
{
    if (!t->m) return;
    for (size_t i = 0; i < t->draws_count; i++) infer_draws_free(t->draws[i].draws);
    mem_free(t->m, t->draws);
    mem_free(t->m, t->judged);
    arena_free(&t->passing);
    arena_free(&t->members);
    arena_free(&t->brief);
    arena_free(&t->scratch);
}
