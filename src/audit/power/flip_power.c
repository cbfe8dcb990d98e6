#include "audit/power/flip_power.h"

#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "stats/special.h"

#define WHOLE_MOST 11   /* clusters: every subset is listed up to here; above, halves meet */
#define SETS_WHOLE 1000 /* sets of cluster means, each also with its signs turned */
#define SETS_HALVES 300
#define STEPS 9         /* halvings of a threshold of the halves: to 1/200 of an SE at least */
#define HALF_MOST (FLIP_POWER_EXACT / 2)

/* One drawn set, in standard errors: it is found by flips above `flip`, by t above `t`; its
 * estimate is `mean` beyond the shift. */
typedef struct flip_set { double mean, flip, t; } flip_set;

typedef struct flip_design {
    size_t clusters, rank; /* p <= level: fewer than `rank` other subsets have a sum of 0 or less */
    double alpha;
    flip_set *set;
    size_t sets;
} flip_design;

struct flip_power {
    const mem *m;
    rng_key key;
    flip_design *design;
    size_t designs, capacity;
    double *subset; /* [2^WHOLE_MOST] */
    bool failed;
};

flip_power *flip_power_new(const mem *m, uint64_t seed)
{
    flip_power *f = mem_new(m, 1, sizeof *f);
    if (!f) return NULL;
    f->m = m;
    f->key = rng_key_of(seed, "power/flips");
    return f;
}

void flip_power_free(flip_power *f)
{
    if (!f) return;
    for (size_t k = 0; k < f->designs; k++) mem_free(f->m, f->design[k].set);
    mem_free(f->m, f->design);
    mem_free(f->m, f->subset);
    mem_free(f->m, f);
}

bool flip_power_failed(const flip_power *f)
{
    return f->failed;
}

/* p = 2 (1 + others) / 2^M: a set of signs and its opposite always count together. */
static size_t rank_of(size_t clusters, double level)
{
    return (size_t)floor(ldexp(level, (int)clusters - 1) * (1 + 1e-12));
}

double flip_power_attained(size_t clusters, double level)
{
    return ldexp((double)rank_of(clusters, level), 1 - (int)clusters);
}

/* ---- every subset --------------------------------------------------------------------------- */

/* Means of all subsets but the empty one: signs turned in a subset reach the observed sum if the
 * subset's sum, shift included, is 0 or less. */
static size_t subset_means(double *mean, const double *z, size_t clusters)
{
    size_t all = (size_t)1 << clusters;
    double inverse[WHOLE_MOST + 1];
    for (size_t c = 1; c <= clusters; c++) inverse[c] = 1 / (double)c;
    mean[0] = 0;
    for (size_t c = 0; c < clusters; c++)
        for (size_t k = 0; k < (size_t)1 << c; k++) mean[k + ((size_t)1 << c)] = mean[k] + z[c];
    for (size_t k = 1; k < all; k++) {
        size_t size = 0;
        for (size_t bits = k; bits; bits &= bits - 1) size++;
        mean[k - 1] = mean[k] * inverse[size];
    }
    return all - 1;
}

/* The value of this rank from below, 0-based; x is put in another order (Hoare's FIND). */
static double select_rank(double *x, size_t n, size_t rank)
{
    ptrdiff_t low = 0, high = (ptrdiff_t)n - 1, k = (ptrdiff_t)rank;
    while (low < high) {
        double pivot = x[k];
        ptrdiff_t i = low, j = high;
        while (i <= j) {
            while (x[i] < pivot) i++;
            while (x[j] > pivot) j--;
            if (i > j) break;
            double kept = x[i];
            x[i++] = x[j];
            x[j--] = kept;
        }
        if (j < k) low = i;
        if (k < i) high = j;
    }
    return x[k];
}

/* ---- halves --------------------------------------------------------------------------------- */

/* Ascending sums of all subsets of x. */
static size_t half_sums(double *sum, const double *x, size_t n)
{
    double other[(size_t)1 << HALF_MOST];
    size_t count = 1;
    sum[0] = 0;
    for (size_t c = 0; c < n; c++, count *= 2) {
        memcpy(other, sum, count * sizeof *sum);
        for (size_t i = 0, j = 0, k = 0; k < 2 * count; k++) {
            bool with = i == count || (j < count && other[j] + x[c] < other[i]);
            sum[k] = with ? other[j++] + x[c] : other[i++];
        }
    }
    return count;
}

/* Are fewer than `rank` sums of subsets, but for the empty one, 0 or less? */
static bool finds(const double *z, size_t clusters, double shift, size_t rank)
{
    double x[FLIP_POWER_EXACT], a[(size_t)1 << HALF_MOST], b[(size_t)1 << HALF_MOST];
    for (size_t c = 0; c < clusters; c++) x[c] = z[c] + shift;
    size_t half = clusters / 2, count = 0;
    size_t na = half_sums(a, x, half), nb = half_sums(b, x + half, clusters - half), j = nb;
    for (size_t i = 0; i < na && count <= rank; i++) {
        while (j > 0 && a[i] + b[j - 1] > 0) j--;
        count += j;
    }
    return count <= rank; /* the empty one is in it */
}

