/* The figures (scorer audit 13), as points of the closed set of kinds. */
#include <math.h>
#include <string.h>

#include "audit/scorer/bestofn.h"
#include "audit/scorer/figures.h"
#include "audit/scorer/study.h"
#include "audit/scorer/wording.h"
#include "base/error.h"
#include "perturb/perturb.h"
#include "stats/moments.h"

const char *figure_id(study *t, const char *kind, size_t index, const char *name)
{
    char *id = arena_printf(&t->scratch, "%s-%02zu-%.60s", kind, index + 1, name);
    for (char *c = id; c && *c; c++) {
        bool plain = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') ||
                     (*c >= '0' && *c <= '9') || *c == '-' || *c == '.' || *c == '_';
        if (!plain) *c = '-';
    }
    return id;
}

const char *figure_mark(const study *t, const judged *j)
{
    const tare_reading *r = study_reading(t, j);
    if (r->verdict == TARE_NO_ANSWER) return "no answer";
    if (j->significant) return "q";
    return r->p <= t->o.alpha ? "raw" : "none";
}

tare_status figure_add(study *t, figure *f, figure_point point, const tare_reading *r,
                       tare_error *err)
{
    tare_status status = TARE_OK;
    figure_point *p;
    TRY_NEW(p = result_add_point(t->out, f));
    *p = point;
    if (!r) goto done;
    arena *a = &t->out->a;
    const char *estimate, *lo, *hi;
    TRY_NEW(estimate = number_text(a, r->estimate));
    TRY_NEW(lo = number_text(a, r->lo));
    TRY_NEW(hi = number_text(a, r->hi));
    TRY_NEW(p->tip = arena_printf(a, "%s %s: %s [%s, %s], %llu bases", r->name, r->condition,
                                  estimate, lo, hi, (unsigned long long)r->n_base));
done:
    return status;
}

static bool is_sham(const cube_arm *arm)
{
    return arm->placebo && arm_is_sham(arm);
}

/* What the x of an arm counts. */
static const char *unit_of(const cube_arm *arm)
{
    const perturb_operator *op = perturb_operator_find(arm->operator_name);
    return op ? op->axis_title : "dose";
}

static bool same_unit(const cube_arm *x, const cube_arm *y)
{
    return strcmp(unit_of(x), unit_of(y)) == 0;
}

/* Arms that stress another one repeat its curve: they stand among the checks. */
static bool is_drawn(const cube_arm *arm, bool shams)
{
    return !arm->stress && (shams || !is_sham(arm));
}

/* Panel of an arm; "" where all arms have one unit, "dose" where only shams have another. */
static const char *panel_of(const study *t, const cube_arm *arm, bool shams)
{
    bool other = false, other_dose = false;
    for (size_t a = 0; a < t->c->arms; a++) {
        const cube_arm *x = &t->c->arm[a];
        if (!is_drawn(x, shams)) continue;
        other = other || !same_unit(x, arm);
        other_dose = other_dose || (!same_unit(x, arm) && !is_sham(x));
    }
    return !other ? "" : !other_dose && !is_sham(arm) ? "dose" : unit_of(arm);
}

