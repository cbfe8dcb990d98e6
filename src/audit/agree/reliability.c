/* Krippendorff's alpha and the ICC family, of raters among themselves and with each judge as one
 * more of them (judge audits C.4). */
#include <math.h>
#include <string.h>

#include "audit/agree/agree.h"
#include "base/error.h"

enum { ICCS = 6 };
#define RATIO_VALUES 64 /* (ours) */

static const char *const alpha_names[ALPHA_LEVELS] = {"alpha_nominal", "alpha_ordinal",
                                                      "alpha_interval", "alpha_ratio"};
static const char *const icc_names[ICCS] = {"ICC(1,1)", "ICC(2,1)", "ICC(3,1)",
                                            "ICC(1,k)", "ICC(2,k)", "ICC(3,k)"};

/* Ratings of units by coders, and the clusters of the units. */
typedef struct coding {
    const sample *s;
    double *x;                 /* [s->n][coders] NaN: none */
    size_t coders;
    bool complete, too_large;
    const alpha_rows *alpha;
    size_t single;             /* units with one rating, which alpha drops  */
} coding;

/* ---- under weights of clusters -------------------------------------------------------------- */

static uint32_t *spread(const coding *c, const uint8_t *w, void *scratch)
{
    uint32_t *weight = scratch;
    for (size_t i = 0; i < c->s->n; i++) weight[i] = w ? w[c->s->cluster[i]] : 1;
    return weight;
}

static size_t spread_bytes(const coding *c)
{
    return (c->s->n * sizeof(uint32_t) + 63) / 64 * 64;
}

static void evaluate_alpha(double *values, const uint8_t *w, const void *user, void *scratch)
{
    const coding *c = user;
    alpha_result r;
    alpha_weighted(&r, c->alpha, spread(c, w, scratch), (char *)scratch + spread_bytes(c));
    memcpy(values, r.alpha, sizeof r.alpha);
}

static void evaluate_icc(double *values, const uint8_t *w, const void *user, void *scratch)
{
    const coding *c = user;
    icc_result r;
    icc_weighted(&r, c->x, spread(c, w, scratch), c->s->n, c->coders);
    memcpy(values, r.single, sizeof r.single);
    memcpy(values + 3, r.mean, sizeof r.mean);
}

static void none(inference *out, size_t count, const char *reason)
{
    for (size_t k = 0; k < count; k++) out[k] = inference_none(reason);
}

static bool too_many_for_ratio(const alpha_result *r, const agree *g)
{
    return r->ratio_limited || (r->values > RATIO_VALUES && strcmp(g->o.level, "ratio") != 0);
}

/* Ratio looks at all pairs of values: with many of them only if it was asked for. Labels have no
 * order, hence only the nominal level. */
static tare_status choose_levels(alpha_result *out, alpha_rows *rows, agree *g, tare_error *err)
{
    void *scratch = mem_new(g->m, 1, alpha_scratch_bytes(rows) + 1);
    if (!scratch) return error_memory(err);
    alpha_weighted(out, rows, NULL, scratch);
    mem_free(g->m, scratch);
    if (g->t.label.count)
        alpha_rows_levels(rows, 1u << ALPHA_NOMINAL);
    else if (too_many_for_ratio(out, g))
        alpha_rows_levels(rows, (1u << ALPHA_LEVELS) - 1 - (1u << ALPHA_RATIO));
    return TARE_OK;
}

static tare_status infer_alpha(inference *out, agree *g, coding *c, tare_error *err)
{
    tare_status status = TARE_OK;
    alpha_rows *rows = NULL;
    alpha_result all;
    none(out, ALPHA_LEVELS, REASON_OUT_OF_RANGE);
    if (c->too_large) goto done;
    status = alpha_rows_new(&rows, c->x, c->s->n, c->coders, g->m, err);
    if (status == TARE_E_LIMIT) {
        none(out, ALPHA_LEVELS, REASON_TOO_MANY_VALUES);
        status = TARE_OK;
        goto done;
    }
    if (status) goto done;
    c->alpha = rows;
    TRY(choose_levels(&all, rows, g, err));
    c->single = all.units_single;
    infer_weighted what = {.evaluate = evaluate_alpha, .user = c, .outputs = ALPHA_LEVELS,
                           .scratch_bytes = spread_bytes(c) + alpha_scratch_bytes(rows)};
    TRY(sample_infer(out, g, c->s, what, NULL, err));
    if (too_many_for_ratio(&all, g)) out[ALPHA_RATIO] = inference_none(REASON_TOO_MANY_VALUES);
    for (size_t k = ALPHA_ORDINAL; k < ALPHA_LEVELS && g->t.label.count; k++)
        out[k] = inference_none(REASON_NO_ORDER);
    for (size_t k = 0; k < ALPHA_LEVELS; k++) out[k].n = all.units;
done:
    alpha_rows_free(rows);
    c->alpha = NULL;
    return status;
}

static tare_status infer_icc(inference *out, agree *g, coding *c, tare_error *err)
{
    none(out, ICCS, c->too_large ? REASON_OUT_OF_RANGE : REASON_INCOMPLETE);
    if (c->too_large || !c->complete) return TARE_OK;
    infer_weighted what = {.evaluate = evaluate_icc, .user = c, .outputs = ICCS,
                           .scratch_bytes = spread_bytes(c)};
    return sample_infer(out, g, c->s, what, NULL, err);
}