static double halves_threshold(const double *z, size_t clusters, double near, size_t rank)
{
    double low = near - 0.25, high = near + 0.25;
    while (finds(z, clusters, low, rank)) low -= 0.5;
    while (!finds(z, clusters, high, rank)) high += 0.5;
    for (int k = 0; k < STEPS; k++) {
        double middle = 0.5 * (low + high);
        if (finds(z, clusters, middle, rank)) high = middle;
        else low = middle;
    }
    return 0.5 * (low + high);
}

/* ---- one design ----------------------------------------------------------------------------- */

static void draw_set(double *z, const flip_power *f, size_t clusters, size_t k)
{
    rng_stream s;
    rng_start(&s, f->key, (uint32_t)clusters, k);
    for (size_t c = 0; c < clusters; c++) z[c] = norm_quantile(rng_uniform_open(&s));
}

/* Threshold of the set z by t at a level. */
static double t_threshold(const double *z, size_t clusters, double bound, double *mean)
{
    double m = (double)clusters, sum = 0, squares = 0;
    for (size_t c = 0; c < clusters; c++) sum += z[c];
    for (size_t c = 0; c < clusters; c++) squares += (z[c] - sum / m) * (z[c] - sum / m);
    *mean = sum / sqrt(m);
    return bound * sqrt(squares / (m - 1)) - *mean;
}

static void fill_set(flip_power *f, flip_design *d, size_t k, const double bound[2])
{
    double z[FLIP_POWER_EXACT], turned[FLIP_POWER_EXACT], root = sqrt((double)d->clusters);
    flip_set *x = &d->set[2 * k];
    draw_set(z, f, d->clusters, k);
    for (size_t c = 0; c < d->clusters; c++) turned[c] = -z[c];
    x[0].t = t_threshold(z, d->clusters, bound[0], &x[0].mean);
    x[1].t = t_threshold(turned, d->clusters, bound[0], &x[1].mean);
    if (d->clusters <= WHOLE_MOST) {
        size_t n = subset_means(f->subset, z, d->clusters);
        x[0].flip = -root * select_rank(f->subset, n, d->rank - 1);
        x[1].flip = root * select_rank(f->subset, n, n - d->rank);
    } else {
        x[0].flip = root * halves_threshold(z, d->clusters, x[0].t / root, d->rank);
        x[1].flip = root * halves_threshold(turned, d->clusters, x[1].t / root, d->rank);
    }
    /* The interval must exclude 0 as well. */
    x[0].flip = fmax(x[0].flip, t_threshold(z, d->clusters, bound[1], &x[0].mean));
    x[1].flip = fmax(x[1].flip, t_threshold(turned, d->clusters, bound[1], &x[1].mean));
}

static bool draw_design(flip_power *f, flip_design *d)
{
    double df = (double)d->clusters - 1;
    double level = ldexp((double)d->rank, 1 - (int)d->clusters);
    double bound[2] = {t_quantile(1 - level / 2, df), t_quantile(1 - d->alpha / 2, df)};
    size_t pairs = d->clusters <= WHOLE_MOST ? SETS_WHOLE : SETS_HALVES;
    d->sets = 2 * pairs;
    if (!f->subset) f->subset = mem_new(f->m, (size_t)1 << WHOLE_MOST, sizeof *f->subset);
    d->set = f->subset ? mem_new(f->m, d->sets, sizeof *d->set) : NULL;
    if (!d->set) return false;
    for (size_t k = 0; k < pairs; k++) fill_set(f, d, k, bound);
    return true;
}

static const flip_design *design_of(flip_power *f, const flip_case *c)
{
    flip_design d = {.clusters = c->clusters, .rank = rank_of(c->clusters, c->level),
                     .alpha = c->alpha};
    for (size_t k = 0; k < f->designs; k++) {
        const flip_design *x = &f->design[k];
        if (x->clusters == d.clusters && x->rank == d.rank && x->alpha == d.alpha) return x;
    }
    if (!mem_reserve(f->m, &f->design, &f->capacity, f->designs + 1, sizeof *f->design) ||
        !draw_design(f, &d)) {
        f->failed = true;
        return NULL;
    }
    f->design[f->designs] = d;
    return &f->design[f->designs++];
}

double flip_power_gap(flip_power *f, const flip_case *c)
{
    const flip_design *d = f->failed || !rank_of(c->clusters, c->level) ? NULL : design_of(f, c);
    if (!d) return 0;
    long gap = 0;
    for (size_t k = 0; k < d->sets; k++) {
        const flip_set *x = &d->set[k];
        /* On its own side, and, with the set turned, on the wrong one. */
        bool own = x->mean + c->shift > c->floor, wrong = x->mean - c->shift > c->floor;
        gap += (own && c->shift > x->flip) + (wrong && -c->shift > x->flip);
        gap -= (own && c->shift > x->t) + (wrong && -c->shift > x->t);
    }
    return (double)gap / (double)d->sets;
}
