/* Readings and table of the regressions (judge audits A.6). */
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

bool regression_ordinal(const matrix_study *s)
{
    return strcmp(s->o.link, "ordinal") == 0;
}

static const char *form_condition(const regression_case *c, const regression_form *form)
{
    if (form->kind == FORM_ADDITIVE) return "additive";
    return c->gold == GOLD_PEERS ? "by peers" : "by gold";
}

/* Without gold nothing is tested (ours): in tables without any preference, of 10 judges whose
 * slopes go from 0.5 to 2, the additive form's pooled self effect is significant in a third
 * (quality SD .3) to three quarters (SD 1); with peers for gold so are a quarter of the self terms
 * even of judges of one slope. */
bool regression_tested(const regression_case *c, const regression_form *form)
{
    return form->kind != FORM_ADDITIVE && !c->errors_in_gold;
}

/* ---- Readings -------------------------------------------------------------------------------- */

/* 0.1 x the within-author SD of the judge; of all judges for what is pooled over them (ours). */
static double term_margin(const matrix_study *s, const regression_case *c,
                          const regression_term *t)
{
    double square = 0;
    size_t n = 0;
    if (regression_ordinal(s)) return NAN;
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
    bool of_kin = t->kind == TERM_SELF || t->kind == TERM_FAMILY, pooled = t->level[0] == 0;
    bool tested = of_kin && regression_tested(c, form);
    bool described = form->kind == FORM_FULL && (t->kind == TERM_SLOPE || t->kind == TERM_JUDGE);
    const char *grid = t->kind == TERM_SELF ? "self-regression" : "family-regression";
    entry_spec spec = {.arm = c->setting, .dim = c->dim, .margin = NAN,
                       .descriptive = !tested, .detail = !of_kin,
                       .missing = &form->rows->missing};
    if (!of_kin && !described && t->kind != TERM_LENGTH) return TARE_OK;
    spec.family = t->kind == TERM_FAMILY ? "family-regression" : "self-regression";
    spec.name = pooled && of_kin ? (t->kind == TERM_SELF ? "self, pooled" : "family, pooled")
                                 : term_name[t->kind];
    spec.instrument = t->judge != SIZE_MAX ? t->level : ALL_JUDGES;
    if (t->kind == TERM_FAMILY && !pooled)
        TRY_NEW(spec.instrument = arena_printf(&s->out->a, "%s: %s", s->t->models->grouping[0],
                                               t->level));
    spec.condition = form_condition(c, form);
    spec.unit = regression_ordinal(s)      ? "log odds"
                : t->kind == TERM_SLOPE    ? "score per gold"
                                           : "scaled score";
    spec.extra = form->kind == FORM_ADDITIVE ? (of_kin ? "not corrected for scale" : "")
                 : c->errors_in_gold         ? "errors-in-gold"
                                             : "";
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
        words_cell(c->setting), words_cell(c->dim), words_cell(form_name[form->kind]),
        words_cell(gold[form->rows->gold]), words_cell(term_name[t->kind]), words_cell(t->level),
        count_cell(t->rows), number_cell(x->estimate), number_cell(x->se), number_cell(x->df),
        number_cell(x->lo), number_cell(x->hi), number_cell(x->p), number_cell(r ? r->q : NAN),
        number_cell(r ? r->q_by : NAN), words_cell(form->vcov), number_cell(t->hc0),
        number_cell(x->estimate - z), number_cell(x->estimate + z), number_cell(t->hc1),
        number_cell(t->cr0), number_cell(t->cr1), number_cell(form->rows->scale),
        number_cell(form->rows->offset), count_cell(x->n), count_cell(x->clusters),
        words_cell(t->depends), words_cell(r ? tare_verdict_name(r->verdict) : ""),
        words_cell(form->note)};
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
