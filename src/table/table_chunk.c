/* table_chunk.c - the rows of one chunk into the columns. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "table/cell.h"
#include "table/field.h"
#include "table/table_parts.h"

typedef struct parser {
    table *t;
    chunk *c;
    tare_error *err;
} parser;

/* First byte of [from, to) that is not text; NULL if all are. */
static const char *not_text(const char *from, const char *to)
{
    size_t length = (size_t)(to - from), valid = utf8_valid_prefix(from, length);
    const char *nul = memchr(from, 0, valid);
    return nul != NULL ? nul : valid < length ? from + valid : NULL;
}

static tare_status text_fault(const parser *p, const char *at)
{
    char where[TABLE_WHERE_MAX];
    table_place(where, p->t, p->c->start, p->c->first_line, at);
    if (*at == '\0') {
        return error_set(p->err, TARE_E_DATA, "table.nul", where,
                         "a NUL byte: this is not a text file");
    }
    return error_set(p->err, TARE_E_DATA, "table.utf8", where,
                     "not UTF-8 (byte 0x%02X): save the file as UTF-8", (unsigned char)*at);
}

/* The fault at `at`, unless bytes before it are no text: then that. */
static tare_status fault(const parser *p, const char *at, tare_status status, const char *code,
                         const char *message)
{
    char where[TABLE_WHERE_MAX];
    const char *bytes = not_text(p->c->start, at);
    if (bytes != NULL) return text_fault(p, bytes);
    table_place(where, p->t, p->c->start, p->c->first_line, at);
    return error_set(p->err, status, code, where, "%s", message);
}

static tare_status field_error(const parser *p, const char *at, field_fault what)
{
    switch (what) {
    case FIELD_UNCLOSED:
        return fault(p, at, TARE_E_DATA, "table.quote", "this quote is never closed");
    case FIELD_AFTER_QUOTE:
        return fault(p, at, TARE_E_DATA, "table.quote", "text after a closing quote");
    default:
        return fault(p, at, TARE_E_DATA, "table.carriage_return",
                     "a carriage return without line feed: quote the field, or end lines in LF");
    }
}

static tare_status ragged(const parser *p, const char *at, size_t fields, bool more)
{
    char message[200], other[8];
    char d = p->t->options.delimiter;
    snprintf(other, sizeof other, "'%c'", d);
    snprintf(message, sizeof message,
             "this row has %s %zu field%s, the header has %zu (the delimiter is taken to be %s)",
             more ? "more than" : "only", fields, fields == 1 ? "" : "s", p->t->column_count,
             d == ',' ? "the comma" : d == '\t' ? "the tab" : d == ';' ? "the semicolon" : other);
    return fault(p, at, TARE_E_DATA, "table.ragged", message);
}

static tare_status store_text(const parser *p, const column *col, size_t slot, const field *f)
{
    const char *key = f->start;
    size_t length = f->length;
    if (f->escaped) {
        char *plain = arena_text(&p->c->unescaped, f->start, f->length + TABLE_PADDING);
        if (plain == NULL) return error_memory(p->err);
        length = field_unescape(f, plain);
        key = plain;
    }
    uint32_t code = levels_add(&p->c->levels[col->text_index], key, length);
    if (code == UINT32_MAX) return error_memory(p->err);
    col->codes[slot] = code;
    return TARE_OK;
}

/* One row from *s on, which is moved behind it. */
static tare_status parse_row(const parser *p, const char **s, size_t slot)
{
    const table *t = p->t;
    const char *at = *s, *end = t->end;
    for (size_t k = 0;; k++, at++) {
        const column *col = &t->columns[k];
        field f;
        field_fault what = field_read(&f, at, end, t->options.delimiter);
        if (__builtin_expect(what != FIELD_GOOD, 0)) return field_error(p, f.next, what);
        if (__builtin_expect(f.length > t->options.max_field, 0)) {
            return fault(p, at, TARE_E_LIMIT, "table.field", "a field is longer than the limit");
        }
        if (col->kind & TABLE_NUMBER) {
            col->status[slot] = cell_number(&f, &col->values[slot]);
        }
        if (col->kind & TABLE_TEXT) {
            tare_status status = store_text(p, col, slot, &f);
            if (status != TARE_OK) return status;
        }
        at = f.next;
        bool more = at < end && *at != '\n';
        if (k + 1 == t->column_count) {
            if (more) return ragged(p, at, k + 1, true);
            break;
        }
        if (!more) return ragged(p, at, k + 1, false);
    }
    *s = at < end ? at + 1 : at;
    return TARE_OK;
}

/* Faults here are found by the chunk where the row begins. */
const char *table_skip_rest(const table *t, const chunk *c)
{
    field f;
    bool escaped;
    const char *end = t->end, *s = field_closing(c->start, end, &escaped);
    char delimiter = t->options.delimiter;
    if (s == NULL) return end;
    for (s++; s < end && *s != '\n'; s = f.next) {
        if (*s == delimiter) s++;
        if (field_read(&f, s, end, delimiter) == FIELD_UNCLOSED) return end;
        if (f.next == s && s < end && *s != delimiter && *s != '\n') return end;
    }
    return s < end ? s + 1 : end;
}

bool table_blank_line(const char *s, const char *end)
{
    return *s == '\n' || (*s == '\r' && s + 1 < end && s[1] == '\n');
}

tare_status table_parse_chunk(table *t, chunk *c, tare_error *err)
{
    tare_status status = TARE_OK;
    const parser p = {t, c, err};
    TRY(table_prepare_chunk(t, c, err));
    const char *s = c->inside ? table_skip_rest(t, c) : c->start;
    while (s < c->end) {
        if (t->column_count > 1 && table_blank_line(s, t->end)) {
            s += 1 + (*s == '\r');
            continue;
        }
        TRY(parse_row(&p, &s, c->slot + c->rows));
        c->rows++;
    }
    const char *bytes = c->ascii ? NULL : not_text(c->start, c->end);
    if (bytes != NULL) status = text_fault(&p, bytes);
done:
    return status;
}
