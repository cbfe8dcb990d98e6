/* score_units.c - units, layers, and what is constant in an item or a unit. */
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "audit/judge/score_build.h"
#include "base/error.h"

#define DENSE_LEAST ((size_t)1 << 20)
#define ROWS_AT_ONCE 65536

/* ---- Units ------------------------------------------------------------------- */

static bool dense(const score_build *b)
{
    size_t items = b->out->item.count, authors = b->out->author.count;
    size_t most = b->rows > DENSE_LEAST / 8 ? b->rows * 8 : DENSE_LEAST;
    return items <= most / authors;
}

static int compare_keys(const void *x, const void *y)
{
    uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;
    return (a > b) - (a < b);
}

/* Pairs and combinations that occur. Threads store the same byte, if they meet. */
typedef struct marks {
    const score_build *b;
    _Atomic uint8_t *pair, *combination; /* NULL: not wanted */
} marks;

static tare_status mark_rows(void *arg, size_t begin, size_t end, unsigned worker, tare_error *err)
{
    const marks *m = arg;
    (void)worker, (void)err;
    for (size_t i = begin; i < end; i++) {
        if (m->pair)
            atomic_store_explicit(&m->pair[score_row_key(m->b, i)], 1, memory_order_relaxed);
        if (m->combination)
            atomic_store_explicit(&m->combination[score_row_layer_key(m->b, i)], 1,
                                  memory_order_relaxed);
    }
    return TARE_OK;
}

static tare_status dense_units(score_build *b, const _Atomic uint8_t *pair, size_t all,
                               tare_error *err)
{
    tare_status status = TARE_OK;
    size_t units = 0;
    TRY_NEW(b->unit_at = arena_new(&b->scratch, all, sizeof *b->unit_at));
    for (size_t k = 0; k < all; k++) units += pair[k];
    TRY_NEW(b->unit_key = arena_new(&b->scratch, units, sizeof *b->unit_key));
    units = 0;
    for (size_t k = 0; k < all; k++) {
        b->unit_at[k] = pair[k] ? (uint32_t)units : SCORE_NO_CODE;
        if (pair[k]) b->unit_key[units++] = k;
    }
    b->out->units = units;
done:
    return status;
}

/* Few of the pairs occur: sort the keys of the rows. */
static tare_status sparse_units(score_build *b, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t units = 0;
    TRY_NEW(b->unit_key = arena_new(&b->scratch, b->rows, sizeof *b->unit_key));
    for (size_t i = 0; i < b->rows; i++) b->unit_key[i] = score_row_key(b, i);
    qsort(b->unit_key, b->rows, sizeof *b->unit_key, compare_keys);
    for (size_t i = 0; i < b->rows; i++)
        if (units == 0 || b->unit_key[i] != b->unit_key[units - 1])
            b->unit_key[units++] = b->unit_key[i];
    b->out->units = units;
done:
    return status;
}

size_t score_find_unit(const score_build *b, size_t item, size_t author)
{
    uint64_t key = (uint64_t)item * b->out->author.count + author;
    if (b->unit_at) return b->unit_at[key] == SCORE_NO_CODE ? SIZE_MAX : b->unit_at[key];
    size_t lo = 0, hi = b->out->units;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (b->unit_key[mid] < key)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < b->out->units && b->unit_key[lo] == key ? lo : SIZE_MAX;
}

static tare_status find_rows(void *arg, size_t begin, size_t end, unsigned worker, tare_error *err)
{
    score_build *b = arg;
    (void)worker, (void)err;
    for (size_t i = begin; i < end; i++)
        b->row_unit[i] = (uint32_t)score_find_unit(b, score_place(&b->item, i),
                                                   score_place(&b->author, i));
    return TARE_OK;
}

/* ---- Layers ------------------------------------------------------------------ */

static tare_status make_layers(score_build *b, const _Atomic uint8_t *combination, size_t all,
                               tare_error *err)
{
    tare_status status = TARE_OK;
    score_table *out = b->out;
    TRY_NEW(b->layer_at = arena_new(&b->scratch, all, sizeof *b->layer_at));
    TRY_NEW(out->layer = arena_new(b->a, all, sizeof *out->layer));
    for (size_t k = 0; k < all; k++) {
        b->layer_at[k] = SCORE_NO_CODE;
        if (all > 1 && !combination[k]) continue;
        out->layer[out->layers].setting = (uint32_t)(k / out->dim.count);
        out->layer[out->layers].dim = (uint32_t)(k % out->dim.count);
        b->layer_at[k] = (uint32_t)out->layers++;
    }
done:
    return status;
}

