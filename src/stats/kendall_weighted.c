/* kendall_weighted.c - the same rows under many sets of weights.
 *
 * All pair weights are sums of w_i w_j over i < j in a group of rows: ((sum w)^2 - sum w^2) / 2.
 * Summed over the groups of a partition, the second part is the same for all of them: so only the
 * weight of each group is needed, and the discordant pairs. */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/error.h"
#include "stats/kendall_parts.h"

void kendall_rows_free(kendall_rows *r)
{
    if (!r) return;
    mem_free(r->m, r->row);
    mem_free(r->m, r->cluster);
    mem_free(r->m, r->size);
    mem_free(r->m, r->end);
    mem_free(r->m, r->x);
    mem_free(r->m, r->y);
    mem_free(r->m, r);
}

static bool same_cell(const radix_item *a, const radix_item *b)
{
    return a->key == b->key && a->rank == b->rank;
}

static tare_status cut_cells(kendall_rows *r, const kendall_order *o, tare_error *err)
{
    tare_status status = TARE_OK;
    const radix_item *items = o->items;
    uint32_t x = 0;
    size_t cell = 0;
    for (size_t i = 1; i <= o->n; i++)
        r->cells += i == o->n || !same_cell(&items[i], &items[i - 1]);
    TRY_NEW(r->row = mem_new(r->m, o->n, sizeof *r->row));
    TRY_NEW(r->end = mem_new(r->m, r->cells, sizeof *r->end));
    TRY_NEW(r->x = mem_new(r->m, r->cells, sizeof *r->x));
    TRY_NEW(r->y = mem_new(r->m, r->cells, sizeof *r->y));
    for (size_t i = 0; i < o->n; i++) {
        r->row[i] = items[i].tag;
        if (i > 0 && items[i].key != items[i - 1].key) x++;
        if (i + 1 < o->n && same_cell(&items[i + 1], &items[i])) continue;
        r->end[cell] = (uint32_t)i + 1;
        r->x[cell] = x;
        r->y[cell++] = items[i].rank;
    }
done:
    return status;
}

tare_status kendall_rows_new(kendall_rows **out, const double *x, const double *y, size_t n,
                             const mem *m, tare_error *err)
{
    tare_status status = TARE_OK;
    kendall_order order = {0};
    kendall_rows *r = NULL;
    *out = NULL;
    TRY_NEW(r = mem_new(m, 1, sizeof *r));
    r->m = m;
    TRY(kendall_order_make(&order, x, y, n, m, err));
    if (order.distinct_x < order.distinct_y) {
        r->swapped = true;
        kendall_order_free(&order);
        TRY(kendall_order_make(&order, y, x, n, m, err));
    }
    r->n = n;
    r->distinct_x = order.distinct_x;
    r->distinct_y = order.distinct_y;
    TRY(cut_cells(r, &order, err));
    *out = r;
    r = NULL;
done:
    kendall_order_free(&order);
    kendall_rows_free(r);
    return status;
}

tare_status kendall_rows_cluster(kendall_rows *r, const uint32_t *cluster, tare_error *err)
{
    tare_status status = TARE_OK;
    if (!r->cluster) TRY_NEW(r->cluster = mem_new(r->m, r->n, sizeof *r->cluster));
    r->clusters = 0;
    for (size_t i = 0; i < r->n; i++) {
        r->cluster[i] = cluster[r->row[i]];
        if (cluster[i] >= r->clusters) r->clusters = (size_t)cluster[i] + 1;
    }
    mem_free(r->m, r->size);
    TRY_NEW(r->size = mem_new(r->m, r->clusters, sizeof *r->size));
    for (size_t i = 0; i < r->n; i++) r->size[cluster[i]]++;
done:
    return status;
}

/* Weights of cells and of values and a tree; for Spearman the ranks of values come first. */
size_t kendall_scratch_bytes(const kendall_rows *r)
{
    size_t values = r->distinct_x + r->distinct_y;
    return values * sizeof(int64_t) + (r->cells + values + r->distinct_y + 1) * sizeof(uint32_t);
}

/* ---- Weights of cells ------------------------------------------------------------------------ */

