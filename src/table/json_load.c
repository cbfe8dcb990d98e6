/* json_load.c - the values of JSON rows into the columns, and where they stand. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "table/cell.h"
#include "table/json_parts.h"

void json_place(char out[TABLE_WHERE_MAX], const table *t, const char *at)
{
    const char *start = memrchr(t->data, '\n', (size_t)(at - t->data));
    size_t line = 1 + table_count_lines(t->data, at);
    start = start == NULL ? t->data : start + 1;
    snprintf(out, TABLE_WHERE_MAX, "%.280s:%zu:%zu", t->name, line, (size_t)(at - start) + 1);
}

tare_status json_report_fault(const table *t, tare_error *err)
{
    for (size_t i = 0; i < t->chunk_count; i++) {
        const json_chunk *k = &t->json[i];
        char where[TABLE_WHERE_MAX];
        if (k->error.status == TARE_OK) continue;
        if (k->fault == NULL) return error_memory(err);
        json_place(where, t, k->fault);
        return error_set(err, k->error.status, k->error.code, where, "%s", k->error.message);
    }
    return TARE_OK;
}

/* ---- Loading --------------------------------------------------------------- */

typedef struct load_job {
    table *t;
    const column **texts; /* the columns read as text */
} load_job;

typedef struct loader {
    const load_job *job;
    table *t;
    chunk *c;
    json_scan *s;
} loader;

/* White space outside strings goes. `out` has room for `length`; returns the new length. */
static size_t make_compact(char *out, const char *s, size_t length)
{
    size_t n = 0;
    bool inside = false;
    for (size_t i = 0; i < length; i++) {
        if (inside && s[i] == '\\') {
            out[n++] = s[i++];
        } else if (s[i] == '"') {
            inside = !inside;
        } else if (!inside && (s[i] == ' ' || s[i] == '\n' || s[i] == '\r' || s[i] == '\t')) {
            continue;
        }
        out[n++] = s[i];
    }
    return n;
}

/* A copy that levels may keep. */
static char *keep(const loader *l, const char *bytes, size_t length)
{
    char *copy = arena_new(&l->c->unescaped, length + TABLE_PADDING, 1);
    if (copy != NULL && length > 0) memcpy(copy, bytes, length);
    return copy;
}

static tare_status unescape(field *f, const loader *l, const char *at)
{
    json_event e;
    json_reader *r = &l->s->reader;
    json_open_next(r, at, f->length + 2);
    tare_status status = json_scan_next(&e, l->s);
    if (status != TARE_OK) return status;
    if (memchr(r->string, 0, r->string_length) != NULL) {
        return json_scan_fault(l->s, at, TARE_E_DATA, "table.nul", "a NUL in a text");
    }
    if (r->lone_surrogates > 0) {
        return json_scan_fault(l->s, at, TARE_E_DATA, "table.utf8",
                               "half of a surrogate pair: this is not a character");
    }
    f->start = keep(l, r->string, r->string_length);
    f->length = r->string_length;
    return f->start == NULL ? error_memory(&l->s->k->error) : TARE_OK;
}

/* The text of a cell. */
static tare_status text_of(field *f, const loader *l, const char *at, const json_cell *cell)
{
    *f = (field){at, cell->length, false, NULL};
    if (*at == '"') {
        f->start++;
        f->length -= 2;
        return cell->escaped ? unescape(f, l, at) : TARE_OK;
    }
    if (*at != '[') return TARE_OK;
    char *compact = keep(l, at, f->length);
    if (compact == NULL) return error_memory(&l->s->k->error);
    f->length = make_compact(compact, at, f->length);
    f->start = compact;
    return TARE_OK;
}

static tare_status store_text(const loader *l, const column *col, size_t slot, const field *f)
{
    uint32_t code = levels_add(&l->c->levels[col->text_index], f->start, f->length);
    col->codes[slot] = code;
    return code == UINT32_MAX ? error_memory(&l->s->k->error) : TARE_OK;
}

static tare_status load_row(const loader *l, size_t row, size_t slot)
{
    static const char nothing[TABLE_PADDING] = "";
    static const field empty = {nothing, 0, false, NULL};
    tare_status status = TARE_OK;
    const table *t = l->t;
    const json_chunk *k = l->s->k;
    const json_row *r = &k->rows[row];
    size_t last = row + 1 < k->row_count ? r[1].first : k->cell_count;
    for (size_t i = r->first; i < last; i++) {
        const json_cell *cell = &k->cells[i];
        const column *col = &t->columns[k->paths[cell->path].column];
        field f;
        if (col->kind == TABLE_SKIP) continue;
        TRY(text_of(&f, l, r->start + cell->start, cell));
        if (col->kind & TABLE_NUMBER) col->status[slot] = cell_number(&f, &col->values[slot]);
        if (col->kind & TABLE_TEXT) TRY(store_text(l, col, slot, &f));
    }
    for (size_t i = 0; i < t->text_count; i++) {
        const column *col = l->job->texts[i];
        if (col->codes[slot] == UINT32_MAX) TRY(store_text(l, col, slot, &empty));
    }
done:
    return status;
}

