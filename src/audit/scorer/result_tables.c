/* The typed tables (scorer audit 13): one per family, one row per estimate; the variants as they
 * were scored; shape; criterion; grids. */
#include <math.h>
#include <string.h>

#include "audit/scorer/bestofn.h"
#include "audit/scorer/study.h"
#include "base/error.h"
#include "base/text.h"

/* "score_nonfinite=1 missing=2" */
static tare_status missing_text(const char **out, study *t, const tare_reading *r, tare_error *err)
{
    tare_status status = TARE_OK;
    text list;
    text_init(&list, t->m);
    for (int k = 1; k < TARE_REASON_COUNT; k++)
        if (r->n_missing[k])
            text_add_format(&list, "%s%s=%llu", list.length ? " " : "",
                            tare_reason_name((tare_reason)k), (unsigned long long)r->n_missing[k]);
    *out = "";
    if (list.failed) FAIL_MEMORY(err);
    if (list.length) TRY_NEW(*out = arena_copy(&t->out->a, list.data));
done:
    text_free(&list);
    return status;
}

static const char *const estimate_columns[] = {
    "arm", "scorer", "reading", "condition", "unit", "estimate", "lo", "hi", "p", "q", "grid",
    "se", "df", "n_base", "n_cluster", "n_expected", "n_missing", "mde", "margin", "floor",
    "verdict", "reason", "marks", "interval", "p_method", "p_floor", "seed", "B"};
#define ESTIMATE_COLUMNS (sizeof estimate_columns / sizeof *estimate_columns)

static tare_status estimate_row(study *t, result_table *table, const tare_reading *r,
                                tare_error *err)
{
    tare_status status = TARE_OK;
    const char *missing;
    cell *row;
    TRY(missing_text(&missing, t, r, err));
    TRY_NEW(row = result_add_row(t->out, table));
    const cell cells[ESTIMATE_COLUMNS] = {
        words_cell(r->arm), words_cell(r->instrument), words_cell(r->name),
        words_cell(r->condition), words_cell(r->unit), number_cell(r->estimate), number_cell(r->lo),
        number_cell(r->hi), number_cell(r->p), number_cell(r->q), words_cell(r->grid),
        number_cell(r->se), number_cell(r->df), count_cell(r->n_base), count_cell(r->n_cluster),
        count_cell(r->n_expected), words_cell(missing), number_cell(r->mde), number_cell(r->margin),
        number_cell(r->floor), words_cell(tare_verdict_name(r->verdict)), words_cell(r->reason),
        words_cell(r->marks), words_cell(r->interval_method), words_cell(r->p_method),
        number_cell(r->p_floor), count_cell(r->seed), count_cell(r->replicates)};
    memcpy(row, cells, sizeof cells);
done:
    return status;
}

static tare_status family_tables(study *t, tare_error *err)
{
    tare_status status = TARE_OK;
    static const char *const families[][2] = {
        {"noise", "Instrument noise"}, {"fidelity", "Fidelity and asymmetry"},
        {"curve", "Score against dose"}, {"regression", "Attribute and artifact"},
        {"bestofn", "Best-of-n amplification"}, {"crossimage", "Cross-image baseline"},
        {"placebo", "Placebo contrasts"}, {"calibration", "Measured attribute against dose"},
        {"robust", "Robustness"}, {"population", "Groups of images"},
        {"criterion", "Criterion C1, C2, C3"}, {"missing", "Missing scores"}};
    for (size_t f = 0; f < sizeof families / sizeof *families; f++) {
        result_table *table = NULL;
        for (size_t k = 0; k < t->out->reading_count; k++) {
            const tare_reading *r = &t->out->readings[k];
            if (strcmp(r->family, families[f][0]) != 0) continue;
            if (!table)
                TRY_NEW(table = result_add_table(t->out, families[f][0], families[f][1],
                                                 estimate_columns, ESTIMATE_COLUMNS));
            TRY(estimate_row(t, table, r, err));
        }
    }
done:
    return status;
}

static const char *side_name(side_mark s)
{
    static const char *const names[] = {"", "-", "0", "+"};
    return names[s];
}

static tare_status shape_table(study *t, tare_error *err)
{
    tare_status status = TARE_OK;
    static const char *const columns[] = {"arm", "scorer", "N", "P", "class", "symmetry", "kappa",
                                          "p_joint", "q_joint", "shorter_rule", "drift",
                                          "artifact", "words"};
    result_table *table;
    TRY_NEW(table = result_add_table(t->out, "shape", "Shape of the fidelity curve", columns,
                                     sizeof columns / sizeof *columns));
    for (size_t k = 0; k < t->views; k++) {
        const view *v = &t->view[k];
        const judged *joint = study_get(t, v, RD_SHAPE), *kappa = study_get(t, v, RD_KAPPA);
        const tare_reading *r = joint ? study_reading(t, joint) : NULL;
        cell *row;
        TRY_NEW(row = result_add_row(t->out, table));
        row[0] = words_cell(v->arm->name);
        row[1] = words_cell(v->scorer);
        row[2] = words_cell(side_name(v->side_n));
        row[3] = words_cell(side_name(v->side_p));
        row[4] = words_cell(v->shape);
        row[5] = words_cell(v->symmetry);
        row[6] = number_cell(kappa ? study_reading(t, kappa)->estimate : NAN);
        row[7] = number_cell(r ? r->p : NAN);
        row[8] = number_cell(r ? r->q : NAN);
        row[9] = words_cell(v->short_rule);
        row[10] = words_cell(v->drift_words);
        row[11] = words_cell(v->carried_fidelity || v->carried_beta ? "carried by the artifact"
                                                               : v->gamma_note);
        row[12] = words_cell(r ? r->words : v->shape);
    }
done:
    return status;
}

tare_status tables_run(study *t, tare_error *err)
{
    tare_status status = TARE_OK;
    TRY(family_tables(t, err));
    TRY(bestofn_table(t, err));
    TRY(shape_table(t, err));
    TRY(grid_tables(t, err));
    TRY(null_table(t, err));
    TRY(used_scores_table(t, err));
done:
    return status;
}
