/* What is missing, by reason, and whether missing has to do with the dose or the group
 * (statistics 13; scorer audit 9). */
#include <math.h>
#include <string.h>

#include "audit/scorer/base_count.h"
#include "audit/scorer/study.h"
#include "base/error.h"
#include "stats/draws.h"
#include "stats/missing.h"
#include "stats/multiple.h"
#include "stats/permute.h"
#include "stats/proportion.h"
#include "stats/verdict.h"

/* One test of the family. */
typedef struct miss_test {
    size_t view;
    bool by_group;
    permute_result result;
    base_count count;
    double spread, q;
} miss_test;

static tare_status copy_missing(study *t, tare_error *err)
{
    tare_status status = TARE_OK;
    for (size_t i = 0; i < t->c->missing_count; i++) {
        result_missing *x;
        TRY_NEW(x = result_add_missing(t->out));
        *x = t->c->missing[i];
    }
done:
    return status;
}

/* Bases of an arm that lack a score of this scorer: counted by reason and group. */
static tare_status list_incomplete(study *t, const view *v, tare_error *err)
{
    tare_status status = TARE_OK;
    const cube_arm *arm = v->arm;
    size_t groups = arm->group ? arm->groups : 1;
    for (size_t g = 0; g < groups; g++)
        for (int reason = 1; reason < TARE_REASON_COUNT; reason++) {
            size_t count = 0, of = 0;
            const char *example = "";
            for (size_t i = 0; i < arm->bases; i++) {
                if (arm->group && arm->group[i] != g) continue;
                of++;
                if (v->f.used[i]) continue;
                int first = TARE_R_NONE;
                for (size_t d = 0; d < arm->doses && first == TARE_R_NONE; d++)
                    first = v->scores->status[i * arm->doses + d];
                if (first == TARE_R_NONE) first = TARE_R_SCORE_NONFINITE;
                if (first != reason) continue;
                if (count++ == 0) example = arm->base[i];
            }
            if (count == 0) continue;
            result_missing *x;
            TRY_NEW(x = result_add_missing(t->out));
            *x = (result_missing){"base", arm->name, v->scorer,
                                  arm->group ? arm->group_id[g] : "", (tare_reason)reason, count,
                                  of, example};
        }
done:
    return status;
}

/* Bases of an arm that lack a measure at some dose: they are in no reading that needs it. */
static tare_status list_holes(study *t, const cube_arm *arm, const double *x, const char *what,
                              tare_error *err)
{
    tare_status status = TARE_OK;
    size_t groups = arm->group ? arm->groups : 1;
    for (size_t g = 0; x && g < groups; g++) {
        size_t count = 0, of = 0;
        const char *example = "";
        for (size_t i = 0; i < arm->bases; i++) {
            if (arm->group && arm->group[i] != g) continue;
            of++;
            bool whole = true;
            for (size_t d = 0; d < arm->doses; d++)
                whole = whole && isfinite(x[i * arm->doses + d]);
            if (!whole && count++ == 0) example = arm->base[i];
        }
        if (count == 0) continue;
        result_missing *row;
        TRY_NEW(row = result_add_missing(t->out));
        *row = (result_missing){what, arm->name, "", arm->group ? arm->group_id[g] : "",
                                TARE_R_MISSING, count, of, example};
    }
done:
    return status;
}

static tare_status make_plan(permute_plan *plan, study *t, const cube_arm *arm, size_t extra,
                             bool by_base, tare_error *err)
{
    tare_status status = TARE_OK;
    memset(plan, 0, sizeof *plan);
    size_t own = by_base ? arm->bases : arm->clusters;
    uint64_t *h64;
    const char **ids;
    const char *base_set;
    TRY_NEW(h64 = arena_new(&t->scratch, own + extra + 1, sizeof *h64));
    TRY_NEW(ids = arena_new(&t->scratch, own + extra + 1, sizeof *ids));
    TRY_NEW(base_set = arena_printf(&t->scratch, "scorer/%s/missing", arm->kind));
    for (size_t i = 0; i < own; i++) ids[i] = by_base ? arm->base[i] : arm->cluster_id[i];
    for (size_t i = 0; i < extra; i++)
        TRY_NEW(ids[own + i] = arena_printf(&t->scratch, "%s\t%zu", "excluded", i));
    draws_hash(h64, ids, own + extra);
    TRY(draws_key(&plan->key, t->o.seed, base_set, "perm", t->m, err));
    plan->m = t->m;
    plan->pool = t->context->pool;
    plan->h64 = h64;
    plan->clusters = own + extra;
    plan->replicates = t->o.perm_p;
done:
    return status;
}

