#include "audit/power/power_design.h"

#include <math.h>

#include "stats/power.h"
#include "stats/special.h"

#define BOOTSTRAP_FROM 30
#define HALVINGS 40

double power_cluster_size(const power_spread *spread, size_t k, double each)
{
    return fmax(1, spread->size[k] * each);
}

/* Sum over clusters of (share of the bases)^2, and the df of the intercept-only CR2 (statistics 4)
 * under equal variance: 1/M and M - 1 where all are equal. */
static void cluster_shares(double *squares, double *df, const power_spread *spread,
                           const power_size *s)
{
    double m = s->clusters, n = (double)spread->sizes, each = s->bases / m;
    double mean = 0, h2 = 0, q1 = 0, q2 = 0;
    *squares = 1 / m;
    *df = m - 1;
    if (!spread->sizes || each <= 1) return;
    for (size_t k = 0; k < spread->sizes; k++) mean += power_cluster_size(spread, k, each) / n;
    for (size_t k = 0; k < spread->sizes; k++) {
        /* One cluster cannot hold nearly all bases of a plan that has several. */
        double h = fmin(power_cluster_size(spread, k, each) / (mean * m), 0.9), q = h * h / (1 - h);
        h2 += h * h * m / n;
        q1 += q * m / n;
        q2 += q * q * m / n;
    }
    *squares = h2;
    *df = fmax(1, 1 / (h2 + q1 * q1 - q2));
}

power_size power_size_of(const power_plan *plan, const power_spread *spread, double clusters)
{
    double each = plan->bases / plan->clusters, kept = 1 - plan->missing, squares;
    power_size s = {.bases = clusters * each * kept};
    /* A cluster is lost when all its bases are. */
    s.clusters = clusters * (1 - pow(plan->missing, each));
    cluster_shares(&squares, &s.df, spread, &s);
    double icc = s.bases > s.clusters && spread->icc > 0 ? spread->icc : 0;
    s.se = spread->sd * sqrt((1 - icc) / s.bases + icc * squares);
    s.floor = fmax(spread->floor_fixed, spread->floor_noise / sqrt(s.bases));
    return s;
}

static size_t whole(double clusters)
{
    return (size_t)floor(clusters + 1e-9);
}

power_test power_test_of(const power_plan *plan, double clusters)
{
    if (whole(clusters) >= BOOTSTRAP_FROM) return POWER_BY_BOOTSTRAP;
    if (!plan->has_flips) return POWER_BY_T;
    return whole(clusters) <= FLIP_POWER_EXACT ? POWER_BY_FLIPS : POWER_BY_SAMPLED_FLIPS;
}

double power_smallest_p(const power_plan *plan, double clusters)
{
    switch (power_test_of(plan, clusters)) {
    case POWER_BY_BOOTSTRAP: return 1 / (plan->boot_b + 1.0);
    case POWER_BY_FLIPS: return ldexp(2, -(int)whole(clusters));
    case POWER_BY_SAMPLED_FLIPS: return 1 / (plan->perm_p + 1.0);
    default: return 0;
    }
}

static bool can_answer(const power_plan *plan, const power_size *s, double level)
{
    return s->clusters >= POWER_CLUSTERS_LEAST - 1e-9 &&
           power_smallest_p(plan, s->clusters) <= level;
}

/* Above so many clusters that all flips are made the gap is that of the most, less by the ratio of
 * the clusters (ours). */
static double chance_by_flips(const power_plan *plan, const power_size *s, double effect,
                              double level)
{
    size_t clusters = whole(s->clusters);
    flip_case c = {.clusters = clusters, .level = level, .alpha = plan->alpha,
                   .shift = effect / s->se, .floor = s->floor / s->se};
    double part = 1, attained;
    if (clusters <= FLIP_POWER_EXACT) {
        attained = flip_power_attained(clusters, level);
    } else {
        attained = floor(level * (plan->perm_p + 1.0) * (1 + 1e-12)) / (plan->perm_p + 1.0);
        c.clusters = FLIP_POWER_EXACT;
        part = (double)FLIP_POWER_EXACT / (double)clusters;
    }
    double gap = plan->flips ? part * flip_power_gap(plan->flips, &c) : 0;
    return fmin(1, fmax(0, power_beyond(c.shift, c.floor, s->df, attained) + gap));
}

double power_found(const power_plan *plan, const power_spread *spread, double clusters,
                   double effect, double level)
{
    power_size s = power_size_of(plan, spread, clusters);
    power_test test = power_test_of(plan, s.clusters);
    if (!can_answer(plan, &s, level)) return 0;
    if (!(s.se > 0)) return effect > s.floor; /* nothing varies: a drift at its end */
    if (test == POWER_BY_FLIPS || test == POWER_BY_SAMPLED_FLIPS)
        return chance_by_flips(plan, &s, effect, level);
    return power_beyond(effect / s.se, s.floor / s.se, s.df, level);
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
    return power_negligible(margin / s.se, s.floor / s.se, s.df, plan->alpha, plan->alpha);
}

double power_smallest(const power_plan *plan, const power_spread *spread, double level)
{
    power_size s = power_size_of(plan, spread, plan->clusters);
    if (!can_answer(plan, &s, level)) return NAN;
    if (!(s.se > 0)) return s.floor;
    bool by_t = power_test_of(plan, s.clusters) == POWER_BY_BOOTSTRAP || !plan->has_flips;
    double high = power_shift(plan->target, s.df, level) * s.se, low = 0;
    if (by_t && !(s.floor > 0)) return high;
    high = fmax(high, s.floor);
    while (isfinite(high) &&
           power_found(plan, spread, plan->clusters, high, level) < plan->target) {
        low = high;
        high *= 2;
    }
    for (int k = 0; k < HALVINGS; k++) {
        double middle = 0.5 * (low + high);
        bool enough = power_found(plan, spread, plan->clusters, middle, level) >= plan->target;
        *(enough ? &high : &low) = middle;
    }
    return high;
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
