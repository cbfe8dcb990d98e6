/* kendall.c - all rows once, each with weight 1. */
#include "stats/kendall.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/error.h"
#include "stats/kendall_parts.h"
#include "stats/special.h"

void kendall_finish(kendall *k, double n2)
{
    int64_t untied_x = k->pairs - k->tied_x, untied_y = k->pairs - k->tied_y;
    size_t least = k->distinct_x < k->distinct_y ? k->distinct_x : k->distinct_y;
    k->concordant = untied_x - k->tied_y + k->tied_both - k->discordant;
    k->tau_b = k->tau_c = NAN;
    if (untied_x <= 0 || untied_y <= 0) return;
    double difference = (double)(k->concordant - k->discordant), m = (double)least;
    double b = difference / sqrt((double)untied_x) / sqrt((double)untied_y);
    double c = 2 * difference / (n2 * (m - 1) / m);
    k->tau_b = fmax(-1, fmin(1, b));
    k->tau_c = fmax(-1, fmin(1, c));
}

/* Pairs (i < j) with v[i] > v[j]; begin <= v < end. The range of values is halved, either half in
 * order: a small value that comes after large ones is in inverse order with each of them. No branch
 * depends on a value. Both arrays are overwritten. */
static int64_t inversions(uint32_t *v, uint32_t *spare, size_t n, uint32_t begin, uint32_t end)
{
    enum { SHORT = 16 };
    int64_t count = 0;
    if (n <= SHORT) {
        for (size_t i = 1; i < n; i++)
            for (size_t j = 0; j < i; j++) count += v[j] > v[i];
        return count;
    }
    if (end - begin < 2) return 0;
    uint32_t middle = begin + (end - begin) / 2;
    size_t small = 0, large = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t value = v[i];
        size_t is_small = value < middle;
        v[small] = value; /* small <= i */
        spare[large] = value;
        count += (int64_t)(large & (0 - is_small));
        small += is_small;
        large += 1 - is_small;
    }
    memcpy(v + small, spare, large * sizeof *v);
    return count + inversions(v, spare, small, begin, middle)
           + inversions(v + small, spare, large, middle, end);
}

/* The counts of rows in order; o->spare is overwritten. */
static void count_pairs(kendall *out, kendall_ties *tx, kendall_order *o)
{
    size_t n = o->n, first_x = 0, first_both = 0;
    const radix_item *items = o->items;
    uint32_t *y = (uint32_t *)(void *)o->spare, *spare = y + n;
    kendall_ties both = {0};
    *out = (kendall){.n = n, .distinct_x = o->distinct_x, .distinct_y = o->distinct_y};
    for (size_t i = 1; i <= n; i++) {
        bool new_x = i == n || items[i].key != items[i - 1].key;
        y[i - 1] = items[i - 1].rank;
        if (new_x || items[i].rank != items[i - 1].rank) {
            kendall_ties_add(&both, i - first_both);
            first_both = i;
        }
        if (!new_x) continue;
        kendall_ties_add(tx, i - first_x);
        first_x = i;
    }
    out->pairs = n ? (int64_t)n * ((int64_t)n - 1) / 2 : 0;
    out->tied_x = tx->pairs;
    out->tied_y = o->ties_y.pairs;
    out->tied_both = both.pairs;
    out->discordant = inversions(y, spare, n, 0, (uint32_t)o->distinct_y);
    kendall_finish(out, (double)n * (double)n);
}

tare_status kendall_tau(kendall *out, const double *x, const double *y, size_t n, const mem *m,
                        tare_error *err)
{
    tare_status status = TARE_OK;
    kendall_order order;
    kendall_ties tx = {0};
    TRY(kendall_order_make(&order, x, y, n, m, err));
    count_pairs(out, &tx, &order);
done:
    kendall_order_free(&order);
    return status;
}

tare_status kendall_p(double *p, const double *x, const double *y, size_t n, const mem *m,
                      tare_error *err)
{
    tare_status status = TARE_OK;
    kendall_order order;
    kendall_ties tx = {0}, *ty = &order.ties_y;
    kendall k;
    TRY(kendall_order_make(&order, x, y, n, m, err));
    count_pairs(&k, &tx, &order);
    *p = NAN;
    if (isnan(k.tau_b)) goto done;
    double size = (double)n, m0 = size * (size - 1);
    double v = (m0 * (2 * size + 5) - neumaier_total(&tx.wide) - neumaier_total(&ty->wide)) / 18;
    v += 2 * (double)tx.pairs * (double)ty->pairs / m0;
    if (n > 2) v += neumaier_total(&tx.cubes) * neumaier_total(&ty->cubes) / (9 * m0 * (size - 2));
    *p = 2 * norm_sf(fabs((double)(k.concordant - k.discordant)) / sqrt(v));
done:
    kendall_order_free(&order);
    return status;
}
