/* Figures: heat maps of Phi and Phi~, forest of D and Z, own scores against the peers' mean. */
#include <math.h>
#include <string.h>

#include "audit/matrix/matrix_study.h"
#include "audit/words.h"
#include "base/error.h"
#include "stats/moments.h"

static const char *outline_of(const matrix_view *v, size_t g, size_t e)
{
    if (v->self_author[e] == g) return "self";
    for (size_t k = 0; k < v->groupings; k++)
        if (v->grouping[k].kin[g * v->E + e]) return "block";
    return "";
}

/* The dot says that q of the number shown is at most alpha. */
static const char *mark_of(const matrix_study *s, size_t entry)
{
    const tare_reading *r = book_reading(&s->book, entry);
    if (r->reason[0]) return "no answer";
    if (r->q <= s->o.book.alpha && (r->lo > 0 || r->hi < 0)) return "q";
    return r->p <= s->o.book.alpha ? "raw" : "none";
}

static const char *tip_of(matrix_study *s, const matrix_view *v, size_t c)
{
    arena *a = &s->out->a;
    const double values[4] = {v->phi[c], v->r[c], v->z[c], v->phi2[c]};
    const char *text[4];
    for (int i = 0; i < 4; i++)
        if ((text[i] = number_text(a, values[i])) == NULL) return NULL;
    return arena_printf(a, "%s judged by %s: Phi %s, R %s, Z %s, Phi~ %s",
                        v->author_name[c / v->E], v->judge_name[c % v->E], text[0], text[1],
                        text[2], text[3]);
}

static tare_status heat_figure(matrix_study *s, bool standardised, tare_error *err)
{
    tare_status status = TARE_OK;
    figure *f;
    TRY_NEW(f = result_add_figure(s->out, FIGURE_HEAT, standardised ? "phi-tilde" : "phi",
                                  standardised ? "Phi~: every author's row, once judges are on one "
                                                 "scale"
                                               : "Phi: mean score of every author by every judge"));
    f->x_title = "judge";
    f->y_title = "author";
    f->caption = standardised
                     ? "Standardised by judge, then by author: where a row is high relative to the "
                       "rest of it. An effect size, not a size: rows of little spread show large "
                       "values. Bold frames: a judge's own model; thin frames: models of one "
                       "block; dots: q at or below alpha."
                     : "Means in score units. Bold frames: a judge's own model; thin frames: "
                       "models of one block.";
    for (size_t i = 0; i < s->views; i++) {
        const matrix_view *v = &s->view[i];
        for (size_t c = 0; c < v->G * v->E && !v->reason[0]; c++) {
            figure_point *p;
            TRY_NEW(p = result_add_point(s->out, f));
            *p = (figure_point){v->label, v->author_name[c / v->E], v->judge_name[c % v->E],
                                NAN, standardised ? v->phi2[c] : v->phi[c], NAN, NAN,
                                standardised && !v->cells_only ? mark_of(s, v->entry_phi2[c]) : "",
                                "", outline_of(v, c / v->E, c % v->E)};
            TRY_NEW(p->tip = tip_of(s, v, c));
        }
    }
done:
    return status;
}

static tare_status forest_point(matrix_study *s, figure *f, const matrix_view *v,
                                const matrix_self *x, const char *panel, size_t entry,
                                tare_error *err)
{
    tare_status status = TARE_OK;
    const tare_reading *r = book_reading(&s->book, entry);
    figure_point *p;
    const char *number[3];
    const double values[3] = {r->estimate, r->lo, r->hi};
    TRY_NEW(p = result_add_point(s->out, f));
    *p = (figure_point){panel, v->label, x->name, r->estimate, NAN, r->lo, r->hi,
                        mark_of(s, entry), "", ""};
    for (int i = 0; i < 3; i++) TRY_NEW(number[i] = number_text(&s->out->a, values[i]));
    TRY_NEW(p->tip = arena_printf(&s->out->a, "%s %s: %s [%s, %s]", x->name, r->name, number[0],
                                  number[1], number[2]));
done:
    return status;
}

static tare_status forest_figure(matrix_study *s, tare_error *err)
{
    tare_status status = TARE_OK;
    figure *f = NULL;
    for (int scale = 0; scale < 2; scale++)
        for (size_t i = 0; i < s->views; i++) {
            const matrix_view *v = &s->view[i];
            for (size_t k = 0; k < v->K && v->entry_z && !v->cells_only; k++) {
                const matrix_self *x = &v->self[k];
                size_t c = x->author * v->E + x->judge;
                size_t entry = scale ? v->entry_z[c]
                               : x->d != BOOK_NONE ? x->d : v->entry_r[c];
                if (!f) {
                    TRY_NEW(f = result_add_figure(s->out, FIGURE_FOREST, "self",
                                                  "Preference for the own model"));
                    f->x_title = "estimate with interval";
                    f->caption = "D in score units, and Z with every judge on its own scale. A "
                                 "preference is called found only where both exclude 0.";
                }
                TRY(forest_point(s, f, v, x,
                                 scale ? "Z: on the judge's own scale"
                                 : x->d != BOOK_NONE ? "D: score units" : "R: score units", entry,
                                 err));
            }
        }
done:
    return status;
}

static tare_status scatter_figure(matrix_study *s, const matrix_view *v, size_t index,
                                  tare_error *err)
{
    tare_status status = TARE_OK;
    const char *id, *title = "A judge's scores against its peers' mean";
    figure *f;
    TRY_NEW(id = arena_printf(&s->out->a, index ? "own-peers-%zu" : "own-peers", index + 1));
    if (v->label[0])
        TRY_NEW(title = arena_printf(&s->out->a, "A judge's scores against its peers' mean: %s",
                                     v->label));
    TRY_NEW(f = result_add_figure(s->out, FIGURE_SCATTER, id, title));
    f->x_title = "mean score by the other judges";
    f->y_title = "score by the judge";
    f->caption = "One point for each author. A judge that favours its own model has that point "
                 "above the line of the others.";
    for (size_t k = 0; k < v->K; k++)
        for (size_t g = 0; g < v->G; g++) {
            const matrix_self *x = &v->self[k];
            figure_point *p;
            neumaier sum = {0, 0};
            for (size_t e = 0; e < v->E; e++)
                if (e != x->judge) neumaier_add(&sum, v->phi[g * v->E + e]);
            TRY_NEW(p = result_add_point(s->out, f));
            *p = (figure_point){x->name, g == x->author ? "own model" : "other authors",
                                v->author_name[g], neumaier_total(&sum) / ((double)v->E - 1),
                                v->phi[g * v->E + x->judge], NAN, NAN, "", "", ""};
            TRY_NEW(p->tip = tip_of(s, v, g * v->E + x->judge));
        }
done:
    return status;
}

tare_status matrix_figures_run(matrix_study *s, tare_error *err)
{
    tare_status status = TARE_OK;
    bool any = false;
    for (size_t i = 0; i < s->views; i++) any = any || !s->view[i].reason[0];
    if (!any) goto done;
    TRY(forest_figure(s, err));
    TRY(heat_figure(s, true, err));
    TRY(heat_figure(s, false, err));
    for (size_t i = 0; i < s->views; i++)
        if (!s->view[i].reason[0] && s->view[i].K > 0)
            TRY(scatter_figure(s, &s->view[i], i, err));
done:
    return status;
}
