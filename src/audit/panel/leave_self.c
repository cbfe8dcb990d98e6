/* Scores of the panels, with everybody and without the member that wrote the text ("jury without
 * the defendant", judge audits B.4; ours). */
#include <math.h>
#include <string.h>

#include "audit/panel/panel_study.h"
#include "base/error.h"
#include "stats/moments.h"

#define REASON_OTHER_SCALE "other_scale"
#define SAME_SCALE 0.8 /* share of scores inside the range of gold (ours) */

/* Normal equations of Phi[g][k] = a_k + q_g + (sum of q = 0), solved by Gaussian elimination with
 * pivoting; m is [n][n + 1]. */
static bool solve(double *m, size_t n)
{
    for (size_t c = 0; c < n; c++) {
        size_t best = c;
        for (size_t r = c + 1; r < n; r++)
            if (fabs(m[r * (n + 1) + c]) > fabs(m[best * (n + 1) + c])) best = r;
        if (!(fabs(m[best * (n + 1) + c]) > 1e-9)) return false;
        for (size_t k = c; k <= n && best != c; k++) {
            double keep = m[c * (n + 1) + k];
            m[c * (n + 1) + k] = m[best * (n + 1) + k];
            m[best * (n + 1) + k] = keep;
        }
        for (size_t r = 0; r < n; r++) {
            double f = m[r * (n + 1) + c] / m[c * (n + 1) + c];
            if (r == c || f == 0) continue;
            for (size_t k = c; k <= n; k++) m[r * (n + 1) + k] -= f * m[c * (n + 1) + k];
        }
    }
    return true;
}

bool leave_self_effects(double *effect, const effects_input *in, double *scratch)
{
    size_t E = in->judges, G = in->authors, n = E + G;
    double *m = scratch;
    memset(m, 0, n * (n + 1) * sizeof *m);
    for (size_t g = 0; g < G; g++) {
        for (size_t k = 0; k < E; k++) {
            if (in->self[k] == g) continue;
            double v = in->phi[g * E + k];
            m[k * (n + 1) + k]++;
            m[k * (n + 1) + E + g]++;
            m[(E + g) * (n + 1) + k]++;
            m[(E + g) * (n + 1) + E + g]++;
            m[k * (n + 1) + n] += v;
            m[(E + g) * (n + 1) + n] += v;
        }
    }
    /* The judges' and the authors' equations say the same once: sum q = 0 takes that place. */
    for (size_t a = 0; a < G; a++)
        for (size_t b = 0; b < G; b++) m[(E + a) * (n + 1) + E + b]++;
    if (!solve(m, n)) return false;
    for (size_t k = 0; k < E; k++) effect[k] = m[k * (n + 1) + n] / m[k * (n + 1) + k];
    return true;
}

/* phi [G][usable judges] of one dim. False in `all`: a cell is empty. */
static tare_status cell_means(double *phi, bool *all, panel_study *s, const double *score,
                              tare_error *err)
{
    tare_status status = TARE_OK;
    const panel_rows *r = &s->rows;
    size_t E = r->usable_count, cells = E * r->authors;
    neumaier *sum;
    size_t *n;
    TRY_NEW(sum = arena_new(&s->scratch, cells, sizeof *sum));
    TRY_NEW(n = arena_new(&s->scratch, cells, sizeof *n));
    for (size_t i = 0; i < r->rows; i++) {
        for (size_t j = 0, e = 0; r->in_matrix[i] && j < r->judges; j++) {
            if (!r->usable[j]) continue;
            size_t at = r->t->unit_author[i] * E + e++;
            if (isnan(score[i * r->judges + j])) continue;
            neumaier_add(&sum[at], score[i * r->judges + j]);
            n[at]++;
        }
    }
    for (size_t k = 0; k < cells; k++) *all = *all && n[k] > 0;
    for (size_t k = 0; k < cells; k++) phi[k] = neumaier_total(&sum[k]) / (double)n[k];
done:
    return status;
}

tare_status panel_effects(panel_study *s, tare_error *err)
{
    tare_status status = TARE_OK;
    const panel_rows *r = &s->rows;
    size_t E = r->usable_count, G = r->authors, n = E + G, *self;
    double *scratch, *effect, *phi;
    bool all = true;
    TRY_NEW(s->effect = arena_new(&s->scratch, r->dims * r->judges, sizeof *s->effect));
    if (!r->matrix) goto done;
    TRY_NEW(s->phi = arena_new(&s->scratch, E * G, sizeof *s->phi));
    TRY_NEW(self = arena_new(&s->scratch, E, sizeof *self));
    TRY_NEW(effect = arena_new(&s->scratch, E, sizeof *effect));
    TRY_NEW(scratch = arena_new(&s->scratch, n * (n + 1), sizeof *scratch));
    TRY_NEW(phi = arena_new(&s->scratch, E * G, sizeof *phi));
    for (size_t j = 0, e = 0; j < r->judges; j++)
        if (r->usable[j]) self[e++] = r->author_of[j];
    TRY(cell_means(s->phi, &all, s, r->score, err));
    effects_input in = {phi, self, G, E};
    s->effects_known = true;
    /* A judge may be lenient in one dim and severe in another. */
    for (size_t d = 0; d < r->dims; d++) {
        TRY(cell_means(phi, &all, s, r->dim_score[d], err));
        s->effects_known = s->effects_known && all && leave_self_effects(effect, &in, scratch);
        for (size_t j = 0, e = 0; j < r->judges; j++)
            if (r->usable[j]) s->effect[d * r->judges + j] = effect[e++];
    }
done:
    return status;
}

