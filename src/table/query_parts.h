/* query_parts.h - a query under way. */
#ifndef TABLE_QUERY_PARTS_H
#define TABLE_QUERY_PARTS_H

#include "base/text.h"
#include "table/duckdb_api.h"
#include "table/table_parts.h"

typedef struct query {
    duckdb_api api;
    void *database, *connection, *statement;
    duckdb_rows rows;
    bool answered; /* rows hold something */
    int *types;    /* DuckDB's, of the columns */
    text sql;
} query;

/* What one column of the answer fills. */
typedef struct query_output {
    size_t column;
    bool as_double;
    unsigned kind;
} query_output;

/* All rows of the answer into the columns. Errors: DATA ("table.nul", "duckdb.query"), LIMIT,
 * MEMORY. */
tare_status query_fetch(table *t, const query_output *outputs, size_t count, tare_error *err);

#endif
