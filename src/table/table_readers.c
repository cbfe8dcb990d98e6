/* table_readers.c - the readers of tables that need something which may not be here. */
#include "base/error.h"
#include "table/table.h"

static const tare_backend_info readers[] = {
    {"duckdb", "tables that DuckDB answers: SQL over CSV, JSON and Parquet files; .parquet",
     "duckdb:SELECT ..."},
};

const tare_backend_info *tare_reader_info_at(size_t index)
{
    return index < sizeof readers / sizeof *readers ? &readers[index] : NULL;
}

tare_status tare_reader_check(size_t index, tare_error *err)
{
    if (tare_reader_info_at(index) == NULL) {
        return error_set(err, TARE_E_USAGE, "reader.index", "", "there is no such reader");
    }
    return table_duckdb_check(err);
}
