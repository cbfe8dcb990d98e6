/* Robustness against the seed (scorer audit 7): the same readings under other draws. Nothing is
 * fitted again: a seed costs its draws and one product for each base set. */
#include <math.h>
#include <string.h>

#include "audit/scorer/base_drift.h"
#include "audit/scorer/regression.h"
#include "base/error.h"
#include "stats/moments.h"
#include "stats/verdict.h"

/* Draws of one base set that are kept for its other readings. */
#define DRAWS_BYTES_MAX ((size_t)512 << 20)

enum { SEED_FI, SEED_A, SEED_DOSE, SEED_ATTRIBUTE, SEED_BETA, SEED_READINGS };
static const struct { reading_id id; const char *name; bool drift; } repeated[SEED_READINGS] = {
    {RD_FI, "FI", false}, {RD_A, "A", false}, {RD_DRIFT_DOSE, "net_drift_dose", true},
    {RD_DRIFT, "net_drift", true}, {RD_BETA, "beta", false}};

typedef struct seed_value {
    double estimate, p;
} seed_value;

typedef struct seed_check {
    study *t;
    size_t seeds;
    seed_value *value; /* [views][SEED_READINGS][seeds] */
    /* of the seed and the base set at hand */
    size_t at;
    infer_draws *draws;
    infer_plan drawn;
} seed_check;

static seed_value *value_at(const seed_check *x, const view *v, size_t reading, size_t seed)
{
    size_t k = (size_t)(v - x->t->view) * SEED_READINGS + reading;
    return &x->value[k * x->seeds + seed];
}

static bool is_answered(const study *t, const view *v, size_t reading)
{
    const judged *j = arm_main(v->arm) ? study_get(t, v, repeated[reading].id) : NULL;
    return j && study_reading(t, j)->reason[0] == '\0' && !isnan(study_reading(t, j)->p);
}

/* Does the estimate itself draw? All others are exact: only their p draws. */
static bool is_sampled(const study *t, size_t reading)
{
    return repeated[reading].drift && t->o.bon_draws > 0;
}

static bool same_set(const infer_plan *x, const infer_plan *y)
{
    bool same = x->clusters == y->clusters && !strcmp(x->analysis, y->analysis);
    for (size_t k = 0; same && k < x->clusters; k++) same = !strcmp(x->ids[k], y->ids[k]);
    return same;
}

/* The frame under the draws of the seed at hand, made once for the scorers of one base set. */
static tare_status reseed(frame *out, seed_check *x, const frame *f, tare_error *err)
{
    tare_status status = TARE_OK;
    *out = *f;
    out->plan.seed = x->t->o.seed + x->at;
    out->plan.draws = NULL;
    if (f->plan.clusters == 0 || f->plan.clusters > DRAWS_BYTES_MAX / f->plan.boot_b) goto done;
    if (!x->draws || !same_set(&x->drawn, &out->plan)) {
        infer_draws_free(x->draws);
        x->draws = NULL;
        TRY(f->plan.clusters < INFER_CLUSTERS_BOOT
                ? infer_plan_prepare(&x->draws, &out->plan, err)
                : infer_plan_prepare_weights(&x->draws, &out->plan, err));
        x->drawn = out->plan;
    }
    out->plan.draws = x->draws;
done:
    return status;
}

static double ratio_of(const double *total, size_t p, const void *user)
{
    (void)p;
    (void)user;
    return total[1] > 0 ? total[0] / total[1] : NAN;
}

/* One mean per base: its p under other draws. */
static tare_status repeat_mean(inference *out, seed_check *x, const frame *f, const double *column,
                               tare_error *err)
{
    tare_status status = TARE_OK;
    double *rows;
    if (f->plan.clusters < INFER_CLUSTERS_BOOT) return study_means(out, x->t, f, &column, 1, err);
    TRY_NEW(rows = brief_array(x->t, 2 * f->bases));
    for (size_t i = 0; i < f->bases; i++) {
        rows[2 * i] = column[i];
        rows[2 * i + 1] = 1;
    }
    infer_smooth mean = {.g = ratio_of};
    TRY(study_totals(out, x->t, f, (base_rows){rows, 2}, &mean, 1, err));
done:
    return status;
}

/* Net drifts of a base set under subsets that are drawn with the seed at hand. */
static tare_status draw_again(double **out, seed_check *x, const view *v, bool attribute,
                              tare_error *err)
{
    tare_status status = TARE_OK;
    const cube_arm *arm = v->arm;
    const double *before = attribute ? v->net_attribute : v->net_dose;
    drift_rule rule;
    drift_set set;
    TRY(drift_rule_make(&rule, x->t, arm, err));
    rule.count = 0;
    rule.stream = rng_key_of(x->t->o.seed + x->at, "scorer/bestofn");
    TRY(drift_set_make(&set, x->t, &rule, arm->bases, err));
    for (size_t i = 0; i < arm->bases; i++)
        if (!isnan(before[i]))
            TRY(drift_of_base(&set, i, v, attribute ? arm->attribute + i * arm->doses : arm->dose,
                              &rule, err));
    *out = set.tested.net;
done:
    return status;
}

