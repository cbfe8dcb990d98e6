/* The tables of the audit: one of agreement for each data set, since numbers of different tie
 * density do not belong in one (judge audits C.3), and one for each other family. */
#include "audit/agree/agree_tables.h"

#include <math.h>
#include <string.h>

#include "audit/agree/agree.h"
#include "base/error.h"

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
            words_cell(r->arm), words_cell(r->dim), words_cell(r->instrument),
            words_cell(r->name), words_cell(r->condition), words_cell(r->unit),
            number_cell(r->estimate), number_cell(r->lo), number_cell(r->hi),
            number_cell(r->se), number_cell(r->p), number_cell(r->q),
            number_cell(r->q_by), number_cell(r->q_maxt), number_cell(r->mde),
            number_cell(r->margin), count_cell(r->n_base), count_cell(r->n_cluster),
            words_cell(tare_verdict_name(r->verdict)), words_cell(r->reason),
            words_cell(r->marks)};
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
    row[0] = words_cell(g->o.protocol->name);
    row[1] = words_cell(l->arm);
    row[2] = words_cell(l->dim);
    row[3] = words_cell(v->name);
    row[4] = count_cell(v->s.n);
    row[5] = count_cell(v->s.clusters);
    row[6] = count_cell(v->distinct);
    row[7] = count_cell(v->tau.distinct_y);
    row[8] = number_cell(v->tied);
    row[9] = number_cell(l->tied);
    row[10] = number_cell(times);
    for (size_t s = STAT_TAU_B; s <= STAT_PEARSON; s++) {
        if (v->entry[s] == BOOK_NONE) continue;
        const tare_reading *r = book_reading(&g->b, v->entry[s]);
        row[FIRST_STAT + 3 * s] = number_cell(times * r->estimate);
        row[FIRST_STAT + 3 * s + 1] = number_cell(times * r->lo);
        row[FIRST_STAT + 3 * s + 2] = number_cell(times * r->hi);
    }
    row[AGREEMENT_COLUMNS - 1] = number_cell(v->first);
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
