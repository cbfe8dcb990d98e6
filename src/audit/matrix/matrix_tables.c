/* Tables: cells.tsv, self.tsv, judges.tsv (judge audits A.8). */
#include <math.h>

#include "audit/matrix/matrix_study.h"
#include "base/error.h"

static const char *place_of(const matrix_view *v, size_t g, size_t e)
{
    if (v->self_author[e] == g) return "self";
    for (size_t k = 0; k < v->groupings; k++)
        if (v->grouping[k].kin[g * v->E + e]) return "block";
    return "";
}

/* lo, hi, p, q_bh, q_by, q_maxt of an entry. */
static void put_entry(cell *row, const matrix_study *s, size_t entry)
{
    const tare_reading *r = book_reading(&s->book, entry);
    const double values[6] = {r->lo, r->hi, r->p, r->q, r->q_by, r->q_maxt};
    for (int i = 0; i < 6; i++) row[i] = number_cell(values[i]);
}

static tare_status cells_table(matrix_study *s, tare_error *err)
{
    tare_status status = TARE_OK;
    static const char *const columns[] = {
        "setting", "dim", "author", "judge", "place", "n", "Phi",
        "R", "R_lo", "R_hi", "R_p", "R_q_bh", "R_q_by", "R_q_maxt",
        "Z", "Z_lo", "Z_hi", "Z_p", "Z_q_bh", "Z_q_by", "Z_q_maxt",
        "Phi~", "Phi~_lo", "Phi~_hi", "Phi~_p", "Phi~_q_bh", "Phi~_q_by", "Phi~_q_maxt", "Phi'"};
    result_table *t;
    TRY_NEW(t = result_add_table(s->out, "cells", "Every author and judge", columns,
                                 sizeof columns / sizeof *columns));
    for (size_t i = 0; i < s->views; i++) {
        const matrix_view *v = &s->view[i];
        for (size_t c = 0; c < v->G * v->E && !v->reason[0]; c++) {
            cell *row;
            size_t g = c / v->E, e = c % v->E;
            TRY_NEW(row = result_add_row(s->out, t));
            row[0] = words_cell(v->setting);
            row[1] = words_cell(v->dim);
            row[2] = words_cell(v->author_name[g]);
            row[3] = words_cell(v->judge_name[e]);
            row[4] = words_cell(place_of(v, g, e));
            row[5] = count_cell(v->n[c]);
            row[6] = number_cell(v->phi[c]);
            row[7] = number_cell(v->r[c]);
            put_entry(row + 8, s, v->entry_r[c]);
            row[14] = number_cell(v->z[c]);
            put_entry(row + 15, s, v->entry_z[c]);
            row[21] = number_cell(v->phi2[c]);
            put_entry(row + 22, s, v->entry_phi2[c]);
            row[28] = number_cell(v->phi1[c]);
        }
    }
done:
    return status;
}

/* ---- self.tsv -------------------------------------------------------------------------------- */

static const char *const self_columns[] = {
    "setting", "dim", "judge", "verdict", "words", "marks",
    "D", "D_lo", "D_hi", "D_p", "D_q_bh", "D_q_by", "D_q_maxt", "margin", "D_in_SD",
    "D_t", "D_t_se", "D_t_df", "D_t_p", "D_flip_p", "D_wilcoxon_p",
    "D_no_family", "D_no_family_lo", "D_no_family_hi",
    "Z", "Z_lo", "Z_hi", "D_z", "D_z_lo", "D_z_hi", "Phi~", "Phi~_lo", "Phi~_hi", "R",
    "regression_self", "regression_self_lo", "regression_self_hi",
    "D_without_one_least", "D_without_one_most", "R_without_one_least", "R_without_one_most",
    "Phi~_without_one_least", "Phi~_without_one_most", "verdict_holds", "judges_left_out",
    "D_worst_least", "D_worst_most",
    "rank_by_itself", "rank_by_others", "rank_selfbias", "rank_minus_others_mean"};

typedef struct row_writer { cell *at; const matrix_study *s; } row_writer;

static void put(row_writer *w, cell c)
{
    *w->at++ = c;
}

/* Estimate and interval of an entry, three columns. */
static void put_estimate(row_writer *w, size_t entry)
{
    const tare_reading *r = entry == BOOK_NONE ? NULL : book_reading(&w->s->book, entry);
    put(w, number_cell(r ? r->estimate : NAN));
    put(w, number_cell(r ? r->lo : NAN));
    put(w, number_cell(r ? r->hi : NAN));
}

