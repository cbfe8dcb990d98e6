/* Preference on held-out items under resampling: the choices stay, the clusters of each fold move
 * (judge audits B.6; ours). */
#include <math.h>
#include <string.h>

#include "audit/judge/preference.h"
#include "audit/panel/panel_study.h"
#include "base/error.h"

/* Columns of a cluster: the usable judges, then the panels of RULES chosen without its fold. */
typedef struct bias_job {
    const panel_study *s;
    size_t G, E, columns, cells;
    double *sum;            /* [clusters][columns][G]                    */
    bool yardstick;         /* a chosen panel is the mean of all judges   */
    double *rows;           /* [clusters][G] rows in the matrix           */
    size_t *own, *owns;     /* [folds][RULES][most], [folds][RULES]       */
    size_t *single, *place; /* [folds] the best single judge, and its column */
} bias_job;

static tare_status add_scores(bias_job *job, const panel_study *s, size_t fold, size_t rule,
                              bool *gaps, arena *a, tare_error *err)
{
    tare_status status = TARE_OK;
    const panel_rows *r = &s->rows;
    size_t at = fold * RULES + rule, *judge;
    searched p = panel_search_at(&s->search, s->fit.choice[at].panel);
    double *x, *scratch;
    TRY_NEW(judge = arena_new(a, p.size, sizeof *judge));
    TRY_NEW(x = arena_new(a, r->rows, sizeof *x));
    TRY_NEW(scratch = arena_new(a, PANEL_SCRATCH(p.size, r->dims), sizeof *scratch));
    for (size_t k = 0; k < p.size; k++) {
        judge[k] = p.member[k];
        size_t author = r->author_of[judge[k]];
        if (author != SIZE_MAX) job->own[at * s->search.o.most + job->owns[at]++] = author;
    }
    panel_members m = {judge, p.size, false, NULL};
    panel_score(x, r, &s->o.aggregate, &m, scratch);
    if (rule == RULE_GENTLE && panel_is_yardstick(r, x)) job->yardstick = true;
    for (size_t i = 0; i < r->rows; i++) {
        if (!r->in_matrix[i] || s->search.o.fold[r->cluster[i]] != fold) continue;
        *gaps = *gaps || isnan(x[i]);
        job->sum[r->cluster[i] * job->cells + (job->E + rule) * job->G + r->t->unit_author[i]] +=
            x[i];
    }
done:
    return status;
}

static bool add_judges(bias_job *job)
{
    const panel_rows *r = &job->s->rows;
    bool gaps = false;
    for (size_t i = 0; i < r->rows; i++) {
        uint32_t c = r->cluster[i], g = r->t->unit_author[i];
        if (!r->in_matrix[i]) continue;
        job->rows[c * job->G + g]++;
        for (size_t j = 0, e = 0; j < r->judges; j++) {
            if (!r->usable[j]) continue;
            gaps = gaps || isnan(r->score[i * r->judges + j]);
            job->sum[c * job->cells + e++ * job->G + g] += r->score[i * r->judges + j];
        }
    }
    return gaps;
}

typedef struct bias_scratch {
    double *sum, *rows, *phi, *residual, *standardised, *preference;
} bias_scratch;

static size_t scratch_doubles(const bias_job *job)
{
    size_t wide = job->E + 1;
    return job->cells + job->G + 3 * job->G * wide + PREFERENCE_SCRATCH(job->G, wide);
}

static bias_scratch place(const bias_job *job, void *memory)
{
    size_t matrix = job->G * (job->E + 1);
    bias_scratch w = {.sum = memory};
    w.rows = w.sum + job->cells;
    w.phi = w.rows + job->G;
    w.residual = w.phi + matrix;
    w.standardised = w.residual + matrix;
    w.preference = w.standardised + matrix;
    return w;
}

