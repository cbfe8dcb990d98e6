/* duckdb_api.c - where the library is, and its functions by name. */
#include "table/duckdb_api.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/os.h"

/* ---- Where ----------------------------------------------------------------- */

static const char *const PLACES[] = {"libduckdb.so", "deps/libduckdb.so", "../deps/libduckdb.so",
                                     "../libexec/tare/libduckdb.so"};

/* A path beside `file`; false if there is no such file. One that another user may have put there is
 * no such file: it would be run. */
static bool beside(char out[PATH_MAX], const char *file, const char *place)
{
    struct stat st;
    const char *slash = strrchr(file, '/');
    if (slash == NULL) return false;
    int n = snprintf(out, PATH_MAX, "%.*s/%s", (int)(slash - file), file, place);
    return n > 0 && n < PATH_MAX && stat(out, &st) == 0
           && (st.st_uid == 0 || st.st_uid == geteuid());
}

static bool find_beside(char out[PATH_MAX], const char *file)
{
    for (size_t i = 0; i < sizeof PLACES / sizeof *PLACES; i++) {
        if (beside(out, file, PLACES[i])) return true;
    }
    return false;
}

/* The library that holds this code, or the program. */
static bool find_near(char out[PATH_MAX])
{
    char program[PATH_MAX];
    Dl_info here;
    if (dladdr(PLACES, &here) != 0 && here.dli_fname != NULL && here.dli_fname[0] == '/'
        && find_beside(out, here.dli_fname)) {
        return true;
    }
    ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
    if (n <= 0) return false;
    program[n] = '\0';
    return find_beside(out, program);
}

static tare_status missing(tare_error *err)
{
    return error_set(err, TARE_E_DATA, "duckdb.missing", "libduckdb.so",
                     "DuckDB, which reads SQL and Parquet, is not here. In tare's source folder, "
                     "`make deps-duckdb` (tools/fetch_duckdb.sh) takes libduckdb.so out of the npm "
                     "package @duckdb/node-bindings-linux-x64. The environment variable "
                     "TARE_DUCKDB may name the file");
}

/* RTLD_NODELETE: its threads and destructors may outlive the last use. */
static void *open_library(const char *path)
{
    return dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
}

static tare_status unusable(const char *path, tare_error *err)
{
    const char *why = dlerror();
    return error_set(err, TARE_E_DATA, "duckdb.library", path,
                     "this library cannot be opened: %s", why != NULL ? why : "no reason given");
}

static tare_status open_somewhere(void **out, tare_error *err)
{
    char path[PATH_MAX];
    const char *named = getenv("TARE_DUCKDB");
    if (named != NULL && *named != '\0') {
        if (!os_exists(named)) {
            return error_set(err, TARE_E_DATA, "duckdb.missing", named,
                             "TARE_DUCKDB names this file, which does not exist. `make "
                             "deps-duckdb` (tools/fetch_duckdb.sh) takes libduckdb.so out of the "
                             "npm package @duckdb/node-bindings-linux-x64");
        }
        *out = open_library(named);
        return *out != NULL ? TARE_OK : unusable(named, err);
    }
    if (find_near(path)) {
        *out = open_library(path);
        return *out != NULL ? TARE_OK : unusable(path, err);
    }
    *out = open_library("libduckdb.so");
    return *out != NULL ? TARE_OK : missing(err);
}

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
    tare_status status = open_somewhere(&api->library, err);
    if (status != TARE_OK) return status;
    for (size_t i = 0; i < sizeof FUNCTIONS / sizeof *FUNCTIONS; i++) {
        void *found = dlsym(api->library, FUNCTIONS[i].name);
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
    if (api->library != NULL) dlclose(api->library);
    api->library = NULL;
}
