/* Transfer as a table and as figures (scorer audit 8, 13). */
#include <math.h>
#include <string.h>

#include "audit/scorer/figures.h"
#include "audit/scorer/transfer.h"
#include "audit/words.h"
#include "base/error.h"
#include "base/text.h"

const char *transfer_reading_name(arena *a, const study *t, const transfer_cell *cell)
{
    if (cell->id == RD_FI) return "FI";
    if (cell->id == RD_A) return "A";
    if (cell->id == RD_DRIFT_DOSE) return "net drift (dose)";
    return arena_printf(a, "net drift (%s)", t->view[cell->compared].arm->attribute_name);
}

bool transfer_is_counted(const study *t, const transfer_cell *cell)
{
    return strcmp(study_reading(t, &t->judged[cell->difference])->grid, "v") == 0;
}

/* ---- table ----------------------------------------------------------------------------------- */

enum { SIDE_CELLS = 5 };

static void side_cells(cell *row, const study *t, const view *v, reading_id id)
{
    const judged *j = study_get(t, v, id);
    const tare_reading *r = study_reading(t, j);
    row[0] = number_cell(r->estimate);
    row[1] = number_cell(r->lo);
    row[2] = number_cell(r->hi);
    row[3] = number_cell(r->q);
    row[4] = words_cell(r->verdict == TARE_NO_ANSWER || v->capped ? "no answer"
                        : j->significant                          ? "yes"
                                                                  : "no");
}

/* The edit, where both arms say the same of it. */
static const char *operator_of(const view *reference, const view *compared)
{
    const char *x = reference->arm->operator_name, *y = compared->arm->operator_name;
    return strcmp(x, y) == 0 ? x : "";
}

static tare_status transfer_row(study *t, result_table *table, const transfer_cell *x,
                                tare_error *err)
{
    tare_status status = TARE_OK;
    const view *reference = &t->view[x->reference], *compared = &t->view[x->compared];
    const tare_reading *r = study_reading(t, &t->judged[x->difference]);
    cell *row;
    const char *name;
    TRY_NEW(name = transfer_reading_name(&t->out->a, t, x));
    TRY_NEW(row = result_add_row(t->out, table));
    *row++ = words_cell(compared->scorer);
    *row++ = words_cell(operator_of(reference, compared));
    *row++ = words_cell(name);
    *row++ = words_cell(r->unit);
    *row++ = words_cell(reference->arm->name);
    side_cells(row, t, reference, x->id);
    row += SIDE_CELLS;
    *row++ = words_cell(compared->arm->name);
    side_cells(row, t, compared, x->id);
    row += SIDE_CELLS;
    *row++ = number_cell(x->ratio);
    *row++ = words_cell(transfer_class_name(x->class_));
    *row++ = words_cell(x->confirmed ? "confirmed" : "");
    *row++ = words_cell(x->compared_words);
    const double numbers[] = {r->estimate, r->lo, r->hi, r->p, r->q};
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) *row++ = number_cell(numbers[k]);
    *row++ = words_cell(r->grid);
    const double limits[] = {r->se, r->df, r->mde, r->margin, r->floor};
    for (size_t k = 0; k < sizeof limits / sizeof *limits; k++) *row++ = number_cell(limits[k]);
    *row++ = count_cell(r->n_base);
    *row++ = count_cell(r->n_cluster);
    *row++ = words_cell(tare_verdict_name(r->verdict));
    *row++ = words_cell(r->reason[0] ? r->reason : x->refused);
    *row = words_cell(r->marks);
done:
    return status;
}

static tare_status transfer_table(study *t, tare_error *err)
{
    static const char *const columns[] = {
        "scorer", "operator", "reading", "unit", "reference", "reference_estimate", "reference_lo",
        "reference_hi", "reference_q", "reference_sig", "compared", "compared_estimate",
        "compared_lo", "compared_hi", "compared_q", "compared_sig", "ratio", "class", "confirmed",
        "compared_words", "difference", "lo", "hi", "p", "q", "grid", "se", "df", "mde", "margin",
        "floor", "n_base", "n_cluster", "verdict", "reason", "marks"};
    tare_status status = TARE_OK;
    result_table *table;
    TRY_NEW(table = result_add_table(t->out, "transfer", "From one arm to the other", columns,
                                     sizeof columns / sizeof *columns));
    for (size_t k = 0; k < t->transfer->count; k++)
        TRY(transfer_row(t, table, &t->transfer->cell[k], err));
done:
    return status;
}

