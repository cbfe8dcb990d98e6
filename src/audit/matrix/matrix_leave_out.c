/* How much hangs on one judge: D, R and Phi~ of every self cell without each of the other judges,
 * and whether the verdict on D stays (judge audits A.7). The verdict without a judge is made as
 * the one with all: q over the remaining models' D, margin, and Z (ours: BY where --fdr is not
 * bh). */
#include <math.h>
#include <string.h>

#include "audit/matrix/matrix_numbers.h"
#include "audit/matrix/matrix_study.h"
#include "base/error.h"
#include "stats/multiple.h"
#include "stats/verdict.h"

static void widen(double range[2], double x)
{
    if (isnan(x)) return;
    range[0] = isnan(range[0]) ? x : fmin(range[0], x);
    range[1] = isnan(range[1]) ? x : fmax(range[1], x);
}

static tare_verdict verdict_without(const matrix_study *s, const matrix_view *v, size_t k,
                                    const inference *d, const inference *z, double q)
{
    const entry *e = &s->book.entries[v->self[k].d];
    double margin = book_reading(&s->book, v->self[k].d)->margin;
    bool equivalent = estimate_equivalent(d, margin);
    verdict_input in = {.estimate = d->estimate, .p = d->p, .q = q, .lo = d->lo, .hi = d->hi,
                        .alpha = s->o.book.alpha, .margin = margin, .equivalent = equivalent,
                        .floor = NAN, .missing_informative = e->capped, .reason = d->reason};
    tare_verdict verdict = verdict_decide(&in).verdict;
    bool agrees = d->estimate > 0 ? z->lo > 0 : z->hi < 0;
    if (agrees) return verdict;
    return verdict == TARE_FOUND ? TARE_INCONCLUSIVE   /* as the book has it */
           : verdict == TARE_SMALL ? TARE_NEGLIGIBLE : verdict;
}

/* All models without judge `dropped`. p and q [K]. */
static tare_status leave_out(matrix_study *s, matrix_view *v, size_t dropped, double *q,
                             tare_error *err)
{
    tare_status status = TARE_OK;
    const inference *d = v->lojo + dropped * 2 * v->K, *z = d + v->K;
    double factor = matrix_contrast_factor(v->G, v->E - 1);
    bool bh = strcmp(s->o.book.fdr, "bh") == 0;
    for (size_t k = 0; k < v->K; k++)
        q[k] = v->self[k].judge == dropped || v->constant[v->self[k].judge] || d[k].reason[0]
                   ? NAN
                   : d[k].p;
    TRY(multiple_adjust(q, NULL, q, v->K, bh ? MULTIPLE_BH : MULTIPLE_BY, s->m, err));
    for (size_t k = 0; k < v->K; k++) {
        matrix_self *x = &v->self[k];
        if (x->judge == dropped) continue;
        widen(x->lojo[0], d[k].estimate);
        widen(x->lojo[1], d[k].estimate / factor);
        if (v->constant[x->judge]) continue; /* it has no verdict */
        x->lojo_of++;
        x->lojo_holds += verdict_without(s, v, k, &d[k], &z[k], q[k]) ==
                         book_reading(&s->book, x->d)->verdict;
    }
done:
    return status;
}

static void range_of_cells(matrix_view *v, size_t ddof, double *scratch)
{
    size_t less = v->G * (v->E - 1);
    for (size_t e = 0; e < v->E; e++) {
        matrix_without(scratch, NULL, scratch + less, v->phi,
                       &(matrix_dropped){v->G, v->E, e, ddof});
        for (size_t k = 0; k < v->K; k++) {
            matrix_self *x = &v->self[k];
            size_t at = x->author * (v->E - 1) + x->judge - (x->judge > e);
            if (x->judge == e) continue;
            if (!v->lojo) widen(x->lojo[1], scratch[at]);
            widen(x->lojo[2], scratch[less + at]);
        }
    }
}

/* Entered after the verdicts: numbers that carry none. */
static tare_status enter_number(matrix_study *s, const matrix_view *v, const char *judge,
                                const char *name, double value, tare_error *err)
{
    tare_status status = TARE_OK;
    entry_spec spec = matrix_entry(v, "leave-one-judge-out", name, judge, "");
    spec.detail = true;
    TRY(matrix_number(s, v, &spec, value, err));
    book_reading(&s->book, s->book.count - 1)->verdict =
        isnan(value) ? TARE_NO_ANSWER : TARE_DESCRIPTIVE;
done:
    return status;
}

static tare_status enter_ranges(matrix_study *s, const matrix_view *v, tare_error *err)
{
    tare_status status = TARE_OK;
    static const char *const names[3][2] = {
        {"D_least", "D_most"}, {"R_least", "R_most"}, {"Phi~_least", "Phi~_most"}};
    for (size_t k = 0; k < v->K; k++) {
        const matrix_self *x = &v->self[k];
        for (int n = v->lojo ? 0 : 1; n < 3; n++)
            for (int most = 0; most < 2; most++)
                TRY(enter_number(s, v, x->name, names[n][most], x->lojo[n][most], err));
        if (x->lojo_of)
            TRY(enter_number(s, v, x->name, "verdict_holds",
                             (double)x->lojo_holds / (double)x->lojo_of, err));
    }
done:
    return status;
}

tare_status matrix_leave_out_run(matrix_study *s, tare_error *err)
{
    tare_status status = TARE_OK;
    double *q = NULL;
    TRY_NEW(q = mem_new(s->m, 2 * MATRIX_CELLS_MOST, sizeof *q));
    for (size_t i = 0; i < s->views; i++) {
        matrix_view *v = &s->view[i];
        if (v->reason[0] || v->K == 0 || v->E < 4) continue;
        range_of_cells(v, s->o.ddof, q);
        for (size_t e = 0; e < v->E && v->lojo; e++) TRY(leave_out(s, v, e, q, err));
        TRY(enter_ranges(s, v, err));
    }
done:
    mem_free(s->m, q);
    return status;
}
