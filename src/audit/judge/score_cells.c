/* score_cells.c - entries into cells: duplicates, repeats.
 *
 * Nearly always a cell has one row: then each row claims its cell and writes there, on all threads.
 * Where a cell is claimed twice, or there are repeats, entries are sorted by cell. */
#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "audit/judge/score_build.h"
#include "base/error.h"
#include "stats/moments.h"

#define CELLS_AT_ONCE 65536

typedef score_filling filling;

static inline size_t cell_of(const filling *f, size_t row, size_t lane)
{
    const score_build *b = f->b;
    size_t judge = b->judge.codes ? b->judge.place[b->judge.codes[row]] : b->lane[lane].judge;
    size_t layer = b->out->layers > 1 ? b->layer_at[score_row_layer_key(b, row)] : 0;
    return layer * f->cells + (size_t)score_row_unit(b, row) * f->judges + judge;
}

static tare_status make_room(filling *f, tare_error *err)
{
    tare_status status = TARE_OK;
    score_build *b = f->b;
    score_table *out = b->out;
    f->judges = out->judge.count;
    if (out->units > SCORE_CELLS_MAX / f->judges ||
        out->layers > SCORE_CELLS_MAX / (out->units * f->judges))
        FAIL(err, TARE_E_LIMIT, "score.cells", table_name(b->t),
             "%zu items by authors, %zu judges and %zu settings by dimensions are %.3g cells; %zu "
             "is the most",
             out->units, f->judges, out->layers,
             (double)out->units * (double)f->judges * (double)out->layers, SCORE_CELLS_MAX);
    f->cells = out->units * f->judges;
    size_t all = f->cells * out->layers;
    TRY_NEW(f->score = arena_new(b->a, all, sizeof *f->score));
    TRY_NEW(f->status = arena_new(b->a, all, 1));
    for (size_t l = 0; l < out->layers; l++) {
        out->layer[l].score = f->score + l * f->cells;
        out->layer[l].status = f->status + l * f->cells;
    }
done:
    return status;
}

/* ---- One row per cell ------------------------------------------------------------ */

typedef struct claim { filling *f; atomic_bool twice; } claim;

static tare_status claim_cells(void *arg, size_t begin, size_t end, unsigned worker,
                               tare_error *err)
{
    claim *x = arg;
    filling *f = x->f;
    const score_build *b = f->b;
    _Atomic uint8_t *owner = (_Atomic uint8_t *)f->status;
    (void)worker, (void)err;
    if (atomic_load_explicit(&x->twice, memory_order_relaxed)) return TARE_OK;
    for (size_t i = begin; i < end; i++)
        for (size_t k = 0; k < b->lanes; k++) {
            size_t c = cell_of(f, i, k);
            uint8_t reason = b->reason[i * b->lanes + k], none = SCORE_NO_ROW;
            if (!atomic_compare_exchange_strong_explicit(&owner[c], &none, reason,
                                                         memory_order_relaxed,
                                                         memory_order_relaxed)) {
                atomic_store_explicit(&x->twice, true, memory_order_relaxed);
                return TARE_OK;
            }
            f->score[c] = reason == TARE_R_NONE ? b->lane[k].value[i] : NAN;
        }
    return TARE_OK;
}

static tare_status scatter(bool *done_with, filling *f, tare_error *err)
{
    claim x = {.f = f, .twice = false};
    const score_build *b = f->b;
    memset(f->status, SCORE_NO_ROW, f->cells * b->out->layers);
    tare_status status = pool_for(b->context->pool, b->rows, CELLS_AT_ONCE, claim_cells, &x, err);
    *done_with = !atomic_load(&x.twice);
    return status;
}

/* ---- Several rows per cell --------------------------------------------------------- */

/* Entries in the order of cells, by counting. */
static tare_status sort_entries(filling *f, tare_error *err)
{
    tare_status status = TARE_OK;
    const score_build *b = f->b;
    size_t all = f->cells * b->out->layers;
    TRY_NEW(f->start = mem_new(b->m, all + 1, sizeof *f->start));
    TRY_NEW(f->kept = mem_resize(b->m, NULL, all, sizeof *f->kept));
    TRY_NEW(f->list = mem_resize(b->m, NULL, b->rows * b->lanes, sizeof *f->list));
    for (size_t i = 0; i < b->rows; i++)
        for (size_t k = 0; k < b->lanes; k++) f->start[cell_of(f, i, k)]++;
    uint32_t sum = 0;
    for (size_t c = 0; c <= all; c++) {
        uint32_t here = f->start[c];
        f->start[c] = sum;
        sum += here;
    }
    /* start[c] moves to the end of its cell, which is where the next begins */
    for (size_t i = 0; i < b->rows; i++)
        for (size_t k = 0; k < b->lanes; k++)
            f->list[f->start[cell_of(f, i, k)]++] = (uint32_t)(i * b->lanes + k);
    memmove(f->start + 1, f->start, all * sizeof *f->start);
    f->start[0] = 0;
done:
    return status;
}

static double value_of(const score_build *b, uint32_t entry)
{
    return b->lane[entry % b->lanes].value[entry / b->lanes];
}

static uint32_t rep_of(const score_build *b, uint32_t entry)
{
    return score_place(&b->rep, entry / b->lanes);
}

