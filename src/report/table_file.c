/* A table as a file, in pieces. */
#include <string.h>

#include "base/error.h"
#include "base/os_out.h"
#include "report/files.h"
#include "report/tsv_cells.h"

#define PIECE_BYTES ((size_t)256 << 10)

static void put_header(text *out, const result_table *t)
{
    for (size_t k = 0; k < t->column_count; k++) {
        if (k > 0) text_add_char(out, '\t');
        tsv_field(out, t->columns[k]);
    }
    text_add_char(out, '\n');
}

static void put_cells(text *out, const cell *cells, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        if (k > 0) text_add_char(out, '\t');
        switch (cells[k].kind) {
        case CELL_EMPTY: break;
        case CELL_TEXT: tsv_field(out, cells[k].text); break;
        case CELL_NUMBER: tsv_value(out, cells[k].number); break;
        case CELL_INTEGER: text_add_format(out, "%lld", (long long)cells[k].integer); break;
        }
    }
    text_add_char(out, '\n');
}

/* The buffer goes into the file once it holds a piece, or at the end. */
static tare_status hand_on(text *buffer, os_out *file, bool all, tare_error *err)
{
    tare_status status = TARE_OK;
    if (buffer->failed) FAIL_MEMORY(err);
    if (!all && buffer->length < PIECE_BYTES) goto done;
    TRY(os_out_add(file, buffer->data, buffer->length, err));
    text_clear(buffer);
done:
    return status;
}

tare_status table_file(const char *path, const result_table *t, const mem *m, tare_error *err)
{
    tare_status status = TARE_OK;
    os_out file = OS_OUT_NONE;
    text buffer;
    arena scratch;
    text_init(&buffer, m);
    arena_init(&scratch, m);
    cell *room = mem_new(m, t->column_count, sizeof *room);
    if (!room) FAIL_MEMORY(err);
    TRY(os_out_open(&file, path, err));
    put_header(&buffer, t);
    for (size_t row = 0; row < t->row_count; row++) {
        const cell *cells;
        TRY(result_row(&cells, t, row, room, &scratch, err));
        put_cells(&buffer, cells, t->column_count);
        if (t->make) arena_free(&scratch);
        TRY(hand_on(&buffer, &file, false, err));
    }
    TRY(hand_on(&buffer, &file, true, err));
    TRY(os_out_done(&file, err));
done:
    os_out_drop(&file);
    mem_free(m, room);
    arena_free(&scratch);
    text_free(&buffer);
    return status;
}
