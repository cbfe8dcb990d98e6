/* Figures: front, vector of Phi~, correlation of errors (judge audits B.7). */
#include <math.h>
#include <string.h>

#include "audit/panel/table_cells.h"
#include "audit/words.h"
#include "base/error.h"

#define FIGURE_PANELS 6 /* panels drawn in the forest and the heat maps */

static tare_status figure_of(figure **out, panel_study *s, figure_kind kind, const char *id,
                             const char *title, tare_error *err)
{
    tare_status status = TARE_OK;
    const char *name = id, *text = title;
    if (s->t->layers > 1) {
        TRY_NEW(name = arena_printf(s->a, "%s-%zu", id, s->layer + 1));
        TRY_NEW(text = arena_printf(s->a, "%s (%s%s%s)", title, s->setting,
                                    s->setting[0] && s->dim[0] ? ", " : "", s->dim));
    }
    TRY_NEW(*out = result_add_figure(s->out, kind, name, text));
done:
    return status;
}

/* ---- Front ----------------------------------------------------------------------------------- */

typedef struct front_point { const char *series; double agree, lo, hi, bias; } front_point;

static tare_status add_front(panel_study *s, figure *f, size_t panel, const front_point *at,
                             tare_error *err)
{
    tare_status status = TARE_OK;
    searched x = panel_search_at(&s->search, panel);
    const char *name = s->t->judge.name[x.member[0]];
    figure_point *p;
    for (size_t k = 1; k < x.size; k++)
        TRY_NEW(name = arena_printf(s->a, "%s + %s", name, s->t->judge.name[x.member[k]]));
    TRY_NEW(p = result_add_point(s->out, f));
    *p = (figure_point){"", at->series, name, at->bias, at->agree, at->lo, at->hi, "", "", ""};
    const char *a = number_text(s->a, at->agree), *b = number_text(s->a, at->bias);
    if (!a || !b) FAIL_MEMORY(err);
    TRY_NEW(p->tip = arena_printf(s->a, "%s, %s: %s %s, %s %s", name, at->series, s->o.agree_name,
                                  a, s->o.bias_name, b));
done:
    return status;
}

static bool on_front(const panel_study *s, size_t panel)
{
    for (size_t k = 0; k < s->front_count; k++)
        if (s->front[k] == panel) return true;
    return false;
}

static tare_status front_figure(panel_study *s, tare_error *err)
{
    tare_status status = TARE_OK;
    figure *f;
    size_t folds = s->fit.folds;
    if (!s->searched || !s->rows.matrix) return TARE_OK;
    TRY(figure_of(&f, s, FIGURE_SCATTER, "front", "Agreement against preference", err));
    TRY_NEW(f->x_title = arena_printf(s->a, "preference for members' own text (%s)",
                                      s->o.bias_name));
    TRY_NEW(f->y_title = arena_printf(s->a, "agreement with gold (%s)", s->o.agree_name));
    f->caption = "Up is better agreement, left is less preference. On the front: no other panel "
                 "is at least as good on both. Fold mean: the same panel on single folds of the "
                 "items it was chosen on, the bar one SD over folds; preference is larger there "
                 "because smaller folds are noisier. Cross-fitted: what the recommended way of "
                 "choosing is worth on items it did not choose on, with its interval. Each "
                 "panel's preference is measured in a matrix of its own.";
    for (size_t k = 0; k < s->search.count; k++) {
        searched p = panel_search_at(&s->search, k);
        if (p.size != 1 || on_front(s, k) || isnan(p.agree[0]) || isnan(p.bias[0])) continue;
        front_point at = {"single judge", p.agree[0], NAN, NAN, p.bias[0]};
        TRY(add_front(s, f, k, &at, err));
    }
    for (size_t k = 0; k < s->front_count; k++) {
        searched p = panel_search_at(&s->search, s->front[k]);
        bool recommended = s->front[k] == panel_search_choose(&s->search, 0, 0).gentle;
        const char *series = recommended ? "recommended, all items" : "front, all items";
        front_point at = {series, p.agree[0], NAN, NAN, p.bias[0]};
        TRY(add_front(s, f, s->front[k], &at, err));
    }
    for (size_t k = 0; k < s->front_count && folds; k++) {
        searched p = panel_search_at(&s->search, s->front[k]);
        double agree, sd, bias, bias_sd;
        panel_mean_sd(&agree, &sd, p.agree + search_test(&s->search, 0), folds);
        panel_mean_sd(&bias, &bias_sd, p.bias + search_test(&s->search, 0), folds);
        if (isnan(agree) || isnan(bias)) continue;
        front_point at = {"fold mean, chosen on all items", agree, agree - sd, agree + sd, bias};
        TRY(add_front(s, f, s->front[k], &at, err));
    }
    size_t gentle = panel_search_choose(&s->search, 0, 0).gentle;
    const crossfit *c = &s->fit;
    if (folds && gentle != SIZE_MAX && !isnan(c->agree[RULE_GENTLE]) &&
        !isnan(c->bias[RULE_GENTLE])) {
        front_point at = {"recommended, cross-fitted", c->agree[RULE_GENTLE],
                          c->held[RULE_GENTLE].lo, c->held[RULE_GENTLE].hi, c->bias[RULE_GENTLE]};
        TRY(add_front(s, f, gentle, &at, err));
    }
done:
    return status;
}