/* One figure per scorer: the arms laid over each other, arms of other units beside them. */
static tare_status fidelity_figure(study *t, size_t scorer, tare_error *err)
{
    tare_status status = TARE_OK;
    const char *id, *name = t->c->scorer[scorer], *title;
    figure *f;
    TRY_NEW(id = figure_id(t, "fidelity", scorer, name));
    TRY_NEW(title = arena_printf(&t->out->a, "%s: score against dose", name));
    TRY_NEW(f = result_add_figure(t->out, FIGURE_CURVE, id, title));
    f->x_title = "dose";
    f->y_title = "change of the score against the original";
    f->caption = "Mean over images with 95 % interval. The band around 0 is the practical margin.";
    for (size_t a = 0; a < t->c->arms; a++) {
        const view *v = &t->view[a * t->c->scorers + scorer];
        if (!is_drawn(v->arm, true)) continue;
        const char *panel = panel_of(t, v->arm, true);
        if (panel[0] && strcmp(panel, "dose") != 0 && !is_sham(v->arm)) {
            f->own_scales = true; /* edits of other kinds and strengths */
            f->caption = "Mean over images with 95 % interval; each panel has its own scale. The "
                         "band around 0 is the practical margin.";
        }
        if (isnan(f->margin)) f->margin = view_margin(t, v, t->o.margin_sd);
        if (panel[0] && strcmp(v->arm->operator_name, "sham") == 0)
            f->x_title = "dose, or replicate of the sham";
        size_t d = 0;
        for (size_t k = 0; k < t->judged_count; k++) {
            const judged *j = &t->judged[k];
            if (j->view != a * t->c->scorers + scorer) continue;
            const tare_reading *r = study_reading(t, j);
            if (strcmp(r->family, "curve") != 0 || strcmp(r->name, "Delta") != 0) continue;
            if (d == v->arm->neutral) {
                figure_point zero = {panel, v->arm->name, "", v->arm->dose[d++], 0, 0, 0,
                                     "", "", ""};
                TRY(figure_add(t, f, zero, NULL, err));
            }
            figure_point point = {panel, v->arm->name, "", v->arm->dose[d++], r->estimate, r->lo,
                                  r->hi, "", "", ""};
            TRY(figure_add(t, f, point, r, err));
        }
        if (d > 0 && d == v->arm->neutral) {
            figure_point zero = {panel, v->arm->name, "", v->arm->dose[d], 0, 0, 0, "", "", ""};
            TRY(figure_add(t, f, zero, NULL, err));
        }
    }
done:
    return status;
}

/* Mean over bases per dose of a measure, one series per arm. The sham has no dose to show it
 * against: its numbers are in the tables. */
static tare_status measure_figure(study *t, bool attribute, tare_error *err)
{
    tare_status status = TARE_OK;
    figure *f = NULL;
    for (size_t a = 0; a < t->c->arms; a++) {
        const cube_arm *arm = &t->c->arm[a];
        const double *x = attribute ? arm->attribute : arm->artifact;
        if (!x || !is_drawn(arm, false)) continue;
        if (!f) {
            TRY_NEW(f = result_add_figure(t->out, FIGURE_CURVE,
                                          attribute ? "attribute" : "artifact",
                                          attribute ? "Measured attribute against dose"
                                                    : "Artifact of the edit against dose"));
            f->x_title = "dose";
            f->y_title = attribute ? arm->attribute_name : "artifact";
            f->caption = "Mean over images.";
        }
        for (size_t d = 0; d < arm->doses; d++) {
            neumaier sum = {0, 0};
            size_t n = 0;
            for (size_t i = 0; i < arm->bases; i++) {
                double value = x[i * arm->doses + d];
                if (isnan(value)) continue;
                neumaier_add(&sum, value);
                n++;
            }
            if (n == 0) continue;
            figure_point point = {panel_of(t, arm, false), arm->name, "", arm->dose[d],
                                  neumaier_total(&sum) / (double)n, NAN, NAN, "", "", ""};
            TRY(figure_add(t, f, point, NULL, err));
        }
    }
done:
    return status;
}

static tare_status forest_figure(study *t, tare_error *err)
{
    tare_status status = TARE_OK;
    static const struct { reading_id id; const char *panel; } panels[] = {
        {RD_FI, "FI: preference for the original"}, {RD_A, "A: preference for the + side"},
        {RD_DRIFT, "net drift, attribute"}, {RD_DRIFT_DOSE, "net drift, dose"}};
    figure *f;
    TRY_NEW(f = result_add_figure(t->out, FIGURE_FOREST, "forest", "FI, A and drift"));
    f->x_title = "estimate with 95 % interval";
    for (size_t n = 0; n < sizeof panels / sizeof *panels; n++)
        for (size_t k = 0; k < t->views; k++) {
            const view *v = &t->view[k];
            const judged *j = study_get(t, v, panels[n].id);
            if (!j || v->arm->stress) continue;
            const tare_reading *r = study_reading(t, j);
            figure_point point = {panels[n].panel, v->arm->name, v->scorer, r->estimate, NAN, r->lo,
                                  r->hi, figure_mark(t, j), "", ""};
            TRY(figure_add(t, f, point, r, err));
        }
done:
    return status;
}

