/* table_open.c - the bytes, and what they are. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/os.h"
#include "table/table_parts.h"

static table_options with_defaults(const table_options *given)
{
    table_options o = {0};
    if (given != NULL) o = *given;
    if (o.max_bytes == 0) o.max_bytes = (size_t)64 << 30;
    if (o.max_columns == 0) o.max_columns = 10000;
    if (o.max_columns > INT32_MAX) o.max_columns = INT32_MAX;
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

bool table_ends_with(const char *name, const char *end)
{
    size_t n = strlen(name), k = strlen(end);
    return n >= k && strcmp(name + n - k, end) == 0;
}

bool table_add_column(table *t, size_t *capacity, const char *name, size_t length)
{
    char *copy = arena_text(&t->names, name, length);
    if (copy == NULL
        || !mem_reserve(t->m, &t->columns, capacity, t->column_count + 1, sizeof *t->columns)) {
        return false;
    }
    memset(&t->columns[t->column_count], 0, sizeof *t->columns);
    t->columns[t->column_count++].name = copy;
    return true;
}

/* What is no table of text, by its first bytes. */
static const struct foreign {
    const char *magic;
    size_t length;
    const char *code, *message;
} foreign[] = {
    {"\xFF\xFE", 2, "table.utf16", "this is UTF-16: save it as UTF-8"},
    {"\xFE\xFF", 2, "table.utf16", "this is UTF-16: save it as UTF-8"},
    {"PAR1", 4, "table.parquet", "this is Parquet: it is read from a file whose name ends in "
                                 ".parquet"},
    {"PK\x03\x04", 4, "table.zip", "this is a zip archive or a spreadsheet: save it as CSV"},
    {"\x28\xB5\x2F\xFD", 4, "table.compressed",
     "this is compressed with zstd, and only gzip is read: decompress it first"},
    {"\xFD" "7zXZ", 5, "table.compressed",
     "this is compressed with xz, and only gzip is read: decompress it first"},
    {"BZh", 3, "table.compressed",
     "this is compressed with bzip2, and only gzip is read: decompress it first"},
};

static const struct foreign *find_foreign(const char *s, size_t length)
{
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++) {
        const struct foreign *f = &foreign[i];
        /* A header line may begin with letters: BZhang,score. */
        if (length < f->length || memcmp(s, f->magic, f->length) != 0) continue;
        if (memcmp(f->magic, "BZh", 3) == 0
            && (length < 10 || memcmp(s + 4, "1AY&SY", 6) != 0)) continue;
        return f;
    }
    return NULL;
}

/* Takes over t and `bytes`, which have TABLE_PADDING zeros behind them. */
static tare_status open_bytes(table **out, table *t, char *bytes, size_t length, tare_error *err)
{
    tare_status status = TARE_OK;
    if (table_is_gzip(bytes, length)) {
        char *inflated = NULL;
        status = table_inflate(&inflated, &length, t, bytes, length, err);
        mem_free(t->m, bytes);
        bytes = inflated;
    }
    t->bytes = bytes;
    if (status != TARE_OK) goto done;
    t->end = bytes + length;
    const char *s = bytes;
    const struct foreign *other = find_foreign(s, length);
    if (other != NULL) FAIL(err, TARE_E_DATA, other->code, t->name, "%s", other->message);
    if (length >= 3 && memcmp(s, "\xEF\xBB\xBF", 3) == 0) s += 3;
    if (s == t->end) {
        FAIL(err, TARE_E_DATA, "table.empty", t->name, "empty: a header line is needed");
    }
    if (table_is_json(t, s)) {
        TRY(table_open_json(t, s, err));
    } else {
        TRY(table_open_delimited(t, s, err));
    }
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
    size_t length = strlen(name);
    size_t inner = table_ends_with(name, ".gz") ? length - 3 : length;
    t->name = arena_copy(&t->names, name);
    t->format_name = arena_text(&t->names, name, inner);
    if (t->name == NULL || t->format_name == NULL) {
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
    if (table_is_query(path)) {
        TRY(table_open_query(t, path, err));
        *out = t;
        return TARE_OK;
    }
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
    for (size_t i = 0; i < t->chunk_count; i++) table_release_chunk(t, &t->chunks[i]);
    if (t->source != NULL && t->source->close != NULL) t->source->close(t);
    mem_free(t->m, t->chunks);
    mem_free(t->m, t->columns);
    mem_free(t->m, t->bytes);
    arena_free(&t->names);
    mem_free(t->m, t);
}
