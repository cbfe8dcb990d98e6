/* Figures (judge audits C.7): agreement by judge, judges beside the human band, the judge's score
 * for each value of the gold, differences of pairs. */
#include <math.h>
#include <string.h>

#include "audit/agree/agree.h"
#include "audit/words.h"
#include "base/error.h"
#include "stats/rank.h"

#define GOLD_VALUES 20  /* gold of more values is cut into groups (ours) */
#define GOLD_GROUPS 10

/* Only the closest judges are drawn (ours). */
#define JUDGES_DRAWN 40

static const char *mark_of(const agree *g, size_t entry)
{
    const tare_reading *r = book_reading(&g->b, entry);
    if (r->verdict == TARE_NO_ANSWER) return "no answer";
    if (g->b.entries[entry].significant) return "q";
    return r->p <= g->b.o.alpha ? "raw" : "none";
}

static tare_status forest_point(agree *g, figure *f, const agree_view *v, size_t entry,
                                tare_error *err)
{
    tare_status status = TARE_OK;
    const tare_reading *r = book_reading(&g->b, entry);
    arena *a = &g->out->a;
    figure_point *p;
    const char *x, *lo, *hi, *tip;
    TRY_NEW(x = number_text(a, r->estimate));
    TRY_NEW(lo = number_text(a, r->lo));
    TRY_NEW(hi = number_text(a, r->hi));
    TRY_NEW(tip = arena_printf(a, "%s: %s %s [%s, %s], %llu rows", v->name, r->name, x, lo, hi,
                               (unsigned long long)r->n_base));
    TRY_NEW(p = result_add_point(g->out, f));
    *p = (figure_point){.panel = v->layer->label, .series = "", .label = v->name, .x = r->estimate,
                        .y = NAN, .lo = r->lo, .hi = r->hi, .tip = tip, .outline = "",
                        .mark = r->grid[0] ? mark_of(g, entry) : ""};
done:
    return status;
}

static const char *long_name(size_t stat)
{
    static const char *const names[STATS] = {"Kendall's tau-b", "Kendall's tau-c", "Spearman",
                                             "Pearson", "kappa"};
    return names[stat];
}

static tare_status agreement_figure(agree *g, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t stat = agree_headline(g, 0);
    figure *f;
    TRY_NEW(f = result_add_figure(g->out, FIGURE_FOREST, "agreement",
                                  g->gold_column ? "Agreement with the gold column"
                                                 : "Agreement with people"));
    TRY_NEW(f->x_title = arena_printf(&g->out->a, "%s with %g %% interval", long_name(stat),
                                      100 * (1 - g->b.o.alpha)));
    bool people = false;
    for (size_t l = 0; l < g->layers; l++) people = people || g->people[l].slots > 0;
    f->caption = people ? "Each judge's scores against the human scores; intervals resample items. "
                          "For people among themselves see the next figure."
                        : g->gold_column
                      ? "Each judge's scores against the gold column; intervals resample items."
                      : "Each judge's scores against the human scores; intervals resample items.";
    for (size_t k = 0; k < g->views; k++)
        if (g->view[k].entry[stat] != BOOK_NONE)
            TRY(forest_point(g, f, &g->view[k], g->view[k].entry[stat], err));
done:
    return status;
}

/* One figure per layer: the band is the layer's. */
static tare_status ceiling_figure(agree *g, size_t layer, tare_error *err)
{
    tare_status status = TARE_OK;
    const agree_people *people = &g->people[layer];
    const agree_layer *l = &g->layer[layer];
    const char *id = "ceiling", *title = "Judges beside people";
    figure *f;
    if (people->slots == 0) return TARE_OK;
    if (g->layers > 1) {
        TRY_NEW(id = arena_printf(&g->out->a, "ceiling-%02zu", layer + 1));
        TRY_NEW(title = arena_printf(&g->out->a, "Judges beside people: %s", l->label));
    }
    TRY_NEW(f = result_add_figure(g->out, FIGURE_FOREST, id, title));
    f->x_title = "Kendall's tau-b with the other raters";
    f->band_lo = people->band_lo;
    f->band_hi = people->band_hi;
    f->band_title = "one person against the others";
    f->caption = "Each rater is left out in turn; judge and rater face the same target, the sum of "
                 "the other raters. The band is the interval of a person's mean.";
    for (size_t j = 0; j < g->t.judge.count; j++) {
        const agree_view *v = &g->view[layer * g->t.judge.count + j];
        if (v->matched != BOOK_NONE) TRY(forest_point(g, f, v, v->matched, err));
    }
    for (size_t k = 0; k < f->point_count; k++) f->points[k].panel = "";
done:
    return status;
}

