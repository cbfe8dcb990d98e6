/* kendall_order.c - rows in the order of two variables. */
#include <math.h>

#include "base/error.h"
#include "stats/kendall_parts.h"
#include "stats/radix.h"

void kendall_order_free(kendall_order *o)
{
    if (!o->m) return;
    mem_free(o->m, o->row);
    mem_free(o->m, o->x);
    mem_free(o->m, o->y);
    *o = (kendall_order){0};
}

tare_status kendall_order_make(kendall_order *out, const double *x, const double *y, size_t n,
                               const mem *m, tare_error *err)
{
    tare_status status = TARE_OK;
    radix_item *items = NULL, *spare = NULL;
    *out = (kendall_order){.m = m, .n = n};
    if (n > INT32_MAX) FAIL(err, TARE_E_LIMIT, "kendall.size", NULL, "%zu rows", n);
    for (size_t i = 0; i < n; i++)
        if (isnan(x[i]) || isnan(y[i]))
            FAIL(err, TARE_E_DATA, "kendall.nan", NULL, "a value to rank is not a number");
    TRY_NEW(items = mem_resize(m, NULL, n ? n : 1, sizeof *items));
    TRY_NEW(spare = mem_resize(m, NULL, n ? n : 1, sizeof *spare));
    TRY_NEW(out->row = mem_new(m, n, sizeof *out->row));
    TRY_NEW(out->x = mem_new(m, n, sizeof *out->x));
    TRY_NEW(out->y = mem_new(m, n, sizeof *out->y));
    for (size_t i = 0; i < n; i++)
        items[i] = (radix_item){.key = radix_key(y[i]), .tag = (uint32_t)i};
    radix_sort(items, spare, n);
    out->distinct_y = radix_ranks(items, n);
    for (size_t i = 0; i < n; i++) items[i].key = radix_key(x[items[i].tag]);
    radix_sort(items, spare, n); /* stable: y ascends within one x */
    for (size_t i = 0; i < n; i++) {
        out->distinct_x += i == 0 || items[i].key != items[i - 1].key;
        out->row[i] = items[i].tag;
        out->x[i] = (uint32_t)out->distinct_x - 1;
        out->y[i] = items[i].rank;
    }
done:
    mem_free(m, items);
    mem_free(m, spare);
    if (status != TARE_OK) kendall_order_free(out);
    return status;
}
