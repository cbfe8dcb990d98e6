/* duckdb_api.c - where the library is, and its functions by name. */
#include "table/duckdb_api.h"

#include <stddef.h>
#include <string.h>

#include "base/error.h"

/* ---- Where ----------------------------------------------------------------- */

static const char *const FILES[] = {"libduckdb.so", NULL};

static const library_wanted WANTED = {
    .name = "DuckDB, which reads SQL and Parquet,",
    .code = "duckdb",
    .variable = "TARE_DUCKDB",
    .files = FILES,
    .sonames = FILES,
    .get = "In tare's source folder, `make deps-duckdb` (tools/fetch_duckdb.sh) takes "
           "libduckdb.so out of the npm package @duckdb/node-bindings-linux-x64. The environment "
           "variable TARE_DUCKDB may name the file",
};

/* ---- What ------------------------------------------------------------------ */

static const struct {
    const char *name;
    size_t slot;
} FUNCTIONS[] = {
    {"duckdb_library_version", offsetof(duckdb_api, library_version)},
    {"duckdb_free", offsetof(duckdb_api, release)},
    {"duckdb_create_config", offsetof(duckdb_api, create_config)},
    {"duckdb_set_config", offsetof(duckdb_api, set_config)},
    {"duckdb_destroy_config", offsetof(duckdb_api, destroy_config)},
    {"duckdb_open_ext", offsetof(duckdb_api, open_ext)},
    {"duckdb_close", offsetof(duckdb_api, close)},
    {"duckdb_connect", offsetof(duckdb_api, connect)},
    {"duckdb_disconnect", offsetof(duckdb_api, disconnect)},
    {"duckdb_prepare", offsetof(duckdb_api, prepare)},
    {"duckdb_prepare_error", offsetof(duckdb_api, prepare_error)},
    {"duckdb_destroy_prepare", offsetof(duckdb_api, destroy_prepare)},
    {"duckdb_execute_prepared", offsetof(duckdb_api, execute_prepared)},
    {"duckdb_result_error", offsetof(duckdb_api, result_error)},
    {"duckdb_destroy_result", offsetof(duckdb_api, destroy_result)},
    {"duckdb_column_count", offsetof(duckdb_api, column_count)},
    {"duckdb_column_name", offsetof(duckdb_api, column_name)},
    {"duckdb_column_type", offsetof(duckdb_api, column_type)},
    {"duckdb_fetch_chunk", offsetof(duckdb_api, fetch_chunk)},
    {"duckdb_destroy_data_chunk", offsetof(duckdb_api, destroy_data_chunk)},
    {"duckdb_data_chunk_get_size", offsetof(duckdb_api, data_chunk_get_size)},
    {"duckdb_data_chunk_get_vector", offsetof(duckdb_api, data_chunk_get_vector)},
    {"duckdb_vector_get_data", offsetof(duckdb_api, vector_get_data)},
    {"duckdb_vector_get_validity", offsetof(duckdb_api, vector_get_validity)},
};

tare_status duckdb_api_open(duckdb_api *api, tare_error *err)
{
    memset(api, 0, sizeof *api);
    tare_status status = library_open(&api->library, &WANTED, err);
    if (status != TARE_OK) return status;
    for (size_t i = 0; i < sizeof FUNCTIONS / sizeof *FUNCTIONS; i++) {
        void *found = library_symbol(&api->library, FUNCTIONS[i].name);
        if (found == NULL) {
            duckdb_api_close(api);
            return error_set(err, TARE_E_DATA, "duckdb.library", "libduckdb.so",
                             "the library has no function %s: version 1.0 or later is needed",
                             FUNCTIONS[i].name);
        }
        memcpy((char *)api + FUNCTIONS[i].slot, &found, sizeof found);
    }
    return TARE_OK;
}

void duckdb_api_close(duckdb_api *api)
{
    library_close(&api->library);
}
