/* One form fitted, its covariance chosen, its terms filled in (see self_regression.h). */
#include <math.h>
#include <string.h>

#include "audit/matrix/self_regression.h"
#include "base/error.h"
#include "base/text.h"
#include "stats/verdict.h"

#define CLUSTERS_MIN 6
#define CLUSTERS_CR1 30
#define NO_SPREAD 1e-12 /* SE of a coefficient of scores near 1 that only rounding makes */

inference regression_inference(const matrix_study *s, double estimate, double se, double df,
                               const char *method)
{
    inference x = inference_none("");
    double alpha = s->o.book.alpha;
    x.estimate = estimate;
    x.se = se;
    x.df = df;
    x.interval_method = method;
    x.p_method = method;
    if (isnan(estimate) || isnan(se) || !(df > 0)) return x;
    if (se < NO_SPREAD) { /* all residuals 0: statistics 8 */
        x.zero_variance = true;
        x.estimate = fabs(estimate) < NO_SPREAD ? 0 : estimate;
        x.se = 0;
        x.lo = x.hi = x.lo90 = x.hi90 = x.estimate;
        x.p = x.estimate == 0 ? 1 : 0;
        return x;
    }
    inference_by_t(&x, alpha);
    return x;
}

/* Weights of beta in what a judge's term says of scores as they are: its own column, less the
 * shifts of gold and length. Two pairs at most beside 1 for the column itself. */
typedef struct regression_contrast {
    size_t column[2];
    double weight[2];
    size_t count;
    double constant;
} regression_contrast;

static regression_contrast uncentred(const regression_form *form, size_t column)
{
    regression_contrast c = {.count = 0, .constant = 0};
    const cell_rows *rows = &form->rows->rows;
    const regression_term *t = &form->term[column];
    if (t->kind != TERM_JUDGE) return c;
    c.constant = rows->y_shift;
    if (form->design.slope) {
        size_t cell = t->judge * form->rows->cast->D; /* of the first author */
        c.column[c.count] = form->design.slope[cell];
        c.weight[c.count++] = -rows->gold_shift[cell];
    }
    if (form->design.length != NO_COLUMN) {
        c.column[c.count] = form->design.length;
        c.weight[c.count++] = -rows->length_shift;
    }
    return c;
}

/* The estimate. */
static double value_of(const regression_form *form, const double *beta, size_t column)
{
    regression_contrast c = uncentred(form, column);
    double value = beta[column] + c.constant;
    for (size_t k = 0; k < c.count; k++)
        if (!isnan(beta[c.column[k]])) value += c.weight[k] * beta[c.column[k]];
    return value;
}

/* Its variance by the covariance v [stride] of beta. */
static double variance_of(const regression_form *form, const double *v, size_t stride,
                          size_t column)
{
    regression_contrast c = uncentred(form, column);
    double value = v[column * stride + column];
    for (size_t k = 0; k < c.count; k++) {
        size_t a = c.column[k];
        if (isnan(v[a * stride + a])) continue; /* dropped */
        value += 2 * c.weight[k] * v[column * stride + a];
        for (size_t m = 0; m < c.count; m++)
            if (!isnan(v[a * stride + c.column[m]]))
                value += c.weight[k] * c.weight[m] * v[a * stride + c.column[m]];
    }
    return value > 0 ? value : isnan(value) ? NAN : 0;
}

/* ---- Names ----------------------------------------------------------------------------------- */

static void add_name(text *out, const regression_term *t)
{
    static const char *const name[TERM_KINDS] = {"judge", "author", "gold:judge", "self",
                                                 "family", "dim", "length"};
    text_add_format(out, "%s%s%s", name[t->kind], t->level[0] ? " " : "", t->level);
}

static tare_status name_dependence(regression_form *form, matrix_study *s, const cell_fit *fit,
                                   size_t j, tare_error *err)
{
    enum { SHOWN = 6 };
    tare_status status = TARE_OK;
    const double *weight = fit->depends + j * fit->p;
    size_t count = 0;
    text list;
    text_init(&list, s->m);
    for (size_t i = 0; i < fit->p; i++) {
        if (weight[i] == 0) continue;
        if (count < SHOWN && count > 0) text_add(&list, ", ");
        if (count < SHOWN) add_name(&list, &form->term[i]);
        count++;
    }
    if (count > SHOWN) text_add_format(&list, " and %zu more", count - SHOWN);
    if (count == 0) text_add(&list, "nothing: it is constant");
    if (list.failed) FAIL_MEMORY(err);
    TRY_NEW(form->term[j].depends = arena_copy(&s->out->a, list.data));
done:
    text_free(&list);
    return status;
}

/* ---- Covariance ------------------------------------------------------------------------------ */

static bool is(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
}

typedef struct lead { const double *v; double factor, df; const char *method, *name; } lead;

/* What leads among those that sums per cell give. */
static lead choose(const cell_fit *fit, const char *vcov)
{
    double m = (double)fit->clusters - 1, rows = (double)fit->n - (double)fit->rank;
    if (is(vcov, "hc0")) return (lead){fit->hc0, 1, rows, "HC0 t", "HC0"};
    if (is(vcov, "hc1")) return (lead){fit->hc0, cell_hc1_factor(fit), rows, "HC1 t", "HC1"};
    if (is(vcov, "cr0")) return (lead){fit->cr0, 1, m, "CR0 t", "CR0"};
    return (lead){fit->cr0, cell_cr1_factor(fit), m, "CR1 t", "CR1"};
}

