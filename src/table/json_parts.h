/* json_parts.h - how tables of JSON objects are kept between opening and loading.
 *
 * Opening reads every byte once, on all threads, and keeps where the values stand; loading converts
 * those of the columns that are wanted. A chunk numbers the paths of its keys ("a", "a.b") by first
 * appearance; the table's columns are those of the chunks in their order. */
#ifndef TABLE_JSON_PARTS_H
#define TABLE_JSON_PARTS_H

#include "base/json.h"
#include "table/table_parts.h"

enum { JSON_DEPTH = 64, JSON_NAME_MAX = 4096 };

typedef struct json_cell {
    uint32_t path : 31;
    uint32_t escaped : 1;   /* a string with escapes           */
    uint32_t start, length; /* as written; start from the row's first byte */
} json_cell;

typedef struct json_row {
    const char *start; /* the opening brace    */
    size_t first;      /* of its cells, which go to the first of the next row */
} json_row;

typedef struct json_path {
    const char *first; /* where it first stands                            */
    size_t row;        /* the last row it stood in, from 1                  */
    bool leaf;         /* some row has a value there that is no object      */
    uint32_t column;   /* of the table, if leaf                             */
} json_path;

/* A key of the last row: the next row very likely has the same at its place. */
typedef struct json_step {
    const char *key;
    size_t length;
    uint32_t parent, path;
} json_step;

typedef struct json_chunk {
    levels names; /* of the paths */
    arena keys;
    json_path *paths;
    json_row *rows;
    json_cell *cells;
    json_step *steps;
    size_t path_capacity, row_capacity, cell_capacity, step_capacity;
    size_t row_count, cell_count, step_count;
    const char *fault; /* where reading ended, or NULL */
    tare_error error;
} json_chunk;

/* One reader of rows, at work on one chunk. */
typedef struct json_scan {
    const table *t;
    json_chunk *k;
    json_reader reader;
    text path;
    size_t depth, step;
    uint32_t parent[JSON_DEPTH + 1];
} json_scan;

void json_scan_begin(json_scan *s, const table *t, json_chunk *k);
void json_scan_end(json_scan *s);
/* The row whose opening brace was the reader's last event. Errors go to k->error and k->fault. */
tare_status json_scan_row(json_scan *s);
/* A fault at a byte. */
tare_status json_scan_fault(json_scan *s, const char *at, tare_status status, const char *code,
                            const char *message);
/* The reader's next event. */
tare_status json_scan_next(json_event *e, json_scan *s);

void json_chunk_init(json_chunk *k, const mem *m);
void json_chunk_free(json_chunk *k, const mem *m);

/* The columns of all chunks up to the first with a fault. The error, if any, is the first in the
 * file. */
tare_status json_join_columns(table *t, tare_error *err);
/* The error of the first chunk that has one, with its place. */
tare_status json_report_fault(const table *t, tare_error *err);
/* "file:line:column" of a byte. */
void json_place(char out[TABLE_WHERE_MAX], const table *t, const char *at);

tare_status json_load(table *t, const unsigned *kinds, tare_error *err);

#endif
