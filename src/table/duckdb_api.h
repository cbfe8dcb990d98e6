/* duckdb_api.h - the few functions of DuckDB's C interface that tare calls, found at run time.
 *
 * Nothing of DuckDB is needed to build: the types below are those of its stable C interface
 * (duckdb.h, since version 1.0), declared again as far as they are used. */
#ifndef TABLE_DUCKDB_API_H
#define TABLE_DUCKDB_API_H

#include <stdint.h>

#include "base/library.h"
#include "tare.h"

/* duckdb_result; passed by value to fetch_chunk. */
typedef struct duckdb_rows {
    uint64_t column_count, row_count, rows_changed;
    void *columns;
    char *error;
    void *internal;
} duckdb_rows;

/* duckdb_string_t: up to 12 bytes stand in place. */
typedef union duckdb_text {
    struct { uint32_t length; char prefix[4]; const char *bytes; } elsewhere;
    struct { uint32_t length; char bytes[12]; } in_place;
} duckdb_text;
enum { DUCKDB_TEXT_IN_PLACE = 12 };

/* duckdb_type, as far as columns are told apart. */
enum {
    DUCKDB_BOOLEAN = 1, DUCKDB_TINYINT, DUCKDB_SMALLINT, DUCKDB_INTEGER, DUCKDB_BIGINT,
    DUCKDB_UTINYINT, DUCKDB_USMALLINT, DUCKDB_UINTEGER, DUCKDB_UBIGINT, DUCKDB_FLOAT,
    DUCKDB_DOUBLE
};

/* States: 0 is success. Handles are pointers; destroying one sets it to NULL. */
typedef struct duckdb_api {
    library library;
    const char *(*library_version)(void);
    void (*release)(void *pointer);
    int (*create_config)(void **config);
    int (*set_config)(void *config, const char *name, const char *value);
    void (*destroy_config)(void **config);
    int (*open_ext)(const char *path, void **database, void *config, char **error);
    void (*close)(void **database);
    int (*connect)(void *database, void **connection);
    void (*disconnect)(void **connection);
    int (*prepare)(void *connection, const char *query, void **statement);
    const char *(*prepare_error)(void *statement);
    void (*destroy_prepare)(void **statement);
    int (*execute_prepared)(void *statement, duckdb_rows *rows);
    const char *(*result_error)(duckdb_rows *rows);
    void (*destroy_result)(duckdb_rows *rows);
    uint64_t (*column_count)(duckdb_rows *rows);
    const char *(*column_name)(duckdb_rows *rows, uint64_t column);
    int (*column_type)(duckdb_rows *rows, uint64_t column);
    void *(*fetch_chunk)(duckdb_rows rows);
    void (*destroy_data_chunk)(void **chunk);
    uint64_t (*data_chunk_get_size)(void *chunk);
    void *(*data_chunk_get_vector)(void *chunk, uint64_t column);
    void *(*vector_get_data)(void *vector);
    uint64_t *(*vector_get_validity)(void *vector);
} duckdb_api;

/* Opens the library: the file that TARE_DUCKDB names; or libduckdb.so beside the library or program
 * that holds this code, or in the folders deps, ../deps, ../libexec/tare from there; or what the
 * loader finds. Errors: DATA ("duckdb.missing": how to get it; "duckdb.library": not usable). */
tare_status duckdb_api_open(duckdb_api *api, tare_error *err);
void duckdb_api_close(duckdb_api *api);

#endif
