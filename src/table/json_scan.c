/* json_scan.c - one row: where its values stand. */
#include <string.h>

#include "base/error.h"
#include "table/json_parts.h"

enum { NO_PARENT = INT32_MAX };

void json_chunk_init(json_chunk *k, const mem *m)
{
    memset(k, 0, sizeof *k);
    levels_init(&k->names, m);
    arena_init(&k->keys, m);
}

void json_chunk_free(json_chunk *k, const mem *m)
{
    if (k->names.m == NULL) return;
    levels_free(&k->names);
    arena_free(&k->keys);
    mem_free(m, k->paths);
    mem_free(m, k->rows);
    mem_free(m, k->cells);
    mem_free(m, k->steps);
    memset(k, 0, sizeof *k);
}

void json_scan_begin(json_scan *s, const table *t, json_chunk *k)
{
    json_limits limits = {JSON_DEPTH, t->options.max_field, SIZE_MAX, true};
    s->t = t;
    s->k = k;
    json_open(&s->reader, t->m, t->name, t->data, 0, &limits);
    s->reader.lazy = true;
    text_init(&s->path, t->m);
}

void json_scan_end(json_scan *s)
{
    json_close(&s->reader);
    text_free(&s->path);
}

tare_status json_scan_fault(json_scan *s, const char *at, tare_status status, const char *code,
                            const char *message)
{
    s->k->fault = at;
    return error_set(&s->k->error, status, code, "", "%s", message);
}

tare_status json_scan_next(json_event *e, json_scan *s)
{
    tare_status status = json_next(e, &s->reader, &s->k->error);
    if (__builtin_expect(status != TARE_OK && status != TARE_E_MEMORY, 0)) {
        s->k->fault = s->reader.token;
    }
    return status;
}

static tare_status no_memory(json_scan *s)
{
    return error_memory(&s->k->error);
}

/* ---- Paths ----------------------------------------------------------------- */

/* A key below its parent as a path, numbered. */
static tare_status number_path(uint32_t *out, json_scan *s, uint32_t parent)
{
    json_chunk *k = s->k;
    const json_reader *r = &s->reader;
    const mem *m = s->t->m;
    text_clear(&s->path);
    if (parent != NO_PARENT) {
        const level *above = &k->names.items[parent];
        text_add_bytes(&s->path, above->key, above->length);
        text_add_char(&s->path, '.');
    }
    text_add_bytes(&s->path, r->string, r->string_length);
    size_t length = s->path.length, limit = s->t->options.max_field;
    if (limit > JSON_NAME_MAX) limit = JSON_NAME_MAX;
    if (length > limit) {
        return json_scan_fault(s, r->token, TARE_E_LIMIT, "table.columns",
                               "a key is too long for the name of a column");
    }
    text_add_bytes(&s->path, "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", TABLE_PADDING);
    if (s->path.failed) return no_memory(s);
    size_t before = k->names.count;
    *out = levels_add(&k->names, s->path.data, length);
    if (*out == UINT32_MAX) return no_memory(s);
    if (k->names.count == before) return TARE_OK;
    const char *key = arena_text(&k->keys, s->path.data, length + TABLE_PADDING);
    if (key == NULL || !mem_reserve(m, &k->paths, &k->path_capacity, before + 1,
                                    sizeof *k->paths)) {
        k->names.count = before; /* its key is about to go */
        return no_memory(s);
    }
    k->names.items[*out].key = key;
    k->paths[*out] = (json_path){r->token, 0, false, 0};
    if (before + 1 > s->t->options.max_columns) {
        return json_scan_fault(s, r->token, TARE_E_LIMIT, "table.columns",
                               "there are more different keys than a table may have columns");
    }
    return TARE_OK;
}

static tare_status learn_path(uint32_t *out, json_scan *s, uint32_t parent)
{
    json_chunk *k = s->k;
    const json_reader *r = &s->reader;
    if (memchr(r->string, 0, r->string_length) != NULL) {
        return json_scan_fault(s, r->token, TARE_E_DATA, "table.nul", "a NUL in a key");
    }
    tare_status status = number_path(out, s, parent);
    if (status != TARE_OK) return status;
    if (!mem_reserve(s->t->m, &k->steps, &k->step_capacity, s->step + 1, sizeof *k->steps)) {
        return no_memory(s);
    }
    const level *name = &k->names.items[*out];
    size_t length = r->string_length;
    k->steps[s->step] = (json_step){name->key + (name->length - length), length, parent, *out};
    if (s->step == k->step_count) k->step_count++;
    return TARE_OK;
}

