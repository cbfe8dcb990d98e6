/* Do the readings differ between groups of photographs (scorer audit 9)? One omnibus test per
 * scorer and reading, and beside it the pair that one would have picked. */
#include <math.h>
#include <string.h>

#include "audit/scorer/base_count.h"
#include "audit/scorer/study.h"
#include "base/error.h"
#include "base/text.h"
#include "stats/draws.h"
#include "stats/moments.h"
#include "stats/permute.h"
#include "stats/verdict.h"

typedef struct group_data {
    uint32_t *label;  /* [clusters of the frame], OMNIBUS_NONE: group too small */
    bool *kept;       /* [groups] */
    size_t *bases;    /* [groups] */
} group_data;

static tare_status find_groups(group_data *g, study *t, view *v, tare_error *err)
{
    tare_status status = TARE_OK;
    const cube_arm *arm = v->arm;
    text list;
    text_init(&list, t->m);
    TRY_NEW(g->label = arena_new(&t->scratch, v->f.plan.clusters + 1, sizeof *g->label));
    TRY_NEW(g->kept = arena_new(&t->scratch, arm->groups + 1, sizeof *g->kept));
    TRY_NEW(g->bases = arena_new(&t->scratch, arm->groups + 1, sizeof *g->bases));
    for (size_t k = 0; k < v->f.plan.clusters; k++) g->label[k] = OMNIBUS_NONE;
    for (size_t i = 0; i < arm->bases; i++) {
        if (!v->f.used[i]) continue;
        uint32_t *label = &g->label[v->f.cluster[i]];
        if (*label != OMNIBUS_NONE && *label != arm->group[i])
            FAIL(err, TARE_E_DATA, "group.in_cluster", arm->base[i],
                 "the group varies inside cluster %s: give every base of a cluster one group",
                 v->f.plan.ids[v->f.cluster[i]]);
        *label = arm->group[i];
        g->bases[arm->group[i]]++;
    }
    for (size_t k = 0; k < arm->groups; k++) {
        /* No label is no group: such images are left out, whatever their number. */
        bool named = arm->group_id[k][0] != '\0';
        g->kept[k] = named && g->bases[k] >= t->o.group_min;
        if (!g->kept[k])
            text_add_format(&list, "%s%s (%zu)", list.length ? ", " : "",
                            named ? arm->group_id[k] : "without a group",
                            g->bases[k]);
    }
    for (size_t k = 0; k < v->f.plan.clusters; k++)
        if (g->label[k] != OMNIBUS_NONE && !g->kept[g->label[k]]) g->label[k] = OMNIBUS_NONE;
    if (list.length) TRY_NEW(v->groups_left_out = arena_copy(&t->out->a, list.data));
    if (list.failed) FAIL_MEMORY(err);
done:
    text_free(&list);
    return status;
}

static tare_status cluster_sums(double *sum, double *count, const view *v, const double *x)
{
    for (size_t i = 0; i < v->f.bases; i++) {
        if (!v->f.used[i] || isnan(x[i])) continue;
        sum[v->f.cluster[i]] += x[i]; /* few per cluster */
        count[v->f.cluster[i]] += 1;
    }
    return TARE_OK;
}

static tare_status omnibus(omnibus_result *out, study *t, const view *v, const group_data *g,
                           const double *x, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t m = v->f.plan.clusters;
    double *sum, *count;
    uint64_t *h64;
    permute_plan plan = {.m = t->m, .pool = t->context->pool, .clusters = m,
                         .replicates = t->o.perm_p};
    TRY_NEW(sum = arena_new(&t->scratch, m + 1, sizeof *sum));
    TRY_NEW(count = arena_new(&t->scratch, m + 1, sizeof *count));
    TRY_NEW(h64 = arena_new(&t->scratch, m + 1, sizeof *h64));
    TRY(cluster_sums(sum, count, v, x));
    draws_hash(h64, v->f.plan.ids, m);
    plan.h64 = h64;
    plan.mode = strcmp(t->o.perm_exact, "yes") == 0  ? PERMUTE_EXACT
                : strcmp(t->o.perm_exact, "no") == 0 ? PERMUTE_SAMPLED
                                                     : PERMUTE_AUTO;
    TRY(draws_key(&plan.key, t->o.seed, v->f.plan.analysis, "perm", t->m, err));
    omnibus_column column = {sum, count, g->label, v->arm->groups};
    TRY(permute_omnibus(out, &plan, &column, 1, err));
done:
    return status;
}

static inference from_permutation(const permute_result *r, const char *reason)
{
    inference inf = inference_none(reason);
    inf.estimate = r->statistic;
    inf.p = r->p;
    inf.p_floor = r->p_floor;
    inf.p_method = r->exact ? "exact label permutation" : "label permutation";
    return inf;
}

/* Bases in groups that are too small are excluded; the others may lack the artifact. */
static base_count count_tested(const view *v, const group_data *g, const double *x)
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
static const char *omnibus_reason(const omnibus_result *r, const view *v, const group_data *g)
{
    size_t kept = 0;
    for (size_t k = 0; k < v->arm->groups; k++) kept += g->kept[k];
    return !r->degenerate ? "" : kept < 2 ? "groups_too_small" : REASON_DEGENERATE;
}

