/* Rows from stated values: two straight sides, noise, rounding; what a base of it contributes. */
#include <math.h>
#include <string.h>

#include "audit/power/power_study.h"
#include "audit/scorer/pool_weights.h"
#include "base/error.h"
#include "stats/moments.h"
#include "stats/special.h"

/* The drift is no sum of scores: its mean and SD come from this many clusters of two bases. */
#define DRIFT_CLUSTERS 10000

typedef struct levels {
    double below, above;            /* mean |dose - neutral| of the doses that enter a side */
    double count_below, count_above;
} levels;

static levels levels_of(const stated_model *x)
{
    levels l = {0, 0, 0, 0};
    double d0 = x->dose[x->neutral];
    for (size_t d = 0; d < x->doses; d++) {
        bool in = !x->extreme || d == 0 || d == x->doses - 1;
        if (d == x->neutral || !in) continue;
        if (d < x->neutral) l.below += d0 - x->dose[d];
        else l.above += x->dose[d] - d0;
        *(d < x->neutral ? &l.count_below : &l.count_above) += 1;
    }
    if (l.count_below > 0) l.below /= l.count_below;
    if (l.count_above > 0) l.above /= l.count_above;
    return l;
}

double stated_noise_factor(const stated_model *x, power_id id)
{
    levels l = levels_of(x);
    double below = l.count_below, above = l.count_above;
    bool two = below > 0 && above > 0;
    switch (id) {
    case POWER_N: return below > 0 ? 1 + 1 / below : NAN;
    case POWER_P: return above > 0 ? 1 + 1 / above : NAN;
    case POWER_FI:
        return two ? 1 + (1 / below + 1 / above) / 4 : 1 + 1 / (below + above);
    case POWER_A: return two ? 1 / below + 1 / above : NAN;
    default: return NAN;
    }
}

/* ---- draws ---------------------------------------------------------------------------------- */

static double normal(rng_stream *s)
{
    return norm_quantile(rng_uniform_open(s));
}

/* Depths of the two sides of one base, about the means. */
static side_means draw_sides(const stated_model *x, side_means truth, rng_stream *base,
                             rng_stream *cluster)
{
    double shared = sqrt(x->icc), own = sqrt(1 - x->icc);
    double fi = x->sd_base * (shared * normal(cluster) + own * normal(base));
    double a = x->sd_base * (shared * normal(cluster) + own * normal(base));
    bool two = x->neutral > 0 && x->neutral + 1 < x->doses;
    if (!two) return (side_means){truth.n - fi, truth.p - fi};
    return (side_means){truth.n - fi - a / 2, truth.p - fi + a / 2};
}

static void draw_scores(double *s, const stated_model *x, side_means side, rng_stream *base)
{
    levels l = levels_of(x);
    double d0 = x->dose[x->neutral];
    double level = x->sd0 > 0 ? x->sd0 * normal(base) : 0;
    level += x->quantum * rng_uniform(base);
    for (size_t d = 0; d < x->doses; d++) {
        double curve = d < x->neutral   ? side.n * (d0 - x->dose[d]) / l.below
                       : d > x->neutral ? side.p * (x->dose[d] - d0) / l.above
                                        : 0;
        s[d] = level + curve + x->sd_noise * normal(base);
        if (x->quantum > 0) s[d] = x->quantum * rint(s[d] / x->quantum);
    }
}

static double reading_at(power_id id, side_means s, const stated_model *x)
{
    bool below = x->neutral > 0, above = x->neutral + 1 < x->doses;
    switch (id) {
    case POWER_N: return s.n;
    case POWER_P: return s.p;
    case POWER_FI: return below && above ? -(s.n + s.p) / 2 : below ? -s.n : -s.p;
    default: return s.p - s.n;
    }
}