static bool same_step(const json_step *step, uint32_t parent, const json_reader *r)
{
    return step->parent == parent && step->length == r->string_length
           && memcmp(step->key, r->string, step->length) == 0;
}

static tare_status find_path(uint32_t *out, json_scan *s)
{
    json_chunk *k = s->k;
    const json_reader *r = &s->reader;
    uint32_t parent = s->parent[s->depth];
    if (s->step < k->step_count && same_step(&k->steps[s->step], parent, r)) {
        *out = k->steps[s->step].path;
    } else {
        tare_status status = learn_path(out, s, parent);
        if (status != TARE_OK) return status;
    }
    s->step++;
    json_path *path = &k->paths[*out];
    if (path->row == k->row_count) {
        return json_scan_fault(s, r->token, TARE_E_DATA, "json.duplicate_key",
                               "this key has a value already in this row");
    }
    path->row = k->row_count;
    return TARE_OK;
}

/* ---- Values ---------------------------------------------------------------- */

/* The opening bracket was the last event; reads to the closing one. An object inside must not
 * repeat a key either. */
static tare_status skip_array(json_scan *s)
{
    tare_status status = TARE_OK;
    json_reader *r = &s->reader;
    const char *start = r->token;
    size_t outside = r->depth - 1;
    bool objects = false;
    while (r->depth > outside) {
        json_event e;
        TRY(json_scan_next(&e, s));
        objects |= e == JSON_OBJECT;
    }
    if (objects) {
        json_value *tree;
        arena a;
        arena_init(&a, s->t->m);
        status = json_parse(&tree, &a, s->t->name, start, (size_t)(r->at - start), &r->limits,
                            &s->k->error);
        arena_free(&a);
        if (status != TARE_OK && status != TARE_E_MEMORY) s->k->fault = start;
    }
done:
    return status;
}

static tare_status add_cell(json_scan *s, uint32_t path, const char *start, bool is_text)
{
    json_chunk *k = s->k;
    const json_reader *r = &s->reader;
    size_t from = (size_t)(start - k->rows[k->row_count - 1].start);
    size_t length = (size_t)(r->at - start);
    if (__builtin_expect(from > UINT32_MAX || (!is_text && length > s->t->options.max_field), 0)) {
        return json_scan_fault(s, start, TARE_E_LIMIT, "table.field",
                               "a value, or a row, is longer than the limit");
    }
    if (k->cell_count == k->cell_capacity
        && !mem_reserve(s->t->m, &k->cells, &k->cell_capacity, k->cell_count + 1,
                        sizeof *k->cells)) {
        return no_memory(s);
    }
    json_cell *c = &k->cells[k->cell_count++];
    c->path = path & INT32_MAX;
    c->escaped = is_text && r->string != start + 1;
    c->start = (uint32_t)from;
    c->length = (uint32_t)length;
    return TARE_OK;
}

tare_status json_scan_row(json_scan *s)
{
    tare_status status = TARE_OK;
    json_chunk *k = s->k;
    uint32_t path = 0;
    if (!mem_reserve(s->t->m, &k->rows, &k->row_capacity, k->row_count + 1, sizeof *k->rows)) {
        return no_memory(s);
    }
    k->rows[k->row_count++] = (json_row){s->reader.token, k->cell_count};
    s->step = s->depth = 0;
    s->parent[0] = NO_PARENT;
    for (;;) {
        json_event e;
        TRY(json_scan_next(&e, s));
        const char *start = s->reader.token;
        switch (e) {
        case JSON_KEY:
            TRY(find_path(&path, s));
            continue;
        case JSON_OBJECT:
            s->parent[++s->depth] = path;
            continue;
        case JSON_OBJECT_END:
            if (s->depth-- == 0) return TARE_OK;
            continue;
        case JSON_ARRAY:
            TRY(skip_array(s));
            break;
        default: break;
        }
        k->paths[path].leaf = true;
        if (e != JSON_NULL) TRY(add_cell(s, path, start, e == JSON_TEXT));
    }
done:
    return status;
}
