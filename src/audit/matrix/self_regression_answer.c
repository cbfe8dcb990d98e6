/* Sentences on the regressions (judge audits A.6): only beside a gold column is anything tested. */
#include <math.h>
#include <string.h>

#include "audit/matrix/matrix_words.h"
#include "audit/matrix/self_regression.h"
#include "base/error.h"

#define NAMES_MOST 12

/* What the coefficients are measured in. */
static const char *scale_words(matrix_study *s, const regression_form *form)
{
    const regression_rows *r = form->rows;
    if (regression_ordinal(s)) return "log odds";
    if (r->scale == 1 && r->offset == 0) return "score units";
    return arena_printf(&s->out->a, r->offset == 0 ? "shares of the largest score, %.4g"
                                                   : "shares of the range of scores, %.4g",
                        r->scale);
}

/* "with references, all dims together: "; of one dim the name of the view. */
static const char *case_prefix(matrix_study *s, const regression_case *c)
{
    bool label = c->label[0] != '\0';
    if (c->cast.D <= 1 && c->first->label[0]) return matrix_prefix(s, c->first);
    if (c->cast.D <= 1) return label ? arena_printf(&s->out->a, "%s: ", c->label) : "";
    return arena_printf(&s->out->a, "%s%s: ", c->label,
                        label ? ", all dims together" : "All dims together");
}

/* ---- Terms by what is said of them ----------------------------------------------------------- */

enum { LIST_FOUND, LIST_HELD, LIST_NONE, LISTS };

typedef struct term_lists {
    text list[LISTS];
    size_t of, count[LISTS];
} term_lists;

/* The q that decides, as in the book. */
static double deciding_q(const matrix_study *s, const tare_reading *r)
{
    if (strcmp(s->o.book.fdr, "by") == 0) return r->q_by;
    if (strcmp(s->o.book.fdr, "maxt") == 0) return isnan(r->q_maxt) ? r->q_by : r->q_maxt;
    return r->q;
}

/* Would have been found, but for the scores that are missing. */
static bool held_back(const matrix_study *s, const entry *e, const tare_reading *r)
{
    return e->capped && (r->lo > 0 || r->hi < 0) && deciding_q(s, r) <= s->o.book.alpha;
}

static void list_terms(term_lists *out, matrix_study *s, const regression_form *form,
                       term_kind kind)
{
    memset(out, 0, sizeof *out);
    for (size_t n = 0; n < LISTS; n++) text_init(&out->list[n], s->m);
    for (size_t j = 0; j < form->design.p; j++) {
        const regression_term *t = &form->term[j];
        if (t->kind != kind || t->entry == BOOK_NONE) continue;
        const tare_reading *r = book_reading(&s->book, t->entry);
        bool found = r->verdict == TARE_FOUND || r->verdict == TARE_SMALL;
        bool none = r->verdict == TARE_NO_ANSWER;
        out->of++;
        if (!found && !none && !held_back(s, &s->book.entries[t->entry], r)) continue;
        size_t n = found ? LIST_FOUND : none ? LIST_NONE : LIST_HELD;
        const char *size = none ? reason_words(r->reason) : number_text(&s->scratch, r->estimate);
        text_add_format(&out->list[n], none ? "%s%s%s (%s)" : "%s%s %s%s%s",
                        out->count[n]++ ? ", " : "", t->level,
                        none || !(r->estimate > 0) ? "" : "+", size ? size : "",
                        r->verdict == TARE_SMALL ? " (below the margin)" : "");
    }
}

static const char *none_shows(arena *a, const term_lists *l, const char *whom)
{
    size_t left = l->of - l->count[LIST_HELD] - l->count[LIST_NONE];
    if (left == 0) return "";
    return arena_printf(a, "none of %s%zu terms shows that %s are scored differently",
                        left < l->of ? "the other " : "", left, whom);
}

/* The answer has told of the self terms that were found, beside D (matrix_gold.c). */
static bool is_told(const regression_case *c, term_kind kind)
{
    return kind == TERM_SELF && c->first->balanced;
}

