/* table_header.c - the delimiter and the header line. */
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "table/field.h"
#include "table/table_parts.h"

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
    const char *order = table_ends_with(t->format_name, ".csv") ? ",\t;" : "\t,;";
    if (t->options.delimiter != 0) return t->options.delimiter;
    if (table_ends_with(t->format_name, ".tsv") || table_ends_with(t->format_name, ".tab")) {
        return '\t';
    }
    for (; *order != '\0'; order++) {
        if (header_holds(s, t->end, *order)) return *order;
    }
    return ',';
}

static tare_status add_name(table *t, size_t *capacity, const field *f, tare_error *err)
{
    tare_status status = TARE_OK;
    char *plain = NULL;
    const char *name = f->start;
    size_t length = f->length;
    if (f->escaped) {
        TRY_NEW(plain = mem_new(t->m, length, 1));
        length = field_unescape(f, plain);
        name = plain;
    }
    if (!table_add_column(t, capacity, name, length)) FAIL_MEMORY(err);
done:
    mem_free(t->m, plain);
    return status;
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
        if (t->column_count >= t->options.max_columns || f.length > t->options.max_field) {
            table_place(where, t, from, 1, s);
            FAIL(err, TARE_E_LIMIT, "table.columns", where,
                 "the header has more than %zu columns, or a name longer than %zu bytes",
                 t->options.max_columns, t->options.max_field);
        }
        TRY(add_name(t, &capacity, &f, err));
        s = f.next;
        if (s == t->end || *s != t->options.delimiter) break;
    }
    size_t length = (size_t)(s - from), valid = utf8_valid_prefix(from, length);
    const char *nul = memchr(from, 0, length);
    if (valid < length || nul != NULL) {
        table_place(where, t, from, 1, nul != NULL ? nul : from + valid);
        FAIL(err, TARE_E_DATA, nul != NULL ? "table.nul" : "table.utf8", where,
             "the header is not UTF-8 text");
    }
    t->data = s < t->end ? s + 1 : s;
    t->data_line = 1;
    for (const char *c = from; c < t->data; c++) t->data_line += *c == '\n';
    if (s == t->end) t->data_line++;
done:
    return status;
}

tare_status table_open_delimited(table *t, const char *s, tare_error *err)
{
    t->source = &table_delimited;
    t->options.delimiter = find_delimiter(t, s);
    return read_header(t, s, err);
}
