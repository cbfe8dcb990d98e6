/* Settings, who takes part, where gold comes from; then the three forms (judge audits A.6). */
#include "audit/matrix/self_regression.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "stats/verdict.h"

static bool is(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
}

/* ---- Who takes part -------------------------------------------------------------------------- */

static size_t setting_of(const matrix_study *s, const matrix_view *v)
{
    return s->t->layer[v->layer].setting;
}

static bool usable(const matrix_view *v)
{
    return !v->cells_only && !v->reason[0];
}

/* The sorted union over the setting's views of their authors, or of their judges. */
static tare_status gather(const size_t **out, size_t *count, matrix_study *s,
                          const regression_case *c, bool judges, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t axis = judges ? s->t->judge.count : s->t->author.count, n = 0;
    uint8_t *member;
    size_t *list;
    TRY_NEW(member = arena_new(&s->scratch, axis + 1, 1));
    TRY_NEW(list = arena_new(&s->scratch, axis + 1, sizeof *list));
    for (size_t k = 0; k < s->views; k++) {
        const matrix_view *v = &s->view[k];
        if (!usable(v) || setting_of(s, v) != c->cast.setting) continue;
        for (size_t i = 0; i < (judges ? v->E : v->G); i++)
            member[judges ? v->judge[i] : v->author[i]] = 1;
    }
    for (size_t i = 0; i < axis; i++)
        if (member[i]) list[n++] = i;
    *out = list;
    *count = n;
done:
    return status;
}

static tare_status make_cast(matrix_study *s, regression_case *c, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t *layer, settings = 0;
    TRY(gather(&c->cast.author, &c->cast.A, s, c, false, err));
    TRY(gather(&c->cast.judge, &c->cast.J, s, c, true, err));
    TRY_NEW(layer = arena_new(&s->scratch, s->views, sizeof *layer));
    for (size_t k = 0; k < s->views; k++) {
        const matrix_view *v = &s->view[k];
        bool first = usable(v);
        for (size_t i = 0; i < k; i++)
            first = first && !(usable(&s->view[i])
                               && setting_of(s, &s->view[i]) == setting_of(s, v));
        settings += first;
        if (usable(v) && setting_of(s, v) == c->cast.setting) layer[c->cast.D++] = v->layer;
    }
    c->cast.layer = layer;
    c->setting = c->first->setting;
    c->dim = c->cast.D == 1 ? c->first->dim : "";
    c->label = settings > 1 ? c->setting : "";
done:
    return status;
}

/* ---- Gold ------------------------------------------------------------------------------------ */

static bool has_gold_column(const matrix_study *s, const regression_cast *cast)
{
    for (size_t d = 0; d < cast->D; d++)
        if (s->t->layer[cast->layer[d]].gold) return true;
    return false;
}

static void choose_gold(matrix_study *s, regression_case *c)
{
    bool column = has_gold_column(s, &c->cast);
    c->why_no_gold = "";
    c->gold = GOLD_NONE;
    if (is(s->o.gold, "none")) c->why_no_gold = "not asked for";
    else if (is(s->o.gold, "peers")) c->gold = GOLD_PEERS;
    else if (column) c->gold = GOLD_COLUMN;
    else if (is(s->o.gold, "auto")) c->gold = GOLD_PEERS;
    else c->why_no_gold = "the table has no gold column";
    c->errors_in_gold = c->gold == GOLD_PEERS;
}

static tare_status make_rows(matrix_study *s, regression_case *c, tare_error *err)
{
    tare_status status = TARE_OK;
    regression_ask ask = {.gold = GOLD_NONE, .length = is(s->o.length, "tanh"),
                          .rescale = s->o.rescale};
    choose_gold(s, c);
    if (c->gold != GOLD_NONE) {
        ask.gold = c->gold;
        TRY(regression_rows_make(&c->rows, s, &c->cast, &ask, err));
        if (c->rows.rows.n == 0) {
            c->gold = GOLD_NONE;
            c->why_no_gold = "no text has gold; peers need two judges that are neither the "
                             "author nor of its family";
        }
    }
    if (c->gold != GOLD_NONE && c->rows.no_gold == 0) c->all = c->rows;
    else {
        ask.gold = GOLD_NONE;
        TRY(regression_rows_make(&c->all, s, &c->cast, &ask, err));
    }
done:
    return status;
}

