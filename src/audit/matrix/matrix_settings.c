/* Two settings of one dim side by side, e.g. with and without a reference: D, R and Phi~ of every
 * self cell, one minus the other, from the same resamples of their common items (judge audits A.7).
 * D is tested in the family "settings"; R is D over a constant and Phi~ has no verdict, so both are
 * described (ours). */
#include <math.h>
#include <string.h>

#include "audit/matrix/matrix_self_test.h"
#include "audit/matrix/matrix_view.h"
#include "base/error.h"

static bool same_sizes(const size_t *a, const size_t *b, size_t n)
{
    return memcmp(a, b, n * sizeof *a) == 0;
}

static bool same_models(const matrix_view *a, const matrix_view *b)
{
    return a->G == b->G && a->E == b->E && same_sizes(a->author, b->author, a->G) &&
           same_sizes(a->judge, b->judge, a->E);
}

static tare_status restrict_to(matrix_view **out, matrix_view *v, matrix_study *s,
                               uint32_t *item, size_t items, tare_error *err)
{
    tare_status status = TARE_OK;
    *out = v;
    if (items == v->items) goto done;
    TRY_NEW(*out = arena_new(&s->scratch, 1, sizeof **out));
    TRY(matrix_view_restrict(*out, v, s, item, items, err));
    TRY(matrix_view_totals(*out, s, err));
    TRY(matrix_self_tests(*out, s, err));
done:
    return status;
}

/* Both views on the items that they share; `a` NULL: they share too few. */
static tare_status make_pair(matrix_pair *p, matrix_study *s, matrix_view *a, matrix_view *b,
                             tare_error *err)
{
    tare_status status = TARE_OK;
    uint32_t *item;
    size_t items = 0;
    TRY_NEW(item = arena_new(&s->scratch, a->items + 1, sizeof *item));
    for (size_t i = 0, j = 0; i < a->items && j < b->items;) {
        if (a->item[i] == b->item[j]) item[items++] = a->item[i];
        uint32_t x = a->item[i], y = b->item[j];
        i += x <= y;
        j += y <= x;
    }
    *p = (matrix_pair){NULL, NULL};
    if (items < 6) goto done;
    TRY(restrict_to(&p->a, a, s, item, items, err));
    TRY(restrict_to(&p->b, b, s, item, items, err));
done:
    return status;
}

static tare_status enter_difference(matrix_study *s, const matrix_pair *p, const entry_spec *like,
                                    const inference *a, const inference *b, tare_error *err)
{
    tare_status status = TARE_OK;
    inference difference = inference_none(a->reason[0] ? a->reason : b->reason);
    if (!a->reason[0] && !b->reason[0])
        TRY(infer_difference(&difference, a, b, &p->a->plan, true, &s->scratch, err));
    TRY(book_add(&s->book, like, &difference, NULL, err));
done:
    return status;
}

static tare_status enter_pair(matrix_study *s, const matrix_pair *p, tare_error *err)
{
    tare_status status = TARE_OK;
    const matrix_view *a = p->a, *b = p->b;
    const char *arm, *grid = "settings";
    TRY_NEW(arm = arena_printf(&s->out->a, "%s minus %s", a->setting, b->setting));
    if (s->t->dim.count > 1)
        TRY_NEW(grid = arena_printf(&s->out->a, "settings (%s)", a->dim));
    for (size_t k = 0; k < a->K; k++) {
        const matrix_self *x = &a->self[k];
        size_t cell = x->author * a->E + x->judge;
        double ma = matrix_margin(a, x->judge), mb = matrix_margin(b, x->judge);
        entry_spec spec = matrix_entry(a, "settings", "D", x->name, "");
        spec.arm = arm;
        spec.unit = "score";
        spec.grid = grid;
        spec.margin = sqrt((ma * ma + mb * mb) / 2);
        spec.plus = "it favours its own model more in the first setting";
        spec.minus = "it favours its own model less in the first setting";
        TRY(enter_difference(s, p, &spec, &a->d[k], &b->d[k], err));
        spec.descriptive = spec.detail = true;
        spec.name = "R";
        TRY(enter_difference(s, p, &spec, &a->cell_r[cell], &b->cell_r[cell], err));
        spec.name = "Phi~";
        spec.unit = "";
        TRY(enter_difference(s, p, &spec, &a->cell_phi2[cell], &b->cell_phi2[cell], err));
    }
done:
    return status;
}

static bool comparable(const matrix_view *a, const matrix_view *b)
{
    return !a->reason[0] && !b->reason[0] && !a->cells_only && a->balanced && a->K > 0 &&
           strcmp(a->dim, b->dim) == 0 && strcmp(a->setting, b->setting) != 0;
}

tare_status matrix_settings_run(matrix_study *s, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t n = s->views;
    TRY_NEW(s->pair = arena_new(&s->scratch, n * (n - 1) / 2 + 1, sizeof *s->pair));
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++) {
            matrix_view *a = &s->view[i], *b = &s->view[j];
            if (!comparable(a, b)) continue;
            if (!same_models(a, b)) {
                TRY(result_caution(s->out, err,
                                   "%s and %s have different judges or authors and were not "
                                   "compared.", a->label, b->label));
                continue;
            }
            matrix_pair *p = &s->pair[s->pairs];
            TRY(make_pair(p, s, a, b, err));
            if (!p->a) {
                TRY(result_caution(s->out, err,
                                   "%s and %s share fewer than 6 complete items and were not "
                                   "compared.", a->label, b->label));
                continue;
            }
            TRY(enter_pair(s, p, err));
            s->pairs++;
        }
done:
    return status;
}