/* What has no value is missing. */
static void make_missing(table *t, const chunk *c)
{
    for (size_t i = 0; i < t->column_count; i++) {
        column *col = &t->columns[i];
        for (size_t r = c->slot; r < c->slot + c->rows; r++) {
            if (col->kind & TABLE_NUMBER) {
                col->values[r] = (double)NAN;
                col->status[r] = TABLE_MISSING;
            }
            if (col->kind & TABLE_TEXT) col->codes[r] = UINT32_MAX;
        }
    }
}

static tare_status load_chunk(void *arg, size_t begin, size_t end, unsigned worker,
                              tare_error *err)
{
    tare_status status = TARE_OK;
    const load_job *job = arg;
    table *t = job->t;
    json_chunk *k = &t->json[begin];
    json_scan s;
    const loader l = {job, t, &t->chunks[begin], &s};
    (void)end, (void)worker;
    json_scan_begin(&s, t, k);
    if (table_prepare_chunk(t, l.c, &k->error) != TARE_OK) status = TARE_E_MEMORY;
    make_missing(t, l.c);
    for (size_t r = 0; r < k->row_count && status == TARE_OK; r++) {
        status = load_row(&l, r, l.c->slot + r);
    }
    if (status != TARE_OK && err != NULL) *err = k->error;
    json_scan_end(&s);
    mem_free(t->m, k->cells); /* places are found again in the bytes */
    k->cells = NULL;
    k->cell_count = k->cell_capacity = 0;
    return status;
}

tare_status json_load(table *t, const unsigned *kinds, tare_error *err)
{
    tare_status status = TARE_OK;
    load_job job = {t, NULL};
    TRY(table_make_columns(t, kinds, t->rows + 1, err));
    TRY_NEW(job.texts = mem_new(t->m, t->text_count, sizeof *job.texts));
    for (size_t i = 0; i < t->column_count; i++) {
        const column *c = &t->columns[i];
        if (c->kind & TABLE_TEXT) job.texts[c->text_index] = c;
    }
    status = table_for(t, t->chunk_count, load_chunk, &job, err);
    if (status != TARE_OK) {
        if (status != TARE_E_MEMORY) json_report_fault(t, err);
        goto done;
    }
    TRY(table_join(t, err));
done:
    mem_free(t->m, job.texts);
    return status;
}

/* ---- Places ---------------------------------------------------------------- */

static const json_row *find_row(const table *t, size_t row, const chunk **c)
{
    *c = table_chunk_of(t, row);
    return &t->json[*c - t->chunks].rows[row - (*c)->first_row];
}

static size_t json_line(const table *t, size_t row)
{
    const chunk *c;
    const json_row *r = find_row(t, row, &c);
    return c->first_line + table_count_lines(c->start, r->start);
}

/* The row is read again. The row's own place if the column has no value in it. */
static const char *find_value(const table *t, const json_row *row, const char *name)
{
    const char *at = row->start;
    json_event e;
    json_chunk k;
    json_scan s;
    json_chunk_init(&k, t->m);
    json_scan_begin(&s, t, &k);
    json_open_next(&s.reader, row->start, (size_t)(t->end - row->start));
    if (json_scan_next(&e, &s) == TARE_OK && json_scan_row(&s) == TARE_OK) {
        for (size_t i = 0; i < k.cell_count; i++) {
            const level *path = &k.names.items[k.cells[i].path];
            if (path->length == strlen(name) && memcmp(path->key, name, path->length) == 0) {
                at = row->start + k.cells[i].start;
            }
        }
    }
    json_scan_end(&s);
    json_chunk_free(&k, t->m);
    return at;
}

static void json_where(char out[TABLE_WHERE_MAX], const table *t, size_t row, size_t column_index)
{
    const chunk *c;
    const json_row *r = find_row(t, row, &c);
    if (column_index == TABLE_NONE) {
        snprintf(out, TABLE_WHERE_MAX, "%.280s:%zu", t->name, json_line(t, row));
    } else {
        json_place(out, t, find_value(t, r, t->columns[column_index].name));
    }
}

static void json_close_source(table *t)
{
    for (size_t i = 0; t->json != NULL && i < t->chunk_count; i++) {
        json_chunk_free(&t->json[i], t->m);
    }
    mem_free(t->m, t->json);
}

const table_source table_json = {json_load, json_line, json_where, json_close_source, "lines"};
