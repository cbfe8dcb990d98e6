/* kendall_lanes.c - sixteen sets of weights in one pass over the cells.
 *
 * The order of the cells, their places in the tree and their clusters are the same for all sets, so
 * looking them up is done once, and each step is sixteen equal additions side by side. All sums are
 * whole numbers: the counts are those of one set after the other. */
#include <string.h>

#include "stats/kendall_parts.h"

enum { LANES = KENDALL_LANES };

/* A tree of more values than this does not stay near the processor: one set after the other. */
#define VALUES_MOST 8192

typedef struct lane_sums {
    uint64_t sum[LANES], square[LANES], x2[LANES], y2[LANES], both2[LANES], inverse[LANES];
    uint32_t rows[LANES], used_x[LANES], used_y[LANES];
} lane_sums;

size_t kendall_lanes_bytes(const kendall_rows *r)
{
    size_t one = kendall_scratch_bytes(r);
    size_t all = r->distinct_y <= VALUES_MOST ? (r->distinct_y + 1) * LANES * sizeof(uint32_t) : 0;
    return one > all ? one : all;
}

/* Rows of a cluster share its weight. */
static inline void sum_rows(lane_sums *s, const kendall_rows *r, const uint8_t *lanes)
{
    for (size_t c = 0; c < r->clusters; c++) {
        uint32_t size = r->size[c];
        const uint8_t *w = lanes + c * LANES;
        for (int k = 0; k < LANES; k++) {
            uint32_t one = w[k];
            s->sum[k] += (uint64_t)size * one;
            s->square[k] += (uint64_t)size * (one * one);
            s->rows[k] += one ? size : 0;
        }
    }
}

static inline void add_squares(uint64_t *restrict to, const uint32_t *restrict w)
{
    for (int k = 0; k < LANES; k++) to[k] += (uint64_t)w[k] * w[k];
}

static inline void add_used(uint32_t *restrict to, const uint32_t *restrict w)
{
    for (int k = 0; k < LANES; k++) to[k] += w[k] != 0;
}

static inline void add(uint32_t *restrict to, const uint32_t *restrict w)
{
    for (int k = 0; k < LANES; k++) to[k] += w[k];
}

/* Weight of the cell that ends before `end`, from its first row on. */
static inline void weigh_cell(uint32_t *restrict weight, const kendall_rows *r,
                              const uint8_t *restrict lanes, size_t first, size_t end)
{
    const uint8_t *w = lanes + (size_t)r->cluster[first] * LANES;
    for (int k = 0; k < LANES; k++) weight[k] = w[k];
    for (size_t i = first + 1; i < end; i++) {
        w = lanes + (size_t)r->cluster[i] * LANES;
        for (int k = 0; k < LANES; k++) weight[k] += w[k];
    }
}

/* Pairs of a cell with those before it that have a larger y, then its weight into the tree
 * [values + 1][LANES]. `seen`: weight so far. */
static inline void count_inverse(uint64_t *restrict inverse, uint32_t *restrict tree,
                                 uint32_t *restrict seen, const uint32_t *restrict weight,
                                 size_t place, size_t values)
{
    uint32_t above[LANES];
    for (int k = 0; k < LANES; k++) above[k] = seen[k];
    for (size_t t = place; t > 0; t &= t - 1) {
        const uint32_t *part = tree + t * LANES;
        for (int k = 0; k < LANES; k++) above[k] -= part[k];
    }
    for (int k = 0; k < LANES; k++) inverse[k] += (uint64_t)weight[k] * above[k];
    add(seen, weight);
    for (size_t t = place; t <= values; t += t & (0 - t)) add(tree + t * LANES, weight);
}

/* single_rows: every cell is one row; single_x: every value of x is one cell. What is then the same
 * is not added up again. */
