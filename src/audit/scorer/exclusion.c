#include "audit/scorer/exclusion.h"

#include <math.h>
#include <string.h>

#include "audit/scorer/base_count.h"
#include "audit/scorer/group_rates.h"
#include "audit/words.h"
#include "base/error.h"
#include "base/text.h"
#include "stats/verdict.h"

/* Why most of the excluded bases of the arm are out. */
static tare_reason main_reason(const study *t, const cube_arm *arm)
{
    size_t count[TARE_REASON_COUNT] = {0}, best = 0;
    for (size_t i = 0; i < t->c->missing_count; i++) {
        const result_missing *x = &t->c->missing[i];
        if (excluded_from(x, arm)) count[x->reason] += x->count;
    }
    for (size_t k = 1; k < TARE_REASON_COUNT; k++)
        if (count[k] > count[best]) best = k;
    return (tare_reason)best;
}

/* "the mask loses people: g2 12 of 30 (40 %), g1 0 of 30 (0 %); mostly no_skin" */
static tare_status name_rates(const char **out, study *t, const cube_arm *arm,
                              const group_rates *g, tare_error *err)
{
    tare_status status = TARE_OK;
    tare_reason why = main_reason(t, arm);
    bool mask = why == TARE_R_NO_SKIN || why == TARE_R_NO_SILHOUETTE, first = true;
    text list;
    text_init(&list, t->m);
    text_add(&list, mask ? "the mask loses people: " : "exclusion depends on the group: ");
    for (size_t k = 0; k < g->groups; k++) {
        if (!g->name[k][0] || g->count[k].n == 0) continue;
        text_add_format(&list, "%s%s %.0f of %zu (%.0f %%)", first ? "" : ", ", g->name[k],
                        g->missing[k], g->count[k].n, 100 * g->rate[k]);
        first = false;
    }
    text_add_format(&list, "; mostly %s", tare_reason_name(why));
    if (list.failed) FAIL_MEMORY(err);
    TRY_NEW(*out = arena_copy(&t->out->a, list.data));
done:
    text_free(&list);
    return status;
}

static tare_status report_rates(study *t, const cube_arm *arm, const group_rates *g,
                                tare_error *err)
{
    tare_status status = TARE_OK;
    for (size_t k = 0; k < g->groups; k++) {
        if (!g->name[k][0]) continue;
        inference inf = group_rate(g->missing[k], (double)g->count[k].n, t->o.alpha);
        reading_spec spec = {.family = "missing", .name = "exclusion_rate",
                             .condition = g->name[k], .unit = "share", .margin = NAN,
                             .floor = NAN, .descriptive = true, .count = &g->count[k]};
        TRY(study_add(t, NULL, arm, RD_NONE, &spec, &inf, err));
    }
done:
    return status;
}

static tare_status test_arm(study *t, size_t index, tare_error *err)
{
    tare_status status = TARE_OK;
    const cube_arm *arm = &t->c->arm[index];
    struct exclusion *x = &t->exclusion[index];
    group_rates g;
    TRY(group_rates_test(&g, t, arm, NULL, err));
    TRY(report_rates(t, arm, &g, err));
    inference inf = inference_none(isnan(g.test.p) ? REASON_DEGENERATE : "");
    inf.estimate = g.spread;
    inf.p = g.test.p;
    inf.p_floor = g.test.p_floor;
    inf.p_method = g.test.exact ? "exact label permutation" : "label permutation";
    x->informative = g.test.p <= t->o.alpha;
    reading_spec spec = {.family = "missing", .name = "exclusion_spread", .condition = "groups",
                         .unit = "share", .margin = NAN, .floor = NAN, .count = &g.all,
                         .extra = x->informative ? "missing_informative" : ""};
    x->judged = t->judged_count;
    TRY(study_add(t, NULL, arm, RD_NONE, &spec, &inf, err));
    TRY(name_rates(&x->words, t, arm, &g, err));
    for (size_t k = 0; k < t->c->scorers; k++)
        if (x->informative) t->view[index * t->c->scorers + k].capped_population = true;
done:
    return status;
}

tare_status exclusion_run(study *t, tare_error *err)
{
    tare_status status = TARE_OK;
    for (size_t a = 0; a < t->c->arms; a++) {
        const cube_arm *arm = &t->c->arm[a];
        t->exclusion[a].judged = SIZE_MAX;
        if (!arm_has_population(arm) || arm->excluded == 0) continue;
        if (group_rates_known(t, arm) >= 2) TRY(test_arm(t, a, err));
    }
done:
    return status;
}

tare_status exclusion_words(study *t, tare_error *err)
{
    (void)err;
    for (size_t a = 0; a < t->c->arms; a++) {
        const struct exclusion *x = &t->exclusion[a];
        if (x->informative) t->out->readings[t->judged[x->judged].reading].words = x->words;
    }
    return TARE_OK;
}

tare_status exclusion_answer(study *t, size_t arm, tare_error *err)
{
    const struct exclusion *x = &t->exclusion[arm];
    if (!x->informative) return TARE_OK;
    const tare_reading *r = study_reading(t, &t->judged[x->judged]);
    const char *p = p_text(&t->out->a, "p", r->p, r->p_floor);
    if (!p) return error_memory(err);
    return result_answer(t->out, err, "%s: %s (%s).", t->c->arm[arm].name, x->words, p);
}

tare_status exclusion_caution(study *t, size_t arm, tare_error *err)
{
    if (!t->exclusion[arm].informative) return TARE_OK;
    return result_caution(t->out, err,
                          "%s: exclusion depends on the group; verdicts on groups are inconclusive "
                          "at most.", t->c->arm[arm].name);
}
