/* table_parts.h - what the files of this room share. */
#ifndef TABLE_TABLE_PARTS_H
#define TABLE_TABLE_PARTS_H

#include "table/levels.h"
#include "table/table.h"

/* Bytes that may be read (not used) after the end of the file's bytes. */
enum { TABLE_PADDING = 16 };

/* Where rows come from. `load` fills the columns; `close` (may be NULL) frees what is the source's
 * own. */
typedef struct table_source {
    tare_status (*load)(table *t, const unsigned *kinds, tare_error *err);
    size_t (*line)(const table *t, size_t row);
    void (*where)(char out[TABLE_WHERE_MAX], const table *t, size_t row, size_t column);
    void (*close)(table *t);
    const char *lines; /* what a row's number counts, for messages: "lines" */
} table_source;
extern const table_source table_delimited, table_json, table_query;

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
    const char *format_name; /* whose extension counts: without .gz */
    const table_source *source;
    struct json_chunk *json; /* of the JSON source, one per chunk */
    struct query *query;     /* of the query source               */
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

/* ---- Sources ---------------------------------------------------------------
 *
 * Each finds the columns of a table whose bytes are t->bytes .. t->end, from `s` on without a byte
 * order mark. */
tare_status table_open_delimited(table *t, const char *s, tare_error *err);
bool table_is_json(const table *t, const char *s);
tare_status table_open_json(table *t, const char *s, tare_error *err);
/* `path` is duckdb:QUERY or the name of a Parquet file. */
bool table_is_query(const char *path);
tare_status table_open_query(table *t, const char *path, tare_error *err);
bool table_ends_with(const char *name, const char *end);
/* A new, empty column; the name is copied. False: out of memory. */
bool table_add_column(table *t, size_t *capacity, const char *name, size_t length);
bool table_is_gzip(const char *bytes, size_t length);
/* The inflated bytes (released with mem_free, TABLE_PADDING zeros behind them). */
tare_status table_inflate(char **out, size_t *out_length, const table *t, const char *bytes,
                          size_t length, tare_error *err);

/* ---- Loading --------------------------------------------------------------- */

/* Room in the columns for as many rows as there are slots. */
tare_status table_make_columns(table *t, const unsigned *kinds, size_t slots, tare_error *err);
/* What a chunk needs to gather rows: levels of its own. */
tare_status table_prepare_chunk(table *t, chunk *c, tare_error *err);
/* Bring the chunks' rows and levels together; count the cells of a number column. */
tare_status table_join(table *t, tare_error *err);
void table_count_cells(column *c, size_t rows);
/* Give up what only loading needs. */
void table_release_chunk(table *t, chunk *c);

/* Cut delimited rows into chunks, and parse one. */
tare_status table_cut(table *t, tare_error *err);
tare_status table_parse_chunk(table *t, chunk *c, tare_error *err);

size_t table_delimited_line(const table *t, size_t row);
void table_delimited_where(char out[TABLE_WHERE_MAX], const table *t, size_t row, size_t column);

size_t table_count_lines(const char *s, const char *end);
/* The chunk that holds a row. */
const chunk *table_chunk_of(const table *t, size_t row);

/* From the inside of a quoted field, where the chunk begins, to the next row. */
const char *table_skip_rest(const table *t, const chunk *c);
bool table_blank_line(const char *s, const char *end);

/* "file:line:column" of a byte at or after `from`, which begins line `line`. */
void table_place(char out[TABLE_WHERE_MAX], const table *t, const char *from, size_t line,
                 const char *at);

#endif
