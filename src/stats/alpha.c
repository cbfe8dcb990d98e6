/* alpha.c - ratings prepared for Krippendorff's alpha. */
#include <math.h>

#include "base/error.h"
#include "stats/alpha_parts.h"
#include "stats/moments.h"
#include "stats/radix.h"

void alpha_rows_free(alpha_rows *r)
{
    if (!r) return;
    mem_free(r->m, r->unit);
    mem_free(r->m, r->single);
    mem_free(r->m, r->entries);
    mem_free(r->m, r->value);
    mem_free(r->m, r->ratio);
    mem_free(r->m, r);
}

void alpha_rows_levels(alpha_rows *r, unsigned mask)
{
    r->levels = mask;
}

double alpha_ratio_distance(double c, double k)
{
    double d = c == k ? 0 : (c - k) / (c + k);
    return d * d;
}

static size_t count_ratings(const double *x, size_t raters)
{
    size_t count = 0;
    for (size_t j = 0; j < raters; j++) count += !isnan(x[j]);
    return count;
}

/* Units with two ratings or more, those with one, and the ratings of the first as items whose tag
 * is the place of the unit. */
static void list_units(alpha_rows *r, radix_item *items, const double *x, size_t units,
                       size_t raters)
{
    size_t at = 0;
    for (size_t u = 0; u < units; u++) {
        const double *row = x + u * raters;
        size_t ratings = count_ratings(row, raters);
        if (ratings == 1) r->single[r->singles++] = (uint32_t)u;
        if (ratings < 2) continue;
        r->unit[r->units] = (alpha_unit){.unit = (uint32_t)u, .ratings = (uint32_t)ratings,
                                         .first = (uint32_t)at, .end = (uint32_t)at};
        for (size_t j = 0; j < raters; j++) {
            if (isnan(row[j])) continue;
            items[at++] = (radix_item){.key = radix_key(row[j]), .tag = (uint32_t)r->units};
        }
        r->units++;
    }
}

static double value_of_key(uint64_t key)
{
    uint64_t bits = key >> 63 ? key ^ (uint64_t)1 << 63 : ~key;
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* Items by value: the lists of the units then come sorted. */
static void fill_entries(alpha_rows *r, const radix_item *items, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        alpha_unit *u = &r->unit[items[i].tag];
        r->value[items[i].rank] = value_of_key(items[i].key);
        if (u->end > u->first && r->entries[u->end - 1].value == items[i].rank)
            r->entries[u->end - 1].count++;
        else
            r->entries[u->end++] = (alpha_entry){items[i].rank, 1};
    }
}

/* By a power of two, which changes no alpha: no square overflows. */
static void scale_values(alpha_rows *r)
{
    double low = r->values ? fabs(r->value[0]) : 0;
    double largest = r->values ? fmax(low, fabs(r->value[r->values - 1])) : 0;
    if (largest == 0 || isinf(largest)) return;
    int exponent = -ilogb(largest);
    double scale = ldexp(1, exponent > 1000 ? 1000 : exponent);
    for (size_t v = 0; v < r->values; v++) r->value[v] *= scale;
}

static tare_status make_ratio(alpha_rows *r, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t at = 0, v = r->values;
    r->ratio_limited = v > ALPHA_RATIO_VALUES;
    if (r->ratio_limited || v == 0 || r->value[0] < 0) goto done;
    TRY_NEW(r->ratio = mem_resize(r->m, NULL, v * (v - 1) / 2 + 1, sizeof *r->ratio));
    for (size_t c = 0; c < v; c++)
        for (size_t k = c + 1; k < v; k++)
            r->ratio[at++] = alpha_ratio_distance(r->value[c], r->value[k]);
done:
    return status;
}

static void measure_unit(const alpha_rows *r, alpha_unit *u)
{
    double m = u->ratings;
    neumaier sum = {0, 0}, square = {0, 0}, same = {0, 0}, ratio = {0, 0};
    const alpha_entry *end = r->entries + u->end;
    for (const alpha_entry *e = r->entries + u->first; e < end; e++) {
        neumaier_add(&sum, e->count * r->value[e->value]);
        neumaier_add(&same, (double)e->count * e->count);
        for (const alpha_entry *f = e + 1; f < end && r->ratio; f++)
            neumaier_add(&ratio, 2.0 * e->count * f->count
                                     * alpha_ratio_distance(r->value[e->value],
                                                            r->value[f->value]));
    }
    double mean = neumaier_total(&sum) / m;
    for (const alpha_entry *e = r->entries + u->first; e < end; e++) {
        double d = r->value[e->value] - mean;
        neumaier_add(&square, e->count * (d * d));
    }
    bool alone = u->end - u->first == 1; /* one value: no rounding of its mean */
    u->nominal = (m * m - neumaier_total(&same)) / (m - 1);
    u->interval = alone ? 0 : 2 * m * neumaier_total(&square) / (m - 1);
    u->ratio = neumaier_total(&ratio) / (m - 1);
}

tare_status alpha_rows_new(alpha_rows **out, const double *x, size_t units, size_t raters,
                           const mem *m, tare_error *err)
{
    tare_status status = TARE_OK;
    alpha_rows *r = NULL;
    radix_item *items = NULL, *spare = NULL, *sorted;
    size_t cells = units * raters, n = 0;
    *out = NULL;
    if ((raters && units > INT32_MAX / raters) || units > INT32_MAX)
        FAIL(err, TARE_E_LIMIT, "alpha.size", NULL, "%zu units x %zu raters", units, raters);
    TRY_NEW(r = mem_new(m, 1, sizeof *r));
    r->m = m;
    r->levels = (1u << ALPHA_LEVELS) - 1;
    TRY_NEW(items = mem_resize(m, NULL, cells + 1, sizeof *items));
    TRY_NEW(spare = mem_resize(m, NULL, cells + 1, sizeof *spare));
    TRY_NEW(r->unit = mem_new(m, units, sizeof *r->unit));
    TRY_NEW(r->single = mem_new(m, units, sizeof *r->single));
    list_units(r, items, x, units, raters);
    for (size_t u = 0; u < r->units; u++) n += r->unit[u].ratings;
    sorted = radix_sort(items, spare, n);
    r->values = radix_ranks(sorted, n);
    TRY_NEW(r->entries = mem_new(m, n, sizeof *r->entries));
    TRY_NEW(r->value = mem_new(m, r->values, sizeof *r->value));
    fill_entries(r, sorted, n);
    scale_values(r);
    TRY(make_ratio(r, err));
    for (size_t u = 0; u < r->units; u++) measure_unit(r, &r->unit[u]);
    *out = r;
    r = NULL;
done:
    mem_free(m, items);
    mem_free(m, spare);
    alpha_rows_free(r);
    return status;
}