/* A rate with Wilson's interval (ours: it has a width where nothing or everything is missing, and
 * takes the bases of one cluster for independent). */
static inference wilson_rate(double missing, double n, double alpha)
{
    inference x = inference_none("");
    if (!(n > 0)) return x;
    x.estimate = missing / n;
    wilson_interval(&x.lo, &x.hi, missing, n, alpha);
    x.interval_method = "Wilson";
    return x;
}

static tare_status report_rate(study *t, view *v, const char *condition, const base_count *count,
                               double missing, tare_error *err)
{
    inference inf = wilson_rate(missing, (double)count->n, t->o.alpha);
    reading_spec spec = {.family = "missing", .name = "missing_rate", .condition = condition,
                         .unit = "share", .margin = NAN, .floor = NAN, .descriptive = true,
                         .count = count};
    return study_add(t, v, v->arm, RD_NONE, &spec, &inf, err);
}

static tare_status test_doses(miss_test *out, study *t, view *v, tare_error *err)
{
    tare_status status = TARE_OK;
    const cube_arm *arm = v->arm;
    permute_plan plan;
    uint8_t *flags;
    double *rates;
    TRY_NEW(flags = arena_new(&t->scratch, arm->bases * arm->doses + 1, 1));
    TRY_NEW(rates = study_array(t, arm->doses));
    out->count = count_arm(t, arm, NULL);
    for (size_t d = 0; d < arm->doses; d++) {
        size_t count = 0;
        for (size_t i = 0; i < arm->bases; i++) {
            bool missing = v->scores->status[i * arm->doses + d] != TARE_R_NONE;
            flags[i * arm->doses + d] = missing;
            count += missing;
        }
        rates[d] = (double)count / (double)arm->bases;
        const char *label;
        TRY_NEW(label = dose_text(t, arm->dose[d]));
        TRY(report_rate(t, v, label, &out->count, (double)count, err));
    }
    TRY(make_plan(&plan, t, arm, 0, true, err));
    TRY(permute_conditions(&out->result, &plan, flags, arm->doses, err));
    out->spread = missing_rate_spread(rates, arm->doses);
done:
    return status;
}

/* Excluded bases of one arm and group that every scorer lacks. */
static size_t excluded_in(const study *t, const cube_arm *arm, const char *group)
{
    size_t count = 0;
    for (size_t i = 0; i < t->c->missing_count; i++) {
        const result_missing *x = &t->c->missing[i];
        if (excluded_from(x, arm) && strcmp(x->group, group) == 0) count += x->count;
    }
    return count;
}

/* The groups of an arm, and after them those of which every base was excluded. */
typedef struct group_names {
    const char **name;
    size_t count;
} group_names;

static tare_status name_groups(group_names *out, study *t, const cube_arm *arm, tare_error *err)
{
    tare_status status = TARE_OK;
    TRY_NEW(out->name = arena_new(&t->scratch, arm->groups + t->c->missing_count + 1,
                                  sizeof *out->name));
    out->count = 0;
    for (size_t g = 0; g < arm->groups; g++) out->name[out->count++] = arm->group_id[g];
    for (size_t i = 0; i < t->c->missing_count; i++) {
        const result_missing *x = &t->c->missing[i];
        size_t g = 0;
        while (g < out->count && strcmp(out->name[g], x->group) != 0) g++;
        if (g == out->count && excluded_from(x, arm)) out->name[out->count++] = x->group;
    }
done:
    return status;
}

