#include "audit/power/power_design.h"

#include <math.h>

#include "stats/power.h"
#include "stats/special.h"

#define EXACT_FLIPS 20 /* clusters: all sign flips are made up to here */
#define BOOTSTRAP_FROM 30

power_size power_size_of(const power_plan *plan, const power_spread *spread, double clusters)
{
    double each = plan->bases / plan->clusters, kept = 1 - plan->missing;
    power_size s = {.bases = clusters * each * kept};
    /* A cluster is lost when all its bases are. */
    s.clusters = clusters * (1 - pow(plan->missing, each));
    double size = s.bases / s.clusters;
    double icc = size > 1 && spread->icc > 0 ? spread->icc : 0;
    s.se = spread->sd * sqrt((1 + (size - 1) * icc) / s.bases);
    s.df = s.clusters - 1;
    return s;
}

static double smallest_p(const power_plan *plan, double clusters)
{
    double m = floor(clusters + 1e-9);
    if (m >= BOOTSTRAP_FROM) return 1 / (plan->boot_b + 1.0);
    if (!plan->has_flips) return 0;
    return m <= EXACT_FLIPS ? ldexp(2, -(int)m) : 1 / (plan->perm_p + 1.0);
}

static bool can_answer(const power_plan *plan, const power_size *s, double level)
{
    return s->clusters >= POWER_CLUSTERS_LEAST - 1e-9 && smallest_p(plan, s->clusters) <= level;
}

double power_found(const power_plan *plan, const power_spread *spread, double clusters,
                   double effect, double level)
{
    power_size s = power_size_of(plan, spread, clusters);
    return can_answer(plan, &s, level) ? power_two_sided(effect / s.se, s.df, level) : 0;
}

double power_shown_small(const power_plan *plan, const power_spread *spread, double clusters,
                         double margin)
{
    power_size s = power_size_of(plan, spread, clusters);
    if (!(margin > 0)) return NAN;
    if (s.clusters < POWER_CLUSTERS_LEAST - 1e-9) return 0;
    return power_equivalence(0, margin / s.se, s.df, plan->alpha);
}

double power_shown_negligible(const power_plan *plan, const power_spread *spread, double margin)
{
    power_size s = power_size_of(plan, spread, plan->clusters);
    if (!(margin > 0)) return NAN;
    if (s.clusters < POWER_CLUSTERS_LEAST - 1e-9) return 0;
    return power_negligible(margin / s.se, s.df, plan->alpha, plan->alpha);
}

double power_smallest(const power_plan *plan, const power_spread *spread, double level)
{
    power_size s = power_size_of(plan, spread, plan->clusters);
    return can_answer(plan, &s, level) ? power_shift(plan->target, s.df, level) * s.se : NAN;
}

typedef struct question {
    const power_plan *plan;
    const power_spread *spread;
    double effect, level, margin;
} question;

static int finds(size_t clusters, const void *user)
{
    const question *q = user;
    return power_found(q->plan, q->spread, (double)clusters, q->effect, q->level) >=
           q->plan->target;
}

static int shows_small(size_t clusters, const void *user)
{
    const question *q = user;
    return power_shown_small(q->plan, q->spread, (double)clusters, q->margin) >= q->plan->target;
}

static double bases_of(const question *q, int (*enough)(size_t, const void *))
{
    double each = q->plan->bases / q->plan->clusters;
    size_t last = (size_t)fmax(POWER_CLUSTERS_LEAST, floor(POWER_BASES_MOST / each));
    size_t clusters = least_enough(enough, q, POWER_CLUSTERS_LEAST, last);
    return clusters > last ? NAN : ceil((double)clusters * each - 1e-9);
}

double power_bases_for(const power_plan *plan, const power_spread *spread, double effect,
                       double level)
{
    question q = {plan, spread, effect, level, NAN};
    return bases_of(&q, finds);
}

double power_bases_for_small(const power_plan *plan, const power_spread *spread, double margin)
{
    question q = {plan, spread, NAN, NAN, margin};
    return margin > 0 ? bases_of(&q, shows_small) : NAN;
}

static double chi2_quantile(double upper, double df)
{
    double low = 0, high = df + 10;
    while (chi2_sf(high, df) > upper) high *= 2;
    for (int k = 0; k < 200 && high - low > 1e-14 * high; k++) {
        double middle = 0.5 * (low + high);
        if (chi2_sf(middle, df) > upper) low = middle;
        else high = middle;
    }
    return 0.5 * (low + high);
}

void power_sd_interval(double *lo, double *hi, const power_spread *spread, double alpha)
{
    *lo = *hi = NAN;
    if (!(spread->df >= 1)) return;
    *lo = spread->sd * sqrt(spread->df / chi2_quantile(alpha / 2, spread->df));
    *hi = spread->sd * sqrt(spread->df / chi2_quantile(1 - alpha / 2, spread->df));
}
