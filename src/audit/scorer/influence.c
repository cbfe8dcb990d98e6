/* Robustness that needs the verdicts (scorer audit 7): would one cluster less, or the outer
 * doses alone, say something else?
 *
 * Leaving out a cluster uses cluster t intervals at full and at reduced size (ours: M full
 * resamplings would cost much and say the same); only what changes between these two is named. */
#include <math.h>
#include <string.h>

#include "audit/scorer/study.h"
#include "base/error.h"
#include "base/text.h"
#include "stats/linear.h"
#include "stats/moments.h"
#include "stats/special.h"
#include "stats/verdict.h"

typedef struct mean_state {
    bool resolved, equivalent;
    double estimate;
} mean_state;

static mean_state state_of(const double *sum, const double *count, size_t m, double margin,
                           double alpha)
{
    linear_mean x = linear_mean_cr2(sum, count, m);
    double t = x.df > 0 ? t_quantile(1 - alpha / 2, x.df) : NAN;
    double t90 = x.df > 0 ? t_quantile(1 - alpha, x.df) : NAN;
    double half = t * x.se, half90 = t90 * x.se;
    mean_state out = {.estimate = x.mean};
    out.resolved = fabs(x.mean) > half;
    out.equivalent = x.mean - half90 > -margin && x.mean + half90 < margin;
    return out;
}

static bool same_state(mean_state a, mean_state b)
{
    bool sign = !a.resolved || (a.estimate > 0) == (b.estimate > 0);
    return a.resolved == b.resolved && a.equivalent == b.equivalent && sign;
}

/* Sums and counts per cluster. */
typedef struct cluster_sums {
    double *sum, *count;
    size_t m;
    bool equal; /* every cluster holds as many bases */
} cluster_sums;

static tare_status sum_clusters(cluster_sums *out, study *t, const view *v, const double *x)
{
    size_t m = out->m = v->f.plan.clusters;
    out->sum = arena_new(&t->brief, m + 1, sizeof *out->sum);
    out->count = arena_new(&t->brief, m + 1, sizeof *out->count);
    if (!out->sum || !out->count) return TARE_E_MEMORY;
    for (size_t i = 0; i < v->f.bases; i++) {
        if (!v->f.used[i] || isnan(x[i])) continue;
        out->sum[v->f.cluster[i]] += x[i];
        out->count[v->f.cluster[i]] += 1;
    }
    out->equal = true;
    for (size_t k = 1; k < m; k++) out->equal = out->equal && out->count[k] == out->count[0];
    return TARE_OK;
}

/* What leaving out needs once for all clusters: equal sizes have a closed form, so that many
 * clusters cost no more than one walk. */
typedef struct leaving {
    const cluster_sums *c;
    double margin, alpha;
    double mean, squares, t, t90; /* of the cluster means; quantiles of one cluster less */
} leaving;

static leaving leaving_of(const cluster_sums *c, double margin, double alpha)
{
    leaving out = {.c = c, .margin = margin, .alpha = alpha};
    if (!c->equal || c->m < 3 || c->count[0] == 0) return out;
    neumaier total = {0, 0}, squares = {0, 0};
    for (size_t k = 0; k < c->m; k++) neumaier_add(&total, c->sum[k] / c->count[0]);
    out.mean = neumaier_total(&total) / (double)c->m;
    for (size_t k = 0; k < c->m; k++) {
        double d = c->sum[k] / c->count[0] - out.mean;
        neumaier_add(&squares, d * d);
    }
    out.squares = neumaier_total(&squares);
    out.t = t_quantile(1 - alpha / 2, (double)(c->m - 2));
    out.t90 = t_quantile(1 - alpha, (double)(c->m - 2));
    return out;
}