tare_status score_make_units(score_build *b, tare_error *err)
{
    tare_status status = TARE_OK;
    score_table *out = b->out;
    if (out->setting.count > SCORE_LAYERS_MAX / out->dim.count)
        FAIL(err, TARE_E_LIMIT, "score.layers", table_name(b->t),
             "%zu settings and %zu dimensions: more than %zu combinations", out->setting.count,
             out->dim.count, SCORE_LAYERS_MAX);
    bool direct = dense(b);
    size_t pairs = direct ? out->item.count * out->author.count : 0;
    size_t combinations = out->setting.count * out->dim.count;
    marks m = {.b = b};
    if (direct) TRY_NEW(m.pair = arena_new(&b->scratch, pairs, 1));
    if (combinations > 1) TRY_NEW(m.combination = arena_new(&b->scratch, combinations, 1));
    TRY(pool_for(b->context->pool, b->rows, ROWS_AT_ONCE, mark_rows, &m, err));
    TRY(direct ? dense_units(b, m.pair, pairs, err) : sparse_units(b, err));
    TRY(make_layers(b, m.combination, combinations, err));
    TRY_NEW(out->unit_item = arena_new(b->a, out->units, sizeof *out->unit_item));
    TRY_NEW(out->unit_author = arena_new(b->a, out->units, sizeof *out->unit_author));
    for (size_t u = 0; u < out->units; u++) {
        out->unit_item[u] = (uint32_t)(b->unit_key[u] / out->author.count);
        out->unit_author[u] = (uint32_t)(b->unit_key[u] % out->author.count);
    }
    if (direct) goto done;
    TRY_NEW(b->row_unit = arena_new(&b->scratch, b->rows, sizeof *b->row_unit));
    TRY(pool_for(b->context->pool, b->rows, ROWS_AT_ONCE, find_rows, b, err));
done:
    return status;
}

/* ---- Clusters and folds: constant in an item ----------------------------------- */

/* code[item] of a text column that must not vary within an item. */
static tare_status of_items(uint32_t *code, score_build *b, int role, const char *what,
                            tare_error *err)
{
    tare_status status = TARE_OK;
    size_t column = b->role[role].column;
    const uint32_t *codes = table_text_column(b->t, column).codes;
    for (size_t k = 0; k < b->out->item.count; k++) code[k] = SCORE_NO_CODE;
    for (size_t i = 0; i < b->rows; i++) {
        uint32_t item = score_place(&b->item, i);
        if (code[item] == SCORE_NO_CODE) code[item] = codes[i];
        if (code[item] == codes[i]) continue;
        size_t first = 0;
        while (score_place(&b->item, first) != item) first++;
        TRY(score_conflict(b->t, "score.varies", (const size_t[2]){first, i}, column, what, err));
    }
done:
    return status;
}

typedef struct item_name { const char *name; uint32_t item; bool own; } item_name;

static int compare_item_names(const void *x, const void *y)
{
    const item_name *a = x, *b = y;
    int order = strcmp(a->name, b->name);
    return order ? order : (a->item > b->item) - (a->item < b->item);
}

/* An axis from list[items]; `own`: an empty field, named like the item. */
static tare_status axis_of_items(name_axis *axis, uint32_t *place, score_build *b, item_name *list,
                                 tare_error *err)
{
    tare_status status = TARE_OK;
    size_t n = b->out->item.count;
    if (n) qsort(list, n, sizeof *list, compare_item_names);
    TRY_NEW(axis->name = arena_new(b->a, n + 1, sizeof *axis->name));
    for (size_t k = 0; k < n; k++) {
        bool same = k > 0 && strcmp(list[k].name, list[k - 1].name) == 0;
        if (same && (list[k].own || list[k - 1].own))
            FAIL(err, TARE_E_DATA, "score.cluster", table_name(b->t),
                 "item %s has no cluster, and another item is in a cluster of that name: write it "
                 "out",
                 score_shown(b, list[k].name));
        if (!same) TRY_NEW(axis->name[axis->count++] = arena_copy(b->a, list[k].name));
        place[list[k].item] = (uint32_t)axis->count - 1;
    }
done:
    return status;
}

