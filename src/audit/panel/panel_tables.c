/* Tables of the panel audit: panels, members, vectors, sequence, errors. */
#include <math.h>
#include <string.h>

#include "audit/panel/panel_study.h"
#include "audit/panel/table_cells.h"
#include "base/error.h"

static const char *const sources[] = {"named", "sequence", "all", "search: best agreement",
                                      "search: least bias"};

/* The table of a name: layers add to one. */
static tare_status table_of(result_table **out, panel_study *s, const char *name, const char *title,
                            const char *const *columns, size_t count, tare_error *err)
{
    tare_status status = TARE_OK;
    for (size_t k = 0; k < s->out->table_count; k++)
        if (!strcmp(s->out->tables[k]->name, name)) {
            *out = s->out->tables[k];
            return TARE_OK;
        }
    TRY_NEW(*out = result_add_table(s->out, name, title, columns, count));
done:
    return status;
}

tare_status panel_table_row(row_writer *w, panel_study *s, const panel_table *t, tare_error *err)
{
    tare_status status = TARE_OK;
    result_table *table;
    TRY(table_of(&table, s, t->name, t->title, t->columns, t->count, err));
    TRY_NEW(w->at = result_add_row(s->out, table));
    put_text(w, s->setting);
    put_text(w, s->dim);
done:
    return status;
}

/* The mean over folds of the value of a panel that was chosen on all of them, and its SD. */
static void fold_means(double out[4], const panel_study *s, size_t found)
{
    size_t folds = s->searched ? s->search.o.folds : 0;
    for (size_t k = 0; k < 4; k++) out[k] = NAN;
    if (found == SIZE_MAX || folds == 0) return;
    searched p = panel_search_at(&s->search, found);
    panel_mean_sd(&out[0], &out[1], p.agree + search_test(&s->search, 0), folds);
    panel_mean_sd(&out[2], &out[3], p.bias + search_test(&s->search, 0), folds);
}

static tare_status panels_table(panel_study *s, tare_error *err)
{
    static const char *const columns[] = {
        "setting", "dim", "panel", "members", "size", "source", "aggregate", "n_rows",
        "n_without_score", "agree", "agreement", "lo", "hi", "fold_mean_agreement",
        "fold_mean_agreement_sd", "mean", "mabs", "mabs_lo", "mabs_hi", "max", "rms",
        "fold_mean_bias", "fold_mean_bias_sd", PANEL_CROSS_FITTED, "mean_R", "mabs_R", "max_R",
        "rms_R", "rho", "n_eff", "n_eff_lo", "n_eff_hi", "n_eff_eigen", "n_eff_eigen_lo",
        "n_eff_eigen_hi", "n_eff_eigen_null", "accuracy", "best_member", "accuracy_best_member",
        "accuracy_independent", "lso_agreement", "lso_mabs", "lso_mabs_R"};
    static const panel_table table = {"panels", "Panels", columns,
                                      sizeof columns / sizeof *columns};
    tare_status status = TARE_OK;
    for (size_t k = 0; k < s->panels; k++) {
        const panel_result *p = &s->panel[k];
        const panel_votes *v = &p->votes;
        bool m = p->numbers.phi != NULL, lso = p->lso_score != NULL;
        double held[4];
        row_writer w;
        fold_means(held, s, p->found);
        TRY(panel_table_row(&w, s, &table, err));
        put_text(&w, p->name);
        put_text(&w, p->members);
        put_integer(&w, (int64_t)p->count);
        put_text(&w, sources[p->source]);
        put_text(&w, aggregate_name(s->o.aggregate.rule));
        put_integer(&w, (int64_t)p->column.rows);
        put_integer(&w, (int64_t)p->dropped);
        put_text(&w, s->o.agree_name);
        put_estimate(&w, &p->agree);
        put_numbers(&w, held, 2);
        put_number(&w, m ? p->numbers.summary[SUMMARY_MEAN].estimate : NAN);
        put_estimate(&w, m ? &p->numbers.summary[SUMMARY_MABS] : NULL);
        put_number(&w, m ? p->numbers.summary[SUMMARY_MAX].estimate : NAN);
        put_number(&w, m ? p->numbers.summary[SUMMARY_RMS].estimate : NAN);
        put_numbers(&w, held + 2, 2);
        put_cross_fitted(&w, s, p->found);
        for (size_t i = 0; i < SUMMARIES; i++)
            put_number(&w, m ? p->numbers.raw[i].estimate : NAN);
        put_number(&w, v->all.rho);
        put_number(&w, v->all.kish);
        put_number(&w, p->count > 1 ? v->kish.lo : NAN);
        put_number(&w, p->count > 1 ? v->kish.hi : NAN);
        put_number(&w, v->all.eigen);
        put_number(&w, p->count > 1 ? v->eigen.lo : NAN);
        put_number(&w, p->count > 1 ? v->eigen.hi : NAN);
        put_number(&w, v->eigen_null);
        put_number(&w, v->panel);
        put_text(&w, v->binary ? s->t->judge.name[v->best_member] : "");
        put_number(&w, v->best);
        put_number(&w, v->independent);
        put_number(&w, lso ? p->lso_agree.estimate : NAN);
        put_number(&w, lso && p->lso.phi ? p->lso.summary[SUMMARY_MABS].estimate : NAN);
        put_number(&w, lso && p->lso.phi ? p->lso.raw[SUMMARY_MABS].estimate : NAN);
    }
done:
    return status;
}

