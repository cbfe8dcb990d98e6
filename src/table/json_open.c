/* json_open.c - JSON lines cut into chunks, or one array, and the columns that they make. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "table/json_parts.h"

static const char *skip_space(const char *s, const char *end)
{
    while (s < end && (*s == ' ' || *s == '\n' || *s == '\r' || *s == '\t')) s++;
    return s;
}

static bool array_of_objects(const char *s, const char *end)
{
    if (s == end || *s != '[') return false;
    s = skip_space(s + 1, end);
    return s < end && *s == '{';
}

bool table_is_json(const table *t, const char *s)
{
    static const char *const names[] = {".jsonl", ".ndjson", ".json"};
    static const char *const others[] = {".csv", ".tsv", ".tab"};
    for (size_t i = 0; i < 3; i++) {
        if (table_ends_with(t->format_name, names[i])) return true;
        if (table_ends_with(t->format_name, others[i])) return false;
    }
    if (t->options.delimiter != 0) return false;
    s = skip_space(s, t->end);
    return s < t->end && (*s == '{' || array_of_objects(s, t->end));
}

/* ---- Lines ----------------------------------------------------------------- */

/* Chunk i holds the lines that begin in the slice i of the bytes. */
static tare_status cut_lines(table *t, tare_error *err)
{
    size_t bytes = (size_t)(t->end - t->data), slice = t->options.chunk_bytes;
    size_t n = (bytes - 1) / slice + 1;
    t->chunks = mem_new(t->m, n, sizeof *t->chunks);
    t->json = mem_new(t->m, n, sizeof *t->json);
    if (t->chunks == NULL || t->json == NULL) return error_memory(err);
    t->chunk_count = n;
    const char *start = t->data;
    for (size_t i = 0; i < n; i++) {
        const char *end = i + 1 == n ? t->end : t->data + (i + 1) * slice;
        if (end <= start) {
            end = start; /* the line before goes beyond this slice */
        } else if (i + 1 < n && end[-1] != '\n') {
            end = memchr(end, '\n', (size_t)(t->end - end));
            end = end == NULL ? t->end : end + 1;
        }
        t->chunks[i].start = start;
        t->chunks[i].end = start = end;
    }
    return TARE_OK;
}

static tare_status read_line(json_scan *s, const char *line, const char *end, bool last)
{
    tare_status status = TARE_OK;
    json_event e;
    json_open_next(&s->reader, line, (size_t)(end - line));
    TRY(json_scan_next(&e, s));
    if (e != JSON_OBJECT) {
        TRY(json_scan_fault(s, s->reader.token, TARE_E_DATA, "table.object",
                            "each line must be one object: {\"name\": value, ...}"));
    }
    TRY(json_scan_row(s));
    TRY(json_scan_next(&e, s)); /* nothing but blanks */
done:
    if (status == TARE_E_DATA && !last && strcmp(s->k->error.code, "json.truncated") == 0) {
        json_scan_fault(s, s->k->fault, status, "json.truncated",
                        "the line ends inside its object: each line must hold one whole "
                        "object, or the file one array of objects");
    }
    return status;
}

static tare_status scan_lines(void *arg, size_t begin, size_t end_index, unsigned worker,
                              tare_error *err)
{
    tare_status status = TARE_OK;
    table *t = arg;
    chunk *c = &t->chunks[begin];
    json_scan s;
    (void)end_index, (void)worker;
    json_chunk_init(&t->json[begin], t->m);
    json_scan_begin(&s, t, &t->json[begin]);
    for (const char *line = c->start; line < c->end;) {
        const char *end = memchr(line, '\n', (size_t)(c->end - line));
        const char *next = end == NULL ? c->end : end + 1;
        c->lines += end != NULL;
        if (end == NULL) end = c->end;
        if (skip_space(line, end) < end) TRY(read_line(&s, line, end, end == t->end));
        line = next;
    }
done:
    c->rows = t->json[begin].row_count;
    if (status != TARE_OK && err != NULL) *err = t->json[begin].error;
    json_scan_end(&s);
    return status;
}

/* ---- One array ------------------------------------------------------------- */

/* The next chunk of an array, whose rows begin at `start`. */
static tare_status next_chunk(json_scan *s, table *t, size_t *capacity, const char *start)
{
    size_t n = t->chunk_count, json_capacity = *capacity;
    if (!mem_reserve(t->m, &t->chunks, capacity, n + 1, sizeof *t->chunks)
        || !mem_reserve(t->m, &t->json, &json_capacity, *capacity, sizeof *t->json)) {
        return TARE_E_MEMORY;
    }
    memset(&t->chunks[n], 0, sizeof t->chunks[n]);
    json_chunk_init(&t->json[n], t->m);
    t->chunks[n].start = start;
    t->chunk_count++;
    s->k = &t->json[n];
    return TARE_OK;
}

