#include "audit/estimate.h"

#include <math.h>
#include <string.h>

#include "stats/equivalence.h"
#include "stats/special.h"

inference inference_none(const char *reason)
{
    inference x;
    memset(&x, 0, sizeof x);
    x.estimate = x.se = x.df = x.lo = x.hi = x.lo90 = x.hi90 = NAN;
    x.p = x.p_floor = x.p_boot = x.p_t = x.p_flip = x.skewness = NAN;
    x.interval_method = x.p_method = "";
    x.reason = reason;
    return x;
}

static double in_unit(double x)
{
    return isnan(x) ? x : x < 0 ? 0 : x > 1 ? 1 : x;
}

void inference_share(inference *x)
{
    x->lo = in_unit(x->lo);
    x->hi = in_unit(x->hi);
    x->p = NAN;
}

void inference_by_t(inference *x, double alpha)
{
    double wide = t_quantile(1 - alpha / 2, x->df) * x->se;
    double narrow = t_quantile(1 - alpha, x->df) * x->se;
    x->lo = x->estimate - wide;
    x->hi = x->estimate + wide;
    x->lo90 = x->estimate - narrow;
    x->hi90 = x->estimate + narrow;
    x->p = x->p_t = t_p(x->estimate / x->se, x->df);
}

void estimate_fill(tare_reading *r, const inference *inf, double alpha)
{
    r->estimate = inf->estimate;
    r->se = inf->se;
    r->df = inf->df;
    r->lo = inf->lo;
    r->hi = inf->hi;
    r->p = inf->p;
    r->p_floor = inf->p_floor;
    r->interval_method = inf->interval_method ? inf->interval_method : "";
    r->p_method = inf->p_method ? inf->p_method : "";
    r->n_base = inf->n;
    r->n_cluster = inf->clusters;
    r->replicates_undefined = inf->undefined;
    /* From 30 clusters on df may not be given: the design still has clusters - 1 (statistics 7). */
    double df = isfinite(inf->df) && inf->df > 0 ? inf->df
                : inf->clusters > 1              ? (double)(inf->clusters - 1)
                                                 : NAN;
    if (inf->se > 0 && df > 0) r->mde = detectable_effect(inf->se, df, alpha, 0.80);
}

const char *estimate_marks(const inference *inf)
{
    if (inf->under_cover && inf->extreme)
        return "interval may under-cover, interval end at the extreme replicate";
    if (inf->under_cover) return "interval may under-cover";
    if (inf->extreme) return "interval end at the extreme replicate";
    return "";
}

bool estimate_equivalent(const inference *inf, double margin)
{
    if (inf->zero_variance && inf->estimate == 0) return true;
    return !isnan(margin) && equivalence_interval(inf->lo90, inf->hi90, margin);
}