/* D of the panel about an author: R of the augmented matrix, scaled (A.3). */
static double as_d(const panel_study *s, double r)
{
    double G = (double)s->rows.authors, E = (double)s->rows.usable_count + 1;
    return r * (E / (E - 1)) * (G / (G - 1));
}

static tare_status members_table(panel_study *s, tare_error *err)
{
    static const char *const columns[] = {
        "setting", "dim", "panel", "member", "member_agreement", "agreement_difference", "lo", "hi",
        "p", "q_bh", "verdict", "panel_D", "D_difference", "D_lo", "D_hi", "D_p", "D_q_bh",
        "D_verdict", "panel_Phi~", "member_Phi~", "lso_D", "lso_Phi~", "agreement_without",
        "agreement_change", "bias_without", "bias_change", "excess", "lso_excess", "no_excess"};
    static const panel_table table = {"members", "Panels against their members", columns,
                                      sizeof columns / sizeof *columns};
    tare_status status = TARE_OK;
    for (size_t k = 0; k < s->panels; k++) {
        const panel_result *p = &s->panel[k];
        for (size_t i = 0; i < p->count; i++) {
            const panel_member *x = &p->member[i];
            size_t g = x->author;
            bool m = p->numbers.phi && g != SIZE_MAX, lso = m && p->lso.phi;
            row_writer w;
            TRY(panel_table_row(&w, s, &table, err));
            put_text(&w, p->name);
            put_text(&w, s->t->judge.name[x->judge]);
            put_number(&w, s->judge_agree[x->judge].estimate);
            put_reading(&w, s->book, x->entry_agree);
            put_number(&w, m ? as_d(s, p->numbers.r[g].estimate) : NAN);
            put_reading(&w, s->book, x->entry_d);
            put_number(&w, m ? p->numbers.phi2[g].estimate : NAN);
            put_number(&w, m ? p->numbers.own[i].estimate : NAN);
            put_number(&w, lso ? as_d(s, p->lso.r[g].estimate) : NAN);
            put_number(&w, lso ? p->lso.phi2[g].estimate : NAN);
            put_number(&w, x->agree_without);
            put_number(&w, x->agree_change);
            put_number(&w, x->bias_without);
            put_number(&w, x->bias_change);
            put_number(&w, x->excess);
            put_number(&w, x->excess_lso);
            put_text(&w, x->no_excess);
        }
    }
done:
    return status;
}