static void put_contrast(row_writer *w, const matrix_self *x)
{
    const tare_reading *r = x->d == BOOK_NONE ? NULL : book_reading(&w->s->book, x->d);
    put(w, words_cell(r ? tare_verdict_name(r->verdict) : ""));
    put(w, words_cell(r ? r->words : ""));
    put(w, words_cell(r ? r->marks : ""));
    put_estimate(w, x->d);
    put(w, number_cell(r ? r->p : NAN));
    put(w, number_cell(r ? r->q : NAN));
    put(w, number_cell(r ? r->q_by : NAN));
    put(w, number_cell(r ? r->q_maxt : NAN));
    put(w, number_cell(r ? r->margin : NAN));
    put(w, number_cell(r && x->sd > 0 ? r->estimate / x->sd : NAN));
    put(w, number_cell(x->d_t));
    put(w, number_cell(x->d_se));
    put(w, number_cell(x->d_df));
    put(w, number_cell(x->d_p_t));
    put(w, number_cell(x->d_p_flip));
    put(w, number_cell(x->d_p_wilcoxon));
    put_estimate(w, x->d_kin);
}

static tare_status self_table(matrix_study *s, tare_error *err)
{
    tare_status status = TARE_OK;
    result_table *t;
    TRY_NEW(t = result_add_table(s->out, "self", "Every judge on its own model", self_columns,
                                 sizeof self_columns / sizeof *self_columns));
    for (size_t i = 0; i < s->views; i++) {
        const matrix_view *v = &s->view[i];
        for (size_t k = 0; k < v->K; k++) {
            const matrix_self *x = &v->self[k];
            size_t c = x->author * v->E + x->judge;
            row_writer w = {result_add_row(s->out, t), s};
            if (!w.at) FAIL_MEMORY(err);
            put(&w, words_cell(v->setting));
            put(&w, words_cell(v->dim));
            put(&w, words_cell(x->name));
            put_contrast(&w, x);
            put_estimate(&w, v->entry_z ? v->entry_z[c] : BOOK_NONE);
            put_estimate(&w, x->dz);
            put_estimate(&w, v->entry_phi2 ? v->entry_phi2[c] : BOOK_NONE);
            put(&w, number_cell(v->r[c]));
            put_estimate(&w, x->regression);
            for (int n = 0; n < 3; n++)
                for (int most = 0; most < 2; most++) put(&w, number_cell(x->lojo[n][most]));
            put(&w, x->lojo_of ? count_cell(x->lojo_holds) : words_cell(""));
            put(&w, x->lojo_of ? count_cell(x->lojo_of) : words_cell(""));
            const double last[6] = {x->worst_lo, x->worst_hi, x->rank_own, x->rank_peers,
                                    x->rank_share, x->rank_bias};
            for (int n = 0; n < 6; n++) put(&w, number_cell(last[n]));
        }
    }
done:
    return status;
}

static tare_status judges_table(matrix_study *s, tare_error *err)
{
    tare_status status = TARE_OK;
    static const char *const columns[] = {"setting", "dim", "judge", "also_author", "mean", "SD",
                                          "SD_within_author", "F_author", "reliability", "flag"};
    result_table *t;
    TRY_NEW(t = result_add_table(s->out, "judges", "Scale and reliability of every judge", columns,
                                 sizeof columns / sizeof *columns));
    for (size_t i = 0; i < s->views; i++) {
        const matrix_view *v = &s->view[i];
        for (size_t e = 0; e < v->E && !v->reason[0]; e++) {
            cell *row;
            double sum = 0;
            TRY_NEW(row = result_add_row(s->out, t));
            for (size_t g = 0; g < v->G; g++) sum += v->phi[g * v->E + e];
            row[0] = words_cell(v->setting);
            row[1] = words_cell(v->dim);
            row[2] = words_cell(v->judge_name[e]);
            row[3] = words_cell(v->self_author[e] == SIZE_MAX ? "no" : "yes");
            row[4] = number_cell(sum / (double)v->G);
            row[5] = number_cell(v->judge_sd[e]);
            row[6] = number_cell(v->within_sd[e]);
            row[7] = number_cell(v->f[e]);
            row[8] = number_cell(v->reliability[e]);
            row[9] = words_cell(v->constant[e] ? "constant-judge"
                           : v->low_spread[e] ? "low-spread judge" : "");
        }
    }
done:
    return status;
}

tare_status matrix_tables_run(matrix_study *s, tare_error *err)
{
    tare_status status = TARE_OK;
    TRY(cells_table(s, err));
    TRY(self_table(s, err));
    TRY(judges_table(s, err));
done:
    return status;
}