static tare_status fill_clusters(score_build *b, tare_error *err)
{
    tare_status status = TARE_OK;
    score_table *out = b->out;
    item_name *list = NULL;
    size_t column = b->role[ROLE_CLUSTER].column;
    TRY_NEW(out->item_cluster = arena_new(b->a, out->item.count, sizeof *out->item_cluster));
    if (column == TABLE_NONE) {
        out->cluster = out->item;
        for (size_t k = 0; k < out->item.count; k++) out->item_cluster[k] = (uint32_t)k;
        goto done;
    }
    TRY(of_items(out->item_cluster, b, ROLE_CLUSTER,
                 "name two clusters for one item, and all rows of an item are in one", err));
    TRY_NEW(list = mem_new(b->m, out->item.count, sizeof *list));
    for (uint32_t k = 0; k < out->item.count; k++) {
        const char *name = table_level(b->t, column, out->item_cluster[k], NULL);
        list[k] = (item_name){*name ? name : out->item.name[k], k, *name == '\0'};
    }
    TRY(axis_of_items(&out->cluster, out->item_cluster, b, list, err));
done:
    mem_free(b->m, list);
    return status;
}

static tare_status fill_folds(score_build *b, tare_error *err)
{
    tare_status status = TARE_OK;
    score_table *out = b->out;
    item_name *list = NULL;
    size_t column = b->role[ROLE_FOLD].column;
    if (column == TABLE_NONE) return TARE_OK;
    TRY_NEW(out->item_fold = arena_new(b->a, out->item.count, sizeof *out->item_fold));
    TRY(of_items(out->item_fold, b, ROLE_FOLD,
                 "name two folds for one item, and all rows of an item are in one", err));
    TRY_NEW(list = mem_new(b->m, out->item.count, sizeof *list));
    for (uint32_t k = 0; k < out->item.count; k++)
        list[k] = (item_name){table_level(b->t, column, out->item_fold[k], NULL), k, false};
    TRY(axis_of_items(&out->fold, out->item_fold, b, list, err));
    if (out->fold.count && out->fold.name[0][0] == '\0') {
        size_t row = 0;
        while (*table_level(b->t, column, table_text_column(b->t, column).codes[row], NULL)) row++;
        TRY(score_refuse(b->t, "score.fold", row, column, "the fold is empty", err));
    }
done:
    mem_free(b->m, list);
    return status;
}

/* ---- Lengths ------------------------------------------------------------------- */

/* One length per unit. Where rows of a unit disagree (another text by dimension): the middle of the
 * smallest and the largest, and a caution (ours). */
static tare_status fill_lengths(score_build *b, tare_error *err)
{
    tare_status status = TARE_OK;
    score_table *out = b->out;
    size_t column = b->role[ROLE_LENGTH].column, several = 0;
    double *most = NULL;
    if (column == TABLE_NONE) return TARE_OK;
    table_numbers n = table_number_column(b->t, column);
    if (n.count[TABLE_BAD] + n.count[TABLE_INFINITE] > 0) {
        size_t row = n.count[TABLE_BAD] ? n.first[TABLE_BAD] : n.first[TABLE_INFINITE];
        TRY(score_refuse(b->t, "score.length", row, column, "the length is no finite number", err));
    }
    TRY_NEW(out->length = arena_new(b->a, out->units, sizeof *out->length));
    TRY_NEW(most = mem_new(b->m, out->units, sizeof *most));
    for (size_t u = 0; u < out->units; u++) out->length[u] = most[u] = NAN;
    for (size_t i = 0; i < b->rows; i++) {
        size_t unit = score_row_unit(b, i);
        double *lo = &out->length[unit], *hi = &most[unit], x = n.values[i];
        if (n.status[i] != TABLE_OK) continue;
        if (isnan(*lo) || x < *lo) *lo = x;
        if (isnan(*hi) || x > *hi) *hi = x;
    }
    for (size_t u = 0; u < out->units; u++) {
        if (!(most[u] > out->length[u])) continue;
        several++;
        out->length[u] = out->length[u] / 2 + most[u] / 2;
    }
    if (several)
        TRY(score_caution(b, err,
                          "The length differs between rows of one item and author in %zu of %zu "
                          "such pairs: the middle of the smallest and the largest is used.",
                          several, out->units));
done:
    mem_free(b->m, most);
    return status;
}

tare_status score_fill_items(score_build *b, tare_error *err)
{
    tare_status status = TARE_OK;
    TRY(fill_clusters(b, err));
    TRY(fill_folds(b, err));
    TRY(fill_lengths(b, err));
done:
    return status;
}