static tare_status refuse_duplicate(const score_build *b, uint32_t x, uint32_t y, tare_error *err)
{
    const size_t rows[2] = {x / b->lanes, y / b->lanes};
    const char *what = "are of one item, author, judge and repeat, with other scores or statuses";
    if (!b->author.codes)
        what = "are of one item and judge, with other scores or statuses: if several things were "
               "judged for an item, name their column with --author; if they are repeats, with "
               "--rep";
    else if (!b->rep.codes)
        what = "are of one item, author and judge, with other scores or statuses: if they are "
               "repeats, name their column with --rep; if they are of several settings or "
               "dimensions, with --setting or --dim";
    return score_conflict(b->t, "score.duplicate", rows, b->lane[y % b->lanes].column, what, err);
}

/* Orders the n entries by repeat and drops equal ones. */
static tare_status clean_cell(uint32_t *kept, const score_build *b, uint32_t *list, uint32_t n,
                              tare_error *err)
{
    if (b->rep.codes)
        for (uint32_t i = 1; i < n; i++) {
            uint32_t entry = list[i], rep = rep_of(b, entry), j = i;
            for (; j > 0 && rep_of(b, list[j - 1]) > rep; j--) list[j] = list[j - 1];
            list[j] = entry;
        }
    *kept = 1;
    for (uint32_t i = 1; i < n; i++) {
        uint32_t x = list[*kept - 1], y = list[i];
        if (rep_of(b, x) != rep_of(b, y)) {
            list[(*kept)++] = y;
            continue;
        }
        double one = value_of(b, x), two = value_of(b, y);
        bool same = b->reason[x] == b->reason[y] &&
                    (b->reason[x] != TARE_R_NONE || memcmp(&one, &two, sizeof one) == 0);
        if (!same) return refuse_duplicate(b, x, y, err);
    }
    return TARE_OK;
}

/* Mean of the ok repeats; else the reason of the first. */
static void fill_cell(filling *f, size_t cell, const uint32_t *list, uint32_t n)
{
    const score_build *b = f->b;
    neumaier sum = {0, 0};
    uint32_t used = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (b->reason[list[i]] != TARE_R_NONE) continue;
        neumaier_add(&sum, value_of(b, list[i]));
        used++;
    }
    f->status[cell] = used ? (uint8_t)TARE_R_NONE : b->reason[list[0]];
    if (used == 0) {
        f->score[cell] = NAN;
        return;
    }
    f->score[cell] = neumaier_total(&sum) / used;
    if (isfinite(f->score[cell])) return;
    f->score[cell] = 0; /* the sum is beyond the range, the mean is not */
    for (uint32_t i = 0; i < n; i++)
        if (b->reason[list[i]] == TARE_R_NONE) f->score[cell] += value_of(b, list[i]) / used;
}

static tare_status fill_range(void *arg, size_t begin, size_t end, unsigned worker,
                              tare_error *err)
{
    filling *f = arg;
    (void)worker;
    for (size_t c = begin; c < end; c++) {
        uint32_t *list = f->list + f->start[c], n = f->start[c + 1] - f->start[c];
        f->kept[c] = 0;
        if (n == 0) {
            f->score[c] = NAN;
            f->status[c] = SCORE_NO_ROW;
            continue;
        }
        tare_status status = clean_cell(&f->kept[c], f->b, list, n, err);
        if (status != TARE_OK) return status;
        if (n == 1 && f->b->reason[list[0]] == TARE_R_NONE) {
            f->score[c] = value_of(f->b, list[0]);
            f->status[c] = TARE_R_NONE;
        } else {
            fill_cell(f, c, list, f->kept[c]);
        }
    }
    return TARE_OK;
}

/* ---- Cell means of --cells-from ---------------------------------------------------- */

static tare_status fill_extra(double **out, filling *f, int role, tare_error *err)
{
    tare_status status = TARE_OK;
    score_build *b = f->b;
    size_t column = b->role[role].column, all = f->cells * b->out->layers;
    double *x;
    if (column == TABLE_NONE) return TARE_OK;
    table_numbers n = table_number_column(b->t, column);
    TRY_NEW(x = *out = arena_new(b->a, all, sizeof *x));
    for (size_t c = 0; c < all; c++) {
        x[c] = NAN;
        if (f->kept[c] == 0) continue;
        size_t row = f->list[f->start[c]];
        if (n.status[row] == TABLE_BAD || n.status[row] == TABLE_INFINITE)
            TRY(score_refuse(b->t, "score.cell", row, column, "no finite number", err));
        x[c] = n.values[row];
    }
done:
    return status;
}

tare_status score_fill_cells(score_build *b, tare_error *err)
{
    tare_status status = TARE_OK;
    filling f = {.b = b};
    score_table *out = b->out;
    bool simple = out->reps == 1 && b->shape != SHAPE_CELLS;
    TRY(make_room(&f, err));
    if (simple) TRY(scatter(&simple, &f, err));
    if (!simple) {
        size_t all = f.cells * out->layers, kept = 0;
        TRY(sort_entries(&f, err));
        TRY(pool_for(b->context->pool, all, CELLS_AT_ONCE, fill_range, &f, err));
        for (size_t c = 0; c < all; c++) kept += f.kept[c];
        out->duplicates = b->rows * b->lanes - kept;
        TRY(fill_extra(&out->cell_sd, &f, ROLE_SD, err));
        TRY(fill_extra(&out->cell_n, &f, ROLE_N, err));
    }
    TRY(score_make_rows(&f, err));
done:
    mem_free(b->m, f.start);
    mem_free(b->m, f.list);
    mem_free(b->m, f.kept);
    return status;
}
