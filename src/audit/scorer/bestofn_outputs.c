/* What is shown of best-of-n beside its readings: the curve over n as a table and one figure per
 * scorer, and the drift against the most that the pools allow (scorer audit 13). */
#include <math.h>
#include <string.h>

#include "audit/scorer/bestofn.h"
#include "audit/scorer/figures.h"
#include "audit/words.h"
#include "base/error.h"

static const char *const curve_columns[] = {
    "arm", "scorer", "quantity", "unit", "n", "net", "lo", "hi", "lo_simultaneous",
    "hi_simultaneous", "p", "random", "saturation_share", "permutation_z", "tie_rate",
    "reference", "n_base", "n_cluster", "reason"};
#define CURVE_COLUMNS (sizeof curve_columns / sizeof *curve_columns)

static tare_status curve_row(study *t, result_table *table, const drift_curve *c,
                             const drift_point *at, tare_error *err)
{
    tare_status status = TARE_OK;
    const tare_reading *r = &t->out->readings[at->reading];
    bool silent = r->reason[0] != '\0';
    cell *row;
    TRY_NEW(row = result_add_row(t->out, table));
    const cell cells[CURVE_COLUMNS] = {
        words_cell(r->arm), words_cell(r->instrument), words_cell(c->quantity),
        words_cell(c->unit), count_cell(at->n), number_cell(r->estimate), number_cell(r->lo),
        number_cell(r->hi), number_cell(silent ? NAN : at->lo), number_cell(silent ? NAN : at->hi),
        number_cell(r->p), number_cell(c->random), number_cell(at->saturation_share),
        number_cell(at->permutation_z), number_cell(at->tie_rate), number_cell(at->reference),
        count_cell(r->n_base), count_cell(r->n_cluster), words_cell(r->reason)};
    memcpy(row, cells, sizeof cells);
done:
    return status;
}

tare_status bestofn_table(study *t, tare_error *err)
{
    tare_status status = TARE_OK;
    result_table *table = NULL;
    for (size_t k = 0; k < t->views; k++)
        for (size_t q = 0; q < 2; q++) {
            const drift_curve *c = t->view[k].curve[q];
            if (!c) continue;
            if (!table)
                TRY_NEW(table = result_add_table(t->out, "bestofn_curve",
                                                 "Best of n for every n", curve_columns,
                                                 CURVE_COLUMNS));
            for (size_t i = 0; i < c->count; i++)
                TRY(curve_row(t, table, c, &c->at[i], err));
        }
done:
    return status;
}

/* ---- the curve ------------------------------------------------------------------------------ */

static tare_status point(study *t, figure *f, figure_point value, tare_error *err)
{
    figure_point *p = result_add_point(t->out, f);
    if (!p) return error_memory(err);
    *p = value;
    return TARE_OK;
}

/* One panel: both bands around one line, and what a scorer that only dislikes edits would do. */
static tare_status curve_panel(study *t, figure *f, const view *v, const drift_curve *c,
                               tare_error *err)
{
    tare_status status = TARE_OK;
    const char *panel;
    if (t->out->readings[c->at[0].reading].reason[0]) goto done;
    TRY_NEW(panel = arena_printf(&t->out->a, "%s: %s", v->arm->name, c->quantity));
    for (size_t i = 0; i < c->count; i++) {
        const drift_point *at = &c->at[i];
        const tare_reading *r = &t->out->readings[at->reading];
        double n = (double)at->n;
        TRY(point(t, f, (figure_point){panel, "interval of each n", "", n, r->estimate, r->lo,
                                       r->hi, "", "", ""}, err));
        TRY(point(t, f, (figure_point){panel, "band over all n", "", n, r->estimate, at->lo,
                                       at->hi, "", "", ""}, err));
        TRY(point(t, f, (figure_point){panel, "fidelity reference", "", n, at->reference, NAN, NAN,
                                       "", "", ""}, err));
    }
done:
    return status;
}

static tare_status curve_figure(study *t, size_t scorer, tare_error *err)
{
    tare_status status = TARE_OK;
    figure *f = NULL;
    for (size_t a = 0; a < t->c->arms; a++)
        for (size_t q = 0; q < 2; q++) {
            const view *v = &t->view[a * t->c->scorers + scorer];
            if (!v->curve[q] || !arm_main(v->arm)) continue;
            if (!f) {
                const char *id, *title;
                TRY_NEW(id = figure_id(t, "bestofn", scorer, v->scorer));
                TRY_NEW(title = arena_printf(&t->out->a, "%s: drift of the best of n", v->scorer));
                TRY_NEW(f = result_add_figure(t->out, FIGURE_CURVE, id, title));
                f->own_scales = true; /* attribute and dose */
                f->x_title = "n";
                f->y_title = "drift beyond a random pick";
                f->caption = "Mean over images, with the 95 % interval of each n and the band that "
                             "holds for all n at once. The fidelity reference is the drift of a "
                             "scorer that only prefers small edits.";
            }
            TRY(curve_panel(t, f, v, v->curve[q], err));
        }
done:
    return status;
}

/* ---- drift against saturation --------------------------------------------------------------- */

static tare_status saturation_scatter(study *t, tare_error *err)
{
    tare_status status = TARE_OK;
    figure *f = NULL;
    for (size_t k = 0; k < t->views; k++) {
        const view *v = &t->view[k];
        size_t q = v->curve[0] ? 0 : 1;
        const drift_curve *c = v->curve[q];
        const judged *j = study_get(t, v, q == 0 ? RD_DRIFT : RD_DRIFT_DOSE);
        if (!c || !j || !arm_main(v->arm)) continue;
        const tare_reading *r = study_reading(t, j);
        if (r->reason[0]) continue;
        if (!f) {
            TRY_NEW(f = result_add_figure(t->out, FIGURE_SCATTER, "drift-saturation",
                                          "Drift against saturation"));
            f->own_scales = true;
            f->x_title = "the most a pool allows";
            f->y_title = "size of the net drift";
            f->caption = "One point per scorer, both in units of the attribute (of the dose where "
                         "none is measured). On the diagonal the scorer picks by the attribute "
                         "alone.";
        }
        const char *panel, *tip, *net, *most;
        TRY_NEW(panel = arena_printf(&t->out->a, "%s: %s", v->arm->name, c->quantity));
        TRY_NEW(net = number_text(&t->out->a, r->estimate));
        TRY_NEW(most = number_text(&t->out->a, c->most));
        TRY_NEW(tip = arena_printf(&t->out->a, "%s: net drift %s of at most %s", v->scorer, net,
                                   most));
        TRY(point(t, f, (figure_point){panel, "", v->scorer, c->most, fabs(r->estimate), NAN, NAN,
                                       "", tip, ""}, err));
    }
done:
    return status;
}

tare_status bestofn_figures(study *t, tare_error *err)
{
    tare_status status = TARE_OK;
    for (size_t k = 0; k < t->c->scorers; k++) TRY(curve_figure(t, k, err));
    TRY(saturation_scatter(t, err));
done:
    return status;
}