/* ---- judge's score by gold ------------------------------------------------------------------ */

/* Quantile of sorted x by linear interpolation (type 7). */
static double quantile(const double *x, size_t n, double q)
{
    double at = q * (double)(n - 1);
    size_t k = (size_t)at;
    return k + 1 < n ? x[k] + (at - (double)k) * (x[k + 1] - x[k]) : x[n - 1];
}

static tare_status box(agree *g, figure *f, const agree_view *v, double gold, double *x, size_t n,
                       tare_error *err)
{
    tare_status status = TARE_OK;
    figure_point *p;
    const char *where, *median;
    rank_sort(x, n);
    TRY_NEW(where = number_text(&g->out->a, gold));
    TRY_NEW(median = number_text(&g->out->a, quantile(x, n, 0.5)));
    TRY_NEW(p = result_add_point(g->out, f));
    *p = (figure_point){.panel = v->name, .series = "median and quartiles", .label = "", .x = gold,
                        .y = quantile(x, n, 0.5), .lo = quantile(x, n, 0.25),
                        .hi = quantile(x, n, 0.75), .mark = "", .outline = ""};
    TRY_NEW(p->tip = arena_printf(&g->out->a, "%s, people %s: median %s, %zu rows", v->name, where,
                                  median, n));
done:
    return status;
}

/* Rows in the order of gold; groups are single values, or tenths of the rows that do not cut
 * through a value. */
static tare_status boxes(agree *g, figure *f, const agree_view *v, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t n = v->s.n, step = v->tau.distinct_y > GOLD_VALUES ? n / GOLD_GROUPS + 1 : 1;
    uint32_t *order = NULL;
    double *x = NULL;
    if (n == 0 || n > UINT32_MAX) goto done;
    TRY_NEW(order = mem_new(g->m, n, sizeof *order));
    TRY_NEW(x = mem_new(g->m, n, sizeof *x));
    rank_order(order, v->gold_key, (uint32_t)n);
    for (size_t first = 0, last; first < n; first = last) {
        last = first + step < n ? first + step : n;
        while (last < n && v->gold_key[order[last]] == v->gold_key[order[last - 1]]) last++;
        for (size_t i = first; i < last; i++) x[i - first] = v->x[order[i]];
        double gold = v->gold[order[first + (last - first) / 2]];
        TRY(box(g, f, v, gold, x, last - first, err));
    }
done:
    mem_free(g->m, order);
    mem_free(g->m, x);
    return status;
}

/* The judges of a layer that have scores, the closest first, at most as many as are drawn. */
static tare_status drawn(const agree_view ***out, size_t *count, agree *g, size_t layer,
                         tare_error *err)
{
    tare_status status = TARE_OK;
    size_t judges = g->t.judge.count;
    *count = 0;
    TRY_NEW(*out = mem_new(g->m, judges + 1, sizeof **out));
    for (size_t j = 0; j < judges; j++)
        if (g->view[layer * judges + j].s.n) (*out)[(*count)++] = &g->view[layer * judges + j];
    TRY(agree_order(*out, *count, g, err));
    if (*count > JUDGES_DRAWN) *count = JUDGES_DRAWN;
done:
    return status;
}

