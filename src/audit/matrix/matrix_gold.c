/* What the regression beside a gold column says of those that D found, and whom it finds besides
 * (ours). D compares judges with each other: where all favour a model alike, or where the others
 * underrate it, only gold tells. */
#include <string.h>

#include "audit/matrix/matrix_words.h"
#include "audit/matrix/self_regression.h"
#include "base/error.h"

enum { SAID_CONFIRMED, SAID_OPEN, SAID_FAVOUR, SAID_DISFAVOUR, SAID_KINDS };

typedef struct gold_lists { text list[SAID_KINDS]; } gold_lists;

/* The tested gold regression that judge's reading is of; NULL: there is none. */
static const regression_case *case_of(const matrix_study *s, const matrix_self *x)
{
    for (size_t i = 0; s->regression && i < s->regression->count; i++) {
        const regression_case *c = &s->regression->c[i];
        const regression_form *form = &c->form[FORM_FULL];
        if (!c->has[FORM_FULL] || !regression_tested(c, form)) continue;
        for (size_t k = 0; k < form->design.p; k++)
            if (form->term[k].kind == TERM_SELF && form->term[k].entry == x->regression) return c;
    }
    return NULL;
}

static bool resolved(const tare_reading *r)
{
    return r->verdict == TARE_FOUND || r->verdict == TARE_SMALL;
}

bool matrix_gold_judges(const matrix_study *s, const matrix_view *v, const matrix_self *x)
{
    return x->regression != BOOK_NONE && matrix_group_of(s, v, x) != GROUP_NONE && case_of(s, x) &&
           book_reading(&s->book, x->regression)->verdict != TARE_NO_ANSWER;
}

bool matrix_gold_resolves(const matrix_study *s, const matrix_view *v, const matrix_self *x)
{
    return matrix_gold_judges(s, v, x) &&
           book_reading(&s->book, x->regression)->verdict == TARE_FOUND;
}

tare_status matrix_gold_lead(const char **out, matrix_study *s, const matrix_view *v,
                             tare_error *err)
{
    tare_status status = TARE_OK;
    arena *a = &s->out->a;
    size_t judged = 0, n[2] = {0, 0}; /* for, against their own texts */
    const char *who, *opposite = "", *dims = "";
    *out = "";
    for (size_t k = 0; k < v->K; k++) {
        const matrix_self *x = &v->self[k];
        if (!matrix_gold_judges(s, v, x)) continue;
        judged++;
        if (case_of(s, x)->cast.D > 1) dims = " (all dims together)";
        if (matrix_gold_resolves(s, v, x))
            n[!(book_reading(&s->book, x->regression)->estimate > 0)]++;
    }
    if (judged == 0) goto done;
    TRY_NEW(who = n[0]   ? arena_printf(a, "%zu do%s", n[0], n[0] == 1 ? "es" : "")
                  : n[1] ? "none does"
                         : "none was shown to");
    if (n[1])
        TRY_NEW(opposite = arena_printf(a, " and %zu do%s the opposite", n[1],
                                        n[1] == 1 ? "es" : ""));
    TRY_NEW(*out = arena_printf(a, "; at equal gold score%s %s%s", dims, who, opposite));
done:
    return status;
}

/* Why a preference that D found is not confirmed. */
static const char *doubt(arena *a, const tare_reading *r)
{
    const char *estimate = matrix_estimate(a, r);
    if (!estimate) return NULL;
    if (r->verdict == TARE_NO_ANSWER) return reason_words(r->reason);
    return arena_printf(a, "%s: %s", estimate,
                        resolved(r)                       ? "the other way round"
                        : r->verdict == TARE_NEGLIGIBLE ? "any effect is below the margin"
                                                          : "inconclusive");
}

