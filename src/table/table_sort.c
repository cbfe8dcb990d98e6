/* table_sort.c - canonical order, and duplicate keys.
 *
 * Keys are packed into 64-bit words, as many as fit, and sorted by counting 11 bits at a time from
 * the least significant on (stable, so ties stay in row order). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "table/table_parts.h"

enum { DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS };

typedef struct packed {
    uint64_t word;
    uint32_t row;
} packed;

static unsigned bits_for(size_t levels)
{
    return levels <= 1 ? 0 : 64 - (unsigned)__builtin_clzll((unsigned long long)(levels - 1));
}

static uint64_t place_of(const table_key *key, size_t row)
{
    uint32_t code = key->codes[row];
    return key->rank != NULL ? key->rank[code] : code;
}

/* One stable counting pass over 11 bits from `shift` on. */
static void sort_digit(packed *to, const packed *from, size_t n, unsigned shift)
{
    size_t count[DIGITS] = {0}, sum = 0;
    for (size_t i = 0; i < n; i++) count[from[i].word >> shift & (DIGITS - 1)]++;
    for (size_t d = 0; d < DIGITS; d++) {
        size_t here = count[d];
        count[d] = sum;
        sum += here;
    }
    for (size_t i = 0; i < n; i++) to[count[from[i].word >> shift & (DIGITS - 1)]++] = from[i];
}

/* Sorts *a by keys [first, last), which fit into one word; *a and *b may change places. */
static void sort_group(packed **a, packed **b, const table_sort *what, size_t first, size_t last)
{
    unsigned bits = 0;
    for (size_t i = 0; i < what->rows; i++) (*a)[i].word = 0;
    for (size_t k = first; k < last; k++) {
        unsigned width = bits_for(what->keys[k].levels);
        for (size_t i = 0; i < what->rows && width > 0; i++) {
            packed *p = &(*a)[i];
            p->word = p->word << width | place_of(&what->keys[k], p->row);
        }
        bits += width;
    }
    for (unsigned shift = 0; shift < bits; shift += DIGIT_BITS) {
        sort_digit(*b, *a, what->rows, shift);
        packed *swap = *a;
        *a = *b;
        *b = swap;
    }
}

static bool same_key(const table_sort *what, size_t x, size_t y)
{
    for (size_t k = 0; k < what->key_count; k++) {
        if (place_of(&what->keys[k], x) != place_of(&what->keys[k], y)) return false;
    }
    return true;
}

static bool same_values(const table_sort *what, size_t x, size_t y)
{
    for (size_t k = 0; k < what->value_count; k++) {
        if (memcmp(&what->values[k][x], &what->values[k][y], sizeof(double)) != 0) return false;
    }
    for (size_t k = 0; k < what->code_count; k++) {
        if (what->codes[k][x] != what->codes[k][y]) return false;
    }
    return true;
}

static tare_status duplicate(const table_sort *what, size_t first, size_t second, tare_error *err)
{
    char names[200] = "", where[TABLE_WHERE_MAX] = "";
    size_t n = 0;
    for (size_t k = 0; k < what->key_count && n < sizeof names; k++) {
        n += (size_t)snprintf(names + n, sizeof names - n, "%s%s", k > 0 ? ", " : "",
                              what->keys[k].name);
    }
    if (what->t != NULL) {
        table_where(where, what->t, second, TABLE_NONE);
        return error_set(err, TARE_E_DATA, "table.duplicate_key", where,
                         "%s %zu and %zu have the same %s, but other values",
                         what->t->source->lines, table_line(what->t, first),
                         table_line(what->t, second), names);
    }
    return error_set(err, TARE_E_DATA, "table.duplicate_key", where,
                     "rows %zu and %zu have the same %s, but other values", first + 1, second + 1,
                     names);
}

