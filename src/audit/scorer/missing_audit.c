/* What is missing, by reason, and whether missing has to do with the dose or the group
 * (statistics 13; scorer audit 9). */
#include <math.h>
#include <string.h>

#include "audit/scorer/base_count.h"
#include "audit/scorer/group_rates.h"
#include "audit/scorer/study.h"
#include "base/error.h"
#include "stats/missing.h"
#include "stats/multiple.h"
#include "stats/permute.h"

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

static tare_status report_rate(study *t, view *v, const char *condition, const base_count *count,
                               double missing, tare_error *err)
{
    inference inf = group_rate(missing, (double)count->n, t->o.alpha);
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
    TRY(missing_plan(&plan, t, arm, 0, true, err));
    TRY(permute_conditions(&out->result, &plan, flags, arm->doses, err));
    out->spread = missing_rate_spread(rates, arm->doses);
done:
    return status;
}

/* Bases of the arm that this scorer lacks, by group: those that every scorer lacks among them. */
static tare_status test_groups(miss_test *out, study *t, view *v, tare_error *err)
{
    tare_status status = TARE_OK;
    group_rates g;
    TRY(group_rates_test(&g, t, v->arm, v->f.used, err));
    for (size_t k = 0; k < g.groups; k++)
        TRY(report_rate(t, v, g.name[k], &g.count[k], g.missing[k], err));
    out->result = g.test;
    out->spread = g.spread;
    out->count = g.all;
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
        tests[count] = (miss_test){.view = k, .by_group = true};
        if (group_rates_known(t, v->arm) < 2) continue;
        TRY(test_groups(&tests[count++], t, v, err));
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
