#include "audit/scorer/omnibus_null.h"

#include <math.h>
#include <string.h>

#include "audit/scorer/figures.h"
#include "audit/scorer/group_set.h"
#include "audit/words.h"
#include "base/error.h"
#include "stats/special.h"

static double edge(const struct omnibus_null *x, size_t bin)
{
    return x->top * (double)bin / NULL_BINS;
}

static size_t bin_of(const struct omnibus_null *x, double value)
{
    size_t bin = value > 0 ? (size_t)(value / x->top * NULL_BINS) : 0;
    return bin < NULL_BINS ? bin : NULL_BINS - 1;
}

static void fill_pair(struct omnibus_null *x, const omnibus_result *r)
{
    double se = r->pair_se;
    for (size_t k = 0; k < NULL_BINS; k++)
        x->pair_share[k] = !(se > 0) ? NAN
                                     : t_p(edge(x, k) / se, r->pair_df) -
                                           t_p(edge(x, k + 1) / se, r->pair_df);
}

tare_status omnibus_null_add(study *t, const view *v, int metric, const omnibus_result *r,
                             const double *replicates, tare_error *err)
{
    tare_status status = TARE_OK;
    struct omnibus_null *x, **end = &t->nulls;
    double top = r->range.statistic;
    for (uint32_t k = 0; k < t->o.perm_p; k++) top = fmax(top, replicates[k]);
    if (v->too_large || !(top > 0) || isinf(top)) return TARE_OK;
    TRY_NEW(x = arena_new(&t->scratch, 1, sizeof *x));
    while (*end) end = &(*end)->next;
    *end = x;
    x->v = v;
    x->metric = metric;
    x->observed = r->range.statistic;
    x->top = top;
    x->replicates = t->o.perm_p;
    for (uint32_t k = 0; k < x->replicates; k++) x->count[bin_of(x, replicates[k])]++;
    fill_pair(x, r);
done:
    return status;
}

tare_status null_table(study *t, tare_error *err)
{
    static const char *const columns[] = {"arm", "scorer", "metric", "bin", "from", "to", "count",
                                          "share", "share_of_the_pair_alone", "observed"};
    tare_status status = TARE_OK;
    result_table *table;
    if (!t->nulls) return TARE_OK;
    TRY_NEW(table = result_add_table(t->out, "omnibus_null",
                                     "Largest difference between groups under shuffled labels",
                                     columns, sizeof columns / sizeof *columns));
    for (const struct omnibus_null *x = t->nulls; x; x = x->next)
        for (size_t k = 0; k < NULL_BINS; k++) {
            cell *row;
            TRY_NEW(row = result_add_row(t->out, table));
            row[0] = words_cell(x->v->arm->name);
            row[1] = words_cell(x->v->scorer);
            row[2] = words_cell(metric_name(x->metric));
            row[3] = count_cell(k + 1);
            row[4] = number_cell(edge(x, k));
            row[5] = number_cell(edge(x, k + 1));
            row[6] = count_cell(x->count[k]);
            row[7] = number_cell((double)x->count[k] / x->replicates);
            row[8] = number_cell(x->pair_share[k]);
            row[9] = number_cell(k == bin_of(x, x->observed) ? x->observed : NAN);
        }
done:
    return status;
}

/* ---- figures --------------------------------------------------------------------------------- */