/* ---- readings ------------------------------------------------------------------------------- */

const char *agree_alpha_name(size_t level)
{
    return alpha_names[level];
}

size_t agree_alpha_level(const agree *g)
{
    static const char *const names[ALPHA_LEVELS] = {"nominal", "ordinal", "interval", "ratio"};
    for (size_t k = 0; k < ALPHA_LEVELS; k++)
        if (strcmp(g->o.level, names[k]) == 0 && !g->t.label.count) return k; /* no order */
    return g->o.labels ? ALPHA_NOMINAL : ALPHA_INTERVAL;
}

typedef struct who {
    const agree_layer *l;
    const char *name, *condition, *reason; /* reason: why not, "" */
    const missing_counts *missing;
} who;

static tare_status enter(agree *g, const who *w, const inference *inf, const char *name,
                         bool detail, tare_error *err)
{
    entry_spec spec = agree_entry(g, w->l, "reliability", w->name, name);
    spec.condition = w->condition;
    spec.descriptive = true;
    spec.detail = detail;
    spec.reason = w->reason;
    spec.missing = w->missing;
    return agree_add(g, &spec, inf, NULL, err);
}

static tare_status report(agree *g, const who *w, coding *c, tare_error *err)
{
    tare_status status = TARE_OK;
    inference alpha[ALPHA_LEVELS], icc[ICCS];
    none(alpha, ALPHA_LEVELS, w->reason);
    none(icc, ICCS, w->reason);
    if (!w->reason[0]) {
        TRY(infer_alpha(alpha, g, c, err));
        TRY(infer_icc(icc, g, c, err));
    }
    missing_counts pairable = *w->missing;
    pairable.used -= c->single;
    pairable.by_reason[TARE_R_MISSING] += c->single;
    who counted = *w;
    counted.missing = &pairable;
    for (size_t k = 0; k < ALPHA_LEVELS; k++)
        TRY(enter(g, &counted, &alpha[k], alpha_names[k], k != agree_alpha_level(g), err));
    for (size_t k = 0; k < ICCS && !g->o.labels; k++)
        TRY(enter(g, w, &icc[k], icc_names[k], k != 1 && k != 4, err));
done:
    return status;
}

/* The coders' table of a sample of units: the raters (else the gold), behind the judge if there is
 * one. */
static tare_status fill(coding *c, agree *g, const agree_layer *l, const agree_view *v,
                        tare_error *err)
{
    tare_status status = TARE_OK;
    size_t people = l->raters ? l->raters : 1, first = v ? 1 : 0;
    c->coders = people + first;
    c->complete = true;
    TRY_NEW(c->x = mem_new(g->m, c->s->n * c->coders + 1, sizeof *c->x));
    for (size_t i = 0; i < c->s->n; i++) {
        size_t unit = c->s->row[i];
        double *row = c->x + i * c->coders;
        if (v) row[0] = score_of_unit(&g->t, l->scores, l->kept[unit])[v->judge];
        for (size_t r = 0; r < people; r++)
            row[first + r] = l->raters ? l->rating[unit * l->raters + r] : l->gold[unit];
        for (size_t k = 0; k < c->coders; k++) {
            if (isnan(row[k])) c->complete = false;
            if (fabs(row[k]) > SCORE_MOST) c->too_large = true;
        }
    }
done:
    return status;
}

static tare_status people_run(agree *g, agree_layer *l, tare_error *err)
{
    tare_status status = TARE_OK;
    sample s = {0};
    coding c = {.s = &s};
    if (!l->raters || l->units == 0) return TARE_OK;
    missing_counts all = agree_missing(g, l, (unit_list){l->kept, l->units}, NULL, 0);
    who w = {l, "people", "raters", l->raters < 2 ? REASON_ONE_RATER : "", &all};
    TRY(sample_make(&s, l, &(row_set){l->kept_cluster, NULL, l->units}, g->a, err));
    TRY(fill(&c, g, l, NULL, err));
    TRY(report(g, &w, &c, err));
done:
    mem_free(g->m, c.x);
    return status;
}

static tare_status judge_run(agree *g, agree_view *v, tare_error *err)
{
    tare_status status = TARE_OK;
    const agree_layer *l = v->layer;
    coding c = {.s = &v->u};
    const char *reason = !v->u.set         ? REASON_NO_SCORES
                         : !v->same_scale ? REASON_OTHER_SCALE
                                          : "";
    who w = {l, v->name, l->raters ? "judge and raters" : "judge and gold", reason,
             &v->missing_units};
    if (!reason[0]) TRY(fill(&c, g, l, v, err));
    TRY(report(g, &w, &c, err));
done:
    mem_free(g->m, c.x);
    return status;
}

tare_status agree_reliability_run(agree *g, tare_error *err)
{
    tare_status status = TARE_OK;
    for (size_t k = 0; k < g->layers; k++) TRY(people_run(g, &g->layer[k], err));
    for (size_t k = 0; k < g->views; k++) {
        TRY(context_check(g->context, err));
        TRY(judge_run(g, &g->view[k], err));
    }
done:
    return status;
}
