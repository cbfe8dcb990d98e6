/* table_open.c - the bytes, the delimiter and the header. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/os.h"
#include "base/text.h"
#include "table/field.h"
#include "table/table_parts.h"

static table_options with_defaults(const table_options *given)
{
    table_options o = {0};
    if (given != NULL) o = *given;
    if (o.max_bytes == 0) o.max_bytes = (size_t)64 << 30;
    if (o.max_columns == 0) o.max_columns = 10000;
    if (o.max_rows == 0 || o.max_rows > UINT32_MAX - 1) o.max_rows = UINT32_MAX - 1;
    if (o.max_field == 0) o.max_field = (size_t)16 << 20;
    if (o.max_field > UINT32_MAX) o.max_field = UINT32_MAX;
    if (o.chunk_bytes == 0) o.chunk_bytes = (size_t)512 << 10;
    return o;
}

void table_place(char out[TABLE_WHERE_MAX], const table *t, const char *from, size_t line,
                 const char *at)
{
    const char *s = from, *start = from;
    while (s < at && (s = memchr(s, '\n', (size_t)(at - s))) != NULL) {
        start = ++s;
        line++;
    }
    snprintf(out, TABLE_WHERE_MAX, "%s:%zu:%zu", t->name, line, (size_t)(at - start) + 1);
}

static bool ends_with(const char *name, const char *end)
{
    size_t n = strlen(name), k = strlen(end);
    return n >= k && strcmp(name + n - k, end) == 0;
}

/* A delimiter counts where it is outside quotes in the first line. */
static bool header_holds(const char *s, const char *end, char c)
{
    bool quoted = false;
    for (; s < end && (quoted || *s != '\n'); s++) {
        if (*s == '"') quoted = !quoted;
        if (*s == c && !quoted) return true;
    }
    return false;
}

static char find_delimiter(const table *t, const char *s)
{
    const char *order = ends_with(t->name, ".csv") ? ",\t;" : "\t,;";
    if (t->options.delimiter != 0) return t->options.delimiter;
    if (ends_with(t->name, ".tsv") || ends_with(t->name, ".tab")) return '\t';
    for (; *order != '\0'; order++) {
        if (header_holds(s, t->end, *order)) return *order;
    }
    return ',';
}

static tare_status add_name(table *t, size_t *capacity, const field *f, tare_error *err)
{
    char *name = arena_text(&t->names, f->start, f->length);
    if (name == NULL
        || !mem_reserve(t->m, &t->columns, capacity, t->column_count + 1, sizeof *t->columns)) {
        return error_memory(err);
    }
    if (f->escaped) name[field_unescape(f, name)] = '\0';
    memset(&t->columns[t->column_count], 0, sizeof *t->columns);
    t->columns[t->column_count++].name = name;
    return TARE_OK;
}

static tare_status header_fault(const table *t, const char *from, const char *at, field_fault fault,
                                tare_error *err)
{
    char where[TABLE_WHERE_MAX];
    table_place(where, t, from, 1, at);
    if (fault == FIELD_UNCLOSED) {
        return error_set(err, TARE_E_DATA, "table.quote", where, "this quote is never closed");
    }
    if (fault == FIELD_AFTER_QUOTE) {
        return error_set(err, TARE_E_DATA, "table.quote", where, "text after a closing quote");
    }
    return error_set(err, TARE_E_DATA, "table.carriage_return", where,
                     "a carriage return without line feed: lines must end in LF or CRLF");
}

static tare_status read_header(table *t, const char *s, tare_error *err)
{
    tare_status status = TARE_OK;
    const char *from = s;
    size_t capacity = 0;
    char where[TABLE_WHERE_MAX];
    for (;; s++) {
        field f;
        field_fault fault = field_read(&f, s, t->end, t->options.delimiter);
        if (fault != FIELD_GOOD) TRY(header_fault(t, from, f.next, fault, err));
        size_t length = (size_t)(f.next - from), valid = utf8_valid_prefix(from, length);
        if (t->column_count >= t->options.max_columns || f.length > t->options.max_field) {
            table_place(where, t, from, 1, s);
            FAIL(err, TARE_E_LIMIT, "table.columns", where,
                 "the header has more than %zu columns, or a name longer than %zu bytes",
                 t->options.max_columns, t->options.max_field);
        }
        TRY(add_name(t, &capacity, &f, err));
        s = f.next;
        if (s < t->end && *s == t->options.delimiter) continue;
        const char *nul = memchr(from, 0, length);
        if (valid < length || nul != NULL) {
            table_place(where, t, from, 1, nul != NULL ? nul : from + valid);
            FAIL(err, TARE_E_DATA, nul != NULL ? "table.nul" : "table.utf8", where,
                 "the header is not UTF-8 text");
        }
        break;
    }
    t->data = s < t->end ? s + 1 : s;
    t->data_line = 1;
    for (const char *c = from; c < t->data; c++) t->data_line += *c == '\n';
    if (s == t->end) t->data_line++;
done:
    return status;
}

