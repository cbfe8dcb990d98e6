/* Do the readings differ between groups of photographs (scorer audit 9)? One omnibus test per
 * scorer and reading, and beside it the pair that one would have picked. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "audit/scorer/base_count.h"
#include "audit/scorer/group_set.h"
#include "audit/scorer/members.h"
#include "audit/scorer/omnibus_null.h"
#include "base/error.h"
#include "stats/draws.h"
#include "stats/permute.h"
#include "stats/special.h"
#include "stats/verdict.h"

#define REASON_NO_SPREAD "no_spread_in_groups" /* two groups without any spread inside */

/* One view with all that is compared in it. */
typedef struct comparison {
    view *v;
    group_set set[METRICS];      /* of the metrics that there are */
    const double *x[METRICS];    /* [bases] or NULL */
    omnibus_result r[METRICS];
    double *null[METRICS];       /* [perm_p] T under shuffled labels */
} comparison;

static void cluster_sums(double *sum, double *count, const view *v, const double *x)
{
    for (size_t i = 0; i < v->f.bases; i++) {
        if (!v->f.used[i] || isnan(x[i])) continue;
        sum[v->f.cluster[i]] += x[i]; /* few per cluster */
        count[v->f.cluster[i]] += 1;
    }
}

/* All metrics under the same permutations. */
static tare_status test_metrics(comparison *c, study *t, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t m = c->v->f.plan.clusters, k = 0;
    uint64_t *h64;
    omnibus_column columns[METRICS];
    omnibus_result r[METRICS];
    double *null[METRICS];
    permute_plan plan = {.m = t->m, .pool = t->context->pool, .clusters = m,
                         .replicates = t->o.perm_p, .null = null};
    TRY_NEW(h64 = arena_new(&t->scratch, m + 1, sizeof *h64));
    draws_hash(h64, c->v->f.plan.ids, m);
    plan.h64 = h64;
    plan.mode = strcmp(t->o.perm_exact, "yes") == 0  ? PERMUTE_EXACT
                : strcmp(t->o.perm_exact, "no") == 0 ? PERMUTE_SAMPLED
                                                     : PERMUTE_AUTO;
    for (int j = 0; j < METRICS; j++) {
        if (!c->x[j]) continue;
        double *sum, *count;
        TRY_NEW(sum = arena_new(&t->scratch, m + 1, sizeof *sum));
        TRY_NEW(count = arena_new(&t->scratch, m + 1, sizeof *count));
        TRY_NEW(c->null[j] = arena_new(&t->passing, t->o.perm_p, sizeof **c->null));
        cluster_sums(sum, count, c->v, c->x[j]);
        null[k] = c->null[j];
        columns[k++] = (omnibus_column){sum, count, c->set[j].label, c->v->arm->groups};
    }
    TRY(draws_key(&plan.key, t->o.seed, c->v->f.plan.analysis, "perm", t->m, err));
    status = permute_omnibus(r, &plan, columns, k, err);
    if (status == TARE_E_USAGE && plan.mode == PERMUTE_EXACT)
        FAIL(err, TARE_E_USAGE, "omnibus.exact", NULL,
             "--perm-exact yes: the groups of arm %s can be shuffled in more than %d ways; give "
             "--perm-exact auto or no, and --perm-p of them are drawn", c->v->arm->name,
             LABELS_EXACT_FORCED);
    if (status != TARE_OK) goto done;
    for (int j = METRICS - 1; j >= 0; j--)
        if (c->x[j]) c->r[j] = r[--k];
done:
    return status;
}

static inference from_permutation(const permute_result *r, const char *reason)
{
    inference inf = inference_none(reason);
    inf.estimate = r->statistic;
    /* Without any spread in two groups T_s has no value; its p, a count, has one. */
    if (isinf(r->statistic)) {
        inf.estimate = NAN;
        inf.reason = REASON_NO_SPREAD;
    }
    inf.p = r->p;
    inf.p_floor = r->p_floor;
    inf.p_method = r->exact ? "exact label permutation" : "label permutation";
    return inf;
}