/* "omnibus p = 0.34; cherry-picked: white - black, its own unadjusted p = 0.014" */
static tare_status observed_tip(const char **tip, study *t, const struct omnibus_null *x,
                                tare_error *err)
{
    tare_status status = TARE_OK;
    arena *a = &t->out->a;
    const judged *o = study_get(t, x->v, (reading_id)(RD_OMNIBUS_FI + x->metric));
    const judged *pair = study_get(t, x->v, (reading_id)(RD_PAIR_FI + x->metric));
    const char *p, *q, *own;
    *tip = "";
    if (!o || !pair) return TARE_OK;
    const tare_reading *r = study_reading(t, o), *rp = study_reading(t, pair);
    TRY_NEW(p = p_text(a, "p", r->p, r->p_floor));
    TRY_NEW(q = isnan(r->q) ? "" : p_text(a, ", q", r->q, r->p <= r->p_floor ? r->q : 0));
    TRY_NEW(own = p_text(a, "p", rp->p, rp->p_floor));
    TRY_NEW(*tip = arena_printf(a, "omnibus %s%s; cherry-picked: %s, its own unadjusted %s", p, q,
                                rp->condition, own));
done:
    return status;
}

static tare_status draw_null(study *t, figure *f, const struct omnibus_null *x, const char *panel,
                             tare_error *err)
{
    tare_status status = TARE_OK;
    double most = 0;
    const char *tip, *label;
    TRY(observed_tip(&tip, t, x, err));
    for (size_t k = 0; k < NULL_BINS; k++) {
        double middle = (edge(x, k) + edge(x, k + 1)) / 2;
        double share = (double)x->count[k] / x->replicates;
        most = fmax(most, share);
        figure_point all = {panel, "all groups, labels shuffled", "", middle, share, NAN, NAN, "",
                            "", ""};
        TRY(figure_add(t, f, all, NULL, err));
    }
    for (size_t k = 0; k < NULL_BINS && !isnan(x->pair_share[0]); k++) {
        double middle = (edge(x, k) + edge(x, k + 1)) / 2;
        most = fmax(most, x->pair_share[k]);
        figure_point one = {panel, "that pair alone, not picked", "", middle, x->pair_share[k], NAN,
                            NAN, "", "", ""};
        TRY(figure_add(t, f, one, NULL, err));
    }
    label = "T, the cherry-picked pair";
    for (int end = 0; end < 2; end++) { /* an upright line */
        figure_point line = {panel, label, "", x->observed, end * most, NAN, NAN, "", tip, ""};
        TRY(figure_add(t, f, line, NULL, err));
    }
done:
    return status;
}

/* One figure of one scorer and metric, arms and the adjusted form in panels. */
static tare_status null_figure(study *t, size_t scorer, int metric, tare_error *err)
{
    tare_status status = TARE_OK;
    figure *f = NULL;
    for (const struct omnibus_null *x = t->nulls; x; x = x->next) {
        const char *id, *kind, *title, *panel;
        bool here = x->metric == metric || x->metric == metric + METRIC_FI_ADJ;
        if (x->v->scorer_index != scorer || !here) continue;
        if (!f) {
            TRY_NEW(kind = arena_printf(&t->scratch, "omnibus-null-%s", metric_name(metric)));
            TRY_NEW(id = figure_id(t, kind, scorer, x->v->scorer));
            TRY_NEW(title = arena_printf(&t->out->a, "%s: the most different groups, %s",
                                         x->v->scorer, metric_name(metric)));
            TRY_NEW(f = result_add_figure(t->out, FIGURE_CURVE, id, title));
            f->x_title = "largest minus smallest group mean";
            f->y_title = "share";
            f->caption = "The upright line is T, the distance of the two groups that lie furthest "
                         "apart. Its test is that of the largest difference under shuffled labels; "
                         "judged as if that pair had been named beforehand it looks larger than "
                         "it is.";
        }
        TRY_NEW(panel = arena_printf(&t->out->a, "%s, %s", metric_name(x->metric),
                                     x->v->arm->name));
        TRY(draw_null(t, f, x, panel, err));
    }
done:
    return status;
}

tare_status null_figures(study *t, tare_error *err)
{
    tare_status status = TARE_OK;
    for (size_t k = 0; k < t->c->scorers; k++) {
        TRY(null_figure(t, k, METRIC_FI, err));
        TRY(null_figure(t, k, METRIC_A, err));
    }
done:
    return status;
}