/* The two groups that lie furthest apart, cherry-picked. */
static tare_status report_pair(study *t, view *v, const omnibus_result *r, const char *metric,
                               tare_error *err)
{
    tare_status status = TARE_OK;
    const cube_arm *arm = v->arm;
    bool *kept;
    TRY_NEW(kept = arena_new(&t->scratch, arm->groups, sizeof *kept));
    kept[r->high] = kept[r->low] = true;
    base_count count = count_groups(t, v, kept);
    inference inf = inference_none("");
    inf.estimate = r->range.statistic;
    inf.df = r->pair_df;
    inf.p = r->pair_p;
    inf.p_method = "Welch t, unadjusted";
    reading_spec spec = {.family = "population", .name = "largest_pair", .unit = "score",
                         .margin = NAN, .floor = NAN, .descriptive = true,
                         .extra = "cherry-picked", .count = &count};
    TRY_NEW(spec.condition = arena_printf(&t->out->a, "%s: %s - %s", metric,
                                          arm->group_id[r->high], arm->group_id[r->low]));
    TRY(study_add(t, v, arm, strcmp(metric, "FI") == 0 ? RD_PAIR_FI : RD_PAIR_A, &spec, &inf, err));
done:
    return status;
}

static tare_status report_omnibus(study *t, view *v, const omnibus_result *r, const char *metric,
                                  const base_count *count, const char *reason, tare_error *err)
{
    tare_status status = TARE_OK;
    bool fi = strcmp(metric, "FI") == 0, adjusted = strcmp(metric, "FI_adj") == 0;
    reading_spec spec = {.family = "population", .name = "omnibus", .condition = metric,
                         .unit = "score", .grid = adjusted ? "" : "iii", .margin = NAN,
                         .floor = NAN, .descriptive = adjusted, .count = count};
    if (v->groups_left_out[0])
        TRY_NEW(spec.extra = arena_printf(&t->out->a, "left out: %s", v->groups_left_out));
    inference inf = from_permutation(&r->range, reason);
    TRY(study_add(t, v, v->arm, adjusted ? RD_NONE : fi ? RD_OMNIBUS_FI : RD_OMNIBUS_A, &spec,
                  &inf, err));
    inf = from_permutation(&r->student, reason);
    spec = (reading_spec){.family = "population", .name = "omnibus_studentised",
                          .condition = metric, .margin = NAN, .floor = NAN, .descriptive = true,
                          .count = count};
    TRY(study_add(t, v, v->arm, RD_NONE, &spec, &inf, err));
    double alpha = t->o.alpha;
    bool disagree = r->student.p > 0 && (r->range.p <= alpha) != (r->student.p <= alpha);
    if (fi) v->spread_fi = disagree;
    if (!fi && !adjusted) v->spread_a = disagree;
    if (!r->degenerate && !adjusted) TRY(report_pair(t, v, r, metric, err));
done:
    return status;
}

static tare_status report_means(study *t, view *v, const double *x, const char *metric,
                                tare_error *err)
{
    tare_status status = TARE_OK;
    size_t groups = v->arm->groups;
    double **columns;
    inference *inf;
    TRY_NEW(columns = arena_new(&t->scratch, groups, sizeof *columns));
    TRY_NEW(inf = arena_new(&t->scratch, groups, sizeof *inf));
    bool *only;
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
        spec.count = &count;
        TRY_NEW(spec.name = arena_printf(&t->out->a, "mean_%s", metric));
        TRY(study_add(t, v, v->arm, RD_NONE, &spec, &inf[g], err));
    }
done:
    return status;
}

/* FI of a base after the artifact's share is taken out with the gamma of the adjusted curve. */
static tare_status adjusted_fidelity(double **out, study *t, const view *v, tare_error *err)
{
    const cube_arm *arm = v->arm;
    *out = NULL;
    if (!arm->artifact || isnan(v->gamma_adjust)) return TARE_OK;
    double *x = study_array(t, arm->bases);
    if (!x) return error_memory(err);
    side_counts k = fidelity_counts(arm, false);
    for (size_t i = 0; i < arm->bases; i++) {
        if (!v->f.used[i]) continue;
        const double *s = v->scores->s + i * arm->doses, *c = arm->artifact + i * arm->doses;
        neumaier sum = {0, 0};
        bool two = k.below > 0 && k.above > 0;
        for (size_t d = 0; d < arm->doses; d++) {
            double weight = d == arm->neutral ? 0 : 1 / (d < arm->neutral ? k.below : k.above);
            double delta = s[d] - s[arm->neutral];
            neumaier_add(&sum, -weight / (two ? 2 : 1) *
                                   (delta - v->gamma_adjust * (c[d] - c[arm->neutral])));
        }
        x[i] = neumaier_total(&sum);
    }
    *out = x;
    return TARE_OK;
}

tare_status population_run(study *t, tare_error *err)
{
    tare_status status = TARE_OK;
    for (size_t k = 0; k < t->views; k++) {
        view *v = &t->view[k];
        if (!arm_has_population(v->arm) || v->arm->groups < 2 || v->f.n == 0) continue;
        TRY(context_check(t->context, err));
        group_data g = {0};
        double *adjusted;
        TRY(find_groups(&g, t, v, err));
        TRY(adjusted_fidelity(&adjusted, t, v, err));
        const double *columns[3] = {v->tested.fi, study_get(t, v, RD_A) ? v->tested.a : NULL,
                                    adjusted};
        static const char *const metrics[3] = {"FI", "A", "FI_adj"};
        for (size_t j = 0; j < 3; j++) {
            if (!columns[j]) continue;
            omnibus_result r;
            TRY(omnibus(&r, t, v, &g, columns[j], err));
            base_count count = count_tested(v, &g, columns[j]);
            TRY(report_omnibus(t, v, &r, metrics[j], &count, omnibus_reason(&r, v, &g), err));
            if (j < 2) TRY(report_means(t, v, columns[j], metrics[j], err));
        }
    }
done:
    return status;
}