tare_status table_sort_rows(uint32_t **order, size_t *kept, size_t *dropped, const mem *m,
                            const table_sort *what, tare_error *err)
{
    tare_status status = TARE_OK;
    packed *a = NULL, *b = NULL;
    uint32_t *rows = NULL;
    size_t n = what->rows, count = 0;
    *order = NULL;
    *kept = *dropped = 0;
    if (n > UINT32_MAX) FAIL(err, TARE_E_LIMIT, "table.rows", "", "too many rows to sort: %zu", n);
    TRY_NEW(a = mem_resize(m, NULL, n, sizeof *a));
    TRY_NEW(b = mem_resize(m, NULL, n, sizeof *b));
    TRY_NEW(rows = mem_resize(m, NULL, n, sizeof *rows));
    for (size_t i = 0; i < n; i++) a[i].row = (uint32_t)i;
    for (size_t last = what->key_count; last > 0;) { /* the last keys first */
        size_t first = last;
        unsigned bits = 0;
        while (first > 0 && bits + bits_for(what->keys[first - 1].levels) <= 64) {
            bits += bits_for(what->keys[--first].levels);
        }
        sort_group(&a, &b, what, first, last);
        last = first;
    }
    /* With several words the packed word holds the first keys only: it can rule equality out. */
    for (size_t i = 0; i < n; i++) {
        size_t row = a[i].row;
        bool same = count > 0 && a[i].word == a[i - 1].word
                    && same_key(what, rows[count - 1], row);
        if (!same) {
            rows[count++] = (uint32_t)row;
        } else if (same_values(what, rows[count - 1], row)) {
            ++*dropped;
        } else {
            TRY(duplicate(what, rows[count - 1], row, err));
        }
    }
    *order = rows;
    *kept = count;
    rows = NULL;
done:
    mem_free(m, rows);
    mem_free(m, b);
    mem_free(m, a);
    return status;
}

/* ---- Numbers as keys ------------------------------------------------------- */

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The slot of a value in an open table of `size` slots that hold index + 1. */
static size_t value_slot(const uint32_t *slots, size_t size, const double *values, double v)
{
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    bits *= 0x9E3779B97F4A7C15u;
    size_t i = (size_t)(bits >> 20) & (size - 1);
    while (slots[i] != 0 && values[slots[i] - 1] != v) i = (i + 1) & (size - 1);
    return i;
}

typedef struct values_found {
    double *values;
    uint32_t *slots;
    size_t count, capacity, size;
} values_found;

static bool grow_slots(values_found *f, const mem *m)
{
    size_t size = f->size == 0 ? 256 : f->size * 2;
    uint32_t *slots = mem_new(m, size, sizeof *slots);
    if (slots == NULL) return false;
    for (size_t k = 0; k < f->count; k++) {
        slots[value_slot(slots, size, f->values, f->values[k])] = (uint32_t)k + 1;
    }
    mem_free(m, f->slots);
    f->slots = slots;
    f->size = size;
    return true;
}

tare_status table_code_numbers(uint32_t *codes, double **levels, size_t *level_count,
                               const mem *m, const double *values, size_t rows, tare_error *err)
{
    tare_status status = TARE_OK;
    values_found f = {0};
    *levels = NULL;
    *level_count = 0;
    for (size_t i = 0; i < rows; i++) {
        double v = values[i] + 0.0; /* -0 + 0 = 0 */
        if (isnan(v)) FAIL(err, TARE_E_BUG, "table.key_nan", "", "row %zu: a key is NaN", i + 1);
        if (f.count * 2 >= f.size && !grow_slots(&f, m)) FAIL_MEMORY(err);
        size_t slot = value_slot(f.slots, f.size, f.values, v);
        if (f.slots[slot] == 0) {
            if (!mem_reserve(m, &f.values, &f.capacity, f.count + 1, sizeof v)) FAIL_MEMORY(err);
            f.values[f.count] = v;
            f.slots[slot] = (uint32_t)++f.count;
        }
    }
    if (f.values == NULL) TRY_NEW(f.values = mem_new(m, 0, sizeof(double)));
    /* Sort the values, then give each its place. */
    qsort(f.values, f.count, sizeof *f.values, compare_doubles);
    if (f.size > 0) memset(f.slots, 0, f.size * sizeof *f.slots);
    for (size_t k = 0; k < f.count; k++) {
        f.slots[value_slot(f.slots, f.size, f.values, f.values[k])] = (uint32_t)k + 1;
    }
    for (size_t i = 0; i < rows; i++) {
        codes[i] = f.slots[value_slot(f.slots, f.size, f.values, values[i] + 0.0)] - 1;
    }
    *levels = f.values;
    *level_count = f.count;
    f.values = NULL;
done:
    mem_free(m, f.values);
    mem_free(m, f.slots);
    return status;
}