static double side_of(const double *s, const stated_model *x, bool below)
{
    neumaier sum = {0, 0};
    size_t first = below ? 0 : x->extreme ? x->doses - 1 : x->neutral + 1;
    size_t last = below ? (x->extreme ? 1 : x->neutral) : x->doses;
    for (size_t d = first; d < last; d++) neumaier_add(&sum, s[d] - s[x->neutral]);
    return neumaier_total(&sum) / (double)(last - first);
}

static tare_status draw_drift(double *out, const stated_model *x, const double *s,
                              tare_error *err)
{
    double w[POOL_WEIGHTS_MAX], ties;
    pool_weights rule = {.n = x->bon_n};
    tare_status status = pool_weights_exact(w, &ties, &rule, s, x->doses, err);
    if (status) return status;
    *out = moments_dot(w, x->dose, x->doses) - moments_mean(x->dose, x->doses);
    return TARE_OK;
}

tare_status stated_draw(double *out, const stated_model *x, model_draw what, model_base which,
                        tare_error *err)
{
    double s[POOL_WEIGHTS_MAX];
    rng_stream base, cluster;
    rng_start(&base, x->base_key, which.replicate, which.base);
    rng_start(&cluster, x->cluster_key, which.replicate, which.cluster);
    draw_scores(s, x, draw_sides(x, what.truth, &base, &cluster), &base);
    if (what.id == POWER_DRIFT_DOSE) return draw_drift(out, x, s, err);
    side_means sides = {x->neutral > 0 ? side_of(s, x, true) : NAN,
                        x->neutral + 1 < x->doses ? side_of(s, x, false) : NAN};
    *out = reading_at(what.id, sides, x);
    return TARE_OK;
}

/* ---- rows ----------------------------------------------------------------------------------- */

/* Mean and spread of the drift, by drawing bases of the model. */
static tare_status drift_spread(double *mean, power_spread *out, power_study *p, side_means truth,
                                tare_error *err)
{
    tare_status status = TARE_OK;
    const mem *m = &p->context->mem;
    size_t n = 2 * DRIFT_CLUSTERS;
    power_row counts;
    double *x = NULL;
    uint32_t *cluster = NULL;
    TRY_NEW(x = mem_new(m, n, sizeof *x));
    TRY_NEW(cluster = mem_new(m, n, sizeof *cluster));
    for (size_t i = 0; i < n; i++) {
        cluster[i] = (uint32_t)(i / 2);
        TRY(stated_draw(&x[i], p->model, (model_draw){POWER_DRIFT_DOSE, truth},
                        (model_base){UINT32_MAX, i, i / 2}, err));
    }
    *mean = moments_mean(x, n);
    TRY(power_spread_of(out, &counts, &(spread_rows){x, cluster, n, DRIFT_CLUSTERS}, m, err));
    out->df = NAN; /* of the model, not of a pilot */
done:
    mem_free(m, x);
    mem_free(m, cluster);
    return status;
}

/* The sides that give a reading of size 1, and no other of FI and A. */
static side_means sides_for(power_id id, bool two)
{
    switch (id) {
    case POWER_N: return (side_means){1, 0};
    case POWER_P: return (side_means){0, 1};
    case POWER_FI: return (side_means){-1, -1};
    default: return two ? (side_means){-0.5, 0.5} : (side_means){-1, -1};
    }
}

/* --slope and --fidelity: the score moves by slope per dose and falls by fidelity per |dose|. */
static side_means sides_of_slopes(const power_options *o, const stated_model *x)
{
    levels l = levels_of(x);
    double slope = isnan(o->slope) ? 0 : o->slope;
    double fidelity = isnan(o->fidelity) ? 0 : o->fidelity;
    return (side_means){-(slope + fidelity) * l.below, (slope - fidelity) * l.above};
}

static bool by_slopes(const power_options *o)
{
    return !isnan(o->slope) || !isnan(o->fidelity);
}

static double score_margin(const power_study *p)
{
    double margin = p->o.margin_sd * p->model->sd0;
    return margin > 0 ? margin : NAN;
}

