/* infer_conclude.c - which interval and p lead, and what is said when there is none. */
#include <math.h>
#include <string.h>

#include "stats/infer_case.h"
#include "stats/interval.h"
#include "stats/moments.h"
#include "stats/special.h"
#include "stats/verdict.h"

size_t infer_scratch(const infer_plan *plan)
{
    return plan->boot_b > plan->clusters ? plan->boot_b : plan->clusters;
}

interval_ends infer_ends(const infer_plan *plan)
{
    return interval_ends_of(plan->boot_b, plan->alpha);
}

infer_shape infer_shape_of(const double *influence, size_t m)
{
    infer_shape s = {0, 0, 0, 0, 0, true};
    neumaier sum = {0, 0}, absolute = {0, 0}, square = {0, 0}, cube = {0, 0};
    double first = NAN;
    for (size_t c = 0; c < m; c++) {
        double l = influence[c];
        if (isnan(l)) continue;
        if (s.used++ == 0) first = l;
        s.equal = s.equal && l == first;
        neumaier_add(&sum, l);
        neumaier_add(&absolute, fabs(l));
    }
    if (s.used == 0) return s;
    double mean = neumaier_total(&sum) / (double)s.used;
    for (size_t c = 0; c < m; c++) {
        if (isnan(influence[c])) continue;
        double l = influence[c] - mean, l2 = l * l;
        neumaier_add(&square, l2);
        neumaier_add(&cube, l2 * l);
        s.largest = fmax(s.largest, l2);
    }
    s.absolute = neumaier_total(&absolute) / (double)s.used;
    s.squares = neumaier_total(&square);
    s.cubes = neumaier_total(&cube);
    return s;
}

double infer_jackknife_se(const infer_shape *s)
{
    double n = (double)s->used;
    return s->used < 2 ? NAN : sqrt(s->squares / n / (n - 1));
}

/* Skewness of the contributions, and whether one cluster holds more than a quarter of their
 * squares: then the interval may under-cover. */
static void judge_shape(inference *out, const infer_case *c)
{
    const infer_shape *s = &c->shape;
    if (!c->influence) return;
    double n = (double)s->used, m2 = s->squares / n;
    out->skewness = !s->equal && m2 > 0 ? s->cubes / n / (m2 * sqrt(m2)) : NAN;
    out->under_cover = fabs(out->skewness) > 1 || s->largest > 0.25 * s->squares;
}

typedef enum lead { LEAD_T, LEAD_PERCENTILE, LEAD_BCA } lead;

static lead lead_of(const infer_plan *plan, const infer_case *c)
{
    switch (plan->interval) {
    case CI_PERCENTILE: return LEAD_PERCENTILE;
    case CI_BCA: return LEAD_BCA;
    case CI_T: return LEAD_T;
    case CI_AUTO: break;
    }
    return c->clusters >= INFER_CLUSTERS_BOOT ? LEAD_PERCENTILE : LEAD_T;
}

/* Below 30 clusters the t interval of a mean goes with the sign-flip p. */
static bool flip_leads(const infer_plan *plan, const infer_case *c, lead by)
{
    return by == LEAD_T && plan->interval == CI_AUTO && !isnan(c->p_flip);
}

static void ends_t(double *lo, double *hi, const inference *out, double alpha)
{
    double half = t_quantile(1 - alpha / 2, out->df) * out->se;
    *lo = out->estimate - half;
    *hi = out->estimate + half;
}

static void ends_boot(inference *out, const infer_plan *plan, const infer_case *c, double *t,
                      size_t b)
{
    double alpha = plan->alpha;
    interval ends, inner;
    out->interval_method = "percentile";
    if (plan->interval == CI_BCA && c->influence) {
        const double *l = c->influence;
        interval_bca_result bca = interval_bca(t, b, c->estimate, l, c->influences, alpha);
        ends = bca.ends;
        inner = interval_bca(t, b, c->estimate, l, c->influences, 2 * alpha).ends;
        out->interval_method = bca.fallback ? "percentile (no BCa)" : "BCa";
    } else {
        interval_ends levels = c->ends && c->ends->b == b ? *c->ends : interval_ends_of(b, alpha);
        interval_of_ends(&ends, &inner, t, &levels);
    }
    out->lo = ends.lo;
    out->hi = ends.hi;
    out->extreme = ends.extreme;
    out->lo90 = inner.lo;
    out->hi90 = inner.hi;
}

