/* What a preference for the original is made of: as measured, without what the artifact explains,
 * and what edits without the attribute's change give (scorer audit 5.4, 5.7). */
#include <math.h>

#include "audit/scorer/figures.h"
#include "audit/scorer/study.h"
#include "base/error.h"

typedef struct piece {
    const char *label;
    const judged *j;
} piece;

static tare_status add_piece(study *t, figure *f, const view *v, piece p, tare_error *err)
{
    if (!p.j) return TARE_OK;
    const tare_reading *r = study_reading(t, p.j);
    if (isnan(r->estimate)) return TARE_OK;
    figure_point point = {v->scorer, v->arm->name, p.label, r->estimate, NAN, r->lo, r->hi,
                          figure_mark(t, p.j), "", ""};
    return figure_add(t, f, point, r, err);
}

/* Placebos and shams that the arm is contrasted with, by the FI of their own views. */
static tare_status add_placebos(study *t, figure *f, size_t main, tare_error *err)
{
    tare_status status = TARE_OK;
    const view *of = &t->view[main];
    for (size_t k = 0; k < t->pairs; k++) {
        if (t->pair[k].main != main) continue;
        const view *v = &t->view[t->pair[k].placebo];
        const char *label;
        TRY_NEW(label = arena_printf(&t->out->a, "%s instead", v->arm->operator_name));
        TRY(add_piece(t, f, of, (piece){label, study_get(t, v, RD_FI)}, err));
    }
done:
    return status;
}

tare_status mechanism_figure(study *t, tare_error *err)
{
    tare_status status = TARE_OK;
    figure *f = NULL;
    for (size_t s = 0; s < t->c->scorers; s++)
        for (size_t a = 0; a < t->c->arms; a++) {
            const view *v = &t->view[a * t->c->scorers + s];
            if (!arm_main(v->arm) || !study_get(t, v, RD_FI)) continue;
            if (!f) {
                TRY_NEW(f = result_add_figure(t->out, FIGURE_FOREST, "mechanism",
                                              "What the preference for the original is made of"));
                f->x_title = "FI with 95 % interval";
                f->caption = "As measured; with what the artifact explains taken out; and where "
                             "another edit takes the place of this one. What a sham shows too is "
                             "no preference about the attribute.";
            }
            TRY(add_piece(t, f, v, (piece){"as measured", study_get(t, v, RD_FI)}, err));
            TRY(add_piece(t, f, v, (piece){"artifact taken out", study_get(t, v, RD_FI_ADJ)},
                          err));
            TRY(add_placebos(t, f, a * t->c->scorers + s, err));
        }
done:
    return status;
}
