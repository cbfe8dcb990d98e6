/* What a panel loses or gains with each of its members (judge audits B.5): estimates only. */
#include <math.h>
#include <string.h>

#include "audit/judge/preference.h"
#include "audit/panel/panel_study.h"
#include "base/error.h"
#include "stats/moments.h"

typedef struct rest {
    double *score, *both, *panel, *phi, *residual, *standardised, *preference;
    size_t *judge, *own;
} rest;

static tare_status rest_new(rest *w, arena *a, const panel_study *s, tare_error *err)
{
    tare_status status = TARE_OK;
    const panel_rows *r = &s->rows;
    size_t cells = r->authors * (r->usable_count + 1);
    TRY_NEW(w->score = arena_new(a, r->rows, sizeof *w->score));
    TRY_NEW(w->both = arena_new(a, r->rows, sizeof *w->both));
    TRY_NEW(w->panel = arena_new(a, PANEL_SCRATCH(r->judges, r->dims), sizeof *w->panel));
    TRY_NEW(w->phi = arena_new(a, cells, sizeof *w->phi));
    TRY_NEW(w->residual = arena_new(a, cells, sizeof *w->residual));
    TRY_NEW(w->standardised = arena_new(a, cells, sizeof *w->standardised));
    TRY_NEW(w->preference = arena_new(a, PREFERENCE_SCRATCH(r->authors, r->usable_count + 1),
                                      sizeof *w->preference));
    TRY_NEW(w->judge = arena_new(a, r->judges, sizeof *w->judge));
    TRY_NEW(w->own = arena_new(a, r->judges, sizeof *w->own));
done:
    return status;
}

static double bias_of_score(const panel_study *s, const rest *w, size_t count)
{
    const panel_rows *r = &s->rows;
    size_t G = r->authors, E = r->usable_count, owns = 0;
    if (!s->phi) return NAN;
    for (size_t g = 0; g < G; g++) {
        neumaier sum = {0, 0};
        size_t n = 0;
        for (size_t i = 0; i < r->rows; i++) {
            if (!r->in_matrix[i] || r->t->unit_author[i] != g || isnan(w->score[i])) continue;
            neumaier_add(&sum, w->score[i]);
            n++;
        }
        if (n == 0) return NAN;
        memcpy(w->phi + g * (E + 1), s->phi + g * E, E * sizeof *w->phi);
        w->phi[g * (E + 1) + E] = neumaier_total(&sum) / (double)n;
    }
    for (size_t k = 0; k < count; k++)
        if (r->author_of[w->judge[k]] != SIZE_MAX) w->own[owns++] = r->author_of[w->judge[k]];
    preference out = {.residual = w->residual, .standardised = w->standardised};
    preference_of(&out, w->phi, &(preference_shape){G, E + 1, s->o.ddof}, w->preference);
    bias_input in = {w->standardised, w->residual, G, E + 1, w->own, owns};
    return panel_bias(s->o.bias, &in);
}

/* Agreement and bias of the scores in `w` of these members. */
static tare_status measure(double *agree, double *bias, panel_study *s, const rest *w, size_t count,
                           tare_error *err)
{
    tare_status status = TARE_OK;
    arena a;
    agree_column column;
    void *scratch;
    arena_init(&a, s->m);
    TRY(agree_column_make(&column, &a, w->score, NULL, &s->agree_rows, err));
    TRY_NEW(scratch = arena_new(&a, agree_column_scratch(&column, s->labels.count), 1));
    *agree = agree_of_column(s->o.agree, &column, NULL, &s->labels, scratch);
    *bias = bias_of_score(s, w, count);
done:
    arena_free(&a);
    return status;
}

/* With and without the member on the rows that have both scores. */
static tare_status leave_out(panel_study *s, panel_result *p, size_t member, const rest *w,
                             tare_error *err)
{
    tare_status status = TARE_OK;
    panel_member *x = &p->member[member];
    double agree, bias;
    size_t n = 0;
    for (size_t k = 0; k < p->count; k++)
        if (k != member) w->judge[n++] = p->judge[k];
    panel_members m = {w->judge, n, false, NULL};
    panel_score(w->score, &s->rows, &s->o.aggregate, &m, w->panel);
    for (size_t i = 0; i < s->rows.rows; i++) {
        w->both[i] = isnan(w->score[i]) ? NAN : p->score[i];
        if (isnan(p->score[i])) w->score[i] = NAN;
    }
    TRY(measure(&x->agree_without, &x->bias_without, s, w, n, err));
    memcpy(w->score, w->both, s->rows.rows * sizeof *w->score);
    memcpy(w->judge, p->judge, p->count * sizeof *w->judge);
    TRY(measure(&agree, &bias, s, w, p->count, err));
    x->agree_change = x->agree_without - agree;
    x->bias_change = x->bias_without - bias;
done:
    return status;
}

tare_status panel_without_member(panel_study *s, tare_error *err)
{
    tare_status status = TARE_OK;
    rest w = {0};
    TRY(rest_new(&w, &s->scratch, s, err));
    for (size_t k = 0; k < s->panels; k++) {
        panel_result *p = &s->panel[k];
        for (size_t i = 0; i < p->count; i++) {
            panel_member *x = &p->member[i];
            x->agree_without = x->bias_without = x->agree_change = x->bias_change = NAN;
            if (p->count > 1) TRY(leave_out(s, p, i, &w, err));
        }
    }
done:
    return status;
}