/* An excluded base is a cluster of its own (ours: which cluster it belonged to is not known). */
static tare_status test_groups(miss_test *out, study *t, view *v, const group_names *names,
                               tare_error *err)
{
    tare_status status = TARE_OK;
    const cube_arm *arm = v->arm;
    size_t extra = 0, at = arm->clusters;
    for (size_t g = 0; g < names->count; g++) extra += excluded_in(t, arm, names->name[g]);
    permute_plan plan;
    double *sum, *count, *rates;
    uint32_t *group;
    omnibus_result result;
    size_t units = arm->clusters + extra;
    TRY_NEW(sum = arena_new(&t->scratch, units, sizeof *sum));
    TRY_NEW(count = arena_new(&t->scratch, units, sizeof *count));
    TRY_NEW(group = arena_new(&t->scratch, units, sizeof *group));
    TRY_NEW(rates = study_array(t, 2 * names->count));
    for (size_t i = 0; i < arm->bases; i++) {
        sum[arm->cluster[i]] += !v->f.used[i];
        count[arm->cluster[i]] += 1;
        group[arm->cluster[i]] = arm->group[i];
    }
    for (size_t g = 0; g < names->count; g++)
        for (size_t k = excluded_in(t, arm, names->name[g]); k > 0; k--, at++) {
            sum[at] = count[at] = 1;
            group[at] = (uint32_t)g;
        }
    for (size_t g = 0; g < names->count; g++) {
        double missing = 0, all = 0;
        base_count here = {0};
        for (size_t k = 0; k < units; k++) {
            if (group[k] != g) continue;
            missing += sum[k];
            all += count[k];
            here.clusters++;
        }
        rates[g] = all > 0 ? missing / all : NAN;
        here.n = here.expected = (size_t)all; /* in a rate the missing ones count */
        out->count.n += here.n;
        out->count.clusters += here.clusters;
        TRY(report_rate(t, v, names->name[g], &here, missing, err));
    }
    TRY(make_plan(&plan, t, arm, extra, false, err));
    omnibus_column column = {sum, count, group, names->count};
    TRY(permute_omnibus(&result, &plan, &column, 1, err));
    out->result = result.range;
    out->spread = missing_rate_spread(rates, names->count);
    out->count.expected = out->count.n;
done:
    return status;
}

static tare_status report_test(study *t, const miss_test *x, tare_error *err)
{
    view *v = &t->view[x->view];
    bool informative = missing_informative(x->q, t->o.alpha, x->spread);
    inference inf = inference_none("");
    inf.estimate = x->spread;
    inf.p = x->result.p;
    inf.p_floor = x->result.p_floor;
    inf.p_method = "permutation";
    reading_spec spec = {.family = "missing", .name = "rate_spread",
                         .condition = x->by_group ? "groups" : "doses", .unit = "share",
                         .margin = NAN, .floor = NAN, .descriptive = true, .count = &x->count,
                         .extra = informative ? "missing_informative" : ""};
    tare_status status = study_add(t, v, v->arm, RD_NONE, &spec, &inf, err);
    if (status != TARE_OK) return status;
    t->out->readings[t->out->reading_count - 1].q = x->q;
    if (informative && x->by_group) v->capped_population = true;
    if (informative && !x->by_group) v->capped = true;
    return TARE_OK;
}

tare_status missing_run(study *t, tare_error *err)
{
    tare_status status = TARE_OK;
    miss_test *tests;
    double *p;
    size_t count = 0;
    TRY_NEW(tests = arena_new(&t->scratch, 2 * t->views + 1, sizeof *tests));
    TRY_NEW(p = study_array(t, 2 * t->views + 1));
    TRY(copy_missing(t, err));
    for (size_t a = 0; a < t->c->arms; a++) {
        const cube_arm *arm = &t->c->arm[a];
        TRY(list_holes(t, arm, arm->attribute, "attribute", err));
        TRY(list_holes(t, arm, arm->artifact, "artifact", err));
    }
    for (size_t k = 0; k < t->views; k++) {
        view *v = &t->view[k];
        TRY(list_incomplete(t, v, err));
        bool scores = v->f.n < v->arm->bases, any = scores || v->arm->excluded > 0;
        if (scores && v->arm->doses > 1) {
            tests[count] = (miss_test){.view = k};
            TRY(test_doses(&tests[count++], t, v, err));
        }
        if (!any || !v->arm->group) continue;
        group_names names;
        TRY(name_groups(&names, t, v->arm, err));
        if (names.count < 2) continue;
        tests[count] = (miss_test){.view = k, .by_group = true};
        TRY(test_groups(&tests[count++], t, v, &names, err));
    }
    for (size_t k = 0; k < count; k++) p[k] = tests[k].result.p;
    if (count) TRY(multiple_adjust(p, NULL, p, count, MULTIPLE_BH, t->m, err));
    for (size_t k = 0; k < count; k++) {
        tests[k].q = p[k];
        TRY(report_test(t, &tests[k], err));
    }
done:
    return status;
}
