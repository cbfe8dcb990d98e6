#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/os.h"
#include "base/text.h"
#include "table/table.h"

struct table_writer {
    text out;
    char delimiter;
    size_t fields, columns; /* in this row; in the first (0: none yet) */
    bool uneven;
};

table_writer *table_writer_new(const mem *m, char delimiter)
{
    table_writer *w = mem_new(m, 1, sizeof *w);
    if (w == NULL) return NULL;
    text_init(&w->out, m);
    w->delimiter = delimiter;
    return w;
}

void table_writer_free(table_writer *w)
{
    if (w == NULL) return;
    const mem *m = w->out.m;
    text_free(&w->out);
    mem_free(m, w);
}

static void begin_field(table_writer *w)
{
    if (w->fields++ > 0) text_add_char(&w->out, w->delimiter);
}

void table_put_bytes(table_writer *w, const char *bytes, size_t length)
{
    bool quote = false;
    begin_field(w);
    for (size_t i = 0; i < length && !quote; i++) {
        char c = bytes[i];
        quote = c == w->delimiter || c == '"' || c == '\n' || c == '\r';
    }
    if (!quote) {
        text_add_bytes(&w->out, bytes, length);
        return;
    }
    text_add_char(&w->out, '"');
    for (size_t i = 0; i < length; i++) {
        if (bytes[i] == '"') text_add_char(&w->out, '"');
        text_add_char(&w->out, bytes[i]);
    }
    text_add_char(&w->out, '"');
}

void table_put_text(table_writer *w, const char *string)
{
    table_put_bytes(w, string, strlen(string));
}

void table_put_number(table_writer *w, double value)
{
    begin_field(w);
    if (isfinite(value)) text_add_number(&w->out, value);
}

void table_put_integer(table_writer *w, int64_t value)
{
    char digits[24];
    int n = snprintf(digits, sizeof digits, "%lld", (long long)value);
    begin_field(w);
    text_add_bytes(&w->out, digits, (size_t)n);
}

void table_end_row(table_writer *w)
{
    text *out = &w->out;
    if (w->columns == 0) w->columns = w->fields;
    if (w->fields != w->columns) w->uneven = true;
    /* One empty field alone would be an empty line, which readers skip. */
    bool empty = out->length == 0 || (out->data != NULL && out->data[out->length - 1] == '\n');
    if (w->columns == 1 && empty) text_add(out, "\"\"");
    text_add_char(out, '\n');
    w->fields = 0;
}

void table_put_header(table_writer *w, const char *names)
{
    for (;;) {
        size_t length = strcspn(names, "|");
        table_put_bytes(w, names, length);
        if (names[length] == '\0') break;
        names += length + 1;
    }
    table_end_row(w);
}

tare_status table_writer_text(const char **out, size_t *length, table_writer *w,
                              tare_error *err)
{
    text_add_bytes(&w->out, "", 0);
    if (w->out.failed) return error_memory(err);
    if (w->uneven || w->fields > 0) {
        return error_set(err, TARE_E_BUG, "table.writer", "", "rows of different length");
    }
    *out = w->out.data;
    *length = w->out.length;
    return TARE_OK;
}

tare_status table_writer_save(table_writer *w, const char *path, tare_error *err)
{
    const char *bytes = NULL;
    size_t length = 0;
    tare_status status = table_writer_text(&bytes, &length, w, err);
    return status != TARE_OK ? status : os_write_file(path, bytes, length, err);
}