/* Bases in groups that are too small are excluded; the others may lack the artifact. */
static base_count count_tested(const view *v, const group_set *g, const double *x)
{
    base_count c = count_view(v);
    uint32_t last = UINT32_MAX; /* bases of one cluster stand together (cube.h) */
    c.clusters = 0;
    for (size_t i = 0; i < v->f.bases; i++) {
        if (!v->f.used[i]) continue;
        bool kept = g->kept[v->arm->group[i]];
        if (!kept || isnan(x[i])) {
            count_drop(&c, 1, kept ? TARE_R_MISSING : TARE_R_EXCLUDED);
            continue;
        }
        c.clusters += v->f.cluster[i] != last;
        last = v->f.cluster[i];
    }
    return c;
}

/* Why there is no omnibus: nothing varies, or there are no two groups of the size asked for. */
static const char *omnibus_reason(const omnibus_result *r, const group_set *g)
{
    return !r->degenerate ? "" : g->count < 2 ? "groups_too_small" : REASON_DEGENERATE;
}

/* The two groups that lie furthest apart, cherry-picked: its p and its interval are those of a pair
 * that had been named beforehand. */
static tare_status report_pair(study *t, comparison *c, int metric, tare_error *err)
{
    tare_status status = TARE_OK;
    view *v = c->v;
    const cube_arm *arm = v->arm;
    const omnibus_result *r = &c->r[metric];
    bool *kept;
    TRY_NEW(kept = arena_new(&t->scratch, arm->groups, sizeof *kept));
    kept[r->high] = kept[r->low] = true;
    base_count count = count_groups(t, v, kept);
    inference inf = inference_none("");
    inf.estimate = r->range.statistic;
    inf.df = r->pair_df;
    inf.p = r->pair_p;
    inf.p_method = inf.interval_method = "Welch t, unadjusted";
    inf.se = r->pair_se;
    if (!(inf.se > 0)) {
        inf.reason = REASON_NO_SPREAD;
        inf.se = inf.df = inf.p = NAN;
    }
    /* Welch's t knows no least p, a double does. */
    if (inf.p < DBL_MIN) inf.p = inf.p_floor = DBL_MIN;
    double half = inf.se > 0 ? t_quantile(1 - t->o.alpha / 2, inf.df) * inf.se : NAN;
    inf.lo = inf.estimate - half;
    inf.hi = inf.estimate + half;
    reading_spec spec = {.family = "population", .name = "largest_pair", .unit = "score",
                         .margin = NAN, .floor = NAN, .descriptive = true,
                         .extra = "cherry-picked", .count = &count};
    TRY_NEW(spec.condition = arena_printf(&t->out->a, "%s: %s - %s", metric_name(metric),
                                          arm->group_id[r->high], arm->group_id[r->low]));
    TRY(study_add(t, v, arm, (reading_id)(RD_PAIR_FI + metric), &spec, &inf, err));
done:
    return status;
}

static tare_status report_omnibus(study *t, comparison *c, int metric, tare_error *err)
{
    tare_status status = TARE_OK;
    view *v = c->v;
    const omnibus_result *r = &c->r[metric];
    const group_set *set = &c->set[metric];
    base_count count = count_tested(v, set, c->x[metric]);
    const char *reason = omnibus_reason(r, set);
    reading_spec spec = {.family = "population", .name = "omnibus",
                         .condition = metric_name(metric), .unit = "score",
                         .grid = metric_adjusted(metric) ? "iii adjusted" : "iii", .margin = NAN,
                         .floor = NAN, .count = &count};
    if (set->left_out[0])
        TRY_NEW(spec.extra = arena_printf(&t->out->a, "left out: %s", set->left_out));
    inference inf = from_permutation(&r->range, reason);
    inf.replicates = r->degenerate ? NULL : c->null[metric];
    TRY(study_add(t, v, v->arm, (reading_id)(RD_OMNIBUS_FI + metric), &spec, &inf, err));
    inf = from_permutation(&r->student, reason);
    spec = (reading_spec){.family = "population", .name = "omnibus_studentised",
                          .condition = metric_name(metric), .margin = NAN, .floor = NAN,
                          .descriptive = true, .count = &count};
    TRY(study_add(t, v, v->arm, RD_NONE, &spec, &inf, err));
    double alpha = t->o.alpha;
    v->spread[metric] = !isnan(r->student.p) && (r->range.p <= alpha) != (r->student.p <= alpha);
    if (r->degenerate) goto done;
    TRY(report_pair(t, c, metric, err));
    TRY(omnibus_null_add(t, v, metric, r, c->null[metric], err));
done:
    return status;
}