static tare_status vector_rows(panel_study *s, const panel_result *p, const panel_numbers *n,
                               const char *scoring, tare_error *err)
{
    static const char *const columns[] = {
        "setting", "dim", "panel", "scoring", "author", "member", "n_items", "Phi", "R", "R_lo",
        "R_hi", "Z", "Z_lo", "Z_hi", "Phi~", "Phi~_lo", "Phi~_hi"};
    static const panel_table table = {"vector", "The panel's column of the augmented matrix",
                                      columns, sizeof columns / sizeof *columns};
    tare_status status = TARE_OK;
    for (size_t g = 0; g < s->rows.authors; g++) {
        bool member = false;
        row_writer w;
        for (size_t k = 0; k < p->count; k++) member = member || p->member[k].author == g;
        TRY(panel_table_row(&w, s, &table, err));
        put_text(&w, p->name);
        put_text(&w, scoring);
        put_text(&w, s->t->author.name[g]);
        put_text(&w, member ? "yes" : "no");
        put_integer(&w, (int64_t)s->rows.matrix_items);
        put_number(&w, n->phi[g]);
        put_estimate(&w, &n->r[g]);
        put_estimate(&w, &n->z[g]);
        put_estimate(&w, &n->phi2[g]);
    }
done:
    return status;
}

const panel_result *panel_of_step(const panel_study *s, size_t step)
{
    for (size_t k = 0; k < s->panels; k++)
        if (s->panel[k].step == step) return &s->panel[k];
    return NULL;
}

/* One judge more in each row: what the paper's Table 1 shows. */
static tare_status sequence_table(panel_study *s, tare_error *err)
{
    static const char *const columns[] = {
        "setting", "dim", "judges", "added", "agreement", "lo", "hi", "mean", "mabs", "max",
        "author", "Phi~", "Phi~_lo", "Phi~_hi", "R"};
    static const panel_table table = {"sequence", "One judge more at a time", columns,
                                      sizeof columns / sizeof *columns};
    tare_status status = TARE_OK;
    for (size_t step = 1; step <= s->rows.judges; step++) {
        const panel_result *p = panel_of_step(s, step);
        if (!p) break;
        for (size_t i = 0; i < p->count; i++) {
            size_t g = p->member[i].author;
            bool m = p->numbers.phi && g != SIZE_MAX;
            row_writer w;
            TRY(panel_table_row(&w, s, &table, err));
            put_integer(&w, (int64_t)p->count);
            put_text(&w, p->added);
            put_estimate(&w, &p->agree);
            for (size_t j = 0; j <= SUMMARY_MAX; j++)
                put_number(&w, p->numbers.phi ? p->numbers.summary[j].estimate : NAN);
            put_text(&w, s->t->judge.name[p->member[i].judge]);
            put_estimate(&w, m ? &p->numbers.phi2[g] : NULL);
            put_number(&w, m ? p->numbers.r[g].estimate : NAN);
        }
    }
done:
    return status;
}

static tare_status errors_table(panel_study *s, tare_error *err)
{
    static const char *const columns[] = {"setting", "dim", "panel", "judge", "other",
                                          "error_correlation"};
    static const panel_table table = {"errors", "Correlation of the judges' errors", columns,
                                      sizeof columns / sizeof *columns};
    tare_status status = TARE_OK;
    for (size_t k = 0; k < s->panels; k++) {
        const panel_result *p = &s->panel[k];
        for (size_t i = 0; i < p->count * p->count; i++) {
            size_t a = i / p->count, b = i % p->count;
            row_writer w;
            if (b >= a) continue;
            TRY(panel_table_row(&w, s, &table, err));
            put_text(&w, p->name);
            put_text(&w, s->t->judge.name[p->judge[a]]);
            put_text(&w, s->t->judge.name[p->judge[b]]);
            put_number(&w, p->votes.correlation[i]);
        }
    }
done:
    return status;
}

tare_status panel_tables(panel_study *s, tare_error *err)
{
    tare_status status = TARE_OK;
    TRY(panels_table(s, err));
    TRY(panel_search_tables(s, err));
    TRY(sequence_table(s, err));
    TRY(members_table(s, err));
    for (size_t k = 0; k < s->panels && s->rows.matrix; k++) {
        const panel_result *p = &s->panel[k];
        TRY(vector_rows(s, p, &p->numbers, "all members", err));
        if (p->lso.phi) TRY(vector_rows(s, p, &p->lso, "leave self out", err));
    }
    TRY(errors_table(s, err));
done:
    return status;
}
