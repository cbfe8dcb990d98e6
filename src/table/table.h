/* table.h - long tables: text, JSON, compressed files and queries in, CSV and TSV out; columns by
 * role, canonical order.
 *
 * Reading takes three steps, so that each column is read as what it is and only once:
 *
 *     TRY(table_open(&t, m, pool, "scores.csv", NULL, err));      the bytes and the columns
 *     TRY(table_find_roles(t, roles, count, err));                 which column is what
 *     TRY(table_load(t, kinds, err));                              all rows, on all threads
 *
 * or, for the last two, table_load_roles. The result is the same for any number of threads.
 *
 * Which of the formats a file has is said by its name, without .gz: .csv, .tsv, .tab are delimited;
 * .jsonl, .ndjson, .json are JSON; any other is JSON if its first character is {, or [ before {,
 * and delimited otherwise. Text is UTF-8; a leading byte order mark is skipped. Positions in
 * errors are file, line and column, 1-based, in bytes; of a compressed file, those of its text.
 *
 * Delimited text is RFC 4180 with a header line: fields may be quoted with ", "" inside stands for
 * one quote, a quoted field may hold line ends. Lines end in LF or CRLF. A quote inside a field
 * that does not begin with one is a plain character. Empty lines are skipped in tables of two or
 * more columns. Everything else is an error: rows of another length than the header, bytes that are
 * not UTF-8, NUL, text after a closing quote, a quote that is never closed, a carriage return
 * inside a line.
 *
 * JSON is one object in each line (blank lines are skipped), or one array of objects. The columns
 * are the keys of all rows in order of first appearance; the members of an object inside are
 * columns of their own, named outer.inner. A key that is not there, or null, is missing: empty as
 * text. A text is itself; a number is its digits as text, and a number; true and false are these
 * words, and no numbers; an array is its JSON without blanks as text, and no number. NaN and
 * Infinity, which some programs write, are taken as in delimited text, and so are texts that hold
 * a number. Errors besides broken JSON: a key twice in one row, an item that is no object.
 *
 * Gzip is known by its first bytes, whatever the name, also from standard input; several members
 * may follow one another. Damage is an error with the byte of the compressed file.
 *
 * "duckdb:QUERY" as a path, and names that end in .parquet, are answered by DuckDB if its library
 * is here (table_duckdb_check). The query must be one that returns rows; it may name files. NULL is
 * missing; numbers of the database are numbers (true 1, false 0), all else is text. "Lines" are
 * then rows of the result. */
#ifndef TABLE_TABLE_H
#define TABLE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"
#include "base/pool.h"
#include "tare.h"

typedef struct table table;

typedef struct table_options {
    char delimiter;      /* 0: tab for .tsv and .tab; else what the header line holds: for .csv the
                            first present of comma, tab, semicolon, for others of tab, comma,
                            semicolon */
    size_t max_bytes;    /* of the file; 0: 64 GiB    */
    size_t max_columns;  /* 0: 10000. Of JSON: of all keys, those of objects inside included */
    size_t max_rows;     /* 0, and at most: 4 billion */
    size_t max_field;    /* bytes of one field; 0: 16 MiB */
    size_t max_inflated; /* bytes that a gzip file may become; 0: 200 times its own, at least
                            1 GiB; never more than max_bytes */
    size_t chunk_bytes;  /* of one piece of parallel work; 0: 512 KiB. No result depends on it */
} table_options;

/* ---- Opening --------------------------------------------------------------- */

/* Reads the file ("-": standard input) and finds its columns. `p` NULL: one thread. `m` and `p`
 * outlive the table. Errors: IO, LIMIT ("io.size", "table.columns", "table.inflated"), MEMORY, DATA
 * ("table.empty", "table.gzip"; "table.utf16", "table.zip", "table.compressed", "table.parquet" for
 * what is no text; those of the header). All rows of JSON are checked here: DATA ("json.syntax",
 * "json.truncated", "json.utf8", "json.duplicate_key", "table.object", "table.nul"), LIMIT
 * ("json.text", "json.depth", "table.field", "table.rows"). Of queries: DATA ("duckdb.missing",
 * "duckdb.library", "duckdb.query": DuckDB's own words). */
