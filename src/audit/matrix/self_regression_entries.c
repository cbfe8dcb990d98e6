/* Readings, tables and sentences of the regressions (judge audits A.6). */
#include <math.h>
#include <string.h>

#include "audit/matrix/self_regression.h"
#include "audit/words.h"
#include "base/error.h"
#include "stats/special.h"

static const char *const form_name[FORM_KINDS] = {"with gold", "with gold, pooled", "additive"};
static const char *const term_name[TERM_KINDS] = {"severity", "author", "slope", "self",
                                                  "family", "dim", "length"};

#define ALL_JUDGES "" /* the report gives what is of no judge a place of its own */

static bool ordinal(const matrix_study *s)
{
    return strcmp(s->o.link, "ordinal") == 0;
}

static const char *form_condition(const regression_case *c, const regression_form *form)
{
    if (form->kind == FORM_ADDITIVE) return "additive";
    return c->gold == GOLD_PEERS ? "gold: peers" : "gold: column";
}

/* ---- Readings -------------------------------------------------------------------------------- */

/* 0.1 x the within-author SD of the judge; of all judges for what is pooled over them (ours). */
static double term_margin(const matrix_study *s, const regression_case *c,
                          const regression_term *t)
{
    double square = 0;
    size_t n = 0;
    if (ordinal(s)) return NAN;
    for (size_t j = 0; j < c->cast.J; j++) {
        if ((t->judge != SIZE_MAX && t->judge != j) || isnan(c->yardstick[j])) continue;
        square += c->yardstick[j] * c->yardstick[j];
        n++;
    }
    return n > 0 && square > 0 ? 0.1 * sqrt(square / (double)n) : NAN;
}

static tare_status term_grid(const char **out, matrix_study *s, const regression_case *c,
                             const char *grid, tare_error *err)
{
    tare_status status = TARE_OK;
    *out = grid;
    if (c->label[0]) TRY_NEW(*out = arena_printf(&s->out->a, "%s (%s)", grid, c->label));
done:
    return status;
}

/* One term as a reading; those without an answer of interest (authors, dims) only fill the table.
 */
static tare_status enter_term(matrix_study *s, const regression_case *c,
                              const regression_form *form, regression_term *t, tare_error *err)
{
    tare_status status = TARE_OK;
    bool tested = t->kind == TERM_SELF || t->kind == TERM_FAMILY, pooled = t->level[0] == 0;
    bool described = form->kind == FORM_FULL && (t->kind == TERM_SLOPE || t->kind == TERM_JUDGE);
    const char *grid = t->kind == TERM_SELF ? "self-regression" : "family-regression";
    bool gold = form->kind != FORM_ADDITIVE && c->errors_in_gold;
    entry_spec spec = {.arm = c->setting, .dim = c->dim, .margin = NAN,
                       .descriptive = !tested, .detail = !tested,
                       .missing = &form->rows->missing};
    if (!tested && !described && t->kind != TERM_LENGTH) return TARE_OK;
    spec.family = t->kind == TERM_FAMILY ? "family-regression" : "self-regression";
    spec.name = pooled && tested ? (t->kind == TERM_SELF ? "self, pooled" : "family, pooled")
                                 : term_name[t->kind];
    spec.instrument = t->judge != SIZE_MAX ? t->level : ALL_JUDGES;
    if (t->kind == TERM_FAMILY && !pooled)
        TRY_NEW(spec.instrument = arena_printf(&s->out->a, "%s: %s", s->t->models->grouping[0],
                                               t->level));
    spec.condition = form_condition(c, form);
    spec.unit = ordinal(s) ? "log odds" : t->kind == TERM_SLOPE ? "score per gold" : "scaled score";
    spec.extra = gold ? "errors-in-gold" : "";
    if (form->note[0])
        TRY_NEW(spec.extra = arena_printf(&s->out->a, "%s%s%s", spec.extra,
                                          spec.extra[0] ? ", " : "", form->note));
    if (tested) {
        TRY(term_grid(&spec.grid, s, c, pooled ? "pooled-regression" : grid, err));
        spec.margin = term_margin(s, c, t);
        spec.plus = t->kind == TERM_SELF ? "scores its own text higher than the others'"
                                         : "scores its family's texts higher than the others'";
        spec.minus = t->kind == TERM_SELF ? "scores its own text lower than the others'"
                                          : "scores its family's texts lower than the others'";
    }
    TRY(book_add(&s->book, &spec, &t->inf, &t->entry, err));
    if (t->dropped) {
        const char *mark;
        TRY_NEW(mark = arena_printf(&s->out->a, "depends on %s", t->depends));
        TRY(book_mark(&s->book, t->entry, mark, err));
    }
done:
    return status;
}

