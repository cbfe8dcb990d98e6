#include "audit/scorer/base_drift.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "stats/moments.h"

tare_status drift_rule_make(drift_rule *out, study *t, const cube_arm *arm, tare_error *err)
{
    tare_status status = TARE_OK;
    double key[POOL_WEIGHTS_MAX];
    size_t m = arm->doses;
    *out = (drift_rule){.rule = {.n = t->o.bon_n, .replace = t->o.bon_replace,
                                 .first = strcmp(t->o.bon_ties, "first") == 0,
                                 .draws = t->o.bon_draws},
                        .stream = rng_key_of(t->o.seed, "scorer/bestofn"), .m = m,
                        .random_pick = t->o.paper && t->o.bon_draws > 0,
                        .count = m < DRIFT_LOWEST ? 0 : m - DRIFT_LOWEST + 1,
                        .tests = t->o.bon_n <= m || t->o.bon_replace};
    TRY_NEW(out->ranks = study_array(t, out->count * m));
    TRY_NEW(out->tested = study_array(t, m));
    if (out->tests) TRY(pool_ranks(out->tested, &out->rule, m, err));
    for (size_t k = 0; k < out->count; k++) {
        pool_weights rule = out->rule;
        rule.n = DRIFT_LOWEST + k;
        TRY(pool_ranks(out->ranks + k * m, &rule, m, err));
    }
    for (size_t d = 0; d < m; d++) key[d] = -fabs(arm->dose[d] - arm->dose[arm->neutral]);
    TRY(pool_order_of(&out->neutral, key, m, err));
done:
    return status;
}

static tare_status new_column(drift_column *x, study *t, size_t n, tare_error *err)
{
    tare_status status = TARE_OK;
    TRY_NEW(x->net = brief_array(t, n));
    TRY_NEW(x->saturation = brief_array(t, n));
    TRY_NEW(x->reference = brief_array(t, n));
    TRY_NEW(x->ties = brief_array(t, n));
    TRY_NEW(x->variance = brief_array(t, n));
done:
    return status;
}

tare_status drift_set_make(drift_set *out, study *t, const drift_rule *rule, size_t bases,
                           tare_error *err)
{
    tare_status status = TARE_OK;
    out->count = rule->count;
    TRY_NEW(out->random = brief_array(t, bases));
    TRY_NEW(out->argmax = brief_array(t, bases));
    TRY_NEW(out->baseline = brief_array(t, bases));
    TRY(new_column(&out->tested, t, bases, err));
    TRY_NEW(out->at = arena_new(&t->brief, rule->count + 1, sizeof *out->at));
    for (size_t k = 0; k < rule->count; k++) TRY(new_column(&out->at[k], t, bases, err));
done:
    return status;
}

static double weighted(const double *w, const double *a, size_t m)
{
    neumaier sum = {0, 0};
    for (size_t d = 0; d < m; d++) neumaier_add(&sum, w[d] * a[d]);
    return neumaier_total(&sum);
}

/* One base: its values and how the variants rank by score and by the value itself. */
typedef struct pool_of_base {
    const double *a;
    size_t i, m;
    double mean, cross, neutral_value;
    double scale; /* of the rounding in differences of weighted values */
    const pool_order *neutral;
    pool_order up, down;
} pool_of_base;

/* Fill `c` from the weights w of the scores' ranks, net of the drift `baseline`; uses w as its
 * scratch. */
static void fill_column(drift_column *c, double *w, const double *ranks, double baseline,
                        const pool_of_base *p)
{
    size_t m = p->m, i = p->i;
    double equal = 1 / (double)m;
    c->net[i] = snap_zero(weighted(w, p->a, m) - p->neutral_value - baseline, p->scale);
    neumaier spread = {0, 0};
    for (size_t d = 0; d < m; d++) {
        double more = snap_zero(w[d] - equal, equal); /* all tied: none is favoured */
        neumaier_add(&spread, more * more);
    }
    c->variance[i] = neumaier_total(&spread) * p->cross / (double)(m - 1);
    pool_spread(w, ranks, c->net[i] < 0 ? &p->down : &p->up, false);
    c->saturation[i] = snap_zero(fabs(weighted(w, p->a, m) - p->mean), p->scale);
    pool_spread(w, ranks, p->neutral, false);
    c->reference[i] = snap_zero(weighted(w, p->a, m) - p->mean, p->scale);
}

static pool_of_base pool_make(const double *a, size_t i, size_t neutral, const drift_rule *rule)
{
    size_t m = rule->m;
    double most = 0;
    for (size_t d = 0; d < m; d++) most = fmax(most, fabs(a[d]));
    pool_of_base p = {.a = a, .i = i, .m = m, .mean = moments_mean(a, m),
                      .cross = moments_cross(a, a, m), .neutral_value = a[neutral],
                      .scale = 2 * most, .neutral = &rule->neutral};
    if (snap_zero(sqrt(p.cross), p.scale) == 0) p.cross = 0; /* a constant */
    return p;
}

/* The drift of the tested n, which may come from draws. */
static tare_status tested_drift(drift_set *out, size_t i, const view *v, const drift_rule *rule,
                                const pool_order *scores, const pool_of_base *p, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t m = rule->m;
    const double *a = p->a;
    double w[POOL_WEIGHTS_MAX], pick[POOL_WEIGHTS_MAX], random = p->mean - p->neutral_value;
    pool_stream stream = {rule->stream, v->arm->base[i]};
    if (rule->rule.draws)
        TRY(pool_weights_sampled(w, &rule->rule, v->scores->s + i * m, m, stream, err));
    else
        out->tested.ties[i] = pool_spread(w, rule->tested, scores, rule->rule.first);
    out->argmax[i] = snap_zero(weighted(w, a, m) - p->neutral_value, p->scale);
    if (rule->random_pick) {
        TRY(pool_weights_random(pick, &rule->rule, m, stream, err));
        random = weighted(pick, a, m) - p->neutral_value;
    }
    out->baseline[i] = snap_zero(random, p->scale);
    fill_column(&out->tested, w, rule->tested, random, p);
done:
    return status;
}

tare_status drift_of_base(drift_set *out, size_t i, const view *v, const double *a,
                          const drift_rule *rule, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t m = rule->m;
    double w[POOL_WEIGHTS_MAX], turned[POOL_WEIGHTS_MAX];
    pool_order scores;
    pool_of_base p = pool_make(a, i, v->arm->neutral, rule);
    double random = p.mean - p.neutral_value;
    for (size_t d = 0; d < m; d++) turned[d] = -a[d];
    TRY(pool_order_of(&scores, v->scores->s + i * m, m, err));
    TRY(pool_order_of(&p.up, a, m, err));
    TRY(pool_order_of(&p.down, turned, m, err));
    out->random[i] = snap_zero(random, p.scale);
    if (rule->tests) TRY(tested_drift(out, i, v, rule, &scores, &p, err));
    for (size_t k = 0; k < rule->count; k++) {
        out->at[k].ties[i] = pool_spread(w, rule->ranks + k * m, &scores, rule->rule.first);
        fill_column(&out->at[k], w, rule->ranks + k * m, random, &p);
    }
done:
    return status;
}