tare_status table_open(table **out, const mem *m, pool *p, const char *path,
                       const table_options *options, tare_error *err);
/* The same from bytes in memory, which are copied; the name stands for the file in errors and its
 * extension counts. No queries, no Parquet. */
typedef struct table_bytes {
    const char *name, *bytes;
    size_t length;
} table_bytes;
tare_status table_open_bytes(table **out, const mem *m, pool *p, const table_bytes *in,
                             const table_options *options, tare_error *err);
void table_free(table *t);

/* Can DuckDB be used here? TARE_OK, or what is missing and how to get it: DATA ("duckdb.missing",
 * "duckdb.library"). */
tare_status table_duckdb_check(tare_error *err);

const char *table_name(const table *t);
char table_delimiter(const table *t); /* 0: JSON or a query */
size_t table_columns(const table *t);
const char *table_column_name(const table *t, size_t column);

#define TABLE_NONE SIZE_MAX

/* The column of this name; TABLE_NONE and TARE_OK when there is none. Errors: DATA
 * ("table.two_columns": the name stands twice in the header). */
tare_status table_column_find(size_t *out, const table *t, const char *name, tare_error *err);

/* ---- Columns by role ------------------------------------------------------- */

/* What a column can be read as; may be combined. */
enum { TABLE_SKIP = 0, TABLE_TEXT = 1, TABLE_NUMBER = 2 };

typedef enum table_found {
    TABLE_ABSENT,
    TABLE_BY_OPTION, /* the user named it                                          */
    TABLE_BY_NAME,   /* it bears the first accepted name                           */
    TABLE_BY_GUESS   /* it bears another accepted name, or in other letter case: say so */
} table_found;

typedef struct table_role {
    const char *role;   /* "score": the option is --score COLUMN                    */
    const char *names;  /* accepted, best first: "score|rating|value"; "" for none  */
    const char *given;  /* the user's choice, or NULL                               */
    bool required;
    unsigned kind;      /* TABLE_TEXT | TABLE_NUMBER, for table_load_roles               */
    size_t column;      /* out: TABLE_NONE if absent                                */
    table_found found;  /* out                                                      */
} table_role;

/* Fills `column` and `found` of every role. Exact names come before names that differ in letter
 * case only. Errors: USAGE ("table.no_column": the column the user named is not there), DATA
 * ("table.no_role": a required role has no column; "table.two_columns"); the message lists the
 * columns and the nearest name. */
tare_status table_find_roles(const table *t, table_role *roles, size_t count, tare_error *err);

/* ---- Rows ------------------------------------------------------------------ */

/* Read all rows; `kinds` has one entry per column. May be called once. Errors: DATA
 * ("table.ragged", "table.utf8", "table.nul", "table.quote", "table.carriage_return";
 * "duckdb.query"), LIMIT ("table.field", "table.rows"), MEMORY. The error is the first in the file.
 * Of JSON, texts with a NUL or half a surrogate pair are errors in columns read as text or number
 * only. */
tare_status table_load(table *t, const unsigned *kinds, tare_error *err);

/* table_find_roles, and table_load of the columns that have a role. */
tare_status table_load_roles(table *t, table_role *roles, size_t count, tare_error *err);

size_t table_rows(const table *t);

/* A column read as TABLE_TEXT: codes number the distinct texts by first appearance. Zeros if it was
 * not read so. */
typedef struct table_texts {
    const uint32_t *codes; /* [rows] */
    size_t levels;
} table_texts;
table_texts table_text_column(const table *t, size_t column);
/* The text of a code, NUL-terminated; *length may be NULL. */
const char *table_level(const table *t, size_t column, uint32_t code, size_t *length);
/* rank[code]: place of each level in the order of bytes. `rank` has room for all levels. */
tare_status table_rank_levels(uint32_t *rank, const table *t, size_t column, tare_error *err);