static void fill_terms(regression_form *form, const matrix_study *s, const cell_fit *fit,
                       const lead *by)
{
    double cr1 = cell_cr1_factor(fit), hc1 = cell_hc1_factor(fit);
    for (size_t j = 0; j < fit->p; j++) {
        regression_term *t = &form->term[j];
        t->dropped = fit->dropped[j];
        t->hc0 = t->hc1 = t->cr0 = t->cr1 = NAN;
        if (t->dropped) {
            t->inf = inference_none(REASON_INSEPARABLE);
            continue;
        }
        double rows = variance_of(form, fit->hc0, fit->p, j);
        double clusters = variance_of(form, fit->cr0, fit->p, j);
        t->hc0 = sqrt(rows);
        t->hc1 = sqrt(rows * hc1);
        t->cr0 = sqrt(clusters);
        t->cr1 = sqrt(clusters * cr1);
        double v = by->v == fit->hc0 ? rows : clusters;
        t->inf = regression_inference(s, value_of(form, fit->beta, j),
                                      sqrt(v * by->factor), by->df, by->method);
        if (t->kind == TERM_JUDGE) t->inf.p = NAN; /* a severity of 0 is no hypothesis */
    }
    form->vcov = by->name;
}

/* What rests on the scores of constant judges alone says nothing of preferences. */
static tare_status drop_constant(regression_form *form, matrix_study *s, tare_error *err)
{
    tare_status status = TARE_OK;
    const cell_design *x = &form->design;
    const regression_cast *cast = form->rows->cast;
    uint8_t *lives;
    TRY_NEW(lives = arena_new(&s->scratch, x->p + 1, 1));
    for (size_t c = 0; c < form->rows->rows.cells; c++) {
        if (form->rows->sums[c * CELL_SUMS + CELL_N] == 0) continue;
        if (form->constant[c / cast->D % cast->J]) continue;
        for (uint32_t k = x->start[c]; k < x->start[c + 1]; k++) lives[x->column[k]] = 1;
        if (x->slope && x->slope[c] != NO_COLUMN) lives[x->slope[c]] = 1;
    }
    for (size_t j = 0; j < x->p; j++) {
        regression_term *t = &form->term[j];
        bool of_judges = t->kind == TERM_JUDGE || t->kind == TERM_SLOPE || t->kind == TERM_SELF
                         || t->kind == TERM_FAMILY;
        if (!of_judges || lives[j] || t->rows == 0) continue;
        inference none = inference_none(REASON_DEGENERATE);
        none.n = t->inf.n;
        none.clusters = t->inf.clusters;
        t->inf = none;
        t->hc0 = t->hc1 = t->cr0 = t->cr1 = NAN;
    }
done:
    return status;
}

/* The number of rows and clusters; no answer where there is nothing to answer from. */
static void finish_terms(regression_form *form, const cell_fit *fit)
{
    const char *reason = fit->n == 0                        ? REASON_NOT_RUN
                         : !(fit->tss > 0)                  ? REASON_DEGENERATE
                         : fit->clusters < CLUSTERS_MIN     ? REASON_TOO_FEW_CLUSTERS
                                                            : form->reason;
    form->reason = reason;
    for (size_t j = 0; j < form->design.p; j++) {
        regression_term *t = &form->term[j];
        t->inf.n = fit->n;
        t->inf.clusters = fit->clusters;
        if (!reason[0]) continue;
        double estimate = is(reason, REASON_TOO_FEW_CLUSTERS) ? t->inf.estimate : NAN;
        t->inf = inference_none(reason);
        t->inf.estimate = estimate;
        t->inf.n = fit->n;
        t->inf.clusters = fit->clusters;
    }
}

tare_status regression_form_fit(regression_form *form, matrix_study *s, tare_error *err)
{
    tare_status status = TARE_OK;
    cell_fit fit;
    const char *vcov = s->o.vcov;
    bool done = false, ordinal = is(s->o.link, "ordinal");
    form->note = form->reason = "";
    form->residual_sd = NAN;
    TRY(cell_regression(&fit, &form->rows->rows, &form->design, form->rows->sums, &s->scratch,
                        s->context->pool, err));
    form->rank = fit.rank;
    form->clusters = fit.clusters;
    if (fit.n > fit.rank) form->residual_sd = sqrt(fit.rss / (double)(fit.n - fit.rank));
    if (is(vcov, "auto")) vcov = fit.clusters >= CLUSTERS_CR1 ? "cr1" : "cr2";
    lead by = choose(&fit, vcov);
    fill_terms(form, s, &fit, &by);
    for (size_t j = 0; j < fit.p; j++)
        if (fit.dropped[j]) TRY(name_dependence(form, s, &fit, j, err));
    bool enough = fit.clusters >= CLUSTERS_MIN && fit.tss > 0;
    if (enough && ordinal) {
        form->residual_sd = NAN;
        TRY(regression_ordinal_fit(&done, form, s, err));
        if (!done) form->reason = REASON_NOT_RUN;
    } else if (enough && (is(vcov, "cr2") || is(vcov, "twoway"))) {
        TRY(regression_dense_fit(&done, form, s, vcov, err));
        if (!done) form->note = "too many rows for the covariance asked for: CR1";
    }
    finish_terms(form, &fit);
    TRY(drop_constant(form, s, err));
done:
    return status;
}
