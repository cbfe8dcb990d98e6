#include "audit/panel/agree_cells.h"

#include <math.h>
#include <string.h>

#include "stats/agreement.h"

size_t agree_scratch_bytes(size_t kx, size_t ky, size_t labels)
{
    return (2 * (kx + ky) + 4) * sizeof(uint64_t) + labels * labels * sizeof(double);
}

/* ---- Kendall --------------------------------------------------------------------------------- */

typedef struct pairs {
    double all, tied_x, tied_y, tied_both, discordant, n2;
    size_t used_x, used_y;
} pairs;

static uint64_t squared(uint64_t w)
{
    return w * w;
}

/* Pairs in inverse order: a cell against the cells of smaller x and larger y, the weights of which
 * are counted in a Fenwick tree over y. The cells of one x come by y, so that none of them has a
 * larger y before it. */
static uint64_t inverse_pairs(const agree_cells *c, const uint32_t *weight, uint64_t *tree)
{
    uint64_t inverse = 0, seen = 0;
    memset(tree, 0, (c->ky + 1) * sizeof *tree);
    for (size_t k = 0; k < c->cells; k++) {
        uint64_t w = weight[k], upto = 0;
        if (w == 0) continue;
        size_t place = (size_t)c->y[k] + 1;
        for (size_t i = place; i > 0; i &= i - 1) upto += tree[i];
        inverse += w * (seen - upto);
        seen += w;
        for (size_t i = place; i <= c->ky; i += i & (0 - i)) tree[i] += w;
    }
    return inverse;
}

static pairs count_pairs(const agree_cells *c, const agree_weights *w, uint64_t *scratch)
{
    uint64_t *of_x = scratch, *of_y = of_x + c->kx, *tree = of_y + c->ky;
    uint64_t sum = 0, x2 = 0, y2 = 0, both2 = 0;
    pairs p = {.used_x = 0};
    memset(of_x, 0, (c->kx + c->ky) * sizeof *of_x);
    for (size_t k = 0; k < c->cells; k++) {
        uint64_t one = w->weight[k];
        of_x[c->x[k]] += one;
        of_y[c->y[k]] += one;
        both2 += squared(one);
        sum += one;
    }
    for (size_t v = 0; v < c->kx; v++) x2 += squared(of_x[v]), p.used_x += of_x[v] != 0;
    for (size_t v = 0; v < c->ky; v++) y2 += squared(of_y[v]), p.used_y += of_y[v] != 0;
    p.all = (double)((squared(sum) - w->squares) / 2);
    p.tied_x = (double)((x2 - w->squares) / 2);
    p.tied_y = (double)((y2 - w->squares) / 2);
    p.tied_both = (double)((both2 - w->squares) / 2);
    p.discordant = (double)inverse_pairs(c, w->weight, tree);
    p.n2 = sum > 1 ? 2 * p.all * ((double)sum / (double)(sum - 1)) : 0;
    return p;
}

static double in_range(double x)
{
    return x > 1 ? 1 : x < -1 ? -1 : x;
}

static double tau(agree_kind kind, const agree_cells *c, const agree_weights *w, void *scratch)
{
    pairs p = count_pairs(c, w, scratch);
    if (!(p.all > p.tied_x) || !(p.all > p.tied_y)) return NAN;
    double margin = p.all - p.tied_x - p.tied_y + p.tied_both - 2 * p.discordant;
    if (kind == AGREE_TAU_B)
        return in_range(margin / sqrt(p.all - p.tied_x) / sqrt(p.all - p.tied_y));
    double m = (double)(p.used_x < p.used_y ? p.used_x : p.used_y);
    return in_range(2 * margin / (p.n2 * (m - 1) / m));
}

/* ---- Correlations ---------------------------------------------------------------------------- */

/* Values of each code of one axis, centred at their weighted mean. */
typedef struct axis_values {
    double *value;
    double square;
} axis_values;

static axis_values centred(double *out, const double *value, const uint64_t *of, size_t n)
{
    double sum = 0, rest = 0, weight = 0, square = 0;
    for (size_t v = 0; v < n; v++) weight += (double)of[v], sum += value[v] * (double)of[v];
    double mean = sum / weight;
    for (size_t v = 0; v < n; v++) rest += (value[v] - mean) * (double)of[v];
    rest /= weight;
    for (size_t v = 0; v < n; v++) {
        out[v] = (value[v] - mean) - rest;
        square += out[v] * out[v] * (double)of[v];
    }
    return (axis_values){out, square};
}