/* Where the self readings are, for the table of judges. */
static void link_self(matrix_study *s, const regression_case *c)
{
    const regression_form *form = &c->form[FORM_FULL];
    for (size_t k = 0; c->has[FORM_FULL] && k < form->design.p; k++) {
        const regression_term *t = &form->term[k];
        if (t->kind != TERM_SELF || t->entry == BOOK_NONE) continue;
        for (size_t i = 0; i < s->views; i++) {
            matrix_view *v = &s->view[i];
            if (s->t->layer[v->layer].setting != c->cast.setting) continue;
            for (size_t m = 0; m < v->K; m++)
                if (v->judge[v->self[m].judge] == c->cast.judge[t->judge])
                    v->self[m].regression = t->entry;
        }
    }
}

tare_status regression_entries(matrix_study *s, regression_case *c, tare_error *err)
{
    tare_status status = TARE_OK;
    for (size_t k = 0; k < FORM_KINDS; k++) {
        regression_form *form = &c->form[k];
        for (size_t j = 0; c->has[k] && j < form->design.p; j++)
            TRY(enter_term(s, c, form, &form->term[j], err));
        if (!c->has[k] || isnan(form->residual_sd)) continue;
        entry_spec spec = {.family = "self-regression", .arm = c->setting, .dim = c->dim,
                           .name = "residual SD", .instrument = ALL_JUDGES,
                           .condition = form_name[k], .unit = "scaled score", .margin = NAN,
                           .descriptive = true, .detail = true,
                           .missing = &form->rows->missing};
        inference sd = inference_none("");
        sd.estimate = form->residual_sd;
        sd.n = form->rows->rows.n;
        sd.clusters = form->clusters;
        TRY(book_add(&s->book, &spec, &sd, NULL, err));
    }
    link_self(s, c);
done:
    return status;
}

/* ---- Table ----------------------------------------------------------------------------------- */

static cell number(double x)
{
    return isnan(x) ? (cell){CELL_EMPTY, "", NAN, 0} : (cell){CELL_NUMBER, "", x, 0};
}

static cell words(const char *s)
{
    return s && s[0] ? (cell){CELL_TEXT, s, NAN, 0} : (cell){CELL_EMPTY, "", NAN, 0};
}

static cell integer(size_t x)
{
    return (cell){CELL_INTEGER, "", NAN, (int64_t)x};
}

static const char *const columns[] = {
    "setting", "dim", "form", "gold", "term", "level", "rows_of_term", "estimate", "se", "df",
    "lo", "hi", "p", "q_bh", "q_by", "vcov", "se_hc0", "hc0_lo90", "hc0_hi90", "se_hc1", "se_cr0",
    "se_cr1", "scale", "offset", "n", "clusters", "depends_on", "verdict", "note"};
#define COLUMNS (sizeof columns / sizeof *columns)

static tare_status term_row(matrix_study *s, const regression_case *c, const regression_form *form,
                            const regression_term *t, result_table *table, tare_error *err)
{
    tare_status status = TARE_OK;
    static const char *const gold[] = {"none", "column", "peers"};
    cell *row;
    const inference *x = &t->inf;
    const tare_reading *r = t->entry == BOOK_NONE ? NULL : book_reading(&s->book, t->entry);
    /* the authors' own program prints 90 % intervals from HC0 */
    double z = norm_quantile(0.95) * t->hc0;
    TRY_NEW(row = result_add_row(s->out, table));
    const cell cells[COLUMNS] = {
        words(c->setting), words(c->dim), words(form_name[form->kind]),
        words(gold[form->rows->gold]), words(term_name[t->kind]), words(t->level),
        integer(t->rows), number(x->estimate), number(x->se), number(x->df), number(x->lo),
        number(x->hi), number(x->p), number(r ? r->q : NAN), number(r ? r->q_by : NAN),
        words(form->vcov), number(t->hc0), number(x->estimate - z), number(x->estimate + z),
        number(t->hc1), number(t->cr0), number(t->cr1), number(form->rows->scale),
        number(form->rows->offset), integer(x->n), integer(x->clusters), words(t->depends),
        words(r ? tare_verdict_name(r->verdict) : ""), words(form->note)};
    memcpy(row, cells, sizeof cells);
done:
    return status;
}