/* What a field of a number column holds. */
enum {
    TABLE_OK,       /* a finite number                                                        */
    TABLE_MISSING,  /* empty, or na, n/a, nan, null, none in any letter case; value NaN       */
    TABLE_INFINITE, /* written so, or beyond the range of doubles; value +-infinity           */
    TABLE_BAD,      /* anything else; value NaN                                               */
    TABLE_CELL_KINDS
};
typedef struct table_numbers {
    const double *values;        /* [rows] */
    const unsigned char *status; /* [rows], as above */
    size_t count[TABLE_CELL_KINDS];
    size_t first[TABLE_CELL_KINDS]; /* first row of the kind; TABLE_NONE if none */
} table_numbers;
table_numbers table_number_column(const table *t, size_t column);

/* Line of a row (1-based), of JSON where its object begins, of a query the row of the result. Takes
 * up to a millisecond: for messages, not for loops. */
size_t table_line(const table *t, size_t row);
/* "file:line:column" of a field (of the object, if it has no such key); "file:line" if column is
 * TABLE_NONE; of a query "query: query result row N, column NAME". */
#define TABLE_WHERE_MAX 320
void table_where(char out[TABLE_WHERE_MAX], const table *t, size_t row, size_t column);

/* ---- Canonical order ------------------------------------------------------- */

/* Codes for numbers as keys: code = place among the distinct values in ascending order, -0 as 0.
 * Every value must be finite. *levels (released with mem_free) holds the distinct values. */
tare_status table_code_numbers(uint32_t *codes, double **levels, size_t *level_count,
                               const mem *m, const double *values, size_t rows, tare_error *err);

/* Rows ordered by key columns, first key first, then by row. A key's codes are below its `levels`;
 * `rank`, if not NULL, maps code to place (table_rank_levels), else codes are places. */
typedef struct table_key {
    const char *name; /* for messages */
    const uint32_t *codes, *rank;
    size_t levels;
} table_key;

typedef struct table_sort {
    const table *t;   /* for the lines in messages; NULL: rows are named */
    size_t rows;
    const table_key *keys;
    size_t key_count;
    const double *const *values;  /* columns that rows of equal keys must share, bit for bit */
    size_t value_count;
    const uint32_t *const *codes; /* the same for text columns */
    size_t code_count;
} table_sort;

/* order (released with mem_free) gets the rows kept, of which there are *kept. Rows whose keys and
 * values are all equal are kept once, the first of them; *dropped counts the others. Errors: DATA
 * ("table.duplicate_key", naming both lines: equal keys, other values), MEMORY, LIMIT. */
tare_status table_sort_rows(uint32_t **order, size_t *kept, size_t *dropped, const mem *m,
                            const table_sort *what, tare_error *err);

/* ---- Writing --------------------------------------------------------------- */

typedef struct table_writer table_writer;

/* delimiter ',' or '\t'. Fields that hold it, a quote or a line end are quoted. NULL: out of
 * memory. Failures are remembered until the end. */
table_writer *table_writer_new(const mem *m, char delimiter);
void table_writer_free(table_writer *w);
void table_put_text(table_writer *w, const char *string);
void table_put_bytes(table_writer *w, const char *bytes, size_t length);
void table_put_number(table_writer *w, double value); /* shortest; NaN and infinity: empty */
void table_put_integer(table_writer *w, int64_t value);
void table_end_row(table_writer *w);
/* Several names at once, separated by '|', and the end of the row: the header. */
void table_put_header(table_writer *w, const char *names);
/* What was written so far, NUL-terminated, borrowed. Errors: MEMORY, BUG ("table.writer": rows of
 * different length). */
tare_status table_writer_text(const char **out, size_t *length, table_writer *w,
                              tare_error *err);
/* The same into a file, all or nothing. Errors: also IO. */
tare_status table_writer_save(table_writer *w, const char *path, tare_error *err);

#endif