static bool writes(const panel_result *p)
{
    for (size_t k = 0; k < p->count; k++)
        if (p->member[k].author != SIZE_MAX) return true;
    return false;
}

/* Labels are no amounts: nothing is taken from them, the author's own vote is left out. */
static bool shifts(const panel_study *s)
{
    return !s->o.lso_raw && !aggregate_votes(s->o.aggregate.rule);
}

static tare_status score_one(panel_study *s, panel_result *p, tare_error *err)
{
    tare_status status = TARE_OK;
    const panel_rows *r = &s->rows;
    double *scratch;
    TRY_NEW(scratch = arena_new(&s->scratch, PANEL_SCRATCH(p->count, r->dims), sizeof *scratch));
    TRY_NEW(p->score = arena_new(&s->scratch, r->rows, sizeof *p->score));
    panel_members m = {p->judge, p->count, false, NULL};
    panel_score(p->score, r, &s->o.aggregate, &m, scratch);
    p->yardstick = panel_is_yardstick(r, p->score);
    p->dropped = r->scored;
    for (size_t i = 0; i < r->rows; i++) p->dropped -= !isnan(p->score[i]);
    TRY(agree_column_make(&p->column, &s->scratch, p->score, NULL, &s->agree_rows, err));
    if (p->count < 2 || !writes(p) || !r->matrix || (shifts(s) && !s->effects_known)) goto done;
    TRY_NEW(p->lso_score = arena_new(&s->scratch, r->rows, sizeof *p->lso_score));
    m.leave_self_out = true;
    m.shift = shifts(s) ? s->effect : NULL;
    panel_score(p->lso_score, r, &s->o.aggregate, &m, scratch);
    TRY(agree_column_make(&p->lso_column, &s->scratch, p->lso_score, NULL, &s->agree_rows, err));
done:
    return status;
}

/* Does the panel raise its member's text over truth more than it raises others? */
static double excess(const panel_rows *r, const double *score, size_t author)
{
    neumaier own = {0, 0}, other = {0, 0};
    size_t owns = 0, others = 0;
    for (size_t i = 0; i < r->rows; i++) {
        double d = score[i] - r->gold[i];
        if (!r->in_matrix[i] || isnan(d)) continue;
        bool self = r->t->unit_author[i] == author;
        neumaier_add(self ? &own : &other, d);
        owns += self;
        others += !self;
    }
    return neumaier_total(&own) / (double)owns - neumaier_total(&other) / (double)others;
}

/* score - gold means something only where both are amounts on one scale: 80 % of the panel's scores
 * lie in the range of gold, as in tare agree (ours). */
static const char *why_no_excess(const panel_study *s, const panel_result *p)
{
    const panel_rows *r = &s->rows;
    double low = INFINITY, high = -INFINITY;
    size_t n = 0, inside = 0;
    if (s->t->label.count && s->o.aggregate.rule != AGGREGATE_LMC) return "labels";
    if (s->o.aggregate.rule == AGGREGATE_ZMEAN) return REASON_OTHER_SCALE;
    for (size_t i = 0; i < r->rows; i++) {
        if (isnan(r->gold[i])) continue;
        low = fmin(low, r->gold[i]);
        high = fmax(high, r->gold[i]);
    }
    for (size_t i = 0; i < r->rows; i++) {
        if (isnan(p->score[i]) || isnan(r->gold[i])) continue;
        n++;
        inside += p->score[i] >= low && p->score[i] <= high;
    }
    return (double)inside >= SAME_SCALE * (double)n ? "" : REASON_OTHER_SCALE;
}

tare_status panel_scores_make(panel_study *s, tare_error *err)
{
    tare_status status = TARE_OK;
    for (size_t k = 0; k < s->panels; k++) {
        panel_result *p = &s->panel[k];
        TRY(score_one(s, p, err));
        const char *none = why_no_excess(s, p);
        for (size_t i = 0; i < p->count; i++) {
            panel_member *x = &p->member[i];
            x->excess = x->excess_lso = NAN;
            x->no_excess = x->author == SIZE_MAX ? "writes_nothing" : none;
            if (x->no_excess[0]) continue;
            x->excess = excess(&s->rows, p->score, x->author);
            if (p->lso_score) x->excess_lso = excess(&s->rows, p->lso_score, x->author);
        }
    }
done:
    return status;
}