tare_status matrix_regression_tables(matrix_study *s, tare_error *err)
{
    tare_status status = TARE_OK;
    result_table *table = NULL;
    for (size_t i = 0; s->regression && i < s->regression->count; i++) {
        const regression_case *c = &s->regression->c[i];
        if (!table)
            TRY_NEW(table = result_add_table(s->out, "regression",
                                             "Judge, quality, self and family", columns, COLUMNS));
        for (size_t k = 0; k < FORM_KINDS; k++)
            for (size_t j = 0; c->has[k] && j < c->form[k].design.p; j++)
                TRY(term_row(s, c, &c->form[k], &c->form[k].term[j], table, err));
    }
done:
    return status;
}

/* ---- Sentences ------------------------------------------------------------------------------- */

/* What the coefficients are measured in. */
static const char *scale_words(matrix_study *s, const regression_form *form)
{
    const regression_rows *r = form->rows;
    if (ordinal(s)) return "log odds";
    if (r->scale == 1 && r->offset == 0) return "score units";
    return arena_printf(&s->out->a, r->offset == 0 ? "shares of the largest score, %.4g"
                                                   : "shares of the range of scores, %.4g",
                        r->scale);
}

/* "gpt-4o +0.023, llama -0.065": the terms of a kind that were found. */
static void list_found(text *list, matrix_study *s, const regression_form *form, term_kind kind,
                       size_t *of)
{
    for (size_t j = 0; j < form->design.p; j++) {
        const regression_term *t = &form->term[j];
        if (t->kind != kind || t->entry == BOOK_NONE) continue;
        const tare_reading *r = book_reading(&s->book, t->entry);
        ++*of;
        if (r->verdict != TARE_FOUND && r->verdict != TARE_SMALL) continue;
        const char *size = number_text(&s->scratch, r->estimate);
        text_add_format(list, "%s%s %s%s%s", list->length ? ", " : "", t->level,
                        r->estimate > 0 ? "+" : "", size ? size : "",
                        r->verdict == TARE_SMALL ? " (below the margin)" : "");
    }
}

/* "with references, all dims together: " */
static const char *case_prefix(matrix_study *s, const regression_case *c)
{
    bool dims = c->cast.D > 1, label = c->label[0] != '\0';
    if (!dims && !label) return "";
    return arena_printf(&s->out->a, "%s%s%s: ", c->label, label && dims ? ", " : "",
                        !dims   ? ""
                        : label ? "all dims together"
                                : "All dims together");
}

static tare_status answer_full(matrix_study *s, const regression_case *c, term_kind kind,
                               tare_error *err)
{
    tare_status status = TARE_OK;
    size_t of = 0;
    text list;
    text_init(&list, s->m);
    list_found(&list, s, &c->form[FORM_FULL], kind, &of);
    if (list.failed) FAIL_MEMORY(err);
    if (of == 0) goto done;
    const char *truth = c->gold == GOLD_PEERS ? "the other judges' scores of the same text"
                                              : "the gold score of the same text";
    const char *whom = kind == TERM_SELF ? "a judge's own texts" : "texts of a judge's family";
    const char *unit, *prefix;
    TRY_NEW(unit = scale_words(s, &c->form[FORM_FULL]));
    TRY_NEW(prefix = case_prefix(s, c));
    const char *at = prefix[0] ? "at" : "At";
    if (list.length)
        TRY(result_answer(s->out, err,
                          "%s%s equal quality (by %s), severity and slope, %s are scored higher "
                          "(+) or lower (-) than those of others by: %s (%s).", prefix, at, truth,
                          whom, list.data, unit));
    else
        TRY(result_answer(s->out, err,
                          "%s%s equal quality (by %s), severity and slope, none of %zu terms "
                          "shows that %s are scored differently.", prefix, at, truth, of, whom));
done:
    text_free(&list);
    return status;
}

tare_status matrix_regression_answer(matrix_study *s, const matrix_view *v, tare_error *err)
{
    tare_status status = TARE_OK;
    for (size_t i = 0; s->regression && i < s->regression->count; i++) {
        const regression_case *c = &s->regression->c[i];
        if (c->first != v) continue;
        if (!c->has[FORM_FULL]) continue;
        TRY(answer_full(s, c, TERM_SELF, err));
        TRY(answer_full(s, c, TERM_FAMILY, err));
        if (!c->errors_in_gold) continue;
        const char *prefix;
        TRY_NEW(prefix = case_prefix(s, c));
        TRY(result_caution(s->out, err,
                           "%s%s regression takes the mean of other judges for the true quality. "
                           "Noise in it flattens the slopes and leaks quality into the self "
                           "terms; a gold column would not.", prefix, prefix[0] ? "the" : "The"));
    }
done:
    return status;
}