/* ---- Vector ---------------------------------------------------------------------------------- */

static tare_status add_estimate(panel_study *s, figure *f, const figure_point *at,
                                const inference *x, tare_error *err)
{
    tare_status status = TARE_OK;
    figure_point *p;
    const char *e = number_text(s->a, x->estimate), *lo = number_text(s->a, x->lo),
               *hi = number_text(s->a, x->hi);
    if (!e || !lo || !hi) FAIL_MEMORY(err);
    TRY_NEW(p = result_add_point(s->out, f));
    *p = *at;
    p->x = x->estimate;
    p->y = NAN;
    p->lo = x->lo;
    p->hi = x->hi;
    TRY_NEW(p->tip = arena_printf(s->a, "%s: %s %s [%s, %s]", at->label, at->series, e, lo, hi));
done:
    return status;
}

static tare_status vector_figure(panel_study *s, tare_error *err)
{
    tare_status status = TARE_OK;
    figure *f;
    if (!s->rows.matrix || s->panels == 0) return TARE_OK;
    TRY(figure_of(&f, s, FIGURE_FOREST, "vector", "What the panel prefers, author by author", err));
    f->x_title = "Phi~ (standardised by judge, then by author)";
    f->caption = "The panel as one more judge of the matrix, beside what its members think of "
                 "their own text in the same matrix. Panels are not comparable with each other "
                 "here, only with their members.";
    for (size_t k = 0; k < s->panels && k < FIGURE_PANELS; k++) {
        const panel_result *p = &s->panel[k];
        for (size_t g = 0; g < s->rows.authors; g++) {
            const char *author = s->t->author.name[g];
            figure_point at = {p->name, "panel", author, 0, 0, 0, 0, "", "", ""};
            TRY(add_estimate(s, f, &at, &p->numbers.phi2[g], err));
            for (size_t i = 0; i < p->count; i++) {
                if (p->member[i].author != g) continue;
                at.series = "member on its own text";
                TRY(add_estimate(s, f, &at, &p->numbers.own[i], err));
            }
        }
    }
done:
    return status;
}

/* ---- Errors ---------------------------------------------------------------------------------- */

/* "self", "block" where the roster says that the judges are of one family, or "". */
static const char *outline_of(const panel_study *s, size_t a, size_t b)
{
    const score_table *t = s->t;
    if (a == b) return "self";
    if (!t->models || t->judge_model[a] == ROSTER_NONE || t->judge_model[b] == ROSTER_NONE)
        return "";
    return roster_share(t->models, 0, t->judge_model[a], t->judge_model[b]) ? "block" : "";
}

static tare_status errors_figure(panel_study *s, tare_error *err)
{
    tare_status status = TARE_OK;
    figure *f = NULL;
    const panel_result *p = NULL;
    for (size_t k = 0; k < s->panels; k++)
        if (!p || s->panel[k].count > p->count) p = &s->panel[k];
    if (!p || p->count < 2) return TARE_OK;
    TRY(figure_of(&f, s, FIGURE_HEAT, "errors", "Do the judges err together?", err));
    f->x_title = "judge";
    f->y_title = "judge";
    f->caption = "Correlation of errors against gold. Judges that err together are fewer votes "
                 "than they seem. Thin frames: judges of one family, where a roster says so.";
    for (size_t i = 0; i < p->count * p->count; i++) {
        size_t a = i / p->count, b = i % p->count;
        const char *value, *x = s->t->judge.name[p->judge[a]], *y = s->t->judge.name[p->judge[b]];
        figure_point *at;
        TRY_NEW(at = result_add_point(s->out, f));
        *at = (figure_point){"", x, y, NAN, p->votes.correlation[i], NAN, NAN, "", "",
                             outline_of(s, p->judge[a], p->judge[b])};
        TRY_NEW(value = number_text(s->a, at->y));
        TRY_NEW(at->tip = arena_printf(s->a, "%s, %s: %s", x, y, value));
    }
done:
    return status;
}

tare_status panel_figures(panel_study *s, tare_error *err)
{
    tare_status status = TARE_OK;
    TRY(front_figure(s, err));
    TRY(vector_figure(s, err));
    TRY(errors_figure(s, err));
done:
    return status;
}