static tare_status report_means(study *t, view *v, const double *x, int metric, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t groups = v->arm->groups;
    double **columns;
    inference *inf;
    bool *only;
    TRY_NEW(columns = arena_new(&t->scratch, groups, sizeof *columns));
    TRY_NEW(inf = arena_new(&t->scratch, groups, sizeof *inf));
    TRY_NEW(only = arena_new(&t->scratch, groups, sizeof *only));
    for (size_t g = 0; g < groups; g++) {
        TRY_NEW(columns[g] = study_array(t, v->f.bases));
        for (size_t i = 0; i < v->f.bases; i++)
            if (v->f.used[i] && v->arm->group[i] == g) columns[g][i] = x[i];
    }
    TRY(study_means(inf, t, &v->f, (const double *const *)columns, groups, err));
    for (size_t g = 0; g < groups; g++) {
        if (!v->arm->group_id[g][0]) continue;
        reading_spec spec = {.family = "population", .condition = v->arm->group_id[g],
                             .unit = "score", .margin = NAN, .floor = NAN, .descriptive = true};
        only[g] = true;
        base_count count = count_groups(t, v, only);
        only[g] = false;
        size_t lacking = 0; /* the artifact */
        for (size_t i = 0; i < v->f.bases; i++)
            lacking += v->f.used[i] && v->arm->group[i] == g && isnan(x[i]);
        count_drop(&count, lacking, TARE_R_MISSING);
        spec.count = &count;
        TRY_NEW(spec.name = arena_printf(&t->out->a, "mean_%s", metric_name(metric)));
        TRY(study_add(t, v, v->arm, RD_NONE, &spec, &inf[g], err));
    }
done:
    return status;
}

static tare_status compare_groups(study *t, view *v, tare_error *err)
{
    tare_status status = TARE_OK;
    comparison c = {.v = v};
    TRY(group_labels_check(v->arm, err));
    TRY(group_metrics(c.x, t, v, err));
    for (int metric = 0; metric < METRICS; metric++)
        if (c.x[metric]) TRY(group_set_find(&c.set[metric], t, v, c.x[metric], err));
    v->groups_left_out = c.set[METRIC_FI].left_out;
    TRY(test_metrics(&c, t, err));
    for (int metric = 0; metric < METRICS; metric++) {
        if (!c.x[metric]) continue;
        TRY(report_omnibus(t, &c, metric, err));
        TRY(report_means(t, v, c.x[metric], metric, err));
    }
done:
    members_release(t); /* the null was in passing */
    return status;
}

/* One group alone gets its reason, not silence. */
static bool has_labels(const cube_arm *arm)
{
    return arm->groups > 1 || (arm->groups == 1 && arm->group_id[0][0] != '\0');
}

tare_status population_run(study *t, tare_error *err)
{
    tare_status status = TARE_OK;
    for (size_t k = 0; k < t->views; k++) {
        view *v = &t->view[k];
        if (!arm_has_population(v->arm) || !has_labels(v->arm) || v->f.n == 0) continue;
        TRY(context_check(t->context, err));
        TRY(compare_groups(t, v, err));
    }
done:
    return status;
}

tare_status population_words(study *t, const view *v, tare_error *err)
{
    tare_status status = TARE_OK;
    for (int metric = 0; metric < METRICS; metric++) {
        judged *o = study_get(t, v, (reading_id)(RD_OMNIBUS_FI + metric));
        judged *pair = study_get(t, v, (reading_id)(RD_PAIR_FI + metric));
        if (!o || !pair) continue;
        tare_reading *r = &t->out->readings[o->reading];
        tare_reading *rp = &t->out->readings[pair->reading];
        if (rp->p <= t->o.alpha && r->q > t->o.alpha) {
            rp->words = "cherry-picking artifact";
            TRY(study_mark(t, o, "cherry-picking artifact", err));
        }
        if (v->spread[metric]) {
            TRY(study_mark(t, o, MAYBE_SPREAD, err));
            TRY_NEW(r->words = arena_printf(&t->out->a, "%s; %s", r->words, MAYBE_SPREAD));
        }
        if (o->extra) r->marks = o->extra;
    }
done:
    return status;
}