/* ---- figures --------------------------------------------------------------------------------- */

/* "real/skin against synthetic/skin", the pair of a cell. */
static const char *pair_name(arena *a, const study *t, const transfer_cell *x)
{
    return arena_printf(a, "%s against %s", t->view[x->compared].arm->name,
                        t->view[x->reference].arm->name);
}

static tare_status grid_figure(study *t, tare_error *err)
{
    tare_status status = TARE_OK;
    arena *a = &t->out->a;
    figure *f;
    TRY_NEW(f = result_add_figure(t->out, FIGURE_HEAT, "transfer",
                                  "What holds in one arm: does it hold in the other?"));
    f->words = true;
    f->caption = "The class of each reading. A strong outline says that the difference between the "
                 "arms is itself significant after FDR (confirmed); without it a class only says "
                 "what was resolved where.";
    for (size_t k = 0; k < t->transfer->count; k++) {
        const transfer_cell *x = &t->transfer->cell[k];
        const tare_reading *r = study_reading(t, &t->judged[x->difference]);
        const char *pair, *row, *name;
        TRY_NEW(name = transfer_reading_name(a, t, x));
        TRY_NEW(pair = pair_name(a, t, x));
        row = t->view[x->compared].scorer;
        if (t->transfer->pairs > 1) TRY_NEW(row = arena_printf(a, "%s, %s", row, pair));
        figure_point point = {.panel = "", .series = row, .label = name, .x = NAN,
                              .y = r->estimate, .lo = NAN, .hi = NAN,
                              .mark = transfer_class_name(x->class_), .tip = "",
                              .outline = x->confirmed ? "self" : ""};
        TRY(figure_add(t, f, point, r, err));
    }
done:
    return status;
}

/* The compared estimate over that of the reference; scores in SD0, as raw units do not compare
 * across scorers (scorer audit 16.3). */
static tare_status scatter_figure(study *t, tare_error *err)
{
    static const struct { reading_id id; const char *panel; } panels[] = {
        {RD_FI, "FI, in SDs of the scores"}, {RD_A, "A, in SDs of the scores"},
        {RD_DRIFT, "net drift, attribute"}, {RD_DRIFT_DOSE, "net drift, dose"}};
    tare_status status = TARE_OK;
    figure *f;
    TRY_NEW(f = result_add_figure(t->out, FIGURE_SCATTER, "transfer-arms",
                                  "One arm against the other"));
    const transfer_cell *first = &t->transfer->cell[0];
    bool one = t->transfer->pairs == 1;
    f->own_scales = true;
    f->x_title = one ? t->view[first->reference].arm->name : "reference arm";
    f->y_title = one ? t->view[first->compared].arm->name : "compared arm";
    f->caption = "Each point is a scorer, with the 95 % interval of the compared arm. On one side "
                 "of 0 in the reference and on the other in the compared arm is a reversal; next "
                 "to 0 in the compared arm alone, a collapse.";
    for (size_t n = 0; n < sizeof panels / sizeof *panels; n++)
        for (size_t k = 0; k < t->transfer->count; k++) {
            const transfer_cell *x = &t->transfer->cell[k];
            const view *v = &t->view[x->compared];
            if (x->id != panels[n].id || x->class_ == TRANSFER_NO_ANSWER) continue;
            bool scores = x->id == RD_FI || x->id == RD_A;
            double unit = !scores ? 1 : v->sd0 > 0 ? v->sd0 : NAN;
            const view *w = &t->view[x->reference];
            const tare_reading *from = study_reading(t, study_get(t, w, x->id));
            const tare_reading *to = study_reading(t, study_get(t, v, x->id));
            if (isnan(unit)) continue;
            figure_point point = {.panel = panels[n].panel, .series = v->scorer,
                                  .label = v->scorer, .x = from->estimate / unit,
                                  .y = to->estimate / unit, .lo = to->lo / unit,
                                  .hi = to->hi / unit, .mark = transfer_class_name(x->class_),
                                  .tip = "", .outline = ""};
            TRY(figure_add(t, f, point, to, err));
        }
done:
    return status;
}

tare_status transfer_report_run(study *t, tare_error *err)
{
    tare_status status = TARE_OK;
    if (!t->transfer || !t->transfer->count) return TARE_OK;
    TRY(transfer_table(t, err));
    TRY(grid_figure(t, err));
    TRY(scatter_figure(t, err));
done:
    return status;
}