static double stated_effect(const power_study *p, power_id id, double margin)
{
    const effect_list *e = &p->o.effect;
    double x = isnan(e->of[id]) ? e->all : e->of[id];
    return isnan(x) ? margin : x * (e->in_sd0 ? p->model->sd0 : 1);
}

static void side_row(power_study *p, power_row *r)
{
    const stated_model *x = p->model;
    bool two = x->neutral > 0 && x->neutral + 1 < x->doses;
    double factor = two && r->id <= POWER_P ? 1.25 : 1;
    double of_base = factor * x->sd_base * x->sd_base;
    double noise = x->sd_noise * x->sd_noise + x->quantum * x->quantum / 12;
    double total = of_base + stated_noise_factor(x, r->id) * noise;
    r->unit = "score";
    r->condition = x->extreme ? "extreme doses" : "all doses";
    r->margin = score_margin(p);
    r->spread = (power_spread){.sd = sqrt(total), .icc = x->icc * of_base / total, .df = NAN};
    r->spread_null = r->spread;
    r->by_model = true;
    if (by_slopes(&p->o)) {
        r->truth = sides_of_slopes(&p->o, x);
        r->effect = reading_at(r->id, r->truth, x);
        r->effect_stated = true;
    } else {
        r->effect = stated_effect(p, r->id, r->margin);
        side_means one = sides_for(r->id, two);
        r->truth = (side_means){one.n * r->effect, one.p * r->effect};
    }
}

/* The drift that goes with the slopes, or with A of the stated size (FI where there is no A). */
static tare_status drift_row(power_study *p, power_row *r, tare_error *err)
{
    tare_status status = TARE_OK;
    const stated_model *x = p->model;
    bool two = x->neutral > 0 && x->neutral + 1 < x->doses;
    power_id with = two ? POWER_A : POWER_FI;
    double of_score = stated_effect(p, with, score_margin(p)), mean;
    r->unit = r->condition = "dose";
    double range = x->dose[x->doses - 1] - x->dose[0];
    /* As an audit takes it for doses of no known unit. */
    r->margin = isnan(p->o.margin_drift_dose) ? 0.1 * (two ? range / 2 : range)
                                              : p->o.margin_drift_dose;
    r->by_model = true;
    side_means one = sides_for(with, two);
    r->truth = by_slopes(&p->o) ? sides_of_slopes(&p->o, x)
                                : (side_means){one.n * of_score, one.p * of_score};
    TRY(drift_spread(&mean, &r->spread_null, p, (side_means){0, 0}, err));
    if (isnan(r->truth.n)) { /* nothing said of scores: the margin of the drift itself */
        r->by_model = false;
        r->spread = r->spread_null;
        goto done;
    }
    TRY(drift_spread(&mean, &r->spread, p, r->truth, err));
    r->effect = mean;
    r->effect_stated = by_slopes(&p->o) || !isnan(p->o.effect.all) || !isnan(p->o.effect.of[with]);
done:
    return status;
}

tare_status power_stated_rows(power_study *p, tare_error *err)
{
    tare_status status = TARE_OK;
    static const power_id ids[] = {POWER_N, POWER_P, POWER_FI, POWER_A, POWER_DRIFT_DOSE};
    const stated_model *x = p->model;
    for (size_t k = 0; k < sizeof ids / sizeof *ids; k++) {
        bool drift = ids[k] == POWER_DRIFT_DOSE;
        power_row *r;
        if (!drift && isnan(stated_noise_factor(x, ids[k]))) continue;
        if (drift && x->bon_n > x->doses) {
            TRY(result_caution(p->out, err, "The grid has %zu doses: best of %zu cannot be drawn "
                               "from them, and the net drift is left out. --bon-n states a "
                               "smaller n.",
                               x->doses, x->bon_n));
            continue;
        }
        TRY_NEW(r = power_row_add(p, ids[k]));
        r->instrument = "stated";
        r->sd0 = x->sd0 > 0 ? x->sd0 : NAN;
        r->arm = "stated";
        if (!drift) side_row(p, r);
        else TRY(drift_row(p, r, err));
    }
done:
    return status;
}