/* Within-author SD over items of each judge, pooled over authors and dims. */
static tare_status make_yardstick(matrix_study *s, regression_case *c, tare_error *err)
{
    tare_status status = TARE_OK;
    const regression_cast *cast = &c->cast;
    double *square, *df;
    TRY_NEW(c->yardstick = arena_new(&s->scratch, cast->J + 1, sizeof(double)));
    TRY_NEW(square = arena_new(&s->scratch, cast->J + 1, sizeof(double)));
    TRY_NEW(df = arena_new(&s->scratch, cast->J + 1, sizeof(double)));
    for (size_t k = 0; k < c->all.rows.cells; k++) {
        const double *x = c->all.sums + k * CELL_SUMS;
        assert(cast->D > 0 && cast->J > 0); /* there is a cell */
        size_t j = k / cast->D % cast->J;
        if (x[CELL_N] < 2) continue;
        square[j] += fmax(x[CELL_YY] - x[CELL_Y] * x[CELL_Y] / x[CELL_N], 0);
        df[j] += x[CELL_N] - 1;
    }
    for (size_t j = 0; j < cast->J; j++)
        c->yardstick[j] = df[j] > 0 ? sqrt(square[j] / df[j]) : NAN;
done:
    return status;
}

/* A judge is constant where every view of the setting says so. */
static tare_status find_constant(matrix_study *s, regression_case *c, tare_error *err)
{
    tare_status status = TARE_OK;
    TRY_NEW(c->constant = arena_new(&s->scratch, c->cast.J + 1, 1));
    for (size_t j = 0; j < c->cast.J; j++) {
        size_t views = 0, constant = 0;
        for (size_t k = 0; k < s->views; k++) {
            const matrix_view *v = &s->view[k];
            if (!usable(v) || setting_of(s, v) != c->cast.setting) continue;
            for (size_t e = 0; e < v->E; e++) {
                if (v->judge[e] != c->cast.judge[j]) continue;
                views++;
                constant += v->constant[e] != 0;
            }
        }
        c->constant[j] = views > 0 && constant == views;
    }
done:
    return status;
}

/* ---- Run ------------------------------------------------------------------------------------- */

static tare_status run_case(matrix_study *s, regression_case *c, tare_error *err)
{
    tare_status status = TARE_OK;
    TRY(make_cast(s, c, err));
    TRY(make_rows(s, c, err));
    TRY(make_yardstick(s, c, err));
    TRY(find_constant(s, c, err));
    for (size_t k = 0; k < FORM_KINDS; k++) {
        regression_form *form = &c->form[k];
        TRY(context_check(s->context, err));
        c->has[k] = k == FORM_ADDITIVE || c->gold != GOLD_NONE;
        if (!c->has[k]) continue;
        form->kind = (regression_kind)k;
        form->constant = c->constant;
        form->rows = k == FORM_ADDITIVE ? &c->all : &c->rows;
        TRY(regression_design_make(form, s, c, err));
        TRY(regression_form_fit(form, s, err));
    }
    TRY(regression_entries(s, c, err));
done:
    return status;
}

tare_status matrix_regression_run(matrix_study *s, tare_error *err)
{
    tare_status status = TARE_OK;
    struct regression_study *r;
    TRY_NEW(r = arena_new(&s->scratch, 1, sizeof *r));
    TRY_NEW(r->c = arena_new(&s->scratch, s->views + 1, sizeof *r->c));
    s->regression = r;
    for (size_t k = 0; k < s->views; k++) {
        matrix_view *v = &s->view[k];
        bool known = false;
        if (!usable(v)) continue;
        for (size_t i = 0; i < r->count; i++)
            known = known || r->c[i].cast.setting == setting_of(s, v);
        if (known) continue;
        regression_case *c = &r->c[r->count++];
        c->cast.setting = setting_of(s, v);
        c->first = v;
        TRY(run_case(s, c, err));
    }
done:
    return status;
}
