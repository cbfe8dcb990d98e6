/* R, Z and Phi~ of every cell with their p, in three families each: self cells, cells within a
 * block, all others (judge audits A.5).
 *
 * Each of the three numbers has its own families; the verdict of a cell is that of R, under the
 * condition that Z agrees, as with D. Z and Phi~ keep p and q and have no verdict: Phi~ is no size,
 * and Z is there to qualify R (ours). */
#include <math.h>

#include "audit/matrix/matrix_numbers.h"
#include "audit/matrix/matrix_view.h"
#include "base/error.h"
#include "stats/verdict.h"

typedef struct cell_number {
    const char *name, *unit;
    const char *grid[3]; /* self, within a block, other */
} cell_number;

static const cell_number numbers[3] = {
    {"R", "score", {"R self", "R within blocks", "R other"}},
    {"Z", "SD over authors", {"Z self", "Z within blocks", "Z other"}},
    {"Phi~", "", {"Phi~ self", "Phi~ within blocks", "Phi~ other"}}};

static int place_of(const matrix_view *v, size_t g, size_t e)
{
    if (v->self_author[e] == g) return 0;
    for (size_t k = 0; k < v->groupings; k++)
        if (v->grouping[k].kin[g * v->E + e]) return 1;
    return 2;
}

/* Items of a cell: of a balanced view those of all cells. */
static missing_counts missing_in(const matrix_study *s, const matrix_view *v, size_t g, size_t e)
{
    missing_counts n = {0};
    if (v->balanced) return v->counts;
    for (size_t i = 0; i < v->items_all; i++)
        missing_add(&n, matrix_cell_status(s, v, v->layer_item[i], v->author[g], v->judge[e]));
    return n;
}

static tare_status enter_cell(matrix_study *s, matrix_view *v, size_t g, size_t e,
                              const char *grids[3][3], tare_error *err)
{
    tare_status status = TARE_OK;
    size_t c = g * v->E + e, *entry[3] = {&v->entry_r[c], &v->entry_z[c], &v->entry_phi2[c]};
    const double value[3] = {v->r[c], v->z[c], v->phi2[c]};
    const inference *const all[3] = {v->cell_r, v->cell_z, v->cell_phi2};
    missing_counts missing;
    int place = place_of(v, g, e);
    const char *phi2_mark = v->flat[g] ? "flat row" : v->E < 4 ? "fewer than 4 judges" : "";
    if (!v->cells_only) missing = missing_in(s, v, g, e);
    for (int n = 0; n < 3; n++) {
        entry_spec spec = matrix_entry(v, "cells", numbers[n].name, v->judge_name[e],
                                       v->author_name[g]);
        spec.detail = place != 0;
        spec.unit = numbers[n].unit;
        spec.extra = place == 0 ? "self" : place == 1 ? "block" : "";
        if (n == 2 && phi2_mark[0]) {
            const char *both = spec.extra[0] ? ", " : "";
            TRY_NEW(spec.extra = arena_printf(&s->out->a, "%s%s%s", spec.extra, both, phi2_mark));
        }
        /* A judge that gives every author the same mean says nothing of any of them (ours). */
        if (v->constant[e]) spec.reason = REASON_DEGENERATE;
        if (v->cells_only) {
            TRY(book_number(&s->book, &spec, value[n], err));
            *entry[n] = s->book.count - 1;
            tare_reading *r = book_reading(&s->book, *entry[n]);
            r->n_base = r->n_expected = v->n[c];
            continue;
        }
        spec.missing = &missing;
        /* R of a cell is D of that cell over this factor: so are their margins. */
        spec.margin = n == 0 ? matrix_margin(v, e) / matrix_contrast_factor(v->G, v->E) : NAN;
        /* Cells of different items are described, not tested (A.1). */
        spec.descriptive = !v->balanced;
        spec.grid = grids[n][place];
        spec.detail = true;
        TRY(book_add(&s->book, &spec, &all[n][c], entry[n], err));
    }
    if (v->cells_only) return TARE_OK;
    const inference *z = &v->cell_z[c];
    bool agrees = v->r[c] > 0 ? z->lo > 0 : z->hi < 0;
    if (!agrees)
        s->book.entries[*entry[0]].condition_note =
            v->G < 3 ? "no scale from two authors" : "depends on scale";
done:
    return status;
}

/* Phi itself: the number that people know. */
static tare_status enter_phi(matrix_study *s, const matrix_view *v, tare_error *err)
{
    tare_status status = TARE_OK;
    for (size_t e = 0; e < v->E; e++)
        for (size_t g = 0; g < v->G; g++) {
            entry_spec spec = matrix_entry(v, "cells", "Phi", v->judge_name[e], v->author_name[g]);
            spec.detail = true;
            spec.unit = "score";
            missing_counts counts = missing_in(s, v, g, e);
            if (!v->cells_only) spec.missing = &counts;
            TRY(matrix_number(s, v, &spec, v->phi[g * v->E + e], err));
            tare_reading *r = book_reading(&s->book, s->book.count - 1);
            r->n_base = v->n[g * v->E + e];
            if (v->cells_only) r->n_expected = r->n_base;
        }
done:
    return status;
}

static tare_status enter_view(matrix_study *s, matrix_view *v, tare_error *err)
{
    tare_status status = TARE_OK;
    const char *grids[3][3];
    size_t cells = v->G * v->E;
    TRY_NEW(v->entry_r = arena_new(&s->scratch, cells, sizeof *v->entry_r));
    TRY_NEW(v->entry_z = arena_new(&s->scratch, cells, sizeof *v->entry_z));
    TRY_NEW(v->entry_phi2 = arena_new(&s->scratch, cells, sizeof *v->entry_phi2));
    for (int n = 0; n < 3; n++)
        for (int k = 0; k < 3; k++)
            TRY_NEW(grids[n][k] = matrix_grid(s, v, numbers[n].grid[k]));
    TRY(enter_phi(s, v, err));
    for (size_t e = 0; e < v->E; e++)
        for (size_t g = 0; g < v->G; g++) TRY(enter_cell(s, v, g, e, grids, err));
done:
    return status;
}

tare_status matrix_cell_entries_run(matrix_study *s, tare_error *err)
{
    tare_status status = TARE_OK;
    for (size_t i = 0; i < s->views; i++) {
        matrix_view *v = &s->view[i];
        if (v->reason[0]) continue;
        TRY(enter_view(s, v, err));
    }
done:
    return status;
}

tare_status matrix_unjudge_cells(matrix_study *s, tare_error *err)
{
    (void)err;
    for (size_t i = 0; i < s->views; i++) {
        const matrix_view *v = &s->view[i];
        if (v->reason[0] || v->cells_only) continue;
        for (size_t c = 0; c < v->G * v->E; c++) {
            const size_t entry[2] = {v->entry_z[c], v->entry_phi2[c]};
            for (int n = 0; n < 2; n++) {
                tare_reading *r = book_reading(&s->book, entry[n]);
                if (r->verdict == TARE_NO_ANSWER) continue;
                r->verdict = TARE_DESCRIPTIVE;
                if (!v->balanced) continue;
                r->words = n ? "an effect size, standardised twice: no size of a preference"
                             : "the residual on the judge's own scale";
            }
        }
    }
    return TARE_OK;
}