static tare_status repeat_view(seed_check *x, const view *v, tare_error *err)
{
    tare_status status = TARE_OK;
    const double *columns[SEED_BETA] = {v->tested.fi, v->tested.a, v->net_dose, v->net_attribute};
    frame f;
    inference inf;
    for (size_t r = 0; r < SEED_READINGS; r++) {
        if (!is_answered(x->t, v, r)) continue;
        seed_value *value = value_at(x, v, r, x->at);
        if (r == SEED_BETA) {
            TRY(reseed(&f, x, &v->beta_sums->f, err));
            TRY(design_again(&inf, v->beta_sums, &f.plan, err));
            inf.estimate = value_at(x, v, r, 0)->estimate;
        } else {
            const double *column = columns[r];
            double *drawn;
            bool sampled = is_sampled(x->t, r);
            if (sampled) {
                TRY(draw_again(&drawn, x, v, r == SEED_ATTRIBUTE, err));
                column = drawn;
            }
            TRY(reseed(&f, x, &v->f, err));
            TRY(repeat_mean(&inf, x, &f, column, err));
            /* An estimate without draws of its own is the same one, to the bit. */
            if (!sampled) inf.estimate = value_at(x, v, r, 0)->estimate;
        }
        *value = (seed_value){inf.estimate, inf.p};
        arena_free(&x->t->brief);
    }
done:
    return status;
}

static int sign_of(double x)
{
    return (x > 0) - (x < 0);
}

/* Of equal values exactly 0: their mean may round. */
static double spread_of(const double *x, size_t n)
{
    bool equal = true;
    for (size_t k = 1; k < n; k++) equal = equal && x[k] == x[0];
    return equal ? 0 : moments_sd(x, n, 1);
}

static tare_status report(seed_check *x, view *v, size_t reading, tare_error *err)
{
    tare_status status = TARE_OK;
    study *t = x->t;
    const tare_reading r = *study_reading(t, study_get(t, v, repeated[reading].id));
    double *estimate, *p, same = 0, significant = 0;
    TRY_NEW(estimate = study_array(t, x->seeds));
    TRY_NEW(p = study_array(t, x->seeds));
    for (size_t k = 0; k < x->seeds; k++) {
        const seed_value *value = value_at(x, v, reading, k);
        estimate[k] = value->estimate;
        p[k] = value->p;
        same += sign_of(value->estimate) == sign_of(r.estimate);
        significant += value->p <= t->o.alpha;
    }
    bool stable = same == (double)x->seeds;
    /* A null, and no neutrality (scorer audit 7). Of an estimate that no seed can move the sign is
     * always the same, which says nothing (ours). */
    bool weak = stable && significant == 0 && r.estimate != 0 && is_sampled(t, reading);
    bool torn = significant > 0 && significant < (double)x->seeds;
    const struct { const char *what, *unit, *mark; double value; } rows[] = {
        {"same_sign", "share",
         !stable ? "fail"
         : weak  ? "pass, direction stable but underpowered"
         : torn  ? "pass, p lies on both sides of alpha by the seed"
                 : "pass",
         same / (double)x->seeds},
        {"significant", "share", "", significant / (double)x->seeds},
        {"sd", r.unit, "", spread_of(estimate, x->seeds)},
        {"sd_of_p", "p", "", spread_of(p, x->seeds)}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        const char *name;
        TRY_NEW(name = arena_printf(&t->out->a, "%s_%s", repeated[reading].name, rows[k].what));
        reading_spec spec = {.family = "robust", .name = name, .condition = "seeds",
                             .unit = rows[k].unit, .extra = rows[k].mark};
        TRY(study_number(t, v, v->arm, &spec, rows[k].value, err));
    }
done:
    return status;
}

tare_status robust_seeds_run(study *t, tare_error *err)
{
    tare_status status = TARE_OK;
    seed_check x = {.t = t, .seeds = t->o.seeds};
    if (x.seeds < 2) return TARE_OK;
    size_t values = t->views * SEED_READINGS * x.seeds;
    TRY_NEW(x.value = arena_new(&t->scratch, values + 1, sizeof *x.value));
    for (size_t k = 0; k < t->views; k++)
        for (size_t r = 0; r < SEED_READINGS; r++) {
            if (!is_answered(t, &t->view[k], r)) continue;
            const tare_reading *own = study_reading(t, study_get(t, &t->view[k], repeated[r].id));
            *value_at(&x, &t->view[k], r, 0) = (seed_value){own->estimate, own->p};
        }
    for (x.at = 1; x.at < x.seeds; x.at++) {
        for (size_t k = 0; k < t->views; k++) {
            TRY(context_check(t->context, err));
            TRY(repeat_view(&x, &t->view[k], err));
        }
        infer_draws_free(x.draws);
        x.draws = NULL;
    }
    for (size_t k = 0; k < t->views; k++)
        for (size_t r = 0; r < SEED_READINGS; r++)
            if (is_answered(t, &t->view[k], r)) TRY(report(&x, &t->view[k], r, err));
done:
    infer_draws_free(x.draws);
    return status;
}
