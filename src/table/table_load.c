/* table_load.c - all rows: cut, parse the chunks, join. */
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "table/table_parts.h"

tare_status table_for(table *t, size_t n, pool_range_fn fn, void *arg, tare_error *err)
{
    if (t->p != NULL) return pool_for(t->p, n, 1, fn, arg, err);
    for (size_t i = 0; i < n; i++) {
        tare_status status = fn(arg, i, i + 1, 0, err);
        if (status != TARE_OK) return status;
    }
    return TARE_OK;
}

static tare_status parse_chunk(void *arg, size_t begin, size_t end, unsigned worker,
                               tare_error *err)
{
    table *t = arg;
    (void)end, (void)worker;
    return table_parse_chunk(t, &t->chunks[begin], err);
}

tare_status table_make_columns(table *t, const unsigned *kinds, size_t slots, tare_error *err)
{
    tare_status status = TARE_OK;
    for (size_t i = 0; i < t->column_count; i++) {
        column *c = &t->columns[i];
        c->kind = kinds[i];
        levels_init(&c->levels, t->m);
        arena_init(&c->keys, t->m);
        if (c->kind & TABLE_NUMBER) {
            TRY_NEW(c->values = mem_resize(t->m, NULL, slots, sizeof *c->values));
            TRY_NEW(c->status = mem_resize(t->m, NULL, slots, 1));
        }
        if (c->kind & TABLE_TEXT) {
            c->text_index = t->text_count++;
            TRY_NEW(c->codes = mem_resize(t->m, NULL, slots, sizeof *c->codes));
        }
    }
done:
    return status;
}

tare_status table_prepare_chunk(table *t, chunk *c, tare_error *err)
{
    arena_init(&c->unescaped, t->m);
    c->levels = mem_new(t->m, t->text_count, sizeof *c->levels);
    if (c->levels == NULL) return error_memory(err);
    for (size_t i = 0; i < t->text_count; i++) levels_init(&c->levels[i], t->m);
    return TARE_OK;
}

void table_release_chunk(table *t, chunk *c)
{
    for (size_t k = 0; c->levels != NULL && k < t->text_count; k++) levels_free(&c->levels[k]);
    mem_free(t->m, c->levels);
    c->levels = NULL;
    if (c->unescaped.m != NULL) arena_free(&c->unescaped);
}

/* ---- Joining --------------------------------------------------------------- */

static void move_rows(const table *t, column *c)
{
    for (size_t i = 0; i < t->chunk_count; i++) {
        const chunk *k = &t->chunks[i];
        if (k->slot == k->first_row) continue;
        if (c->kind & TABLE_NUMBER) {
            memmove(c->values + k->first_row, c->values + k->slot, k->rows * sizeof *c->values);
            memmove(c->status + k->first_row, c->status + k->slot, k->rows);
        }
        if (c->kind & TABLE_TEXT) {
            memmove(c->codes + k->first_row, c->codes + k->slot, k->rows * sizeof *c->codes);
        }
    }
}

/* Codes of a chunk into codes of the table: levels in the order of chunks are levels in the order
 * of the file. The table's levels get keys of their own. */
static tare_status join_levels(table *t, column *c, tare_error *err)
{
    tare_status status = TARE_OK;
    uint32_t *map_to = NULL;
    size_t capacity = 0;
    for (size_t i = 0; i < t->chunk_count; i++) {
        chunk *k = &t->chunks[i];
        levels *own = &k->levels[c->text_index];
        bool same = true;
        if (!mem_reserve(t->m, &map_to, &capacity, own->count, sizeof *map_to)) FAIL_MEMORY(err);
        for (size_t j = 0; j < own->count; j++) {
            const level *v = &own->items[j];
            size_t before = c->levels.count;
            uint32_t code = levels_add(&c->levels, v->key, v->length);
            if (code == UINT32_MAX) FAIL_MEMORY(err);
            if (c->levels.count > before) {
                const char *key = arena_text(&c->keys, v->key, v->length);
                if (key == NULL) FAIL_MEMORY(err);
                c->levels.items[code].key = key;
            }
            map_to[j] = code;
            same &= code == j;
        }
        levels_free(own);
        uint32_t *codes = c->codes + k->first_row;
        for (size_t r = 0; !same && r < k->rows; r++) codes[r] = map_to[codes[r]];
    }
done:
    mem_free(t->m, map_to);
    return status;
}

void table_count_cells(column *c, size_t rows)
{
    for (int kind = 0; kind < TABLE_CELL_KINDS; kind++) {
        c->count[kind] = 0;
        c->first[kind] = TABLE_NONE;
    }
    for (size_t r = 0; r < rows; r++) {
        unsigned kind = c->status[r];
        if (c->count[kind]++ == 0) c->first[kind] = r;
    }
}

static tare_status join_column(void *arg, size_t begin, size_t end, unsigned worker,
                               tare_error *err)
{
    table *t = arg;
    column *c = &t->columns[begin];
    (void)end, (void)worker;
    move_rows(t, c);
    if (c->kind & TABLE_NUMBER) table_count_cells(c, t->rows);
    return c->kind & TABLE_TEXT ? join_levels(t, c, err) : TARE_OK;
}

tare_status table_join(table *t, tare_error *err)
{
    size_t rows = 0;
    for (size_t i = 0; i < t->chunk_count; i++) {
        t->chunks[i].first_row = rows;
        rows += t->chunks[i].rows;
    }
    if (rows > t->options.max_rows) {
        return error_set(err, TARE_E_LIMIT, "table.rows", t->name,
                         "%zu rows are more than the limit of %zu", rows, t->options.max_rows);
    }
    t->rows = rows;
    return table_for(t, t->column_count, join_column, t, err);
}

static tare_status load_delimited(table *t, const unsigned *kinds, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t slots = 1; /* as many rows as there are lines */
    TRY(table_cut(t, err));
    for (size_t i = 0; i < t->chunk_count; i++) slots += t->chunks[i].lines;
    TRY(table_make_columns(t, kinds, slots, err));
    TRY(table_for(t, t->chunk_count, parse_chunk, t, err));
    TRY(table_join(t, err));
done:
    return status;
}

tare_status table_load(table *t, const unsigned *kinds, tare_error *err)
{
    if (t->loaded) {
        return error_set(err, TARE_E_BUG, "table.loaded", t->name, "the rows were read already");
    }
    t->loaded = true;
    tare_status status = t->source->load(t, kinds, err);
    /* The columns have copies of what they need. */
    for (size_t i = 0; i < t->chunk_count; i++) table_release_chunk(t, &t->chunks[i]);
    return status;
}

const table_source table_delimited = {load_delimited, table_delimited_line, table_delimited_where,
                                      NULL, "lines"};
