/* query_fetch.c - the answer to a query, piece by piece, into the columns. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "table/cell.h"
#include "table/query_parts.h"

/* One column of one piece. */
typedef struct piece {
    table *t;
    column *to;
    unsigned kind;
    const void *data;
    const uint64_t *valid; /* a bit per row; NULL: all are */
    size_t rows;
} piece;

static bool is_null(const piece *p, size_t i)
{
    return p->valid != NULL && !(p->valid[i / 64] >> (i % 64) & 1);
}

static bool grow(column *c, const mem *m, size_t *capacity, size_t rows)
{
    size_t room = *capacity + *capacity / 2;
    if (room < rows) room = rows;
    if (c->kind & TABLE_NUMBER) {
        double *values = mem_resize(m, c->values, room, sizeof *values);
        if (values == NULL) return false;
        c->values = values;
        unsigned char *status = mem_resize(m, c->status, room, 1);
        if (status == NULL) return false;
        c->status = status;
    }
    if (c->kind & TABLE_TEXT) {
        uint32_t *codes = mem_resize(m, c->codes, room, sizeof *codes);
        if (codes == NULL) return false;
        c->codes = codes;
    }
    *capacity = room;
    return true;
}

static void take_doubles(const piece *p, size_t row)
{
    const double *values = p->data;
    for (size_t i = 0; i < p->rows; i++) {
        double v = is_null(p, i) ? (double)NAN : values[i];
        p->to->values[row + i] = v;
        p->to->status[row + i] =
            isnan(v) ? TABLE_MISSING : fabs(v) > DBL_MAX ? TABLE_INFINITE : TABLE_OK;
    }
}

static tare_status add_level(const piece *p, size_t row, const field *f, tare_error *err)
{
    char padded[2 * TABLE_PADDING] = ""; /* levels look at 16 bytes */
    const char *key = f->start;
    levels *l = &p->to->levels;
    size_t before = l->count;
    if (f->length < TABLE_PADDING) {
        if (f->length > 0) memcpy(padded, key, f->length);
        key = padded;
    }
    uint32_t code = levels_add(l, key, f->length);
    if (code == UINT32_MAX) return error_memory(err);
    if (l->count > before) {
        key = arena_text(&p->to->keys, key, f->length);
        if (key == NULL) {
            l->count = before;
            return error_memory(err);
        }
        l->items[code].key = key;
    }
    p->to->codes[row] = code;
    return TARE_OK;
}

static tare_status take_texts(const piece *p, size_t row, tare_error *err)
{
    tare_status status = TARE_OK;
    const duckdb_text *texts = p->data;
    char where[TABLE_WHERE_MAX];
    size_t column_index = (size_t)(p->to - p->t->columns);
    for (size_t i = 0; i < p->rows; i++) {
        field f = {"", 0, false, NULL};
        if (!is_null(p, i)) {
            const duckdb_text *s = &texts[i];
            f.length = s->in_place.length;
            f.start = f.length <= DUCKDB_TEXT_IN_PLACE ? s->in_place.bytes : s->elsewhere.bytes;
        }
        bool nul = memchr(f.start, 0, f.length) != NULL;
        if (nul || f.length > p->t->options.max_field) {
            table_where(where, p->t, row + i, column_index);
            FAIL(err, nul ? TARE_E_DATA : TARE_E_LIMIT, nul ? "table.nul" : "table.field", where,
                 "%s", nul ? "a NUL in a text" : "a field is longer than the limit");
        }
        if (p->kind & TABLE_NUMBER) {
            p->to->status[row + i] = cell_number(&f, &p->to->values[row + i]);
        }
        if (p->kind & TABLE_TEXT) TRY(add_level(p, row + i, &f, err));
    }
done:
    return status;
}

static tare_status take_chunk(table *t, void *data_chunk, const query_output *outputs, size_t count,
                              tare_error *err)
{
    tare_status status = TARE_OK;
    const duckdb_api *d = &t->query->api;
    size_t rows = (size_t)d->data_chunk_get_size(data_chunk);
    for (size_t k = 0; k < count; k++) {
        void *vector = d->data_chunk_get_vector(data_chunk, k);
        const piece p = {t, &t->columns[outputs[k].column], outputs[k].kind,
                         d->vector_get_data(vector), d->vector_get_validity(vector), rows};
        if (outputs[k].as_double) {
            take_doubles(&p, t->rows);
        } else {
            TRY(take_texts(&p, t->rows, err));
        }
    }
    t->rows += rows;
done:
    return status;
}

tare_status query_fetch(table *t, const query_output *outputs, size_t count, tare_error *err)
{
    tare_status status = TARE_OK;
    query *q = t->query;
    const duckdb_api *d = &q->api;
    void *data_chunk = NULL;
    size_t capacity = 1;
    while ((data_chunk = d->fetch_chunk(q->rows)) != NULL) {
        size_t rows = t->rows + (size_t)d->data_chunk_get_size(data_chunk);
        if (rows > t->options.max_rows) {
            FAIL(err, TARE_E_LIMIT, "table.rows", t->name, "more rows than the limit of %zu",
                 t->options.max_rows);
        }
        size_t room = capacity;
        for (size_t i = 0; rows > capacity && i < t->column_count; i++) {
            room = capacity; /* each column grows alike */
            if (!grow(&t->columns[i], t->m, &room, rows)) FAIL_MEMORY(err);
        }
        capacity = room;
        TRY(take_chunk(t, data_chunk, outputs, count, err));
        d->destroy_data_chunk(&data_chunk);
    }
done:
    if (data_chunk != NULL) d->destroy_data_chunk(&data_chunk);
    return status;
}