static mean_state state_without(const leaving *l, size_t k)
{
    const cluster_sums *c = l->c;
    if (!c->equal || c->m < 3) {
        double sum = c->sum[k], count = c->count[k];
        c->sum[k] = c->count[k] = 0;
        mean_state out = state_of(c->sum, c->count, c->m, l->margin, l->alpha);
        c->sum[k] = sum;
        c->count[k] = count;
        return out;
    }
    double left = (double)(c->m - 1), d = c->sum[k] / c->count[0] - l->mean;
    double mean = l->mean - d / left, squares = l->squares - d * d * (left + 1) / left;
    double se = sqrt(fmax(squares, 0) / (left * (left - 1)));
    return (mean_state){.estimate = mean, .resolved = fabs(mean) > l->t * se,
                        .equivalent = mean - l->t90 * se > -l->margin &&
                                      mean + l->t90 * se < l->margin};
}

/* Names up to five clusters whose absence changes the state; counts all. */
static tare_status leave_out(text *names, size_t *changes, study *t, const view *v,
                             const double *x, double margin)
{
    cluster_sums c;
    if (sum_clusters(&c, t, v, x) != TARE_OK) return TARE_E_MEMORY;
    mean_state full = state_of(c.sum, c.count, c.m, margin, t->o.alpha);
    leaving l = leaving_of(&c, margin, t->o.alpha);
    *changes = 0;
    for (size_t k = 0; k < c.m; k++) {
        if (c.count[k] == 0 || same_state(full, state_without(&l, k))) continue;
        if ((*changes)++ < 5)
            text_add_format(names, "%s%s", names->length ? " " : "", v->f.plan.ids[k]);
    }
    return TARE_OK;
}

static tare_status report_influence(study *t, view *v, const char *name, const double *x,
                                    double margin, tare_error *err)
{
    tare_status status = TARE_OK;
    text names;
    text_init(&names, t->m);
    size_t changes = 0;
    if (leave_out(&names, &changes, t, v, x, margin) != TARE_OK || names.failed) FAIL_MEMORY(err);
    reading_spec spec = {.family = "robust", .name = name, .condition = "leave one cluster out",
                         .unit = "clusters that change the verdict"};
    spec.extra = "pass";
    if (changes) TRY_NEW(spec.extra = arena_printf(&t->out->a, "fail: %s", names.data));
    TRY(study_number(t, v, v->arm, &spec, (double)changes, err));
done:
    arena_free(&t->brief);
    text_free(&names);
    return status;
}

static int other_side(const study *t, const judged *j)
{
    if (!j) return 0;
    const tare_reading *r = study_reading(t, j);
    if (r->reason[0] || !(r->p <= t->o.alpha) || !(r->lo > 0 || r->hi < 0)) return 0;
    return r->estimate < 0 ? -1 : 1;
}

static int tested_side(side_mark s)
{
    return s == SIDE_MINUS ? -1 : s == SIDE_PLUS ? 1 : 0;
}

/* `all` against `extreme`: the same signs on both sides? */
static tare_status report_doses(study *t, view *v, tare_error *err)
{
    bool same = other_side(t, study_get(t, v, RD_N_OTHER)) == tested_side(v->side_n) &&
                other_side(t, study_get(t, v, RD_P_OTHER)) == tested_side(v->side_p);
    reading_spec spec = {.family = "robust", .name = "shape", .condition = "all against extreme",
                         .unit = "1: same class", .extra = same ? "pass" : "fail"};
    return study_number(t, v, v->arm, &spec, same, err);
}

tare_status influence_run(study *t, tare_error *err)
{
    tare_status status = TARE_OK;
    for (size_t k = 0; k < t->views; k++) {
        view *v = &t->view[k];
        if (!arm_main(v->arm) || v->degenerate || v->f.plan.clusters < 7) continue;
        TRY(context_check(t->context, err));
        double margin = view_margin(t, v, t->o.margin_sd);
        TRY(report_influence(t, v, "FI", v->tested.fi, margin, err));
        if (study_get(t, v, RD_A)) TRY(report_influence(t, v, "A", v->tested.a, margin, err));
        if (v->net_dose)
            TRY(report_influence(t, v, "net_drift", v->net_dose,
                                 dose_margin(t, v->arm), err));
        TRY(report_doses(t, v, err));
    }
done:
    return status;
}
