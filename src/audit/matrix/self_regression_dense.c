/* What sums per cell do not hold: CR2 with its degrees of freedom, two-way clusters by item and
 * judge, and the ordinal link, from the design written out (see self_regression.h). */
#include <math.h>
#include <string.h>

#include "audit/matrix/self_regression.h"
#include "base/error.h"
#include "stats/linear.h"
#include "stats/ordinal.h"
#include "stats/verdict.h"

typedef struct dense {
    arena a;
    linear_model model;
    linear_clusters item, judge;
} dense;

/* Gold and length as they are, so that a judge's column is its severity and the degrees of freedom
 * are those of that, less the shift of the scores. */
static void uncentre(double *row, const regression_form *form, size_t i)
{
    const cell_rows *rows = &form->rows->rows;
    const cell_design *design = &form->design;
    size_t cell = rows->cell[i], slope = design->slope ? design->slope[cell] : NO_COLUMN;
    if (slope != NO_COLUMN) row[slope] += rows->gold_shift[cell];
    if (design->length != NO_COLUMN) row[design->length] += rows->length_shift;
}

static tare_status write_out(bool *fits, dense *x, const regression_form *form, const mem *m,
                             tare_error *err)
{
    tare_status status = TARE_OK;
    const cell_rows *rows = &form->rows->rows;
    size_t n = rows->n, p = form->design.p;
    double *columns, *row;
    uint32_t *item, *judge;
    arena_init(&x->a, m);
    *fits = p > 0 && n <= REGRESSION_DENSE_MOST / p;
    if (!*fits) goto done;
    TRY_NEW(columns = arena_new(&x->a, n * p + 1, sizeof *columns));
    TRY_NEW(row = arena_new(&x->a, p, sizeof *row));
    TRY_NEW(item = arena_new(&x->a, n + 1, sizeof *item));
    TRY_NEW(judge = arena_new(&x->a, n + 1, sizeof *judge));
    for (size_t c = 0; c < rows->clusters; c++)
        for (size_t i = rows->start[c]; i < rows->start[c + 1]; i++) {
            cell_design_row(row, rows, &form->design, i);
            uncentre(row, form, i);
            for (size_t j = 0; j < p; j++) columns[j * n + i] = row[j];
            item[i] = (uint32_t)c;
            judge[i] = (uint32_t)(rows->cell[i] / form->rows->cast->D % form->rows->cast->J);
        }
    x->model = (linear_model){.n = n, .p = p, .x = columns, .y = rows->y};
    x->item = (linear_clusters){item, rows->clusters, 0};
    x->judge = (linear_clusters){judge, form->rows->cast->J, 0};
done:
    return status;
}

tare_status regression_dense_fit(bool *done_, regression_form *form, matrix_study *s,
                                 const char *vcov, tare_error *err)
{
    tare_status status = TARE_OK;
    bool two = strcmp(vcov, "twoway") == 0;
    dense x;
    linear_ols fit;
    linear_cov cov;
    TRY(write_out(done_, &x, form, s->m, err));
    if (!*done_) goto done;
    TRY(linear_fit(&fit, &x.model, &x.a, err));
    const linear_clusters by[2] = {x.item, x.judge};
    if (two) TRY(linear_covariance_two(&cov, &fit, &x.model, by, &x.a, err));
    else TRY(linear_covariance(&cov, &fit, &x.model, LINEAR_CR2, &x.item, &x.a, err));
    size_t stride = form->design.p + 1;
    for (size_t j = 0; j < form->design.p; j++) {
        if (form->term[j].dropped || fit.dropped[j]) continue;
        bool severity = form->term[j].kind == TERM_JUDGE;
        double value = fit.beta[j] + (severity ? form->rows->rows.y_shift : 0);
        form->term[j].inf = regression_inference(s, value, sqrt(cov.v[j * stride + j]), cov.df[j],
                                                 two ? "two-way CR0 t" : "CR2 Satterthwaite t");
        if (severity) form->term[j].inf.p = NAN;
    }
    form->vcov = two ? "two-way CR0" : "CR2";
    if (two && cov.clipped) form->note = "negative eigenvalues of the two-way covariance set to 0";
done:
    arena_free(&x.a);
    return status;
}

tare_status regression_ordinal_fit(bool *done_, regression_form *form, matrix_study *s,
                                   tare_error *err)
{
    tare_status status = TARE_OK;
    dense x;
    ordinal_fit fit;
    tare_error limit;
    TRY(write_out(done_, &x, form, s->m, err));
    if (!*done_) {
        form->note = "too many rows for the ordinal link";
        goto done;
    }
    tare_status made = ordinal_logit(&fit, &x.model, &x.item, &x.a, &limit);
    if (made == TARE_E_LIMIT) {
        form->note = "too many distinct scores for the ordinal link";
        *done_ = false;
        goto done;
    }
    if (made != TARE_OK && err) *err = limit;
    TRY(made);
    if (!fit.converged) form->reason = REASON_NOT_CONVERGED;
    if (fit.separated) form->note = "some scores are separated: coefficients grow without bound";
    for (size_t j = 0; j < form->design.p; j++) {
        regression_term *t = &form->term[j];
        t->hc0 = t->hc1 = t->cr0 = t->cr1 = NAN;
        t->dropped = isnan(fit.beta[j]);
        t->inf = t->dropped ? inference_none(REASON_INSEPARABLE)
                            : regression_inference(s, fit.beta[j], fit.se_cluster[j],
                                                   (double)form->clusters - 1, "cluster t");
        if (t->dropped && t->kind == TERM_JUDGE) t->depends = "the thresholds and other judges";
    }
    form->vcov = "clusters";
done:
    arena_free(&x.a);
    return status;
}