/* Interval [theta, theta]. An effect without any variation has the smallest p that the leading
 * method allows; where that is a t, which allows 0, the bootstrap's (ours). */
static void conclude_equal(inference *out, const infer_plan *plan, const infer_case *c, lead by)
{
    double floor_boot = (plan->boot_p == P_INVERSION ? 2 : 1) / ((double)plan->boot_b + 1);
    bool flip = flip_leads(plan, c, by);
    out->zero_variance = true;
    out->se = 0;
    out->df = c->df_boot;
    out->lo = out->hi = out->lo90 = out->hi90 = c->estimate;
    out->interval_method = by == LEAD_T ? c->t_name : "percentile";
    out->p_method = flip ? "sign flip" : by == LEAD_T ? c->t_name : "bootstrap";
    out->p_floor = flip ? c->flip_floor : floor_boot;
    out->p_boot = c->estimate == 0 ? 1 : floor_boot;
    out->p_flip = c->p_flip;
    out->p = c->estimate == 0 ? 1 : out->p_floor;
}

/* The printed-second p and the leading one. */
static void conclude_p(inference *out, const infer_plan *plan, const infer_case *c, lead by,
                       size_t defined)
{
    out->p_flip = c->p_flip;
    if (c->se > 0) out->p_t = t_p(c->estimate / c->se, c->df);
    if (flip_leads(plan, c, by)) {
        out->p = c->p_flip;
        out->p_floor = c->flip_floor;
        out->p_method = "sign flip";
    } else if (by == LEAD_T) {
        out->p = out->p_t;
        out->p_floor = 0;
        out->p_method = c->t_name;
    } else {
        bool inversion = plan->boot_p == P_INVERSION;
        out->p = out->p_boot;
        out->p_floor = (inversion ? 2 : 1) / ((double)defined + 1);
        out->p_method = inversion ? "bootstrap inversion" : "bootstrap";
    }
}

static const char *reason_of(const infer_case *c)
{
    if (c->reason[0] != '\0') return c->reason;
    if (c->clusters < INFER_CLUSTERS_MIN) return REASON_TOO_FEW_CLUSTERS;
    if (!isfinite(c->estimate)) return REASON_DEGENERATE;
    return "";
}

void infer_conclude(inference *out, const infer_plan *plan, const infer_case *c, double *scratch)
{
    lead by = lead_of(plan, c);
    *out = (inference){.estimate = c->estimate, .se = NAN, .df = NAN, .lo = NAN, .hi = NAN,
                       .lo90 = NAN, .hi90 = NAN, .p = NAN, .p_floor = NAN, .p_boot = NAN,
                       .p_t = NAN, .p_flip = NAN, .skewness = NAN, .n = c->n,
                       .clusters = c->clusters, .interval_method = "", .p_method = "",
                       .reason = reason_of(c)};
    if (out->reason[0] != '\0') return;
    if (c->equal) {
        conclude_equal(out, plan, c, by);
        return;
    }
    judge_shape(out, c);
    size_t defined = c->replicates ? boot_defined(scratch, c->replicates, plan->boot_b) : 0;
    out->undefined = plan->boot_b - defined;
    bool enough = defined > 0 && (double)out->undefined <= 0.01 * plan->boot_b;
    if (enough)
        out->p_boot = plan->boot_p == P_INVERSION
                          ? boot_p_inversion(scratch, defined, c->scale)
                          : boot_p_centred(scratch, defined, c->estimate, c->scale);
    bool by_boot = enough && by != LEAD_T && c->clusters >= INFER_CLUSTERS_BOOT;
    out->se = by_boot ? moments_sd(scratch, defined, 1) : c->se;
    out->df = by_boot ? c->df_boot : c->df;
    if (by != LEAD_T && !enough) out->reason = REASON_DEGENERATE_REPLICATES;
    else if (!isfinite(out->se)) out->reason = REASON_DEGENERATE;
    if (out->reason[0] != '\0') return;
    if (by == LEAD_T) {
        ends_t(&out->lo, &out->hi, out, plan->alpha);
        ends_t(&out->lo90, &out->hi90, out, 2 * plan->alpha);
        out->interval_method = c->t_name;
    } else {
        ends_boot(out, plan, c, scratch, defined);
    }
    conclude_p(out, plan, c, by, defined);
}
