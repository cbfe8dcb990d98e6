/* Opening a study: which bases each scorer has in full, what is missing and why, the yardstick. */
#include <math.h>
#include <stdlib.h>
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

/* One base as an arm has it. */
typedef struct neutral_score {
    const char *set, *cluster, *base, *arm;
    double s;
} neutral_score;

static int compare_bases(const neutral_score *x, const neutral_score *y)
{
    int c = strcmp(x->set, y->set);
    if (c == 0) c = strcmp(x->cluster, y->cluster);
    return c ? c : strcmp(x->base, y->base);
}

static int compare_neutral(const void *px, const void *py)
{
    const neutral_score *x = px, *y = py;
    int c = compare_bases(x, y);
    return c ? c : strcmp(x->arm, y->arm);
}

typedef enum yardstick_arms { YARD_REAL, YARD_MAIN, YARD_ANY, YARD_KINDS } yardstick_arms;

static bool in_yardstick(const view *v, yardstick_arms which)
{
    if (v->too_large) return false;
    if (which == YARD_ANY) return true;
    return arm_main(v->arm) && (which == YARD_MAIN || strcmp(v->arm->kind, "real") == 0);
}

/* SD, ddof 1, of the neutral scores of the distinct bases of these arms. Of two merged runs it is
 * those of the first that has such arms: margins of the reference are those of its own report. */
static tare_status neutral_sd(double *out, study *t, size_t scorer, yardstick_arms which,
                              tare_error *err)
{
    tare_status status = TARE_OK;
    neutral_score *all = NULL;
    double *x = NULL;
    size_t rows = 0, n = 0, run = SIZE_MAX;
    for (size_t a = 0; a < t->c->arms; a++) {
        const view *v = &t->view[a * t->c->scorers + scorer];
        if (!in_yardstick(v, which)) continue;
        rows += v->f.n;
        if (v->f.n > 0 && v->arm->run < run) run = v->arm->run;
    }
    if (rows < 2) goto done;
    TRY_NEW(all = mem_new(t->m, rows, sizeof *all));
    TRY_NEW(x = mem_new(t->m, rows, sizeof *x));
    rows = 0;
    for (size_t a = 0; a < t->c->arms; a++) {
        const view *v = &t->view[a * t->c->scorers + scorer];
        const cube_arm *arm = v->arm;
        if (!in_yardstick(v, which) || arm->run != run) continue;
        for (size_t i = 0; i < arm->bases; i++)
            if (v->f.used[i])
                all[rows++] = (neutral_score){arm->set_name ? arm->set_name : arm->kind,
                                              arm->cluster_id[arm->cluster[i]], arm->base[i],
                                              arm->name,
                                              v->scores->s[i * arm->doses + arm->neutral]};
    }
    qsort(all, rows, sizeof *all, compare_neutral);
    for (size_t i = 0; i < rows; i++)
        if (i == 0 || compare_bases(&all[i - 1], &all[i]) != 0) x[n++] = all[i].s;
    if (n >= 2) *out = moments_sd(x, n, 1);
done:
    mem_free(t->m, all);
    mem_free(t->m, x);
    return status;
}

/* One yardstick per scorer: of the bases of the real main arms, else of all main arms, else of all.
 * The order of the arms is nothing to it, nor is another arm of the same bases. */
static tare_status yardstick(study *t, size_t scorer, tare_error *err)
{
    tare_status status = TARE_OK;
    double sd = NAN;
    for (int which = YARD_REAL; which < YARD_KINDS && isnan(sd); which++)
        TRY(neutral_sd(&sd, t, scorer, (yardstick_arms)which, err));
    for (size_t a = 0; a < t->c->arms; a++) t->view[a * t->c->scorers + scorer].sd0 = sd;
done:
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
