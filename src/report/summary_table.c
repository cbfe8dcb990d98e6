#include "report/summary_table.h"

#include <inttypes.h>
#include <math.h>

#include "report/plain.h"
#include "report/wrap.h"

/* CELL_MOST: characters of a cell; names in files of others may have a million. The TSV has all. */
enum { COLUMNS_MOST = 12, GAP = 2, CELL_MOST = 160 };

static void cell_words(text *out, const cell *c)
{
    text_clear(out);
    text_add(out, "");
    switch (c->kind) {
    case CELL_EMPTY: break;
    case CELL_TEXT: plain_line(out, c->text, CELL_MOST); break;
    case CELL_NUMBER:
        if (isfinite(c->number)) text_add_number(out, c->number);
        break;
    case CELL_INTEGER: text_add_format(out, "%" PRId64, c->integer); break;
    }
}

/* Numbers are right-aligned: a column is of numbers if its first cell that is there is one. */
static bool is_right(const result_table *t, size_t column)
{
    for (size_t i = 0; i < t->row_count; i++) {
        cell_kind kind = t->cells[i * t->column_count + column].kind;
        if (kind != CELL_EMPTY) return kind != CELL_TEXT;
    }
    return false;
}

static void put_row(text *out, text *word, const result_table *t, size_t row, const size_t *width)
{
    for (size_t k = 0; k < t->column_count; k++) {
        bool right = is_right(t, k);
        cell_words(word, &t->cells[row * t->column_count + k]);
        wrap_spaces(out, k ? GAP : 2);
        if (k + 1 == t->column_count && !right) text_add(out, word->data ? word->data : "");
        else wrap_cell(out, word->data ? word->data : "", width[k], right);
    }
    text_add_char(out, '\n');
}

void summary_table(text *out, const result_table *t, bool colour)
{
    size_t width[COLUMNS_MOST], rows = t->shown < t->row_count ? t->shown : t->row_count;
    text word;
    if (t->make || t->column_count > COLUMNS_MOST || rows == 0) return;
    text_init(&word, out->m);
    for (size_t k = 0; k < t->column_count; k++) {
        width[k] = plain_width(t->columns[k]);
        for (size_t i = 0; i < rows; i++) {
            cell_words(&word, &t->cells[i * t->column_count + k]);
            size_t n = plain_width(word.data ? word.data : "");
            if (n > width[k]) width[k] = n;
        }
    }
    text_add_format(out, "\n%s", colour ? "\x1b[1m" : "");
    plain_line(out, t->title, 0);
    text_add_format(out, "%s\n", colour ? "\x1b[0m" : "");
    for (size_t k = 0; k < t->column_count; k++) {
        bool last = k + 1 == t->column_count && !is_right(t, k);
        wrap_spaces(out, k ? GAP : 2);
        if (last) text_add(out, t->columns[k]);
        else wrap_cell(out, t->columns[k], width[k], is_right(t, k));
    }
    text_add_char(out, '\n');
    for (size_t i = 0; i < rows && !word.failed; i++) put_row(out, &word, t, i, width);
    if (rows < t->row_count) text_add_format(out, "  ... and %zu more\n", t->row_count - rows);
    if (word.failed) out->failed = true;
    text_free(&word);
}
