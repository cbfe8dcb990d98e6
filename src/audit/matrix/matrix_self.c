/* The self contrast D: does a judge score its own model's texts higher than the other judges do,
 * compared with the other authors (judge audits A.3, A.8)? */
#include <math.h>
#include <string.h>

#include "audit/matrix/matrix_numbers.h"
#include "audit/matrix/matrix_ranks.h"
#include "audit/matrix/matrix_self_test.h"
#include "audit/matrix/matrix_study.h"
#include "base/error.h"
#include "stats/verdict.h"

#define MORE "it scores texts by its own model higher than the other judges do"
#define LESS "it scores texts by its own model lower than the other judges do"

/* Does Z say the same: its sign, and an interval without 0? */
static bool z_agrees(const matrix_view *v, const matrix_self *x, double d)
{
    const inference *z = &v->cell_z[x->author * v->E + x->judge];
    if (z->reason[0] || isnan(z->lo)) return false;
    return d > 0 ? z->lo > 0 : d < 0 ? z->hi < 0 : true;
}

/* Two authors on a judge's own scale are 1 SD above and below the mean: Z knows their order and no
 * more, so that scale and preference cannot be told apart. */
static const char *scale_note(const matrix_view *v)
{
    return v->G < 3 ? "no scale from two authors" : "depends on scale";
}

static entry_spec contrast_spec(const matrix_view *v, const matrix_self *x, const char *name)
{
    entry_spec spec = matrix_entry(v, "self", name, x->name, "");
    spec.missing = &v->counts;
    spec.unit = "score";
    spec.plus = MORE;
    spec.minus = LESS;
    return spec;
}

/* What D would be over all items, what is missing at the ends of the scale (judge audits G.7). */
static tare_status enter_worst(matrix_study *s, const matrix_view *v, const matrix_self *x,
                               tare_error *err)
{
    tare_status status = TARE_OK;
    const double bound[2] = {x->worst_lo, x->worst_hi};
    /* Nothing is missing here: every item that has a row is used. */
    const missing_counts all = {.expected = v->items_all, .used = v->items_all};
    for (int most = 0; most < 2 && !isnan(x->worst_lo); most++) {
        inference inf = inference_none("");
        entry_spec spec = matrix_entry(v, "self", "D_worst", x->name, most ? "most" : "least");
        spec.unit = "score";
        spec.descriptive = spec.detail = true;
        spec.missing = &all;
        inf.estimate = bound[most];
        inf.n = v->items_all;
        TRY(book_add(&s->book, &spec, &inf, NULL, err));
    }
done:
    return status;
}

static tare_status enter_contrasts(matrix_study *s, matrix_view *v, matrix_self *x, size_t k,
                                   tare_error *err)
{
    tare_status status = TARE_OK;
    const char *grid;
    bool kin_leads = s->o.exclude_family && v->d_kin;
    TRY_NEW(grid = matrix_grid(s, v, "self"));
    entry_spec spec = contrast_spec(v, x, "D");
    spec.grid = grid;
    spec.margin = matrix_margin(v, x->judge);
    if (v->constant[x->judge]) spec.reason = REASON_DEGENERATE;
    spec.one_of_several = kin_leads;
    TRY(book_add(&s->book, &spec, &v->d[k], &x->d, err));
    if (!z_agrees(v, x, v->d[k].estimate)) s->book.entries[x->d].condition_note = scale_note(v);
    if (v->d_kin) {
        spec.name = "D_no_family";
        spec.one_of_several = !kin_leads;
        TRY(book_add(&s->book, &spec, &v->d_kin[k], &x->d_kin, err));
        if (!z_agrees(v, x, v->d_kin[k].estimate))
            s->book.entries[x->d_kin].condition_note = scale_note(v);
    }
    spec = contrast_spec(v, x, "D_z");
    spec.unit = "SD of the judge";
    spec.descriptive = true;
    TRY(book_add(&s->book, &spec, &v->dz[k], &x->dz, err));
    TRY(enter_worst(s, v, x, err));
done:
    return status;
}

/* A view whose numbers cannot be computed still answers for each of its judges. */
static tare_status enter_none(matrix_study *s, matrix_view *v, tare_error *err)
{
    tare_status status = TARE_OK;
    inference none = inference_none(v->reason);
    none.n = v->items;
    for (size_t k = 0; k < v->K; k++) {
        entry_spec spec = contrast_spec(v, &v->self[k], "D");
        TRY(book_add(&s->book, &spec, &none, &v->self[k].d, err));
    }
done:
    return status;
}

/* What a judge's scale is like: spread between authors against noise. */
static tare_status enter_reliability(matrix_study *s, const matrix_view *v, tare_error *err)
{
    tare_status status = TARE_OK;
    for (size_t e = 0; e < v->E; e++) {
        entry_spec spec = matrix_entry(v, "reliability", "F_author", v->judge_name[e], "");
        spec.detail = true;
        TRY(matrix_number(s, v, &spec, v->f[e], err));
        spec.name = "column_reliability";
        spec.extra = v->constant[e] ? "constant-judge" : v->low_spread[e] ? "low-spread judge" : "";
        TRY(matrix_number(s, v, &spec, v->reliability[e], err));
    }
done:
    return status;
}

tare_status matrix_self_run(matrix_study *s, tare_error *err)
{
    tare_status status = TARE_OK;
    for (size_t i = 0; i < s->views; i++) {
        matrix_view *v = &s->view[i];
        if (v->reason[0]) {
            TRY(enter_none(s, v, err));
            continue;
        }
        matrix_view_ranks(v);
        if (!v->balanced || v->cells_only) continue;
        TRY(matrix_self_tests(v, s, err));
        TRY(matrix_worst_case(v, s, err));
        for (size_t k = 0; k < v->K; k++) TRY(enter_contrasts(s, v, &v->self[k], k, err));
        TRY(enter_reliability(s, v, err));
    }
done:
    return status;
}