typedef struct weighed {
    uint64_t sum, square;
    size_t rows;
} weighed;

/* weight[cells] of one set, by rows or by clusters. */
static weighed weigh_rows(uint32_t *weight, const kendall_rows *r, const uint32_t *w)
{
    weighed all = {0, 0, 0};
    for (size_t c = 0, i = 0; c < r->cells; c++) {
        uint64_t sum = 0;
        for (; i < r->end[c]; i++) {
            uint64_t one = w ? w[r->row[i]] : 1;
            sum += one;
            all.square += one * one;
            all.rows += one != 0;
        }
        weight[c] = (uint32_t)sum;
        all.sum += sum;
    }
    return all;
}

static weighed weigh_clusters(uint32_t *weight, const kendall_rows *r, const uint8_t *w)
{
    weighed all = {0, 0, 0};
    for (size_t c = 0, i = 0; c < r->cells; c++) {
        uint32_t sum = 0;
        for (; i < r->end[c]; i++) {
            uint32_t one = w[r->cluster[i]];
            sum += one;
            all.square += one * one;
            all.rows += one != 0;
        }
        weight[c] = sum;
        all.sum += sum;
    }
    return all;
}

/* ---- Pairs in inverse order ------------------------------------------------------------------ */

/* Cells come by x, and by y within one x: a cell is compared with those before it, of which those
 * of its own x have no larger y. `above` [width], width constant for the compiler. */
static inline int64_t inverse_width(const uint32_t *weight, const uint32_t *y, size_t cells,
                                    int32_t width)
{
    uint32_t above[KENDALL_FEW] = {0}; /* [v] weight so far of values above v */
    int64_t inverse = 0;
    for (size_t c = 0; c < cells; c++) {
        uint32_t w = weight[c];
        int32_t v = (int32_t)y[c];
        inverse += (int64_t)w * above[v];
        for (int32_t k = 0; k < width; k++) above[k] += k < v ? w : 0;
    }
    return inverse;
}

int64_t kendall_inverse_few(const uint32_t *weight, const uint32_t *y, size_t cells, size_t values)
{
    if (values <= 8) return inverse_width(weight, y, cells, 8);
    if (values <= 16) return inverse_width(weight, y, cells, 16);
    return inverse_width(weight, y, cells, KENDALL_FEW);
}

int64_t kendall_inverse_many(const uint32_t *weight, const uint32_t *y, size_t cells,
                             uint32_t *tree, size_t values)
{
    int64_t inverse = 0;
    uint32_t seen = 0;
    memset(tree, 0, (values + 1) * sizeof *tree);
    for (size_t c = 0; c < cells; c++) {
        uint32_t w = weight[c], upto = 0;
        if (w == 0) continue;
        size_t place = (size_t)y[c] + 1;
        for (size_t k = place; k > 0; k &= k - 1) upto += tree[k];
        inverse += (int64_t)w * (seen - upto);
        seen += w;
        for (size_t k = place; k <= values; k += k & (0 - k)) tree[k] += w;
    }
    return inverse;
}

/* ---- Counts ---------------------------------------------------------------------------------- */

void kendall_of_sums(kendall *out, const kendall_rows *r, const kendall_sums *s)
{
    *out = (kendall){.n = s->rows, .distinct_x = s->used_x, .distinct_y = s->used_y};
    out->pairs = (int64_t)((s->sum * s->sum - s->square) / 2);
    out->tied_x = (int64_t)((s->x2 - s->square) / 2);
    out->tied_y = (int64_t)((s->y2 - s->square) / 2);
    out->tied_both = (int64_t)((s->both2 - s->square) / 2);
    out->discordant = s->inverse;
    if (r->swapped) {
        kendall as = *out;
        out->tied_x = as.tied_y;
        out->tied_y = as.tied_x;
        out->distinct_x = as.distinct_y;
        out->distinct_y = as.distinct_x;
    }
    double sum = (double)s->sum;
    kendall_finish(out, 2 * (double)out->pairs * (sum / (sum - 1)));
}

