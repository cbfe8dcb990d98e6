/* table_columns.c - what was read, and where it stands. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "table/field.h"
#include "table/table_parts.h"

const char *table_name(const table *t)
{
    return t->name;
}

char table_delimiter(const table *t)
{
    return t->options.delimiter;
}

size_t table_columns(const table *t)
{
    return t->column_count;
}

const char *table_column_name(const table *t, size_t column_index)
{
    return t->columns[column_index].name;
}

size_t table_rows(const table *t)
{
    return t->rows;
}

table_texts table_text_column(const table *t, size_t column_index)
{
    const column *c = &t->columns[column_index];
    return (table_texts){c->codes, c->levels.count};
}

const char *table_level(const table *t, size_t column_index, uint32_t code, size_t *length)
{
    const level *v = &t->columns[column_index].levels.items[code];
    if (length != NULL) *length = v->length;
    return v->key;
}

table_numbers table_number_column(const table *t, size_t column_index)
{
    const column *c = &t->columns[column_index];
    table_numbers n = {.values = c->values, .status = c->status};
    memcpy(n.count, c->count, sizeof n.count);
    memcpy(n.first, c->first, sizeof n.first);
    return n;
}

/* ---- Ranks ----------------------------------------------------------------- */

typedef struct ranked {
    const char *key;
    uint32_t length, code;
} ranked;

static int compare_bytes(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    uint32_t n = x->length < y->length ? x->length : y->length;
    int order = memcmp(x->key, y->key, n);
    return order != 0 ? order : (x->length > y->length) - (x->length < y->length);
}

tare_status table_rank_levels(uint32_t *rank, const table *t, size_t column_index,
                              tare_error *err)
{
    const levels *l = &t->columns[column_index].levels;
    ranked *list = mem_new(t->m, l->count, sizeof *list);
    if (list == NULL) return error_memory(err);
    for (size_t i = 0; i < l->count; i++) {
        list[i] = (ranked){l->items[i].key, l->items[i].length, (uint32_t)i};
    }
    if (l->count > 0) qsort(list, l->count, sizeof *list, compare_bytes);
    for (size_t i = 0; i < l->count; i++) rank[list[i].code] = (uint32_t)i;
    mem_free(t->m, list);
    return TARE_OK;
}

/* ---- Places ---------------------------------------------------------------- */

const chunk *table_chunk_of(const table *t, size_t row)
{
    size_t low = 0, high = t->chunk_count;
    while (high - low > 1) { /* the last chunk whose first row is not after it, and has rows */
        size_t middle = low + (high - low) / 2;
        if (t->chunks[middle].first_row <= row) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return &t->chunks[low];
}

/* Where a row begins, found again from the start of its chunk, which begins line *line. */
static const char *find_row(const table *t, size_t row, const chunk **in)
{
    const chunk *c = table_chunk_of(t, row);
    const char *s = c->inside ? table_skip_rest(t, c) : c->start;
    char delimiter = t->options.delimiter;
    *in = c;
    for (size_t r = c->first_row;;) {
        if (t->column_count > 1 && table_blank_line(s, t->end)) {
            s += 1 + (*s == '\r');
            continue;
        }
        if (r++ == row) return s;
        field f;
        do {
            field_read(&f, s, t->end, delimiter);
            s = f.next + 1;
        } while (s <= t->end && s[-1] == delimiter);
    }
}

size_t table_delimited_line(const table *t, size_t row)
{
    const chunk *c;
    const char *s = find_row(t, row, &c);
    size_t line = c->first_line;
    for (const char *k = c->start; (k = memchr(k, '\n', (size_t)(s - k))) != NULL; k++) line++;
    return line;
}

void table_delimited_where(char out[TABLE_WHERE_MAX], const table *t, size_t row,
                           size_t column_index)
{
    const chunk *c;
    if (column_index == TABLE_NONE) {
        snprintf(out, TABLE_WHERE_MAX, "%s:%zu", t->name, table_line(t, row));
        return;
    }
    const char *s = find_row(t, row, &c);
    for (size_t k = 0; k < column_index; k++) {
        field f;
        field_read(&f, s, t->end, t->options.delimiter);
        s = f.next + 1;
    }
    table_place(out, t, c->start, c->first_line, s);
}

size_t table_line(const table *t, size_t row)
{
    return t->source->line(t, row);
}

void table_where(char out[TABLE_WHERE_MAX], const table *t, size_t row, size_t column_index)
{
    t->source->where(out, t, row, column_index);
}