static tare_status saturation_figure(study *t, tare_error *err)
{
    tare_status status = TARE_OK;
    figure *f = NULL;
    for (size_t k = 0; k < t->views; k++) {
        const view *v = &t->view[k];
        if (!arm_main(v->arm)) continue;
        const judged *j = study_get(t, v, RD_SATURATION);
        if (!j) j = study_get(t, v, RD_SATURATION_DOSE);
        if (!j) continue;
        const tare_reading *r = study_reading(t, j);
        if (!f) {
            TRY_NEW(f = result_add_figure(t->out, FIGURE_BARS, "saturation",
                                          "Drift as a share of the most a pool allows"));
            f->y_title = "share of saturation";
        }
        figure_point point = {"", v->arm->name, v->scorer, NAN, r->estimate, r->lo, r->hi,
                              r->reason[0] ? "no answer" : "", "", ""};
        TRY(figure_add(t, f, point, r, err));
    }
done:
    return status;
}

/* T of the omnibus test with the cherry-picked pair's own p in the tip. */
static tare_status omnibus_figure(study *t, tare_error *err)
{
    tare_status status = TARE_OK;
    static const reading_id ids[2] = {RD_OMNIBUS_FI, RD_OMNIBUS_A};
    static const reading_id pairs[2] = {RD_PAIR_FI, RD_PAIR_A};
    figure *f = NULL;
    for (size_t n = 0; n < 2; n++)
        for (size_t k = 0; k < t->views; k++) {
            const view *v = &t->view[k];
            const judged *j = study_get(t, v, ids[n]), *pair = study_get(t, v, pairs[n]);
            if (!j) continue;
            const tare_reading *r = study_reading(t, j);
            if (!f) {
                TRY_NEW(f = result_add_figure(t->out, FIGURE_FOREST, "omnibus",
                                              "Largest difference between groups"));
                f->x_title = "largest minus smallest group mean";
                f->caption = "The test is that of the largest difference under shuffled labels; "
                             "the pair's own p is cherry-picked.";
            }
            figure_point point = {n == 0 ? "FI" : "A", v->arm->name, v->scorer, r->estimate, NAN,
                                  NAN, NAN, figure_mark(t, j), "", ""};
            if (pair) {
                const tare_reading *rp = study_reading(t, pair);
                const char *own, *all;
                TRY_NEW(own = number_text(&t->out->a, rp->p));
                TRY_NEW(all = number_text(&t->out->a, r->p));
                TRY_NEW(point.tip = arena_printf(
                            &t->out->a, "%s; omnibus p %s, the pair's own p %s (cherry-picked)",
                            rp->condition, all, own));
            }
            TRY(figure_add(t, f, point, NULL, err));
        }
done:
    return status;
}

static tare_status group_figure(study *t, tare_error *err)
{
    tare_status status = TARE_OK;
    figure *f = NULL;
    for (size_t k = 0; k < t->judged_count; k++) {
        const judged *j = &t->judged[k];
        const tare_reading *r = study_reading(t, j);
        if (strcmp(r->family, "population") != 0 || strncmp(r->name, "mean_", 5) != 0) continue;
        if (!f) {
            TRY_NEW(f = result_add_figure(t->out, FIGURE_FOREST, "groups", "Group means"));
            f->x_title = "mean with 95 % interval";
        }
        const char *panel;
        TRY_NEW(panel = arena_printf(&t->out->a, "%s, %s", r->name + 5, r->instrument));
        figure_point point = {panel, r->arm, r->condition, r->estimate, NAN, r->lo, r->hi,
                              "", "", ""};
        TRY(figure_add(t, f, point, r, err));
    }
done:
    return status;
}

tare_status figures_run(study *t, tare_error *err)
{
    tare_status status = TARE_OK;
    for (size_t k = 0; k < t->c->scorers; k++) TRY(fidelity_figure(t, k, err));
    TRY(measure_figure(t, false, err));
    TRY(measure_figure(t, true, err));
    TRY(forest_figure(t, err));
    TRY(mechanism_figure(t, err));
    TRY(saturation_figure(t, err));
    TRY(bestofn_figures(t, err));
    TRY(omnibus_figure(t, err));
    TRY(null_figures(t, err));
    TRY(group_figure(t, err));
done:
    return status;
}