static inline __attribute__((always_inline)) void pass(lane_sums *s, const kendall_rows *r,
                                                       const uint8_t *lanes, uint32_t *tree,
                                                       bool single_rows, bool single_x)
{
    uint32_t seen[LANES] = {0}, of_x[LANES] = {0}, weight[LANES];
    for (size_t c = 0, i = 0; c < r->cells; i = r->end[c++]) {
        weigh_cell(weight, r, lanes, i, single_rows ? i + 1 : r->end[c]);
        count_inverse(s->inverse, tree, seen, weight, (size_t)r->y[c] + 1, r->distinct_y);
        if (!single_rows) add_squares(s->both2, weight);
        if (single_x && !single_rows) add_used(s->used_x, weight);
        if (single_x) continue;
        add(of_x, weight);
        if (c + 1 < r->cells && r->x[c + 1] == r->x[c]) continue;
        add_squares(s->x2, of_x);
        add_used(s->used_x, of_x);
        memset(of_x, 0, sizeof of_x);
    }
    if (single_rows) memcpy(s->both2, s->square, sizeof s->both2);
    if (single_x) memcpy(s->x2, s->both2, sizeof s->x2);
    if (single_x && single_rows) memcpy(s->used_x, s->rows, sizeof s->used_x);
}

/* Weight of each value of y, from the full tree. */
static inline void sum_values(lane_sums *s, const uint32_t *tree, size_t values)
{
    for (size_t v = 1; v <= values; v++) {
        uint32_t weight[LANES];
        memcpy(weight, tree + v * LANES, sizeof weight);
        size_t stop = v & (v - 1);
        for (size_t t = v - 1; t > stop; t &= t - 1)
            for (int k = 0; k < LANES; k++) weight[k] -= tree[t * LANES + (size_t)k];
        add_squares(s->y2, weight);
        add_used(s->used_y, weight);
    }
}

static inline __attribute__((always_inline)) void count_all(lane_sums *s, const kendall_rows *r,
                                                            const uint8_t *lanes, uint32_t *tree)
{
    bool single_rows = r->cells == r->n, single_x = r->distinct_x == r->cells;
    sum_rows(s, r, lanes);
    memset(tree, 0, (r->distinct_y + 1) * LANES * sizeof *tree);
    if (single_rows && single_x) pass(s, r, lanes, tree, true, true);
    else if (single_x) pass(s, r, lanes, tree, false, true);
    else pass(s, r, lanes, tree, false, false);
    sum_values(s, tree, r->distinct_y);
}

static void count_plain(lane_sums *s, const kendall_rows *r, const uint8_t *lanes, uint32_t *tree)
{
    count_all(s, r, lanes, tree);
}

#if defined __x86_64__
__attribute__((target("avx2"), flatten)) static void
count_avx2(lane_sums *s, const kendall_rows *r, const uint8_t *lanes, uint32_t *tree)
{
    count_all(s, r, lanes, tree);
}
#endif

static void count(lane_sums *s, const kendall_rows *r, const uint8_t *lanes, uint32_t *tree)
{
#if defined __x86_64__
    if (__builtin_cpu_supports("avx2")) {
        count_avx2(s, r, lanes, tree);
        return;
    }
#endif
    count_plain(s, r, lanes, tree);
}

void kendall_lanes(kendall out[KENDALL_LANES], const kendall_rows *r, const kendall_sets *sets,
                   void *scratch)
{
    lane_sums s;
    if (r->distinct_y > VALUES_MOST || r->n == 0) {
        for (size_t k = 0; k < LANES; k++)
            kendall_clustered(&out[k], r, sets->w + k * sets->stride, scratch);
        return;
    }
    memset(&s, 0, sizeof s);
    count(&s, r, sets->lanes, scratch);
    for (size_t k = 0; k < LANES; k++) {
        kendall_sums one = {.sum = s.sum[k], .square = s.square[k], .x2 = s.x2[k], .y2 = s.y2[k],
                            .both2 = s.both2[k], .rows = s.rows[k], .used_x = s.used_x[k],
                            .used_y = s.used_y[k], .inverse = (int64_t)s.inverse[k]};
        kendall_of_sums(&out[k], r, &one);
    }
}