static tare_status array_rows(json_scan *s, table *t, size_t *capacity)
{
    tare_status status = TARE_OK;
    json_event e;
    TRY(json_scan_next(&e, s));
    for (;;) {
        TRY(json_scan_next(&e, s));
        if (e == JSON_ARRAY_END) break;
        const char *at = s->reader.token;
        if (e != JSON_OBJECT) {
            TRY(json_scan_fault(s, at, TARE_E_DATA, "table.object",
                                "the items of the array must be objects: {\"name\": value, ...}"));
        }
        if ((size_t)(at - t->chunks[t->chunk_count - 1].start) >= t->options.chunk_bytes) {
            TRY(next_chunk(s, t, capacity, at));
        }
        TRY(json_scan_row(s));
    }
    TRY(json_scan_next(&e, s)); /* nothing but blanks */
done:
    return status;
}

static tare_status scan_array(table *t, tare_error *err)
{
    tare_status status = TARE_OK;
    size_t capacity = 0;
    json_scan s;
    if (next_chunk(&s, t, &capacity, t->data) != TARE_OK) return error_memory(err);
    json_scan_begin(&s, t, s.k);
    json_open_next(&s.reader, t->data, (size_t)(t->end - t->data));
    status = array_rows(&s, t, &capacity);
    for (size_t i = 0; i < t->chunk_count; i++) {
        chunk *c = &t->chunks[i];
        c->end = i + 1 < t->chunk_count ? t->chunks[i + 1].start : t->end;
        c->lines = table_count_lines(c->start, c->end);
        c->rows = t->json[i].row_count;
    }
    json_scan_end(&s);
    return status == TARE_E_MEMORY ? error_memory(err) : status;
}

/* ---- Columns --------------------------------------------------------------- */

static tare_status too_many_keys(const table *t, const char *at, tare_error *err)
{
    char where[TABLE_WHERE_MAX];
    json_place(where, t, at);
    return error_set(err, TARE_E_LIMIT, "table.columns", where,
                     "there are more than %zu different keys, and a table may not have more "
                     "columns", t->options.max_columns);
}

/* Numbers the paths of all chunks: path->column becomes the place in `all`. */
static tare_status number_paths(levels *all, bool **leaf, size_t *capacity, table *t,
                                tare_error *err)
{
    for (size_t i = 0; i < t->chunk_count; i++) {
        json_chunk *k = &t->json[i];
        for (size_t j = 0; j < k->names.count; j++) {
            const level *name = &k->names.items[j];
            size_t before = all->count;
            uint32_t code = levels_add(all, name->key, name->length);
            if (code == UINT32_MAX
                || !mem_reserve(t->m, leaf, capacity, all->count, sizeof **leaf)) {
                return error_memory(err);
            }
            if (all->count > t->options.max_columns) {
                return too_many_keys(t, k->paths[j].first, err);
            }
            if (all->count > before) (*leaf)[code] = false;
            (*leaf)[code] |= k->paths[j].leaf;
            k->paths[j].column = code;
        }
        if (k->error.status != TARE_OK) return json_report_fault(t, err);
    }
    return TARE_OK;
}

tare_status json_join_columns(table *t, tare_error *err)
{
    tare_status status = TARE_OK;
    levels all;
    bool *leaf = NULL;
    uint32_t *column_of = NULL;
    size_t capacity = 0, leaf_capacity = 0;
    levels_init(&all, t->m);
    TRY(number_paths(&all, &leaf, &leaf_capacity, t, err));
    TRY_NEW(column_of = mem_new(t->m, all.count, sizeof *column_of));
    for (size_t i = 0; i < all.count; i++) {
        if (!leaf[i]) continue;
        column_of[i] = (uint32_t)t->column_count;
        if (!table_add_column(t, &capacity, all.items[i].key, all.items[i].length)) {
            FAIL_MEMORY(err);
        }
    }
    if (t->column_count == 0) {
        FAIL(err, TARE_E_DATA, "table.empty", t->name,
             "empty: there is no object with a value in it");
    }
    for (size_t i = 0; i < t->chunk_count; i++) {
        json_chunk *k = &t->json[i];
        for (size_t j = 0; j < k->names.count; j++) {
            k->paths[j].column = column_of[k->paths[j].column];
        }
    }
done:
    mem_free(t->m, column_of);
    mem_free(t->m, leaf);
    levels_free(&all);
    return status;
}

static void number_rows(table *t)
{
    size_t line = 1;
    for (size_t i = 0; i < t->chunk_count; i++) {
        chunk *c = &t->chunks[i];
        c->first_line = line;
        c->slot = c->first_row = t->rows;
        line += c->lines;
        t->rows += c->rows;
    }
}

tare_status table_open_json(table *t, const char *s, tare_error *err)
{
    tare_status status = TARE_OK;
    t->source = &table_json;
    t->data = s;
    const char *first = skip_space(s, t->end);
    if (first < t->end && *first == '[') {
        status = scan_array(t, err);
    } else {
        TRY(cut_lines(t, err));
        status = table_for(t, t->chunk_count, scan_lines, t, err);
    }
    if (status == TARE_E_MEMORY) goto done;
    TRY(json_join_columns(t, err)); /* reports the fault, if there was one */
    number_rows(t);
    if (t->rows > t->options.max_rows) {
        FAIL(err, TARE_E_LIMIT, "table.rows", t->name, "%zu rows are more than the limit of %zu",
             t->rows, t->options.max_rows);
    }
done:
    return status;
}