static tare_status score_figure(agree *g, size_t layer, tare_error *err)
{
    tare_status status = TARE_OK;
    const char *id = "scores", *title = g->gold_column ? "What judges give where gold is so much"
                                                     : "What judges give where people give so much";
    const agree_view **views = NULL;
    size_t n;
    figure *f;
    if (g->layers > 1) {
        TRY_NEW(id = arena_printf(&g->out->a, "scores-%02zu", layer + 1));
        TRY_NEW(title = arena_printf(&g->out->a, "%s: %s", title, g->layer[layer].label));
    }
    TRY_NEW(f = result_add_figure(g->out, FIGURE_CURVE, id, title));
    f->x_title = g->gold_column ? "gold score" : "human score";
    f->y_title = "judge's score";
    f->caption = "Median of the judge's scores for each value of gold; the band holds the middle "
                 "half of them.";
    TRY(drawn(&views, &n, g, layer, err));
    for (size_t j = 0; j < n; j++)
        if (!views[j]->too_large) TRY(boxes(g, f, views[j], err));
done:
    mem_free(g->m, views);
    return status;
}

/* ---- pairs of judges ------------------------------------------------------------------------ */

/* The diagonal keeps rows and columns in one order. */
static tare_status self_cell(agree *g, figure *f, const agree_view *v, tare_error *err)
{
    figure_point *point = result_add_point(g->out, f);
    if (!point) return error_memory(err);
    *point = (figure_point){.panel = v->layer->label, .series = v->name, .label = v->name, .x = 0,
                            .y = NAN, .lo = NAN, .hi = NAN, .mark = "", .outline = "self",
                            .tip = "the judge itself"};
    return TARE_OK;
}

static tare_status pair_cell(agree *g, figure *f, const agree_view *row, const agree_view *column,
                             tare_error *err)
{
    tare_status status = TARE_OK;
    const agree_pair *p = agree_pair_of(g, row, column);
    if (!p) return self_cell(g, f, row, err);
    size_t at = p->entry[g->o.labels || agree_headline(g, 0) == STAT_TAU_B ? 0 : 1];
    const tare_reading *r = book_reading(&g->b, at);
    double lead = agree_lead(g, row, column);
    figure_point *point;
    const char *value, *q;
    TRY_NEW(value = number_text(&g->out->a, lead));
    TRY_NEW(q = p_text(&g->out->a, "q", r->q, NAN));
    TRY_NEW(point = result_add_point(g->out, f));
    *point = (figure_point){.panel = row->layer->label, .series = row->name,
                            .label = column->name, .x = lead, .y = NAN, .lo = NAN, .hi = NAN,
                            .mark = mark_of(g, at), .outline = ""};
    TRY_NEW(point->tip = arena_printf(&g->out->a, "%s - %s: %s, %s, %zu rows", row->name,
                                      column->name, value, q, p->n));
done:
    return status;
}

static tare_status pair_figure(agree *g, tare_error *err)
{
    tare_status status = TARE_OK;
    const agree_view **views = NULL;
    size_t judges = g->t.judge.count, n;
    figure *f;
    if (judges < 3) return TARE_OK;
    TRY_NEW(f = result_add_figure(g->out, FIGURE_HEAT, "pairs", "Judges against each other"));
    f->x_title = "less this judge";
    f->y_title = "this judge";
    TRY_NEW(f->caption = arena_printf(&g->out->a, "%s of the judge of the row less that of the "
                                      "column, on the rows that both have; the closest judge comes "
                                      "first. A dot: the difference stands after correction for "
                                      "the number of pairs (q of %g at most).%s",
                                      long_name(agree_headline(g, 0)), g->b.o.alpha,
                                      judges > JUDGES_DRAWN ? " Only the closest are drawn." : ""));
    for (size_t l = 0; l < g->layers; l++) {
        mem_free(g->m, views);
        views = NULL;
        TRY(drawn(&views, &n, g, l, err));
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++) TRY(pair_cell(g, f, views[i], views[j], err));
    }
done:
    mem_free(g->m, views);
    return status;
}

tare_status agree_figures_run(agree *g, tare_error *err)
{
    tare_status status = TARE_OK;
    TRY(agreement_figure(g, err));
    for (size_t l = 0; l < g->layers; l++) TRY(ceiling_figure(g, l, err));
    for (size_t l = 0; l < g->layers && !g->o.labels; l++) TRY(score_figure(g, l, err));
    TRY(pair_figure(g, err));
done:
    return status;
}
