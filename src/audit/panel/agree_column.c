#include <math.h>
#include <string.h>

#include "audit/panel/agree_cells.h"
#include "base/error.h"
#include "stats/rank.h"

static uint32_t place_of(const double *values, size_t n, double key)
{
    size_t lo = 0, hi = n;
    while (lo + 1 < hi) {
        size_t mid = (lo + hi) / 2;
        if (values[mid] <= key) lo = mid;
        else hi = mid;
    }
    return (uint32_t)lo;
}

tare_status agree_code(double **values, size_t *count, uint32_t *order, arena *a, const double *x,
                       size_t n, tare_error *err)
{
    tare_status status = TARE_OK;
    double *sorted;
    size_t have = 0, distinct = 0;
    TRY_NEW(sorted = arena_new(a, n, sizeof *sorted));
    for (size_t i = 0; i < n; i++)
        if (!isnan(x[i])) sorted[have++] = rank_key(x[i]);
    rank_sort(sorted, have);
    for (size_t i = 0; i < have; i++)
        if (distinct == 0 || sorted[i] != sorted[distinct - 1]) sorted[distinct++] = sorted[i];
    for (size_t i = 0; order && i < n; i++)
        order[i] = isnan(x[i]) ? UINT32_MAX : place_of(sorted, distinct, rank_key(x[i]));
    *values = sorted;
    *count = distinct;
done:
    return status;
}

typedef struct coded_rows {
    uint32_t *x, *y, *cluster;
    size_t n;
} coded_rows;

/* Rows sorted by x, or by y, keeping the order of equal ones. `start` [values + 1] is scratch. */
static void sort_by(coded_rows *to, const coded_rows *from, const uint32_t *key, size_t values,
                    size_t *start)
{
    memset(start, 0, (values + 1) * sizeof *start);
    for (size_t i = 0; i < from->n; i++) start[key[i] + 1]++;
    for (size_t v = 0; v < values; v++) start[v + 1] += start[v];
    for (size_t i = 0; i < from->n; i++) {
        size_t at = start[key[i]]++;
        to->x[at] = from->x[i];
        to->y[at] = from->y[i];
        to->cluster[at] = from->cluster[i];
    }
    to->n = from->n;
}

static tare_status rows_new(coded_rows *r, arena *a, size_t n, tare_error *err)
{
    tare_status status = TARE_OK;
    TRY_NEW(r->x = arena_new(a, n, sizeof *r->x));
    TRY_NEW(r->y = arena_new(a, n, sizeof *r->y));
    TRY_NEW(r->cluster = arena_new(a, n, sizeof *r->cluster));
done:
    return status;
}

static tare_status cut(agree_column *out, arena *a, const coded_rows *r, tare_error *err)
{
    tare_status status = TARE_OK;
    agree_cells *c = &out->c;
    for (size_t i = 0; i < r->n; i++)
        c->cells += i == 0 || r->x[i] != r->x[i - 1] || r->y[i] != r->y[i - 1];
    TRY_NEW(c->x = arena_new(a, c->cells, sizeof *c->x));
    TRY_NEW(c->y = arena_new(a, c->cells, sizeof *c->y));
    TRY_NEW(out->end = arena_new(a, c->cells, sizeof *out->end));
    for (size_t i = 0, k = 0; i < r->n; i++) {
        if (i + 1 < r->n && r->x[i] == r->x[i + 1] && r->y[i] == r->y[i + 1]) continue;
        c->x[k] = r->x[i];
        c->y[k] = r->y[i];
        out->end[k++] = (uint32_t)(i + 1);
    }
    out->cluster = r->cluster;
    out->rows = r->n;
done:
    return status;
}

tare_status agree_column_make(agree_column *out, arena *a, const double *x, const double *also,
                              const agree_rows *r, tare_error *err)
{
    tare_status status = TARE_OK;
    coded_rows p = {0}, q = {0};
    size_t *start;
    uint32_t *cx, *cy;
    double *copy;
    memset(out, 0, sizeof *out);
    TRY_NEW(copy = arena_new(a, r->rows, sizeof *copy));
    TRY_NEW(cx = arena_new(a, r->rows, sizeof *cx));
    TRY_NEW(cy = arena_new(a, r->rows, sizeof *cy));
    for (size_t i = 0; i < r->rows; i++)
        copy[i] = isnan(r->gold[i]) || (also && isnan(also[i])) ? NAN : x[i];
    TRY(agree_code(&out->c.vx, &out->c.kx, cx, a, copy, r->rows, err));
    for (size_t i = 0; i < r->rows; i++) copy[i] = isnan(copy[i]) ? NAN : r->gold[i];
    TRY(agree_code(&out->c.vy, &out->c.ky, cy, a, copy, r->rows, err));
    TRY(rows_new(&p, a, r->rows, err));
    TRY(rows_new(&q, a, r->rows, err));
    for (size_t i = 0; i < r->rows; i++) {
        if (isnan(copy[i])) continue;
        p.x[p.n] = cx[i];
        p.y[p.n] = cy[i];
        p.cluster[p.n++] = r->cluster[i];
    }
    size_t most = out->c.kx > out->c.ky ? out->c.kx : out->c.ky;
    TRY_NEW(start = arena_new(a, most + 1, sizeof *start));
    sort_by(&q, &p, p.y, out->c.ky, start);
    sort_by(&p, &q, q.x, out->c.kx, start);
    TRY(cut(out, a, &p, err));
done:
    return status;
}

size_t agree_column_scratch(const agree_column *c, size_t labels)
{
    return agree_scratch_bytes(c->c.kx, c->c.ky, labels) + c->c.cells * sizeof(uint64_t);
}

double agree_of_column(agree_kind kind, const agree_column *c, const uint8_t *w,
                       const agree_labels *labels, void *scratch)
{
    uint32_t *weight = scratch;
    uint64_t squares = 0;
    for (size_t k = 0, i = 0; k < c->c.cells; k++) {
        uint32_t sum = 0;
        for (; i < c->end[k]; i++) {
            uint32_t one = w ? w[c->cluster[i]] : 1;
            sum += one;
            squares += one * one;
        }
        weight[k] = sum;
    }
    agree_weights all = {weight, squares};
    return agree_of_cells(kind, &c->c, &all, labels, (uint64_t *)scratch + c->c.cells);
}