static void total_fold(const bias_job *job, const bias_scratch *w, const uint8_t *weight,
                       size_t fold)
{
    memset(w->sum, 0, (job->cells + job->G) * sizeof *w->sum); /* rows lie behind */
    for (size_t c = 0; c < job->s->t->cluster.count; c++) {
        double v = weight ? weight[c] : 1;
        if (v == 0 || job->s->search.o.fold[c] != fold) continue;
        const double *from = job->sum + c * job->cells;
        for (size_t k = 0; k < job->cells; k++) w->sum[k] += v * from[k];
        for (size_t g = 0; g < job->G; g++) w->rows[g] += v * job->rows[c * job->G + g];
    }
}

static double bias_of(const bias_job *job, const bias_scratch *w, size_t fold, size_t rule)
{
    size_t G = job->G, E = job->E, wide = E + 1, at = fold * RULES + rule;
    for (size_t g = 0; g < G; g++) {
        if (!(w->rows[g] > 0)) return NAN;
        for (size_t e = 0; e < E; e++) w->phi[g * wide + e] = w->sum[e * G + g] / w->rows[g];
        w->phi[g * wide + E] = w->sum[(E + rule) * G + g] / w->rows[g];
    }
    preference out = {.residual = w->residual, .standardised = w->standardised};
    preference_of(&out, w->phi, &(preference_shape){G, wide, job->s->o.ddof}, w->preference);
    bias_input in = {w->standardised, w->residual, G, wide,
                     job->own + at * job->s->search.o.most, job->owns[at]};
    return panel_bias(job->s->o.bias, &in);
}

/* |D| of the panel about its members' text, less that of the single judge about its own: from the
 * residuals of the panel's matrix, in which the judge has its column. */
static double less_d(const bias_job *job, const bias_scratch *w, size_t fold)
{
    size_t G = job->G, E = job->E, wide = E + 1, at = fold * RULES + RULE_GENTLE;
    const size_t *own = job->own + at * job->s->search.o.most;
    bias_kind kind = job->s->o.bias;
    double scale = (double)wide / (double)E * ((double)G / (double)(G - 1));
    double sum = 0, most = 0, judge = 0;
    if (kind == BIAS_RMS) {
        for (size_t g = 0; g < G; g++) {
            double p = w->residual[g * wide + E], j = w->residual[g * wide + job->place[fold]];
            sum += p * p;
            judge += j * j;
        }
        return scale * (sqrt(sum / (double)G) - sqrt(judge / (double)G));
    }
    size_t author = job->s->rows.author_of[job->single[fold]];
    for (size_t k = 0; k < job->owns[at]; k++) {
        double v = fabs(w->residual[own[k] * wide + E]);
        sum += v;
        if (!(v <= most)) most = v;
    }
    if (author != SIZE_MAX) judge = fabs(w->residual[author * wide + job->place[fold]]);
    if (job->owns[at]) sum /= (double)job->owns[at];
    return scale * ((kind == BIAS_MAX ? most : sum) - judge);
}

static void evaluate(double *values, const uint8_t *weight, const void *user, void *memory)
{
    const bias_job *job = user;
    bias_scratch w = place(job, memory);
    size_t folds = job->s->fit.folds;
    for (size_t k = 0; k <= RULES; k++) values[k] = 0;
    for (size_t k = 0; k < folds; k++) {
        total_fold(job, &w, weight, k);
        for (size_t rule = 0; rule < RULES; rule++) {
            values[rule] += bias_of(job, &w, k, rule) / (double)folds;
            if (rule == RULE_GENTLE) values[RULES] += less_d(job, &w, k) / (double)folds;
        }
    }
}

static tare_status count_less(panel_study *s, const bias_job *job, arena *a, tare_error *err)
{
    tare_status status = TARE_OK;
    void *memory;
    TRY_NEW(memory = arena_new(a, scratch_doubles(job), sizeof(double)));
    bias_scratch w = place(job, memory);
    for (size_t k = 0; k < s->fit.folds; k++) {
        total_fold(job, &w, NULL, k);
        bias_of(job, &w, k, RULE_GENTLE);
        s->fit.folds_less += less_d(job, &w, k) < 0;
    }
done:
    return status;
}

