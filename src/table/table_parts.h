/* table_parts.h - what the files of this room share. */
#ifndef TABLE_TABLE_PARTS_H
#define TABLE_TABLE_PARTS_H

#include "table/levels.h"
#include "table/table.h"

/* Bytes that may be read (not used) after the end of the file's bytes. */
enum { TABLE_PADDING = 16 };

/* Rows that begin in [start, end); the last may run beyond. */
typedef struct chunk {
    const char *start, *end;
    size_t first_line;
    size_t slot;      /* where its rows go at first: newlines before it */
    size_t lines;     /* newlines inside */
    size_t first_row; /* where its rows are in the end */
    size_t rows;
    bool quotes;      /* holds a quote                              */
    bool ascii;       /* holds only bytes from 1 to 127             */
    bool inside;      /* begins inside a quoted field               */
    bool next_inside[2]; /* how the next begins if this begins outside, inside */
    levels *levels;   /* one per column read as text                */
    arena unescaped;
} chunk;

typedef struct column {
    const char *name;
    unsigned kind;
    size_t text_index; /* among the text columns */
    double *values;
    unsigned char *status;
    uint32_t *codes;
    levels levels;
    arena keys;
    size_t count[TABLE_CELL_KINDS], first[TABLE_CELL_KINDS];
} column;

struct table {
    const mem *m;
    pool *p;
    table_options options;
    arena names;
    const char *name;
    char *bytes;
    const char *data, *end; /* rows; end of the bytes */
    size_t data_line;
    column *columns;
    size_t column_count, text_count;
    chunk *chunks;
    size_t chunk_count;
    size_t rows;
    bool loaded;
};

/* pool_for, or the same in this thread when there is no pool. */
tare_status table_for(table *t, size_t n, pool_range_fn fn, void *arg, tare_error *err);

/* Cut the rows into chunks, parse one, and bring the chunks' rows and levels together. */
tare_status table_cut(table *t, tare_error *err);
tare_status table_parse_chunk(table *t, chunk *c, tare_error *err);
tare_status table_join(table *t, tare_error *err);

/* From the inside of a quoted field, where the chunk begins, to the next row. */
const char *table_skip_rest(const table *t, const chunk *c);
bool table_blank_line(const char *s, const char *end);

/* "file:line:column" of a byte at or after `from`, which begins line `line`. */
void table_place(char out[TABLE_WHERE_MAX], const table *t, const char *from, size_t line,
                 const char *at);

#endif
