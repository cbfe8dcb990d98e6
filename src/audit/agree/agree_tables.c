/* The tables of the audit: one of agreement for each data set, since numbers of different tie
 * density do not belong in one (judge audits C.3), and one for each other family. */
#include "audit/agree/agree_tables.h"

#include <math.h>
#include <string.h>

#include "audit/agree/agree.h"
#include "base/error.h"

cell cell_of_number(double x)
{
    return isnan(x) ? (cell){CELL_EMPTY, "", NAN, 0} : (cell){CELL_NUMBER, "", x, 0};
}

cell cell_of_words(const char *s)
{
    return s && s[0] ? (cell){CELL_TEXT, s, NAN, 0} : (cell){CELL_EMPTY, "", NAN, 0};
}

cell cell_of_count(uint64_t x)
{
    return (cell){CELL_INTEGER, "", NAN, (int64_t)x};
}

static const char *const family_columns[] = {
    "setting", "dim", "judge", "reading", "condition", "unit", "estimate", "lo", "hi", "se", "p",
    "q_bh", "q_by", "q_maxt", "mde", "margin", "n", "n_clusters", "verdict", "reason", "marks"};
#define FAMILY_COLUMNS (sizeof family_columns / sizeof *family_columns)

tare_status agree_family_table(audit_result *out, const char *family, const char *title,
                               tare_error *err)
{
    tare_status status = TARE_OK;
    result_table *table = NULL;
    for (size_t k = 0; k < out->reading_count; k++) {
        const tare_reading *r = &out->readings[k];
        if (strcmp(r->family, family) != 0) continue;
        if (!table)
            TRY_NEW(table = result_add_table(out, family, title, family_columns, FAMILY_COLUMNS));
        cell *row;
        TRY_NEW(row = result_add_row(out, table));
        const cell cells[FAMILY_COLUMNS] = {
            cell_of_words(r->arm), cell_of_words(r->dim), cell_of_words(r->instrument),
            cell_of_words(r->name), cell_of_words(r->condition), cell_of_words(r->unit),
            cell_of_number(r->estimate), cell_of_number(r->lo), cell_of_number(r->hi),
            cell_of_number(r->se), cell_of_number(r->p), cell_of_number(r->q),
            cell_of_number(r->q_by), cell_of_number(r->q_maxt), cell_of_number(r->mde),
            cell_of_number(r->margin), cell_of_count(r->n_base), cell_of_count(r->n_cluster),
            cell_of_words(tare_verdict_name(r->verdict)), cell_of_words(r->reason),
            cell_of_words(r->marks)};
        memcpy(row, cells, sizeof cells);
    }
done:
    return status;
}

static const char *const agreement_columns[] = {
    "protocol", "setting", "dim", "judge", "n", "n_clusters", "distinct_judge", "distinct_gold",
    "tied_judge", "tied_gold", "times", "tau_b", "tau_b_lo", "tau_b_hi", "tau_c", "tau_c_lo",
    "tau_c_hi", "spearman", "spearman_lo", "spearman_hi", "pearson", "pearson_lo", "pearson_hi",
    "first"};
#define AGREEMENT_COLUMNS (sizeof agreement_columns / sizeof *agreement_columns)
#define FIRST_STAT 11

static tare_status agreement_row(agree *g, result_table *table, const agree_view *v,
                                 tare_error *err)
{
    tare_status status = TARE_OK;
    const agree_layer *l = v->layer;
    double times = protocol_is_custom(g->o.protocol) ? 1 : 100;
    cell *row;
    TRY_NEW(row = result_add_row(g->out, table));
    row[0] = cell_of_words(g->o.protocol->name);
    row[1] = cell_of_words(l->arm);
    row[2] = cell_of_words(l->dim);
    row[3] = cell_of_words(v->name);
    row[4] = cell_of_count(v->s.n);
    row[5] = cell_of_count(v->s.clusters);
    row[6] = cell_of_count(v->distinct);
    row[7] = cell_of_count(v->tau.distinct_y);
    row[8] = cell_of_number(v->tied);
    row[9] = cell_of_number(l->tied);
    row[10] = cell_of_number(times);
    for (size_t s = STAT_TAU_B; s <= STAT_PEARSON; s++) {
        if (v->entry[s] == BOOK_NONE) continue;
        const tare_reading *r = book_reading(&g->b, v->entry[s]);
        row[FIRST_STAT + 3 * s] = cell_of_number(times * r->estimate);
        row[FIRST_STAT + 3 * s + 1] = cell_of_number(times * r->lo);
        row[FIRST_STAT + 3 * s + 2] = cell_of_number(times * r->hi);
    }
    row[AGREEMENT_COLUMNS - 1] = cell_of_number(v->first);
done:
    return status;
}

static tare_status agreement_table(agree *g, size_t layer, tare_error *err)
{
    tare_status status = TARE_OK;
    const agree_layer *l = &g->layer[layer];
    const char *name = "agreement", *title, *hundred;
    result_table *table;
    hundred = protocol_is_custom(g->o.protocol) ? "" : "; tau, Spearman and Pearson times 100";
    if (g->layers > 1)
        TRY_NEW(name = arena_printf(&g->out->a, "agreement-%02zu", layer + 1));
    TRY_NEW(title = arena_printf(&g->out->a, "Agreement with people, protocol %s%s%s%s",
                                 g->o.protocol->name, l->label[0] ? ": " : "", l->label, hundred));
    TRY_NEW(table = result_add_table(g->out, name, title, agreement_columns, AGREEMENT_COLUMNS));
    for (size_t j = 0; j < g->t.judge.count; j++)
        TRY(agreement_row(g, table, &g->view[layer * g->t.judge.count + j], err));
done:
    return status;
}

tare_status agree_tables_run(agree *g, tare_error *err)
{
    tare_status status = TARE_OK;
    static const char *const families[][2] = {
        {"ceiling", "People among themselves, and judges against the same targets"},
        {"pairs", "Judges against each other"},
        {"leniency", "Mean of judge - people"},
        {"categories", "Scores as categories"},
        {"reliability", "Reliability: Krippendorff's alpha and intraclass correlation"},
        {"missing", "Missing scores"}};
    for (size_t l = 0; l < g->layers && !g->o.labels; l++) TRY(agreement_table(g, l, err));
    for (size_t k = 0; k < sizeof families / sizeof *families; k++)
        TRY(agree_family_table(g->out, families[k][0], families[k][1], err));
done:
    return status;
}