/* Takes over `bytes`, which have TABLE_PADDING zeros behind them. */
static tare_status open_bytes(table **out, table *t, char *bytes, size_t length, tare_error *err)
{
    tare_status status = TARE_OK;
    const char *s = bytes;
    t->bytes = bytes;
    t->end = bytes + length;
    if (length >= 2 && (memcmp(s, "\xFF\xFE", 2) == 0 || memcmp(s, "\xFE\xFF", 2) == 0)) {
        FAIL(err, TARE_E_DATA, "table.utf16", t->name, "this is UTF-16: save it as UTF-8");
    }
    if (length >= 3 && memcmp(s, "\xEF\xBB\xBF", 3) == 0) s += 3;
    if (s == t->end) {
        FAIL(err, TARE_E_DATA, "table.empty", t->name, "empty: a header line is needed");
    }
    t->options.delimiter = find_delimiter(t, s);
    TRY(read_header(t, s, err));
    *out = t;
    t = NULL;
done:
    table_free(t);
    return status;
}

static table *new_table(const mem *m, pool *p, const char *name, const table_options *options)
{
    table *t = mem_new(m, 1, sizeof *t);
    if (t == NULL) return NULL;
    t->m = m;
    t->p = p;
    t->options = with_defaults(options);
    arena_init(&t->names, m);
    t->name = arena_copy(&t->names, name);
    if (t->name == NULL) {
        table_free(t);
        return NULL;
    }
    return t;
}

tare_status table_open(table **out, const mem *m, pool *p, const char *path,
                       const table_options *options, tare_error *err)
{
    tare_status status = TARE_OK;
    char *bytes = NULL;
    size_t length;
    *out = NULL;
    table *t = new_table(m, p, strcmp(path, "-") == 0 ? "(standard input)" : path, options);
    if (t == NULL) return error_memory(err);
    TRY(os_read_file_on(&bytes, &length, p, m, path, t->options.max_bytes, err));
    _Static_assert(OS_READ_PADDING >= TABLE_PADDING, "vector loads run over the end");
    status = open_bytes(out, t, bytes, length, err);
    t = NULL;
done:
    table_free(t);
    return status;
}

tare_status table_open_bytes(table **out, const mem *m, pool *p, const table_bytes *in,
                             const table_options *options, tare_error *err)
{
    size_t length = in->length;
    *out = NULL;
    table *t = new_table(m, p, in->name, options);
    if (t == NULL) return error_memory(err);
    if (length > t->options.max_bytes || length > PTRDIFF_MAX - TABLE_PADDING) {
        table_free(t);
        return error_set(err, TARE_E_LIMIT, "io.size", in->name, "larger than the limit");
    }
    char *copy = mem_resize(m, NULL, length + TABLE_PADDING, 1);
    if (copy == NULL) {
        table_free(t);
        return error_memory(err);
    }
    if (length > 0) memcpy(copy, in->bytes, length);
    memset(copy + length, 0, TABLE_PADDING);
    return open_bytes(out, t, copy, length, err);
}

void table_free(table *t)
{
    if (t == NULL) return;
    for (size_t i = 0; i < t->column_count; i++) {
        column *c = &t->columns[i];
        mem_free(t->m, c->values);
        mem_free(t->m, c->status);
        mem_free(t->m, c->codes);
        levels_free(&c->levels);
        if (c->keys.m != NULL) arena_free(&c->keys);
    }
    for (size_t i = 0; i < t->chunk_count; i++) {
        chunk *c = &t->chunks[i];
        for (size_t k = 0; c->levels != NULL && k < t->text_count; k++) levels_free(&c->levels[k]);
        mem_free(t->m, c->levels);
        if (c->unescaped.m != NULL) arena_free(&c->unescaped);
    }
    mem_free(t->m, t->chunks);
    mem_free(t->m, t->columns);
    mem_free(t->m, t->bytes);
    arena_free(&t->names);
    mem_free(t->m, t);
}