/* Twice the average rank of each code. */
static void ranks(double *out, const uint64_t *of, size_t n)
{
    double below = 0;
    for (size_t v = 0; v < n; v++) {
        out[v] = 2 * below + (double)of[v] + 1;
        below += (double)of[v];
    }
}

static size_t used(const uint64_t *of, size_t n)
{
    size_t count = 0;
    for (size_t v = 0; v < n; v++) count += of[v] != 0;
    return count;
}

static double correlation(agree_kind kind, const agree_cells *c, const agree_weights *w,
                          void *scratch)
{
    uint64_t *of_x = scratch, *of_y = of_x + c->kx;
    double *x = (double *)(void *)(of_y + c->ky), *y = x + c->kx, cross = 0;
    memset(of_x, 0, (c->kx + c->ky) * sizeof *of_x);
    for (size_t k = 0; k < c->cells; k++) {
        of_x[c->x[k]] += w->weight[k];
        of_y[c->y[k]] += w->weight[k];
    }
    if (used(of_x, c->kx) < 2 || used(of_y, c->ky) < 2) return NAN;
    const double *vx = c->vx, *vy = c->vy;
    if (kind == AGREE_SPEARMAN) {
        ranks(x, of_x, c->kx);
        ranks(y, of_y, c->ky);
        vx = x;
        vy = y;
    }
    axis_values ax = centred(x, vx, of_x, c->kx), ay = centred(y, vy, of_y, c->ky);
    for (size_t k = 0; k < c->cells; k++)
        cross += ax.value[c->x[k]] * ay.value[c->y[k]] * (double)w->weight[k];
    if (!(ax.square > 0) || !(ay.square > 0)) return NAN;
    return in_range(cross / sqrt(ax.square) / sqrt(ay.square));
}

/* ---- Labels ---------------------------------------------------------------------------------- */

/* The nearest labels of v: one of share 1 twice, or two, or none. */
typedef struct vote {
    size_t a, b;
    bool none;
} vote;

static vote nearest(const agree_labels *l, double v)
{
    size_t k = 0;
    while (k < l->count && l->value[k] < v) k++;
    if (k == l->count) return (vote){k - 1, k - 1, false};
    if (k == 0 || l->value[k] == v) return (vote){k, k, false};
    double below = v - l->value[k - 1], above = l->value[k] - v;
    if (fabs(below - above) > 1e-12 * (below + above))
        return below < above ? (vote){k - 1, k - 1, false} : (vote){k, k, false};
    switch (l->ties) {
    case TIES_LOW: return (vote){k - 1, k - 1, false};
    case TIES_HIGH: return (vote){k, k, false};
    case TIES_DROP: return (vote){0, 0, true};
    case TIES_AUTO:
    case TIES_HALF: break;
    }
    return (vote){k - 1, k, false};
}

static double labelled(agree_kind kind, const agree_cells *c, const agree_weights *w,
                       const agree_labels *l, double *table)
{
    size_t n = l->count;
    double right = 0, all = 0;
    for (size_t k = 0; k < n * n; k++) table[k] = 0;
    for (size_t k = 0; k < c->cells; k++) {
        if (w->weight[k] == 0) continue;
        vote x = nearest(l, c->vx[c->x[k]]), y = nearest(l, c->vy[c->y[k]]);
        if (x.none) continue;
        double half = (double)w->weight[k] / 2;
        table[x.a * n + y.a] += half;
        table[x.b * n + y.a] += half;
        right += half * (double)((x.a == y.a) + (x.b == y.a));
        all += 2 * half;
    }
    if (kind == AGREE_ACCURACY) return all > 0 ? right / all : NAN;
    return kappa_table(table, n, KAPPA_NOMINAL);
}

double agree_of_cells(agree_kind kind, const agree_cells *c, const agree_weights *w,
                      const agree_labels *labels, void *scratch)
{
    switch (kind) {
    case AGREE_TAU_B:
    case AGREE_TAU_C: return tau(kind, c, w, scratch);
    case AGREE_PEARSON:
    case AGREE_SPEARMAN: return correlation(kind, c, w, scratch);
    case AGREE_ACCURACY:
    case AGREE_KAPPA: return labelled(kind, c, w, labels, scratch);
    }
    return NAN;
}
