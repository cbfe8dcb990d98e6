/* kendall_order.c - rows in the order of two variables. */
#include <math.h>

#include "base/error.h"
#include "stats/kendall_parts.h"

void kendall_order_free(kendall_order *o)
{
    if (!o->m) return;
    mem_free(o->m, o->items);
    mem_free(o->m, o->spare);
    *o = (kendall_order){0};
}

void kendall_ties_add(kendall_ties *s, size_t rows)
{
    double t = (double)rows;
    s->pairs += (int64_t)rows * ((int64_t)rows - 1) / 2;
    neumaier_add(&s->cubes, t * (t - 1) * (t - 2));
    neumaier_add(&s->wide, t * (t - 1) * (2 * t + 5));
}

static void sort(kendall_order *o)
{
    radix_item *sorted = radix_sort(o->items, o->spare, o->n);
    if (sorted == o->items) return;
    o->spare = o->items;
    o->items = sorted;
}

/* Dense ranks of the items by y, and its ties. */
static void rank_y(kendall_order *o)
{
    size_t first = 0;
    o->distinct_y = radix_ranks(o->items, o->n);
    for (size_t i = 1; i <= o->n; i++) {
        if (i < o->n && o->items[i].rank == o->items[i - 1].rank) continue;
        kendall_ties_add(&o->ties_y, i - first);
        first = i;
    }
}

tare_status kendall_order_make(kendall_order *out, const double *x, const double *y, size_t n,
                               const mem *m, tare_error *err)
{
    tare_status status = TARE_OK;
    *out = (kendall_order){.m = m, .n = n};
    if (n > INT32_MAX) FAIL(err, TARE_E_LIMIT, "kendall.size", NULL, "%zu rows", n);
    for (size_t i = 0; i < n; i++)
        if (isnan(x[i]) || isnan(y[i]))
            FAIL(err, TARE_E_DATA, "kendall.nan", NULL, "a value to rank is not a number");
    TRY_NEW(out->items = mem_resize(m, NULL, n + 1, sizeof *out->items));
    TRY_NEW(out->spare = mem_resize(m, NULL, n + 1, sizeof *out->spare));
    for (size_t i = 0; i < n; i++)
        out->items[i] = (radix_item){.key = radix_key(y[i]), .tag = (uint32_t)i};
    sort(out);
    rank_y(out);
    for (size_t i = 0; i < n; i++) out->items[i].key = radix_key(x[out->items[i].tag]);
    sort(out); /* stable: y ascends within one x */
    for (size_t i = 0; i < n; i++)
        out->distinct_x += i == 0 || out->items[i].key != out->items[i - 1].key;
done:
    if (status != TARE_OK) kendall_order_free(out);
    return status;
}