static tare_status list_judge(gold_lists *g, matrix_study *s, const matrix_view *v,
                              const matrix_self *x, tare_error *err)
{
    tare_status status = TARE_OK;
    arena *a = &s->scratch;
    matrix_group group = matrix_group_of(s, v, x);
    const tare_reading *r = book_reading(&s->book, x->regression);
    const char *size, *why;
    bool by_d = group == GROUP_FAVOUR || group == GROUP_DISFAVOUR || group == GROUP_SMALL;
    bool same = by_d && (matrix_lead(s, v, x)->estimate > 0) == (r->estimate > 0);
    int kind = by_d ? (resolved(r) && same ? SAID_CONFIRMED : SAID_OPEN)
                    : r->estimate > 0 ? SAID_FAVOUR : SAID_DISFAVOUR;
    if (!by_d && !resolved(r)) goto done;
    TRY_NEW(size = number_text(a, r->estimate));
    TRY_NEW(why = doubt(a, r));
    text *list = &g->list[kind];
    text_add_format(list, kind == SAID_OPEN ? "%s%s (%s%s)" : "%s%s %s%s%s",
                    list->length ? ", " : "", x->name, r->estimate > 0 ? "+" : "",
                    kind == SAID_OPEN ? why : size,
                    r->verdict == TARE_SMALL ? " (below the margin)" : "");
    if (list->failed) FAIL_MEMORY(err);
done:
    return status;
}

static const char *unit_of(arena *a, const regression_case *c)
{
    const regression_rows *r = c->form[FORM_FULL].rows;
    if (r->scale == 1 && r->offset == 0) return "score units";
    return arena_printf(a, "shares of the %s, %.4g", r->offset == 0 ? "largest score"
                                                                    : "range of scores", r->scale);
}

static tare_status say_lists(matrix_study *s, const matrix_view *v, const regression_case *c,
                             const gold_lists *g, tare_error *err)
{
    tare_status status = TARE_OK;
    arena *a = &s->out->a;
    const text *l = g->list;
    const char *prefix, *unit, *by = "", *beside = "";
    bool some = l[SAID_CONFIRMED].length || l[SAID_OPEN].length;
    bool more = l[SAID_FAVOUR].length || l[SAID_DISFAVOUR].length;
    if (!some && !more) goto done;
    TRY_NEW(prefix = matrix_prefix(s, v));
    TRY_NEW(unit = regression_ordinal(s) ? "log odds" : unit_of(a, c));
    if (some)
        TRY_NEW(by = arena_printf(a, "%s%s%s%s%s", l[SAID_CONFIRMED].length ? "confirmed: " : "",
                                  l[SAID_CONFIRMED].length ? l[SAID_CONFIRMED].data : "",
                                  l[SAID_CONFIRMED].length && l[SAID_OPEN].length ? "; " : "",
                                  l[SAID_OPEN].length ? "not confirmed: " : "",
                                  l[SAID_OPEN].length ? l[SAID_OPEN].data : ""));
    if (more)
        TRY_NEW(beside = arena_printf(
                    a, "%s%s%s%s%s%s", some ? "; by gold alone, " : "",
                    l[SAID_FAVOUR].length ? "in favour of their own texts: " : "",
                    l[SAID_FAVOUR].length ? l[SAID_FAVOUR].data : "",
                    l[SAID_FAVOUR].length && l[SAID_DISFAVOUR].length ? "; " : "",
                    l[SAID_DISFAVOUR].length ? "against their own texts: " : "",
                    l[SAID_DISFAVOUR].length ? l[SAID_DISFAVOUR].data : ""));
    TRY(result_answer(s->out, err, "%s%s equal quality (by the gold score%s), %s%s (%s).", prefix,
                      some ? "Of these, at" : "But at", c->cast.D > 1 ? ", all dims together" : "",
                      by, beside, unit));
done:
    return status;
}

tare_status matrix_gold_answer(matrix_study *s, const matrix_view *v, tare_error *err)
{
    tare_status status = TARE_OK;
    gold_lists g;
    const regression_case *c = NULL;
    for (int n = 0; n < SAID_KINDS; n++) text_init(&g.list[n], s->m);
    for (size_t k = 0; k < v->K; k++) {
        const matrix_self *x = &v->self[k];
        const regression_case *of = x->regression == BOOK_NONE ? NULL : case_of(s, x);
        if (!of || matrix_group_of(s, v, x) == GROUP_NONE) continue;
        c = of;
        TRY(list_judge(&g, s, v, x, err));
    }
    if (c) TRY(say_lists(s, v, c, &g, err));
done:
    for (int n = 0; n < SAID_KINDS; n++) text_free(&g.list[n]);
    return status;
}