/* Who is compared, the margin, and why the comparison would be no finding. */
static tare_status find_singles(bias_job *job, panel_study *s, arena *a, tare_error *err)
{
    tare_status status = TARE_OK;
    crossfit *f = &s->fit;
    size_t silent_judge = 0, silent_panel = 0;
    f->margin_d = 0;
    TRY_NEW(job->single = arena_new(a, f->folds, sizeof *job->single));
    TRY_NEW(job->place = arena_new(a, f->folds, sizeof *job->place));
    for (size_t k = 0; k < f->folds; k++) {
        size_t j = panel_search_at(&s->search, f->choice[k * RULES + RULE_SINGLE].panel).member[0];
        job->single[k] = j;
        for (size_t i = 0; i < j; i++) job->place[k] += s->rows.usable[i];
        f->margin_d += PANEL_MARGIN_D * s->within_sd[j] / (double)f->folds;
        silent_judge += s->rows.author_of[j] == SIZE_MAX;
        silent_panel += job->owns[k * RULES + RULE_GENTLE] == 0;
    }
    if (job->yardstick)
        f->by_construction = "a panel that was chosen is the mean of all judges, from which "
                             "preference is measured";
    else if (s->o.bias != BIAS_RMS && silent_judge + silent_panel > 0)
        TRY_NEW(f->by_construction =
                    arena_printf(s->a, "in %zu of %zu folds %s, and so has no text of its own to "
                                       "favour",
                                 silent_judge ? silent_judge : silent_panel, f->folds,
                                 silent_judge ? "the best single judge writes nothing"
                                              : "no member of the chosen panel writes"));
done:
    return status;
}

tare_status panel_crossfit_bias(panel_study *s, tare_error *err)
{
    tare_status status = TARE_OK;
    crossfit *f = &s->fit;
    bias_job job = {.s = s, .G = s->rows.authors, .E = s->rows.usable_count};
    arena a;
    inference inf[RULES + 1];
    size_t M = s->t->cluster.count, most = s->search.o.most;
    arena_init(&a, s->m);
    f->less_d = inference_none("");
    for (size_t k = 0; k < RULES; k++) f->held_bias[k] = inference_none("");
    if (!s->searched || !s->rows.matrix || f->folds == 0) goto done;
    job.columns = job.E + RULES;
    job.cells = job.columns * job.G;
    TRY_NEW(job.sum = arena_new(&a, M * job.cells, sizeof *job.sum));
    TRY_NEW(job.rows = arena_new(&a, M * job.G, sizeof *job.rows));
    TRY_NEW(job.own = arena_new(&a, f->folds * RULES * most, sizeof *job.own));
    TRY_NEW(job.owns = arena_new(&a, f->folds * RULES, sizeof *job.owns));
    bool gaps = add_judges(&job);
    for (size_t k = 0; k < f->folds * RULES; k++) {
        if (f->choice[k].panel == SIZE_MAX) goto done;
        TRY(add_scores(&job, s, k / RULES, k % RULES, &gaps, &a, err));
    }
    TRY(find_singles(&job, s, &a, err));
    if (gaps) goto done; /* cells of unequal items: the folds' means stand without intervals */
    infer_weighted what = {.evaluate = evaluate, .user = &job, .outputs = RULES + 1,
                           .scratch_bytes = scratch_doubles(&job) * sizeof(double),
                           .n = s->rows.matrix_items};
    TRY(infer_weights(inf, &s->plan, &what, &s->book->scratch, err));
    TRY(count_less(s, &job, &a, err));
    for (size_t k = 0; k < RULES; k++) f->held_bias[k] = inf[k];
    f->less_d = inf[RULES];
done:
    arena_free(&a);
    return status;
}
