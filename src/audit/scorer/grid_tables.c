/* The families of tests as tables and in words (scorer audit 11): how many cells there are, before
 * and after those without an answer, and every cell with its raw and its adjusted mark. */
#include <math.h>
#include <string.h>

#include "audit/scorer/study.h"
#include "audit/words.h"
#include "base/error.h"

static const char *grid_members(int grid)
{
    static const char *const words[GRID_COUNT] = {
        "FI, beta, net drift", "FI, beta, net drift in dose units", "FI, A", "FI_adj, A_adj",
        "omnibus over groups of FI, A", "omnibus over groups of FI_adj, A_adj",
        "joint p of both sides", "FI, A, net drift: difference between arms",
        "FI against placebo"};
    return words[grid];
}

static tare_status fdr_table(study *t, tare_error *err)
{
    tare_status status = TARE_OK;
    static const char *const columns[] = {"grid",   "members", "cells", "answered", "significant",
                                          "method", "alpha",   "max_t"};
    result_table *table;
    TRY_NEW(table = result_add_table(t->out, "fdr", "Families of tests", columns,
                                     sizeof columns / sizeof *columns));
    for (int g = 0; g < GRID_COUNT; g++) {
        const grid_size *x = &t->grid[g];
        cell *row;
        TRY_NEW(row = result_add_row(t->out, table));
        row[0] = words_cell(grid_name(g));
        row[1] = words_cell(grid_members(g));
        row[2] = count_cell(x->planned);
        row[3] = count_cell(x->tested);
        row[4] = count_cell(x->significant);
        row[5] = words_cell("BH");
        row[6] = number_cell(t->o.alpha);
        row[7] = words_cell(x->no_maxt ? x->no_maxt : x->tested ? "single step" : "");
    }
done:
    return status;
}

/* check: q <= alpha; dagger: the raw p alone; cross: neither (scorer audit 11). */
static const char *adjusted_mark(double p, double q, double alpha)
{
    return isnan(p) ? "no answer" : q <= alpha ? "check" : p <= alpha ? "dagger" : "cross";
}

static const char *raw_mark(double p, double alpha)
{
    return isnan(p) ? "no answer" : p <= alpha ? "check" : "cross";
}

static tare_status cell_row(study *t, result_table *table, int grid, size_t k, tare_error *err)
{
    tare_status status = TARE_OK;
    const grid_size *g = &t->grid[grid];
    const tare_reading *r = study_reading(t, &t->judged[g->member[k]]);
    double p = g->p[k], q = g->q[k], alpha = t->o.alpha;
    const char *words;
    cell *row;
    TRY_NEW(words = isnan(p) ? "" : p_text(&t->out->a, "p", p, r->p_floor));
    TRY_NEW(row = result_add_row(t->out, table));
    row[0] = words_cell(grid_name(grid));
    row[1] = words_cell(r->arm);
    row[2] = words_cell(r->instrument);
    row[3] = words_cell(r->name);
    row[4] = words_cell(r->condition);
    row[5] = number_cell(p);
    row[6] = words_cell(words);
    row[7] = number_cell(q);
    row[8] = number_cell(g->maxt[k]);
    row[9] = words_cell(raw_mark(p, alpha));
    row[10] = words_cell(adjusted_mark(p, q, alpha));
    row[11] = words_cell(r->grid);
    row[12] = words_cell(r->reason);
done:
    return status;
}

static tare_status cells_table(study *t, tare_error *err)
{
    tare_status status = TARE_OK;
    static const char *const columns[] = {"grid", "arm", "scorer", "reading", "condition", "p",
                                          "p_text", "q", "q_maxt", "raw", "adjusted", "home_grid",
                                          "reason"};
    result_table *table = NULL;
    for (int grid = 0; grid < GRID_COUNT; grid++)
        for (size_t k = 0; k < t->grid[grid].planned; k++) {
            if (!table)
                TRY_NEW(table = result_add_table(t->out, "fdr_cells", "Cells of the families",
                                                 columns, sizeof columns / sizeof *columns));
            TRY(cell_row(t, table, grid, k, err));
        }
done:
    return status;
}

tare_status grid_tables(study *t, tare_error *err)
{
    tare_status status = TARE_OK;
    TRY(fdr_table(t, err));
    TRY(cells_table(t, err));
done:
    return status;
}

tare_status grid_facts(study *t, tare_error *err)
{
    tare_status status = TARE_OK;
    for (int g = 0; g < GRID_COUNT; g++) {
        const grid_size *x = &t->grid[g];
        const char *key, *value;
        if (x->planned == 0) continue;
        TRY_NEW(key = arena_printf(&t->scratch, "grid %s", grid_name(g)));
        TRY_NEW(value = arena_printf(
                    &t->scratch, "%zu cell%s, %zu with an answer, %zu significant%s", x->planned,
                    x->planned == 1 ? "" : "s", x->tested, x->significant,
                    x->no_maxt ? "; no max-T" : ""));
        TRY(result_fact_add(t->out, "scorer audit", key, value, err));
    }
done:
    return status;
}