static void count_cells(kendall *out, const kendall_rows *r, const weighed *all, uint32_t *weight)
{
    uint32_t *of_y = weight + r->cells, *tree = of_y + r->distinct_y;
    kendall_sums s = {.sum = all->sum, .square = all->square, .rows = all->rows};
    uint64_t of_x = 0;
    memset(of_y, 0, r->distinct_y * sizeof *of_y);
    for (size_t c = 0; c < r->cells; c++) {
        uint64_t w = weight[c];
        s.both2 += w * w;
        of_y[r->y[c]] += weight[c];
        of_x += w;
        if (c + 1 < r->cells && r->x[c + 1] == r->x[c]) continue;
        s.x2 += of_x * of_x;
        s.used_x += of_x != 0;
        of_x = 0;
    }
    for (size_t v = 0; v < r->distinct_y; v++) {
        s.y2 += (uint64_t)of_y[v] * of_y[v];
        s.used_y += of_y[v] != 0;
    }
    s.inverse = r->distinct_y <= KENDALL_FEW
                    ? kendall_inverse_few(weight, r->y, r->cells, r->distinct_y)
                    : kendall_inverse_many(weight, r->y, r->cells, tree, r->distinct_y);
    kendall_of_sums(out, r, &s);
}

void kendall_weighted(kendall *out, const kendall_rows *r, const uint32_t *w, void *scratch)
{
    weighed all = weigh_rows(scratch, r, w);
    count_cells(out, r, &all, scratch);
}

void kendall_clustered(kendall *out, const kendall_rows *r, const uint8_t *w, void *scratch)
{
    weighed all = w ? weigh_clusters(scratch, r, w) : weigh_rows(scratch, r, NULL);
    count_cells(out, r, &all, scratch);
}

/* ---- Spearman -------------------------------------------------------------------------------- */

/* Weights of values to twice their average rank less the mean of all such ranks, N + 1. */
static void centred_ranks(int64_t *rank2, const uint32_t *weight, size_t values, uint64_t total)
{
    int64_t below = 0;
    for (size_t v = 0; v < values; v++) {
        rank2[v] = 2 * below + weight[v] - (int64_t)total;
        below += weight[v];
    }
}

/* Where the weights of cells are to be. */
static uint32_t *spearman_weights(const kendall_rows *r, void *scratch)
{
    return (uint32_t *)(void *)((int64_t *)scratch + r->distinct_x + r->distinct_y);
}

static double spearman_cells(const kendall_rows *r, uint64_t total, void *scratch)
{
    int64_t *rx = scratch, *ry = rx + r->distinct_x;
    uint32_t *weight = spearman_weights(r, scratch);
    uint32_t *of_x = weight + r->cells, *of_y = of_x + r->distinct_x;
    __int128 xx = 0, yy = 0, xy = 0;
    memset(of_x, 0, (r->distinct_x + r->distinct_y) * sizeof *of_x);
    for (size_t c = 0; c < r->cells; c++) {
        of_x[r->x[c]] += weight[c];
        of_y[r->y[c]] += weight[c];
    }
    centred_ranks(rx, of_x, r->distinct_x, total);
    centred_ranks(ry, of_y, r->distinct_y, total);
    for (size_t v = 0; v < r->distinct_x; v++) xx += (__int128)(rx[v] * rx[v]) * of_x[v];
    for (size_t v = 0; v < r->distinct_y; v++) yy += (__int128)(ry[v] * ry[v]) * of_y[v];
    for (size_t c = 0; c < r->cells; c++) xy += (__int128)(rx[r->x[c]] * ry[r->y[c]]) * weight[c];
    if (xx <= 0 || yy <= 0) return NAN;
    double rho = (double)xy / sqrt((double)xx) / sqrt((double)yy);
    return fmax(-1, fmin(1, rho));
}

double kendall_spearman(const kendall_rows *r, const uint32_t *w, void *scratch)
{
    weighed all = weigh_rows(spearman_weights(r, scratch), r, w);
    return spearman_cells(r, all.sum, scratch);
}

double kendall_spearman_clustered(const kendall_rows *r, const uint8_t *w, void *scratch)
{
    uint32_t *weight = spearman_weights(r, scratch);
    weighed all = w ? weigh_clusters(weight, r, w) : weigh_rows(weight, r, NULL);
    return spearman_cells(r, all.sum, scratch);
}