static tare_status answer_terms(matrix_study *s, const regression_case *c, term_kind kind,
                                tare_error *err)
{
    tare_status status = TARE_OK;
    arena *a = &s->out->a;
    term_lists l;
    const char *unit, *prefix, *first = "", *held = "", *none = "";
    const char *whom = kind == TERM_SELF ? "a judge's own texts" : "texts of a judge's family";
    list_terms(&l, s, &c->form[FORM_FULL], kind);
    for (size_t n = 0; n < LISTS; n++)
        if (l.list[n].failed) FAIL_MEMORY(err);
    if (l.of == 0) goto done;
    TRY_NEW(unit = scale_words(s, &c->form[FORM_FULL]));
    TRY_NEW(prefix = case_prefix(s, c));
    if (l.count[LIST_FOUND] && is_told(c, kind)) {
        if (!l.count[LIST_HELD] && !l.count[LIST_NONE]) goto done;
    } else if (l.count[LIST_FOUND])
        TRY_NEW(first = arena_printf(a, "%s are scored higher (+) or lower (-) than those of "
                                        "others by: %s (%s)", whom, l.list[LIST_FOUND].data, unit));
    else
        TRY_NEW(first = none_shows(a, &l, whom));
    if (l.count[LIST_HELD])
        TRY_NEW(held = arena_printf(a, "%s%s%sheld back, because which scores are missing depends "
                                       "on the judge or author: %s (%s)",
                                    first[0] ? "; " : "a difference for ", first[0] ? "" : whom,
                                    first[0] ? "" : " is ", l.list[LIST_HELD].data, unit));
    if (l.count[LIST_NONE])
        TRY_NEW(none = arena_printf(a, "%sno answer%s%s: %s", first[0] || held[0] ? "; " : "",
                                    first[0] || held[0] ? "" : " on ",
                                    first[0] || held[0] ? "" : whom, l.list[LIST_NONE].data));
    TRY(result_answer(s->out, err,
                      "%s%s equal quality (by the gold score of the same text), severity and "
                      "slope, %s%s%s.", prefix, prefix[0] ? "at" : "At", first, held, none));
done:
    for (size_t n = 0; n < LISTS; n++) text_free(&l.list[n]);
    return status;
}

/* ---- Peers ----------------------------------------------------------------------------------- */

static double rows_of(const regression_case *c, size_t a, size_t j)
{
    double n = 0;
    for (size_t d = 0; d < c->cast.D; d++)
        n += c->rows.sums[((a * c->cast.J + j) * c->cast.D + d) * CELL_SUMS + CELL_N];
    return n;
}

/* "all judges of human; gpt35 of gpt35": whose scores of whose texts have two peers. */
static tare_status who_remains(const char **out, matrix_study *s, const regression_case *c,
                               tare_error *err)
{
    tare_status status = TARE_OK;
    const score_table *t = s->t;
    const char **whole, **judge, *names;
    size_t n_whole = 0;
    text list;
    text_init(&list, s->m);
    TRY_NEW(whole = arena_new(&s->scratch, c->cast.A + 1, sizeof *whole));
    TRY_NEW(judge = arena_new(&s->scratch, c->cast.J + 1, sizeof *judge));
    for (size_t a = 0; a < c->cast.A; a++) {
        const char *author = t->author.name[c->cast.author[a]];
        size_t n = 0;
        for (size_t j = 0; j < c->cast.J; j++)
            if (rows_of(c, a, j) > 0) judge[n++] = t->judge.name[c->cast.judge[j]];
        if (n == c->cast.J) whole[n_whole++] = author;
        if (n == c->cast.J || n == 0) continue;
        TRY_NEW(names = matrix_names(&s->scratch, judge, n, NAMES_MOST));
        text_add_format(&list, "; %s as judged by %s", author, names);
    }
    TRY_NEW(names = matrix_names(&s->scratch, whole, n_whole, NAMES_MOST));
    if (list.failed) FAIL_MEMORY(err);
    TRY_NEW(*out = arena_printf(&s->out->a, " Texts that enter: %s%s%s.", names,
                                n_whole ? " as judged by all" : "",
                                list.length ? list.data + (n_whole ? 0 : 2) : ""));
done:
    text_free(&list);
    return status;
}

static bool has_terms(const regression_form *form)
{
    for (size_t j = 0; j < form->design.p; j++) {
        const regression_term *t = &form->term[j];
        if ((t->kind == TERM_SELF || t->kind == TERM_FAMILY) && !isnan(t->inf.estimate))
            return true;
    }
    return false;
}

static tare_status caution_peers(matrix_study *s, const regression_case *c, tare_error *err)
{
    tare_status status = TARE_OK;
    const char *prefix, *remains = "";
    if (!has_terms(&c->form[FORM_FULL])) goto done;
    TRY_NEW(prefix = case_prefix(s, c));
    if (c->rows.no_peers) TRY(who_remains(&remains, s, c, err));
    TRY(result_caution(s->out, err,
                       "%s%s regression takes the mean of other judges for the true quality, and "
                       "is described only. Noise in it flattens the slopes and leaks quality into "
                       "the self terms; a gold column would not.%s", prefix,
                       prefix[0] ? "the" : "The", remains));
done:
    return status;
}

tare_status matrix_regression_answer(matrix_study *s, const matrix_view *v, tare_error *err)
{
    tare_status status = TARE_OK;
    for (size_t i = 0; s->regression && i < s->regression->count; i++) {
        const regression_case *c = &s->regression->c[i];
        if (c->first != v || !c->has[FORM_FULL]) continue;
        if (!regression_tested(c, &c->form[FORM_FULL])) {
            TRY(caution_peers(s, c, err));
            continue;
        }
        TRY(answer_terms(s, c, TERM_SELF, err));
        TRY(answer_terms(s, c, TERM_FAMILY, err));
    }
done:
    return status;
}
